"""The classes of docs/add-a-score.md compile, give the right numbers, and do not compile without a bound."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Files of the core that the classes of the page need.
SOURCES = (
    "scores/score",
    "scores/integer_terms",
    "scores/structure_prior",
    "scores/units",
    "scores/penalized_likelihood",
    "numbers/special",
)

# The counts of a binary child (columns) in the three configurations of its parents (rows).
COUNTS = ((3, 1), (1, 4), (2, 2))
MAIN = """
#include <cstdio>

#include "half_aic.hpp"
#include "double_weight.hpp"

int main() {
  const qnml::ScoreSettings settings{0.0, 13, 2};
  const qnml::HalfAic half(settings);
  const qnml::DoubleWeight weight(settings);
  const qnml::Profile cells{{1, 2, 3, 4}, {2, 2, 1, 1}};
  const qnml::Profile configs{{4, 5}, {2, 1}};
  const qnml::Family family{cells, configs, 2.0, qnml::LevelProduct::of(3.0), 1};
  qnml::KnownParents parents;
  parents.levels = qnml::LevelProduct::of(3.0);
  parents.size = 1;
  const qnml::Units units(20, 13, 3);
  std::int64_t terms[14] = {};
  half.integer_terms(units, {}, {})->fill(14, 1, terms);
  std::printf("%.17g %.17g %.17g %.17g %lld %lld", half.local(family), half.upper_bound(2, parents, -1.0),
              weight.local(family), weight.upper_bound(2, parents, -1.0),
              static_cast<long long>(half.parameter_price(units)), static_cast<long long>(terms[4]));
}
"""


@pytest.fixture(scope="module")
def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if found is None or os.name == "nt":
        pytest.skip("no C++ compiler that takes the options of GCC and Clang")
    return found


@pytest.fixture(scope="module")
def classes(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the classes of the page, each in its file."""
    folder = tmp_path_factory.mktemp("page")
    page = (root / "docs" / "add-a-score.md").read_text(encoding="utf-8")
    half, weight = re.findall(r"^```cpp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (folder / "half_aic.hpp").write_text(half, encoding="utf-8")
    (folder / "double_weight.hpp").write_text(weight, encoding="utf-8")
    return folder


def compiled(compiler: str, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [compiler, "-std=c++20", "-O0", "-I", str(root / "cpp"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def log_rising(x: float, n: int) -> float:
    return math.lgamma(x + n) - math.lgamma(x)


def test_the_classes_of_the_page_give_the_right_numbers(compiler: str, root: Path, classes: Path) -> None:
    (classes / "main.cpp").write_text(MAIN, encoding="utf-8")
    sources = [str(root / "cpp" / "core" / f"{name}.cpp") for name in SOURCES]
    built = compiled(compiler, root, str(classes / "main.cpp"), *sources, "-o", str(classes / "main"))
    assert built.returncode == 0, built.stderr
    printed = subprocess.run([classes / "main"], capture_output=True, text=True, check=True).stdout.split()
    half, half_bound, weight, weight_bound = map(float, printed[:4])
    parameter, term = map(int, printed[4:])

    fit = sum(n * math.log(n / sum(row)) for row in COUNTS for n in row)
    parameters = 3  # one for each configuration of the parents
    assert half == pytest.approx(fit - 0.5 * parameters, rel=1e-13)
    assert half_bound == pytest.approx(-1.0 - 0.5 * parameters, rel=1e-13)
    assert parameter == 2**20 // 2
    assert term == pytest.approx(4 * math.log(4) * 2**20, abs=8)

    cells = sum(log_rising(2, n) for row in COUNTS for n in row)
    assert weight == pytest.approx(cells - sum(log_rising(4, sum(row)) for row in COUNTS), rel=1e-12)
    assert weight_bound == -1.0


def test_a_class_without_a_bound_does_not_compile(compiler: str, root: Path, classes: Path) -> None:
    uses = '#include "{}"\nconst qnml::DoubleWeight score({{0.0, 13, 2}});\n'
    text = (classes / "double_weight.hpp").read_text(encoding="utf-8")
    without, removed = re.subn(r"^ *double upper_bound\(.*\n", "", text, flags=re.MULTILINE)
    assert removed == 1
    (classes / "forgetful.hpp").write_text(without, encoding="utf-8")
    for header, is_fine in (("double_weight.hpp", True), ("forgetful.hpp", False)):
        (classes / "use.cpp").write_text(uses.format(header), encoding="utf-8")
        built = compiled(compiler, root, "-fsyntax-only", str(classes / "use.cpp"))
        assert (built.returncode == 0) == is_fine, built.stderr
        assert ("upper_bound" in built.stderr) == (not is_fine)


def test_only_the_factory_names_scores(root: Path) -> None:
    naming = {
        path.name
        for path in (root / "cpp" / "core").rglob("*.?pp")
        if "ScoreKind::" in path.read_text(encoding="utf-8")
    }
    assert naming == {"make_score.cpp"}


def test_the_page_names_all_scores_of_the_core(root: Path) -> None:
    page = (root / "docs" / "add-a-score.md").read_text(encoding="utf-8")
    factory = (root / "cpp" / "core" / "scores" / "make_score.cpp").read_text(encoding="utf-8")
    names = set(re.findall(r"^    \{ScoreKind::(\w+),", factory, re.MULTILINE))
    rows = re.findall(r"^\| .*: (.*?) \| `", page, re.MULTILINE)
    assert names == {name for row in rows for name in row.split(", ")}
