"""Moves guards into loop bounds: `for i < 32 { if (32 * t + i < n) ... }` gets the bound `min(32, n - 32 * t)`.

Depends only on statements. Loops to unroll and loops over a GPU level keep their counts and guards.
"""

from __future__ import annotations

from dataclasses import replace

from rise.naturals import Nat, NatVar
from rise.quotients import ceiling_quotient, linear_in, maximum, minimum
from shine.imperative.nodes import Block, Condition, For, If, Level, Statement
from shine.imperative.walk import map_statements


def tighten_loops(block: Block) -> Block:
    """Move guards that end loops early into the counts of the loops."""

    def change(statement: Statement) -> tuple[Statement]:
        return (tightened(statement) if isinstance(statement, For) else statement,)

    return map_statements(block, change)


def tightened(loop: For) -> For:
    """The loop with the guards around its whole body moved into its count, if they bound its index from above."""
    if loop.kind == "unroll" or isinstance(loop.kind, Level):
        return loop
    match loop.body.statements:
        case [If(condition, body) as guard]:
            ends = {pair: end_of(loop.index, *pair) for pair in condition.below}
            count = loop.count
            for end in ends.values():
                count = count if end is None else minimum(count, maximum(end, 0))
            rest = Condition(tuple(pair for pair, end in ends.items() if end is None))
            inner = Block((replace(guard, condition=rest),)) if rest.below else body
            return loop if len(rest.below) == len(ends) else tightened(replace(loop, count=count, body=inner))
    return loop


def end_of(index: NatVar, a: Nat, b: Nat) -> Nat | None:
    """The exclusive end of the indices for which a < b, if these are exactly the indices below some end."""
    linear = linear_in(a, index)
    if linear is None or index in b.free or linear[0].constant is None or linear[0].constant < 1:
        return None
    return ceiling_quotient(b - linear[1], linear[0])
