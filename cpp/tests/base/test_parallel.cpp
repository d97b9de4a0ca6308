#include <cstddef>
#include <stdexcept>
#include <vector>

#include "core/base/parallel.hpp"
#include "tests/check.hpp"
#include "tests/tests.hpp"

void test_parallel() {
  for (int threads : {0, 1, 2, 7}) {
    for (std::size_t tasks : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
      std::vector<int> visits(tasks, 0);
      qnml::parallel_for(tasks, threads, [&](int, std::size_t index) { ++visits[index]; });
      CHECK(visits == std::vector<int>(tasks, 1));
    }
  }
  bool caught = false;
  try {
    qnml::parallel_for(100, 3, [](int, std::size_t index) {
      if (index == 10) throw std::runtime_error("ten");
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  CHECK(caught);
}
