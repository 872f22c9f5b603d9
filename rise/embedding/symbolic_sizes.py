"""Symbolic sizes: `x.shape[0]`. Depends on their arithmetic and comparisons, but not on values.

Operations whose result is not a size, `n / 2`, `0.5 * n`, `np.sqrt(n)`, return a number;
`rise.embedding.symbolic_numbers` adds the conversion.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from rise.embedding.loop_numbers import innermost, variables
from rise.embedding.places import here, located, or_source, refuse
from rise.embedding.trace import Scope
from rise.naturals import Nat, const, power
from rise.quotients import floor_quotient, is_nonnegative, maximum, remainder
from rise.records import dataclass
from rise.text.nat_printer import show_nat

#: whether a comparison holds, and the pairs of sizes, of which the first is at most the second, for which it does
Decision = tuple[bool, tuple[tuple[Nat, Nat], ...]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two sizes that holds for some sizes only, by the name of Python's operator."""

    name: str
    left: Nat
    right: Nat

    def decision(self, left: int, right: int) -> Decision:
        """Whether it holds for these values, and pairs of sizes, of which the first is at most the second, that say for
        which others it does, too.
        """
        sign = (left > right) - (left < right)  # of the difference of the sizes
        compare: Callable[[int, int], bool] = getattr(operator, self.name)
        holds = compare(sign, 0)
        alike = [one for one in (-1, 0, 1) if compare(one, 0) == holds and abs(one - sign) < 2]
        facts = []
        if max(alike) < 1:
            facts.append((self.left - max(alike), self.right))
        if min(alike) > -1:
            facts.append((self.right + min(alike), self.left))
        return holds, tuple(facts)


class UndecidedSizesError(RiseError):
    """A comparison of sizes on which the program depends."""

    def __init__(self, diagnostic: Diagnostic, comparison: Comparison) -> None:
        super().__init__(diagnostic)
        self.comparison = comparison


