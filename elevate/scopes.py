"""Scoped names for terms found at run time, and dynamic rules. Independent of languages.

`bind("x", isF)(s)` binds x to the first subterm on which `isF` succeeds and runs s, in which `isBound("x")` tests
whether a term is that one, and `rewriteBound("x", "y")` is the rule that rewrites it to the term bound to y. Below
binders of the language a bound term is adjusted to its new place: the language says how by its `Binders`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from elevate.argument_checks import expected_text
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.directed_strategies import At, Directed, Orders
from elevate.floats import FloatClass
from elevate.orders import InOrder, firstToLast, inside, places_of, through
from elevate.queries import succeeds
from elevate.rules import IsEqualTo, Predicate, Rule
from elevate.strategy import CHOICE, Fail, Id, Strategy, Traversal, expected_strategy, fail, id_
from elevate.term import Path, Term, path_of, preorder, subterm, surroundings
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import All, Child, One, Position, Skip, Some

Bindings = tuple[tuple[str, Term], ...]
"""Names and the terms they are bound to, sorted by name."""


class Binders(Protocol):
    """How a language with binders moves terms across them."""

    def is_closed(self, term: Any) -> bool:
        """Whether a term means the same everywhere."""
        ...

    def inward(self, term: Any, node: Any) -> Term:
        """A term from outside a node, adjusted to a place below the node."""
        ...

    def outward(self, term: Any, node: Any) -> Term | None:
        """A term from below a node, adjusted to the place of the node; None if it mentions what the node binds."""
        ...


@dataclass(frozen=True, slots=True)
class NoBinders:
    """For a language without binders."""

    def is_closed(self, term: Any) -> bool:
        return True

    def inward(self, term: Any, node: Any) -> Term:
        return term  # type: ignore[no-any-return]  # the argument

    def outward(self, term: Any, node: Any) -> Term | None:
        return term  # type: ignore[no-any-return]  # the argument


class Finder(Protocol):
    """Finds subterms and names them. Must be a frozen dataclass, so that strategies with it are data."""

    def find(self, term: Any, binders: Binders) -> Mapping[str, Term] | None:
        """The terms by name; None if there are none."""
        ...


@dataclass(frozen=True, slots=True)
class First:
    """The first subterm, parents first, on which a strategy succeeds and which can be moved to the root."""

    name: str
    strategy: Strategy

    def find(self, term: Any, binders: Binders) -> Mapping[str, Term] | None:
        for candidate, place in preorder(term):
            if succeeds(self.strategy, candidate):
                moved: Term | None = candidate
                for node in reversed(surroundings(term, path_of(place))):
                    moved = None if moved is None else binders.outward(moved, node)
                if moved is not None:
                    return {self.name: moved}
        return None

    def __repr__(self) -> str:
        return repr(self.name) if self.strategy == id_ else f"{self.name!r}, {self.strategy}"


@dataclass(frozen=True, slots=True)
class IsBound(Predicate):
    """Holds for the term that a name is bound to. A run raises StrategyError if the name is unbound."""

    name: str

    @property
    def roots(self) -> None:
        return None

    @property
    def depth(self) -> None:
        return None

    def holds(self, term: Any) -> bool:
        raise unbound(self.name, self)


@dataclass(frozen=True, slots=True)
class RewriteBound(Rule):
    """The rule from the term that one name is bound to, to the term of another name."""

    old: str
    new: str
    float_class: FloatClass = FloatClass.EXACT

    @property
    def roots(self) -> None:
        return None

    @property
    def depth(self) -> None:
        return None

    @property
    def name(self) -> str:
        return f"rewriteBound({self.old!r}, {self.new!r})"

    def apply(self, term: Any) -> Term | None:
        raise unbound(self.old, self)


@dataclass(frozen=True, slots=True)
class Becomes(Rule):
    """The rule from one term to another: `rewriteBound` once both names are bound.

    The new term may mention variables that the old one does not: it has been adjusted to its new place.
    """

    is_scoped: ClassVar[bool] = True

    name: str
    old: Term
    new: Term
    float_class: FloatClass = FloatClass.EXACT

    @property
    def depth(self) -> None:
        return None

    @property
    def roots(self) -> frozenset[Hashable]:
        return frozenset([self.old.root])

    def apply(self, term: Any) -> Term | None:
        return self.new if term == self.old else None


@dataclass(frozen=True, slots=True)
class Bind(Directed):
    """Find terms, and apply a strategy with these bound to names; fails if none are found."""

    finder: Finder
    binders: Binders
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        return (yield self.bound(term, ()), ()) is not None

    def bound(self, term: Term, outer: Bindings) -> Strategy:
        """The strategy with the new and the outer bindings."""
        matches = self.finder.find(term, self.binders)
        if matches is None:
            return fail
        return within(tuple(sorted({**dict(outer), **matches}.items())), self.binders, self.inner)

    def show(self, binding: int = CHOICE) -> str:
        return f"bind({self.finder!r})({self.inner.show()})"


@dataclass(frozen=True, slots=True)
class Within(Directed):
    """A strategy in which names are bound."""

    names: Bindings
    binders: Binders
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        inner = self.inner
        if not isinstance(inner, Directed):
            return (yield self.step(inner, term), ()) is not None
        if isinstance(inner, Bind):
            return (yield inner.bound(term, self.names), ()) is not None
        inner_orders = inner.orders(term)
        happened = None
        while True:
            try:
                strategy, path = inner_orders.send(happened)
            except StopIteration as done:
                return bool(done.value)
            whole = happened.term if happened is not None else term
            exists = subterm(whole, path) is not None
            happened = yield (self.at(strategy, whole, path) if exists else strategy), path
            term = happened.term if happened is not None else whole

    def step(self, inner: Strategy, term: Term) -> Strategy:
        """A strategy for a term, with the names bound in its parts."""
        match inner:
            case One(part) | Some(part) | All(part):
                return type(inner)(self.at_child(part, term))
            case Child(index, part):
                return Child(index, self.at_child(part, term))
            case Position(n, part):
                return self.at_position(InOrder(firstToLast, inner), n, part, term)
            case InOrder(_, Position(n, part)):
                return self.at_position(inner, n, part, term)
            case InOrder(order, (One(part) | Some(part) | All(part)) as traversal):
                return InOrder(order, type(traversal)(self.at_child(inside(order, part), term)))
            case Skip(n, part) | InOrder(_, Skip(n, part)):
                if not closed(self.names, self.binders):
                    raise unmoved(inner)
                skip = Skip(n, self.here(part))
                return InOrder(inner.order, skip) if isinstance(inner, InOrder) else skip
            case _:
                return through(inner, self.here)

    def here(self, part: Strategy) -> Strategy:
        """A part that is applied to the same term."""
        return within(self.names, self.binders, part)

    def at_child(self, part: Strategy, term: Term) -> Strategy:
        """A part that is applied to a child of a term."""
        names = tuple((name, self.binders.inward(bound, term)) for name, bound in self.names)
        return within(names, self.binders, part)

    def at(self, part: Strategy, term: Term, path: Path) -> Strategy:
        """A part that is applied at a path of a term."""
        names = self.names
        for node in surroundings(term, path):
            names = tuple((name, self.binders.inward(bound, node)) for name, bound in names)
        return within(names, self.binders, part)

    def at_position(self, ordered: InOrder, n: int, part: Strategy, term: Term) -> Strategy:
        """A part that is applied at the n-th place."""
        for count, (_, place) in enumerate(places_of(ordered, term)):
            if count == n:
                path = path_of(place)
                return At(path, self.at(inside(ordered.order, part), term, path))
        return fail

    def show(self, binding: int = CHOICE) -> str:
        return self.inner.show(binding)


def within(names: Bindings, binders: Binders, strategy: Strategy) -> Strategy:
    """A strategy with names bound; rules and predicates that use none of them stay as they are."""
    terms = dict(names)
    match strategy:
        case IsBound(name) if name in terms:
            return IsEqualTo(terms[name])
        case RewriteBound(old, new, float_class) if old in terms and new in terms:
            return Becomes(strategy.name, terms[old], terms[new], float_class)
        case Rule() | Predicate() | Id() | Fail():
            return strategy
        case Directed():
            return Within(names, binders, strategy)
        case _ if type(strategy).__module__.startswith("elevate.") and closed(names, binders):
            return strategy.rebuild(tuple(within(names, binders, part) for part in strategy.children))
        case _:
            return Within(names, binders, strategy)


def closed(names: Bindings, binders: Binders) -> bool:
    """Whether all bound terms mean the same everywhere."""
    return all(binders.is_closed(term) for _, term in names)


@ends_at_the_users_line
def bind(name: str, what: Strategy = id_, *, binders: Binders | None = None) -> Traversal:
    """Bind a name to the first subterm on which `what` succeeds, within a strategy: `bind("x", isF)(s)`.

    Without `what` the name is bound to the term that the strategy is applied to.

    >>> from elevate import normalize, topDown, where
    >>> from elevate.toy import tree
    >>> isF, isK = where(lambda t: t.label == "f"), where(lambda t: t.label == "k")
    >>> share = bind("x", isF)(bind("y", isK)(normalize(rewriteBound("x", "y"))))
    >>> share(tree("p", tree("f", "a"), tree("p", tree("f", "a"), tree("k", "b")))).program
    p(k(b), p(k(b), k(b)))
    """
    expected_text(name, "a name to bind")
    expected_strategy(what)
    return lambda inner: Bind(First(name, what), binders or NoBinders(), inner)


@ends_at_the_users_line
def bindFound(finder: Finder, binders: Binders | None = None) -> Traversal:
    """Bind all names that a finder finds, such as the variables of a pattern, within a strategy."""
    return lambda inner: Bind(finder, binders or NoBinders(), inner)


@ends_at_the_users_line
def isBound(name: str) -> Strategy:
    """Succeed without a change on the term that a name is bound to."""
    return IsBound(name)


@ends_at_the_users_line
def rewriteBound(old: str, new: str, float_class: FloatClass = FloatClass.EXACT) -> Strategy:
    """The rule from the term that `old` is bound to, to that of `new`: a rule created while a strategy runs.

    Its author is responsible for its correctness: no equation says that the terms mean the same. A run raises
    StrategyError if their types differ.
    """
    return RewriteBound(old, new, float_class)


def unbound(name: str, strategy: Strategy) -> StrategyError:
    """The error for a name that is not bound."""
    return StrategyError(
        Diagnostic(
            code="unbound-name",
            title=f"{strategy} uses {name!r}, which no enclosing bind binds",
            hint=f'use it inside bind("{name}", ...)(...)',
        )
    )


def unmoved(strategy: Strategy) -> StrategyError:
    """The error for a traversal that cannot adjust bound terms to the places that it visits."""
    return StrategyError(
        Diagnostic(
            code="bound-below-binders",
            title=f"{strategy} goes below binders, where the terms bound to names may mean something else",
            hint="use position, or a traversal defined by one, some and all_",
        )
    )
