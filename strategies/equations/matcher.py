"""Matches the left side of an equation. Depends on terms and metavariables, but not on primitives or strategies.

A metavariable binds a subterm. If it occurs below binders of the pattern, the subterm may mention those binders that
all of its occurrences, on both sides, have in common (by name). This infers the papers' side condition `not free`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache, lru_cache
from itertools import repeat
from typing import Any, Final, TypeAlias

from rise.inference.equations import metavariable
from rise.inference.isolation import isolate
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar, variable_of
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import kind_classes
from rise.size_functions import SizeFunction
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var, occurs, replace_bound
from rise.types import FamilyCall, Type, TypeVar, classes_of, shift_dependent, type_at
from strategies.equations.patterns import Binders, Fits, Parts, context_of, parts_of, shape_test

Pair: TypeAlias = tuple[Any, Any, tuple[int, ...]]
"""The expected type or size, the actual one, and the path to it."""


@dataclass(slots=True)
class Bindings:
    """The terms, sizes and types of metavariables after a match.

    `terms`: the subterm and the pattern's binders around it, innermost last. `types`: sizes and types. `names`: the
    names of the pattern's binders in the program.
    """

    terms: dict[str, tuple[Expr, Binders]] = field(default_factory=dict)
    types: dict[Node, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    holes: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    """The terms in the holes of a context; `terms` contains the whole term, including these."""
    matched: int = 0
    """The number of nodes of the pattern that matched."""
    around: Binders = ()
    """The pattern's binders around the node that is being matched."""

    def term(self, name: str) -> Expr:
        """The term that a metavariable is bound to."""
        return self.terms[name][0]

    def size(self, name: str) -> Nat:
        """The size that a metavariable is bound to."""
        size: Nat = self.types[metavariable(name)]
        return size


class NoMatch(Exception):
    """The place in the subject that did not match the pattern: its path, what was expected, and what was found.

    `matched` is the number of nodes of the pattern that matched before.
    """

    def __init__(self, path: tuple[int, ...], expected: Any, found: Any, matched: int = 0) -> None:
        super().__init__(path)
        self.path = path
        self.expected = expected
        self.found = found
        self.matched = matched
        self.bindings: Bindings | None = None

    def at(self, bindings: Bindings) -> None:
        """Record how far the match got."""
        self.matched = bindings.matched
        self.bindings = bindings

    @property
    def named(self) -> tuple[Any, Any]:
        """What was expected and found, with the variable names of the pattern and of the program."""
        around = self.bindings.around if self.bindings else ()
        known = self.bindings.names if self.bindings else {}
        authors = tuple(known[name] for name in around)
        expected = named(self.expected, around) if isinstance(self.expected, Expr) else self.expected
        return expected, named(self.found, authors) if isinstance(self.found, Expr) else self.found


