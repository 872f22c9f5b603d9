"""Rules and predicates: the strategies that look at a term. Knows no language and no engine."""

from __future__ import annotations

import importlib
import inspect
import pickle
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.expected import described, expected_term
from elevate.floats import FloatClass
from elevate.places import place_of_function
from elevate.strategy import CHOICE, Strategy
from elevate.term import Path, Term, show_term


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Which part of a left-hand side did not match, and what stood there."""

    path: Path
    """From the term that was tried down to the place."""
    expected: str
    found: str
    matched: int = 0
    """How many nodes of the pattern did match; the nearest miss has most."""
    reason: str = "does not match"
    """What is wrong, where `expected` and `found` do not say all."""
    is_precondition: bool = False
    """Whether the shape matches, and a condition on what it holds is not met."""


class Rule(Strategy):
    """An atomic rewrite. A subclass has the four properties as fields, and `apply`.

    `apply` is total and looks only at its argument. A rule that raises is a bug, reported as such.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # declared only: at run time a property here would be a default of the fields

        @property
        def name(self) -> str:
            """What the rule prints as."""

        @property
        def roots(self) -> frozenset[Hashable] | None:
            """The roots of all terms it can match; None for any."""

        @property
        def depth(self) -> int | None:
            """How many levels of children below a term `apply` and the term's `root` look at.

            A metavariable is not looked at. None for any number: then the engine tries the rule again at
            every ancestor of a place that changed.
            """

        @property
        def float_class(self) -> FloatClass:
            """What a firing may do to floating-point results."""

    def apply(self, term: Any) -> Term | None:
        """The contractum, or None where the rule does not match."""
        raise NotImplementedError

    def prepared(self) -> Callable[[Any], Term | None]:
        """`apply`, with what can be worked out before any term is known."""
        return self.apply

    def mismatch(self, term: Any) -> Mismatch:
        """Why the rule does not match a term; asked by `Failure.explain` only."""
        fits = self.roots is None or term.root in self.roots
        return Mismatch((), f"a term that {self.name} matches", show_term(term), int(fits))

    def show(self, binding: int = CHOICE) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FunctionRule(Rule):
    """A rule given by a function from a term to its contractum, or None. Made by `rule`."""

    name: str
    function: Callable[[Any], Term | None]
    roots: frozenset[Hashable] | None = None
    depth: int | None = None
    float_class: FloatClass = FloatClass.EXACT

    def __hash__(self) -> int:
        return hash(self.function)  # the rest is seldom different, and a strategy is hashed at every call

    @property
    def place(self) -> str:
        return place_of_function(self.function)

    def apply(self, term: Any) -> Term | None:
        return self.function(term) if self.roots is None or term.root in self.roots else None

    def __reduce__(self) -> tuple[Callable[[str, str], object], tuple[str, str]]:
        return _load, _address(self, self.function)


class Predicate(Strategy):
    """Succeeds, changing nothing, where `holds` does. A subclass has `roots` and `depth`, as a rule."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def roots(self) -> frozenset[Hashable] | None:
            """The roots of all terms for which it can hold; None for any."""

        @property
        def depth(self) -> int | None:
            """How many levels of children it looks at; None for any number."""

    def holds(self, term: Any) -> bool:
        """Whether the predicate holds."""
        raise NotImplementedError

    def objection(self, term: Any) -> str:
        """Why it does not hold, in words; asked by `Failure.explain` only, and empty where it has none."""
        return ""


@dataclass(frozen=True, slots=True)
class Where(Predicate):
    """A predicate given by a function. Made by `where`."""

    function: Callable[[Any], bool]
    roots: frozenset[Hashable] | None = None
    depth: int | None = None
    why: Callable[[Any], str] | None = None

    @property
    def place(self) -> str:
        return place_of_function(self.function)

    def holds(self, term: Any) -> bool:
        return (self.roots is None or term.root in self.roots) and self.function(term)

    def objection(self, term: Any) -> str:
        return "" if self.why is None else self.why(term)

    def show(self, binding: int = CHOICE) -> str:
        if self.function.__name__ != "<lambda>":
            return self.function.__name__
        code = self.function.__code__
        return f"where(<lambda at {code.co_filename.rsplit('/', 1)[-1]}:{code.co_firstlineno}>)"

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        try:
            return _load, _address(self, self.function)
        except pickle.PicklingError:
            return Where, (self.function, self.roots, self.depth, self.why)


@dataclass(frozen=True, slots=True)
class IsEqualTo(Predicate):
    """Holds for one term, up to bound names."""

    term: Term

    @property
    def roots(self) -> frozenset[Hashable]:
        return frozenset([self.term.root])

    @property
    def depth(self) -> None:
        return None

    def holds(self, term: Any) -> bool:
        return bool(term == self.term)

    def show(self, binding: int = CHOICE) -> str:
        return f"isEqualTo({show_term(self.term)})"


@overload
def rule(function: Callable[[Any], Term | None], /) -> FunctionRule: ...
@overload
def rule(
    *,
    name: str = "",
    roots: Iterable[Hashable] | None = None,
    depth: int | None = None,
    float_class: FloatClass = FloatClass.EXACT,
) -> Callable[[Callable[[Any], Term | None]], FunctionRule]: ...
def rule(
    function: Callable[[Any], Term | None] | None = None,
    /,
    *,
    name: str = "",
    roots: Iterable[Hashable] | None = None,
    depth: int | None = None,
    float_class: FloatClass = FloatClass.EXACT,
) -> FunctionRule | Callable[[Callable[[Any], Term | None]], FunctionRule]:
    """Make a rule of a function from a term to its contractum, or None where it does not match.

    Give `roots` and `depth` where they are known: the engine then looks in fewer places. At a term with another
    root the function is not called.
    """
    known = None if roots is None else frozenset(roots)
    if function is not None and not callable(function):
        title = f"expected a function from a term to a term, found {described(function)}"
        raise StrategyError(Diagnostic("no-strategy", title, hint="write `@rule` above a function"))

    def make(function: Callable[[Any], Term | None]) -> FunctionRule:
        return FunctionRule(name or function.__name__, function, known, depth, float_class)

    return make if function is None else make(function)


def where(
    predicate: Callable[[Any], bool],
    *,
    roots: Iterable[Hashable] | None = None,
    depth: int | None = None,
    why: Callable[[Any], str] | None = None,
) -> Where:
    """Succeed, changing nothing, where a function of the term is true. `why` says of a term why it is not."""
    if not callable(predicate):
        title = f"expected a function from a term to a truth value, found {described(predicate)}"
        raise StrategyError(Diagnostic("no-strategy", title, hint="write `where(lambda term: ...)`"))
    return Where(predicate, None if roots is None else frozenset(roots), depth, why)


def isEqualTo(term: Term) -> IsEqualTo:
    """Succeed, changing nothing, on one term."""
    return IsEqualTo(expected_term(term))


def _address(strategy: FunctionRule | Where, function: Callable[..., object]) -> tuple[str, str]:
    """Module and name under which a rule or predicate is found again."""
    module = inspect.getmodule(function)
    for name in (function.__name__, str(strategy)):
        if module is not None and getattr(module, name, None) is strategy:
            return module.__name__, name
    for name, value in vars(module).items() if module is not None else ():
        if value is strategy:
            return function.__module__, name
    raise pickle.PicklingError(f"{strategy} pickles by name, and no variable of its module holds it")


def _load(module: str, name: str) -> object:
    return getattr(importlib.import_module(module), name)
