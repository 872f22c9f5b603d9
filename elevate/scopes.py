"""Names for terms that were found, for a strategy to use: scoped bindings and dynamic rules. Knows no language.

`bind("x", isF)(s)` finds the first subterm on which `isF` succeeds and runs s, in which `isBound("x")` asks whether a
term is that one, and `rewriteBound("x", "y")` is the rule that turns it into the one called y. A name means what it
was bound to, read from below the binders between: what a language says of these is its `Binders`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.directed import At, Directed, Orders
from elevate.floats import FloatClass
from elevate.orders import InOrder, firstToLast, inside, places_of, through
from elevate.queries import succeeds
from elevate.rules import IsEqualTo, Predicate, Rule
from elevate.strategy import CHOICE, Fail, Id, Strategy, Traversal, fail, id_
from elevate.term import Path, Term, path_of, preorder, subterm, surroundings
from elevate.traversals import All, Child, One, Position, Skip, Some

Known = tuple[tuple[str, Term], ...]
"""What names stand for, by name."""


class Binders(Protocol):
    """What a language with binders says of moving terms."""

    def is_closed(self, term: Any) -> bool:
        """Whether a term reads the same everywhere."""
        ...

    def inward(self, term: Any, node: Any) -> Term:
        """A term that stands beside a node, as it reads below the node."""
        ...

    def outward(self, term: Any, node: Any) -> Term | None:
        """A term that stands below a node, as it reads beside it; None where it mentions what the node binds."""
        ...


@dataclass(frozen=True, slots=True)
class NoBinders:
    """The binders of a language that has none."""

    def is_closed(self, term: Any) -> bool:
        return True

    def inward(self, term: Any, node: Any) -> Term:
        return term  # type: ignore[no-any-return]  # the term it was given

    def outward(self, term: Any, node: Any) -> Term | None:
        return term  # type: ignore[no-any-return]  # the term it was given


class Finder(Protocol):
    """What finds terms in a term, and names them; a frozen dataclass, so that strategies with it are data."""

    def find(self, term: Any, binders: Binders) -> Mapping[str, Term] | None:
        """The terms by their names; None where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class First:
    """The first subterm, parents first, on which a strategy succeeds, and which can be read from outside."""

    name: str
    what: Strategy

    def find(self, term: Any, binders: Binders) -> Mapping[str, Term] | None:
        for candidate, place in preorder(term):
            if succeeds(self.what, candidate):
                moved: Term | None = candidate
                for node in reversed(surroundings(term, path_of(place))):
                    moved = None if moved is None else binders.outward(moved, node)
                if moved is not None:
                    return {self.name: moved}
        return None

    def __repr__(self) -> str:
        return repr(self.name) if self.what == id_ else f"{self.name!r}, {self.what}"


