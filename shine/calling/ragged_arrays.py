"""Handles rows of different lengths in calls: flattens them, computes their starts, checks their lengths.

Depends on leaves and sizes, but not on targets and memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from rise.analysis.obligations import Obligation, check_obligations
from rise.arguments.leaves import Leaf
from rise.arguments.libraries import as_numpy
from rise.arguments.mismatches import brief, found_text, mismatch, refuse
from rise.arguments.ragged_arrays import (
    Ragged,
    check_count,
    joined_rows,
    lengths_at,
    other_rows,
    table_values,
)
from rise.natural_values import evaluate_natural, substitute_naturals
from rise.naturals import Nat, NatVar, nat
from rise.nodes import postorder
from rise.records import dataclass
from rise.size_equations import Equation
from rise.size_functions import SizeCall, SizeFunVar, SizeTable
from rise.text.nat_printer import show_nat
from shine.imperative.nodes import Procedure

MAX_HASHED_NUMBERS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Lengths or starts of rows as part of a key: all are compared, but only a sample is hashed for speed."""

    values: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and bool(np.array_equal(self.values, other.values))

    def __hash__(self) -> int:
        step = max(1, len(self.values) // MAX_HASHED_NUMBERS)
        return hash((len(self.values), self.values[::step].tobytes()))

    def kept(self) -> Numbers:
        """A copy that does not change if the array does."""
        return Numbers(self.values.copy())


def flattened(leaves: Sequence[Leaf], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Flatten arrays that are given as rows. Returns the flat arrays, and the lengths of rows, or None for other
    arrays.
    """
    flat: list[Any] = []
    lengths: list[Any] = []
    for leaf, value in zip(leaves, values, strict=True):
        if leaf.rows is not None and isinstance(value, list):
            rank, axis = len(leaf.shape), leaf.rows.axis
            value = [as_numpy(leaf.parameter, row) for row in value]
            together = joined_rows(value, leaf.dtype, rank, axis)
            if together is None:
                hint = "pass a list of arrays, rise.Ragged(values, lengths), or the flat array of all rows"
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
    """The starts of rows for each function of sizes, from `sizes` or the rows of an input; and the other sizes."""
    rest = dict(sizes or {})
    starts: list[Any] = []
    for table in procedure.tables:
        if not isinstance(table.function, SizeFunVar) or table.count is not None:
            continue
        name = table.function.name
        if name in rest:
            lengths_of_rows: Any = table_values(name, rest.pop(name))
        else:
            lengths_of_rows = next(
                (
                    row_lengths
                    for leaf, row_lengths in zip(leaves, lengths, strict=True)
                    if row_lengths is not None
                    and leaf.rows is not None
                    and leaf.rows.lengths == table.function
                ),
                None,
            )
        if lengths_of_rows is None:
            title = f"no argument determines the function of sizes `{name}`"
            refuse(
                "size-unknown",
                title,
                f"pass its values, sizes={{{name!r}: [...]}}, or an input as a list of rows",
            )
        starts.append(_starts(lengths_of_rows))
    return starts, rest


def tables_of(procedure: Procedure, starts: Sequence[Any]) -> dict[Any, Any]:
    """The values of the functions of sizes, and the number of rows of each."""
    values: dict[Any, Any] = {}
    # tables derived from sizes come last, without starts
    for table, row_starts in zip(procedure.tables, starts, strict=False):
        values[table.function] = SizeTable(tuple(np.diff(row_starts).tolist()))
        values[table.rows] = len(row_starts) - 1
    return values


def check_reaches(procedure: Procedure, outputs: Sequence[Leaf], sizes: Mapping[Any, Any]) -> None:
    """Raise RiseError for a function of sizes that has fewer values than the kernel reads."""
    for table in procedure.tables:
        if table.count is not None:
            continue
        output_counts = (
            leaf.rows.count for leaf in outputs if leaf.rows and leaf.rows.lengths == table.function
        )
        for reach in (*output_counts, *table.reaches):
            count = evaluate_natural(reach, sizes)
            name = f"`{getattr(table.function, 'name', '')}`"
            check_count(name, show_nat(reach), math.ceil(count), sizes[table.rows])


def derived_starts(procedure: Procedure, sizes: dict[Any, Any]) -> tuple[Any, ...]:
    """The starts of rows that the sizes determine; adds the numbers of rows to `sizes`."""
    starts: list[Any] = []
    for table in procedure.tables:
        if table.count is not None:
            sizes[table.rows] = _count(table.count, sizes)
            lengths = lengths_at(table.function, sizes[table.rows], sizes)
            starts.append(_starts(lengths))
    return tuple(starts)


def with_rows(leaves: Sequence[Leaf], lengths: Sequence[Any], equations: list[Equation]) -> list[Equation]:
    """The equations of shapes. For arrays that are given as rows, equations of the number of rows replace those of the
    total length.
    """
    row_equations: list[Equation] = []
    rest = iter(equations)
    for leaf, row_lengths in zip(leaves, lengths, strict=True):
        for axis in range(len(leaf.shape)):
            equation = next(rest)
            is_rows = row_lengths is not None and leaf.rows is not None and leaf.rows.axis == axis
            if is_rows and leaf.rows is not None:
                equation = Equation(leaf.rows.count, len(row_lengths), leaf.parameter, axis)
            row_equations.append(equation)
    return row_equations


def check_lengths(leaves: Sequence[Leaf], lengths: Sequence[Any], sizes: Mapping[Any, Any]) -> None:
    """Raise RiseError for rows whose length does not match the type."""
    for leaf, row_lengths in zip(leaves, lengths, strict=True):
        if row_lengths is None or leaf.rows is None:
            continue
        expected = np.asarray(lengths_at(leaf.rows.lengths, len(row_lengths), sizes), np.int64)
        wrong = np.flatnonzero(expected != row_lengths)
        if wrong.size:
            row = int(wrong[0])
            title = f"`{leaf.parameter}`: expected row {row} to have {expected[row]} elements, found {row_lengths[row]}"
            refuse(
                "ragged-lengths",
                title,
                "pass rows with the lengths that the type states",
                (brief(leaf.type),),
            )


def rows_text(lengths: Any, values: Any) -> str:
    """The text of an array that was given as rows, for messages."""
    return f"{len(lengths)} rows, together of {found_text(values)}"


def output_lengths(leaves: Sequence[Leaf], sizes: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The lengths of the rows of each output, and their axis; None for one without rows; empty if none has rows."""
    lengths = [
        None
        if leaf.rows is None
        else (
            np.asarray(lengths_at(leaf.rows.lengths, _count(leaf.rows.count, sizes), sizes)),
            leaf.rows.axis,
        )
        for leaf in leaves
    ]
    return tuple(lengths) if any(leaf is not None for leaf in lengths) else ()


def first_failed(
    checks: Sequence[Obligation], sizes: Mapping[Any, Any]
) -> tuple[Obligation, dict[NatVar, int]] | None:
    """The first obligation about rows that fails for one of them, and the indices of that row."""
    for check in checks:
        rows = [v for v in check.subject.free if isinstance(v, NatVar) and v not in sizes]
        if not rows and not any(isinstance(v, SizeFunVar) for v in check.subject.free):
            continue
        if any(v.upper is None for v in rows):
            continue
        ends = [range(_count(v.upper, sizes)) for v in rows if v.upper is not None]
        for indices in product(*ends):
            row = dict(zip(rows, indices, strict=True))
            closed = substitute_naturals(check.subject, {**sizes, **row})
            if (
                check_obligations([Obligation(check.relation, closed, check.reason, check.path)], {})
                is not None
            ):
                return check, row
    return None


def calls_in(a: Nat, sizes: Mapping[Any, Any]) -> list[tuple[Nat, int]]:
    """The values of functions of sizes that a size mentions."""
    calls = [nat(call) for call in postorder(a) if isinstance(call, SizeCall) and not call.dep_loose]
    return [(call, _count(call, sizes)) for call in calls if all(v in sizes for v in call.free)]


def _count(size: Nat, sizes: Mapping[Any, Any]) -> int:
    count = evaluate_natural(size, sizes)
    assert isinstance(count, int), size
    return count


def _starts(lengths: Any) -> Any:
    """The start of each row, and the end of the last one: an i64 array."""
    lengths_array = np.asarray(lengths)
    is_short = not lengths_array.size or int(lengths_array.max()) * lengths_array.size < 1 << 63
    total = 0 if is_short else sum(lengths_array.tolist())  # exact
    if total >= 1 << 63:
        title = f"expected rows of fewer than 2^63 elements in total, found {total}"
        refuse("size-mismatch", title, "pass other lengths")
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths_array, dtype=np.int64)))
