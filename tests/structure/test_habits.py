"""Settings stated in two places agree, and nothing is fetched by a name that can be moved."""

import re
import tomllib

import pytest


@pytest.fixture
def project(root):
    """The content of pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def test_commit_hooks_use_the_versions_of_make_lint(root, project):
    hooks = (root / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pinned = set(re.findall(r'"([a-z-]+)==([0-9.]+)"', hooks))
    assert {name for name, _ in pinned} == {"ruff", "clang-format"}
    held = dict(entry.split("==") for entry in project["dependency-groups"]["lint"])
    for name, version in pinned:
        assert version.startswith(held[name].removesuffix("*")), name


def test_actions_are_pinned_by_commit(root):
    used = [
        line.strip()
        for path in (root / ".github" / "workflows").glob("*.yml")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used
    assert [line for line in used if not re.fullmatch(r"- uses: [\w./-]+@[0-9a-f]{40} # v[0-9.]+", line)] == []


def test_users_install_no_packages_of_developers(project):
    users = set(project["project"]["optional-dependencies"])
    assert users == {"dask", "duckdb", "gpu", "ibis", "notebook", "plot", "postgres", "spark"}
    assert {"test", "lint", "docs", "bench", "fuzz", "coverage"} <= set(project["dependency-groups"])


def test_classifiers_name_the_versions_that_are_tested(root, project):
    workflow = (root / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    tested = re.search(r"python: \[(.*)\]", workflow)
    assert tested is not None
    for version in re.findall(r'"([0-9.]+)"', tested[1]):
        assert f"Programming Language :: Python :: {version}" in project["project"]["classifiers"]
    assert project["project"]["requires-python"] == ">=3.11"
