#include "core/local/equivalence_search.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/graph/rules.hpp"
#include "core/local/class_climb.hpp"
#include "core/local/class_steps.hpp"
#include "core/local/gaining_parents.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

// Perturbation k starts from the best class of those before it and draws from random stream k. Since few of them find a
// better class, threads try the next ones ahead, all from the best class so far; after one that did, the results of
// later ones are dropped. So the search is the same for any number of threads. The work is counted as if they had run
// one after another, and no result counts that the work limit would have prevented.
class Search {
 public:
  Search(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
         const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options, Control& control,
         int threads)
      : families_(families),
        rules_(families.table(), rules),
        options_(options),
        control_(control),
        threads_(static_cast<std::size_t>(std::max(threads, 1))),
        n_(families.n_variables()),
        partners_(insertion_partners(rules_, n_, candidates)),
        gaining_(families, rules_, partners_, options.memory_bytes),
        home_(families, rules_, gaining_, options.most_cliques, control, threads),
        best_(n_) {
    if (!families.is_equivalent()) throw std::invalid_argument("the score is not score-equivalent");
    if (start.empty()) {
      for (int child = 0; child < n_; ++child) start.push_back(rules.required.members(child));
    }
    double score = 0.0;
    for (int child = 0; child < n_; ++child) {
      score += families_.score(child, start[static_cast<std::size_t>(child)]);
    }
    home_.start_at(PartialDag::of_network(start), score);
    note();
  }

  FoundNetwork run() {
    climb_home();
    keep_home(options_.shakes > 0);
    if (n_ > 0) perturb();
    found_.parents = rules_.member(best_);
    found_.work = work_;
    found_.is_cut = work_ > options_.most_work;
    return std::move(found_);
  }

 private:
  // What one perturbation led to.
  struct Trial {
    double score = 0.0;
    bool is_cut = false;
    ClassSteps::Scored scored;
  };

  // A climb that tries perturbations, and the number of the class it kept.
  struct Trier {
    ClassClimb climb;
    int of_class = -1;
  };

  bool is_over() { return control_.is_stopped() || work_ > options_.most_work; }

  void climb_home() {
    home_.allow(options_.most_work - work_);
    home_.climb(true, [&] { count_home(); }, [&] { note(); });
  }

  void count_home() {
    count(home_.take_scored());
    gaining_.make_room();
    home_.allow(options_.most_work - work_);
  }

  void count(ClassSteps::Scored scored) {
    work_ += new_work(scored);
    gaining_.take(std::move(scored.lists));
  }

  double new_work(const ClassSteps::Scored& scored) const {
    return scored.other_families + gaining_.new_families(scored.lists);
  }

  void keep_home(bool goes_on) {
    if (goes_on) home_.keep();
    count_home();
    best_ = home_.graph();
    found_.score = home_.score();
    ++class_number_;
  }

  void perturb() {
    std::size_t ahead = threads_;
    for (int done = 0, in_vain = 0; done < options_.shakes && in_vain < options_.patience && !is_over();) {
      const auto left = static_cast<std::size_t>(std::min(options_.shakes - done, options_.patience - in_vain));
      std::vector<Trial> trials = try_ahead(done, threads_ == 1 ? 1 : std::min(ahead, left));
      bool is_better = false;
      for (std::size_t k = 0; k < trials.size() && !is_better; ++k) {
        // Later ones did not know of the work of the first, nor that its lists were cleared.
        if (k > 0 && (trials[k].is_cut || work_ + new_work(trials[k].scored) > options_.most_work)) break;
        count(std::move(trials[k].scored));
        is_better = trials[k].score > found_.score + families_.tolerance();
        ++done;
        ++in_vain;
        if (gaining_.make_room()) break;
      }
      if (is_better) {
        take_up(done - 1, trials.size() == 1);
        in_vain = 0;
      } else if (trials.size() == 1) {
        home_.go_back(best_, found_.score);
      }
      ahead = is_better ? threads_ : std::min(2 * ahead, tuning::classes::kMostAhead * threads_);
    }
  }

  // Tries several perturbations, from this number on; a single one at home, which stays there.
  std::vector<Trial> try_ahead(int first, std::size_t number) {
    std::vector<Trial> trials;
    trials.reserve(number);
    for (std::size_t k = 0; k < number; ++k) trials.push_back({0.0, false, {GainingParents::Draft(gaining_)}});
    if (number == 1) {
      trials.front() = attempt(home_, first, options_.most_work - work_);
      return trials;
    }
    triers_.resize(threads_);
    parallel_for(number, static_cast<int>(threads_), [&](int thread, std::size_t k) {
      std::optional<Trier>& mine = triers_[static_cast<std::size_t>(thread)];
      if (!mine) mine.emplace(ClassClimb(families_, rules_, gaining_, options_.most_cliques, control_, 1));
      if (mine->of_class != class_number_) mine->climb.keep_like(home_);
      mine->of_class = class_number_;
      trials[k] = attempt(mine->climb, first + static_cast<int>(k), options_.most_work - work_);
      mine->climb.go_back(best_, found_.score);
    });
    // The search ends with it, wherever it was cut: it must be at home then.
    if (trials.front().is_cut) return try_ahead(first, 1);
    return trials;
  }

  Trial attempt(ClassClimb& climb, int number, double most_work) {
    Xoshiro256 random = Xoshiro256::stream(options_.seed, static_cast<std::uint64_t>(number));
    climb.allow(most_work);
    climb.shake(random);
    // If the rules concern single networks, checking them is expensive, so the steps set aside are reconsidered only
    // for classes that are kept.
    climb.climb(rules_.are_of_classes(), [] {}, [] {});
    const bool is_cut = climb.is_over();
    return {climb.score(), is_cut, climb.take_scored()};
  }

  // The search continues from what this perturbation led to, which was tried here or by another climb.
  void take_up(int number, bool was_here) {
    if (!was_here) {
      // Again, with the same result unless it is stopped meanwhile. Its work is counted already.
      attempt(home_, number, std::numeric_limits<double>::infinity());
      if (home_.score() <= found_.score) return home_.go_back(best_, found_.score);
    }
    note();
    climb_home();
    keep_home(true);
  }

  void note() {
    if (!found_.trace.empty() && home_.score() <= found_.trace.back().score + families_.tolerance()) return;
    found_.trace.push_back({std::chrono::duration<double>(Control::Clock::now() - began_).count(), home_.score()});
  }

  FamilyCache& families_;
  const AdmittedClasses rules_;
  const EquivalenceOptions& options_;
  Control& control_;
  std::size_t threads_;
  int n_;
  std::vector<std::vector<int>> partners_;
  GainingParents gaining_;
  ClassClimb home_;  // at the best class, except while it tries a perturbation or climbs on from one
  PartialDag best_;  // the best class
  int class_number_ = 0;
  std::vector<std::optional<Trier>> triers_;  // by thread
  double work_ = 0.0;
  FoundNetwork found_;
  Control::Clock::time_point began_ = Control::Clock::now();
};

}  // namespace

FoundNetwork greedy_equivalence(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads) {
  return Search(families, rules, std::move(start), candidates, options, control, threads).run();
}

}  // namespace qnml
