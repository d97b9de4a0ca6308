// Memory for vector units.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace qnml {

// Memory that starts at a cache line, so that no vector crosses a line.
template <class Value>
class LineBuffer {
 public:
  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  // Previous contents are lost.
  void reserve(std::size_t size) {
    if (size <= size_) return;
    values_.reset();
    values_.reset(static_cast<Value*>(::operator new(size * sizeof(Value), kLine)));
    size_ = size;
  }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Release {
    void operator()(Value* values) const { ::operator delete(values, kLine); }
  };
  std::unique_ptr<Value, Release> values_;
  std::size_t size_ = 0;
};

}  // namespace qnml
