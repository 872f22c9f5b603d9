"""Rules and predicates: the strategies that inspect a term. Independent of languages and engines."""

from __future__ import annotations

import importlib
import inspect
import pickle
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from elevate.argument_checks import check_paths, expected_term
from elevate.diagnostics import Diagnostic, StrategyError, check_fields, described
from elevate.floats import FloatClass
from elevate.places import place_of_function
from elevate.strategy import CHOICE, Strategy
from elevate.term import Path, Term, show_term
from elevate.tracebacks import Checked, ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Mismatch(metaclass=Checked):
    """Which part of a left-hand side did not match, and what was there instead."""

    path: Path
    """The place, relative to the term that was tried."""
    expected: str
    found: str
    matched: int = 0
    """How many nodes of the pattern matched: most for the nearest miss."""
    reason: str = "does not match"
    """What is wrong, if `expected` and `found` do not say it all."""
    is_precondition: bool = False
    """Whether the shape matches but a side condition does not hold."""
    hint: str = ""
    """What to do about it, if the rule knows."""
    focus: Path = ()
    """The place to show, relative to the term that was tried."""

    def __post_init__(self) -> None:
        check_fields(self, expected=str, found=str, matched=int, reason=str, is_precondition=bool, hint=str)
        check_paths(self, "path", "focus")


@dataclass(frozen=True, slots=True)
class Reach:
    """Which parts of a term decide whether a rule or predicate applies that looks further than a number of levels.

    These are `depth` levels of children, counted as for a rule with a depth; all of the children at the indices in
    `whole`, or of all children if that is None; and the uses of the variables of the functions at the paths in
    `variables_of`: the terms between such a function and the variable, with their roots, and the roots of their
    children. A path is within the depth, and does not begin in `whole`. With `once`, a change of the uses lets it apply
    only if at most one use is left, and that is in no function of its own. `fits`, if given, looks at the levels only;
    where it is false, the rule or predicate does not apply.
    """

    depth: int
    whole: tuple[int, ...] | None = None
    variables_of: tuple[Path, ...] = ()
    once: bool = False
    fits: Callable[[Any], bool] | None = None


class Rule(Strategy):
    """An atomic rewrite. A subclass has the four properties as fields, and `apply`.

    `apply` is total and looks only at its argument. A rule that raises is a bug, reported as such.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # declarations only: at run time a property would become the default of a field

        @property
        def name(self) -> str:
            """The name it prints as."""

        @property
        def roots(self) -> frozenset[Hashable] | None:
            """The roots of the terms that it can match; None for any."""

        @property
        def depth(self) -> int | None:
            """How many levels of children below a term `apply` and the term's `root` inspect.

            A metavariable is not inspected. None for any number: then the engine tries the rule again at
            every ancestor of a place that changed, unless `reach` says which of them it cannot depend on.
            """

        @property
        def reach(self) -> Reach | None:
            """What decides whether it applies; None if nothing is known beyond the depth."""

        @property
        def float_class(self) -> FloatClass:
            """How a firing may change floating-point results."""

    else:
        reach = None

    def apply(self, term: Any) -> Term | None:
        """The contractum, or None if the rule does not match."""
        raise NotImplementedError

    def prepared(self) -> Callable[[Any], Term | None]:
        """`apply`, specialised as far as possible before any term is known."""
        return self.apply

    def mismatch(self, term: Any) -> Mismatch:
        """Why the rule does not match a term; only `Failure.explain` asks."""
        has_root = self.roots is None or term.root in self.roots
        return Mismatch((), f"a term that {self.name} matches", show_term(term), int(has_root))

    def show(self, binding: int = CHOICE) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FunctionRule(Rule):
    """A rule defined by a function from a term to its contractum, or None. Built by `rule`."""

    name: str
    function: Callable[[Any], Term | None]
    roots: frozenset[Hashable] | None = None
    depth: int | None = None
    float_class: FloatClass = FloatClass.EXACT
    reach: Reach | None = None

    def __hash__(self) -> int:
        return hash(self.function)  # the other fields seldom differ, and a strategy is hashed at every call

    @property
    def place(self) -> str:
        return place_of_function(self.function)

    def apply(self, term: Any) -> Term | None:
        return self.function(term) if self.roots is None or term.root in self.roots else None

    def __reduce__(self) -> tuple[Callable[[str, str], object], tuple[str, str]]:
        return _load, _address(self, self.function)


class Predicate(Strategy):
    """Succeeds without a change if `holds` is true. A subclass has `roots` and `depth` like a rule."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def roots(self) -> frozenset[Hashable] | None:
            """The roots of the terms for which it can hold; None for any."""

        @property
        def depth(self) -> int | None:
            """How many levels of children it inspects; None for any number."""

        @property
        def reach(self) -> Reach | None:
            """What decides whether it holds; None if nothing is known beyond the depth."""

    else:
        reach = None

    def holds(self, term: Any) -> bool:
        """Whether the predicate holds."""
        raise NotImplementedError

    def objection(self, term: Any) -> str:
        """Why it does not hold, or empty; only `Failure.explain` asks."""
        return ""

    def remedy(self, term: Any) -> str:
        """What to do if it does not hold, or empty; only `Failure.explain` asks."""
        return ""

    def focus(self, term: Any) -> Path:
        """The path to the part that it objects to; only `Failure.explain` asks."""
        return ()


