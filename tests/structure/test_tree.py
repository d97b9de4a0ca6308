"""Rules on the content of tracked files."""

import ast
import re
import tomllib

import qnml

# Joined here so that this file does not find itself.
MACHINE_PATHS = re.compile("|".join("/" + folder + "/" for folder in ("work", "root", "home", "Users")))
BINARY = {".arrow", ".feather", ".gz", ".parquet", ".png", ".utf16", ".xlsx"}
ODD_INPUTS = ("fuzz", "findings")  # inputs of the fuzzer, text or not
LONGEST = 500


def test_no_machine_paths(root, tracked_files):
    """No file contains a path of one person's machine."""
    found = [
        f"{path.name}, line {number}: {line.strip()}"
        for path in tracked_files
        if path.suffix not in BINARY and path.relative_to(root).parts[:2] != ODD_INPUTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATHS.search(line)
    ]
    assert found == []


def test_files_hold_one_idea(root):
    """A source file of more than a few hundred lines usually contains two ideas."""
    sources = [*(root / "src").rglob("*.py"), *(root / "cpp").rglob("*.?pp"), *(root / "fuzz").glob("*.py")]
    assert sources
    sizes = {path.relative_to(root): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {path: lines for path, lines in sizes.items() if lines > LONGEST} == {}


def test_no_print_in_the_library(root):
    """Only the command line prints."""
    for path in sorted((root / "src" / "qnml").rglob("*.py")):
        if "cli" in path.parts:
            continue
        lines = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        ]
        assert lines == [], path.name


def _writes(call: ast.Call) -> bool:
    """Whether a call opens, replaces or writes a file by its name."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("write_bytes", "write_text", "rename", "renames", "touch"):
        return True
    if name == "replace":
        return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "os"
    if name in ("open", "fdopen", "NamedTemporaryFile", "GzipFile"):
        modes = [*call.args[:2], *(word.value for word in call.keywords if word.arg == "mode")]
        return any(isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+") for mode in modes)
    if name in ("write_csv", "write_parquet", "write_ipc", "savefig"):
        # Into bytes, or into a file that the one writer has opened.
        return bool(call.args) and not ast.unparse(call.args[0]).endswith(
            ("content", "buffer", "file", "_sheet(figure)")
        )
    return False


def test_files_are_written_in_one_place(root):
    """Any other way of writing would leave an incomplete file on a full disk."""
    found = [
        f"{path.name}, line {node.lineno}"
        for path in sorted((root / "src" / "qnml").rglob("*.py"))
        if path.name != "_writing.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _writes(node)
    ]
    assert found == []


def test_the_search_for_writers_sees_them():
    """Of the ways to write a file, none of which may stand in the package."""
    ways = 'path.write_text(x); open(p, "wb"); p.open("a"); os.replace(a, b); frame.write_csv(path); f.savefig(path)'
    innocent = 'open(p); open(p, "rb"); text.replace(a, b); frame.write_csv(); f.savefig(content); write_file(a, b)'
    for text, expected in ((ways, True), (innocent, False)):
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        assert [_writes(call) for call in calls] == [expected] * len(calls)


def test_one_version_everywhere(root):
    """A release changes all three."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.*)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert qnml.__version__ == project
    assert cited is not None
    assert cited[1] == project
