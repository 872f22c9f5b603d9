"""Queries: collect, count, fold, and contexts with a hole. Terms are accessed only through their children.

A query is a value that is called on a term. What it looks for is given by a strategy: the subterms on which the
strategy succeeds. Nothing is rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from elevate.engine.run import run
from elevate.result import Success
from elevate.rules import Predicate
from elevate.strategy import Result, Strategy, expected_strategy
from elevate.term import P, Path, Term, path_of, preorder, replaced
from elevate.tracebacks import Checked

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Context(Generic[P]):
    """A program with a hole at a path; `term` is the subterm that was there."""

    program: P
    path: Path
    term: Term

    def filled(self, term: Term) -> P:
        """The program with another term in the hole."""
        filled: P = replaced(self.program, self.path, term) if self.path else term  # type: ignore[assignment]  # a term of the same language
        return filled

    def apply(self, strategy: Strategy) -> Result[Term]:
        """Apply a strategy in the hole; a `Success` has the whole program."""
        result = run(strategy, self.term).result
        if not isinstance(result, Success):
            return result
        return Success(self.filled(result.program), result.steps.under(self.path))


@dataclass(frozen=True, slots=True)
class Contexts(metaclass=Checked):
    """Every place where a strategy succeeds, as a program with a hole there; parents first."""

    strategy: Strategy

    def __post_init__(self) -> None:
        expected_strategy(self.strategy)

    def __call__(self, program: P) -> tuple[Context[P], ...]:
        return tuple(Context(program, path, term) for term, path in matches(self.strategy, program))

    def __repr__(self) -> str:
        return f"contexts({self.strategy})"


@dataclass(frozen=True, slots=True)
class Collect(metaclass=Checked):
    """The subterms on which a strategy succeeds, parents first; a subterm that occurs twice is listed twice."""

    strategy: Strategy

    def __post_init__(self) -> None:
        expected_strategy(self.strategy)

    def __call__(self, program: Term) -> tuple[Any, ...]:
        return tuple(term for term, _ in matches(self.strategy, program))

    def __repr__(self) -> str:
        return f"collect({self.strategy})"


@dataclass(frozen=True, slots=True)
class Count(metaclass=Checked):
    """The number of subterms on which a strategy succeeds; equal subterms are tested once and counted each time."""

    strategy: Strategy

    def __post_init__(self) -> None:
        expected_strategy(self.strategy)

    def __call__(self, program: Term) -> int:
        answers: dict[Term, bool] = {}

        def counted(term: Term, below: tuple[int, ...]) -> int:
            if term not in answers:
                answers[term] = succeeds(self.strategy, term)
            return answers[term] + sum(below)

        return Fold(counted)(program)

    def __repr__(self) -> str:
        return f"count({self.strategy})"


@dataclass(frozen=True, slots=True)
class Fold(Generic[T]):
    """The value of a term, by a function of the term and its children's values; equal subterms are evaluated once."""

    value: Callable[[Any, tuple[T, ...]], T]

    def __call__(self, program: Term) -> T:
        values: dict[Term, T] = {}
        waiting = [program]
        while waiting:
            term = waiting[-1]
            missing = [child for child in term.children if child not in values]
            if missing:
                waiting.extend(reversed(missing))
                continue
            waiting.pop()
            if term not in values:
                values[term] = self.value(term, tuple(values[child] for child in term.children))
        return values[program]

    def __repr__(self) -> str:
        return f"fold({getattr(self.value, '__name__', self.value)})"


def matches(strategy: Strategy, program: Term) -> Iterator[tuple[Term, Path]]:
    """The subterms on which a strategy succeeds, with their paths, parents first."""
    answers: dict[Term, bool] = {}
    for term, place in preorder(program):
        holds = answers.get(term)
        if holds is None:
            holds = answers[term] = succeeds(strategy, term)
        if holds:
            yield term, path_of(place)


def succeeds(strategy: Strategy, term: Term) -> bool:
    """Whether a strategy succeeds on a term."""
    if isinstance(strategy, Predicate) and strategy.roots is not None and term.root not in strategy.roots:
        return False
    return isinstance(run(strategy, term).result, Success)


collect = Collect
contexts = Contexts
count = Count
fold = Fold
