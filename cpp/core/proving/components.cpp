#include "core/proving/components.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/branch_and_bound.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {
namespace {

// Tarjan's algorithm, from children to parents: a part is complete after all parts it depends on.
class Parts {
 public:
  explicit Parts(const std::vector<std::vector<Choice>>& choices)
      : parents_(choices.size()), number_(choices.size(), 0), low_(choices.size(), 0), is_open_(choices.size(), 0) {
    for (std::size_t child = 0; child < choices.size(); ++child) {
      VariableSet all;
      for (const Choice& choice : choices[child]) {
        for (std::size_t word = 0; word < all.words.size(); ++word) all.words[word] |= choice.parents.words[word];
      }
      parents_[child] = all.members();
    }
  }

  std::vector<std::vector<int>> find() {
    for (std::size_t child = 0; child < parents_.size(); ++child) {
      if (number_[child] == 0) visit(static_cast<int>(child));
    }
    return std::move(found_);
  }

 private:
  // The recursion depth is at most the number of variables, 256.
  void visit(int variable) {
    const auto v = static_cast<std::size_t>(variable);
    number_[v] = low_[v] = ++last_;
    stack_.push_back(variable);
    is_open_[v] = 1;
    for (int parent : parents_[v]) {
      const auto p = static_cast<std::size_t>(parent);
      if (number_[p] == 0) {
        visit(parent);
        low_[v] = std::min(low_[v], low_[p]);
      } else if (is_open_[p] != 0) {
        low_[v] = std::min(low_[v], number_[p]);
      }
    }
    if (low_[v] != number_[v]) return;
    std::vector<int> part;
    for (int member = -1; member != variable;) {
      member = stack_.back();
      stack_.pop_back();
      is_open_[static_cast<std::size_t>(member)] = 0;
      part.push_back(member);
    }
    std::sort(part.begin(), part.end());
    found_.push_back(std::move(part));
  }

  std::vector<std::vector<int>> parents_;
  std::vector<int> number_, low_;
  std::vector<char> is_open_;
  std::vector<int> stack_;
  std::vector<std::vector<int>> found_;
  int last_ = 0;
};

}  // namespace

std::vector<std::vector<int>> connected_parts(const std::vector<std::vector<Choice>>& choices) {
  return Parts(choices).find();
}

PartSolution solve_part(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                        const std::vector<int>& part, double reached, double tolerance, std::size_t most_cases,
                        std::uint64_t& work, double memory_bytes, Control& control) {
  auto within = [&](const VariableSet& set) {
    VariableSet numbered;
    for (std::size_t member = 0; member < part.size(); ++member) {
      if (set.has(part[member])) numbered.add(static_cast<int>(member));
    }
    return numbered;
  };
  // By member and by parents inside the part: the best family, which may have parents outside.
  std::vector<std::vector<Choice>> inside(part.size());
  std::vector<std::map<VariableSet, VariableSet>> whole(part.size());
  for (std::size_t member = 0; member < part.size(); ++member) {
    std::map<VariableSet, const Choice*> best;
    for (const Choice& choice : choices[static_cast<std::size_t>(part[member])]) {
      const Choice*& known = best[within(choice.parents)];
      if (known == nullptr || choice.score > known->score) known = &choice;
    }
    for (const auto& [parents, choice] : best) {
      inside[member].push_back({parents, choice->score, choice->is_open});
      whole[member].emplace(parents, choice->parents);
    }
  }
  ClusterPrices start(part.size());
  for (const ClusterPrices::Priced& priced : prices.all()) {
    const VariableSet members = within(priced.cluster.members);
    if (members.size() == priced.cluster.members.size()) start.add({members, priced.cluster.rank}, priced.price);
  }
  BranchResult found = branch_and_bound(inside, start, reached, tolerance, most_cases, work, memory_bytes, control);
  PartSolution result{found.bound, found.is_better, {}, found.score};
  for (std::size_t member = 0; member < part.size() && found.is_better; ++member) {
    result.parents.push_back(whole[member].at(found.parents[member]));
  }
  return result;
}

}  // namespace qnml
