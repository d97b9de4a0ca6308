#include "core/inference/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/control.hpp"
#include "core/inference/domain.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/walk.hpp"

namespace qnml {
namespace {

using Clique = JunctionTree::Clique;

// Messages are divided by numbers up to the size of a table, so this is far above the smallest normal double.
constexpr double kSafe = 1e-280;

template <class Domain>
void multiply_by(const Walk& walk, double* table, const double* other) {
  const std::size_t run = walk.groups[0].size;
  if (walk.groups[0].stride == 0) {
    over_runs(walk, [&](std::size_t index, std::size_t place) {
      const double factor = other[place];
      for (std::size_t k = 0; k < run; ++k) table[index + k] = Domain::times(table[index + k], factor);
    });
  } else {
    over_runs(walk, [&](std::size_t index, std::size_t place) {
      for (std::size_t k = 0; k < run; ++k) table[index + k] = Domain::times(table[index + k], other[place + k]);
    });
  }
}

void copy_from(const Walk& walk, double* table, const double* other) {
  const std::size_t run = walk.groups[0].size;
  if (walk.groups[0].stride == 0) {
    over_runs(walk, [&](std::size_t index, std::size_t place) { std::fill_n(table + index, run, other[place]); });
  } else {
    over_runs(walk, [&](std::size_t index, std::size_t place) { std::copy_n(other + place, run, table + index); });
  }
}

// Adds up a table over the variables that the smaller one lacks.
template <class Domain>
void sum_onto(const Walk& walk, const double* table, std::span<double> other) {
  std::fill(other.begin(), other.end(), Domain::kZero);
  const std::size_t run = walk.groups[0].size;
  if (walk.groups[0].stride == 0) {
    over_runs(walk, [&](std::size_t index, std::size_t place) {
      double sum = table[index];
      for (std::size_t k = 1; k < run; ++k) sum = Domain::plus(sum, table[index + k]);
      other[place] = Domain::plus(other[place], sum);
    });
  } else {
    over_runs(walk, [&](std::size_t index, std::size_t place) {
      for (std::size_t k = 0; k < run; ++k) other[place + k] = Domain::plus(other[place + k], table[index + k]);
    });
  }
}

double lowest_positive(std::span<const double> values) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > 0.0) lowest = std::min(lowest, value);
  }
  return lowest;
}

// Divides by the sum.
void normalise(std::span<double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  for (double& value : values) value /= sum;
}

}  // namespace

template <class Domain>
bool Propagation<Domain>::fill_factors(const Evidence& evidence) {
  const NetworkTables& tables = tree_.tables();
  lowest_.assign(tree_.factors().size(), 1.0);
  message_lowest_.assign(tree_.cliques().size(), 1.0);
  for (std::size_t i = 0; i < lowest_.size(); ++i) {
    const JunctionTree::Factor& factor = tree_.factors()[i];
    const std::span<double> values(space_.data() + factor.start, factor.size);
    tables.slice(factor.variable, evidence.codes, factor.axes, values);
    const std::span<const double> weights = evidence.weights[factor.variable];
    if (!weights.empty() && factor.own_stride > 0) {
      for (std::size_t index = 0; index < values.size(); ++index)
        values[index] *= weights[index / factor.own_stride % weights.size()];
    }
    if constexpr (std::is_same_v<Domain, Logarithms>) {
      for (double& value : values) value = std::log(value);
    } else {
      lowest_[i] = lowest_positive(values);
      if (lowest_[i] < kSafe) return false;
    }
  }
  log_total_ = 0.0;
  for (const std::uint32_t variable : tree_.constants()) {
    double probability = 0.0;
    tables.slice(variable, evidence.codes, {}, {&probability, 1});
    log_total_ += std::log(probability);
  }
  return true;
}

template <class Domain>
bool Propagation<Domain>::multiply(const Clique& clique) {
  double* const table = space_.data() + clique.table;
  double lowest = 1.0;
  bool is_first = true;
  const auto take = [&](const Walk& walk, const double* other) {
    if (is_first) {
      copy_from(walk, table, other);
    } else {
      multiply_by<Domain>(walk, table, other);
    }
    is_first = false;
  };
  for (const std::uint32_t factor : clique.factors) {
    lowest *= lowest_[factor];
    take(tree_.factors()[factor].walk, space_.data() + tree_.factors()[factor].start);
  }
  for (const std::uint32_t child : clique.children) {
    lowest *= message_lowest_[child];
    take(tree_.cliques()[child].in_parent, space_.data() + tree_.cliques()[child].message);
  }
  if (is_first) std::fill_n(table, clique.size, Domain::kOne);
  return lowest >= kSafe;
}

