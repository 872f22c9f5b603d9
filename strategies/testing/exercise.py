"""Counts how often instances exercise each part of an equation. Depends on a few primitives, but not on rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from elevate import FloatClass, Path, replaced
from elevate.term import path_of, preorder, subterm
from rise.inference.schemes import substitute_names
from rise.naturals import Nat
from rise.nodes import Node
from rise.primitives import applied
from rise.terms import Expr, Lam, Primitive, Var
from rise.text.nat_printer import show_nat
from strategies.equations.compilation import Compiled
from strategies.equations.instances import instantiated
from strategies.equations.mismatches import readable_names, shown_term
from strategies.equations.patterns import context_of
from strategies.testing.alterations import altered
from strategies.testing.evidence import INNER, Record, wants
from strategies.testing.rows import Runs

CHOOSING = applied(["select"])


def exercise(
    record: Record,
    compiled: Compiled,
    terms: Mapping[str, Expr],
    known: Mapping[Node, Any],
    program: Callable[[Expr], Expr],
    float_class: FloatClass,
    runs: Runs | None = None,
) -> None:
    """Count the metavariables and branches that matter in an instance; `program` closes a side of the equation.

    `runs` are the results of the left side, if it was run before. Parts that were counted often enough are not checked
    again.
    """

    def differs(runs: Runs, other: Expr) -> bool:
        after = program(other)
        return runs.program.type == after.type and runs.against(after)[1] is not None

    unknown = wants(record.metavariables)
    sides: dict[Expr, tuple[Expr, Runs]] = {}  # several parts are of one side
    if unknown and runs is None:
        left = instantiated(compiled.left, terms, known)
        runs = Runs(program(left), float_class)
        sides[compiled.left] = left, runs
    for name in unknown:
        other = altered(terms[name]) if name in terms else None
        if other is None:
            record.fixed.add(name)
        elif runs is not None and differs(runs, instantiated(compiled.left, {**terms, name: other}, known)):
            record.metavariables[name] += 1
    for branch, pattern, path in branches(compiled):
        if not record.is_wanted(branch) or not all(
            v.name in terms for v in pattern.free if isinstance(v, Var)
        ):
            continue
        record.attempts[branch] += 1
        if pattern not in sides:
            made = instantiated(pattern, terms, known)
            sides[pattern] = made, Runs(program(made), float_class)
        whole, of_side = sides[pattern]
        taken = subterm(whole, path)
        other = altered(taken) if isinstance(taken, Expr) else None
        if other is None:
            record.branches[branch] += 1  # there is no other term to compare with
        else:
            changed = replaced(whole, path, other)
            assert isinstance(changed, Expr)
            record.branches[branch] += differs(of_side, changed)


def branches(compiled: Compiled) -> Iterator[tuple[str, Expr, Path]]:
    """The branches of the conditions in an equation, each with its name, its side and its place there."""
    for side in (compiled.left, compiled.right):
        for node, place in preorder(side):
            if node.root not in CHOOSING or not isinstance(node, Expr) or context_of(node) is not None:
                continue
            path = path_of(place)
            for branch, below in (("then", (0, 1)), ("else", (1,))):
                yield _named(branch, node, side, is_inner=_is_below_binder(side, path)), side, (*path, *below)


def _named(branch: str, choice: Expr, side: Expr, is_inner: bool) -> str:
    shown = shown_term(substitute_names(choice, readable_names(side)), is_typed=False)
    return f"{INNER if is_inner else ''}`{branch}` of `{shown}`"


def _is_below_binder(side: Expr, path: Path) -> bool:
    return any(isinstance(subterm(side, path[:length]), Lam) for length in range(len(path)))


def recorded(compiled: Compiled, is_by_function: bool = False) -> Record:
    """An empty record of the parts of an equation. For a rule by a function, only the left side is known."""
    left = sorted(one.name for one in compiled.left.free if isinstance(one, Var))
    right = {one.name for one in compiled.right.free if isinstance(one, Var)}
    record = Record(left, () if is_by_function else right)
    for branch, _, _ in branches(compiled):
        record.branches[branch] = 0
    return record


def size_names(pattern: Expr) -> dict[Node, str]:
    """Readable names for the sizes of a pattern."""
    return {one: show_nat(name) for one, name in readable_names(pattern).items() if isinstance(name, Nat)}


def primitives_of(side: Expr) -> set[str]:
    """The names of the primitives of a side."""
    return {node.name for node, _ in preorder(side) if isinstance(node, Primitive)}
