"""Strategies: functions from a program to a result, as data. Depends on sequence and choice, but not on the engines.

A strategy is a frozen dataclass: a constructor and its arguments. It compares, hashes, prints and pickles
as such, and the engines can inspect it. Most constructors define `unfold`, their definition in terms of others, as
in the paper; the few that do not are primitive cases of the engines.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NoReturn, TypeAlias, cast

from elevate.argument_checks import check_paths, check_terms, expected, expected_term
from elevate.diagnostics import Diagnostic, StrategyError, check_fields, described, passed_at, wrong_field
from elevate.result import FailureTree, Success
from elevate.term import P, Path, Term, show_path
from elevate.tracebacks import Checked, ends_at_the_users_line

Traversal: TypeAlias = "Callable[[Strategy], Strategy]"
"""The right operand of `@`: it decides where the strategy on the left is applied."""

CHOICE, SEQUENCE, ATOM = 0, 1, 2
"""How tightly printed strategies bind: `a | b`, `a >> b`, everything else."""
MAX_TITLE_CHARACTERS = 160
"""How many characters of a strategy a failure shows in its title."""
MAX_DEFINITIONS = 1 << 14
"""How many definitions are remembered; the largest strategies of this project have some thousand parts."""

_ONE_BY_ONE = "pass the strategies one by one, as in `seq(a, b)`"


@cache
def _declared(kind: Hashable) -> tuple[tuple[str, str], ...]:
    """The fields that are declared to hold a strategy, a tuple of strategies, a function or text, with their kinds."""
    found: list[tuple[str, str]] = []
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]  # only dataclasses have `__post_init__` called
        written = field.type if isinstance(field.type, str) else inspect.formatannotation(field.type)
        declared = re.sub(r"\b[\w.]+\.(?=Strategy\b)", "", written)
        if declared in ("Strategy", "tuple[Strategy, ...]", "str"):
            found.append((field.name, declared))
        elif re.match(r"(?:[\w.]+\.)?Callable\[", declared) and " | " not in declared.rpartition("]")[2]:
            found.append((field.name, "Callable"))
    return tuple(found)


class Strategy(metaclass=Checked):
    """The base of all strategies. Subclass it with a frozen dataclass that defines `unfold`.

    `unfold` may apply the strategy itself one level further down, as `topDown` does.
    """

    __slots__ = ("_hash",)
    _hash: int

    spelling: ClassVar[str] = ""
    """The name it prints as; if empty, the class name with a lower-case first letter."""
    curried: ClassVar[bool] = False
    """Whether it prints as `name(parameters)(strategy)`."""
    traverses: ClassVar[bool] = False
    """Whether its definition applies itself only to children."""
    applied_by: ClassVar[Callable[[Strategy, Any], Any]]
    """The fast engine, which imports the strategies; `elevate/__init__.py` sets it, once."""
    required_by: ClassVar[Callable[[Strategy], Any]]
    checked_by: ClassVar[Callable[[Strategy, Any], Any]]
    """The analyses of what a strategy needs; set there too."""

    def __init_subclass__(cls) -> None:
        if "__repr__" not in cls.__dict__:  # so that @dataclass does not add its own
            cls.__repr__ = Strategy.__repr__  # type: ignore[method-assign]  # the same method again
        if not {"__hash__", "__eq__"} & cls.__dict__.keys():
            cls.__hash__ = Strategy.__hash__  # type: ignore[method-assign]  # the same method again

    def __post_init__(self) -> None:
        """Reject parts that are not what they are declared to be, before anything runs."""
        for name, declared in _declared(cast(Hashable, type(self))):
            part = getattr(self, name)
            match declared:
                case "Strategy":
                    expected_strategy(part)
                case "Callable" if not callable(part):
                    raise wrong_field(self, name, part, "a function", "no-function")
                case "str" if not isinstance(part, str):
                    raise wrong_field(self, name, part, "a str", "no-text")
                case "tuple[Strategy, ...]":
                    for one in expected(part, tuple, "a tuple of strategies", "no-strategy", _ONE_BY_ONE):
                        expected_strategy(one)

    def __hash__(self) -> int:
        """The hash of the fields, computed once: engines and checks look strategies up often."""
        try:
            return self._hash
        except AttributeError:
            names = _compared(type(self))
            try:
                value = (
                    object.__hash__(self)
                    if names is None
                    else hash((type(self), *(getattr(self, n) for n in names)))
                )
            except TypeError as error:
                title = f"expected a strategy with hashable arguments, found {type(self).__name__}: {error}"
                hint = "pass tuples instead of lists, and strategies instead of other functions"
                raise StrategyError(Diagnostic("no-strategy", title, hint=hint)) from None
            object.__setattr__(self, "_hash", value)
            return value

    @ends_at_the_users_line
    def __call__(self, program: P) -> Success[P] | Failure:
        """Apply the strategy at the root of a program."""
        result: Success[P] | Failure = Strategy.applied_by(self, expected_term(program))
        return result

    @ends_at_the_users_line
    def requires(self) -> Any:
        """The weakest condition on programs under which it can succeed: an `elevate.Requirement`."""
        return Strategy.required_by(self)

    @ends_at_the_users_line
    def check(self, program: Any) -> Any:
        """Whether it succeeds on a program, decided without running it: an `elevate.Verdict`, yes, no or unknown."""
        return Strategy.checked_by(self, program)

    @property
    def place(self) -> str:
        """Where it was defined, `strategies/parts/nests.py:81`; empty for an unnamed combination."""
        return ""

    def unfold(self) -> Strategy | None:
        """The definition in terms of other strategies; None for a primitive case."""
        return None

    @property
    def children(self) -> tuple[Strategy, ...]:
        """The strategies that it is built from; with these, strategies rewrite strategies, see `elevate.meta`."""
        return tuple(strategies_of(parts(self)))

    @property
    def root(self) -> Hashable:
        """Its constructor and the number of its parts."""
        return type(self).__name__, len(self.children)

    def rebuild(self, children: tuple[Any, ...], /) -> Strategy:
        """The same constructor applied to other strategies."""
        if not children:
            return self
        rest = iter(children)
        fields = dataclasses.fields(self)  # type: ignore[arg-type]  # a strategy with parts is a dataclass
        arguments = {field.name: getattr(self, field.name) for field in fields if field.init}
        return type(self)(**{name: refilled(value, rest) for name, value in arguments.items()})

    def show(self, binding: int = CHOICE) -> str:
        """The strategy as the papers write it, in parentheses if `binding` requires them."""
        name = self.spelling or type(self).__name__[:1].lower() + type(self).__name__[1:]
        arguments = list(parts(self))
        if not arguments:
            return name
        *first, last = arguments
        if self.curried:
            return f"{name}({show_all(first)})({show_all([last])})"
        return f"{name}({show_all(arguments)})"

    def __repr__(self) -> str:
        return self.show()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print it in Hypothesis's notes, which would show all fields, and the modules of rules."""
        printer.text(repr(self))

    @ends_at_the_users_line
    def __rshift__(self, later: Strategy) -> Strategy:
        return seq(self, later)

    @ends_at_the_users_line
    def __or__(self, other: Strategy) -> Strategy:
        return lChoice(self, other)

    @ends_at_the_users_line
    def __rrshift__(self, earlier: object) -> Strategy:
        return seq(expected_strategy(earlier), self)

    @ends_at_the_users_line
    def __ror__(self, other: object) -> Strategy:
        return lChoice(expected_strategy(other), self)

    @ends_at_the_users_line
    def __matmul__(self, traversal: Traversal) -> Strategy:
        given: object = traversal
        if not callable(given) or isinstance(given, Strategy):
            title = f"expected a traversal after `@`, found {described(traversal)}"
            hint = "write `rule @ topDown` or `rule @ at(path)`"
            raise StrategyError(Diagnostic("no-strategy", title, notes=passed_at(traversal), hint=hint))
        return expected_strategy(traversal(self))


