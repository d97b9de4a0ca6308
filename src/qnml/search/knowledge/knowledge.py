"""Background knowledge: constraints on the arcs, given before seeing data.

`Knowledge` is a list of constraints by name; `Knowledge.compile` turns it into bit masks for a search. Contradictory
constraints are refused at construction, so every `Knowledge` admits at least one network: the one with just its
required arcs.

Examples
--------
>>> from qnml.graph import Dag
>>> known = Knowledge(required=[("smoke", "lung")], tiers=[["age"], ["smoke", "lung"], ["xray"]])
>>> known.admits(Dag.from_modelstring("[age][smoke|age][lung|smoke][xray|lung]"))
True
>>> known.violations(Dag.from_modelstring("[age|xray][smoke][lung][xray]"))
['the required arc smoke -> lung is missing', 'the arc xray -> age goes from tier 3 to tier 1']
>>> Knowledge(required=[("a", "b")], roots=["b"])
Traceback (most recent call last):
    ...
qnml.errors.InputError: Knowledge: the arc a -> b is required, but 'b' is one of the roots. Drop either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from qnml.errors import bad_argument
from qnml.graph import Dag
from qnml.graph.labels import checked_names, listed
from qnml.search.knowledge.checks import (
    arcs_of,
    limits_by_name,
    limits_of,
    names_of,
    refuse_clashes,
    refuse_too_many_required,
    refuse_unknown_names,
    tiers_of,
)
from qnml.search.knowledge.file import read_document
from qnml.search.knowledge.orienting import admitted_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from qnml.graph import Cpdag, Mpdag

__all__ = ["CompiledKnowledge", "Knowledge"]


@dataclass(frozen=True)
class CompiledKnowledge:
    """Knowledge about numbered variables; bit ``j`` of a mask stands for variable ``j``.

    Attributes
    ----------
    names : the variables, in the order of their numbers.
    allowed : for each variable, the mask of those that may be its parents.
    required : for each variable, the mask of those that must be its parents; always a subset of `allowed`.
    max_parents : for each variable, the largest number of parents; never less than the number of required parents.
    """

    names: tuple[str, ...]
    allowed: tuple[int, ...]
    required: tuple[int, ...]
    max_parents: tuple[int, ...]

    @property
    def is_free(self) -> bool:
        """Whether every network is admitted."""
        others = len(self.names) - 1
        return (
            not any(self.required)
            and all(mask.bit_count() == others for mask in self.allowed)
            and all(limit == others for limit in self.max_parents)
        )

    def without_constants(self, arities: Sequence[int]) -> CompiledKnowledge:
        """Leave variables with a single level unconnected, except for required arcs.

        Such a variable, as a parent or as a child, multiplies no product of levels and splits no cell, so an arc to or
        from it never improves a score; without it a network has fewer arcs, which tie-breaking prefers.
        """
        constant = sum(1 << i for i, arity in enumerate(arities) if arity == 1)
        if not constant:
            return self
        allowed = tuple(
            required if constant >> i & 1 else (mask & ~constant) | required
            for i, (mask, required) in enumerate(zip(self.allowed, self.required, strict=True))
        )
        return replace(self, allowed=allowed)

    def without_causes(self, children: Iterable[int]) -> CompiledKnowledge:
        """Leave these variables without parents, except for required ones.

        For variables that were set in every row: nothing is known about their causes.
        """
        roots = set(children)
        if not roots:
            return self
        pairs = enumerate(zip(self.allowed, self.required, strict=True))
        return replace(self, allowed=tuple(needed if i in roots else mask for i, (mask, needed) in pairs))

    def admits_family(self, child: int, parents: int) -> bool:
        """Whether the variables of the mask `parents` may be the parents of `child`."""
        return (
            not parents & ~self.allowed[child]
            and not self.required[child] & ~parents
            and parents.bit_count() <= self.max_parents[child]
        )


@dataclass(frozen=True, init=False)
class Knowledge:
    """Constraints that a learned network must satisfy.

    Parameters
    ----------
    required, forbidden : (parent, child) pairs of names: arcs that must, or must not, be in the network.
    tiers : groups of names, earliest first. No arc goes from a later group to an earlier one; arcs within a group, and
        to and from variables in no group, are all allowed.
    max_parents : the largest number of parents, for all variables or by name.
    roots : names of variables without parents.
    leaves : names of variables without children.

    Raises
    ------
    InputError
        If the constraints contradict each other; the message names the conflict.

    Notes
    -----
    All arguments are kept as tuples without duplicates; limits by name as (name, limit) pairs.
    """

    required: tuple[tuple[str, str], ...]
    forbidden: tuple[tuple[str, str], ...]
    tiers: tuple[tuple[str, ...], ...]
    max_parents: int | tuple[tuple[str, int], ...] | None
    roots: tuple[str, ...]
    leaves: tuple[str, ...]

    def __init__(
        self,
        required: Iterable[tuple[str, str]] = (),
        forbidden: Iterable[tuple[str, str]] = (),
        tiers: Iterable[Iterable[str]] = (),
        max_parents: int | Mapping[str, int] | Iterable[tuple[str, int]] | None = None,
        roots: Iterable[str] = (),
        leaves: Iterable[str] = (),
    ) -> None:
        parts = {
            "required": arcs_of("required", required),
            "forbidden": arcs_of("forbidden", forbidden),
            "tiers": tiers_of(tiers),
            "max_parents": limits_of(max_parents),
            "roots": names_of("roots", roots),
            "leaves": names_of("leaves", leaves),
        }
        for part, value in parts.items():
            object.__setattr__(self, part, value)
        refuse_clashes(self)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        """Read knowledge from a ``.toml`` or ``.json`` file whose keys are the parameters of the class.

        In TOML::

            required = [["smoke", "lung"]]
            forbidden = [["xray", "lung"]]
            tiers = [["age", "sex"], ["smoke"], ["lung", "xray"]]
            roots = ["sex"]
            [max_parents]
            lung = 3

        Raises
        ------
        FileFormatError
            If the file does not have the format of its ending, or a value has the wrong type.
        UnknownNameError
            If it has a key that is not a parameter.
        InputError
            If the constraints contradict each other.
        """
        return read_document(path, cls)

    @classmethod
    def from_expert_knowledge(cls, knowledge: Any) -> Self:
        """Copy ``required_edges``, ``forbidden_edges`` and ``temporal_order`` of an object.

        Made for pgmpy's ``ExpertKnowledge``. An attribute that is absent or None imposes no constraint.
        """
        parts = {
            ours: getattr(knowledge, theirs, None)
            for ours, theirs in (
                ("required", "required_edges"),
                ("forbidden", "forbidden_edges"),
                ("tiers", "temporal_order"),
            )
        }
        call = "Knowledge.from_expert_knowledge"
        if all(value is None for value in parts.values()):
            allowed = "an object with required_edges, forbidden_edges or temporal_order"
            raise bad_argument(call, "knowledge", knowledge, allowed)
        if getattr(knowledge, "search_space", None):
            # A search space forbids all arcs that it does not list, also between variables the object does not name.
            advice = "Call its limit_search_space(names), empty search_space and try again."
            raise bad_argument(call, "knowledge", knowledge, "without a search_space", advice)
        return cls(**{part: value for part, value in parts.items() if value is not None})

    def with_leaves(self, names: Iterable[str]) -> Knowledge:
        """The same knowledge, with more variables that have no children.

        Parameters
        ----------
        names
            These variables.

        Raises
        ------
        InputError
            If an arc out of one of them is required.
        """
        more = checked_names("Knowledge.with_leaves", names)
        return Knowledge(**{**self.to_dict(), "leaves": [*self.leaves, *more]})

    def to_dict(self) -> dict[str, Any]:
        """The constraints as lists and dictionaries, ready for JSON or TOML; empty parts are left out."""
        document: dict[str, Any] = {
            "required": [list(arc) for arc in self.required],
            "forbidden": [list(arc) for arc in self.forbidden],
            "tiers": [list(tier) for tier in self.tiers],
            "roots": list(self.roots),
            "leaves": list(self.leaves),
        }
        document = {part: value for part, value in document.items() if value}
        if self.max_parents is not None:
            limits = self.max_parents
            document["max_parents"] = limits if isinstance(limits, int) else dict(limits)
        return document

    def compile(self, names: Iterable[str], max_parents: int | Mapping[str, int] | None = None) -> CompiledKnowledge:
        """Turn the constraints into masks over the given variables.

        Parameters
        ----------
        names
            The variables, in the order of their numbers.
        max_parents
            A further limit on the number of parents, for all variables or by name; the lower limit applies.

        Raises
        ------
        UnknownNameError
            If the knowledge mentions a variable that is not given.
        InputError
            If the further limit is below the number of required parents.
        """
        plain = checked_names("Knowledge.compile", names)
        index = {name: position for position, name in enumerate(plain)}
        further = limits_of(max_parents)
        refuse_unknown_names(self, index)
        limits = limits_by_name(plain, self.max_parents, further)
        refuse_too_many_required(self.required, limits)
        required = [0] * len(plain)
        for parent, child in self.required:
            required[index[child]] |= 1 << index[parent]
        everyone = (1 << len(plain)) - 1
        allowed = [everyone & ~(1 << position) for position in range(len(plain))]
        for parent, child in self.forbidden:
            allowed[index[child]] &= ~(1 << index[parent])
        later = 0
        for tier in reversed(self.tiers):
            for name in tier:
                allowed[index[name]] &= ~later
            later |= sum(1 << index[name] for name in tier)
        without_children = sum(1 << index[name] for name in self.leaves)
        allowed = [mask & ~without_children for mask in allowed]
        for name in self.roots:
            allowed[index[name]] = 0
        return CompiledKnowledge(plain, tuple(allowed), tuple(required), tuple(limits.values()))

    def orient(self, graph: Dag | Cpdag) -> Mpdag:
        """The members of an equivalence class that the knowledge admits, as one graph.

        Required and forbidden arcs, tiers, roots and leaves direct edges that data cannot direct, and these direct
        others. Limits on the number of parents are not used: they say how far to search, not what causes what.

        Parameters
        ----------
        graph
            The class, or a member of it.

        Raises
        ------
        InputError
            If no member is admitted; the message says why.

        Examples
        --------
        >>> chain = Dag.from_modelstring("[smoke|lung][lung|xray][xray]")
        >>> Knowledge(tiers=[["smoke"], ["lung", "xray"]]).orient(chain)
        Mpdag(3 nodes, 2 edges: smoke -> lung, lung -> xray)
        """
        return admitted_members(self, graph)

    def admits(self, dag: Dag) -> bool:
        """Whether a network satisfies all constraints."""
        return not self.violations(dag)

    def violations(self, dag: Dag) -> list[str]:
        """The constraints that a network violates, in words."""
        if not isinstance(dag, Dag):
            raise bad_argument("Knowledge.violations", "dag", dag, "a qnml.Dag")
        refuse_unknown_names(self, dag.names)
        arcs = dag.arcs
        there = set(arcs)
        tier_of = {name: place for place, tier in enumerate(self.tiers, 1) for name in tier}
        found = [f"the required arc {a} -> {b} is missing" for a, b in self.required if (a, b) not in there]
        found += [f"the arc {a} -> {b} is forbidden" for a, b in self.forbidden if (a, b) in there]
        found += [
            f"the arc {a} -> {b} goes from tier {tier_of[a]} to tier {tier_of[b]}"
            for a, b in arcs
            if a in tier_of and b in tier_of and tier_of[a] > tier_of[b]
        ]
        for word, kind, names, relatives in (
            ("root", "parents", self.roots, dag.parents),
            ("leaf", "children", self.leaves, dag.children),
        ):
            related = [(name, relatives(name)) for name in names]
            found += [f"the {word} {name} has {kind}: {listed(others)}" for name, others in related if others]
        for name, limit in limits_by_name(dag.names, self.max_parents).items():
            if len(dag.parents(name)) > limit:
                found.append(f"{name} has {len(dag.parents(name))} parents, at most {limit} are allowed")
        return found
