"""Holes: open decisions in a strategy. Independent of programs, machines and orders of search.

A space is a function that returns a strategy and calls `choose` and `one_of` for open decisions. It is run from the
start for each candidate, with the candidate's values for its holes, so candidates are data, and no suspended function
is ever stored.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from importlib import import_module
from itertools import islice
from typing import Any, Final, TypeAlias

from elevate import Strategy
from elevate.combinators import Named
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from strategies.parts.parameters import shown_value

#: the values of holes: data that JSON can store
HoleValue: TypeAlias = str | int | float | bool | None
#: values for holes by name, in the order in which they were decided
Decisions: TypeAlias = Mapping[str, HoleValue]
MAX_VALUES: Final = 10_000
MAX_LISTED: Final = 8
#: the parameter of a space that is the program with fixed sizes; another one is the machine
PROGRAM: Final = "program"


class SpaceError(RiseError):
    """A mistake of a space's author. Errors of a single candidate are diagnostics of that candidate instead."""


class Undecided(BaseException):
    """Leaves a space at its first hole without a value. A BaseException, so that no handler in a space catches it."""

    def __init__(self, choice: str, domain: tuple[HoleValue, ...]) -> None:
        self.choice, self.domain = choice, domain


class Unfit(BaseException):
    """Leaves a space whose values violate a constraint."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


@dataclass(slots=True)
class Filling:
    """One run of a space: the values that were given, and those of the holes so far."""

    given: Decisions
    made: dict[str, HoleValue] = field(default_factory=dict)

    def fill(self, name: str, values: Iterable[HoleValue], where: Callable[[Any], bool] | None) -> HoleValue:
        """The value of a hole. Raises Undecided, Unfit or SpaceError."""
        domain = _checked(name, values)
        if name in self.made:
            title = f"expected holes of different names, found `{name}` twice"
            raise SpaceError(Diagnostic("hole-twice", title, hint="fill it once, and reuse its value"))
        fitting = domain if where is None else tuple(value for value in domain if where(value))
        if not fitting:
            raise Unfit(
                Diagnostic("no-value", self._refused(name, domain), hint="widen the domain or `where`")
            )
        if name in self.given:
            value = self.given[name]
            if not is_among(value, domain):
                raise SpaceError(unknown_value(name, value, domain))
            if not is_among(value, fitting):
                raise Unfit(
                    Diagnostic("unfit-value", f"`{name}` = {shown_value(value)} violates its `where`")
                )
        elif len(fitting) == 1:
            value = fitting[0]
        else:
            raise Undecided(name, fitting)
        self.made[name] = value
        return value

    def _refused(self, name: str, domain: tuple[HoleValue, ...]) -> str:
        made = ", ".join(f"{key} = {shown_value(value)}" for key, value in self.made.items())
        given = f" for {made}" if made else ""
        return f"no value of `{name}` fits{given}: none of {alternatives(domain)} meets its `where`"


_FILLING: ContextVar[Filling | None] = ContextVar("filling", default=None)


@contextmanager
def filling(decisions: Decisions) -> Iterator[Filling]:
    """A context in which holes have these values."""
    one = Filling(decisions)
    token = _FILLING.set(one)
    try:
        yield one
    finally:
        _FILLING.reset(token)


def choose(name: str, domain: Iterable[HoleValue], where: Callable[[Any], bool] | None = None) -> Any:
    """A hole with one of these values for which `where` holds. Values are strings, numbers, True, False or None.

    Raises RiseError outside of a space, for an empty domain, and for values of other types.
    """
    return _current(name).fill(name, domain, where)


def one_of(name: str, *options: Strategy, **named: Strategy) -> Strategy:
    """A hole for a strategy. Options are named by their strategies, or by keywords.

    Raises RiseError outside of a space, without options, and for options that are not strategies.
    """
    labelled = {**dict(zip(_labels(name, options), options, strict=True)), **named}
    for option in labelled.values():
        if not isinstance(option, Strategy):
            title = f"`{name}`: expected strategies, found a Python value of type {type(option).__name__}"
            raise SpaceError(Diagnostic("no-strategy", title, hint="`choose` takes other values"))
    chosen = _current(name).fill(name, labelled, None)
    assert isinstance(chosen, str), chosen
    return labelled[chosen]


@dataclass(frozen=True, slots=True)
class Space:
    """A strategy with holes. `bound`, if there is one, computes a lower bound on the time of a candidate from its
    decisions, or if it `bounds_prefixes`, of all candidates with some decisions; see `strategies.spaces.models`.
    """

    name: str
    make: Callable[..., Strategy]
    bound: Callable[..., Any] | None = None
    arguments: tuple[Any, ...] = ()
    bounds_prefixes: bool = False

    @property
    def doc(self) -> str:
        """The first line of its description."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    @property
    def takes_machine(self) -> bool:
        """Whether it is a function of a machine, which has not been given yet."""
        return not self.arguments and any(name != PROGRAM for name in self._parameters)

    @property
    def takes_program(self) -> bool:
        """Whether it is a function of a program, which has not been given yet."""
        return not self.arguments and PROGRAM in self._parameters

    @property
    def _parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.make).parameters)

    def on(self, machine: Any, program: Any = None) -> Space:
        """The space for a machine and a program with fixed sizes; the same space if it depends on neither."""
        if not (self.takes_machine or self.takes_program):
            return self
        given = tuple(program if name == PROGRAM else machine for name in self._parameters)
        return Space(self.name, self.make, self.bound, given, self.bounds_prefixes)

    @property
    def fingerprint(self) -> str:
        """A digest of its code and that of its model; comments and docstrings do not change it."""
        hasher = hashlib.sha256()
        for function in (self.make, self.bound):
            if function is not None:
                hasher.update(_source(function).encode())
        return hasher.hexdigest()[:16]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a space by its name, so that another process imports its module."""
        return _again, (self.make.__module__, self.make.__qualname__, self.arguments)


def space(make: Callable[..., Strategy]) -> Space:
    """Declare a function that returns a strategy, and may take the machine, and as `program` the program with fixed
    sizes, to be a space of strategies.

    Raises RiseError for other values.
    """
    given: Any = make
    if not inspect.isfunction(given):
        found = type(given).__name__
        title = f"expected a function that returns a strategy, found a Python value of type {found}"
        raise SpaceError(Diagnostic("no-space", title, hint="write @space above `def`"))
    required = [
        one
        for one in inspect.signature(make).parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    machines = [one for one in required if one.name != PROGRAM]
    if len(required) != len(inspect.signature(make).parameters) or len(machines) > 1:
        title = f"expected `{make.__name__}` to take the machine, `program` or nothing, found {inspect.signature(make)}"
        raise SpaceError(
            Diagnostic("no-space", title, hint="other parameters are holes: choose(name, domain)")
        )
    return Space(make.__name__, make)


def bounded(bound: Callable[..., Any], prefixes: bool = False) -> Callable[[Space], Space]:
    """Attach a performance model to a space: a function of a Setting and of complete decisions that returns a Bound in
    seconds; with `prefixes`, of any decisions, such that no candidate with these takes less. Place the decorator above
    @space.
    """
    return lambda one: Space(one.name, one.make, bound, one.arguments, prefixes)


def _again(module: str, name: str, arguments: tuple[Any, ...]) -> Space:
    found = getattr(import_module(module), name)
    assert isinstance(found, Space), name
    return Space(found.name, found.make, found.bound, arguments, found.bounds_prefixes)


def is_among(value: HoleValue, values: Iterable[HoleValue]) -> bool:
    """Whether a value is among values, and has the same type: True is not 1, and 1.0 is not 1."""
    return any(type(value) is type(other) and value == other for other in values)


def unknown_value(name: str, value: HoleValue, domain: tuple[HoleValue, ...]) -> Diagnostic:
    """The diagnostic of a value that a hole does not have, from decisions for another space."""
    title = f"expected `{name}` to be {alternatives(domain)}, found {shown_value(value)}"
    return Diagnostic(
        "unknown-decision", title, hint="the decisions are those of another space, or of an earlier one"
    )


def alternatives(values: Iterable[object]) -> str:
    """The first of some values, for messages: `1, 2 or 3`."""
    texts = [shown_value(value) for value in values]
    if len(texts) > MAX_LISTED:
        return f"{', '.join(texts[:MAX_LISTED])} or one of {len(texts) - MAX_LISTED} more"
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _current(name: object) -> Filling:
    if not isinstance(name, str) or not name:
        title = f"expected a name for a hole, found {shown_value(name)}"
        raise SpaceError(Diagnostic("no-name", title, hint='for example choose("rows", (2, 4, 8))'))
    one = _FILLING.get()
    if one is None:
        title = f"the hole `{name}` is outside of a space"
        hint = "write @space above the function, and search it: shine.tune(program, space, sizes=...)"
        raise SpaceError(Diagnostic("hole-outside", title, hint=hint))
    return one


def _checked(name: str, values: Iterable[HoleValue]) -> tuple[HoleValue, ...]:
    try:
        domain = tuple(islice(values, MAX_VALUES + 1))
    except TypeError:
        title = f"`{name}`: expected the values it may have, found {shown_value(values)}"
        raise SpaceError(
            Diagnostic("no-domain", title, hint="for example (2, 4, 8) or range(1, 9)")
        ) from None
    if not domain:
        title = f"`{name}` has no values to choose from"
        raise SpaceError(Diagnostic("empty-domain", title, hint="give it at least one"))
    if len(domain) > MAX_VALUES:
        title = f"`{name}`: expected at most {MAX_VALUES} values, found more"
        raise SpaceError(Diagnostic("no-domain", title, hint="choose fewer, such as powers of two"))
    seen: set[tuple[type, HoleValue]] = set()
    for value in domain:
        is_number = not isinstance(value, float) or math.isfinite(value)
        if type(value) not in (str, int, float, bool, type(None)) or not is_number:
            title = (
                f"`{name}`: expected strings, finite numbers, True, False or None, found {shown_value(value)}"
            )
            hint = "`one_of` takes strategies" if _is_strategy(value) else "choose the name of a value"
            raise SpaceError(Diagnostic("no-data", title, hint=hint))
        if (type(value), value) in seen:
            title = f"`{name}`: expected different values, found {shown_value(value)} twice"
            raise SpaceError(Diagnostic("no-domain", title, hint="list each once"))
        seen.add((type(value), value))
    return domain


def _is_strategy(value: object) -> bool:
    return isinstance(value, Strategy)


def _labels(name: str, options: tuple[object, ...]) -> list[str]:
    """The names of options: those of their strategies, with a number if several have the same name."""
    names = [one.name if isinstance(one, Named) else str(one)[:40] for one in options]
    repeated = {one for one in names if names.count(one) > 1}
    return [f"{one} {position}" if one in repeated else one for position, one in enumerate(names, 1)]


def _source(function: Callable[..., Any]) -> str:
    """A function's syntax, without comments, docstrings and layout; its bytecode if it has no source."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_names, [one for one in code.co_consts if not inspect.iscode(one)]))
    try:
        tree = ast.parse(source)
    except SyntaxError:  # of a function inside an expression
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)
