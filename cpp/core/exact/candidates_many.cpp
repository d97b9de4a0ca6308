#include "core/exact/candidates_many.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/line_buffer.hpp"
#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/counting/bit_order.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/candidate_filter.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/scores/counted_sets.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {
namespace {

// Weight vectors are processed in groups, with the sums of a group side by side: [set * kGroup + lane].
constexpr std::size_t kGroup = 16;

constexpr std::int64_t kSkipped = std::numeric_limits<std::int64_t>::max();          // excluded with all its supersets
constexpr std::int64_t kNotAdmitted = std::numeric_limits<std::int64_t>::max() - 1;  // but a superset may be admitted

// One number per lane of a group. Compilers with vector extensions keep them in registers, whatever their size.
#if defined(QNML_HAS_VECTOR_TYPES)
using Gains = std::int32_t __attribute__((vector_size(4 * kGroup)));
using Values = std::int64_t __attribute__((vector_size(4 * kGroup)));  // of half a group
QNML_INLINE void take_larger(Gains& into, const Gains& other) { into = into > other ? into : other; }
#else
struct Gains {
  std::int32_t of[kGroup];
  std::int32_t operator[](std::size_t k) const { return of[k]; }
  std::int32_t& operator[](std::size_t k) { return of[k]; }
};
inline void take_larger(Gains& into, const Gains& other) {
  for (std::size_t k = 0; k < kGroup; ++k) into[k] = std::max(into[k], other[k]);
}
#endif

// One child and one group of weight vectors.
struct Scan {
  const std::int64_t* sums;
  const std::int64_t* price;  // by set of other variables, or one of the marks above
  std::uint64_t sets;
  int bit;
  std::int64_t base[kGroup];
  std::int64_t shift[kGroup];
  Gains slack;  // minus the tolerance in steps, rounded up
};

// The gains of a set by lane; -1 where it scores less than the smallest admitted set.
QNML_INLINE void own_gains(const Scan& scan, const std::int64_t* with, const std::int64_t* without, std::int64_t price,
                           Gains& own) {
#if defined(QNML_HAS_VECTOR_TYPES)
  using Half = std::int32_t __attribute__((vector_size(2 * kGroup)));
  using Whole = std::uint64_t __attribute__((vector_size(4 * kGroup)));
  Half halves[2];
  for (std::size_t h = 0; h < 2; ++h) {
    Values more, less, base, shift;
    std::memcpy(&more, with + h * kGroup / 2, sizeof(Values));
    std::memcpy(&less, without + h * kGroup / 2, sizeof(Values));
    std::memcpy(&base, scan.base + h * kGroup / 2, sizeof(Values));
    std::memcpy(&shift, scan.shift + h * kGroup / 2, sizeof(Values));
    const Values gain = more - less - price - base;
    const auto steps = reinterpret_cast<Values>(reinterpret_cast<Whole>(gain) >> reinterpret_cast<Whole>(shift));
    halves[h] = __builtin_convertvector(gain < 0 ? Values{} - 1 : steps, Half);
  }
  std::memcpy(&own, halves, sizeof(Gains));
#else
  for (std::size_t k = 0; k < kGroup; ++k) {
    const std::int64_t gain = with[k] - without[k] - price - scan.base[k];
    own[k] = gain < 0 ? -1 : static_cast<std::int32_t>(gain >> scan.shift[k]);
  }
#endif
}

// Bit mask of the lanes where a set's own gain is at least `least`, up to the slack.
QNML_INLINE std::uint16_t hits_of(const Gains& own, const Gains& least, const Gains& slack) {
  std::uint32_t mask = 0;
#if defined(QNML_HAS_VECTOR_TYPES)
  const Gains compared = own >= least + slack;
  // Copied to an array: when GCC 12 checks the bounds of a vector subscript (-fsanitize=undefined), it reads an
  // internal variable that it has not set.
  std::int32_t is_hit[kGroup];
  std::memcpy(is_hit, &compared, sizeof(Gains));
  std::int32_t any = 0;
  for (std::int32_t one : is_hit) any |= one;
  if (any == 0) return 0;
  for (std::size_t k = 0; k < kGroup; ++k) mask |= (is_hit[k] != 0 ? 1u : 0u) << k;
#else
  for (std::size_t k = 0; k < kGroup; ++k) mask |= (own[k] >= least[k] + slack[k] ? 1u : 0u) << k;
#endif
  return static_cast<std::uint16_t>(mask);
}

// The largest gain inside every parent set, and the lanes in which the set may be a candidate: those where its own gain
// is not below that of a subset, up to the slack.
QNML_VECTOR_CLONES void scan_sets(const Scan& scan, Gains* best, std::uint16_t* hits) {
  for (std::uint64_t t = 0; t < scan.sets; ++t) {
    hits[t] = 0;
    const std::int64_t price = scan.price[t];
    if (price == kSkipped) continue;
    Gains inside;
    for (std::size_t k = 0; k < kGroup; ++k) inside[k] = -1;
    for (std::uint64_t rest = t; rest != 0; rest &= rest - 1) {
      take_larger(inside, best[t ^ (rest & (~rest + 1))]);
    }
    if (price == kNotAdmitted) {
      best[t] = inside;
      continue;
    }
    const std::int64_t* without = scan.sums + insert_zero(t, scan.bit) * kGroup;
    Gains own;
    own_gains(scan, without + (kGroup << scan.bit), without, price, own);
    Gains least{};
    take_larger(least, inside);
    take_larger(inside, own);
    best[t] = inside;
    hits[t] = hits_of(own, least, scan.slack);
  }
}

// The interface that CandidateFilter needs, for one lane of a group.
class LaneFamilies {
 public:
  LaneFamilies(const Scan& scan, const Gains* best, std::size_t lane) : scan_(scan), best_(best), lane_(lane) {}

