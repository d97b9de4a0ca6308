#include "core/inference/clusters.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/inference/elimination_order.hpp"

namespace qnml {
namespace {

struct Open {
  std::vector<std::uint32_t> ranks;  // of its variables, descending
  std::uint32_t top;                 // the last rank that is summed out here
  std::uint32_t kept;                // variables left then
  std::uint32_t next;                // rank of the first of these: the bucket that follows
};

// Renumbers the clusters so that children come first.
Clusters finish(const VariableOrder& order, std::vector<Open>&& open, Clusters&& found) {
  std::vector<std::uint32_t> sequence(open.size());
  for (std::uint32_t c = 0; c < sequence.size(); ++c) sequence[c] = c;
  std::sort(sequence.begin(), sequence.end(),
            [&](std::uint32_t a, std::uint32_t b) { return open[a].top < open[b].top; });
  std::vector<std::uint32_t> number(open.size());
  for (std::uint32_t c = 0; c < sequence.size(); ++c) number[sequence[c]] = c;
  for (std::uint32_t& cluster : found.of) cluster = number[cluster];
  for (const std::uint32_t old : sequence) {
    Cluster cluster;
    for (const std::uint32_t rank : open[old].ranks) cluster.members.push_back(order.variables[rank]);
    cluster.kept = open[old].kept;
    if (open[old].next != Cluster::kNone) cluster.parent = found.of[order.variables[open[old].next]];
    found.clusters.push_back(std::move(cluster));
  }
  return std::move(found);
}

}  // namespace

Clusters clusters_of(const VariableOrder& order, std::span<const std::uint8_t> phase, bool mixes_phases) {
  const auto count = static_cast<std::uint32_t>(order.variables.size());
  Clusters found;
  found.rank.resize(count);
  for (std::uint32_t rank = 0; rank < count; ++rank) found.rank[order.variables[rank]] = rank;
  found.of.resize(count);
  std::vector<Open> open;
  std::vector<std::vector<std::uint32_t>> below(count);  // clusters whose next bucket this is
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    const std::vector<std::uint32_t>& around = order.neighbours[rank];
    std::vector<std::uint32_t> ranks{rank};
    for (const std::uint32_t other : around) ranks.push_back(found.rank[other]);
    std::sort(ranks.begin(), ranks.end(), std::greater<>());
    const auto fits = [&](std::uint32_t child) {
      const bool same_phase = phase[order.variables[rank]] == phase[order.variables[open[child].top]];
      return open[child].kept == ranks.size() && (mixes_phases || same_phase);
    };
    const auto host = std::find_if(below[rank].begin(), below[rank].end(), fits);
    const bool is_hosted = host != below[rank].end();
    const std::uint32_t mine = is_hosted ? *host : static_cast<std::uint32_t>(open.size());
    const std::uint32_t next = around.empty() ? Cluster::kNone : ranks[ranks.size() - 2];
    if (!is_hosted) open.push_back({std::move(ranks), rank, 0, Cluster::kNone});
    open[mine].top = rank;
    open[mine].kept = static_cast<std::uint32_t>(around.size());
    open[mine].next = next;
    found.of[order.variables[rank]] = mine;
    if (next != Cluster::kNone) below[next].push_back(mine);
  }
  return finish(order, std::move(open), std::move(found));
}

}  // namespace qnml
