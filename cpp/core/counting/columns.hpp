// A non-owning view of a coded table: one contiguous array of small unsigned integers per variable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace qnml {

struct Column {
  const void* codes = nullptr;
  bool wide = false;         // 16-bit codes instead of 8-bit
  std::uint32_t levels = 1;  // declared, observed or not
};

struct RowParts;

struct Columns {
  std::vector<Column> columns;
  std::size_t rows = 0;
  const std::uint64_t* weights = nullptr;  // null: every row counts once
  std::uint64_t total = 0;                 // sum of the weights: the N of the formulas
  // Where variables were set in some rows: those rows do not count for their families. Null: all rows count.
  std::shared_ptr<const RowParts> parts = nullptr;

  bool is_split() const { return parts != nullptr; }
  std::size_t n_parts() const;
  // The rows that count for the families of a child: this table, unless it is split.
  const Columns& of(int child) const;
  std::size_t part_of(int child) const;
  const Columns& part(std::size_t number) const;

  const Column& at(int variable) const { return columns[static_cast<std::size_t>(variable)]; }
  std::uint32_t levels(int variable) const { return at(variable).levels; }
};

// The same columns with fewer rows, one table for all variables with the same rows. No part is split.
struct RowParts {
  std::vector<Columns> tables;
  std::vector<std::size_t> of_child;  // the number of its table, by column
};

inline std::size_t Columns::n_parts() const { return is_split() ? parts->tables.size() : 1; }
inline std::size_t Columns::part_of(int child) const {
  return is_split() ? parts->of_child[static_cast<std::size_t>(child)] : 0;
}
inline const Columns& Columns::part(std::size_t number) const { return is_split() ? parts->tables[number] : *this; }
inline const Columns& Columns::of(int child) const { return part(part_of(child)); }

inline std::vector<std::uint32_t> levels_of(const Columns& table) {
  std::vector<std::uint32_t> levels(table.columns.size());
  std::transform(table.columns.begin(), table.columns.end(), levels.begin(),
                 [](const Column& column) { return column.levels; });
  return levels;
}

// Calls visit(typed pointer) with the column's codes as uint8_t or uint16_t.
template <class Visitor>
auto with_codes(const Column& column, Visitor&& visit) {
  return column.wide ? visit(static_cast<const std::uint16_t*>(column.codes))
                     : visit(static_cast<const std::uint8_t*>(column.codes));
}

// Whether every code is below its column's number of levels. The data layer in Python guarantees it. Builds with
// sanitizers check it again, since an invalid code would otherwise cause a report far from its origin.
inline bool has_valid_codes(const Columns& table) {
  for (const Column& column : table.columns) {
    const bool valid = with_codes(column, [&](const auto* codes) {
      return std::all_of(codes, codes + table.rows, [&](auto code) { return code < column.levels; });
    });
    if (!valid) return false;
  }
  return true;
}

}  // namespace qnml
