"""Folds of associative operations: sums in a normal form, compared using the laws that are claimed for the operations.

A sum of an operation is a list of items: single values, and boxes of items. By associativity, a fold of `accumulator +
x` from a start value is the start value followed by a box of all x (see decision 0027). So nested folds and
consecutive folds become lists of boxes, which are cut where those of the other side end. Uses only the laws of
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rise.checker.boxes import Boxes, CaseError, aligned, cut
from rise.checker.comparison import Comparison, Lemma
from rise.checker.operators import Operator
from rise.checker.printer import value_text
from rise.checker.proposals import divisors_of
from rise.checker.state import DifferentError
from rise.checker.values import Box, Call, Choice, Fold, Item, Number, Operation, Symbol, Value
from rise.naturals import Nat, const
from rise.primitives import PRIMITIVES, with_trait
from rise.terms import Literal
from rise.types import Type

#: operations whose result is 0 if all their operands are 0
ZERO_OF_ZEROS: Final = with_trait("multiplies") | {
    name for name, record in PRIMITIVES.items() if record.relation == "conversion"
}


def by_laws(*operators: Operator) -> Lemma:
    """The lemma that compares sums of these operations."""

    def lemma(comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
        divisors: tuple[Nat, ...] = ()
        for operator in operators:
            sums = _Sums(comparison, operator, [one.name for one in operators if one.over == operator.name])
            if not (sums.is_sum(a) or sums.is_sum(b)):
                continue
            try:
                sums.by_cases(lambda: sums.compare(a, b))  # noqa: B023  # called at once
                comparison.state.used.add(str(operator))
                return
            except DifferentError as error:
                divisors += error.divisors
        raise DifferentError(a, b, divisors or tuple(divisors_of(a, b)))

    return lemma


class _Sums:
    """Sums of one operation."""

    def __init__(self, comparison: Comparison, operator: Operator, products: Sequence[str]) -> None:
        self.comparison = comparison
        self.state = comparison.state
        self.operator = operator
        self.products = products  # the operations that distribute over this one
        self.nothing = Symbol(f"the neutral element of {operator.name}")  # a name that no text can contain
        self.boxes = Boxes(comparison, self.in_order, operator.idempotent, self.nothing)
        self.reached: list[Value] = []

    def operands(self, value: Value) -> tuple[Value, Value] | None:
        """The operands, if a value is a result of the operation; otherwise None."""
        return _operands(value, (self.operator.name,))

    def is_sum(self, value: Value) -> bool:
        """Whether a value may be a sum of several items."""
        return isinstance(value, Fold) or self.operands(value) is not None

    def is_neutral(self, value: Value) -> bool:
        """Whether a value is the neutral element."""
        match value, self.operator.neutral:
            case Symbol(name), str(neutral):
                return name in (neutral, self.nothing.name)
            case Symbol(name), int():
                return name == self.nothing.name
            case _, int(neutral):
                return _is_number(value, neutral)
        return False

    def items(self, value: Value) -> list[Item]:
        """The items of a value, of which neutral ones are `nothing`.

        With more facts, there can be more items, if a choice turns out to be a sum, but never fewer; so while there are
        as many, they are in the same places.
        """
        self.state.spend()
        if isinstance(value, Choice):
            known = self.state.decide(value.condition)
            return [value] if known is None else self.items((value.yes if known else value.no)())
        if self.is_neutral(value):
            return [self.nothing]
        operands = self.operands(value)
        if operands is not None:
            return self.joined(self.items(operands[0]), operands[1])
        if isinstance(value, Fold):
            before = self.items(value.start)
            steps = self.steps(value, self.is_reached(before[0]))
            if steps is not None:
                return [*before, Box((value.length,), steps)]
        return self.distributed(value)

    def distributed(self, value: Value) -> list[Item]:
        """The items of a product of sums: `(a + b) * c = a * c + b * c`."""
        factors = _operands(value, self.products)
        if factors is None:
            return [value]
        xs, ys = map(self.items, factors)
        if xs == [factors[0]] and ys == [factors[1]]:
            return [value]
        return [self.product(value, x, y) for x in xs for y in ys]

    def product(self, like: Value, x: Item, y: Item) -> Item:
        """The product of two items, by the same operation as a given product."""
        if isinstance(x, Box):
            return Box(x.lengths, lambda k: [self.product(like, item, y) for item in x.items(k)])
        if isinstance(y, Box):
            return Box(y.lengths, lambda k: [self.product(like, x, item) for item in y.items(k)])
        if self.nothing in (x, y):
            return self.nothing
        match like:
            case Operation(name, parameters, ((_, t), (_, u))):
                return Operation(name, parameters, ((x, t), (y, u)))
            case Call(Call(f, _, t), _, u):
                return Call(Call(f, x, t), y, u)
        raise AssertionError(f"{like!r} is no product")

    def joined(self, before: list[Item], last: Value) -> list[Item]:
        """The items of `before + last`."""
        after = self.items(last)
        if self.operator.restarts is None:
            return before + after
        if self.is_reached(before[0]) and self.is_start(after[0]):
            return before + after[1:]
        return [*before, last]

    def is_start(self, item: Item) -> bool:
        """Whether an item is the value from which folds may restart."""
        return isinstance(item, Symbol) and item.name == self.operator.restarts

    def is_reached(self, item: Item) -> bool:
        """Whether a list of items that begins with an item is the result of a fold from that start value."""
        return self.is_start(item) or any(item is one for one in self.reached)

    def steps(self, fold: Fold, is_reached: bool) -> Callable[[Nat], list[Item]] | None:
        """The items that each step of a fold adds to its accumulator; None if steps use the accumulator otherwise."""
        one, other = self.state.fresh(fold.type), self.state.fresh(fold.type)
        if is_reached:
            self.reached += (one, other)
        k = self.state.fresh_index(fold.length)
        first, second = (self.added(fold.step(x, k), x) for x in (one, other))
        if first is None or second is None or not self.boxes.are_identical(first, second):
            return None  # the added value depends on the accumulator

        def added(i: Nat) -> list[Item]:
            found = self.added(fold.step(one, i), one)
            if found is None or (len(found) != len(first) and (found or len(first) > 1)):
                raise DifferentError(fold, "a step of another form")
            return found or [self.nothing for _ in first]

        return added

    def added(self, value: Value, accumulator: Value) -> list[Item] | None:
        """The items after the accumulator in a step; None if it is not the first one."""
        found = self.items(value)
        while found and found[0] is self.nothing:
            found = found[1:]
        return found[1:] if found and found[0] is accumulator else None

    # comparison

    def compare(self, a: Value, b: Value) -> None:
        """Prove that two sums are equal. Raises DifferentError."""
        xs, ys = self.items(a), self.items(b)
        if xs and ys and xs[0] is a and ys[0] is b:
            raise DifferentError(a, b, tuple(divisors_of(a, b)))
        try:
            # by restarts, a list may get shorter when more is known, so its items are not separated
            is_any_order = self.operator.commutes and self.operator.restarts is None
            (self.boxes.compare if is_any_order else self.in_order)(xs, ys)
        except DifferentError:
            for item in (*xs, *ys):
                if isinstance(item, Choice) and self.state.decide(item.condition) is None:
                    raise CaseError(item.condition) from None
            raise

    def in_order(self, xs: list[Item], ys: list[Item]) -> None:
        """Compare items one by one. The longer one of two boxes is cut; opposite a single value, a box is cut after
        its first index.
        """
        xs, ys = self.boxes.arranged(xs), self.boxes.arranged(ys)
        while xs and ys:
            x, y = xs.pop(0), ys.pop(0)
            if isinstance(x, Box) and isinstance(y, Box):
                x, y = self.grouped(x, y), self.grouped(y, x)
            x, y, more, left = aligned(self.state, x, y)
            xs[:0], ys[:0] = more, left
            if isinstance(x, Box) != isinstance(y, Box):
                box, others = (x, xs) if isinstance(x, Box) else (y, ys)
                assert isinstance(box, Box)
                if self.state.is_nonnegative(box.lengths[0] - 1):
                    others[:0] = self.boxes.arranged([*box.items(const(0)), cut(box, 0, const(1))[1]])
                    (ys if isinstance(x, Box) else xs).insert(0, y if isinstance(x, Box) else x)
                    continue
            self.item(x, y)
        for rest in (*xs, *ys):
            if not (isinstance(rest, Box) and self.state.is_nonnegative(-1 * rest.lengths[0])):
                raise DifferentError(partial(_shown, xs), partial(_shown, ys))

    def by_cases(self, then: Callable[[], None]) -> None:
        """Prove a statement in both cases of each condition that determines where a box is cut."""
        try:
            then()
        except CaseError as case:
            self.comparison.by_cases(case.condition, lambda: self.by_cases(then))

    def item(self, x: Item, y: Item) -> None:
        """Compare two items."""
        if isinstance(x, Box) and isinstance(y, Box):
            self.comparison.equal(x.lengths[0], y.lengths[0])
            self.comparison.for_each_index(
                x.lengths[0], lambda k: self.by_cases(lambda: self.in_order(x.items(k), y.items(k)))
            )
        elif isinstance(x, Box) or isinstance(y, Box):
            raise DifferentError(partial(_shown, [x]), partial(_shown, [y]))
        else:
            self.comparison.compare(x, y, None)

    def grouped(self, x: Box, y: Box) -> Box:
        """A box with its neighbouring items grouped like those of another one."""
        count = len(y.items(*self.boxes.indices(y)))
        if count < 2 or not self.state.are_equal(x.lengths[0], count * y.lengths[0]):
            return x
        return Box(y.lengths, lambda k: [item for r in range(count) for item in x.items(count * k + r)])


def _operands(value: Value, names: Sequence[str]) -> tuple[Value, Value] | None:
    """The operands, if a value is a result of an operation with one of these names; otherwise None."""
    match value:
        case Operation(name, _, ((x, _), (y, _))) if name in names:
            return x, y
        case Call(Call(Symbol(name), x, _), y, _) if name in names:
            return x, y
    return None


def _is_number(value: Value, number: int) -> bool:
    """Whether a value is this number: as a literal, or for 0 also as the result of an operation on zeros."""
    match value:
        case Number(bits, t):
            return Literal(bits, t).value == number
        case Operation(name, _, operands):
            return number == 0 and name in ZERO_OF_ZEROS and all(_is_number(x, 0) for x, _ in operands)
    return False


def _shown(items: list[Item]) -> str:
    return " + ".join("a sum" if isinstance(one, Box) else value_text(one) for one in items) or "nothing"
