"""The shapes that results of a strategy can have.

Depends on the strategies and the shapes of rules, but not on languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from elevate.analysis.info import ALWAYS, MAX_DEPTH, MAX_STRATEGIES, Survey
from elevate.analysis.shapes import ALL, ANY, Built, Shape, Shapes, built, forward, meets, widened
from elevate.analysis.termination import rewrites_of
from elevate.combinators import Not, Repeat, RepeatNTimes
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, LChoice, Seq, Strategy, definition_of
from elevate.traversals import All, Child, Normalize, NormalizeBottomup, One, Some


class Outcomes:
    """Computes the shapes of results, each once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.known: dict[tuple[Strategy, Shapes], Shapes] = {}
        self.level = 0

    def of(self, s: Strategy, given: Shapes = ALL) -> Shapes:
        """Shapes that cover all results of a strategy on terms of the given shapes; none if it never succeeds."""
        if not given:
            return ()
        key = (s, given)
        results = self.known.get(key)
        if results is not None:
            return results
        if self.level > MAX_DEPTH or len(self.known) > MAX_STRATEGIES:
            return ALL
        self.known[key] = ALL
        self.level += 1
        info = self.survey.of(s)
        results = () if info.fails is ALWAYS else widened(self._results(s, given))
        self.level -= 1
        self.known[key] = results
        return results

    def _results(self, s: Strategy, given: Shapes) -> Iterable[Shape]:
        match s:
            case Rule():
                rewrites = rewrites_of(s)
                if rewrites is None:
                    return ALL
                results = (forward(rewrite, shape) for rewrite in rewrites for shape in given)
                return [shape for shape in results if shape is not None]
            case Predicate():
                return meets(given, ALL if s.roots is None else tuple(map(Built, s.roots)))
            case Fail():
                return ()
            case Seq(parts):
                for part in parts:
                    given = self.of(part, given)
                return given
            case LChoice(alternatives):
                return [shape for alternative in alternatives for shape in self.of(alternative, given)]
            case Not():
                return given
            case Repeat(inner):
                return [*given, *self.of(inner)]
            case RepeatNTimes(n, inner):
                for _ in range(min(n, MAX_DEPTH)):
                    given = self.of(inner, given)
                return given if n <= MAX_DEPTH else ALL
            case Child(index, inner):
                return [new for shape in given for new in self._at(index, inner, shape)]
            case One(inner):
                return [new for shape in given for new in self._at_any(inner, shape)]
            case All() | Some() | Normalize() | NormalizeBottomup():
                if self.survey.of(s).unchanged is ALWAYS:
                    return given
                return map(_arity, given) if _keeps_arity(s) else ALL
            case _:
                if self.survey.of(s).unchanged is ALWAYS:
                    return given
                body = None if s.traverses else definition_of(s)
                return ALL if body is None else self.of(body, given)

    def _at(self, index: int, inner: Strategy, shape: Shape) -> Iterator[Shape]:
        """The shapes after the child at an index is rewritten; a new child may change the root."""
        if not isinstance(shape, Built) or shape.children is None:
            if self.of(inner):
                yield shape if self.survey.of(inner).unchanged is ALWAYS else ANY
        elif 0 <= index < len(shape.children):
            children = shape.children
            root = shape.root if self.survey.of(inner).unchanged is ALWAYS else None
            for new in self.of(inner, (children[index],)):
                yield built(root, (*children[:index], new, *children[index + 1 :]))

    def _at_any(self, inner: Strategy, shape: Shape) -> Iterator[Shape]:
        if not isinstance(shape, Built) or shape.children is None:
            yield from self._at(0, inner, shape)
        else:
            for index in range(len(shape.children)):
                yield from self._at(index, inner, shape)


def _keeps_arity(s: Strategy) -> bool:
    """Whether a strategy never changes the number of children."""
    return isinstance(s, All | Some)


def _arity(shape: Shape) -> Shape:
    if not isinstance(shape, Built) or shape.children is None:
        return ANY
    return built(None, (ANY,) * len(shape.children))
