"""`ColumnPreparation`: what one column of the data holds, and what is done to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from qnml._schema import Flag, ListOf, MisfitError, Number, OneOf, OrNull, Record, Text, Whole
from qnml.data.binning import Binning
from qnml.data.labels import distinct_labels
from qnml.data.preparation.recipe import Recipe
from qnml.data.preparation.spelling import Spelling
from qnml.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._schema import Kind
    from qnml.data.labels import Label

__all__ = ["ACTIONS", "COLUMN_FORM", "KINDS", "Action", "ColumnKind", "ColumnPreparation"]

Action: TypeAlias = Literal["keep", "bin", "merge", "drop", "indicate"]
ColumnKind: TypeAlias = Literal["text", "integer", "real", "boolean", "declared", "date", "empty", "other", "indicator"]

ACTIONS = ("keep", "bin", "merge", "drop", "indicate")
KINDS = ("text", "integer", "real", "boolean", "declared", "date", "empty", "other", "indicator")

_MOST_ROWS = 2**53
_ACTIONS, _KINDS, _LABEL_KINDS = frozenset(ACTIONS), frozenset(KINDS), frozenset({str, int, bool})


@dataclass(frozen=True)
class ColumnPreparation:
    """What one column holds, and what is done to it.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        What its cells are: ``"text"``, ``"integer"``, ``"real"``, ``"boolean"``, ``"declared"`` (the source declares
        the levels), ``"date"``, ``"empty"`` (every cell is missing), ``"other"`` (lists, mixed values) or
        ``"indicator"`` (not in the source: it says whether a cell of another column is missing).
    n_rows, n_missing, n_distinct : int
        The number of rows, of missing cells among them, and of different values in the others.
    action : str
        What is done: ``"keep"`` as categories, ``"bin"``, ``"merge"`` rare levels, ``"drop"`` the column, or
        ``"indicate"`` whether another column is missing.
    reason : str
        Why, in a sentence.
    levels : tuple of labels or None
        The levels in the table, in order, with the one for missing cells if there is one; None if dropped.
    cuts : tuple of float or None
        For ``"bin"``: the increasing values between the bins. A value on a cut belongs to the lower bin.
    bins : tuple of str or None
        For ``"bin"``: the labels of the bins, lowest first.
    slack : float
        For ``"bin"``: how far above a cut a value may lie and still count as on it.
    kept_levels : tuple of labels or None
        For ``"merge"``: the levels that stay.
    other : label or None
        For ``"merge"``: the level that stands for all others, also for labels not seen before.
    missing : str
        What the table does about missing cells: the argument ``missing`` of `read_table`.
    missing_label : label or None
        The level for missing cells, if there is one.
    of : str or None
        For ``"indicate"``: the column whose missing cells are indicated.
    method : str or None
        For ``"bin"``: how the cuts were chosen, if that is known: a method of `Discretizer` (``"cuts"``: they were
        given), ``"values"`` (one bin for each value) or ``"joint"`` (together with a network).
    is_fixed : bool
        For ``"bin"``: whether the caller asked for these bins of this column, so that ``learn(…, discretize="joint")``
        leaves them as they are.
    unit : str or None
        For numbers that were text: what stood before or after them, such as ``"kg"``, ``"%"`` or ``"$"``.
    decimal : str or None
        For numbers that were text: their decimal sign. None if they were no text.
    missing_words : tuple of str or None
        For numbers that were text: the texts that stood for missing cells.
    remark : str or None
        What a person should look at, in a sentence.
    """

    name: str
    kind: ColumnKind
    n_rows: int
    n_missing: int
    n_distinct: int
    action: Action
    reason: str
    levels: tuple[Label, ...] | None = None
    cuts: tuple[float, ...] | None = None
    bins: tuple[str, ...] | None = None
    slack: float = 0.0
    kept_levels: tuple[Label, ...] | None = None
    other: Label | None = None
    missing: str = "raise"
    missing_label: Label | None = None
    of: str | None = None
    method: str | None = None
    is_fixed: bool = False
    unit: str | None = None
    decimal: str | None = None
    missing_words: tuple[str, ...] | None = None
    remark: str | None = None

    def __post_init__(self) -> None:
        try:
            if not self._is_plain():
                COLUMN_FORM.take({name: value for name, value in vars(self).items() if value is not None})
            self._check()
        except MisfitError as misfit:
            raise InputError(f"ColumnPreparation: {misfit}.") from None

    def _is_plain(self) -> bool:
        """Whether every field obviously has the right form: a tenth of the cost of checking it in full."""
        texts = (self.name, self.reason, self.missing)
        counts = (self.n_rows, self.n_missing, self.n_distinct)
        labels = tuple(() if one is None else one for one in (self.levels, self.kept_levels))
        return (
            all(type(text) is str for text in texts)
            and all(type(count) is int and 0 <= count <= _MOST_ROWS for count in counts)
            and type(self.kind) is str
            and self.kind in _KINDS
            and type(self.action) is str
            and self.action in _ACTIONS
            and all(type(one) is tuple and _LABEL_KINDS.issuperset(map(type, one)) for one in labels)
            and self.cuts is self.bins is self.other is self.of is self.missing_label is self.method is None
            and self.slack == 0.0
            and self.is_fixed is False
            and self.unit is self.decimal is self.missing_words is self.remark is None
        )

    @property
    def changes_nothing(self) -> bool:
        """Whether cells are kept as they are, and missing ones have no level."""
        return self.action == "keep" and self.missing_label is None and not self.recipe.as_text

    @property
    def binning(self) -> Binning | None:
        """The bins of a binned column; None for all others."""
        if self.cuts is None or self.bins is None:
            return None
        return Binning(np.array(self.cuts, dtype=np.float64), self.bins, self.slack)

    @property
    def recipe(self) -> Recipe:
        """What is done to the cells."""
        as_text = self.kind in ("date", "other")
        return Recipe(self.binning, self.kept_levels, self.other, self.missing_label, as_text, self.spelling)

    @property
    def spelling(self) -> Spelling | None:
        """How the numbers were written, if they were text."""
        if self.decimal is None:
            return None
        return Spelling(self.unit or "", self.decimal, self.missing_words or ())

    def with_levels(self, levels: Sequence[Label]) -> ColumnPreparation:
        """The same preparation of a column whose table has other levels."""
        call = "ColumnPreparation.with_levels"
        return replace(self, levels=distinct_labels(call, self.name, levels))

    def with_missing_label(self, label: Label | None) -> ColumnPreparation:
        """The same preparation with a last level for missing cells; None, or a dropped column, has none."""
        if self.levels is None or label is None:
            return replace(self, missing="category")
        call = "ColumnPreparation.with_missing_label"
        (checked,) = distinct_labels(call, self.name, [label])
        levels = distinct_labels(call, self.name, [*self.levels, checked])
        return replace(self, levels=levels, missing="category", missing_label=checked)

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON has; those that do not apply are left out."""
        fields = {name: value for name, value in asdict(self).items() if value is not None}
        if self.action != "bin":
            del fields["slack"]
        if not self.is_fixed:
            del fields["is_fixed"]
        return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> ColumnPreparation:
        """Read the result of `to_dict`.

        Raises
        ------
        InputError
            If an entry is not as `to_dict` writes it.
        """
        try:
            return cls._of_checked(COLUMN_FORM.take(fields))
        except MisfitError as misfit:
            raise InputError(f"ColumnPreparation.from_dict: {misfit}.") from None

    @classmethod
    def _of_checked(cls, fields: dict[str, Any]) -> ColumnPreparation:
        plain: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
        }
        return cls(**plain)

    def _check(self) -> None:
        """Reject entries that contradict each other."""
        place = f"the preparation of column {self.name!r}"
        if (self.levels is None) != (self.action == "drop"):
            raise MisfitError(f"{place}: levels", self.levels, "given unless the column is dropped")
        if self.action == "bin":
            if self.cuts is None or self.bins is None or len(self.bins) != len(self.cuts) + 1:
                raise MisfitError(f"{place}: bins", self.bins, "one more than there are cuts")
            if any(low >= high for low, high in zip(self.cuts, self.cuts[1:], strict=False)):
                raise MisfitError(f"{place}: cuts", self.cuts, "increasing")
        if self.action == "merge" and (self.kept_levels is None or self.other is None):
            raise MisfitError(f"{place}: kept_levels", self.kept_levels, "given, and so must be other")
        if (self.of is None) == (self.action == "indicate"):
            raise MisfitError(f"{place}: of", self.of, "given for indicators, and only for them")


