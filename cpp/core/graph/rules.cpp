#include "core/graph/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/graph/bit_rows.hpp"

namespace qnml {

Rules Rules::none(int n) {
  Rules rules{BitRows(n), BitRows(n), std::vector<int>(static_cast<std::size_t>(n), n)};
  for (int child = 0; child < n; ++child) {
    for (int parent = 0; parent < n; ++parent) {
      if (parent != child) rules.allowed.set(child, parent);
    }
  }
  return rules;
}

MaskRules::MaskRules(const Rules& rules) : max_parents(rules.max_parents), most_cells(rules.most_cells) {
  for (int child = 0; child < rules.allowed.size(); ++child) {
    allowed.push_back(*rules.allowed.row(child));
    required.push_back(*rules.required.row(child));
  }
}

bool MaskRules::is_free() const {
  const std::uint64_t everything = allowed.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << allowed.size()) - 1;
  for (std::size_t b = 0; b < allowed.size(); ++b) {
    if ((allowed[b] | std::uint64_t{1} << b) != everything || required[b] != 0 ||
        max_parents[b] < static_cast<int>(allowed.size()) - 1) {
      return false;
    }
  }
  return most_cells == std::numeric_limits<double>::infinity();
}

ListRules::ListRules(const Rules& rules) : max_parents(rules.max_parents), most_cells(rules.most_cells) {
  for (int child = 0; child < rules.allowed.size(); ++child) {
    required.push_back(rules.required.members(child));
    std::vector<int> optional = rules.allowed.members(child);
    std::erase_if(optional, [&](int parent) { return rules.required.test(child, parent); });
    allowed.push_back(std::move(optional));
  }
}

}  // namespace qnml