  std::int32_t best_gain(std::uint64_t t) const { return best_[t][lane_]; }
  std::int64_t value(std::uint64_t t) const {
    const std::int64_t price = scan_.price[t];
    if (price == kNotAdmitted || price == kSkipped) return kImpossible;
    const std::int64_t* without = scan_.sums + insert_zero(t, scan_.bit) * kGroup + lane_;
    return without[kGroup << scan_.bit] - without[0] - price;
  }

 private:
  const Scan& scan_;
  const Gains* best_;
  std::size_t lane_;
};

class ManyExtraction {
 public:
  ManyExtraction(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                 const MaskRules& rules, std::size_t most_ties)
      : table_(table),
        score_(score),
        weights_(weights),
        rules_(rules),
        most_ties_(most_ties),
        lattice_(table, score.terms()),
        shape_(table, score),
        n_(static_cast<std::size_t>(lattice_.n_variables())),
        groups_((weights.size() + kGroup - 1) / kGroup) {
    shape_.set_bits(lattice_.column_of_bit());
    for (int column : lattice_.column_of_bit()) {
      const auto c = static_cast<std::size_t>(column);
      allowed_.push_back(to_bits(rules.allowed[c], lattice_.column_of_bit()));
      result_.required.push_back(to_bits(rules.required[c], lattice_.column_of_bit()));
    }
    result_.column_of_bit = lattice_.column_of_bit();
  }

