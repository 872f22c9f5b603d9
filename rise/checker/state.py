"""The state of a check: fresh names, assumptions, effort. Expands opaque values, and decides conditions.

Independent of primitives and of the order of cases. `identical` is equality without cases and lemmas. One subject:
these functions call each other, since an opaque index is looked up among the known ones by `identical`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from rise.checker.printer import side_text
from rise.checker.single_steps import single_step
from rise.checker.sizes import are_equal, contradict, follows
from rise.checker.values import (
    Array,
    Call,
    Choice,
    Condition,
    Element,
    Equal,
    Fold,
    Function,
    Half,
    Holds,
    Index,
    Less,
    Number,
    Operation,
    Pair,
    Symbol,
    Unspecified,
    Value,
    array_form,
    elements_of,
    halves_of,
)
from rise.naturals import Nat, NatVar, const, nat
from rise.records import dataclass
from rise.types import (
    DepFunType,
    DepPairType,
    FunType,
    IndexType,
    PairType,
    Type,
    instantiate_dependent,
    type_at,
)

DEFAULT_EFFORT: Final = 20_000
#: for comparisons, another one that excludes it, and whether the operands of that one are swapped; `greaterPair`
#: compares the second halves of pairs
OPPOSITE: Final = {
    "gt": ("le", False),
    "lt": ("ge", False),
    "greaterPair": ("le", True),
    "lesserPair": ("ge", True),
}
_INDEX: Final = "k"  # the first letter of the names of fresh indices


class OutOfEffortError(Exception):
    """Raised when a check has taken the maximum number of steps."""


class DifferentError(Exception):
    """Raised where a comparison stops: both sides, and the divisors in quotients of indices there.

    A side is a value, a natural, or a function that returns a text. Most errors are caught by a comparison that then
    tries something else, so the sides are printed only on demand.
    """

    def __init__(self, left: Value, right: Value, divisors: tuple[Nat, ...] = ()) -> None:
        super().__init__(left, right)
        self.left, self.right, self.divisors = left, right, tuple(dict.fromkeys(divisors))

    def __str__(self) -> str:
        """Both sides as a text. Raises RiseError if a size is too long to print."""
        return f"{side_text(self.left)} and {side_text(self.right)}"


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known: naturals that are >= 0, pairs of naturals that differ, and truth values."""

    positive: tuple[Nat, ...] = ()
    different: tuple[tuple[Nat, Nat], ...] = ()
    truths: tuple[tuple[Value, bool], ...] = ()


