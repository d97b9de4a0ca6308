"""Arguments of a query: names and labels checked and turned into numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from qnml._checks import checked_list
from qnml.errors import InputError, bad_argument, shown, unknown_name
from qnml.model.level_codes import prepared_code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._types import Label
    from qnml.model.network import Network

__all__ = ["Impossible", "Settings", "checked_impossible", "checked_settings", "checked_targets"]

Settings: TypeAlias = "Mapping[str, Label] | None"
Impossible: TypeAlias = Literal["raise", "nan"]


def checked_targets(call: str, net: Network, targets: str | Iterable[str]) -> tuple[int, ...]:
    """Numbers of the queried variables, in the order given; a single name is one target."""
    allowed = "the name of a variable, or several"
    names = [targets] if isinstance(targets, str) else checked_list(call, "targets", targets, allowed)
    if not names:
        raise bad_argument(call, "targets", targets, "at least one variable")
    for name in names:
        _require_known(call, "targets", net, name)
        if names.count(name) > 1:
            raise bad_argument(call, "targets", names, f"different variables; {name!r} is there twice")
    return tuple(net.dag.index(name) for name in names)


def checked_settings(
    call: str, net: Network, evidence: Settings, do: Settings
) -> tuple[dict[int, int], dict[int, int]]:
    """Codes of observed variables and of those set by an intervention, by number of the variable."""
    seen = _codes(call, "evidence", net, evidence)
    forced = _codes(call, "do", net, do)
    for node in seen:
        if node in forced:
            raise InputError(
                f"{call}: {net.names[node]!r} is in both evidence and do. A variable that is set cannot also be "
                "observed; leave it out of one of them."
            )
    return seen, forced


def checked_impossible(call: str, impossible: str) -> None:
    """Refuse any value but the two allowed."""
    if not isinstance(impossible, str) or impossible not in ("raise", "nan"):
        raise bad_argument(call, "impossible", impossible, "'raise' or 'nan'")


def _codes(call: str, argument: str, net: Network, given: Settings) -> dict[int, int]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise bad_argument(call, argument, given, "a mapping from variables to levels, such as {'smoke': 'yes'}")
    codes = {}
    for name, label in given.items():
        _require_known(call, argument, net, name)
        codes[net.dag.index(name)] = prepared_code(call, f"{argument}[{shown(name)}]", net, name, label)
    return codes


def _require_known(call: str, argument: str, net: Network, name: object) -> None:
    if not isinstance(name, str) or name not in net.levels:
        raise unknown_name(call, argument, name, net.names)
