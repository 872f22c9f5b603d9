"""Weakest preconditions of strategies over shapes of terms, and the verdict for one program.

Depends on the strategies, but not on languages. Follows Shoggoth (Qin et al., POPL 2024) and its location-indexed `wp`:
for each strategy and each postcondition, there are two preconditions, a necessary one (`needed`) and a sufficient one
(`enough`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from elevate.analysis.conditions import (
    FALSE,
    MAX_CONDITION_PARTS,
    TRUE,
    Condition,
    Decision,
    Holds,
    Is,
    at_child,
    both,
    each_child,
    either,
    negation,
    shapes_at_least,
    shapes_at_most,
    size,
    some_child,
    somewhere,
)
from elevate.analysis.info import MAX_DEPTH, NEVER, Survey
from elevate.analysis.shapes import (
    ANY,
    Built,
    Shape,
    anonymous,
    backward,
    backward_sufficient,
    built,
    covers,
    narrowed,
    widened,
)
from elevate.analysis.termination import rewrites_of
from elevate.argument_checks import expected_term
from elevate.combinators import Not, Repeat, RepeatNTimes
from elevate.rules import Predicate, Rule
from elevate.strategy import (
    Fail,
    Id,
    LChoice,
    Seq,
    Strategy,
    definition_of,
    expected_strategy,
    fail,
    id_,
    seq,
)
from elevate.term import Term, show_term
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import (
    All,
    AllBottomup,
    Alltd,
    AllTopdown,
    BottomUp,
    Child,
    Downup,
    Downup2,
    Normalize,
    NormalizeBottomup,
    One,
    Position,
    Skip,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
)

MAX_QUESTIONS: Final = 4000
"""How many preconditions are computed for one answer."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a strategy needs of its argument."""

    needed: Condition
    """Necessary for success."""
    enough: Condition
    """Sufficient for success."""

    def __str__(self) -> str:
        return str(self.needed)

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a strategy succeeds on a program, decided without running it."""

    answer: Literal["yes", "no", "unknown"]
    reason: str

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason}"


@ends_at_the_users_line
def requires(strategy: Strategy) -> Requirement:
    """The weakest condition on programs under which a strategy can succeed."""
    return _requires(expected_strategy(strategy))


@lru_cache(maxsize=1024)
def _requires(strategy: Strategy) -> Requirement:
    needs = Needs(Survey())
    return Requirement(needs.needed(strategy, TRUE), needs.enough(strategy, TRUE))


@ends_at_the_users_line
def check(strategy: Strategy, program: Term) -> Verdict:
    """Whether a strategy succeeds on a program: no if it cannot, yes if it does, otherwise unknown."""
    need, program = requires(strategy), expected_term(program)
    decision = Decision()
    if not decision.holds(need.needed, program):
        actual = "" if need.needed == FALSE else f", and the program is `{show_term(program, 60)}`"
        return Verdict("no", f"{show_term(strategy)} needs `{need.needed}`{actual}")
    if decision.holds(need.enough, program):
        return Verdict("yes", f"the program is `{need.enough}`, on which {show_term(strategy)} succeeds")
    return Verdict(
        "unknown",
        f"the program is `{need.needed}`, as {show_term(strategy)} needs; only a run decides the rest",
    )


class Needs:
    """Computes preconditions of strategies, each once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.known: dict[tuple[bool, Strategy, Condition], Condition] = {}
        self.level = 0

    def needed(self, s: Strategy, then: Condition = TRUE) -> Condition:
        """A condition of every term on which a strategy succeeds with a result that satisfies `then`."""
        if then == FALSE:
            return FALSE
        return self._condition(s, then, True)

    def enough(self, s: Strategy, then: Condition = TRUE) -> Condition:
        """A condition under which a strategy succeeds with a result that satisfies `then`."""
        if then == FALSE:
            return FALSE
        info = self.survey.of(s)
        if then == TRUE and info.fails is NEVER and info.diverges is NEVER:
            return TRUE
        return self._condition(s, then, False)

    def _condition(self, s: Strategy, then: Condition, needed: bool) -> Condition:
        key = (needed, s, then)
        condition = self.known.get(key)
        if condition is not None:
            return condition
        unknown = TRUE if needed else FALSE
        if self.level > MAX_DEPTH or len(self.known) > MAX_QUESTIONS:
            return unknown
        self.known[key] = unknown  # while its own definition is analysed
        self.level += 1
        condition = self._needed(s, then) if needed else self._enough(s, then)
        if size(condition) > MAX_CONDITION_PARTS:
            condition = (
                either(map(Is, shapes_at_most(condition)))
                if needed
                else either(map(Is, shapes_at_least(condition)))
            )
        self.level -= 1
        self.known[key] = condition
        return condition

    def ends(self, s: Strategy) -> bool:
        """Whether a strategy always terminates."""
        return self.survey.of(s).diverges is NEVER

    def fails_on(self, s: Strategy) -> Condition:
        """A condition under which a strategy fails."""
        return negation(self.needed(s)) if self.ends(s) else FALSE

    def _needed(self, s: Strategy, then: Condition) -> Condition:
        match s:
            case Rule():
                rewrites = rewrites_of(s)
                if rewrites is None:
                    return TRUE
                shapes = (
                    backward(rewrite, shape)
                    for rewrite in rewrites
                    for shape in shapes_at_most(then, anonymous(rewrite.right))
                )
                return either(map(Is, widened(shape for shape in shapes if shape is not None)))
            case Predicate():
                roots = TRUE if s.roots is None else either(Is(Built(root)) for root in s.roots)
                return both(then, roots, Holds(s))
            case Id():
                return then
            case Fail():
                return FALSE
            case Seq(parts):
                for part in reversed(parts):
                    then = self.needed(part, then)
                return then
            case LChoice(alternatives):
                conditions: list[Condition] = []
                rejections: list[Condition] = []
                for alternative in alternatives:
                    conditions.append(both(self.needed(alternative, then), *rejections))
                    rejections.append(negation(self.enough(alternative)))
                return either(conditions)
            case Not(inner):
                return both(then, negation(self.enough(inner)))
            case Repeat(inner):
                return self.repetition(inner, inner, then)
            case Normalize(inner) | NormalizeBottomup(inner):
                return self.repetition(inner, TopDown(inner), then)
            case RepeatNTimes(n, inner):
                return self.needed(seq(*[inner] * n), then) if n <= MAX_DEPTH else self.needed(inner)
            case Child(index, inner):
                return either(self.needed_at(index, inner, shape) for shape in shapes_at_most(then))
            case All(inner):
                return either(self.needed_at_children(inner, shape) for shape in shapes_at_most(then))
            case One(inner) | Some(inner):
                children = [_arity(shape) for shape in shapes_at_most(then)]
                return both(either(children), some_child(self.needed(inner)))
            case TopDown(inner) | BottomUp(inner) | Sometd(inner) | Somebu(inner):
                return somewhere(self.needed(inner))
            case Skip(_, inner):
                return somewhere(self.needed(inner))
            case Position(n, inner):
                return self.needed(inner, then) if n == 0 else somewhere(self.needed(inner))
            case AllTopdown(inner) | Downup(inner) | Downup2(inner, _):
                last = s.up if isinstance(s, Downup2) else id_ if isinstance(s, AllTopdown) else inner
                # the traversal stops at a node below which it does not continue
                ends = self.needed(seq(inner, All(fail), last))
                return FALSE if ends == FALSE else self.needed(inner)
            case AllBottomup(inner):
                return FALSE if self.needed(seq(All(fail), inner)) == FALSE else TRUE
            case TryAll() | Alltd():
                return TRUE
            case _:
                body = definition_of(s)
                return TRUE if body is None else self.needed(body, then)

    def repetition(self, inner: Strategy, step: Strategy, then: Condition) -> Condition:
        """What a repetition needs: at the end `step` fails, so a term on which it must succeed is no result."""
        reducible = shapes_at_least(self.enough(inner))
        final = [
            shape for shape in shapes_at_most(then) if not any(covers(other, shape) for other in reducible)
        ]
        return either([both(then, negation(self.enough(step))), self.needed(step)]) if final else FALSE

    def needed_at(self, index: int, inner: Strategy, shape: Shape) -> Condition:
        """What a strategy at one child needs for a result of a shape."""
        if not isinstance(shape, Built) or shape.children is None:
            return at_child(index, self.needed(inner))
        children = shape.children
        if not 0 <= index < len(children):
            return FALSE
        others = built(None, (*children[:index], ANY, *children[index + 1 :]))
        return both(Is(others), at_child(index, self.needed(inner, Is(children[index]))))

    def needed_at_children(self, inner: Strategy, shape: Shape) -> Condition:
        """What a strategy at every child needs for a result of a shape."""
        if not isinstance(shape, Built) or shape.children is None:
            return each_child(self.needed(inner))
        below = (at_child(index, self.needed(inner, Is(child))) for index, child in enumerate(shape.children))
        return both(_arity(shape), *below)

    def _enough(self, s: Strategy, then: Condition) -> Condition:
        match s:
            case Rule():
                wanted = shapes_at_least(then)
                exact = [rewrite for rewrite in rewrites_of(s) or () if rewrite.exact]
                shapes = (backward_sufficient(rewrite, shape) for rewrite in exact for shape in wanted)
                return either(map(Is, narrowed(shape for shape in shapes if shape is not None)))
            case Predicate():
                return both(then, Holds(s))
            case Id():
                return then
            case Seq(parts):
                for part in reversed(parts):
                    then = self.enough(part, then)
                return then
            case LChoice(alternatives):
                return self.enough_of_choice(alternatives, then)
            case Not(inner):
                return both(then, self.fails_on(inner))
            case Repeat(inner):
                return both(then, self.fails_on(inner))
            case Normalize(inner) | NormalizeBottomup(inner):
                return both(then, self.fails_on(TopDown(inner)))
            case RepeatNTimes(n, inner):
                return self.enough(seq(*[inner] * n), then) if n <= MAX_DEPTH else FALSE
            case Child(index, inner) if then == TRUE:
                return at_child(index, self.enough(inner))
            case All(inner) if then == TRUE:
                return each_child(self.enough(inner))
            case One(inner) | Some(inner) if then == TRUE and self.ends(inner):
                return some_child(self.enough(inner))
            case TopDown(inner) | BottomUp(inner) | Sometd(inner) | Somebu(inner) if then == TRUE:
                return somewhere(self.enough(inner)) if self.ends(inner) else FALSE
            case Position(0, inner):
                return self.enough(inner, then)
            case Skip(0, inner) if then == TRUE and self.ends(inner):
                return somewhere(self.enough(inner))
            case (
                Fail()
                | Child()
                | All()
                | One()
                | Some()
                | TopDown()
                | BottomUp()
                | Sometd()
                | Somebu()
                | Position()
                | Skip()
                | AllTopdown()
                | AllBottomup()
                | Downup()
                | Downup2()
                | TryAll()
                | Alltd()
            ):
                return FALSE
            case _:
                body = definition_of(s)
                return FALSE if body is None else self.enough(body, then)

    def enough_of_choice(self, alternatives: Iterable[Strategy], then: Condition) -> Condition:
        """A condition under which the first alternative that succeeds has a result that satisfies `then`."""
        conditions: list[Condition] = []
        rejections: list[Condition] = []
        for alternative in alternatives:
            conditions.append(both(self.enough(alternative, then), *rejections))
            if then != TRUE or not self.ends(alternative):
                rejections.append(self.fails_on(alternative))
        return either(conditions)


def _arity(shape: Shape) -> Condition:
    """The condition that a term has as many children as a shape."""
    if not isinstance(shape, Built) or shape.children is None:
        return TRUE
    return Is(built(None, (ANY,) * len(shape.children)))
