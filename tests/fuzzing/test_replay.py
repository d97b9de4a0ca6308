"""Stored inputs of the fuzzer, examples and past findings, run without the fuzzer."""

import random
import tomllib
from pathlib import Path

import pytest

from fuzz.mutation import _ODD_VALUES, mutated
from fuzz.reader import HOME, Reader, committed, run_input
from fuzz.readers import READERS
from qnml.data.paths import FILE_KINDS
from qnml.errors import QnmlError
from qnml.model.files import NETWORK_FORMATS

KEPT = [(name, path) for name, reader in READERS.items() for path in committed(reader)]


@pytest.mark.parametrize(("name", "path"), KEPT, ids=[f"{name}-{path.name}" for name, path in KEPT])
def test_kept_inputs_are_taken_or_refused(name, path, tmp_path):
    taken = run_input(READERS[name], path.read_bytes(), tmp_path)
    if path.is_relative_to(HOME / "corpus") and "refused" not in path.name:
        assert taken, "an example of the corpus is refused: the fuzzer would start from nothing"


@pytest.mark.parametrize("name", READERS)
def test_changed_inputs_are_taken_or_refused(name, tmp_path):
    """A few hundred steps of the real fuzzer, always the same ones."""
    reader = READERS[name]
    chance = random.Random(name)

    def by_bytes(content: bytes, most: int) -> bytes:
        place = chance.randrange(len(content) + 1)
        return (content[:place] + chance.randbytes(chance.randrange(4)) + content[place + 1 :])[:most]

    inputs = [path.read_bytes() for path in committed(reader)]
    for _ in range(40):
        changed = mutated(reader, chance.choice(inputs), 4096, chance.getrandbits(32), by_bytes)
        assert len(changed) <= 4096
        run_input(reader, changed, tmp_path)
        inputs.append(changed)


def test_every_reader_has_examples_and_no_folder_is_left_over():
    assert all((HOME / "corpus" / name).is_dir() for name in READERS)
    folders = [path.name for kind in ("corpus", "findings") for path in HOME.glob(f"{kind}/*/")]
    assert set(folders) <= set(READERS)
    sizes = [path.stat().st_size for _, path in KEPT]
    assert max(sizes) <= 64_000, "the corpus is to stay small"


def test_every_kind_of_file_has_its_reader():
    """Every format has a fuzzed reader."""
    assert set(NETWORK_FORMATS) <= set(READERS)
    reader_of = {".vd": "bene", ".idt": "bene", ".arrow": "feather", ".ipc": "feather", ".tab": "tsv", ".xlsm": "xlsx"}
    reader_of |= dict.fromkeys((".txt", ".dat", ".data"), "text")
    for kind in FILE_KINDS:
        plain = kind.removesuffix(".gz")
        assert reader_of.get(plain, plain.removeprefix(".")) in READERS, kind


def test_the_fuzzer_is_held_to_one_version(request):
    project = tomllib.loads((request.config.rootpath / "pyproject.toml").read_text(encoding="utf-8"))
    (pinned,) = project["dependency-groups"]["fuzz"]
    assert pinned.startswith("atheris==")


def test_the_check_itself_can_fail(tmp_path):
    def fail(content: bytes, folder: Path) -> None:
        if content == b"wrong":
            raise KeyError("wrong")
        raise QnmlError("refused")

    assert not run_input(Reader("broken", fail), b"right", tmp_path)
    with pytest.raises(KeyError):
        run_input(Reader("broken", fail), b"wrong", tmp_path)


def test_changes_leave_nothing_behind():
    """Values inserted into one tree must not change in the next."""
    before = repr(_ODD_VALUES)
    content = (HOME / "corpus" / "state" / "whole.json").read_bytes()
    for seed in range(3000):
        content = mutated(READERS["state"], content, 2000, seed, lambda same, most: b"[[], {}, [[]]]")
    assert repr(_ODD_VALUES) == before
