"""The order in which traversals visit the children of a term, as a value.

Terms are accessed only through their children.

The default is the order of `children`; `inOrder(order)(s)` makes a strategy use another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from elevate.argument_checks import expected
from elevate.combinators import Not, Repeat
from elevate.diagnostics import Diagnostic, StrategyError, check_fields, wrong_field
from elevate.directed_strategies import Directed, Orders
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, Traversal, definition_of, expected_strategy
from elevate.term import Place, Term, show_term
from elevate.tracebacks import Checked, ends_at_the_users_line
from elevate.traversals import All, Child, One, Position, Skip, Some

PRIMITIVE_TRAVERSALS = (One, Some, All, Position, Skip)
"""The traversals that iterate over children; all others are defined by them."""


@dataclass(frozen=True, slots=True)
class Order(metaclass=Checked):
    """An order of children: `indices` maps a term to the indices of its children, in the order of visits.

    `indices` must be a module-level function, so that strategies with it can be pickled.
    """

    name: str
    indices: Callable[[Any], Sequence[int]]

    def __post_init__(self) -> None:
        check_fields(self, name=str)
        if not callable(self.indices):
            raise wrong_field(self, "indices", self.indices, "a function")

    def of(self, term: Term) -> Sequence[int]:
        """The indices of a term's children in this order. Raises StrategyError if they are not a permutation."""
        indices = self.indices(term)
        if sorted(indices) != list(range(len(term.children))):
            count = len(term.children)
            title = f"expected the order {self.name} to list each of {count} children once, found {indices}"
            note = f"of {show_term(term)}"
            hint = "an order returns a permutation of range(len(term.children))"
            raise StrategyError(Diagnostic("no-order", title, notes=(note,), hint=hint))
        return indices

    def __repr__(self) -> str:
        return self.name


def _first_to_last(term: Term) -> Sequence[int]:
    return range(len(term.children))


def _last_to_first(term: Term) -> Sequence[int]:
    return range(len(term.children) - 1, -1, -1)


firstToLast = Order("firstToLast", _first_to_last)
lastToFirst = Order("lastToFirst", _last_to_first)


@dataclass(frozen=True, slots=True)
class InOrder(Strategy):
    """A strategy whose traversals visit children in an order; the innermost `inOrder` takes precedence."""

    order: Order
    inner: Strategy
    curried: ClassVar[bool] = True

    @property
    def traverses(self) -> bool:  # type: ignore[override]  # constant in other classes; here it depends on the part
        """Whether its definition applies itself only to children."""
        return self.inner.traverses or self.inner.unfold() is None

    def inside(self, strategy: Strategy) -> Strategy:
        """A part of the strategy with the same order."""
        return inside(self.order, strategy)

    def unfold(self) -> Strategy | None:
        return None if isinstance(self.inner, PRIMITIVE_TRAVERSALS) else through(self.inner, self.inside)


@dataclass(frozen=True, slots=True)
class InOrderDirected(Directed):
    """A directed strategy whose orders are carried out with another order of children."""

    order: Order
    inner: Directed
    spelling: ClassVar[str] = "inOrder"
    curried: ClassVar[bool] = True

    def orders(self, term: Any) -> Orders:
        inner_orders = self.inner.orders(term)
        happened = None
        while True:
            try:
                strategy, path = inner_orders.send(happened)
            except StopIteration as done:
                return bool(done.value)
            happened = yield inside(self.order, strategy), path


@ends_at_the_users_line
def inOrder(order: Order) -> Traversal:
    """Make a strategy visit children in an order: `inOrder(lastToFirst)(topDown(s))`.

    >>> from elevate import topDown
    >>> from elevate.toy import fToG, tree
    >>> inOrder(lastToFirst)(topDown(fToG))(tree("p", tree("f", "a"), tree("f", "b"))).program
    p(f(a), g(b))
    """
    hint = "pass an Order, such as lastToFirst"
    chosen = expected(order, Order, "an order of children", "no-order", hint)
    return lambda inner: inside(chosen, expected_strategy(inner))


def inside(order: Order, strategy: Strategy) -> Strategy:
    """A strategy with an order for its traversals; a strategy without traversals stays as it is."""
    match strategy:
        case Rule() | Predicate() | Id() | Fail() | InOrder() | InOrderDirected():
            return strategy
        case Directed():
            return InOrderDirected(order, strategy)
        case _:
            return InOrder(order, strategy)


def through(strategy: Strategy, wrap: Callable[[Strategy], Strategy]) -> Strategy:
    """A combinator applied to its wrapped parts; for any other strategy, its wrapped definition.

    One-level traversals other than `child` are left to the caller.
    """
    match strategy:
        case Rule() | Predicate() | Id() | Fail():
            return strategy
        case Seq(parts):
            return Seq(tuple(map(wrap, parts)))
        case LChoice(alternatives):
            return LChoice(tuple(map(wrap, alternatives)))
        case Not(inner):
            return Not(wrap(inner))
        case Repeat(inner):
            return Repeat(wrap(inner))
        case Child(index, inner):
            return Child(index, wrap(inner))
        case _:
            body = definition_of(strategy)
            return strategy if body is None else wrap(body)


def children_of(strategy: Strategy, inner: Strategy, term: Term) -> Iterator[tuple[int, Term, Strategy]]:
    """The children that a one-level traversal visits, with their indices, and what it applies to each."""
    children = term.children
    match strategy:
        case InOrder(order, _):
            part = strategy.inside(inner)
            for index in order.of(term):
                yield index, children[index], part
        case _:
            for index, child in enumerate(children):
                yield index, child, inner


def places_of(strategy: Strategy, term: Term) -> Iterator[tuple[Term, Place]]:
    """Every subterm with its place relative to the term, parents first, in the order of a strategy."""
    waiting: list[tuple[Term, Place]] = [(term, None)]
    while waiting:
        node, place = waiting.pop()
        yield node, place
        children = node.children
        indices = strategy.order.of(node) if isinstance(strategy, InOrder) else range(len(children))
        waiting.extend((children[index], (place, index)) for index in reversed(indices))


def part_of(strategy: Strategy, inner: Strategy) -> Strategy:
    """The strategy that a traversal applies, with the order of the traversal."""
    return strategy.inside(inner) if isinstance(strategy, InOrder) else inner
