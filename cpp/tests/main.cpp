// The main function of the core's tests is doctest's own: `core_tests --help` lists its filters.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "tests/doctest.h"
