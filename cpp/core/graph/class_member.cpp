#include "core/graph/class_member.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/graph/rules.hpp"

namespace qnml {
namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

}  // namespace

AdmittedClasses::AdmittedClasses(const Columns& table, const Rules& rules) : rules_(rules) {
  const int n = rules.allowed.size();
  for (const Column& column : table.columns) levels_.push_back(column.levels);
  int fewest = n;
  for (int child = 0; child < n; ++child) {
    const int limit = rules.max_parents[at(child)];
    most_parents_ = std::max(most_parents_, at(limit));
    fewest = std::min(fewest, limit);
    for (int parent = 0; parent < n; ++parent) {
      has_required_ = has_required_ || rules.required.test(child, parent);
      if (rules.allowed.test(child, parent) != rules.allowed.test(parent, child)) are_of_classes_ = false;
    }
  }
  if (has_required_ || (n > 0 && at(fewest) != most_parents_)) are_of_classes_ = false;
}

bool AdmittedClasses::may_have(std::size_t parents, double cells) const {
  return parents <= most_parents_ && (cells <= rules_.most_cells || has_required_);
}

double AdmittedClasses::cells(int child, const std::vector<int>& parents) const {
  return std::accumulate(parents.begin(), parents.end(), levels(child),
                         [this](double product, int parent) { return product * levels(parent); });
}

bool AdmittedClasses::is_family_admitted(int child, const std::vector<int>& parents) const {
  if (parents.size() > at(rules_.max_parents[at(child)])) return false;
  return cells(child, parents) <= rules_.most_cells || parents.empty() || parents == rules_.required.members(child);
}

bool AdmittedClasses::direct(const PartialDag& graph, const std::vector<int>& component,
                             std::vector<std::vector<int>>& parents) const {
  std::vector<char> is_left(at(graph.size()), 0);
  for (int node : component) is_left[at(node)] = 1;
  std::vector<int> around;
  auto may_go = [&](int node) {
    around.clear();
    for (int other : graph.neighbours(node)) {
      if (is_left[at(other)] == 0) continue;
      if (!is_arrow_admitted(other, node)) return false;
      for (int before : around) {
        if (!graph.is_adjacent(before, other)) return false;
      }
      around.push_back(other);
    }
    around.insert(around.end(), graph.parents(node).begin(), graph.parents(node).end());
    std::sort(around.begin(), around.end());
    return is_family_admitted(node, around);
  };
  std::set<int> open(component.begin(), component.end());
  std::size_t left = component.size();
  while (!open.empty()) {
    const auto last = std::prev(open.end());
    const int node = *last;
    open.erase(last);
    if (!may_go(node)) continue;
    is_left[at(node)] = 0;
    --left;
    parents[at(node)] = around;
    for (int other : graph.neighbours(node)) {
      if (is_left[at(other)] != 0) open.insert(other);
    }
  }
  return left == 0;
}

bool AdmittedClasses::has_member(const PartialDag& graph, const std::vector<int>& nodes) const {
  std::vector<char> is_done(at(graph.size()), 0);
  std::vector<std::vector<int>> parents(at(graph.size()));
  for (int node : nodes) {
    for (int parent : graph.parents(node)) {
      if (!is_arrow_admitted(parent, node)) return false;
    }
  }
  for (int node : nodes) {
    if (is_done[at(node)] != 0) continue;
    const std::vector<int> component = graph.component(node);
    for (int member : component) is_done[at(member)] = 1;
    if (!direct(graph, component, parents)) return false;
  }
  return true;
}

std::vector<std::vector<int>> AdmittedClasses::member(const PartialDag& graph) const {
  std::vector<std::vector<int>> parents(at(graph.size()));
  std::vector<char> is_done(at(graph.size()), 0);
  for (int node = 0; node < graph.size(); ++node) {
    if (is_done[at(node)] != 0) continue;
    const std::vector<int> component = graph.component(node);
    for (int other : component) is_done[at(other)] = 1;
    direct(graph, component, parents);
  }
  return parents;
}

}  // namespace qnml