@dataclass(frozen=True, slots=True)
class IsBound(Predicate):
    """Holds for the term that a name is bound to. Where the name is not bound, a run raises StrategyError."""

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
    """The rule from the term that one name is bound to, to that of another."""

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
    """The rule from one term to another: what `rewriteBound` is where both names are bound.

    The new term may mention variables that the old one has not: the scope has moved it to where it is put.
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
    """Find terms, and apply a strategy in which their names are known; fails where there are none."""

    finder: Finder
    binders: Binders
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        return (yield self.known(term, ()), ()) is not None

    def known(self, term: Term, before: Known) -> Strategy:
        """The strategy, with what was found and what was known before."""
        found = self.finder.find(term, self.binders)
        if found is None:
            return fail
        return within(tuple(sorted({**dict(before), **found}.items())), self.binders, self.inner)

    def show(self, binding: int = CHOICE) -> str:
        return f"bind({self.finder!r})({self.inner.show()})"


@dataclass(frozen=True, slots=True)
class Within(Directed):
    """A strategy in which names are known."""

    names: Known
    binders: Binders
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        inner = self.inner
        if not isinstance(inner, Directed):
            return (yield self.step(inner, term), ()) is not None
        if isinstance(inner, Bind):
            return (yield inner.known(term, self.names), ()) is not None
        given = inner.orders(term)
        happened = None
        while True:
            try:
                wanted, path = given.send(happened)
            except StopIteration as done:
                return bool(done.value)
            whole = happened.term if happened is not None else term
            reached = subterm(whole, path) is not None
            happened = yield (self.at(wanted, whole, path) if reached else wanted), path
            term = happened.term if happened is not None else whole

    def step(self, inner: Strategy, term: Term) -> Strategy:
        """What a strategy does to a term, its parts knowing the names."""
        match inner:
            case One(part) | Some(part) | All(part):
                return type(inner)(self.below(part, term))
            case Child(index, part):
                return Child(index, self.below(part, term))
            case Position(n, part):
                return self.placed(InOrder(firstToLast, inner), n, part, term)
            case InOrder(_, Position(n, part)):
                return self.placed(inner, n, part, term)
            case InOrder(order, (One(part) | Some(part) | All(part)) as traversal):
                return InOrder(order, type(traversal)(self.below(inside(order, part), term)))
            case Skip(n, part) | InOrder(_, Skip(n, part)):
                if not closed(self.names, self.binders):
                    raise unmoved(inner)
                skip = Skip(n, self.beside(part))
                return InOrder(inner.order, skip) if isinstance(inner, InOrder) else skip
            case _:
                return through(inner, self.beside)

    def beside(self, part: Strategy) -> Strategy:
        """A part that is applied to the same term."""
        return within(self.names, self.binders, part)

    def below(self, part: Strategy, term: Term) -> Strategy:
        """A part that is applied to a child of a term."""
        moved = tuple((name, self.binders.inward(known, term)) for name, known in self.names)
        return within(moved, self.binders, part)

    def at(self, part: Strategy, term: Term, path: Path) -> Strategy:
        """A part that is applied at a path of a term."""
        names = self.names
        for node in surroundings(term, path):
            names = tuple((name, self.binders.inward(known, node)) for name, known in names)
        return within(names, self.binders, part)

    def placed(self, whole: InOrder, n: int, part: Strategy, term: Term) -> Strategy:
        """A part that is applied at the n-th place."""
        for count, (_, place) in enumerate(places_of(whole, term)):
            if count == n:
                path = path_of(place)
                return At(path, self.at(inside(whole.order, part), term, path))
        return fail

    def show(self, binding: int = CHOICE) -> str:
        return self.inner.show(binding)


def within(names: Known, binders: Binders, strategy: Strategy) -> Strategy:
    """A strategy in which names are known; what mentions none stays as it is."""
    known = dict(names)
    match strategy:
        case IsBound(name) if name in known:
            return IsEqualTo(known[name])
        case RewriteBound(old, new, float_class) if old in known and new in known:
            return Becomes(strategy.name, known[old], known[new], float_class)
        case Rule() | Predicate() | Id() | Fail():
            return strategy
        case Directed():
            return Within(names, binders, strategy)
        case _ if type(strategy).__module__.startswith("elevate.") and closed(names, binders):
            return strategy.rebuild(tuple(within(names, binders, part) for part in strategy.children))
        case _:
            return Within(names, binders, strategy)


def closed(names: Known, binders: Binders) -> bool:
    """Whether names mean the same everywhere."""
    return all(binders.is_closed(term) for _, term in names)


def bind(name: str, what: Strategy = id_, *, binders: Binders | None = None) -> Traversal:
    """Call the first subterm on which a strategy succeeds by a name, in a strategy: `bind("x", isF)(s)`.

    Without `what` it is the term itself that the strategy is applied to.

    >>> from elevate import normalize, topDown, where
    >>> from elevate.toy import tree
    >>> isF, isK = where(lambda t: t.label == "f"), where(lambda t: t.label == "k")
    >>> share = bind("x", isF)(bind("y", isK)(normalize(rewriteBound("x", "y"))))
    >>> share(tree("p", tree("f", "a"), tree("p", tree("f", "a"), tree("k", "b")))).program
    p(k(b), p(k(b), k(b)))
    """
    return lambda inner: Bind(First(name, what), binders or NoBinders(), inner)


def bindFound(finder: Finder, binders: Binders | None = None) -> Traversal:
    """Call all that a finder finds by its names, in a strategy: a pattern's variables, for one."""
    return lambda inner: Bind(finder, binders or NoBinders(), inner)


def isBound(name: str) -> Strategy:
    """Succeed, changing nothing, on the term that a name is bound to."""
    return IsBound(name)


def rewriteBound(old: str, new: str, float_class: FloatClass = FloatClass.EXACT) -> Strategy:
    """The rule from the term that `old` is bound to, to that of `new`: a rule made while a strategy runs.

    Who writes it answers for it: that the terms mean the same follows from no equation. They are of one type, or a
    run raises StrategyError.
    """
    return RewriteBound(old, new, float_class)


def unbound(name: str, strategy: Strategy) -> StrategyError:
    """A name that nothing binds."""
    return StrategyError(
        Diagnostic(
            code="unbound-name",
            title=f"{strategy} asks for {name!r}, which no bind around it binds",
            hint=f'write it inside bind("{name}", ...)(...)',
        )
    )


def unmoved(strategy: Strategy) -> StrategyError:
    """A traversal that cannot tell how names read at the places that it passes."""
    return StrategyError(
        Diagnostic(
            code="bound-below-binders",
            title=f"{strategy} goes below binders with names of terms that mention variables around them",
            hint="use position, or a traversal that is defined by one, some and all_",
        )
    )
