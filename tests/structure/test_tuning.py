"""The tuning constants of the local searches are in cpp/core/local/tuning.hpp, each with a comment."""

import re

# Estimates of sizes in memory, the width of a bit mask, sentinels and tables: not tuning.
NOT_TUNING = {"kBytesPerSet", "kBytesPerPair", "kLeastBytes", "kListBytes", "kMost", "kNoGain", "kKinds", "kPolish"}
CONSTANT = re.compile(r"\bconstexpr\b[^=;{(]*?\b(k[A-Z]\w*)\s*[={]")


def outside(text: str) -> set[str]:
    """The constants that `text` defines and that belong into tuning.hpp."""
    return set(CONSTANT.findall(text)) - NOT_TUNING


def uncommented(text: str) -> list[str]:
    """The constants with neither a comment of their own nor one above the block of constants they are in."""
    missing = []
    is_covered = False
    for line in text.splitlines():
        if line.startswith("//"):
            is_covered = True
        elif found := CONSTANT.search(line):
            if not is_covered and "//" not in line:
                missing.append(found.group(1))
        elif not line.startswith("namespace"):
            is_covered = False
    return missing


def test_no_other_file_of_the_local_searches_defines_tuning_constants(root):
    files = sorted((root / "cpp" / "core" / "local").glob("*.?pp"))
    found = {path.name: outside(path.read_text(encoding="utf-8")) for path in files if path.name != "tuning.hpp"}
    assert found
    assert {name: constants for name, constants in found.items() if constants} == {}


def test_every_tuning_constant_has_a_comment(root):
    assert uncommented((root / "cpp" / "core" / "local" / "tuning.hpp").read_text(encoding="utf-8")) == []


def test_the_checks_can_fail():
    assert outside("constexpr int kMostMoves = 4;\nconstexpr double kListBytes = 80.0;") == {"kMostMoves"}
    assert outside("static constexpr PerEffort<int> kTabu{1, 2, 3};") == {"kTabu"}
    assert uncommented("// Why.\ninline constexpr int kA = 1;\n\ninline constexpr int kB = 2;") == ["kB"]