class _LabelKind:
    """A level label: a text, an integer or a boolean."""

    words = "a text, an integer or a boolean"

    def take(self, value: object, place: str = "") -> Any:
        """The label."""
        if not isinstance(value, str | int):
            raise MisfitError(place, value, self.words)
        return value


_LABELS = OrNull(ListOf(_LabelKind()))
_REQUIRED = ("name", "kind", "n_rows", "n_missing", "n_distinct", "action", "reason")
_FIELDS: dict[str, Kind] = {
    "name": Text("the name of a column"),
    "kind": OneOf(KINDS),
    "n_rows": Whole(0, _MOST_ROWS),
    "n_missing": Whole(0, _MOST_ROWS),
    "n_distinct": Whole(0, _MOST_ROWS),
    "action": OneOf(ACTIONS),
    "reason": Text(),
    "levels": _LABELS,
    "cuts": OrNull(ListOf(Number())),
    "bins": OrNull(ListOf(Text())),
    "slack": Number(0.0),
    "kept_levels": _LABELS,
    "other": OrNull(_LabelKind()),
    "missing": Text(),
    "missing_label": OrNull(_LabelKind()),
    "of": OrNull(Text("the name of a column")),
    "method": OrNull(Text()),
    "is_fixed": Flag(),
    "unit": OrNull(Text()),
    "decimal": OrNull(OneOf((".", ","))),
    "missing_words": OrNull(ListOf(Text())),
    "remark": OrNull(Text()),
}
COLUMN_FORM = Record(_FIELDS, frozenset(_FIELDS) - frozenset(_REQUIRED))
