#include "core/layout/columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace qnml {
namespace {

constexpr int kRounds = 40;
constexpr int kStraightenings = 3;
// Weights of a segment between two nodes, a node and a bend, two bends.
constexpr std::array<double, 3> kPull{1.0, 2.0, 8.0};
// Keeps a vertex without neighbours where it is.
constexpr double kHold = 1e-3;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

struct Pull {
  int other;
  double weight;
};

class Settling {
 public:
  Settling(const LayerOrder& order, const std::vector<double>& widths, double gap)
      : order_(order), widths_(widths), gap_(gap), xs_(widths.size()), above_(widths.size()), below_(widths.size()) {
    std::vector<char> is_bend(widths.size(), 0);
    for (const auto& chain : order.chains) {
      for (std::size_t k = 1; k + 1 < chain.size(); ++k) is_bend[at(chain[k])] = 1;
    }
    for (const auto& [upper, lower] : segments_of(order)) {
      const double weight = kPull[at(is_bend[at(upper)] + is_bend[at(lower)])];
      above_[at(lower)].push_back({upper, weight});
      below_[at(upper)].push_back({lower, weight});
    }
    for (const auto& row : order.rows) {
      offsets_.push_back(packed(row));
      for (std::size_t k = 0; k < row.size(); ++k) xs_[at(row[k])] = offsets_.back()[k] - offsets_.back().back() / 2;
    }
  }

  std::vector<double> run() {
    for (int round = 0; round < kRounds; ++round) {
      // First from one side at a time, which carries positions through many rows; then from both at once.
      const bool early = round < kRounds / 2;
      for (std::size_t here = 0; here < order_.rows.size(); ++here) settle(here, true, !early);
      for (std::size_t here = order_.rows.size(); here-- > 0;) settle(here, !early, true);
    }
    for (int round = 0; round < kStraightenings; ++round) straighten();
    double left = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < xs_.size(); ++v) left = std::min(left, xs_[v] - widths_[v] / 2);
    for (double& x : xs_) x -= left;
    return xs_;
  }

 private:
  double apart(int left, int right) const { return (widths_[at(left)] + widths_[at(right)]) / 2 + gap_; }

  // The distances of the centres in a row from its first vertex if packed as close as allowed.
  std::vector<double> packed(const std::vector<int>& row) const {
    std::vector<double> offsets(row.size(), 0.0);
    for (std::size_t k = 1; k < row.size(); ++k) offsets[k] = offsets[k - 1] + apart(row[k - 1], row[k]);
    return offsets;
  }

  void settle(std::size_t here, bool to_above, bool to_below) {
    const auto& row = order_.rows[here];
    std::vector<double> targets, weights;
    for (std::size_t k = 0; k < row.size(); ++k) {
      double weight = kHold, total = kHold * xs_[at(row[k])];
      const auto add = [&](const std::vector<Pull>& pulls) {
        for (const Pull& pull : pulls) {
          weight += pull.weight;
          total += pull.weight * xs_[at(pull.other)];
        }
      };
      if (to_above) add(above_[at(row[k])]);
      if (to_below) add(below_[at(row[k])]);
      targets.push_back(total / weight - offsets_[here][k]);
      weights.push_back(weight);
    }
    const std::vector<double> places = nearest_ordered(targets, weights);
    for (std::size_t k = 0; k < row.size(); ++k) xs_[at(row[k])] = places[k] + offsets_[here][k];
  }

  // Aligns the bends of each arc vertically, in as few columns as the free space beside them allows.
  void straighten() {
    std::vector<std::array<int, 2>> beside(xs_.size(), {-1, -1});
    for (const auto& row : order_.rows) {
      for (std::size_t k = 1; k < row.size(); ++k) {
        beside[at(row[k])][0] = row[k - 1];
        beside[at(row[k - 1])][1] = row[k];
      }
    }
    const auto room = [&](int vertex) {
      const auto [left, right] = beside[at(vertex)];
      constexpr double far = std::numeric_limits<double>::infinity();
      return std::pair(left < 0 ? -far : xs_[at(left)] + apart(left, vertex),
                       right < 0 ? far : xs_[at(right)] - apart(vertex, right));
    };
    for (const auto& chain : order_.chains) {
      for (std::size_t start = 1, end = 0; start + 1 < chain.size(); start = end) {
        auto [low, high] = room(chain[start]);
        double sum = xs_[at(chain[start])];
        for (end = start + 1; end + 1 < chain.size(); ++end) {
          const auto [lower, upper] = room(chain[end]);
          if (std::max(low, lower) > std::min(high, upper)) break;
          low = std::max(low, lower);
          high = std::min(high, upper);
          sum += xs_[at(chain[end])];
        }
        const double wanted = sum / static_cast<double>(end - start);
        // Rounding may make the free interval empty; then its left end is used.
        for (std::size_t k = start; k < end; ++k) xs_[at(chain[k])] = std::max(low, std::min(high, wanted));
      }
    }
  }

  const LayerOrder& order_;
  const std::vector<double>& widths_;
  double gap_;
  std::vector<double> xs_;
  std::vector<std::vector<Pull>> above_;
  std::vector<std::vector<Pull>> below_;
  std::vector<std::vector<double>> offsets_;
};

}  // namespace

std::vector<double> nearest_ordered(const std::vector<double>& targets, const std::vector<double>& weights) {
  struct Pool {
    double mean;
    double mass;
    std::size_t size;
  };
  std::vector<Pool> pools;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    Pool pool{targets[k], weights[k], 1};
    while (!pools.empty() && pools.back().mean >= pool.mean) {
      const Pool& before = pools.back();
      const double mass = pool.mass + before.mass;
      pool = {(pool.mean * pool.mass + before.mean * before.mass) / mass, mass, pool.size + before.size};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  std::vector<double> found;
  for (const Pool& pool : pools) found.insert(found.end(), pool.size, pool.mean);
  return found;
}

std::vector<double> layer_columns(const LayerOrder& order, const std::vector<double>& widths, double gap) {
  return widths.empty() ? std::vector<double>() : Settling(order, widths, gap).run();
}

}  // namespace qnml
