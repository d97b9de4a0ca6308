#include <cstddef>
#include <stdexcept>
#include <vector>

#include "core/base/parallel.hpp"
#include "tests/doctest.h"

TEST_CASE("every task runs once") {
  for (int threads : {0, 1, 2, 7}) {
    for (std::size_t tasks : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
      std::vector<int> visits(tasks, 0);
      qnml::parallel_for(tasks, threads, [&](int, std::size_t index) { ++visits[index]; });
      CHECK(visits == std::vector<int>(tasks, 1));
    }
  }
}

TEST_CASE("an exception in a task reaches the caller") {
  auto run = [] {
    qnml::parallel_for(100, 3, [](int, std::size_t index) {
      if (index == 10) throw std::runtime_error("ten");
    });
  };
  CHECK_THROWS_AS(run(), std::runtime_error);
}
