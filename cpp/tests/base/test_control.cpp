#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/base/watched.hpp"
#include "tests/doctest.h"

namespace {

TEST_CASE("a control that follows another stops after it") {
  qnml::Control first;
  qnml::Control at_once(first, 0.0);
  qnml::Control much_later(first, 1e6);
  CHECK(!at_once.is_stopped());
  CHECK(!much_later.is_stopped());
  first.stop();
  CHECK(at_once.is_stopped());
  CHECK(at_once.is_timed_out());
  CHECK(!much_later.is_stopped());
  much_later.stop();
  CHECK(much_later.is_stopped());
}

TEST_CASE("a deadline also holds for controls that follow") {
  qnml::Control first;
  first.set_deadline(0.0);
  qnml::Control follower(first, 0.0);
  CHECK(follower.is_stopped());
  CHECK(first.is_timed_out());
}

TEST_CASE("large arrays are filled and sorted unless stopped") {
  const std::size_t size = (std::size_t{1} << 22) + 12345;
  qnml::Control control;
  std::vector<std::uint32_t> entries;
  CHECK(qnml::fill_watched(entries, size, std::uint32_t{7}, control));
  CHECK(entries.size() == size);
  CHECK(std::count(entries.begin(), entries.end(), 7u) == static_cast<std::ptrdiff_t>(size));
  CHECK(qnml::fill_watched(entries, 0, std::uint32_t{7}, control));
  CHECK(entries.empty());
  auto random = qnml::Xoshiro256::stream(1, 1);
  for (std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, (std::size_t{1} << 20) + 1, size}) {
    entries.clear();
    for (std::size_t i = 0; i < count; ++i) entries.push_back(static_cast<std::uint32_t>(random.next()));
    std::vector<std::uint32_t> expected = entries;
    std::sort(expected.begin(), expected.end(), std::greater<>());
    CHECK(qnml::sort_watched(entries, std::greater<>(), control));
    CHECK(entries == expected);
  }
  control.stop();
  CHECK(!qnml::fill_watched(entries, size, std::uint32_t{7}, control));
  CHECK((!qnml::sort_watched(entries, std::less<>(), control) || entries.empty()));
}

}  // namespace