@dataclass(frozen=True, slots=True)
class Matcher:
    """The left side of an equation, with the binders that each metavariable may mention."""

    pattern: Expr
    may_mention: Mapping[str, frozenset[str]]
    #: the binders of an equation around the pattern
    around: Binders = ()
    #: whether a term has the same primitives and functions as the pattern at the same places; faster than `match`
    fits: Fits = field(init=False, compare=False, repr=False)
    _parts: Parts = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fits", shape_test(self.pattern))
        object.__setattr__(self, "_parts", parts_of(self.pattern, self.may_mention, self.around))

    def bind(
        self, subject: Expr, given: Mapping[Node, Any], before: Bindings | None = None
    ) -> Bindings | None:
        """The bindings for which the pattern equals a subject that `fits`, added to those before; None if there are
        none.

        A context is bound to the whole term, including its holes.
        """
        parts = self._parts
        places = [subject]
        for parent, child in parts.steps:
            places.append(places[parent].children[child])
        terms: dict[str, tuple[Expr, Binders]] = {} if before is None else dict(before.terms)
        for name, place, binders, hidden in parts.variables:
            term = places[place]
            if hidden and term.loose and any(occurs(term, index) for index in hidden):
                return None
            seen = terms.get(name)
            if seen is None:
                terms[name] = (term, binders)
            elif moved(seen[0], seen[1], binders) != term:
                return None
        for value, place in parts.literals:
            term = places[place]
            if not isinstance(term, Literal) or term.value != value:
                return None
        pairs: list[Pair] = [(pattern, read(places[place]), ()) for pattern, place, read in parts.types]
        for implicits, place in parts.primitives:
            pairs.extend(zip(implicits, places[place].implicits, repeat(())))  # type: ignore[attr-defined]  # it fits
        bindings = Bindings(terms, dict(given) if before is None else dict(before.types))
        if before is not None:
            bindings.names.update(before.names)
            bindings.holes.update(before.holes)
        try:
            _match_types(bindings, pairs)
        except NoMatch:
            return None
        for name, place in parts.functions:
            bindings.names[name] = places[place].name  # type: ignore[attr-defined]  # it fits
        return bindings

    def match(self, subject: Expr, given: Mapping[Node, Any]) -> Bindings:
        """Like `bind`, for any subject. Raises NoMatch with the reason if there are no bindings."""
        bindings = Bindings(types=dict(given))
        try:
            _match_types(bindings, self._match_nodes(bindings, subject))
        except NoMatch as no:
            no.at(bindings)
            raise
        return bindings

    def _match_nodes(self, bindings: Bindings, subject: Expr) -> list[Pair]:
        """Match terms; returns the pairs of types and sizes that remain to be matched."""
        later: list[Pair] = []
        stack: list[tuple[Expr, Expr, Binders, tuple[int, ...]]] = [(self.pattern, subject, (), ())]
        while stack:
            pattern, term, binders, path = stack.pop()
            bindings.around = binders
            match pattern:
                case Var(name, given_type):
                    self._bind(bindings, name, term, binders, path)
                    if given_type.free:
                        later.append((given_type, term.type, path))
                case App() if (context := context_of(pattern)) is not None:
                    bindings.terms[context] = (term, binders)
                    later.append((pattern.type, term.type, path))
                case App(fun, arg):
                    if not isinstance(term, App) or (pattern.root != term.root and pattern.root != "App"):
                        raise NoMatch(path, pattern, term)
                    stack.append((arg, term.arg, binders, (*path, 1)))
                    stack.append((fun, term.fun, binders, (*path, 0)))
                case Primitive(name, implicits, _):
                    if not isinstance(term, Primitive) or term.name != name:
                        raise NoMatch(path, pattern, term)
                    later.extend((a, b, path) for a, b in zip(implicits, term.implicits, strict=True))
                case DepApp(fun, argument):
                    if not isinstance(term, DepApp):
                        raise NoMatch(path, pattern, term)
                    later.append((argument, term.argument, path))
                    stack.append((fun, term.fun, binders, (*path, 0)))
                case Lam(name, parameter, body):
                    if not isinstance(term, Lam):
                        raise NoMatch(path, pattern, term)
                    bindings.names[name] = term.name
                    later.append((parameter, term.parameter, path))
                    stack.append((body, term.body, (*binders, name), (*path, 0)))
                case Bound(index, _):
                    if not isinstance(term, Bound) or term.index != index:
                        raise NoMatch(path, pattern, term)
                case Literal():
                    if not isinstance(term, Literal) or term.value != pattern.value:
                        raise NoMatch(path, pattern, term)
                    later.append((pattern.type, term.type, path))
                case DepLam() | _:
                    raise NoMatch(path, pattern, term)
            bindings.matched += 1
        return later

    def _bind(
        self, bindings: Bindings, name: str, term: Expr, binders: Binders, path: tuple[int, ...]
    ) -> None:
        if term.loose and binders:
            allowed = self.may_mention[name]
            for index, binder in enumerate(reversed(binders)):
                if binder not in allowed and occurs(term, index):
                    raise NoMatch(path, f"{name}, which must not mention {binder}", term)
        before = bindings.terms.get(name)
        if before is None:
            bindings.terms[name] = (term, binders)
        elif moved(before[0], before[1], binders) != term:
            raise NoMatch(path, f"the same {name} as before", term)


def moved(term: Expr, source: Binders, target: Binders) -> Expr:
    """A bound subterm as seen from below other binders, which correspond by name."""
    if term.loose == 0 or source == target:
        return term
    places = binders_among(source, target)
    inner, further = len(places), len(target) - len(source)

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        index = variable.index - depth
        place = index + further if index >= inner else places[index]
        return Bound(place + depth, variable.given)

    return replace_bound(term, put)


def called_below(function: Lam, source: Binders, target: Binders, argument: Bound) -> Expr:
    """The body of a function below the binders `source`, moved below `target` and applied to a variable there."""
    places = binders_among(source, target)
    inner, further = len(places), len(target) - len(source)

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        index = variable.index - depth - 1
        if index < 0:
            return Bound(argument.index + depth, shift_dependent(argument.given, dep_depth))
        place = index + further if index >= inner else places[index]
        return Bound(place + depth, variable.given)

    return replace_bound(function.body, put)


@cache
def binders_among(source: Binders, target: Binders) -> tuple[int, ...]:
    """The index of each binder of `source` in `target`, innermost first; -1 if it is not there."""
    return tuple(target[::-1].index(name) if name in target else -1 for name in reversed(source))


def named(term: Expr, names: Binders) -> Expr:
    """A term with these names for the variables of the functions around it, the innermost last."""
    if term.loose == 0 or not names:
        return term

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        index = variable.index - depth
        if index < len(names):
            return Var(names[-1 - index], variable.given)
        return Bound(variable.index - len(names), variable.given)

    return replace_bound(term, put)


