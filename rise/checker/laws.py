"""Folds of associative operations: sums in a normal form, compared using the laws that are claimed for the operations.

A sum of an operation is a list of items: single values, and ranges of items. By associativity, a fold of `accumulator +
x` from a start value is the start value followed by the range of all x (see decision 0027). So nested folds and
consecutive folds become lists of ranges, which are cut where those of the other side end. Uses only the laws of
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rise.checker.comparison import Comparison, DifferentError, Lemma, divisors_of
from rise.checker.operators import Operator
from rise.checker.printer import value_text
from rise.checker.ranges import Arrangement, CaseError, Item, Range, cut
from rise.checker.values import Call, Choice, Fold, Number, Operation, Symbol, Value
from rise.naturals import Nat, const, exact_quotient
from rise.primitives import PRIMITIVES, with_trait
from rise.quotients import is_integral
from rise.terms import Literal
from rise.types import Type

#: operations whose result is 0 if all their operands are 0
ZERO_OF_ZEROS: Final = with_trait("multiplies") | {
    name for name, record in PRIMITIVES.items() if record.relation == "conversion"
}


def by_laws(*operators: Operator) -> Lemma:
    """The lemma that compares sums of these operations."""

    def lemma(comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
        errors: list[DifferentError] = []
        for operator in operators:
            sums = _Sums(comparison, operator, [one.name for one in operators if one.over == operator.name])
            if not (sums.is_sum(a) or sums.is_sum(b)):
                continue
            try:
                sums.by_cases(lambda: sums.compare(a, b))  # noqa: B023  # called at once
                comparison.state.used.add(str(operator))
                return
            except DifferentError as error:
                errors.append(error)
        divisors = tuple(dict.fromkeys(d for error in errors for d in error.divisors))
        raise DifferentError(a, b, divisors or tuple(divisors_of(a, b)))

    return lemma


class _Sums:
    """Sums of one operation."""

    def __init__(self, comparison: Comparison, operator: Operator, products: Sequence[str]) -> None:
        self.comparison = comparison
        self.state = comparison.state
        self.operator = operator
        self.products = products  # the operations that distribute over this one
        self.arrangement = Arrangement(comparison.state)
        self.reached: list[Value] = []
        self.nothing = Symbol(f"the neutral element of {operator.name}")  # a name that no text can contain

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
        """The items of a value, without neutral elements."""
        self.state.spend()
        if isinstance(value, Choice):
            known = self.state.decide(value.condition)
            return self.chosen(value) if known is None else self.items((value.yes if known else value.no)())
        if self.is_neutral(value):
            return []
        operands = self.operands(value)
        if operands is not None:
            return self.joined(self.items(operands[0]), operands[1])
        if isinstance(value, Fold):
            before = self.items(value.start)
            steps = self.steps(value, bool(before) and self.is_reached(before[0]))
            if steps is not None:
                return [*before, Range(value.length, steps)]
        return self.distributed(value)

    def distributed(self, value: Value) -> list[Item]:
        """The items of a product of sums: `(a + b) * c = a * c + b * c`."""
        factors = _operands(value, self.products)
        if factors is None:
            return [value]
        xs, ys = map(self.items, factors)
        if xs[:1] == [factors[0]] and ys[:1] == [factors[1]]:
            return [value]
        return [_product(value, x, y) for x in xs for y in ys]

    def chosen(self, value: Choice) -> list[Item]:
        """The items of a choice: `if c then a + x else a` has the items a, and a choice of x or the neutral element."""
        if self.operator.neutral is None:
            return [value]
        sides = [self.items(side()) for side in (value.yes, value.no)]
        if any(len(side) not in (1, 2) or isinstance(side[-1], Range) for side in sides):
            return [value]
        (first, *some), (other, *others) = sides
        if first is not other or not (some or others):
            return [value]
        yes, no = (rest[0] if rest else self.nothing for rest in (some, others))
        return [first, Choice(value.condition, lambda: yes, lambda: no)]

    def joined(self, before: list[Item], last: Value) -> list[Item]:
        """The items of `before + last`."""
        after = self.items(last)
        if self.operator.restarts is None:
            return before + after
        if before and self.is_reached(before[0]) and self.is_start(after[0]):
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
        first, second = self.items(fold.step(one, k)), self.items(fold.step(other, k))
        if not first or not second or first[0] is not one or second[0] is not other:
            return None
        if not self.are_identical(first[1:], second[1:]):
            return None  # the added value depends on the accumulator

        def added(i: Nat) -> list[Item]:
            found = self.items(fold.step(one, i))
            if not found or found[0] is not one:
                raise DifferentError(fold, partial(_shown, found))
            return found[1:]

        return added

    def are_identical(self, xs: list[Item], ys: list[Item]) -> bool:
        """Whether two lists of items are equal, item by item, by computation alone."""
        if len(xs) != len(ys):
            return False
        for x, y in zip(xs, ys, strict=True):
            if isinstance(x, Range) and isinstance(y, Range):
                k = self.state.fresh_index(x.length)
                if not self.state.are_equal(x.length, y.length) or not self.are_identical(
                    x.items(k), y.items(k)
                ):
                    return False
            elif isinstance(x, Range) or isinstance(y, Range) or not self.state.identical(x, y, None):
                return False
        return True

    # comparison

    def compare(self, a: Value, b: Value) -> None:
        """Prove that two sums are equal. Raises DifferentError."""
        xs, ys = self.items(a), self.items(b)
        if xs and ys and xs[0] is a and ys[0] is b:
            raise DifferentError(a, b, tuple(divisors_of(a, b)))
        try:
            self.lists(xs, ys)
        except DifferentError:
            for item in (*xs, *ys):
                if isinstance(item, Choice) and self.state.decide(item.condition) is None:
                    raise CaseError(item.condition) from None
            raise

    def lists(self, xs: list[Item], ys: list[Item]) -> None:
        """Prove that two lists of items are equal as sums. Raises DifferentError."""
        xs, ys = self.arrangement.arranged(xs), self.arrangement.arranged(ys)
        if self.operator.idempotent:
            xs, ys = self.arrangement.arranged(self.once(xs)), self.arrangement.arranged(self.once(ys))
        try:
            self.in_order(xs, ys)
            return
        except DifferentError:
            if not self.operator.commutes:
                raise
        xs, ys = self.separated(xs), self.separated(ys)
        try:
            self.in_order(list(xs), list(ys))
        except DifferentError as error:
            self.in_any_order(xs, ys, error)

    def in_order(self, xs: list[Item], ys: list[Item]) -> None:
        """Compare items one by one. The longer one of two ranges is cut; opposite a single value, a range is cut after
        its first index.
        """
        xs, ys = list(xs), list(ys)
        while xs and ys:
            x, y, more, left = self.aligned(xs.pop(0), ys.pop(0))
            xs[:0], ys[:0] = more, left
            if isinstance(x, Range) != isinstance(y, Range):
                of, others = (x, xs) if isinstance(x, Range) else (y, ys)
                assert isinstance(of, Range)
                if self.state.is_nonnegative(of.length - 1):
                    others[:0] = [*of.items(const(0)), cut(of, const(1))[1]]
                    (ys if isinstance(x, Range) else xs).insert(0, y if isinstance(x, Range) else x)
                    continue
            self.item(x, y)
        for rest in (*xs, *ys):
            if not (isinstance(rest, Range) and self.state.is_nonnegative(-1 * rest.length)):
                raise DifferentError(partial(_shown, xs), partial(_shown, ys))

    def by_cases(self, then: Callable[[], None]) -> None:
        """Prove a statement in both cases of each condition that determines where a range is cut."""
        try:
            then()
        except CaseError as case:
            self.comparison.by_cases(case.condition, lambda: self.by_cases(then))

    def item(self, x: Item, y: Item) -> None:
        """Compare two items."""
        if isinstance(x, Range) and isinstance(y, Range):
            self.comparison.equal(x.length, y.length)
            self.comparison.for_each_index(
                x.length,
                lambda k: self.by_cases(
                    lambda: self.in_order(
                        self.arrangement.arranged(x.items(k)), self.arrangement.arranged(y.items(k))
                    )
                ),
            )
        elif isinstance(x, Range) or isinstance(y, Range):
            raise DifferentError(partial(_shown, [x]), partial(_shown, [y]))
        else:
            self.comparison.compare(x, y, None)

    def separated(self, items: list[Item]) -> list[Item]:
        """Ranges of several items as one range for each, by commutativity: `(a + b) + (c + d) = (a + c) + (b + d)`."""
        found: list[Item] = []
        for item in items:
            if isinstance(item, Range):
                last = len(item.items(self.state.fresh_index(item.length))) - 1
                found += [Range(item.length, partial(_part, item, n, n == last)) for n in range(last + 1)]
            else:
                found.append(item)
        return found

    def in_any_order(self, xs: list[Item], ys: list[Item], stopped: DifferentError) -> None:
        """Match each item with an equal one, or a part of a range with a whole range."""
        waiting, rest, divisors = list(xs), list(ys), stopped.divisors
        while waiting:
            x = waiting.pop(0)
            for place, y in enumerate(rest):
                one, other, more, left = self.aligned(x, y)
                try:
                    self.reordered(one, other)
                except DifferentError as error:
                    divisors = (*divisors, *error.divisors)
                    continue
                waiting[:0] = more
                rest[place : place + 1] = left
                break
            else:
                raise DifferentError(stopped.left, stopped.right, tuple(dict.fromkeys(divisors)))
        if rest:
            raise DifferentError(stopped.left, stopped.right, tuple(dict.fromkeys(divisors)))

    def aligned(self, x: Item, y: Item) -> tuple[Item, Item, list[Item], list[Item]]:
        """Two items, and the rest of each: of two ranges, the longer one is cut to the length of the other."""
        if isinstance(x, Range) and isinstance(y, Range) and not self.state.are_equal(x.length, y.length):
            x, y = self.grouped(x, y), self.grouped(y, x)
            if self.state.are_equal(x.length, y.length):
                return x, y, [], []
            if self.state.is_nonnegative(x.length - y.length):
                first, rest = cut(x, y.length)
                return first, y, [rest], []
            if self.state.is_nonnegative(y.length - x.length):
                first, rest = cut(y, x.length)
                return x, first, [], [rest]
        return x, y, [], []

    def grouped(self, x: Range, y: Range) -> Range:
        """A range with its neighbouring items grouped like those of another range."""
        count = len(y.items(self.state.fresh_index(y.length)))
        if count < 2 or not self.state.are_equal(x.length, count * y.length):
            return x
        return Range(y.length, lambda k: [item for r in range(count) for item in x.items(count * k + r)])

    def reordered(self, x: Item, y: Item) -> None:
        """Compare two items. Two ranges are also compared with the digits of an index swapped."""
        try:
            self.item(x, y)
            return
        except DifferentError as error:
            if not isinstance(x, Range) or not isinstance(y, Range):
                raise
            stopped = error
        self.comparison.equal(x.length, y.length)
        k = self.state.fresh_index(x.length)
        inside = (*x.items(k), *y.items(k))
        divisors = dict.fromkeys((*stopped.divisors, *(d for one in inside for d in divisors_of(one))))
        for divisor in divisors:
            rows = exact_quotient(x.length, divisor)
            if not is_integral(rows) or not divisor.free.isdisjoint(k.free - x.length.free):
                continue
            i, j = self.state.fresh_index(rows), self.state.fresh_index(divisor)
            digits = i * divisor + j, j * rows + i
            for one, other in (digits, digits[::-1]):
                try:
                    self.in_order(x.items(one), y.items(other))
                    return
                except DifferentError as error:
                    stopped = error
        raise stopped

    def once(self, items: list[Item]) -> list[Item]:
        """The items without single values that occurred before: `a + b + a = a + b`."""
        found: list[Item] = []
        for item in items:
            if isinstance(item, Range):
                found.append(Range(item.length, partial(self.without, item, tuple(found))))
            elif not self.is_among(item, found):
                found.append(item)
        return found

    def without(self, of: Range, before: tuple[Item, ...], index: Nat) -> list[Item]:
        """The items of a range at an index, without single values that occurred before."""
        items = of.items(index)
        return [item for item in items if isinstance(item, Range) or not self.is_among(item, before)]

    def is_among(self, item: Item, items: Sequence[Item]) -> bool:
        """Whether a single value is one of the single values of a list."""
        return any(not isinstance(one, Range) and self.state.identical(item, one, None) for one in items)


def _operands(value: Value, names: Sequence[str]) -> tuple[Value, Value] | None:
    """The operands, if a value is a result of an operation with one of these names; otherwise None."""
    match value:
        case Operation(name, _, ((x, _), (y, _))) if name in names:
            return x, y
        case Call(Call(Symbol(name), x, _), y, _) if name in names:
            return x, y
    return None


def _product(like: Value, x: Item, y: Item) -> Item:
    """The product of two items, by the same operation as a given product."""
    if isinstance(x, Range):
        return Range(x.length, lambda k: [_product(like, item, y) for item in x.items(k)])
    if isinstance(y, Range):
        return Range(y.length, lambda k: [_product(like, x, item) for item in y.items(k)])
    match like:
        case Operation(name, parameters, ((_, t), (_, u))):
            return Operation(name, parameters, ((x, t), (y, u)))
        case Call(Call(f, _, t), _, u):
            return Call(Call(f, x, t), y, u)
    raise AssertionError(f"{like!r} is no product")


def _is_number(value: Value, number: int) -> bool:
    """Whether a value is this number: as a literal, or for 0 also as the result of an operation on zeros."""
    match value:
        case Number(bits, t):
            return Literal(bits, t).value == number
        case Operation(name, _, operands):
            return number == 0 and name in ZERO_OF_ZEROS and all(_is_number(x, 0) for x, _ in operands)
    return False


def _part(of: Range, number: int, is_last: bool, index: Nat) -> list[Item]:
    """The item with this number of a range at an index; the last part has all remaining items."""
    return of.items(index)[number : None if is_last else number + 1]


def _shown(items: list[Item]) -> str:
    return " + ".join("a sum" if isinstance(one, Range) else value_text(one) for one in items) or "nothing"
