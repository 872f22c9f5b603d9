"""Classifies statements by the threads that run them: of a block, of warps, or single ones. Independent of barriers."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from rise.naturals import Nat, NatVar, nat
from rise.records import dataclass
from shine.imperative.kernels import Launch
from shine.imperative.nodes import (
    Constant,
    DefineIndex,
    For,
    Guarded,
    If,
    Index,
    Level,
    Load,
    Operation,
    Statement,
    Value,
)
from shine.imperative.walk import values
from shine.passes.gpu.accessing_threads import variables_in
from shine.passes.gpu.effects import Around

#: all threads once; all threads or none; all threads repeatedly; each warp independently; each thread independently
Control: TypeAlias = Literal["through", "perhaps", "again", "warp", "thread"]


@dataclass(frozen=True, slots=True)
class Here:
    """The context of a statement. `same` are the variables that are uniform among the threads that synchronise: those
    of a block, or, if `is_warp`, of a warp. `in_warp` are the variables that are uniform in a warp.
    """

    around: Around
    same: frozenset[NatVar] = frozenset()
    in_warp: frozenset[NatVar] = frozenset()
    is_warp: bool = False

    def knows(self, *naturals: Nat) -> bool:
        """Whether all threads have the same values."""
        return all(_is_fixed(v, self.same) for a in naturals for v in variables_in(a))

    def knows_in_warp(self, *naturals: Nat) -> bool:
        """Whether the lanes of a warp have the same values."""
        return all(_is_fixed(v, self.in_warp) for a in naturals for v in variables_in(a))

    def uniform(self, *names: NatVar) -> Here:
        """The context in which these variables are uniform, too."""
        return replace(self, same=self.same.union(names), in_warp=self.in_warp.union(names))


def _is_fixed(variable: NatVar, same: frozenset[NatVar]) -> bool:
    return variable.upper is None or variable in same


def control_of(launch: Launch, statement: Statement, here: Here) -> Control:
    """How threads run a statement."""
    match statement:
        case If(condition):
            naturals = tuple(a for pair in condition.below for a in pair)
            return "perhaps" if here.knows(*naturals) else _individually(here, *naturals)
        case For(kind=Level(name)):
            share = launch.share(statement)
            if share == "one":
                return "through"
            if name == "block" or (name == "warp" and here.is_warp):
                return "perhaps" if share == "some" else "again"
            return "warp" if name == "warp" else "thread"
        case For(count=count):
            return "again" if here.knows(count) else _individually(here, count)
        case _:
            return "thread"


def _individually(here: Here, *naturals: Nat) -> Control:
    return "warp" if not here.is_warp and here.knows_in_warp(*naturals) else "thread"


def inside(launch: Launch, statement: For | If, here: Here) -> Here:
    """The context of the body of a statement."""
    if isinstance(statement, If):
        return replace(here, around=here.around.when(statement.condition.below))
    around, index = here.around.within(statement), statement.index
    match statement.kind:
        case Level("block", dimension) if launch.share(statement) != "many":
            number = NatVar(f"block {dimension}", launch.grid[dimension])
            around = replace(
                around, known=(*around.known, (index, nat(number))), fixed=around.fixed | {number}
            )
            return replace(here, around=around).uniform(index)
        case Level("warp") if here.is_warp:
            if launch.share(statement) == "many":
                around = replace(around, fixed=around.fixed | {index})
            return replace(here, around=around).uniform(index)
        case Level("warp"):
            return replace(here, around=around, in_warp=here.in_warp | {index})
        case Level(name) if name != "block":
            return replace(here, around=around)
        case _:
            return replace(here, around=replace(around, fixed=around.fixed | {index})).uniform(index)


def behind(statement: Statement, here: Here) -> Here:
    """The context of the next statement."""
    if not isinstance(statement, DefineIndex):
        return here
    if _is_same_for_all(statement.value, here):
        return here.uniform(statement.name)
    return replace(here, around=replace(here.around, read=here.around.read | {statement.name}))


def _is_same_for_all(value: Value, here: Here) -> bool:
    """Whether all threads compute the same value."""
    return all(_is_same(part, here) for part in values(value))


def _is_same(value: Value, here: Here) -> bool:
    """Whether all threads compute the same value if they do so for its parts."""
    match value:
        case Load(buffer, index):
            return buffer.space != "Local" and here.knows(index)
        case Index(a):
            return here.knows(a)
        case Guarded(condition):
            return here.knows(*(a for pair in condition.below for a in pair))
        case _:
            return isinstance(value, Operation | Constant)