class ExplainedPredicate(Predicate):
    """A predicate that is defined by `misfit`: what does not fit, and what would. It holds where that is None."""

    __slots__ = ()

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What was expected and found, and what to do next; None if the predicate holds. Each subclass defines it."""
        raise NotImplementedError

    def holds(self, term: Any) -> bool:
        return self.misfit(term) is None

    def objection(self, term: Any) -> str:
        return (self.misfit(term) or ("", ""))[0]

    def remedy(self, term: Any) -> str:
        return (self.misfit(term) or ("", ""))[1]


@dataclass(frozen=True, slots=True)
class Where(Predicate):
    """A predicate defined by a function. Built by `where`."""

    function: Callable[[Any], bool]
    roots: frozenset[Hashable] | None = None
    depth: int | None = None
    why: Callable[[Any], str] | None = None
    reach: Reach | None = None

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
            return Where, (self.function, self.roots, self.depth, self.why, self.reach)


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
    reach: Reach | None = None,
) -> Callable[[Callable[[Any], Term | None]], FunctionRule]: ...
@ends_at_the_users_line
def rule(
    function: Callable[[Any], Term | None] | None = None,
    /,
    *,
    name: str = "",
    roots: Iterable[Hashable] | None = None,
    depth: int | None = None,
    float_class: FloatClass = FloatClass.EXACT,
    reach: Reach | None = None,
) -> FunctionRule | Callable[[Callable[[Any], Term | None]], FunctionRule]:
    """Build a rule from a function that maps a term to its contractum, or to None if it does not match.

    Give `roots`, and `depth` or `reach`, if they are known: the engine then tries fewer places. The function is not
    called on terms with other roots.
    """
    root_set = None if roots is None else frozenset(roots)
    if function is not None and not callable(function):
        title = f"expected a function from a term to a term, found {described(function)}"
        raise StrategyError(Diagnostic("no-strategy", title, hint="write `@rule` above a function"))

    def make(function: Callable[[Any], Term | None]) -> FunctionRule:
        return FunctionRule(name or function.__name__, function, root_set, depth, float_class, reach)

    return make if function is None else make(function)


@ends_at_the_users_line
def where(
    predicate: Callable[[Any], bool],
    *,
    roots: Iterable[Hashable] | None = None,
    depth: int | None = None,
    why: Callable[[Any], str] | None = None,
    reach: Reach | None = None,
) -> Where:
    """Succeed without a change if a function of the term is true. `why` explains for a term why it is not."""
    if not callable(predicate):
        title = f"expected a function from a term to a truth value, found {described(predicate)}"
        raise StrategyError(Diagnostic("no-strategy", title, hint="write `where(lambda term: ...)`"))
    return Where(predicate, None if roots is None else frozenset(roots), depth, why, reach)


@ends_at_the_users_line
def isEqualTo(term: Term) -> IsEqualTo:
    """Succeed without a change on one term."""
    return IsEqualTo(expected_term(term))


def _address(strategy: FunctionRule | Where, function: Callable[..., object]) -> tuple[str, str]:
    """The module and the variable that hold a rule or predicate."""
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
