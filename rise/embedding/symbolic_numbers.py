"""Numbers computed from sizes: `1 / n`, `0.5 * n`, `np.sqrt(n)`. Depends on their operators, but not on arrays.

Such a number has no type yet: like a Python number, it takes the type of the array that it is combined with.
"""

from __future__ import annotations

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
from rise.embedding.operands import Operation, Size, Weak, converted, counted
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, apply, computed
from rise.embedding.values import Value, wrap
from rise.naturals import const
from rise.records import dataclass
from rise.types import BOOL

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
    }
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SymbolicNumber(WeakSymbol):
    """A float computed from sizes and Python numbers."""

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

    def __abs__(self) -> Any:
        return _number(op.ABS, self)

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

    def write(wanted: Any) -> Part:
        return operation.write(*(converted(operand, wanted, scope) for operand in operands))

    return SymbolicNumber(Weak(write, scope))


def _compared(operation: Operation, *values: Any) -> Any:
    operands = _operands(values)
    return NotImplemented if operands is None else wrap(elementwise(operation, *operands))


def _by_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """A numpy ufunc on sizes and numbers computed from sizes, and possibly on numpy arrays."""
    name = ufunc.__name__
    if method != "__call__" or options or name not in op.UFUNCS:
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
    size = Size(given.nat, given.scope)
    return SymbolicNumber(Weak(lambda wanted: counted(size, wanted), given.scope))


def _compared_sizes(self: SymbolicSize, name: str, other: Any) -> Value:
    trace = self.scope.trace
    given = other.nat if isinstance(other, SymbolicSize) else const(other)
    parts = [integer(self.nat, trace), integer(given, trace)]
    return wrap(computed(BOOL, apply(name, *(part.syntax for part in parts)), *parts))


# A size as a number. This is defined here to avoid an import cycle.
SymbolicSize.number = _number_of  # type: ignore[assignment,method-assign]  # see above
SymbolicSize.compared = _compared_sizes  # type: ignore[method-assign]  # see above
