"""Numbers computed from sizes: `1 / n`, `0.5 * n`, `np.sqrt(n)`. Depends on their operators, but not on arrays.

Such a number has no type yet: like a Python number, it takes the type of the array that it is combined with.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import did_you_mean
from rise.embedding import scalars as op
from rise.embedding.conversions import WeakSymbol, inner
from rise.embedding.elementwise import elementwise
from rise.embedding.loop_numbers import integer
from rise.embedding.operand_types import complex_type
from rise.embedding.operands import Operation, Size, Weak, converted, counted
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import SymbolicSize, nat_of, size
from rise.embedding.trace import Part, apply, computed
from rise.embedding.values import Value, wrap
from rise.naturals import Nat, const
from rise.quotients import ceiling_quotient, floor_quotient, is_nonnegative
from rise.records import dataclass
from rise.types import BOOL, F64

#: the Python operators that sizes support, by the names of numpy's ufuncs
_OF_SIZES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "floor_divide": operator.floordiv,
        "remainder": operator.mod,
        "power": operator.pow,
        "negative": operator.neg,
        "divmod": divmod,
        "bitwise_and": operator.and_,
        "bitwise_or": operator.or_,
        "bitwise_xor": operator.xor,
        "invert": operator.invert,
        "left_shift": operator.lshift,
        "right_shift": operator.rshift,
    }
)


Quotient = tuple[Nat, Nat]
#: the largest numerator and denominator of floats in quotients of sizes: `0.75 * n` is 3n / 4
MOST_OF_RATIO: Final = 1024


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SymbolicNumber(WeakSymbol):
    """A float computed from sizes and Python numbers; the quotient of two sizes, `n / 2`, can be rounded to a size."""

    quotient: Quotient | None = None

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return _by_ufunc(ufunc, method, inputs, options)

    def __add__(self, other: Any) -> Any:
        return _number(op.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _number(op.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return _number(op.SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _number(op.SUB, other, self)

    def __mul__(self, other: Any) -> Any:
        return _number(op.MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _number(op.MUL, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _number(op.DIV, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _number(op.DIV, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _number(op.UFUNCS["floor"], self / other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _number(op.UFUNCS["floor"], other / self)

    def __mod__(self, other: Any) -> Any:
        return _number(op.MOD, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _number(op.MOD, other, self)

    def __pow__(self, other: Any) -> Any:
        return _number(op.POW, self, other)

    def __rpow__(self, other: Any) -> Any:
        return _number(op.POW, other, self)

    def __neg__(self) -> Any:
        return _number(op.NEG, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _number(op.ABS, self)

    def __floor__(self) -> Any:
        return self._rounded(floor_quotient, np.floor)

    def __ceil__(self) -> Any:
        return self._rounded(ceiling_quotient, np.ceil)

    def __trunc__(self) -> Any:
        if self.quotient is not None and all(map(is_nonnegative, self.quotient)):
            return self._rounded(floor_quotient, np.trunc)
        return self._rounded(None, np.trunc)

    def __round__(self, ndigits: int | None = None) -> Any:
        rounded = np.round(self._float(), ndigits or 0)
        return rounded.astype("i64") if ndigits is None else rounded

    def _rounded(self, of_sizes: Callable[[Nat, Nat], Nat] | None, of_floats: Callable[..., Any]) -> Any:
        """A size if this is a quotient of sizes, else an i64."""
        if self.quotient is not None and of_sizes is not None:
            return size(of_sizes(*self.quotient), self.weak.scope)
        return of_floats(self._float()).astype("i64")

    def _float(self) -> Value:
        return wrap(converted(self.weak, F64, self.weak.scope))

    def __lt__(self, other: Any) -> Any:
        return _compared(op.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _compared(op.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _compared(op.GT, self, other)

    def __ge__(self, other: Any) -> Any:
        return _compared(op.GE, self, other)

    def __eq__(self, other: Any) -> Any:
        return _compared(op.EQ, self, other)

    def __ne__(self, other: Any) -> Any:
        return _compared(op.NE, self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it never returns
        _unknown("a truth value")

    def __float__(self) -> NoReturn:
        _unknown("a Python number")

    def __int__(self) -> NoReturn:
        _unknown("a Python integer")

    def __index__(self) -> NoReturn:  # noqa: PLE0305  # it never returns
        _unknown("a Python integer")

    def __repr__(self) -> str:
        return "<number computed from sizes>"


def _unknown(wanted: str) -> NoReturn:
    title = f"expected {wanted}, found a number computed from sizes, which is not known yet"
    refuse("symbolic-size", title, "`//` divides sizes and gives a size; or fix the size in the annotation")


def _operands(values: tuple[Any, ...]) -> list[Any] | None:
    """The values as operands; None if another class has to combine one of them."""
    operands: list[Any] = []
    for value in values:
        match value:
            case WeakSymbol(weak):
                operands.append(weak)
            case SymbolicSize(nat, scope):
                operands.append(Size(nat, scope))
            case np.generic():
                operands.append(value.item())
            case int() | float() | complex():
                operands.append(value)
            case _:
                return None
    return operands


def _number(operation: Operation, *values: Any) -> Any:
    operands = _operands(values)
    if operands is None:
        return NotImplemented
    scope = next(each.scope for each in operands if isinstance(each, Size | Weak))
    if any(isinstance(operand, complex) for operand in operands):
        wanted = complex_type(scope.trace.floating)
        return wrap(elementwise(operation, *(converted(operand, wanted, scope) for operand in operands)))

    def write(wanted: Any) -> Part:
        return operation.write(*(converted(operand, wanted, scope) for operand in operands))

    return SymbolicNumber(Weak(write, scope), _quotient(operation, *values))


def _quotient(operation: Operation, *values: Any) -> Quotient | None:
    """The result of an operation as a quotient of sizes, if it is rounded as the exact quotient is: both operands are
    multiples of the same power of two, so that floats represent them, and at most the result is rounded.
    """
    exact = [one for value in values if (one := _exact(value)) is not None]
    if len(exact) != len(values) or operation not in (op.ADD, op.SUB, op.MUL, op.DIV):
        return None
    (a, b), (c, d) = exact
    if operation is op.DIV:
        return (a * d, b * c) if c.constant != 0 and is_nonnegative(c) else None
    if operation is op.MUL:
        return a * c, b * d
    return a * d + c * b if operation is op.ADD else a * d - c * b, b * d


def _exact(value: Any) -> Quotient | None:
    """A size, a float with few digits, or the result of operations on these, as a quotient by a power of two."""
    if isinstance(value, SymbolicNumber):
        found = value.quotient
        divisor = None if found is None else found[1].constant
        return found if isinstance(divisor, int) and divisor & (divisor - 1) == 0 else None
    if isinstance(value, float) and math.isfinite(value):
        numerator, denominator = value.as_integer_ratio()
        is_short = max(abs(numerator), denominator) <= MOST_OF_RATIO
        return (const(numerator), const(denominator)) if is_short else None
    nat = nat_of(value)
    return None if nat is None else (nat, const(1))


def _compared(operation: Operation, *values: Any) -> Any:
    operands = _operands(values)
    return NotImplemented if operands is None else wrap(elementwise(operation, *operands))


def _by_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """A numpy ufunc on sizes and numbers computed from sizes, and possibly on numpy arrays."""
    name = ufunc.__name__
    if method != "__call__" or options or name not in (*op.UFUNCS, *_OF_SIZES):
        title = f"programs do not support `np.{name}` of sizes"
        refuse(
            "unsupported", title, did_you_mean(name, op.UFUNCS) or "use `+ - * / // % **`, or `np.sqrt(n)`"
        )
    if any(isinstance(given, Value) or np.ndim(given) for given in inputs if not _is_number(given)):
        scope = next(given.scope for given in (_scoped(each) for each in inputs) if given is not None)
        return wrap(elementwise(op.UFUNCS[name], *(inner(given, scope) for given in inputs)))
    values = tuple(given.item() if isinstance(given, np.generic | np.ndarray) else given for given in inputs)
    if name in _OF_SIZES:
        return _OF_SIZES[name](*values)
    operation = op.UFUNCS[name]
    is_test = operation in (op.LT, op.LE, op.GT, op.GE, op.EQ, op.NE)
    return _compared(operation, *values) if is_test else _number(operation, *values)


def _is_number(given: Any) -> bool:
    return isinstance(given, WeakSymbol | SymbolicSize | int | float | complex)


def _scoped(given: Any) -> Any:
    match given:
        case WeakSymbol(weak):
            return weak
        case SymbolicSize():
            return given
    return None


def _number_of(given: SymbolicSize) -> SymbolicNumber:
    operand = Size(given.nat, given.scope)
    return SymbolicNumber(Weak(lambda wanted: counted(operand, wanted), given.scope), (given.nat, const(1)))


def _value_of(given: SymbolicSize) -> Value:
    return wrap(integer(given.nat, given.scope.trace))


def _compared_sizes(self: SymbolicSize, name: str, other: Any) -> Value:
    trace = self.scope.trace
    given = other.nat if isinstance(other, SymbolicSize) else const(other)
    parts = [integer(self.nat, trace), integer(given, trace)]
    return wrap(computed(BOOL, apply(name, *(part.syntax for part in parts)), *parts))


# A size as a number. This is defined here to avoid an import cycle.
SymbolicSize.number = _number_of  # type: ignore[assignment,method-assign]  # see above
SymbolicSize.value = _value_of  # type: ignore[assignment,method-assign]  # see above
SymbolicSize.compared = _compared_sizes  # type: ignore[method-assign]  # see above
