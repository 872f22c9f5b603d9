"""Rows of different lengths where a kernel is called: flat arrays, the starts of rows, what the lengths must be.

Knows leaves and sizes, no target and no memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from rise.analysis.obligations import Obligation, check_obligations
from rise.arguments.mismatches import brief, found_text, mismatch, refuse
from rise.arguments.ragged import Ragged, check_count, joined_rows, lengths_at, other_rows, table_values
from rise.naturals import Nat, NatVar, nat
from rise.nodes import postorder
from rise.quotients import evaluate_natural, substitute_naturals
from rise.size_equations import Equation
from rise.size_functions import SizeCall, SizeFunVar, SizeTable
from rise.text.nat_printer import show_nat
from shine.calling.leaves import Leaf
from shine.imperative.nodes import Procedure

SAMPLED: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Lengths or starts of rows as a part of a key: all are compared, and a few are hashed, since there may be many."""

    values: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and bool(np.array_equal(self.values, other.values))

    def __hash__(self) -> int:
        step = max(1, len(self.values) // SAMPLED)
        return hash((len(self.values), self.values[::step].tobytes()))

    def kept(self) -> Numbers:
        """The same numbers, whatever becomes of the array."""
        return Numbers(self.values.copy())


def flattened(leaves: Sequence[Leaf], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The flat arrays of rows that are given one by one, and the lengths of the rows; None where they are not given."""
    flat: list[Any] = []
    lengths: list[Any] = []
    for leaf, value in zip(leaves, values, strict=True):
        if leaf.rows is not None and isinstance(value, list):
            rank, axis = len(leaf.shape), leaf.rows.axis
            together = joined_rows(value, leaf.dtype, rank, axis)
            if together is None:
                hint = "give a list of arrays, rise.Ragged(values, lengths), or the flat array of all rows"
                mismatch(leaf.parameter, leaf.type, other_rows(value, leaf.dtype, rank, axis), hint)
            flat.append(together[0])
            lengths.append(together[1])
            continue
        if leaf.rows is not None and leaf.rows.axis == 0 and isinstance(value, Ragged):
            flat.append(value.values)
            lengths.append(value.lengths)
            continue
        if isinstance(value, list | Ragged):
            mismatch(leaf.parameter, leaf.type, found_text(value))
        flat.append(value)
        lengths.append(None)
    return flat, lengths


def starts_of(
    procedure: Procedure, leaves: Sequence[Leaf], lengths: Sequence[Any], sizes: Mapping[str, Any] | None
) -> tuple[list[Any], dict[str, Any]]:
    """For each function of sizes the starts of its rows, from `sizes` or the rows of an input; and the other sizes."""
    rest = dict(sizes or {})
    found: list[Any] = []
    for table in procedure.tables:
        if not isinstance(table.function, SizeFunVar) or table.count is not None:
            continue
        name = table.function.name
        if name in rest:
            known: Any = table_values(name, rest.pop(name))
        else:
            known = next(
                (
                    one
                    for leaf, one in zip(leaves, lengths, strict=True)
                    if one is not None and leaf.rows is not None and leaf.rows.lengths == table.function
                ),
                None,
            )
        if known is None:
            title = f"no argument determines the function of sizes `{name}`"
            refuse(
                "size-unknown",
                title,
                f"give its values, sizes={{{name!r}: [...]}}, or an input as a list of rows",
            )
        found.append(_starts(known))
    return found, rest


def tables_of(procedure: Procedure, starts: Sequence[Any]) -> dict[Any, Any]:
    """The functions of sizes, and how many rows each has."""
    found: dict[Any, Any] = {}
    for table, one in zip(procedure.tables, starts, strict=False):  # those that follow from sizes come last
        found[table.function] = SizeTable(tuple(np.diff(one).tolist()))
        found[table.rows] = len(one) - 1
    return found


def check_reaches(procedure: Procedure, outputs: Sequence[Leaf], sizes: Mapping[Any, Any]) -> None:
    """Refuse a function of sizes that has fewer values than the kernel reads."""
    for table in procedure.tables:
        if table.count is not None:
            continue
        own = (one.rows.count for one in outputs if one.rows and one.rows.lengths == table.function)
        for reach in (*own, *table.reaches):
            found = evaluate_natural(reach, sizes)
            name = f"`{getattr(table.function, 'name', '')}`"
            check_count(name, show_nat(reach), math.ceil(found), sizes[table.rows])


def derived_starts(procedure: Procedure, sizes: dict[Any, Any]) -> tuple[Any, ...]:
    """The starts of rows that follow from the sizes; how many rows there are is noted among these."""
    found: list[Any] = []
    for table in procedure.tables:
        if table.count is not None:
            sizes[table.rows] = _count(table.count, sizes)
            lengths = lengths_at(table.function, sizes[table.rows], sizes)
            found.append(_starts(lengths))
    return tuple(found)


def with_rows(leaves: Sequence[Leaf], lengths: Sequence[Any], equations: list[Equation]) -> list[Equation]:
    """Equations of shapes, where rows are known those of how many there are in place of how long they are together."""
    found: list[Equation] = []
    rest = iter(equations)
    for leaf, known in zip(leaves, lengths, strict=True):
        for axis in range(len(leaf.shape)):
            equation = next(rest)
            is_rows = known is not None and leaf.rows is not None and leaf.rows.axis == axis
            if is_rows and leaf.rows is not None:
                equation = Equation(leaf.rows.count, len(known), leaf.parameter, axis)
            found.append(equation)
    return found


def check_lengths(leaves: Sequence[Leaf], lengths: Sequence[Any], sizes: Mapping[Any, Any]) -> None:
    """Refuse rows that are not as long as the type says."""
    for leaf, found in zip(leaves, lengths, strict=True):
        if found is None or leaf.rows is None:
            continue
        wanted = np.asarray(lengths_at(leaf.rows.lengths, len(found), sizes), np.int64)
        wrong = np.flatnonzero(wanted != found)
        if wrong.size:
            row = int(wrong[0])
            title = (
                f"`{leaf.parameter}`: expected row {row} to have {wanted[row]} elements, found {found[row]}"
            )
            refuse("ragged-lengths", title, "give rows as long as the type says", (brief(leaf.type),))


def rows_text(lengths: Any, values: Any) -> str:
    """Rows that were given one by one, as a message names them."""
    return f"{len(lengths)} rows, together of {found_text(values)}"


def output_lengths(leaves: Sequence[Leaf], sizes: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The lengths of the rows of each output, and their axis; None of one that has no rows; nothing if none has."""
    found = [
        None
        if one.rows is None
        else (np.asarray(lengths_at(one.rows.lengths, _count(one.rows.count, sizes), sizes)), one.rows.axis)
        for one in leaves
    ]
    return tuple(found) if any(one is not None for one in found) else ()


def first_failed(
    checks: Sequence[Obligation], sizes: Mapping[Any, Any]
) -> tuple[Obligation, dict[NatVar, int]] | None:
    """The first obligation about rows that fails for one of them, and for which one."""
    for one in checks:
        rows = [v for v in one.subject.free if isinstance(v, NatVar) and v not in sizes]
        if not rows and not any(isinstance(v, SizeFunVar) for v in one.subject.free):
            continue
        if any(v.upper is None for v in rows):
            continue
        ends = [range(_count(v.upper, sizes)) for v in rows if v.upper is not None]
        for at in product(*ends):
            row = dict(zip(rows, at, strict=True))
            closed = substitute_naturals(one.subject, {**sizes, **row})
            if check_obligations([Obligation(one.relation, closed, one.reason, one.path)], {}) is not None:
                return one, row
    return None


def calls_in(a: Nat, sizes: Mapping[Any, Any]) -> list[tuple[Nat, int]]:
    """The values of functions of sizes that a size mentions."""
    calls = [nat(one) for one in postorder(a) if isinstance(one, SizeCall) and not one.dep_loose]
    return [(one, _count(one, sizes)) for one in calls if all(v in sizes for v in one.free)]


def _count(size: Nat, sizes: Mapping[Any, Any]) -> int:
    found = evaluate_natural(size, sizes)
    assert isinstance(found, int), size
    return found


def _starts(lengths: Any) -> Any:
    """Where each row starts, and where the last one ends: an i64 array."""
    found = np.asarray(lengths)
    is_short = not found.size or int(found.max()) * found.size < 1 << 63
    total = 0 if is_short else sum(found.tolist())  # exact
    if total >= 1 << 63:
        title = f"expected rows of fewer than 2^63 elements together, found {total}"
        refuse("size-mismatch", title, "give other lengths")
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(found, dtype=np.int64)))
