"""The two data sets that come with scikit-learn, discretized by the rule of the paper.

scikit-learn ships Fisher's iris data with the values of the 1936 article; the UCI file differs in two rows. The
difference disappears with discretization: both tables here have the codes of the paper's authors
(``load("uci/iris")``, ``load("uci/wine")``), with other names and labels and, for wine, with the class last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml._packages import needed
from qnml.data import read_table

if TYPE_CHECKING:
    from qnml.data import Table

__all__ = ["bundled_table"]

_CLASS = "class"

# Shorter than scikit-learn's names, without blanks, units and slashes, so that they can be used in model strings.
_FEATURES = {
    "iris": ("sepal_length", "sepal_width", "petal_length", "petal_width"),
    "wine": (
        "alcohol",
        "malic_acid",
        "ash",
        "alcalinity_of_ash",
        "magnesium",
        "total_phenols",
        "flavanoids",
        "nonflavanoid_phenols",
        "proanthocyanins",
        "color_intensity",
        "hue",
        "od280_od315",
        "proline",
    ),
}


def bundled_table(name: str) -> Table:
    """Load ``"iris"`` or ``"wine"``: the features cut by the paper's rule, the class last."""
    pl = needed("polars", "load_table", "holds the columns while they are cut into bins")
    # Imported here: importing scikit-learn takes a second, and networks do not need it.
    from sklearn.datasets import load_iris, load_wine

    from qnml.data import Discretizer

    bunch: Any = {"iris": load_iris, "wine": load_wine}[name]()
    columns = dict(zip(_FEATURES[name], bunch.data.T, strict=True))
    labels = [str(label) for label in bunch.target_names]
    kinds = pl.Series(_CLASS, [labels[code] for code in bunch.target], dtype=pl.Enum(labels))
    return read_table(Discretizer(method="paper").fit_transform(pl.DataFrame(columns).with_columns(kinds)))