// Returns the logarithm of the divisor of the message, minus infinity if all of it is impossible.
template <class Domain>
double Propagation<Domain>::send(const Clique& clique) {
  const double* table = space_.data() + clique.table;
  const std::span<double> message(space_.data() + clique.message, clique.size / clique.residual);
  double largest = Domain::kZero;
  for (double& entry : message) {
    entry = table[0];
    if (clique.takes_max) {
      for (std::size_t k = 1; k < clique.residual; ++k) entry = std::max(entry, table[k]);
    } else {
      for (std::size_t k = 1; k < clique.residual; ++k) entry = Domain::plus(entry, table[k]);
    }
    table += clique.residual;
    largest = std::max(largest, entry);
  }
  if (largest == Domain::kZero) return -std::numeric_limits<double>::infinity();
  for (double& entry : message) entry = Domain::over(entry, largest);
  return std::is_same_v<Domain, Logarithms> ? largest : std::log(largest);
}

template <class Domain>
bool Propagation<Domain>::collect(const Evidence& evidence, Control& control) {
  if (!fill_factors(evidence)) return false;
  for (std::size_t c = 0; c < tree_.cliques().size(); ++c) {
    const Clique& clique = tree_.cliques()[c];
    if (control.is_stopped()) return true;
    if (!multiply(clique)) return false;
    log_total_ += send(clique);
    if (!std::isfinite(log_total_)) {
      log_total_ = -std::numeric_limits<double>::infinity();
      return true;
    }
    if constexpr (std::is_same_v<Domain, Probabilities>)
      message_lowest_[c] = lowest_positive({space_.data() + clique.message, clique.size / clique.residual});
  }
  return true;
}

// Makes the table of a clique the distribution of its variables, from that of its parent.
template <class Domain>
void Propagation<Domain>::receive(const Clique& clique) {
  const std::size_t outer = clique.size / clique.residual;
  const std::span<double> answer(space_.data() + clique.answer, outer);
  const double* const message = space_.data() + clique.message;
  double* table = space_.data() + clique.table;
  for (std::size_t s = 0; s < outer; ++s) {
    const double factor = Domain::over(answer[s], message[s]);
    for (std::size_t k = 0; k < clique.residual; ++k) table[k] = Domain::times(table[k], factor);
    table += clique.residual;
  }
}

template <class Domain>
void Propagation<Domain>::read(const JunctionTree::Source& source, const double* table,
                               std::span<double> answer) const {
  const std::span<double> mine = answer.subspan(source.start, tree_.tables().levels(source.variable));
  sum_onto<Domain>(source.walk, table, mine);
  double largest = Domain::kZero;
  for (const double value : mine) largest = std::max(largest, value);
  for (double& value : mine) value = Domain::to_probability(Domain::over(value, largest));
  normalise(mine);
}

template <class Domain>
void Propagation<Domain>::distribute(std::span<const std::int32_t> codes, std::span<double> answer, Control& control) {
  for (std::size_t c = tree_.cliques().size(); c-- > 0;) {
    const Clique& clique = tree_.cliques()[c];
    if (!clique.is_needed || clique.parent == JunctionTree::kNone) continue;
    if (control.is_stopped()) return;
    const Clique& parent = tree_.cliques()[clique.parent];
    const std::span<double> separator(space_.data() + clique.answer, clique.size / clique.residual);
    sum_onto<Domain>(clique.in_parent, space_.data() + parent.table, separator);
    receive(clique);
  }
  for (const JunctionTree::Source& source : tree_.sources()) {
    if (source.clique == JunctionTree::kNone) {
      const std::span<double> mine = answer.subspan(source.start, tree_.tables().levels(source.variable));
      std::fill(mine.begin(), mine.end(), 0.0);
      // A variable with a single level has no code in the evidence.
      mine[mine.size() == 1 ? 0 : static_cast<std::size_t>(codes[source.variable])] = 1.0;
      continue;
    }
    const Clique& clique = tree_.cliques()[source.clique];
    read(source, space_.data() + (source.from_separator ? clique.answer : clique.table), answer);
  }
}

template <class Domain>
void Propagation<Domain>::joint(std::span<double> answer) const {
  const Clique& clique = tree_.cliques()[tree_.joint_clique()];
  sum_onto<Domain>(tree_.joint_walk(), space_.data() + clique.table, answer);
  double largest = Domain::kZero;
  for (const double value : answer) largest = std::max(largest, value);
  for (double& value : answer) value = Domain::to_probability(Domain::over(value, largest));
  normalise(answer);
}

template class Propagation<Probabilities>;
template class Propagation<Logarithms>;

}  // namespace qnml
