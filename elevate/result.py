"""Successes, the counters of a run, and failure trees. Independent of strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Final, Generic, TypeVar

from elevate.argument_checks import check_terms
from elevate.diagnostics import check_fields
from elevate.floats import FloatClass, join
from elevate.term import Path, Term
from elevate.trace import Steps
from elevate.tracebacks import Checked

PC = TypeVar("PC", bound=Term, covariant=True)
MAX_LISTED_STEPS: Final = 200
"""How many steps of a derivation a notebook lists."""


@dataclass(frozen=True, slots=True)
class Success(Generic[PC], metaclass=Checked):
    """The rewritten program and the steps that led to it."""

    program: PC
    steps: Steps

    def __post_init__(self) -> None:
        check_terms(self, "program")
        check_fields(self, steps=Steps)

    @property
    def firings(self) -> int:
        """How many times a rule fired in the derivation."""
        return len(self.steps)

    @property
    def float_class(self) -> FloatClass:
        """How the whole derivation may change floating-point results."""
        return join({entry[0].float_class for entry in self.steps.entries()})

    def _repr_html_(self) -> str:
        """The program, and below it the rules that fired, for notebooks."""
        names = [entry[0].name for entry in islice(self.steps.entries(), MAX_LISTED_STEPS)]
        hidden = len(self.steps) - MAX_LISTED_STEPS
        more = [f"... and {hidden} more"] * (hidden > 0)
        listed = "".join(f"<li>{escape(name)}</li>" for name in [*names, *more])
        program_html = getattr(self.program, "_repr_html_", None)
        text = f"<pre>{escape(str(self.program))}</pre>" if program_html is None else program_html()
        return f"{text}<details><summary>{len(self.steps)} steps</summary><ol>{listed}</ol></details>"


@dataclass(frozen=True, slots=True)
class Counters:
    """The cost of a run. Firings are those of the derivation; the other two depend on the engine."""

    firings: int
    """Firings that were kept: the number of steps, 0 for a failure."""
    attempts: int
    """How often a rule was tried."""
    visits: int
    """At how many places a traversal tried its argument."""


@dataclass(frozen=True, slots=True)
class FailureTree:
    """Why a strategy failed: what was tried, where, what happened, and the same for its parts."""

    strategy: str
    path: Path
    """In the program at the time this part was tried."""
    reason: str
    expected: str = ""
    found: str = ""
    parts: tuple[FailureTree, ...] = ()
    tried_on: str = ""
    """The text of the term at the path, unless the path is the root or `found` is the whole term."""
    is_precondition: bool = False
    """Whether the shape of a rule matched but a side condition did not hold."""
    defined: str = field(default="", compare=False, repr=False)
    """Where the strategy was defined, `strategies/parts/nests.py:81`, if that is known."""
    program: Term | None = field(default=None, compare=False, repr=False)
    """The whole program at the time, for a leaf of the tree."""
    steps: Steps = field(default_factory=Steps, compare=False, repr=False)
    """The steps of the attempt that led to that program."""
    hint: str = ""
    """What to do about it, if the rule knows."""
    focus: Path = ()
    """The place to show in the program: the part that a rule objects to, or `path`."""

    def leaves(self) -> Iterator[FailureTree]:
        """The leaves of the tree: what was tried on a term."""
        waiting = [self]
        while waiting:
            tree = waiting.pop()
            if not tree.parts:
                yield tree
            waiting += reversed(tree.parts)

    @property
    def precondition(self) -> FailureTree | None:
        """The first leaf whose shape matched and whose side condition did not hold; None if there is none."""
        return next((leaf for leaf in self.leaves() if leaf.is_precondition), None)

    def lines(self) -> Iterator[str]:
        """The tree as text, parts indented."""
        waiting: list[tuple[FailureTree, str]] = [(self, "")]
        while waiting:
            tree, indent = waiting.pop()
            place = "" if tree.path else " at the root"
            yield f"{indent}{tree.strategy}{place}: {tree.reason}"
            for word, text in (
                ("tried on", tree.tried_on),
                ("expected", tree.expected),
                ("found   ", tree.found),
            ):
                if text:
                    yield f"{indent}  {word} {text}"
            waiting += [(part, indent + "  ") for part in reversed(tree.parts)]

    def __str__(self) -> str:
        return "\n".join(self.lines())
