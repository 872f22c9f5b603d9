"""Compares two values of a type, for all sizes: by cases, by digits of indices, and by lemmas about folds.

The second value refines the first one: where the first is unspecified, the second may be anything. A comparison returns
if it succeeds, and otherwise raises `DifferentError` with the place where it stopped, which does not imply that the
values differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rise.checker.proposals import divisors_of, longest_first, quotients
from rise.checker.state import DifferentError, State, same_parts
from rise.checker.values import (
    Array,
    Call,
    Choice,
    Condition,
    Fold,
    Function,
    Holds,
    Index,
    Operation,
    Pair,
    Symbol,
    Unspecified,
    Value,
    array_form,
    elements_of,
    is_free_of,
    variable_of,
)
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, exact_quotient
from rise.nodes import Node
from rise.primitives import PRIMITIVES, has_trait
from rise.quotients import is_integral
from rise.types import PairType, Type

MAX_DIGITS: Final = 3  # into which an index is decomposed
MAX_CASES: Final = 24  # that are nested

#: tries to prove that a fold and another value are equal; raises DifferentError
Lemma = Callable[["Comparison", Value, Value, Type | None], None]


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
        match a, b:
            case Index(left), Index(right):
                self.indices(left, right)
            case (Pair(), Pair()) | (Function(), Function()):
                for part in state.parts(a, b, t):
                    if part is None:
                        raise DifferentError(a, b)
                    self.compare(*part)
            case (Pair() | Function() | Index() | Array(), _) | (_, Pair() | Function() | Index() | Array()):
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
            atom = variable_of(number)
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
            raise DifferentError(a, b, tuple(one.args[1] for one in quotients(a, b)))

    def stopped(self, lemma: Lemma, a: Value, b: Value, t: Type | None) -> DifferentError | None:
        """Where a lemma stops; None if it proves that b refines a."""
        used = set(self.state.used)
        try:
            lemma(self, a, b, t)
        except DifferentError as error:
            self.state.used = used
            return error
        return None

    def shown(self, lemma: Lemma, a: Value, b: Value, t: Type | None) -> bool:
        """Whether a lemma proves that b refines a."""
        return self.stopped(lemma, a, b, t) is None

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
        for divisor in longest_first(stopped.divisors, length):
            is_natural = is_free_of(divisor, [k]) and self.state.is_nonnegative(divisor)
            if depth == MAX_DIGITS or not is_natural or not is_integral(exact_quotient(length, divisor)):
                continue
            rows = exact_quotient(length, divisor)
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
        for lemma in (*self.lemmas, Comparison.by_parts):
            error = self.stopped(lemma, a, b, t)
            if error is None:
                return
            stopped, divisors = error, divisors + error.divisors
        raise DifferentError(stopped.left, stopped.right, divisors)

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

    def by_parts(self, a: Value, b: Value, t: Type | None) -> None:
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
                case Call(Call(Symbol(name), x, t), y), Call(Call(Symbol(other), v), w) if (
                    name == other and name in self.swapped and t is not None
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
