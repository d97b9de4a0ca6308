"""The pages of the gallery: ``python -m tools.gallery FOLDER`` writes one report of `qnml report` for each analysis.

Those of scikit-learn's data are always written, those of the UCI data where the data folder is there (``QNML_DATA``, or
``../shared/data`` beside the checkout). Pages that are there already are kept, so that a second call is fast.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_ABSENT = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<p>The data of this page are not here: name the folder that has them in QNML_DATA, and run make docs again.
"""
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Analysis:
    """One page of the gallery.

    Attributes
    ----------
    name
        Its file, without the ending.
    title
        Its title.
    source
        ``"scikit-learn"``, ``"tutorial"`` or ``"UCI"``.
    columns
        What is done to columns, as for `qnml.read_table`.
    """

    name: str
    title: str
    source: str
    columns: dict[str, Any] = field(default_factory=dict)


ANALYSES = (
    Analysis("iris", "Iris: three species of flowers", "scikit-learn"),
    Analysis("wine", "Wine: 13 measurements of three growers", "scikit-learn"),
    Analysis("breast_cancer", "Breast cancer: 30 measurements of tumours", "scikit-learn"),
    Analysis("diabetes", "Diabetes: what goes with the progress of a disease", "scikit-learn"),
    Analysis("linnerud", "Linnerud: exercise and physique of twenty men", "scikit-learn"),
    Analysis("penguins", "Penguins of the Palmer archipelago", "tutorial", {"Sample Number": "drop"}),
    Analysis("heart_cleveland", "Heart disease in Cleveland", "UCI"),
    Analysis("adult", "Adult: census of incomes", "UCI"),
    Analysis("abalone", "Abalone: the age of shellfish", "UCI"),
    Analysis("tic_tac_toe", "Tic-tac-toe: endgames", "UCI"),
)


def data_folder() -> Path:
    """Where the UCI data would be."""
    return Path(os.environ.get("QNML_DATA") or ROOT.parent / "shared" / "data")


def source_of(analysis: Analysis) -> Any:
    """The raw table: a data frame, or the path of a file; None if it is not here."""
    if analysis.source == "scikit-learn":
        from sklearn import datasets

        bunch = getattr(datasets, f"load_{analysis.name}")(as_frame=True)
        frame = bunch.frame
        if analysis.name in ("iris", "wine", "breast_cancer"):
            frame["target"] = [str(bunch.target_names[code]) for code in bunch.target]
        return frame
    if analysis.source == "tutorial":
        return ROOT / "docs" / "data" / "penguins_raw.csv"
    found = sorted((data_folder() / "uci").glob(f"{analysis.name}.csv*"))
    return found[0] if found else None


def write_page(analysis: Analysis, folder: Path) -> bool:
    """Write one page; False if its data are not here."""
    import qnml

    path = folder / f"{analysis.name}.html"
    if path.exists() and "not here" not in path.read_text(encoding="utf-8")[:400]:
        return True
    source = source_of(analysis)
    folder.mkdir(parents=True, exist_ok=True)
    if source is None:
        path.write_text(_ABSENT.format(title=analysis.title), encoding="utf-8")
        return False
    table = qnml.read_table(source, prepare="auto", columns=analysis.columns)
    result = qnml.learn(table, discretize="joint", time_limit=60)
    qnml.report(result, path, title=analysis.title, name=analysis.name, time_limit=30)
    return True


def main() -> int:
    """Write all pages into the folder that is named."""
    import warnings

    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    for analysis in ANALYSES:
        done = write_page(analysis, Path(sys.argv[1]))
        print(f"{analysis.name}: {'written' if done else 'its data are not here'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