  ManyCandidates run(Control& control, int threads) {
    find_skipped();
    if (!walk(control, threads)) return {};
    value_few_cells(control, threads);
    if (control.is_stopped()) return {};
    score_required();
    control.start_stage("candidates", static_cast<double>(n_));
    result_.lists.resize(weights_.size());
    for (CandidateLists& lists : result_.lists) lists.of_bit.resize(n_);
    std::vector<std::uint8_t> has_all_ties(weights_.size() * n_, 1);
    struct Scratch {
      LineBuffer<Gains> best;
      std::vector<std::uint16_t> hits;
    };
    std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(threads, 1)));
    // All children of a group before the next group, so that its sums stay in the cache.
    parallel_for(groups_.size() * n_, threads, [&](int thread, std::size_t task) {
      if (control.is_stopped()) return;
      const std::size_t group = task / n_;
      const std::size_t b = task % n_;
      Scratch& mine = scratch[static_cast<std::size_t>(thread)];
      mine.best.reserve(prices_[b].size());
      mine.hits.resize(prices_[b].size());
      const Scan scan = make_scan(b, group);
      scan_sets(scan, mine.best.data(), mine.hits.data());
      collect(scan, b, group, mine.best.data(), mine.hits, has_all_ties.data());
      control.advance(1.0 / static_cast<double>(groups_.size()));
    });
    if (control.is_stopped()) return {};
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      CandidateLists& lists = result_.lists[k];
      lists.families_scored = admitted_;
      lists.has_all_ties = std::all_of(&has_all_ties[k * n_], &has_all_ties[k * n_] + n_, [](auto all) { return all; });
      sort_candidates(lists);
    }
    return std::move(result_);
  }

 private:
  double levels(std::size_t b) const { return table_.levels(lattice_.column_of_bit()[b]); }

  // The lowest score of the child without parents under any of the weight vectors.
  std::int64_t lowest_alone(int column) const {
    const Column& mine = table_.at(column);
    const std::vector<std::int64_t>& terms = score_.terms().values;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t* weights : weights_) {
      counts.assign(mine.levels, 0);
      with_codes(mine, [&](const auto* codes) {
        for (std::size_t row = 0; row < table_.rows; ++row) counts[codes[row]] += weights[row];
      });
      std::int64_t score = -terms[table_.total] - score_.price(column, 0);
      for (std::uint64_t count : counts) score += terms[count];
      lowest = std::min(lowest, score);
    }
    return lowest;
  }

  // IntegerScore::upper_bound bounds the scores of all supersets of a parent set. Where the bound is below the score
  // without parents by more than the tolerance, the set is in no candidate list and need not be counted. Fits are at
  // most zero, so prices alone give a bound.
  void find_skipped() {
    const bool has_required =
        std::any_of(result_.required.begin(), result_.required.end(), [](auto parents) { return parents != 0; });
    const bool tells = !has_required && score_.prices_bound();
    std::vector<std::int64_t> least(n_, std::numeric_limits<std::int64_t>::min());
    std::int64_t lowest_network = 0;
    for (std::size_t b = 0; b < n_ && tells; ++b) {
      least[b] = lowest_alone(lattice_.column_of_bit()[b]);
      lowest_network += least[b];
    }
    least_ = std::move(least);
    if (tells) {
      for (std::int64_t& value : least_) value -= tolerance(lowest_network);
    }
    wanted_.assign(std::size_t{1} << n_, 0);
    for (std::size_t b = 0; b < n_; ++b) {
      prices_.push_back(prices_of(b));
      const std::vector<std::int64_t>& prices = prices_.back();
      for (std::uint64_t t = 0; t < prices.size(); ++t) {
        if (prices[t] == kSkipped || prices[t] == kNotAdmitted) continue;
        ++admitted_;
        const std::uint64_t parents = insert_zero(t, static_cast<int>(b));
        wanted_[parents] = 1;
        wanted_[parents | std::uint64_t{1} << b] = 1;
      }
    }
  }

  // The price of each parent set, or the mark that excludes it.
  std::vector<std::int64_t> prices_of(std::size_t b) const {
    const int bit = static_cast<int>(b);
    const int column = lattice_.column_of_bit()[b];
    const int most_parents = rules_.max_parents[static_cast<std::size_t>(column)];
    const std::vector<std::int64_t> by_index = shape_.prices(bit);
    std::vector<std::uint8_t> is_hopeless(by_index.size(), 0);
    for (std::uint32_t index = 0; index < by_index.size(); ++index) {
      if (!score_.has_room(index, column)) continue;
      is_hopeless[index] = score_.upper_bound(column, {.index = index}) < least_[b];
    }
    std::vector<std::int64_t> prices(std::size_t{1} << (n_ - 1));
    for (std::uint64_t t = 0; t < prices.size(); ++t) {
      const std::uint64_t parents = insert_zero(t, bit);
      const std::uint32_t index = shape_.product_index(parents);
      bool is_out = (parents & ~allowed_[b]) != 0 || std::popcount(parents) > most_parents || is_hopeless[index] != 0;
      // A skipped set excludes all its supersets, even if rounding puts their own bounds above the limit.
      for (std::uint64_t rest = t; rest != 0 && !is_out; rest &= rest - 1) {
        is_out = prices[t ^ (rest & (~rest + 1))] == kSkipped;
      }
      const std::uint64_t required = result_.required[b];
      const bool is_admitted =
          (required & ~parents) == 0 && (score_.product(index) * levels(b) <= rules_.most_cells || parents == required);
      prices[t] = is_out        ? kSkipped
                  : is_admitted ? by_index[index] + score_.price_of_arcs(std::popcount(parents))
                                : kNotAdmitted;
    }
    return prices;
  }

  bool walk(Control& control, int threads) {
    const std::size_t sets = std::size_t{1} << n_;
    for (auto& group : groups_) group.reserve(sets * kGroup);
    const std::size_t lanes = Lattice::lanes_for(weights_.size());
    const std::size_t width = lanes * static_cast<std::size_t>(score_.terms().used);
    return lattice_.walk_many(
        weights_, wanted_,
        [&](std::uint64_t first, std::size_t count, const std::int64_t* sums) {
          std::vector<std::int64_t> values(lanes);
          for (std::size_t i = 0; i < count; ++i) {
            if (wanted_[first + i] == 0) continue;
            score_.cells(sums + i * width, lanes, shape_.product_index(first + i), values.data());
            keep(first + i, values.data());
          }
        },
        control, threads);
  }

  // Computes the values of the sets for which the sums of the walk do not suffice.
  void value_few_cells(Control& control, int threads) {
    std::map<std::uint32_t, AlikeSets> by_product;
    std::vector<std::uint64_t> set_of(std::size_t{1} << n_);
    for (std::uint64_t set = 0; set < wanted_.size(); ++set) {
      const std::uint32_t index = shape_.product_index(set);
      if (wanted_[set] == 0 || !score_.needs_counts(index)) continue;
      AlikeSets& alike = by_product.try_emplace(index, AlikeSets{index, {}}).first->second;
      const std::uint64_t columns = to_columns(set, lattice_.column_of_bit());
      alike.sets.push_back(columns);
      set_of[columns] = set;
    }
    std::vector<AlikeSets> all;
    all.reserve(by_product.size());
    for (auto& [index, alike] : by_product) all.push_back(std::move(alike));
    value_counted_sets(
        table_, score_, weights_, all,
        [&](std::uint64_t columns, const std::int64_t* values) { keep(set_of[columns], values); }, control, threads);
  }

  void keep(std::uint64_t set, const std::int64_t* values) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      std::copy_n(values + group * kGroup, kGroup, groups_[group].data() + set * kGroup);
    }
  }

  // The score of a child with its required parents only.
  std::int64_t required_score(std::size_t b, std::size_t k) const {
    const std::uint64_t parents = result_.required[b];
    const std::int64_t* sums = groups_[k / kGroup].data() + k % kGroup;
    return sums[(parents | std::uint64_t{1} << b) * kGroup] - sums[parents * kGroup] -
           score_.price(lattice_.column_of_bit()[b], shape_.product_index(parents)) -
           score_.price_of_arcs(std::popcount(parents));
  }

  void score_required() {
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      result_.score.push_back(0);
      for (std::size_t b = 0; b < n_; ++b) result_.score.back() += required_score(b, k);
    }
  }

  Scan make_scan(std::size_t b, std::size_t group) const {
    Scan scan{groups_[group].data(), prices_[b].data(), prices_[b].size(), static_cast<int>(b), {}, {}, {}};
    for (std::size_t lane = 0; lane < kGroup; ++lane) {
      const std::size_t k = group * kGroup + lane;
      if (k >= weights_.size()) {
        scan.base[lane] = std::numeric_limits<std::int64_t>::max() / 4;  // unused lane: gains nothing, is never hit
        scan.slack[lane] = 0;
        continue;
      }
      const GainScale gain(required_score(b, k), tolerance(result_.score[k]));
      scan.base[lane] = gain.base();
      scan.shift[lane] = gain.shift();
      scan.slack[lane] = -static_cast<std::int32_t>((tolerance(result_.score[k]) >> gain.shift()) + 1);
    }
    return scan;
  }

  void collect(const Scan& scan, std::size_t b, std::size_t group, const Gains* best,
               const std::vector<std::uint16_t>& hits, std::uint8_t* has_all_ties) {
    const std::size_t last = std::min(kGroup, weights_.size() - group * kGroup);
    std::vector<LaneFamilies> families;
    std::vector<CandidateFilter<LaneFamilies>> standings;
    families.reserve(last);
    standings.reserve(last);
    for (std::size_t lane = 0; lane < last; ++lane) {
      const std::int64_t slack = tolerance(result_.score[group * kGroup + lane]);
      families.emplace_back(scan, best, lane);
      standings.emplace_back(families.back(), GainScale(scan.base[lane], slack), Ties{slack, most_ties_});
    }
    for (std::uint64_t t = 0; t < scan.sets; ++t) {
      for (std::uint32_t rest = hits[t]; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        const std::int64_t value = families[lane].value(t);
        standings[lane].consider(t, value, [&] {
          const std::uint64_t parents = insert_zero(t, scan.bit);
          const double configurations = score_.product(shape_.product_index(parents));
          return Candidate{parents, value, complexity(configurations, levels(b), std::popcount(parents))};
        });
      }
    }
    for (std::size_t lane = 0; lane < last; ++lane) {
      const std::size_t k = group * kGroup + lane;
      result_.lists[k].of_bit[b] = standings[lane].finish();
      has_all_ties[k * n_ + b] = standings[lane].has_all_ties();
    }
  }

  const Columns& table_;
  const IntegerScore& score_;
  const Lattice::ManyWeights& weights_;
  const MaskRules& rules_;
  std::size_t most_ties_;
  const Lattice lattice_;
  FamilyScores shape_;  // products and prices; the values are in the groups
  std::size_t n_;
  std::vector<LineBuffer<std::int64_t>> groups_;
  std::vector<std::uint64_t> allowed_;
  std::vector<std::int64_t> least_;  // by child: sets with a lower upper bound are not counted
  std::vector<std::vector<std::int64_t>> prices_;
  std::uint64_t admitted_ = 0;
  std::vector<std::uint8_t> wanted_;
  ManyCandidates result_;
};

}  // namespace

ManyCandidates many_candidates(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                               const MaskRules& rules, std::size_t most_ties, Control& control, int threads) {
  return ManyExtraction(table, score, weights, rules, most_ties).run(control, threads);
}

double many_candidates_bytes(int n, std::size_t rows, std::size_t weights, int threads) {
  const auto lanes = static_cast<double>(Lattice::lanes_for(weights));
  const double counts = static_cast<double>(rows) * lanes * 4.0;
  // Sums of all sets and prices of all families; for each thread the gains and hits of one child, and counts of the
  // rows of a few levels.
  return std::ldexp(8.0 * lanes + 4.0 * n + 1.0, n) + threads * (std::ldexp(4.0 * kGroup + 2.0, n - 1) + 6.0 * counts) +
         counts;
}

}  // namespace qnml
