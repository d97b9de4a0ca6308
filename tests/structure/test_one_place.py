"""Ideas that must be stated in one place of the core: the rules on networks, and how ties are broken."""

from __future__ import annotations

import re
from pathlib import Path

CORE = Path(__file__).parents[2] / "cpp" / "core"


def files_with(pattern: str) -> set[str]:
    """Files of the core in which a pattern occurs."""
    found = [path for path in CORE.rglob("*.[hc]pp") if re.search(pattern, path.read_text(encoding="utf-8"))]
    return {path.relative_to(CORE).as_posix() for path in found}


def test_there_is_one_type_of_rules() -> None:
    assert files_with(r"(struct|class) \w*(Rules|Constraints|Limits) \{") == {"graph/rules.hpp"}


def test_ties_are_broken_in_one_place() -> None:
    assert files_with(r"enum class TieRule") == {"graph/tie_breaking.hpp"}
    assert files_with(r"1'000'000'000 \+ 1") == {"graph/tie_breaking.hpp"}
    assert files_with(r"\* 1024 \+ n_parents") == {"graph/tie_breaking.cpp"}
    assert files_with(r"bool (comes_first|ranks_before)\(") == {"graph/tie_breaking.hpp"}
    assert files_with(r"std::int64_t (tie_value|examination_value)\(") == {
        "graph/tie_breaking.hpp",
        "graph/tie_breaking.cpp",
    }