@dataclass(frozen=True, slots=True)
class Failure(metaclass=Checked):
    """A strategy did not apply: the part that failed, and the place where it was tried.

    `path` is a place in the program at the time that part was tried, which is `given` if no step came before. The part
    is the smallest one that decides: for a `seq`, the part that failed; for a choice or a traversal, the whole.
    """

    strategy: Strategy
    path: Path
    attempt: Strategy
    """The whole strategy that was called."""
    given: Term
    """The program it was called on."""

    def __post_init__(self) -> None:
        check_fields(self, strategy=Strategy, attempt=Strategy)
        check_paths(self, "path")
        check_terms(self, "given")

    explained_by: ClassVar[Callable[[Failure], FailureTree]]
    """Explains a failure by the reference engine; `elevate/__init__.py` sets it, once."""

    @property
    @ends_at_the_users_line
    def program(self) -> NoReturn:
        """Raises StrategyError, so that nobody continues with an unchanged program."""
        raise StrategyError(
            Diagnostic(
                code="not-applicable",
                title=str(self),
                notes=tuple(str(self.explain()).splitlines()),
                hint="match on Success and Failure first, or wrap the strategy in `try_`",
            )
        )

    @ends_at_the_users_line
    def explain(self) -> FailureTree:
        """Run the attempt again in the reference engine, and explain why it failed."""
        return Failure.explained_by(self)

    def __str__(self) -> str:
        part = str(self.strategy)
        if len(part) <= MAX_TITLE_CHARACTERS:
            return f"{part} does not apply at {show_path(self.path)}"
        whole = str(self.attempt)  # often a name
        named = whole if len(whole) <= MAX_TITLE_CHARACTERS else f"{whole[:MAX_TITLE_CHARACTERS]}..."
        return f"{named} does not apply: a part of it failed at {show_path(self.path)}"


Result: TypeAlias = Success[P] | Failure


@dataclass(frozen=True, slots=True)
class Id(Strategy):
    """Succeed and change nothing."""

    spelling: ClassVar[str] = "id_"


@dataclass(frozen=True, slots=True)
class Fail(Strategy):
    """Fail everywhere."""