_classes: Final = cache(kind_classes)


def _match_types(bindings: Bindings, pairs: list[Pair]) -> None:
    """Match sizes, types and spaces; equations that need arithmetic are solved last. A type with a binder is matched
    after the types without: its metavariables are bound outside, and substitution moves them below the binder.
    """
    known = bindings.types
    sums: list[tuple[Nat, Nat, tuple[int, ...]]] = []
    families: list[tuple[FamilyCall, Any, tuple[int, ...]]] = []
    functions: list[tuple[SizeFunction, Any, tuple[int, ...]]] = []
    dependent: list[Pair] = []
    while pairs or dependent:
        if not pairs:
            pattern, actual, path = dependent.pop()
            if pattern.free <= known.keys():
                if substitute_names(pattern, known) != actual:
                    raise NoMatch(path, pattern, actual)
                continue
            pairs.extend(zip(pattern.parts, actual.parts, repeat(path)))
            continue
        pattern, actual, path = pairs.pop()
        if pattern is actual:
            continue
        match pattern:
            case Nat():
                variable = variable_of(pattern)
                if variable is not None and known.get(variable) is actual:
                    continue
                if variable is None or variable in known:
                    sums.append((pattern, actual, path))
                else:
                    known[variable] = actual
            case TypeVar(_, kind):
                if known.get(pattern) is actual:
                    continue
                if known.setdefault(pattern, actual) != actual:
                    raise NoMatch(path, known[pattern], actual)
                if not _classes(kind) <= (classes_of(actual) or frozenset()):
                    raise NoMatch(path, f"a type of class {kind}", actual)
            case FamilyCall() if pattern.free:
                families.append((pattern, actual, path))
            case SizeFunction() if pattern.free:
                functions.append((pattern, actual, path))
            case Type() if not pattern.free:
                if pattern != actual:
                    raise NoMatch(path, pattern, actual)
            case Type():
                same = type(pattern) is type(actual) and len(pattern.parts) == len(actual.parts)
                if not same or getattr(pattern, "role", "") != getattr(actual, "role", ""):
                    raise NoMatch(path, pattern, actual)
                if pattern.BINDER:
                    dependent.append((pattern, actual, path))
                else:
                    pairs.extend(zip(pattern.parts, actual.parts, repeat(path)))
            case _:
                if pattern != actual:
                    raise NoMatch(path, pattern, actual)
    for call, actual, path in families:
        if call.family not in known or type_at(known[call.family], call.argument) != actual:
            raise NoMatch(path, call, actual)
    solve_sizes(known, sums)
    for function, actual, path in functions:
        if substitute_names(function, known) != actual:
            raise NoMatch(path, function, actual)


def match_type(bindings: Bindings, pattern: Type, actual: Type) -> bool:
    """Bind the unbound metavariables of a type; returns whether it matches."""
    try:
        _match_types(bindings, [(pattern, actual, ())])
    except NoMatch:
        return False
    return True


def solve_sizes(known: dict[Node, Any], sums: list[tuple[Nat, Nat, tuple[int, ...]]]) -> None:
    """Solve equations of sizes for the unknown ones. Raises NoMatch if they have no solution."""
    while sums:
        waiting = []
        for pattern, actual, path in sums:
            put = size_at(pattern, known)
            if put is actual:
                continue
            unknown = [
                name
                for name in put.free
                if isinstance(name, NatVar) and name not in known and name in pattern.free
            ]
            if not unknown:
                raise NoMatch(path, put, actual)
            solution = isolate(put - actual, unknown[0]) if len(unknown) == 1 else None
            if solution is None:
                waiting.append((pattern, actual, path))
            elif not _may_be_size(solution):
                raise NoMatch(path, put, actual)
            else:
                known[unknown[0]] = solution
        if len(waiting) == len(sums):
            raise NoMatch(waiting[0][2], waiting[0][0], waiting[0][1])
        sums = waiting


def _may_be_size(a: Nat) -> bool:
    """Whether a natural may be an integer >= 0; if it has symbols, that is an obligation, see `rise.obligations`."""
    return bool(a.free) or a.dep_loose > 0 or (a.constant is not None and a.constant >= 0)


def size_at(pattern: Nat, known: Mapping[Node, Any]) -> Nat:
    """A size with its known variables substituted."""
    names = tuple(pattern.free)
    return _size_at(pattern, names, tuple([known.get(name) for name in names]))


@lru_cache(maxsize=1 << 12)
def _size_at(pattern: Nat, names: tuple[Node, ...], values: tuple[Any, ...]) -> Nat:
    given = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    size: Nat = substitute_names(pattern, given)
    return size
