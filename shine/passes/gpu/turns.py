"""Splits loops over a level into turns, in each of which all units run. Independent of launches and arrays."""

from __future__ import annotations

from rise.indices import is_below, is_multiple
from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import ceiling_quotient, is_nonnegative
from rise.records import dataclass
from shine.imperative.names import Names
from shine.imperative.nodes import Block, For, LoopKind
from shine.imperative.rewrite import rewrite_block, substitution


@dataclass(frozen=True, slots=True)
class Turns:
    """A loop over a level as a loop over its units, inside a loop over turns if a unit has several iterations.

    `guard` is the condition under which an iteration exists; empty if all do.
    """

    unit: NatVar
    turn: NatVar | None
    guard: tuple[tuple[Nat, Nat], ...]
    body: Block

    def around(self, body: Block, loop: For) -> For:
        """The loops around a body that replace the given one."""
        assert self.unit.upper is not None
        units_loop = For(self.unit, self.unit.upper, loop.kind, body, loop.origin)
        if self.turn is None or self.turn.upper is None:
            return units_loop
        kind: LoopKind = "seq" if self.turn.upper.constant is None else "unroll"
        return For(self.turn, self.turn.upper, kind, Block((units_loop,)), loop.origin)


def in_turns(loop: For, extent: Nat, unit_name: str, names: Names) -> Turns:
    """A loop over a level of `extent` units, split into turns."""
    unit = NatVar(names.fresh(f"{loop.index.name}_{unit_name}"), extent)
    turns = ceiling_quotient(loop.count, extent)
    if loop.index.upper is not None and is_nonnegative(extent - loop.index.upper):
        turns = const(1)
    turn = NatVar(names.fresh(f"{loop.index.name}_turn"), turns) if turns.constant != 1 else None
    index = nat(unit) if turn is None else unit + extent * turn
    is_whole = turn is not None and is_multiple(loop.count, extent)
    guard = () if is_whole or is_below(index, loop.count) else ((index, loop.count),)
    return Turns(unit, turn, guard, rewrite_block(loop.body, substitution({loop.index: index})))
