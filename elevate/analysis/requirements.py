"""What a strategy needs of a program: weakest preconditions over shapes, and the answer for one program.

Knows the strategies, and no language. After Shoggoth (Qin et al., POPL 2024) with its location-indexed `wp`: for each
strategy and each condition on its result two conditions on its argument, one that every success needs (`needed`) and
one with which it surely succeeds (`enough`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from elevate.analysis.conditions import (
    FALSE,
    LARGEST,
    TRUE,
    Condition,
    Decision,
    Holds,
    Is,
    at_child,
    both,
    each_child,
    either,
    shapes_at_least,
    shapes_at_most,
    size,
    some_child,
    somewhere,
    unlike,
)
from elevate.analysis.info import DEEPEST, NEVER, Survey
from elevate.analysis.shapes import (
    ANY,
    Built,
    Shape,
    anonymous,
    backward,
    backward_surely,
    built,
    covers,
    narrowed,
    widened,
)
from elevate.analysis.termination import rewrites_of
from elevate.combinators import Not, Repeat, RepeatNTimes
from elevate.expected import expected_term
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
    One,
    Position,
    Skip,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
)

LONGEST: Final = 4000
"""How many questions an answer may take."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a strategy needs of its argument."""

    needed: Condition
    """It succeeds on nothing else."""
    enough: Condition
    """It succeeds on all of these."""

    def __str__(self) -> str:
        return str(self.needed)

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a strategy succeeds on a program, said before it runs."""

    answer: Literal["yes", "no", "unknown"]
    reason: str

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason}"


def requires(strategy: Strategy) -> Requirement:
    """The weakest shape of the programs on which a strategy can succeed."""
    return _requires(expected_strategy(strategy))


@lru_cache(maxsize=1024)
def _requires(strategy: Strategy) -> Requirement:
    asked = Needs(Survey())
    return Requirement(asked.needed(strategy, TRUE), asked.enough(strategy, TRUE))


def check(strategy: Strategy, program: Term) -> Verdict:
    """Whether a strategy succeeds on a program: no means that it never does, yes that it does."""
    need, program = requires(strategy), expected_term(program)
    decision = Decision()
    if not decision.holds(need.needed, program):
        found = "" if need.needed == FALSE else f", and the program is `{show_term(program, 60)}`"
        return Verdict("no", f"{show_term(strategy)} needs `{need.needed}`{found}")
    if decision.holds(need.enough, program):
        return Verdict("yes", f"{show_term(strategy)} succeeds on `{need.enough}`, which the program is")
    return Verdict(
        "unknown",
        f"the program is `{need.needed}`, as {show_term(strategy)} needs; the rest shows when it runs",
    )


class Needs:
    """Questions about strategies, each answered once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.known: dict[tuple[bool, Strategy, Condition], Condition] = {}
        self.level = 0

    def needed(self, s: Strategy, then: Condition = TRUE) -> Condition:
        """What holds of every term on which a strategy succeeds with a result of which `then` holds."""
        if then == FALSE:
            return FALSE
        return self._asked(s, then, True)

    def enough(self, s: Strategy, then: Condition = TRUE) -> Condition:
        """With what a strategy succeeds, with a result of which `then` holds."""
        if then == FALSE:
            return FALSE
        it = self.survey.of(s)
        if then == TRUE and it.fails is NEVER and it.diverges is NEVER:
            return TRUE
        return self._asked(s, then, False)

    def _asked(self, s: Strategy, then: Condition, needed: bool) -> Condition:
        key = (needed, s, then)
        found = self.known.get(key)
        if found is not None:
            return found
        open_ = TRUE if needed else FALSE
        if self.level > DEEPEST or len(self.known) > LONGEST:
            return open_
        self.known[key] = open_  # of a strategy inside its own definition nothing is known
        self.level += 1
        found = self._needed(s, then) if needed else self._enough(s, then)
        if size(found) > LARGEST:
            found = (
                either(map(Is, shapes_at_most(found))) if needed else either(map(Is, shapes_at_least(found)))
            )
        self.level -= 1
        self.known[key] = found
        return found

    def ends(self, s: Strategy) -> bool:
        """Whether a strategy always gives a result."""
        return self.survey.of(s).diverges is NEVER

    def fails_on(self, s: Strategy) -> Condition:
        """With what a strategy surely fails."""
        return unlike(self.needed(s)) if self.ends(s) else FALSE

    def _needed(self, s: Strategy, then: Condition) -> Condition:
        match s:
            case Rule():
                rewrites = rewrites_of(s)
                if rewrites is None:
                    return TRUE
                found = (
                    backward(one, shape)
                    for one in rewrites
                    for shape in shapes_at_most(then, anonymous(one.right))
                )
                return either(map(Is, widened(shape for shape in found if shape is not None)))
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
                found_: list[Condition] = []
                before: list[Condition] = []
                for one in alternatives:
                    found_.append(both(self.needed(one, then), *before))
                    before.append(unlike(self.enough(one)))
                return either(found_)
            case Not(inner):
                return both(then, unlike(self.enough(inner)))
            case Repeat(inner):
                return self.repeated(inner, inner, then)
            case Normalize(inner):
                return self.repeated(inner, TopDown(inner), then)
            case RepeatNTimes(n, inner):
                return self.needed(seq(*[inner] * n), then) if n <= DEEPEST else self.needed(inner)
            case Child(index, inner):
                return either(self.needed_at(index, inner, shape) for shape in shapes_at_most(then))
            case All(inner):
                return either(self.needed_below(inner, shape) for shape in shapes_at_most(then))
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
                # somewhere it ends: the last node that is reached has no children below which it goes on
                ends = self.needed(seq(inner, All(fail), last))
                return FALSE if ends == FALSE else self.needed(inner)
            case AllBottomup(inner):
                return FALSE if self.needed(seq(All(fail), inner)) == FALSE else TRUE
            case TryAll() | Alltd():
                return TRUE
            case _:
                body = definition_of(s)
                return TRUE if body is None else self.needed(body, then)

    def repeated(self, inner: Strategy, step: Strategy, then: Condition) -> Condition:
        """Before the last round `step` must fail, so what is surely taken up again is no result."""
        again = shapes_at_least(self.enough(inner))
        left = [shape for shape in shapes_at_most(then) if not any(covers(wide, shape) for wide in again)]
        return either([both(then, unlike(self.enough(step))), self.needed(step)]) if left else FALSE

    def needed_at(self, index: int, inner: Strategy, shape: Shape) -> Condition:
        """What a strategy at one child needs, for a result of a shape."""
        if not isinstance(shape, Built) or shape.children is None:
            return at_child(index, self.needed(inner))
        children = shape.children
        if not 0 <= index < len(children):
            return FALSE
        others = built(None, (*children[:index], ANY, *children[index + 1 :]))
        return both(Is(others), at_child(index, self.needed(inner, Is(children[index]))))

    def needed_below(self, inner: Strategy, shape: Shape) -> Condition:
        """What a strategy at every child needs, for a result of a shape."""
        if not isinstance(shape, Built) or shape.children is None:
            return each_child(self.needed(inner))
        at = (at_child(index, self.needed(inner, Is(child))) for index, child in enumerate(shape.children))
        return both(_arity(shape), *at)

    def _enough(self, s: Strategy, then: Condition) -> Condition:
        match s:
            case Rule():
                wanted = shapes_at_least(then)
                exact = [one for one in rewrites_of(s) or () if one.exact]
                found = (backward_surely(one, shape) for one in exact for shape in wanted)
                return either(map(Is, narrowed(shape for shape in found if shape is not None)))
            case Predicate():
                return both(then, Holds(s))
            case Id():
                return then
            case Seq(parts):
                for part in reversed(parts):
                    then = self.enough(part, then)
                return then
            case LChoice(alternatives):
                return self.chosen(alternatives, then)
            case Not(inner):
                return both(then, self.fails_on(inner))
            case Repeat(inner):
                return both(then, self.fails_on(inner))
            case Normalize(inner):
                return both(then, self.fails_on(TopDown(inner)))
            case RepeatNTimes(n, inner):
                return self.enough(seq(*[inner] * n), then) if n <= DEEPEST else FALSE
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

    def chosen(self, alternatives: Iterable[Strategy], then: Condition) -> Condition:
        """With what the first that succeeds gives a result of which `then` holds."""
        found: list[Condition] = []
        before: list[Condition] = []
        for one in alternatives:
            found.append(both(self.enough(one, then), *before))
            if then != TRUE or not self.ends(one):
                before.append(self.fails_on(one))
        return either(found)


def _arity(shape: Shape) -> Condition:
    """As many children as a shape has."""
    if not isinstance(shape, Built) or shape.children is None:
        return TRUE
    return Is(built(None, (ANY,) * len(shape.children)))
