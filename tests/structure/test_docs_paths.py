"""Files, folders and names mentioned in the documentation exist, as do files named in comments of the C++ sources."""

import re
from pathlib import Path

import pytest

# Code spans that look like paths of the repository but are not, with the reason.
NOT_IN_THE_REPOSITORY = {
    "build/": "made by make",
    "build/coverage": "made by make coverage",
    "docs/output": "made by make docs",
    "../shared/data": "optional data next to the checkout",
    "src/qnml/a/b.py": "stands for any module",
    "tests/a/test_b.py": "stands for any test",
    "cpp/core/scores/half_aic.hpp": "written by the reader of add-a-score.md",
    "src/qnml/search/local/fixed_order.py": "written by the reader of add-a-search.md",
    "known.toml": "background knowledge of the reader",
    "samples/": "folder of the benchmark's data",
}
# Words in code spans that look like names of the code but are not.
NOT_IN_THE_CODE: dict[str, str] = {
    "CausalModel": "a class of DoWhy",
    "CMAKE_CXX_COMPILER_LAUNCHER": "a variable of CMake",
}
# Where paths in the documentation start; a file name alone may be anywhere.
BASES = ("", "src", "src/qnml", "cpp/core")
CODE = {".py", ".pyi", ".cpp", ".hpp", ".toml", ".json", ".yml", ".yaml"}

PATH = re.compile(r"[\w.-]+(/[\w.*-]+)+/?|[\w-]+/|[\w-]+\.(py|pyi|cpp|hpp|h|md|toml|yml|yaml|cff)")
NAME = re.compile(r"\b[A-Za-z]\w*_\w+|[A-Z][a-z]+[A-Z]\w*")


@pytest.fixture(scope="module")
def pages(root):
    """Every Markdown page that readers of the documentation see."""
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def known_paths(root, tracked_files):
    """All files and folders of the repository."""
    files = [path.relative_to(root) for path in tracked_files]
    return {path.as_posix() for file in files for path in (file, *file.parents)}


@pytest.fixture(scope="module")
def known_names(root, tracked_files):
    """Every word of the code and every part of a file's name."""
    sources = [path for path in tracked_files if path.suffix in CODE or path.name == "Makefile"]
    texts = [path.read_text(encoding="utf-8") for path in sources if path != Path(__file__)]
    names = [path.relative_to(root).as_posix() for path in tracked_files]
    return set(re.findall(r"\w+", " ".join(texts + names)))


def code_spans(text: str) -> list[str]:
    """The texts between single backquotes, outside of code blocks."""
    return re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def paths_in(text: str) -> set[str]:
    """The words of code spans that look like paths."""
    return {word for span in code_spans(text) for word in span.split() if PATH.fullmatch(word)}


def names_in(text: str) -> set[str]:
    """The words of code spans that look like names of the code: ``snake_case`` or ``CamelCase``."""
    return {name for span in code_spans(text) for name in NAME.findall(span) if not PATH.fullmatch(span)}


def exists(path: str, known: set[str]) -> bool:
    """Whether the repository has this file or folder; without an ending, it may stand for a ``.hpp`` file."""
    path = path.rstrip("/")
    if "/" not in path and any(file.endswith(f"/{path}") for file in known):
        return True
    starts = [f"{base}/{path}".lstrip("/") for base in BASES]
    return any(start in known or f"{start}.hpp" in known for start in starts)


def test_paths_exist(pages, known_paths):
    for page in pages:
        paths = paths_in(page.read_text(encoding="utf-8")) - NOT_IN_THE_REPOSITORY.keys()
        assert sorted(path for path in paths if not exists(path, known_paths)) == [], page


def test_names_exist(pages, known_names):
    # Names of other programs are run where those are installed (tests/docs/test_pages.py).
    for page in [page for page in pages if "migration" not in page.parts]:
        names = names_in(page.read_text(encoding="utf-8")) - NOT_IN_THE_CODE.keys()
        assert sorted(names - known_names) == [], page


def test_relative_links_lead_to_files(root, pages):
    for page in [*pages, root / "CHANGELOG.md", root / "SECURITY.md"]:
        links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == [], page


def test_pages_named_in_docstrings_exist(root):
    """References such as ``:doc:`shapes``` lead to pages of the documentation."""
    texts = [path.read_text(encoding="utf-8") for path in (root / "src" / "qnml").rglob("*.py")]
    named = {page for text in texts for page in re.findall(r":doc:`(?:[^`<]*<)?([^`>]+)>?`", text)}
    assert named
    assert {page for page in named if not (root / "docs" / f"{page}.md").is_file()} == set()


def test_files_named_in_comments_exist(root, tracked_files, known_paths):
    sources = [path for path in tracked_files if path.suffix in (".cpp", ".hpp") and path.name != "doctest.h"]
    for source in sources:
        comments = " ".join(re.findall(r"//(.*)", source.read_text(encoding="utf-8")))
        files = set(re.findall(r"(?<![\w/.-])(?:[\w-]+/)*[\w-]+\.(?:hpp|cpp|py|md)\b", comments))
        assert sorted(file for file in files if not exists(file, known_paths)) == [], source.relative_to(root)


def test_exceptions_are_needed(pages, known_paths):
    mentioned = set().union(*(paths_in(page.read_text(encoding="utf-8")) for page in pages))
    assert mentioned >= NOT_IN_THE_REPOSITORY.keys()
    assert [path for path in NOT_IN_THE_REPOSITORY if exists(path, known_paths)] == []


def test_a_stale_path_or_name_is_found(known_paths, known_names):
    text = (
        "See `cpp/core/scores/score.hpp`, `cpp/core/score.hpp`, `gone.py`, `python benchmarks/no.py`, `gone_function`."
    )
    assert {path for path in paths_in(text) if not exists(path, known_paths)} == {
        "cpp/core/score.hpp",
        "gone.py",
        "benchmarks/no.py",
    }
    assert names_in(text) - known_names == {"gone_function"}
