#include "core/graph/ancestor_sets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

void AncestorSets::set(const std::vector<std::vector<int>>& parents) {
  std::vector<char> done(parents.size(), 0);
  for (int child = 0; child < ancestors_.size(); ++child) settle(parents, child, done);
}

void AncestorSets::update(const std::vector<std::vector<int>>& parents, int variable) {
  std::vector<char> done(parents.size(), 1);
  done[at(variable)] = 0;
  for (int other = 0; other < ancestors_.size(); ++other) {
    if (ancestors_.test(other, variable)) done[at(other)] = 0;
  }
  for (int other = 0; other < ancestors_.size(); ++other) {
    if (done[at(other)] == 0) settle(parents, other, done);
  }
}

// Computes the sets of its parents first. An explicit stack, since paths can be long.
void AncestorSets::settle(const std::vector<std::vector<int>>& parents, int variable, std::vector<char>& done) {
  std::vector<int> stack{variable};
  while (!stack.empty()) {
    const int top = stack.back();
    bool is_ready = true;
    for (int parent : parents[at(top)]) {
      if (done[at(parent)] == 0) {
        stack.push_back(parent);
        is_ready = false;
      }
    }
    if (!is_ready) continue;
    stack.pop_back();
    if (done[at(top)] != 0) continue;
    std::uint64_t* row = ancestors_.row(top);
    std::fill_n(row, ancestors_.words(), std::uint64_t{0});
    for (int parent : parents[at(top)]) {
      const std::uint64_t* theirs = ancestors_.row(parent);
      for (std::size_t word = 0; word < ancestors_.words(); ++word) row[word] |= theirs[word];
      ancestors_.set(top, parent);
    }
    done[at(top)] = 1;
  }
}

}  // namespace qnml
