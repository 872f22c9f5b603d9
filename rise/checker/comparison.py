"""Compares two values of a type, for all sizes: by cases, by digits of indices, and by lemmas about folds.

The second value refines the first one: where the first is unspecified, the second may be anything. A comparison returns
if it succeeds, and otherwise raises `DifferentError` with the place where it stopped, which does not imply that the
values differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from rise.checker.printer import value_text
from rise.checker.state import State, same_parts
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
    Operation,
    Pair,
    Symbol,
    Unspecified,
    Value,
    array_form,
    elements_of,
    halves_of,
)
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, exact_quotient
from rise.nodes import Node, postorder
from rise.primitives import PRIMITIVES, has_trait
from rise.quotients import NatCall, is_integral
from rise.text.nat_printer import show_nat
from rise.types import DepFunType, DepPairType, FunType, PairType, Type, instantiate_dependent

MAX_DIGITS: Final = 3  # into which an index is decomposed
MAX_CASES: Final = 24  # that are nested
MAX_PARTS: Final = 6  # of nested values that are searched for divisors

#: tries to prove that a fold and another value are equal; raises DifferentError
Lemma = Callable[["Comparison", Value, Value, Type | None], None]


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
        return f"{_side_text(self.left)} and {_side_text(self.right)}"


def _side_text(side: Value) -> str:
    if isinstance(side, Nat):
        return show_nat(side)
    return side() if callable(side) else value_text(side)


class Comparison:
    """One comparison, with the lemmas that it may use."""

    def __init__(
        self,
        state: State,
        lemmas: tuple[Lemma, ...] = (),
        whole: tuple[Lemma, ...] = (),
        swapped: frozenset[str] = frozenset(),
    ) -> None:
        self.state = state
        self.lemmas = lemmas
        self.whole = whole  # the lemmas about whole arrays
        self.swapped = swapped  # the inputs whose two operands may be swapped
        self.cases = 0

    def compare(self, a: Value, b: Value, t: Type | None) -> None:
        """Prove that b refines a; values without a type are neutral. Raises DifferentError."""
        state = self.state
        state.spend()
        if a is b:
            return
        array = elements_of(t) if t is not None else None
        is_whole = array is not None or isinstance(t, PairType)
        if is_whole and any(self.shown(lemma, a, b, t) for lemma in self.whole):
            return
        if array is not None:
            length, element = array
            self.for_each_index(
                length, lambda k: self.compare(state.element(a, k), state.element(b, k), element(k))
            )
            return
        match a, b, t:
            case Pair(), Pair(), PairType() | DepPairType():
                self.compare(a.first, b.first, t.first if isinstance(t, PairType) else None)
                halves = halves_of(t, a)
                self.compare(a.second, b.second, halves[1] if halves else None)
            case Function(), Function(), FunType(parameter, result):
                x = state.fresh(parameter, a.name)
                self.compare(a.call(x), b.call(x), result)
            case Function(), Function(), DepFunType(_, "nat"):
                size = state.fresh_size()
                self.compare(a.call(size), b.call(size), instantiate_dependent(t.result, size))
            case Index(left), Index(right), _:
                self.indices(left, right)
            case (Pair() | Function() | Index() | Array(), _, _) | (
                _,
                Pair() | Function() | Index() | Array(),
                _,
            ):
                raise DifferentError(a, b)
            case _:
                self._neutral(a, b, t)

    def indices(self, a: Nat, b: Nat) -> None:
        """Prove that two indices are equal; for opaque ones, compares their definitions. Raises DifferentError."""
        state = self.state
        state.spend()
        opaque = {number: value for value, number in state.opaque}
        if a == b or state.are_equal(a, b):
            return
        for number, value in opaque.items():
            ((((atom, _),), _),) = number.terms
            if isinstance(value, Choice) and (atom in a.free or atom in b.free):
                known = state.decide(value.condition)
                if known is None:
                    self.by_cases(value.condition, lambda: self.indices(a, b))
                    return
                chosen: dict[Node, Any] = {atom: (value.yes if known else value.no)().nat}
                self.indices(substitute_names(a, chosen), substitute_names(b, chosen))
                return
        if a not in opaque or b not in opaque:
            self.equal(a, b)
        else:
            self.compare(opaque[a], opaque[b], None)

    def equal(self, a: Nat, b: Nat) -> None:
        """Prove that two naturals are equal. Raises DifferentError."""
        if not self.state.are_equal(a, b):
            raise DifferentError(a, b, tuple(one.args[1] for one in _quotients(a, b)))

    def shown(self, lemma: Lemma, a: Value, b: Value, t: Type | None) -> bool:
        """Whether a lemma proves that b refines a."""
        used = set(self.state.used)
        try:
            lemma(self, a, b, t)
        except DifferentError:
            self.state.used = used
            return False
        return True

    def for_each_index(self, length: Nat, then: Callable[[Nat], None], depth: int = 0) -> None:
        """Prove a statement, `then`, for all indices below a length.

        If the proof stops at a quotient of the index by a divisor of the length, the index is replaced by `i * divisor
        + j`.
        """
        if length.constant == 0:
            return
        k = self.state.fresh_index(length)
        try:
            with self.state.inside(k, length):
                then(k)
            return
        except DifferentError as error:
            stopped = error
        ((((variable, _),), _),) = k.terms
        for divisor in sorted(
            stopped.divisors, key=lambda d: -sum(1 for _ in d.terms[0][0]) if d.terms else 0
        ):
            if depth == MAX_DIGITS or variable in divisor.free or not divisor.terms:
                continue
            rows = exact_quotient(length, divisor)
            if not is_integral(rows) or divisor == length:
                continue
            try:
                self.for_each_index(
                    rows,
                    lambda i, d=divisor: self.for_each_index(d, lambda j: then(i * d + j), depth + 1),  # type: ignore[misc]  # mypy has no type for the default
                    depth + 1,
                )
                return
            except DifferentError as error:
                stopped = error
        raise stopped

    def by_cases(self, condition: Condition, then: Callable[[], None]) -> None:
        """Prove a statement, `then`, both if a condition holds and if it does not."""
        if self.cases == MAX_CASES:
            raise DifferentError(lambda: f"{MAX_CASES} cases", lambda: "more")
        while isinstance(condition, Holds) and isinstance(condition.value, Choice):
            under, yes, no = condition.value.condition, condition.value.yes, condition.value.no
            known = self.state.decide(under)
            condition = under if known is None else Holds((yes if known else no)())
        self.state.used.add("cases")
        self.cases += 1
        try:
            for value in (True, False):
                with self.state.assuming(condition, value) as is_possible:
                    if is_possible:
                        then()
        finally:
            self.cases -= 1

    def _neutral(self, a: Value, b: Value, t: Type | None) -> None:
        for side in (a, b):
            if isinstance(side, Choice):
                self._choice(side, a, b, t)
                return
        if isinstance(a, Unspecified):
            self.state.used.add("unspecified elements")
            return
        if self.state.identical(a, b, None):
            return
        divisors: tuple[Nat, ...] = ()
        for lemma in self.lemmas:
            used = set(self.state.used)
            try:
                lemma(self, a, b, t)
                return
            except DifferentError as error:
                self.state.used = used
                divisors += error.divisors
        try:
            self.by_parts(a, b)
        except DifferentError as error:
            raise DifferentError(error.left, error.right, (*divisors, *error.divisors)) from None

    def _choice(self, choice: Choice, a: Value, b: Value, t: Type | None) -> None:
        """Compare two values, one of which is this choice. Of two by equal conditions, the sides are compared."""
        known = self.state.decide(choice.condition)
        if known is not None:
            chosen = (choice.yes if known else choice.no)()
            self.compare(*((chosen, b) if choice is a else (a, chosen)), t)
            return
        match a, b:
            case Choice(Holds(x)), Choice(Holds(y), yes, no) if self.shown(Comparison.compare, x, y, None):
                b = Choice(a.condition, yes, no)
        try:
            self.by_cases(choice.condition, lambda: self._neutral(a, b, t))
        except DifferentError as error:
            is_fold = isinstance(a, Fold) or isinstance(b, Fold)
            if not is_fold or not any(self.shown(one, a, b, t) for one in self.whole):
                raise DifferentError(
                    error.left, error.right, (*error.divisors, *divisors_of(choice))
                ) from None

    def by_parts(self, a: Value, b: Value) -> None:
        """Prove that two neutral values of the same form have equal parts. Raises DifferentError."""
        if isinstance(a, Fold) and isinstance(b, Fold):
            self.folds(a, b)
            return
        parts = same_parts(a, b, self.state.are_equal)
        if parts is None:
            raise DifferentError(a, b, tuple(divisors_of(a, b)))
        try:
            for part in parts:
                self.compare(*part)
        except DifferentError:
            match a, b:
                case Operation(name, _, ((x, t), (y, _))), Operation(_, _, ((v, _), (w, _))) if commutes(
                    name
                ):
                    pass
                case Call(Call(Symbol(name), x, t), y), Call(Call(_, v), w) if (
                    name in self.swapped and t is not None
                ):
                    pass
                case _:
                    raise
            self.compare(x, w, t)
            self.compare(y, v, t)
            self.state.used.add(f"{name} commutes")

    def folds(self, a: Fold, b: Fold) -> None:
        """Prove that two folds have the same length, start value and step. Raises DifferentError."""
        if array_form(a.type) != array_form(b.type):
            raise DifferentError(a, b)
        self.equal(a.length, b.length)
        self.compare(a.start, b.start, a.type)
        accumulator = self.state.fresh(a.type)
        self.for_each_index(
            a.length, lambda k: self.compare(a.step(accumulator, k), b.step(accumulator, k), a.type)
        )


def commutes(name: str) -> bool:
    """Whether an operation on two numbers gives the same bits if these are swapped."""
    record = PRIMITIVES.get(name)
    return record is not None and (
        record.neutral is not None or (has_trait(name, "chooses") and has_trait(name, "lanewise"))
    )


def divisors_of(*values: Value) -> Iterator[Nat]:
    """The divisors of quotients that occur in the indices, conditions and lengths of neutral values."""
    return (quotient.args[1] for quotient in quotients_of(*values))


def quotients_of(*values: Value, state: State | None = None, depth: int = 0) -> Iterator[NatCall]:
    """The quotients in the indices, conditions and lengths of neutral values; with a state, also in steps and cases."""
    for value in values:
        parts: tuple[Value, ...] = ()
        match value:
            case Element(of, index):
                yield from _quotients(index)
                parts = (of,)
            case Half(of, _):
                parts = (of,)
            case Operation(_, _, operands):
                parts = tuple(x for x, _ in operands)
            case Fold(length, step, start, t):
                yield from _quotients(length)
                if state is not None:
                    parts = (start, step(state.fresh(t), state.fresh_index(length)))
            case Choice(condition, yes, no):
                match condition:
                    case Holds(truth):
                        parts = (truth,)
                    case Less(left, right) | Equal(left, right):
                        yield from _quotients(left, right)
                if state is not None:
                    parts += (yes(), no())
            case Index(index):
                yield from _quotients(index)
            case Pair(first, second):
                parts = (first, second)
            case _:
                of, argument = getattr(value, "of", None), getattr(value, "argument", None)
                parts = tuple(x for x in (of, argument) if x is not None)
        if depth < MAX_PARTS:
            yield from quotients_of(*parts, state=state, depth=depth + 1)


def _quotients(*naturals: Nat) -> Iterator[NatCall]:
    for natural in naturals:
        for node in postorder(natural):
            match node:
                case NatCall("floor" | "ceil"):
                    yield node
