#include "core/inference/question.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/inference/network_tables.hpp"

namespace qnml {
namespace {

std::vector<std::uint32_t> factors_that_matter(const NetworkTables& tables, const Question& question) {
  const auto n = static_cast<std::uint32_t>(tables.variables());
  std::vector<std::uint8_t> matters(n, 0);
  std::vector<std::uint32_t> open;
  const auto add = [&](std::uint32_t v) {
    if (matters[v] != 0 || question.cells[v] == Cell::kSet) return;
    matters[v] = 1;
    open.push_back(v);
  };
  for (std::uint32_t v = 0; v < n; ++v) {
    if (question.wanted[v] != 0 || question.weighted[v] != 0 || question.cells[v] == Cell::kSeen) add(v);
  }
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    for (const std::uint32_t parent : tables.parents(v)) add(parent);
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (matters[v] != 0) found.push_back(v);
  }
  return found;
}

void connect(std::vector<std::vector<std::uint32_t>>& neighbours, std::span<const std::uint32_t> members) {
  for (const std::uint32_t one : members) {
    for (const std::uint32_t other : members) {
      if (one != other) neighbours[one].push_back(other);
    }
  }
}

// Wanted variables that share one table, or one explanation, are summed out last.
void put_wanted_last(QuestionGraph& found, const Question& question) {
  std::vector<std::uint32_t> last;
  for (std::uint32_t place = 0; place < found.free.size(); ++place) {
    if (question.wanted[found.free[place]] == 0) continue;
    found.graph.phase[place] = 1;
    last.push_back(place);
  }
  if (question.kind == Question::Kind::kJoint) connect(found.graph.neighbours, last);
}

}  // namespace

QuestionGraph question_graph(const NetworkTables& tables, const Question& question) {
  QuestionGraph found;
  found.factors = factors_that_matter(tables, question);
  std::vector<std::uint32_t> place_of(tables.variables(), 0);
  for (const std::uint32_t v : found.factors) {
    if (question.cells[v] != Cell::kFree) continue;
    place_of[v] = static_cast<std::uint32_t>(found.free.size());
    found.free.push_back(v);
    found.graph.levels.push_back(tables.levels(v));
  }
  found.graph.neighbours.resize(found.free.size());
  found.graph.phase.assign(found.free.size(), 0);
  for (const std::uint32_t v : found.factors) {
    std::vector<std::uint32_t> scope;
    for (const std::uint32_t parent : tables.parents(v)) {
      if (question.cells[parent] == Cell::kFree) scope.push_back(place_of[parent]);
    }
    if (question.cells[v] == Cell::kFree) scope.push_back(place_of[v]);
    connect(found.graph.neighbours, scope);
    found.scopes.push_back(std::move(scope));
  }
  if (question.kind != Question::Kind::kMarginals) put_wanted_last(found, question);
  for (std::vector<std::uint32_t>& mine : found.graph.neighbours) {
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  }
  return found;
}

}  // namespace qnml
