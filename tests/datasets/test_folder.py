"""Where the data folder is looked for."""

from pathlib import Path

import pytest

from qnml.datasets import data_folder, folder
from qnml.errors import DataFolderError


def test_environment_variable_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QNML_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.setenv("QNML_DATA", str(tmp_path / "absent"))
    assert data_folder() is None


def test_folder_beside_a_checkout_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QNML_DATA", raising=False)
    monkeypatch.setattr(folder, "__file__", str(tmp_path / "site" / "a" / "b" / "c" / "folder.py"))
    checkout = tmp_path / "checkout"
    (checkout / "src" / "qnml").mkdir(parents=True)
    (tmp_path / "shared" / "data").mkdir(parents=True)
    monkeypatch.chdir(checkout)
    assert data_folder() is None  # not a checkout without its pyproject.toml
    (checkout / "pyproject.toml").touch()
    assert data_folder() == tmp_path / "shared" / "data"
    monkeypatch.chdir(tmp_path)
    assert data_folder() is None
    monkeypatch.setattr(folder, "__file__", str(checkout / "src" / "qnml" / "datasets" / "folder.py"))
    assert data_folder() == tmp_path / "shared" / "data"


def test_files_may_be_compressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QNML_DATA", str(tmp_path))
    (tmp_path / "a.bif.gz").touch()
    assert folder.data_file("load", "a.bif", "somewhere") == tmp_path / "a.bif.gz"
    (tmp_path / "a.bif").touch()
    assert folder.data_file("load", "a.bif", "somewhere") == tmp_path / "a.bif"


def test_absent_file_says_where_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QNML_DATA", str(tmp_path))
    with pytest.raises(DataFolderError, match=r"a\.bif.*Get it from somewhere.*QNML_DATA") as caught:
        folder.data_file("load(name='a')", "a.bif", "somewhere")
    assert str(tmp_path) in str(caught.value)
    monkeypatch.delenv("QNML_DATA")
    monkeypatch.setattr(folder, "_places", list)
    with pytest.raises(FileNotFoundError, match="QNML_DATA is not set"):
        folder.data_file("load(name='a')", "a.bif", "somewhere")
