"""How the threads of a block run a statement: alike, warp by warp, or each by itself. Knows no barrier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rise.naturals import Nat, NatVar, nat
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
from shine.passes.gpu.effects import Around
from shine.passes.gpu.touched import variables_in

#: how threads run a statement: its parts in order; perhaps; again and again; one warp by itself; each thread by itself
Control: TypeAlias = Literal["through", "perhaps", "again", "warp", "thread"]


@dataclass(frozen=True, slots=True)
class Here:
    """Where a statement stands. `same` are the naturals that all threads that wait for each other have alike: those of
    a block; or, if `is_warp`, of a warp. `in_warp` are those that a warp has alike.
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

    def alike(self, *names: NatVar) -> Here:
        """Where these are the same for all, too."""
        return replace(self, same=self.same.union(names), in_warp=self.in_warp.union(names))


def _is_fixed(variable: NatVar, same: frozenset[NatVar]) -> bool:
    return variable.upper is None or variable in same


def control_of(launch: Launch, statement: Statement, here: Here) -> Control:
    """How threads run a statement."""
    match statement:
        case If(condition):
            naturals = tuple(a for pair in condition.below for a in pair)
            return "perhaps" if here.knows(*naturals) else _by_itself(here, *naturals)
        case For(kind=Level(name)):
            share = launch.share(statement)
            if share == "one":
                return "through"
            if name == "block" or (name == "warp" and here.is_warp):
                return "perhaps" if share == "some" else "again"
            return "warp" if name == "warp" else "thread"
        case For(count=count):
            return "again" if here.knows(count) else _by_itself(here, count)
        case _:
            return "thread"


def _by_itself(here: Here, *naturals: Nat) -> Control:
    return "warp" if not here.is_warp and here.knows_in_warp(*naturals) else "thread"


def inside(launch: Launch, statement: For | If, here: Here) -> Here:
    """Where the body of a statement stands."""
    if isinstance(statement, If):
        return replace(here, around=here.around.when(statement.condition.below))
    around, index = here.around.within(statement), statement.index
    match statement.kind:
        case Level("block", dimension) if launch.share(statement) != "many":
            number = NatVar(f"block {dimension}", launch.grid[dimension])
            around = replace(
                around, known=(*around.known, (index, nat(number))), fixed=around.fixed | {number}
            )
            return replace(here, around=around).alike(index)
        case Level("warp") if here.is_warp:
            if launch.share(statement) == "many":
                around = replace(around, fixed=around.fixed | {index})
            return replace(here, around=around).alike(index)
        case Level("warp"):
            return replace(here, around=around, in_warp=here.in_warp | {index})
        case Level(name) if name != "block":
            return replace(here, around=around)
        case _:
            return replace(here, around=replace(around, fixed=around.fixed | {index})).alike(index)


def behind(statement: Statement, here: Here) -> Here:
    """Where the next statement stands."""
    if not isinstance(statement, DefineIndex):
        return here
    if _is_same_for_all(statement.value, here):
        return here.alike(statement.name)
    return replace(here, around=replace(here.around, read=here.around.read | {statement.name}))


def _is_same_for_all(value: Value, here: Here) -> bool:
    """Whether all threads compute the same."""
    return all(_is_same(one, here) for one in values(value))


def _is_same(value: Value, here: Here) -> bool:
    """Whether all threads compute the same, if they do for the parts of a value."""
    match value:
        case Load(buffer, index):
            return buffer.space != "Local" and here.knows(index)
        case Index(a):
            return here.knows(a)
        case Guarded(condition):
            return here.knows(*(a for pair in condition.below for a in pair))
        case _:
            return isinstance(value, Operation | Constant)
