"""Combinators that apply at one place: repetition, conditions, names. Independent of terms and engines.

What `repeat` and `not_` do is defined in `elevate/engine/reference.py`; `elevate/engine/one_place.py` compiles them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from itertools import takewhile
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import ClassVar, ParamSpec, overload

from elevate.argument_checks import expected_count
from elevate.diagnostics import Diagnostic, StrategyError, described
from elevate.places import place_of_caller, place_of_function
from elevate.strategy import CHOICE, Strategy, Traversal, expected_strategy, id_, seq, show_all
from elevate.tracebacks import ends_at_the_users_line

A = ParamSpec("A")


@dataclass(frozen=True, slots=True)
class Not(Strategy):
    """Succeed without a change if the strategy fails; fail if it succeeds."""

    inner: Strategy
    spelling: ClassVar[str] = "not_"


@dataclass(frozen=True, slots=True)
class Repeat(Strategy):
    """`try_(s >> repeat(s))`: apply until it fails. Never fails.

    Raises StrategyError if it reaches the same program twice.
    """

    inner: Strategy


@dataclass(frozen=True, slots=True)
class Try(Strategy):
    """Apply the strategy if it succeeds. Never fails."""

    inner: Strategy
    spelling: ClassVar[str] = "try_"

    def unfold(self) -> Strategy:
        return self.inner | id_


@dataclass(frozen=True, slots=True)
class RepeatNTimes(Strategy):
    """Apply the strategy exactly n times; fails if one of these fails."""

    n: int
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return seq(*[self.inner] * self.n)


@dataclass(frozen=True, slots=True)
class IfThenElse(Strategy):
    """After the condition apply `then`, if it succeeds; if the condition fails, `otherwise`. Rewrites are kept."""

    condition: Strategy
    then: Strategy
    otherwise: Strategy

    def unfold(self) -> Strategy:
        return self.condition >> Try(self.then) | self.otherwise


@dataclass(frozen=True, slots=True)
class Named(Strategy):
    """A strategy with a name and parameters: it prints as `tile(32, 32)` and does what its body does.

    `defaults` has the names and default values of the last parameters, if they have any: of these, only the ones that
    differ from their defaults are printed, as in `wmma(rows=64)`.
    """

    name: str
    parameters: tuple[object, ...]
    body: Strategy
    defaults: tuple[tuple[str, object], ...] = ()
    place: str = field(default="", compare=False)

    def unfold(self) -> Strategy:
        return self.body

    def show(self, binding: int = CHOICE) -> str:
        required = len(self.parameters) - len(self.defaults)
        arguments = [show_all([value]) for value in self.parameters[:required]]
        for value, (name, default) in zip(self.parameters[required:], self.defaults, strict=True):
            if type(value) is not type(default) or value != default:
                arguments.append(f"{name}={show_all([value])}")
        return f"{self.name}({', '.join(arguments)})" if arguments else self.name


@ends_at_the_users_line
def repeatNTimes(n: int) -> Traversal:
    """Apply a strategy exactly n times: `repeatNTimes(3)(s)`."""
    count = expected_count(n, "a number of times")
    return lambda inner: RepeatNTimes(count, inner)


@ends_at_the_users_line
def applyNTimes(n: int) -> Callable[[Traversal], Traversal]:
    """Wrap a strategy n times by a function of strategies: `applyNTimes(2)(one)(s)` is `one(one(s))`."""

    count = expected_count(n, "a number of times")

    def wrapped(wrap: Traversal) -> Traversal:
        def apply(inner: Strategy) -> Strategy:
            inner = expected_strategy(inner)
            for _ in range(count):
                inner = inner @ wrap
            return inner

        return apply

    return wrapped


@overload
def named(definition: Callable[A, Strategy], /) -> Callable[A, Strategy]: ...
@overload
def named(definition: str, /, *parameters_then_body: object) -> Strategy: ...
@ends_at_the_users_line
def named(definition: str | Callable[A, Strategy], /, *rest: object) -> Strategy | Callable[A, Strategy]:
    """Give a strategy a name: `named("tile", 32, 32, body)`, or `@named` above a function that returns one.

    >>> named("tile", 32, 32, id_)
    tile(32, 32)
    >>> @named
    ... def cut(depth: int, rows: int = 8, columns: int = 8) -> Strategy:
    ...     return id_
    >>> cut(4), cut(4, columns=16)
    (cut(4), cut(4, columns=16))
    """
    if isinstance(definition, str):
        *parameters, body = rest or (None,)
        return Named(definition, tuple(parameters), expected_strategy(body), place=place_of_caller())
    if not (inspect.isfunction(definition) or inspect.ismethod(definition)):
        title = (
            f"expected a name and a strategy, or a function that returns one, found {described(definition)}"
        )
        raise StrategyError(Diagnostic("no-strategy", title, hint='write `named("tile", 32, strategy)`'))
    signature = inspect.signature(definition)
    name, place = definition.__name__, place_of_function(definition)
    optional = list(takewhile(_has_default, reversed(list(signature.parameters.values()))))
    defaults = tuple((parameter.name, parameter.default) for parameter in reversed(optional))

    @wraps(definition)
    def construct(*arguments: A.args, **keywords: A.kwargs) -> Strategy:
        bound = signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        body = _defined(definition, name, place, arguments, keywords)
        return Named(name, tuple(bound.arguments.values()), body, defaults, place)

    return construct


def _defined(
    definition: Callable[..., object],
    name: str,
    place: str,
    arguments: tuple[object, ...],
    keywords: dict[str, object],
) -> Strategy:
    """The strategy that a definition returns."""
    try:
        body = definition(*arguments, **keywords)
    except RecursionError as error:
        frame = inspect.currentframe()
        if _definitions(walk_stack(frame and frame.f_back)):
            raise  # the outermost definition explains it
        raise _endless(_definitions(walk_tb(error.__traceback__))) from None
    if isinstance(body, Strategy):
        return body
    title = f"expected the definition of {name} to return a strategy, found {described(body)}"
    hint = "end it with `return` and the strategy"
    raise StrategyError(Diagnostic("no-strategy", title, notes=(f"at {place}",), hint=hint))


def _definitions(frames: Iterable[tuple[FrameType, int]]) -> list[tuple[str, str]]:
    """The names and places of the definitions that are being called in some frames."""
    code = _defined.__code__
    return [(f.f_locals["name"], f.f_locals["place"]) for f, _ in frames if f.f_code is code]


def _endless(called: list[tuple[str, str]]) -> StrategyError:
    """The error for definitions that call each other endlessly, given those that were being called."""
    again = called.index(called[0], 1) if called[0] in called[1:] else len(called)
    names = " -> ".join(name for name, _ in [*called[:again], called[0]])
    notes = tuple(f"{name} at {place}" for name, place in dict.fromkeys(called[:again]))
    title = f"expected a definition that ends, found one that calls itself endlessly: {names}"
    hint = "pass a smaller number at each call, and end at 0; or repeat by `repeat` or `normalize`"
    return StrategyError(Diagnostic("endless-definition", title, notes=notes, hint=hint))


def _has_default(parameter: inspect.Parameter) -> bool:
    return parameter.default is not parameter.empty


try_ = Try
repeat = Repeat
not_ = Not
ifThenElse = IfThenElse
