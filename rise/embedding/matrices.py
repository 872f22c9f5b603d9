"""numpy's functions of matrices: triangles, diagonals, covariances. Independent of decompositions.

The functions take and return `Part`s instead of arrays.
"""

from __future__ import annotations

import math
from typing import Any

from rise.dsl.printer import TypeNode
from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding.complex_words import has_complex
from rise.embedding.elementwise import common, elementwise, select, with_elements
from rise.embedding.lengths import shape_text
from rise.embedding.operands import Operand, Size, cast
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import size
from rise.embedding.trace import Part, Trace, apply, computed, function, piped, viewed
from rise.naturals import Nat, const
from rise.types import BOOL, I64, ArrayType, IndexType


def counting(count: Nat, trace: Trace) -> Part:
    """The numbers from 0 to a size, as i64."""
    index = IndexType(count)
    f = function(trace, ["i"], [index], lambda i: cast(i, I64), [TypeNode(index)])
    return computed(ArrayType(count, I64), apply("generate", f.syntax), f)


def below(trace: Trace, rows: Nat, columns: Nat, k: Operand, operation: Any = op.LE) -> Part:
    """For each element of a matrix, the comparison of its column with its row plus `k`; by default, whether it is at
    most that.
    """
    if isinstance(k, Part):
        refuse(
            "unsupported",
            "expected the number of a diagonal, found a value",
            "use a Python number, or a size",
        )
    low = elementwise(op.ADD, counting(rows, trace), k)
    column = sh.under(1, lambda x: sh.repeated(x, [const(1)]), low)
    return elementwise(operation, counting(columns, trace), column)


def tril(m: Part, k: Operand = 0) -> Part:
    """`np.tril`."""
    _check_matrix(m)
    return select(below(m.trace, m.shape[-2], m.shape[-1], k), m, _zero(m))


def triu(m: Part, k: Operand = 0) -> Part:
    """`np.triu`."""
    _check_matrix(m)
    return select(below(m.trace, m.shape[-2], m.shape[-1], k, op.GE), m, _zero(m))


def diagonal(a: Part, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Part:
    """`np.diagonal`. Whether a matrix has more rows or columns is known, or decided for the call."""
    rank = len(a.shape)
    for what, given in (("offset", offset), ("axis1", axis1), ("axis2", axis2)):
        if not isinstance(given, int):
            refuse(
                "unsupported", f"expected a Python number as `{what}`, found another value", "write a number"
            )
    axes = [axis1 + rank if axis1 < 0 else axis1, axis2 + rank if axis2 < 0 else axis2]
    if axes[0] == axes[1] or any(not 0 <= axis < rank for axis in axes):
        title = f"expected two axes of an array of the shape {shape_text(a.shape)}, found {axis1} and {axis2}"
        refuse("shape-mismatch", title, "a diagonal needs a matrix: pass `axis1` and `axis2`, or add an axis")
    others = [axis for axis in range(rank) if axis not in axes]
    return sh.under(len(others), lambda m: _diagonal(m, offset), sh.permuted(a, [*others, *axes]))


def _diagonal(m: Part, offset: int) -> Part:
    """The diagonal of a matrix."""
    if offset > 0:
        m = sh.under(1, lambda row: sh.drop(row, const(offset)), m)
    elif offset < 0:
        m = sh.drop(m, const(-offset))
    rows, columns = m.shape[:2]
    count = columns if size(columns, m.scope) <= size(rows, m.scope) else rows
    m = sh.take(m, count) if rows != count else m
    m = sh.under(1, lambda row: sh.take(row, count), m) if columns != count else m
    index = IndexType(count)

    def body(i: Part) -> Part:
        row = viewed(ArrayType(count, m.element), piped("idx", i.syntax, m.syntax), i, m)
        return viewed(m.element, piped("idx", i.syntax, row.syntax), i, row)

    f = function(m.trace, ["i"], [index], body, [TypeNode(index)])
    return computed(ArrayType(count, m.element), apply("generate", f.syntax), f, m)


def traced(a: Part, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Part:
    """`np.trace`, of matrices as `diagonal` takes."""
    terms = r.widened(r.SUM, diagonal(a, offset, axis1, axis2))
    return r.reduced(r.SUM, terms, len(terms.shape) - 1)


def covariance(
    m: Part, y: Part | None = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None
) -> Part:
    """`np.cov` of the rows or columns of one or two arrays, in f64 or c128 as in numpy."""
    if y is not None:
        rows = [_variables(one, rowvar) for one in common(op.SUB, [r.in_double(m), r.in_double(y)])]
        return covariance(sh.concatenated(rows[0], rows[1]), None, True, bias, ddof)
    if len(m.shape) > 2:
        title = f"expected at most two axes, found {len(m.shape)}"
        refuse("shape-mismatch", title, "reshape the array to one row of values for each variable")

    def computed_of(xs: Part) -> Part:
        rows = sh.stacked([xs]) if len(xs.shape) < 2 else xs if rowvar else sh.transpose(xs)
        around = elementwise(op.SUB, rows, r.mean(rows, 1, keep=True))
        count = Size(rows.shape[1] - ((0 if bias else 1) if ddof is None else ddof), xs.scope)
        other = elementwise(op.UFUNCS["conjugate"], around) if has_complex(around) else around
        found = elementwise(op.DIV, r.product(around, sh.transpose(other)), count)
        return found if len(xs.shape) == 2 else sh.first_of_all(found)

    return computed_of(r.in_double(m))


def _variables(xs: Part, rowvar: bool) -> Part:
    """The array with one row for each variable."""
    if len(xs.shape) == 2:
        return xs if rowvar else sh.transpose(xs)
    return xs if len(xs.shape) > 2 else sh.stacked([xs])


def norm(xs: Part, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Part:
    """`np.linalg.norm`: of vectors with a number as `ord`, of matrices with 1, -1, infinities and "fro"."""
    axes = r.axes_of(xs, axis)
    if ord is None or (ord == 2 and len(axes) == 1) or (ord == "fro" and len(axes) == 2):
        return r.norm(xs, axis, keepdims)
    sizes = elementwise(op.ABS, xs)
    if len(axes) == 1 and isinstance(ord, int | float):
        if ord in (math.inf, -math.inf):
            return r.reduced(r.GREATEST if ord > 0 else r.LEAST, sizes, axis, keepdims)
        if ord == 0:
            is_other = elementwise(op.NE, xs, 0)
            return with_elements(r.reduced(r.SUM, is_other, axis, keepdims), xs.element)
        if ord == 1:
            return r.reduced(r.SUM, sizes, axis, keepdims)
        total = r.reduced(r.SUM, elementwise(op.POW, sizes, float(ord)), axis, keepdims)
        return elementwise(op.POW, total, 1 / ord)
    if len(axes) == 2 and ord in (1, -1, math.inf, -math.inf):
        rows, columns = axis or (0, 1)
        totals = r.reduced(r.SUM, sizes, rows if abs(ord) == 1 else columns, True)
        return r.reduced(r.GREATEST if ord > 0 else r.LEAST, totals, (rows, columns), keepdims)
    title = f"expected a norm of sums or extremes, found ord={ord!r} of {len(axes)} axes"
    refuse("unsupported", title, "norms by singular values are not supported")


def _zero(m: Part) -> Any:
    return False if m.element == BOOL else 0


def _check_matrix(m: Part) -> None:
    if len(m.shape) < 2:
        title = f"expected at least two axes, found an array of the shape {shape_text(m.shape)}"
        refuse("shape-mismatch", title, "triangles are defined for matrices")
