"""The files that pages speak of: made once for each run, small, and always the same."""

from __future__ import annotations

import csv
import gzip
import random
import shutil
from typing import TYPE_CHECKING

from tools.pages.catalog import DOCS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["make_files"]

_COLUMNS = ("patient", "age", "sex", "zip", "smoker", "bmi", "pressure", "grade", "drug", "ill", "diagnosis")


def make_files(folder: Path) -> Path:
    """Write the files into a new folder, and return it."""
    import qnml

    folder.mkdir(parents=True)
    rows = [_patient(number) for number in range(1, 401)]
    _write_csv(folder / "patients.csv", rows)
    _write_csv(folder / "new-patients.csv", [_patient(number) for number in range(1001, 1021)])
    _write_excel(folder / "patients.xlsx", rows)
    with gzip.open(folder / "big.csv.gz", "wt", encoding="utf-8") as file:
        file.write((folder / "patients.csv").read_text(encoding="utf-8"))
    asia = qnml.datasets.sample("asia", 1000, seed=1)
    asia.to_frame().write_csv(folder / "asia.csv")
    qnml.write_network(qnml.datasets.load_network("asia"), folder / "asia.bif")
    qnml.write_local_scores(asia, folder / "scores.jkl", max_parents=3)
    qnml.write_network(qnml.learn(asia).fit(), folder / "net.json")
    (folder / "known.toml").write_text('tiers = [["age", "sex"], ["smoker", "bmi"]]\n', encoding="utf-8")
    for path in sorted((DOCS / "data").glob("*.csv")):
        shutil.copyfile(path, folder / path.name)
    return folder


def _patient(number: int) -> list[str]:
    """One row: the drug is given to the old, smoking makes ill, and so does weight."""
    draw = random.Random(number)
    age = draw.uniform(20, 80)
    sex = draw.choice(["female", "male"])
    smoker = draw.random() < (0.5 if sex == "male" else 0.25)
    bmi = draw.gauss(26 + 2 * smoker, 3)
    pressure = round(draw.gauss(100 + age / 2 + bmi, 8))
    drug = draw.random() < (0.7 if age > 55 else 0.15)
    ill = draw.random() < 0.1 + 0.35 * smoker + 0.3 * (bmi > 28) - 0.1 * drug
    diagnosis = draw.choice(["asthma", "bronchitis"]) if ill else "none"
    grade = draw.randint(1, 4) if ill else 0
    seen = [
        f"{age:.1f}",
        sex,
        str(draw.randint(10000, 99999)),
        "yes" if smoker else "no",
        f"{bmi:.1f}",
        str(pressure),
        str(grade),
        "yes" if drug else "no",
        "yes" if ill else "no",
        diagnosis,
    ]
    # One cell in fifty was not noted, except in the last two columns.
    cells = [value if draw.random() > 0.02 or place > 7 else "" for place, value in enumerate(seen)]
    return [f"P{number:04d}", *cells]


def _write_csv(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([_COLUMNS, *rows])


def _write_excel(path: Path, rows: list[list[str]]) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "2024"
    for row in (_COLUMNS, *rows):
        sheet.append([float(cell) if cell.replace(".", "", 1).isdigit() else cell or None for cell in row])
    book.save(path)
