"""Streaming: the rows of an engine, batch by batch, coded into columns that never are in memory as they came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from qnml.data.codes import narrowest
from qnml.data.engines.answers import opened_rows
from qnml.data.engines.grouped import coded
from qnml.data.engines.relation import COUNT, Raw
from qnml.data.mapped import GrowingColumns
from qnml.data.preparation.one_column import CodedColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.data.engines.plan import ReadingPlan
    from qnml.data.engines.relation import Relation
    from qnml.data.engines.studied import Studied
    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.weights import Weights

__all__ = ["streamed_columns"]

_ROWS = 65_536


def streamed_columns(
    call: str, relation: Relation, names: Sequence[str], known: Mapping[str, Studied], plan: ReadingPlan
) -> tuple[list[CodedColumn], list[ColumnPreparation], Weights | None]:
    """The columns that are used, the records of all, and the weights.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table.
    names : its columns.
    known : what is known of all of them.
    plan : how many rows there are, and whether the columns go to a file.
    """
    entries = [entry for name in names if (entry := known[name].entry) is not None]
    used = [entry for entry in entries if entry.action != "drop"]
    if not used:
        return [], entries, None
    holed = [entry.n_missing > 0 and entry.missing_label is None for entry in used]
    dtypes: list[Any] = [narrowest(len(entry.levels or ())) for entry in used]
    dtypes += [np.bool_] * sum(holed)
    growing = GrowingColumns(plan.n_rows, [*dtypes, np.uint64], on_disk=plan.disk_bytes > 0)
    is_weighted = False
    try:
        for part in relation.batches([entry.name for entry in used], _ROWS):
            frame = nw.from_native(part, eager_only=True)
            is_weighted = COUNT in frame.columns
            weights = frame[COUNT].to_numpy() if is_weighted else np.ones(len(frame), dtype=np.uint64)
            columns = opened_rows(call, frame, [entry.name for entry in used])
            made = [coded(call, Raw(one.name), one, known[one.name]) for one in columns]
            masks = [
                np.zeros(len(one.codes), dtype=bool) if one.mask is None else one.mask
                for one, is_holed in zip(made, holed, strict=True)
                if is_holed
            ]
            growing.append(call, [*(one.codes for one in made), *masks, weights])
        arrays = growing.finished(call)
    except BaseException:
        growing.close()
        raise
    masks_found = iter(arrays[len(used) :])
    done = [
        CodedColumn(entry, codes, entry.levels or (), next(masks_found) if is_holed else None)
        for entry, codes, is_holed in zip(used, arrays, holed, strict=False)
    ]
    weights_found: npt.NDArray[np.uint64] = arrays[-1]
    return done, entries, weights_found if is_weighted else None