def is_below(size: Any, limit: int) -> bool:
    """Whether a size is known to be less than a number, or is in the call that decides; False if the program is for all
    calls. Raises UndecidedSizesError if the call has not decided yet.
    """
    if not isinstance(size, SymbolicSize):
        return bool(size < limit)
    if size.changes or size.scope.trace.decided is None:
        return is_nonnegative(const(limit - 1) - size.nat)
    return bool(size < limit)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SymbolicSize:
    """A size of the program that is being built: `x.shape[0]`, or a parameter of kind `nat`."""

    nat: Nat
    scope: Scope

    def number(self) -> Any:
        """The size as a number, which has no type yet."""
        raise AssertionError("rise.embedding.symbolic_numbers defines it")

    def value(self) -> Any:
        """The size as an i64 of the term."""
        raise AssertionError("rise.embedding.symbolic_numbers defines it")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return self.number().__array_ufunc__(ufunc, method, *inputs, **options)

    def __add__(self, other: Any) -> Any:
        return self._with(other, operator.add)

    def __radd__(self, other: Any) -> Any:
        return self._with(other, operator.add, is_reflected=True)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, operator.sub)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, operator.sub, is_reflected=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, operator.mul)

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, operator.mul, is_reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return self.number() / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.number()

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, operator.floordiv, floor_quotient)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(other, operator.floordiv, floor_quotient, is_reflected=True)

    def __mod__(self, other: Any) -> Any:
        return self._with(other, operator.mod, remainder)

    def __rmod__(self, other: Any) -> Any:
        return self._with(other, operator.mod, remainder, is_reflected=True)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and other < 0:
            return self.number() ** other
        if isinstance(other, SymbolicSize) and (self.changes or other.changes):
            return self.value() ** other
        return self._with(other, operator.pow, power)

    def __rpow__(self, other: Any) -> Any:
        if nat_of(other) is not None and (self.changes or (isinstance(other, int) and other < 0)):
            return other ** self.value()
        return self._with(other, operator.pow, power, is_reflected=True)

    def __and__(self, other: Any) -> Any:
        if isinstance(other, int) and other > 0 and other & (other + 1) == 0:
            return self % (other + 1)
        return self.value() & other

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return self.value() | other

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return self.value() ^ other

    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> Any:
        return self * 2**other if isinstance(other, int) and other >= 0 else self.value() << other

    def __rlshift__(self, other: Any) -> Any:
        return other << self.value()

    def __rshift__(self, other: Any) -> Any:
        return self // 2**other if isinstance(other, int) and other >= 0 else self.value() >> other

    def __rrshift__(self, other: Any) -> Any:
        return other >> self.value()

    def __invert__(self) -> Any:
        return -1 - self

    def __pos__(self) -> Any:
        return self

    def __trunc__(self) -> Any:
        return self

    __floor__ = __ceil__ = __trunc__

    def __round__(self, ndigits: int | None = None) -> Any:
        return self if ndigits is None or ndigits >= 0 else self.value().round(ndigits)

    def bit_length(self) -> Any:
        """The number of bits of the magnitude, by halving the range in which the highest one is."""
        rest = abs(self.value())
        length = rest * 0
        for bits in (32, 16, 8, 4, 2, 1):
            upper = rest >> bits
            is_upper = upper > 0
            length = length + is_upper.astype("i64") * bits
            rest = rest >> (is_upper.astype("i64") * bits)
        return length + rest

    def __neg__(self) -> Any:
        return size(const(0) - self.nat, self.scope)

    def __abs__(self) -> Any:
        return size(maximum(self.nat, const(0) - self.nat), self.scope)

    def compared(self, name: str, other: Any) -> Any:
        """A comparison whose result is a value of the term."""
        raise AssertionError("rise.embedding.symbolic_numbers defines it")

    @property
    def changes(self) -> bool:
        """Whether this is a number that changes in a loop."""
        return bool(variables(self.nat, self.scope.trace))

    def __eq__(self, other: object) -> Any:
        return self._equals("eq", other)

    def __ne__(self, other: object) -> Any:
        return self._equals("ne", other)

    def _equals(self, name: str, other: object) -> Any:
        if isinstance(other, float) and other.is_integer():
            other = int(other)
        given = nat_of(other)
        if given is None:
            return NotImplemented if hasattr(other, "part") else name == "ne"
        difference = self.nat - given
        if difference.constant is None:
            if self._may_change(other):
                is_apart = is_nonnegative(difference - 1) or is_nonnegative(const(-1) - difference)
                return name == "ne" if is_apart else self.compared(name, other)
            title = f"whether {show_nat(self.nat)} equals {show_nat(given)} is not known while the program is built"
            return self._decided(name, given, title, "use the same name for equal sizes in the annotations")
        return (difference.constant == 0) == (name == "eq")

    def __hash__(self) -> int:
        return hash(self.nat)

    def __lt__(self, other: Any) -> Any:
        return self._compare("lt", other, math.ceil, lambda a, b: b - a - 1)

    def __ge__(self, other: Any) -> Any:
        return self._compare("ge", other, math.ceil, lambda a, b: a - b)

    def __gt__(self, other: Any) -> Any:
        return self._compare("gt", other, math.floor, lambda a, b: a - b - 1)

    def __le__(self, other: Any) -> Any:
        return self._compare("le", other, math.floor, lambda a, b: b - a)

    def _compare(
        self, name: str, other: Any, whole: Callable[[float], int], distance: Callable[[Nat, Nat], Nat]
    ) -> Any:
        """A comparison, which holds if and only if a distance is at least 0; `whole` rounds a float without changing
        the result: i < 1.5 if and only if i < 2.
        """
        if isinstance(other, float) and math.isfinite(other):
            other = whole(other)
        given = nat_of(other)
        if given is None and (hasattr(other, "part") or hasattr(other, "weak")):
            return NotImplemented
        if given is not None:
            far = distance(self.nat, given)
            if is_nonnegative(far):
                return True
            if is_nonnegative(const(-1) - far):
                return False
            if self._may_change(other):
                return self.compared(name, other)
        found = repr(other) if given is None else show_nat(given)
        title = f"how {show_nat(self.nat)} compares with {found} is not known while the program is built"
        hint = 'fix the size in the annotation, as in `"16.f32"`'
        if given is None:
            refuse("symbolic-branch", title, hint)
        return self._decided(name, given, title, hint)

    def _decided(self, name: str, other: Nat, title: str, hint: str) -> bool:
        """Whether a comparison holds, if it has been decided for this program; then calls check that it does."""
        comparison = Comparison(name, self.nat, other)
        found = (self.scope.trace.decided or {}).get(comparison)
        if found is None:
            raise UndecidedSizesError(
                located(Diagnostic("symbolic-branch", title, hint=hint), here()), comparison
            )
        for less, more in found[1]:
            self.scope.trace.promise_at_most(less, more)
        return found[0]

    def _may_change(self, other: Any) -> bool:
        return self.changes or (isinstance(other, SymbolicSize) and other.changes)

    def __bool__(self) -> bool:
        title = f"whether {show_nat(self.nat)} is 0 is not known while the program is built"
        hint = "a program must work for any size, including 0: remove the test"
        return self._decided("ne", const(0), title, hint)

    def __index__(self) -> NoReturn:  # noqa: PLE0305  # it never returns
        title = f"expected a Python number, found the size {show_nat(self.nat)}, which is not known yet"
        hint = "use array operations, `map`, `reduce` or `generate` for a loop; or fix the size in the annotation"
        refuse("symbolic-loop", title, or_source(hint))

    def _with(
        self,
        other: Any,
        apply: Callable[[Any, Any], Any],
        of_sizes: Callable[[Nat, Nat], Nat] | None = None,
        is_reflected: bool = False,
    ) -> Any:
        """An operator on two sizes, or on two numbers if the other operand is a float."""
        if isinstance(other, float | complex):
            return apply(other, self.number()) if is_reflected else apply(self.number(), other)
        given = nat_of(other)
        if given is None:
            return NotImplemented
        left, right = (given, self.nat) if is_reflected else (self.nat, given)
        return size((of_sizes or apply)(left, right), self.scope)

    def __str__(self) -> str:
        return show_nat(self.nat)

    def __repr__(self) -> str:
        return f"<size {show_nat(self.nat)}>"


def size(nat: Nat, scope: Scope) -> Any:
    """A size for the user; a number if it is known."""
    return SymbolicSize(nat, innermost(nat, scope.trace)) if nat.constant is None else nat.constant


def nat_of(value: object) -> Nat | None:
    """A user's value as a size, or None if it is not one."""
    if isinstance(value, SymbolicSize):
        return value.nat
    return const(value) if isinstance(value, int) and not isinstance(value, bool) else None
