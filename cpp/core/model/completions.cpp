#include "core/model/completions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/model/elimination.hpp"
#include "core/model/incomplete_rows.hpp"
#include "core/model/row_posterior.hpp"
#include "core/numbers/minus_infinity.hpp"

namespace qnml {
namespace {

// Rows of large weight are drawn this many times at most; the draws share the weight.
constexpr std::uint64_t kMostDraws = 1024;
constexpr double kGrid = 0x1p32;

// The completions of one row: the codes of its missing variables, one after the other.
struct RowCompletions {
  std::vector<std::uint16_t> codes;
  std::vector<std::uint64_t> weights;
  std::uint32_t draws = 0;
  double rounding = 0.0;
};

// The probabilities of the values on the grid, rounded, as sums up to each value.
void cumulate(std::span<const double> values, std::vector<double>& upto) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  upto.clear();
  double done = 0.0;
  for (const double value : values) upto.push_back(done += std::floor(value / sum * kGrid + 0.5));
}

class RowCompleter {
 public:
  RowCompleter(const ConditionedRow& row, std::uint32_t variables, RowCompletions& out)
      : plan_(row.plan), posterior_(row.posterior), missing_(row.missing), codes_(variables), out_(out) {}

  // Every joint value of positive probability, with weights that add up to `units`.
  void enumerate(std::uint64_t units) {
    visit_all(plan_.buckets.size(), 1.0);
    std::vector<double> rounded(shares_.size());
    std::transform(shares_.begin(), shares_.end(), rounded.begin(),
                   [](double share) { return std::floor(share * kGrid + 0.5); });
    apportion(rounded, units);
    const double total = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      if (out_.weights[k] == 0) continue;
      const double share = static_cast<double>(out_.weights[k]) / static_cast<double>(units);
      out_.rounding += share * std::log(share * total / shares_[k]);
      std::copy_n(out_.codes.begin() + static_cast<std::ptrdiff_t>(k * missing_.size()), missing_.size(),
                  out_.codes.begin() + static_cast<std::ptrdiff_t>(kept * missing_.size()));
      out_.weights[kept++] = out_.weights[k];
    }
    out_.codes.resize(kept * missing_.size());
    out_.weights.resize(kept);
  }

  void draw(std::uint64_t units, std::uint64_t draws, std::uint64_t seed) {
    seed_ = seed;
    units_ = units;
    draws_ = draws;
    out_.draws = static_cast<std::uint32_t>(draws);
    split(plan_.buckets.size(), draws);
  }

 private:
  void visit_all(std::size_t bucket, double share) {
    if (bucket == 0) {
      keep();
      shares_.push_back(share);
      return;
    }
    const EliminationPlan::Bucket& mine = plan_.buckets[bucket - 1];
    const std::span<const double> values = posterior_.conditional(plan_, mine, codes_.data());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    for (std::size_t level = 0; level < values.size(); ++level) {
      if (values[level] == 0.0) continue;
      codes_[plan_.variables[mine.first_axis]] = static_cast<std::uint32_t>(level);
      visit_all(bucket - 1, share * values[level] / sum);
    }
  }

