"""Results that need no strategy: a success, what a run cost, why a run failed. Knows no strategy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Final, Generic, TypeVar

from elevate.floats import FloatClass, join
from elevate.term import Path, Term
from elevate.trace import Steps

PC = TypeVar("PC", bound=Term, covariant=True)
#: steps that a notebook shows
SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Success(Generic[PC]):
    """The rewritten program and the steps that led to it."""

    program: PC
    steps: Steps

    @property
    def firings(self) -> int:
        """How many times a rule fired in the derivation."""
        return len(self.steps)

    @property
    def float_class(self) -> FloatClass:
        """What the derivation as a whole may do to floating-point results."""
        return join({entry[0].float_class for entry in self.steps.entries()})

    def _repr_html_(self) -> str:
        """What notebooks show: the program, and below it the rules that led to it."""
        names = [entry[0].name for entry in islice(self.steps.entries(), SHOWN)]
        more = [f"... and {len(self.steps) - SHOWN} more"] * (len(self.steps) > SHOWN)
        listed = "".join(f"<li>{escape(one)}</li>" for one in [*names, *more])
        shown = getattr(self.program, "_repr_html_", None)
        text = f"<pre>{escape(str(self.program))}</pre>" if shown is None else shown()
        return f"{text}<details><summary>{len(self.steps)} steps</summary><ol>{listed}</ol></details>"


@dataclass(frozen=True, slots=True)
class Counters:
    """What a run cost. Firings belong to the derivation; the other two depend on the engine."""

    firings: int
    """Rules that fired and were kept: the number of steps, 0 for a failure."""
    attempts: int
    """Rules that were tried."""
    visits: int
    """Places at which a traversal tried its argument."""


@dataclass(frozen=True, slots=True)
class FailureTree:
    """Why a strategy failed: what was tried, where, what happened, and the same of its parts."""

    strategy: str
    path: Path
    """In the program as it stood when this part was tried."""
    reason: str
    expected: str = ""
    found: str = ""
    parts: tuple[FailureTree, ...] = ()
    tried_on: str = ""
    """The text of what stood at the path, where that is not the root and `found` is not all of it."""
    is_precondition: bool = False
    """Whether a rule's shape matched, and a condition on what it holds was not met."""
    defined: str = field(default="", compare=False, repr=False)
    """Where the strategy was defined, `strategies/parts/nests.py:81`, where that is known."""
    program: Term | None = field(default=None, compare=False, repr=False)
    """The whole program as it stood, of a part without parts."""

    def leaves(self) -> Iterator[FailureTree]:
        """The parts without parts of their own: what was tried on a term."""
        waiting = [self]
        while waiting:
            tree = waiting.pop()
            if not tree.parts:
                yield tree
            waiting += reversed(tree.parts)

    @property
    def precondition(self) -> FailureTree | None:
        """The first part whose shape matched and whose condition was not met; None where no shape matched."""
        return next((leaf for leaf in self.leaves() if leaf.is_precondition), None)

    def lines(self) -> Iterator[str]:
        """The tree as text, what belongs to a part indented."""
        waiting: list[tuple[FailureTree, str]] = [(self, "")]
        while waiting:
            tree, indent = waiting.pop()
            place = "" if tree.path else " at the root"
            yield f"{indent}{tree.strategy}{place}: {tree.reason}"
            for word, said in (
                ("tried on", tree.tried_on),
                ("expected", tree.expected),
                ("found   ", tree.found),
            ):
                if said:
                    yield f"{indent}  {word} {said}"
            waiting += [(part, indent + "  ") for part in reversed(tree.parts)]

    def __str__(self) -> str:
        return "\n".join(self.lines())
