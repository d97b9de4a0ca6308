"""The site as a whole: built without the network, spelled, linked, and true where it repeats settings."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import pytest

from tools.gallery import ANALYSES
from tools.pages.catalog import DOCS, ROOT, pages

sys.path.insert(0, str(DOCS))

from inventory import NAMES, write_inventories

# Names and terms that codespell takes for mistakes.
KNOWN_WORDS = ("ges", "ans", "bdj", "bond", "dat", "fo", "ist", "jumps", "tim", "ue", "wit", "whit")


def test_links_into_other_documentations_need_no_network(tmp_path: Path) -> None:
    """Sphinx would fetch an inventory that is not a file."""
    for package, (address, path) in write_inventories(tmp_path).items():
        assert address.startswith("https://")
        body = zlib.decompress(Path(path).read_bytes().split(b"zlib.\n", 1)[1]).decode()
        assert body.count("\n") == len(NAMES[package][1])
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    assert re.findall(r"intersphinx_mapping = (.*)", settings) == ['write_inventories(BUILT / "inventories")']


def test_prose_is_spelled() -> None:
    pytest.importorskip("codespell_lib", reason="codespell is a package for developers")
    texts = [*pages(), DOCS / "llms.txt", ROOT / "SECURITY.md", *(ROOT / "paper").glob("*.md")]
    command = [sys.executable, "-m", "codespell_lib", "-L", ",".join(KNOWN_WORDS), *map(str, texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_every_page_is_in_the_contents() -> None:
    listed = set()
    for index in (DOCS / "index.md", *DOCS.glob("*/index.md")):
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text(encoding="utf-8"), re.DOTALL):
            names = [line for line in tree.splitlines() if line and line[0] != ":"]
            folder = index.parent.relative_to(DOCS)
            listed |= {(folder / name).as_posix() for name in names}
    ours = [path.relative_to(DOCS) for path in pages() if DOCS in path.parents and path.name != "README.md"]
    wanted = {path.with_suffix("").as_posix() for path in ours if path.parts[0] != "decisions"}
    assert wanted - listed - {"index"} == set()


def test_links_of_the_page_for_language_models_lead_to_pages() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (DOCS / "llms.txt").read_text(encoding="utf-8"))
    assert len(links) > 10
    missing = [link for link in links if not (DOCS / link).is_file() and link != "network.schema.json"]
    assert missing == []


def test_the_gallery_shows_every_analysis() -> None:
    shown = re.findall(r'href="gallery/(\w+)\.html"', (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(analysis.name for analysis in ANALYSES)
    assert len(ANALYSES) == 10
    # What ships is ours to ship.
    assert sum(analysis.source != "UCI" for analysis in ANALYSES) >= 5


def test_badges_are_true() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    badges = re.findall(r"img.shields.io/badge/([^)]+)-blue", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert badges == [
        f"python-{project['requires-python'].removeprefix('>=')}_or_newer",
        f"licence-{project['license'].replace('-', '--')}",
        "paper-AISTATS_2018",
    ]


def test_bnlearn_users_find_their_thirty_functions() -> None:
    """The functions that the tutorials and questions about bnlearn use most."""
    page = (DOCS / "migration" / "from-bnlearn.md").read_text(encoding="utf-8")
    used = """
    hc tabu pc.stable gs iamb mmhc rsmax2 chow.liu tree.bayes naive.bayes structural.em score BIC logLik
    arc.strength ci.test model2network modelstring empty.graph arcs parents mb set.arc drop.arc dsep
    cpdag shd compare graphviz.plot boot.strength averaged.network bn.fit cpquery cpdist rbn predict
    impute bn.cv discretize read.bif write.bif
    """
    assert len(used.split()) >= 30
    assert [name for name in used.split() if not re.search(rf"`[^`]*\b{re.escape(name)}\b", page)] == []
