"""`np.take` and `np.choose`, and numpy's modes `raise`, `wrap` and `clip` for integers that are out of range.

The functions take and return `Part`s instead of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding.computed_indices import as_index
from rise.embedding.conversions import as_part
from rise.embedding.elementwise import elementwise, over, select
from rise.embedding.indexing import indexed
from rise.embedding.operands import Operand, cast
from rise.embedding.places import refuse
from rise.embedding.trace import Part, Scope, literal, scalar_name, shown
from rise.naturals import Nat, const
from rise.primitives.index_numbers import CHECKED, NEAREST, WRAPPED
from rise.scalars import SCALARS
from rise.types import I64, IndexType

#: the forms of `toIndex` by numpy's modes
FORMS: Final = {"clip": NEAREST, "wrap": WRAPPED, "raise": CHECKED}


def take(a: Part, indices: Operand | Sequence[int], axis: int | None = None, *, mode: str = "raise") -> Part:
    """`np.take`, of one axis or of all elements."""
    if not isinstance(a, Part):
        refuse(
            "type-mismatch",
            "expected an array to take from, found numbers",
            "write `np.array` before the function",
        )
    xs, axis = (sh.flat(a), 0) if axis is None else (a, r.axis_of(a, axis))
    numbers = _integers(indices, xs.scope)
    check_mode(mode)
    if mode != "raise":
        numbers = _as_indices(numbers, xs.shape[axis], FORMS[mode])
    rank, rest = len(numbers.shape), len(xs.shape) - 1
    others = [other for other in range(len(xs.shape)) if other != axis]
    found = indexed(sh.permuted(xs, [axis, *others]), [numbers])
    before, after = range(rank, rank + axis), range(rank + axis, rank + rest)
    return sh.permuted(found, [*before, *range(rank), *after])


def choose(a: Operand | Sequence[int], choices: Sequence[Operand], *, mode: str = "raise") -> Part:
    """`np.choose`: at each position, the element of the array with the given number."""
    given = [a, *choices] if isinstance(choices, list | tuple) else [choices]
    scope = next((one.scope for one in given if isinstance(one, Part)), None)
    if len(given) < 2 or scope is None:
        title = "expected a list of arrays to choose from, found something else"
        refuse("type-mismatch", title, "write `np.choose(k, [x, y])`, or `np.take_along_axis` for one array")
    check_mode(mode)
    places = _as_indices(_integers(a, scope), const(len(choices)), FORMS[mode])
    numbers = _each(places, lambda place: cast(place, I64))
    found = choices[-1]
    for number in reversed(range(max(1, len(choices) - 1))):
        found = select(elementwise(op.EQ, numbers, number), choices[number], found)
    assert isinstance(found, Part)
    return found


def check_mode(mode: object) -> None:
    """Refuse modes other than numpy's."""
    if mode not in FORMS:
        title = f"expected the mode 'raise', 'wrap' or 'clip', found {mode!r}"
        refuse("unsupported", title, "write one of these")


def _integers(given: Operand | Sequence[int], scope: Scope) -> Part:
    """Indices as numbers of i64, in numpy's order of axes. Raises RiseError for floats, as numpy does."""
    part = literal(given, I64, scope) if type(given) is int else as_part(given, scope)
    name = scalar_name(part.element)
    if not isinstance(part.element, IndexType) and not (
        name == "bool" or "integral" in SCALARS[name].classes
    ):
        title = f"expected integers as indices, found {shown(part.element)}"
        refuse("type-mismatch", title, 'convert them: `.astype("i64")`')
    return _each(part, lambda number: cast(number, I64))


def _as_indices(numbers: Part, size: Nat, form: str) -> Part:
    return _each(numbers, lambda number: as_index(form, size, number))


def _each(xs: Part, f: Callable[[Part], Part]) -> Part:
    return over(lambda row: _each(row, f), [xs]) if xs.shape else f(xs)