class State:
    """The state of one check. `used` collects what the proof relies on besides computation."""

    def __init__(self, positive: tuple[Nat, ...] = (), effort: int = DEFAULT_EFFORT) -> None:
        self.known = Known(positive)
        self.used: set[str] = set()
        self.effort = effort
        #: opaque values of index types, each with the natural that stands for it
        self.opaque: list[tuple[Value, Nat]] = []
        self._count = 0

    def spend(self) -> None:
        """Count a step. Raises OutOfEffortError after the last one."""
        self.effort -= 1
        if self.effort < 0:
            raise OutOfEffortError

    def fresh_index(self, length: Nat) -> Nat:
        """An index below a length, of which nothing else is known."""
        return nat(NatVar(self._name(_INDEX), length))

    def is_compared(self, a: Nat) -> bool:
        """Whether a natural has no indices except those of the compared values, which are inside of lengths; other
        fresh indices are only used to look inside folds.
        """
        free = (one for one in a.free if isinstance(one, NatVar) and one.name.startswith(f"{_INDEX}'"))
        return all(nat(one) in self.known.positive for one in free)

    def fresh_size(self) -> Nat:
        """A size of which nothing is known."""
        return nat(NatVar(self._name("n"), None))

    def fresh(self, t: Type, name: str = "x") -> Value:
        """An opaque value of a type."""
        return self.symbol(self._name(name), t)

    def symbol(self, name: str, t: Type) -> Value:
        """The opaque value of a type with this name."""
        return self.reflect(Symbol(name), t)

    def _name(self, name: str) -> str:
        self._count += 1
        return f"{name}'{self._count}"  # a name that no text can contain

    def element(self, array: Array, index: Nat) -> Value:
        """The element of an array at an index."""
        self.spend()
        return array.element(index, self.known)

    def call(self, function: Function, *arguments: Value) -> Value:
        """A function applied to arguments, one after the other."""
        result: Value = function
        for argument in arguments:
            result = result.call(argument)
        return result

    def reflect(self, neutral: Value, t: Type) -> Value:
        """An opaque value of a type, decomposed as far as the type determines its form."""
        array, is_any = elements_of(t), isinstance(neutral, Unspecified)
        if array is not None:
            size, of = array
            return Array(size, lambda i: self.reflect(neutral if is_any else Element(neutral, i), of(i)))
        match t:
            case PairType(first, second):
                halves = [neutral if is_any else Half(neutral, which) for which in (0, 1)]
                return Pair(self.reflect(halves[0], first), self.reflect(halves[1], second))
            case FunType(parameter, result):
                return Function(lambda x: self.reflect(Call(neutral, x, parameter), result))
            case DepFunType():
                return Function(
                    lambda x: self.reflect(Call(neutral, x, None), instantiate_dependent(t.result, x))
                )
            case IndexType(size):
                return Index(self._opaque_index(neutral, size))
            case DepPairType(family) if not isinstance(neutral, Unspecified):
                number = self._opaque_index(Half(neutral, 0), None)
                return Pair(Index(number), self.reflect(Half(neutral, 1), type_at(family, number)))
        return neutral

    def _opaque_index(self, neutral: Value, size: Nat | None) -> Nat:
        for other, found in self.opaque:
            if self.identical(other, neutral, None):
                return found
        found = nat(NatVar(self._name("o"), size))
        self.opaque.append((neutral, found))
        return found

    # assumptions

    @contextmanager
    def knowing(
        self,
        positive: tuple[Nat, ...] = (),
        different: tuple[tuple[Nat, Nat], ...] = (),
        truths: tuple[tuple[Value, bool], ...] = (),
    ) -> Iterator[None]:
        """Add to what is known."""
        before = self.known
        self.known = Known(
            (*before.positive, *positive), (*before.different, *different), (*before.truths, *truths)
        )
        try:
            yield
        finally:
            self.known = before

    @contextmanager
    def assuming(self, condition: Condition, value: bool) -> Iterator[bool]:
        """Assume that a condition holds, or that it does not. Yields whether this is possible."""
        match condition:
            case Less(left, right):
                known = self.knowing((right - left - 1 if value else left - right,))
            case Equal(left, right) if value:
                known = self.knowing((left - right, right - left))
            case Equal(left, right):
                known = self.knowing(different=((left, right),))
            case Holds(truth):
                known = self.knowing(truths=((truth, value),))
        with known:
            yield not contradict(self.known.positive)

    def inside(self, index: Nat, length: Nat) -> AbstractContextManager[None]:
        """Assume that an index is below a length."""
        return self.knowing((length - index - 1, index))

    def is_nonnegative(self, a: Nat) -> bool:
        """Whether a >= 0 is known."""
        return follows(a, self.known.positive)

    def are_equal(self, a: Nat, b: Nat) -> bool:
        """Whether a = b is known."""
        return are_equal(a, b, self.known.positive)

    def decide(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None if that is not known."""
        match condition:
            case Less(left, right):
                if self.is_nonnegative(right - left - 1):
                    return True
                return False if self.is_nonnegative(left - right) else None
            case Equal(left, right):
                if self.are_equal(left, right):
                    return True
                if self.is_nonnegative(left - right - 1) or self.is_nonnegative(right - left - 1):
                    return False
                pairs = ((a, b) for x, y in self.known.different for a, b in ((x, y), (y, x)))
                is_known = any(self.are_equal(left, a) and self.are_equal(right, b) for a, b in pairs)
                return False if is_known else None
            case Holds(Number(bits, _)):
                return bool(bits)
            case Holds(Choice(under, yes, no)):
                known = self.decide(under)
                return None if known is None else self.decide(Holds((yes if known else no)()))
            case Holds(value):
                return self._is_true(value)

    def _is_true(self, value: Value) -> bool | None:
        truths = self.known.truths
        known = next((v for x, v in truths if self.identical(x, value, None)), None)
        match value:
            case Operation(name, parameters, (x, y)) if known is None and truths and name in OPPOSITE:
                stays, is_swapped = OPPOSITE[name]
                opposite = Operation(stays, parameters, (y, x) if is_swapped else (x, y))
                is_known = any(holds and self.identical(truth, opposite, None) for truth, holds in truths)
                return False if is_known else None
        return known

    def choose(
        self, condition: Condition, yes: Callable[[], Value], no: Callable[[], Value], t: Type
    ) -> Value:
        """One of two values of a type, chosen by a condition; if the condition is decided, that value."""
        known = self.decide(condition)
        if known is not None:
            return yes() if known else no()
        array = elements_of(t)
        if array is not None:
            length, element = array
            return Array(
                length,
                lambda i: self.choose(
                    condition, lambda: self.element(yes(), i), lambda: self.element(no(), i), element(i)
                ),
            )
        match t:
            case PairType(first, second):
                return Pair(
                    self.choose(condition, lambda: yes().first, lambda: no().first, first),
                    self.choose(condition, lambda: yes().second, lambda: no().second, second),
                )
            case FunType(_, result):
                return Function(
                    lambda x: self.choose(
                        condition, lambda: self.call(yes(), x), lambda: self.call(no(), x), result
                    )
                )
        return self.reflect(Choice(condition, yes, no), t)

    # folds

    def fold(self, length: Nat, step: Callable[[Value, Nat], Value], start: Value, t: Type) -> Value:
        """A fold. A fold of arrays is an array of folds, and a fold of pairs is a pair of folds, if no step mixes their
        parts.
        """
        if length.constant == 0:
            return start
        if length.constant == 1:
            return step(start, const(0))
        only = single_step(self, length, step, t)
        before, k = self.fresh(t), self.fresh_index(length)
        if only is not None and self.is_nonnegative(only):
            with self.assuming(Equal(k, only), False):
                is_single = self.identical(step(before, k), before, t)
            if is_single:
                self.used.add("folds of one step")
                return self.choose(Less(only, length), lambda: step(start, only), lambda: start, t)
        array = elements_of(t)
        if array is not None:
            size, element = array
            j = self.fresh_index(size)

            def step_at(i: Nat) -> Callable[[Value, Nat], Value]:
                return lambda a, n: self.element(step(Array(size, lambda _: a), n), i)

            inside = step_at(j)(self.element(before, j), k)
            if self.identical(self.element(step(before, k), j), inside, element(j)):
                self.used.add("fold of arrays")
                return Array(
                    size, lambda i: self.fold(length, step_at(i), self.element(start, i), element(i))
                )
        if isinstance(t, PairType):
            others = self.fresh(t.first), self.fresh(t.second)
            first = step(Pair(before.first, others[1]), k).first
            second = step(Pair(others[0], before.second), k).second
            if self.identical(step(before, k), Pair(first, second), t):
                self.used.add("fold of pairs")
                return Pair(
                    self.fold(length, lambda a, n: step(Pair(a, others[1]), n).first, start.first, t.first),
                    self.fold(
                        length, lambda a, n: step(Pair(others[0], a), n).second, start.second, t.second
                    ),
                )
        return self.reflect(Fold(length, step, start, t), t)

    # equality

    def identical(self, a: Value, b: Value, t: Type | None) -> bool:
        """Whether two values of a type are equal by computation alone; for truth values, the type may be None."""
        self.spend()
        if a is b:
            return not isinstance(a, Unspecified)
        match a, b:
            case Choice(condition, yes, no), Choice(other, other_yes, other_no):
                is_same = self._same_condition(condition, other)
                for holds, x, y in ((True, yes, other_yes), (False, no, other_no)):
                    with self.assuming(condition, holds):
                        is_same = is_same and self.identical(x(), y(), t)
                return is_same
        return all(part is not None and self.identical(*part) for part in self.parts(a, b, t))

    def parts(self, a: Value, b: Value, t: Type | None) -> Iterator[tuple[Value, Value, Type | None] | None]:
        """The pairs of parts whose equality implies that two values are equal; None among them if something else
        differs.
        """
        match a, b:
            case Array(length=length), Array(length=other):
                array = elements_of(t) if t is not None else None
                if array is None or not self.are_equal(length, other):
                    yield None
                    return
                i = self.fresh_index(length)
                yield self.element(a, i), self.element(b, i), array[1](i)
            case Pair(), Pair():
                firsts, seconds, halves = (a.first, a.second), (b.first, b.second), halves_of(t, a)
                yield from (None,) if halves is None else zip(firsts, seconds, halves, strict=True)
            case Function(), Function():
                match t:
                    case FunType(parameter, result):
                        x = self.fresh(parameter, a.name)
                        yield a.call(x), b.call(x), result
                    case DepFunType(_, "nat"):
                        size = self.fresh_size()
                        yield a.call(size), b.call(size), instantiate_dependent(t.result, size)
                    case _:
                        yield None
            case Index(), Index():
                if not self.are_equal(a.nat, b.nat):
                    yield None
            case Fold(), Fold():
                if not self.are_equal(a.length, b.length) or array_form(a.type) != array_form(b.type):
                    yield None
                    return
                yield a.start, b.start, a.type
                accumulator, k = self.fresh(a.type), self.fresh_index(a.length)
                yield a.step(accumulator, k), b.step(accumulator, k), a.type
            case _:
                same = same_parts(a, b, self.are_equal)
                yield from same if same is not None else (None,)

    def _same_condition(self, a: Condition, b: Condition) -> bool:
        match a, b:
            case (Less(), Less()) | (Equal(), Equal()):
                return self.are_equal(a.left, b.left) and self.are_equal(a.right, b.right)  # type: ignore[union-attr]  # as matched
            case Holds(), Holds():
                return self.identical(a.value, b.value, None)
        return False


def same_parts(
    a: Value, b: Value, are_equal: Callable[[Nat, Nat], bool]
) -> list[tuple[Value, Value, Type | None]] | None:
    """The pairs of parts whose equality implies that two neutral values are equal; None if the values have different
    forms.
    """
    match a, b:
        case Symbol(name), Symbol(other):
            return [] if name == other else None
        case Number(bits, t), Number(others, u):
            return [] if type(bits) is type(others) and bits == others and t == u else None
        case Element(of, index), Element(other, place):
            return [(of, other, None)] if are_equal(index, place) else None
        case Half(of, which), Half(other, half):
            return [(of, other, None)] if which == half else None
        case Call(of, argument, None), Call(other, given, None):
            is_size = isinstance(argument, Nat) and isinstance(given, Nat)
            same = are_equal(argument, given) if is_size else argument == given
            return [(of, other, None)] if same else None
        case Call(of, argument, t), Call(other, given, u):
            if t is None or u is None or array_form(t) != array_form(u):
                return None
            return [(of, other, None), (argument, given, t)]
        case Operation(name, parameters, operands), Operation(called, others, values):
            is_same = name == called and len(operands) == len(values) and len(parameters) == len(others)
            if not is_same or any(
                not (are_equal(x, y) if isinstance(x, Nat) and isinstance(y, Nat) else x == y)
                for x, y in zip(parameters, others, strict=True)
            ):
                return None
            pairs = zip(operands, values, strict=True)
            if any(array_form(t) != array_form(u) for (_, t), (_, u) in pairs):
                return None
            return [(x, y, t) for (x, t), (y, _) in zip(operands, values, strict=True)]
    return None