  // Whole shares of the units by largest remainders; ties go to the first.
  void apportion(const std::vector<double>& parts, std::uint64_t units) {
    const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<double> remainders;
    std::uint64_t given = 0;
    for (const double part : parts) {
      const double exact = static_cast<double>(units) * (part / total);
      const auto whole = std::min(static_cast<std::uint64_t>(exact), units - given);
      out_.weights.push_back(whole);
      remainders.push_back(exact - static_cast<double>(whole));
      given += whole;
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return remainders[a] > remainders[b]; });
    for (std::size_t k = 0; given < units; k = (k + 1) % order.size(), ++given) ++out_.weights[order[k]];
  }

  // Divides draws that agree on the variables of all later buckets.
  void split(std::size_t bucket, std::uint64_t draws) {
    if (bucket == 0) {
      keep();
      out_.weights.push_back(units_upto(done_ + draws) - units_upto(done_));
      done_ += draws;
      return;
    }
    const EliminationPlan::Bucket& mine = plan_.buckets[bucket - 1];
    std::vector<double> upto;
    cumulate(posterior_.conditional(plan_, mine, codes_.data()), upto);
    const auto count = static_cast<double>(draws);
    const double start = uniform();
    std::uint64_t before = 0;
    for (std::size_t level = 0; level < upto.size(); ++level) {
      // The points (k + start) / draws, for k = 0, 1, ..., that are below the sum up to this value.
      const double below = std::ceil(upto[level] / upto.back() * count - start);
      const std::uint64_t after =
          level + 1 == upto.size() ? draws : static_cast<std::uint64_t>(std::clamp(below, 0.0, count));
      if (after <= before) continue;
      codes_[plan_.variables[mine.first_axis]] = static_cast<std::uint32_t>(level);
      split(bucket - 1, after - before);
      before = after;
    }
  }

  std::uint64_t units_upto(std::uint64_t draws) const {
    return units_ / draws_ * draws + std::min(units_ % draws_, draws);
  }

  double uniform() {
    const std::uint64_t bits = mix64(seed_ + ++splits_ * golden_gamma);
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
  }

  void keep() {
    for (const std::uint32_t variable : missing_) out_.codes.push_back(static_cast<std::uint16_t>(codes_[variable]));
  }

  const EliminationPlan& plan_;
  const RowPosterior& posterior_;
  std::span<const std::uint32_t> missing_;
  std::vector<std::uint32_t> codes_;
  RowCompletions& out_;
  std::vector<double> shares_;
  std::uint64_t seed_ = 0, units_ = 0, draws_ = 1, done_ = 0, splits_ = 0;
};

double joint_values(const ConditionedRow& row, const std::vector<std::uint32_t>& levels) {
  double values = 1.0;
  for (const std::uint32_t variable : row.missing) values *= levels[variable];
  return values;
}

}  // namespace

Completions complete_rows(const IncompleteRows& rows, std::span<const double> probabilities,
                          const CompletionOptions& options, int threads, Control& control) {
  const IncompleteTable& table = rows.table();
  const auto variables = static_cast<std::uint32_t>(table.levels.size());
  std::vector<RowCompletions> of_row(rows.incomplete().size());
  rows.for_each_posterior(probabilities, threads, control, [&](int, const ConditionedRow& row) {
    if (row.log_evidence == kMinusInfinity) return;
    RowCompleter completer(row, variables, of_row[row.place]);
    const std::uint64_t weight = table.weight(row.row);
    if (joint_values(row, table.levels) <= options.few) {
      completer.enumerate(weight * options.scale);
    } else {
      const std::uint64_t draws =
          std::max<std::uint64_t>(options.draws, std::min(weight, kMostDraws / options.draws) * options.draws);
      completer.draw(weight * options.scale, draws, mix64(options.seed + (row.row + 1) * golden_gamma));
    }
  });
  Completions result;
  result.columns.resize(variables);
  result.draws.assign(table.rows, 0);
  std::size_t place = 0;
  for (std::uint32_t row = 0; row < table.rows && !control.is_stopped(); ++row) {
    const bool is_incomplete = place < rows.incomplete().size() && rows.incomplete()[place] == row;
    const std::size_t copies = is_incomplete ? of_row[place].weights.size() : 1;
    for (std::uint32_t variable = 0; variable < variables; ++variable) {
      const std::int32_t code = table.columns[variable][row];
      result.columns[variable].insert(result.columns[variable].end(), copies,
                                      static_cast<std::uint16_t>(std::max(code, 0)));
    }
    result.sources.insert(result.sources.end(), copies, row);
    if (!is_incomplete) {
      result.weights.push_back(table.weight(row) * options.scale);
      continue;
    }
    const RowCompletions& mine = of_row[place];
    const std::span<const std::uint32_t> missing = rows.missing(place);
    for (std::size_t copy = 0; copy < copies; ++copy) {
      for (std::size_t k = 0; k < missing.size(); ++k) {
        std::vector<std::uint16_t>& column = result.columns[missing[k]];
        column[column.size() - copies + copy] = mine.codes[copy * missing.size() + k];
      }
    }
    result.weights.insert(result.weights.end(), mine.weights.begin(), mine.weights.end());
    result.draws[row] = mine.draws;
    result.rounding += static_cast<double>(table.weight(row)) * mine.rounding;
    result.impossible += copies == 0;
    ++place;
  }
  return result;
}

}  // namespace qnml
