"""Results that need no strategy: a success, what a run cost, why a run failed. Knows no strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from elevate.floats import FloatClass, join
from elevate.term import Path, Term, show_path
from elevate.trace import Steps

PC = TypeVar("PC", bound=Term, covariant=True)


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

    def __str__(self) -> str:
        lines: list[str] = []
        waiting: list[tuple[FailureTree, str]] = [(self, "")]
        while waiting:
            tree, indent = waiting.pop()
            lines.append(f"{indent}{tree.strategy} at {show_path(tree.path)}: {tree.reason}")
            if tree.expected:
                lines.append(f"{indent}  expected {tree.expected}")
            if tree.found:
                lines.append(f"{indent}  found    {tree.found}")
            waiting += [(part, indent + "  ") for part in reversed(tree.parts)]
        return "\n".join(lines)