def _new_of_tuple(cls: type[Any], fields: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """A new object of a class whose only field is a tuple of strategies, which a user may have passed one by one."""
    count = len(fields) + len(named)
    if count > 1:
        title = f"expected a tuple of strategies, the only field of {cls.__name__}, found {count} fields"
        hint = f"build it by `{cls.__name__[0].lower()}{cls.__name__[1:]}(a, b)`, which takes strategies one by one"
        raise StrategyError(Diagnostic("no-strategy", title, notes=passed_at(fields[0]), hint=hint))
    return object.__new__(cls)


@dataclass(frozen=True, slots=True)
class Seq(Strategy):
    """Apply strategies in sequence; fails if one of them fails. Built by `seq` or `>>`, which flatten."""

    parts: tuple[Strategy, ...]

    def __new__(cls, *parts: Any, **named: Any) -> Any:
        return _new_of_tuple(cls, parts, named)

    def show(self, binding: int = CHOICE) -> str:
        text = " >> ".join(part.show(ATOM) for part in self.parts)
        return f"({text})" if binding > SEQUENCE else text


@dataclass(frozen=True, slots=True)
class LChoice(Strategy):
    """Apply the first strategy that succeeds on the program. Built by `lChoice` or `|`, which flatten."""

    alternatives: tuple[Strategy, ...]

    def __new__(cls, *alternatives: Any, **named: Any) -> Any:
        return _new_of_tuple(cls, alternatives, named)

    def show(self, binding: int = CHOICE) -> str:
        text = " | ".join(part.show(SEQUENCE) for part in self.alternatives)
        return f"({text})" if binding > CHOICE else text


id_ = Id()
fail = Fail()


@ends_at_the_users_line
def seq(*strategies: Strategy) -> Strategy:
    """Strategies in sequence: `a >> b`. With no arguments, `id_`."""
    flat: list[Strategy] = []
    for strategy in strategies:
        flat += strategy.parts if isinstance(strategy, Seq) else [expected_strategy(strategy)]
    return flat[0] if len(flat) == 1 else Seq(tuple(flat)) if flat else id_


@ends_at_the_users_line
def lChoice(*strategies: Strategy) -> Strategy:
    """The first strategy that succeeds: `a | b`, in the papers `a <+ b`. With no arguments, `fail`."""
    flat: list[Strategy] = []
    for strategy in strategies:
        flat += strategy.alternatives if isinstance(strategy, LChoice) else [expected_strategy(strategy)]
    return flat[0] if len(flat) == 1 else LChoice(tuple(flat)) if flat else fail


def expected_strategy(given: object) -> Strategy:
    """Check that a value is a strategy. Raises StrategyError with the next action if it is not."""
    if isinstance(given, Strategy):
        return given
    hint = "pass a rule, or strategies combined by `>>`, `|` or a traversal"
    if isinstance(given, list | tuple):
        hint = "pass the strategies one by one, as in `seq(a, b)`"
    elif hasattr(given, "root") and not isinstance(given, type):
        hint = "apply the finished strategy to the program, as in `topDown(rule)(program)`"
    elif getattr(given, "__name__", "") == "<lambda>":
        hint = "a function of a term becomes a strategy by `elevate.rule` or `where`"
    elif callable(given):
        hint = "call it first, with its parameters or with the strategies that it combines"
    return expected(given, Strategy, "a strategy", "no-strategy", hint)


def definition_of(strategy: Strategy) -> Strategy | None:
    """The definition of a strategy. Raises StrategyError if the argument is not a strategy."""
    return _unfolded(expected_strategy(strategy))


@lru_cache(maxsize=MAX_DEFINITIONS)
def _unfolded(strategy: Strategy) -> Strategy | None:
    """Cached, since engines and analyses request the same definitions often; equal strategies share one."""
    return strategy.unfold()


@cache
def _compared(kind: Hashable) -> tuple[str, ...] | None:
    """The fields by which two strategies are compared; None if they are compared by identity."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(field.name for field in dataclasses.fields(kind) if field.compare)


def parts(strategy: Strategy) -> tuple[object, ...]:
    """The arguments a strategy was constructed with."""
    if not dataclasses.is_dataclass(strategy):
        return ()
    return tuple(getattr(strategy, field.name) for field in dataclasses.fields(strategy))


def strategies_of(arguments: Iterable[object]) -> Iterator[Strategy]:
    """The strategies among arguments, including those in tuples, in order."""
    for argument in arguments:
        if isinstance(argument, Strategy):
            yield argument
        elif isinstance(argument, tuple):
            yield from strategies_of(argument)


def refilled(argument: Any, rest: Iterator[Strategy]) -> Any:
    """An argument with its strategies replaced by the next ones of `rest`."""
    if isinstance(argument, Strategy):
        return next(rest)
    if isinstance(argument, tuple) and any(strategies_of(argument)):
        return tuple(refilled(element, rest) for element in argument)
    return argument


def show_all(arguments: list[object]) -> str:
    """Arguments as they are printed between parentheses."""
    return ", ".join(part.show() if isinstance(part, Strategy) else repr(part) for part in arguments)
