// The terms of a score in whole units, by count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/scores/units.hpp"

namespace qnml {

class BdeuTerms;
class CellScore;

// Channel 0 is the term of a cell. Channel 1 + k is the term of a configuration for children of the k-th number of
// levels, where configurations have terms of their own.
class IntegerTerms {
 public:
  virtual ~IntegerTerms() = default;

  virtual std::size_t channels() const = 0;
  // The channels of each count from 1 to size - 1, at values + count * stride.
  virtual void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const = 0;
  // The channels of one count that is not below that size.
  virtual void fill_one(std::uint64_t count, std::int64_t* values) const = 0;
  // The terms themselves where their channels hold several packed numbers each, else null.
  virtual const BdeuTerms* packed() const { return nullptr; }
};

// count log(count): the fit of a likelihood.
class FitTerms final : public IntegerTerms {
 public:
  explicit FitTerms(const Units& units) : units_(units) {}
  std::size_t channels() const override { return 1; }
  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override;
  void fill_one(std::uint64_t count, std::int64_t* values) const override { *values = units_.count_log_count(count); }

 private:
  const Units& units_;
};

// The terms of a score that do not depend on levels other than those of the child, each rounded to units.
class RoundedTerms : public IntegerTerms {
 public:
  RoundedTerms(const CellScore& score, const Units& units, std::span<const std::uint32_t> config_levels)
      : score_(score), units_(units), config_levels_(config_levels) {}
  std::size_t channels() const final { return 1 + config_levels_.size(); }
  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override;
  void fill_one(std::uint64_t count, std::int64_t* values) const override;

 protected:
  const Units& units() const { return units_; }
  std::span<const std::uint32_t> config_levels() const { return config_levels_; }

 private:
  const CellScore& score_;
  const Units& units_;
  std::span<const std::uint32_t> config_levels_;
};

}  // namespace qnml
