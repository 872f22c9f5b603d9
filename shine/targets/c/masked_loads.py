"""Detects loops that gcc before 14 vectorises incorrectly, because they permute masked loads. Independent of source
text.

Vectorised, a load under a condition becomes a masked load. If several stores of a loop (or several sums) form a group
of lanes, and a lane needs the load of another one, gcc drops the permutation (GCC bug 114375): `o[2 * i] = a + b` and
`o[2 * i + 1] = a - b` of two padded elements `a` and `b` compute wrong numbers. Loops of a few iterations count as
written out, since gcc unrolls them first.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Final, TypeAlias

from rise.naturals import Nat, NatVar
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    For,
    Guarded,
    If,
    Load,
    Local,
    Operation,
    Value,
)
from shine.imperative.walk import parts

#: iterations of a loop that gcc may unroll completely
MAX_UNROLLED_ITERATIONS: Final = 16
#: nested loops that gcc may unroll together: one more means 512 copies of a statement, and gcc makes 200 at most
MAX_UNROLLED_LOOPS: Final = 8
#: elements of a temporary that may stay in registers
MAX_REGISTERS: Final = 64


#: a load under a condition: its array, its index, and the iterations of unrolled loops that the index depends on
_Masked: TypeAlias = tuple[Buffer, Nat, frozenset[tuple[NatVar, int]]]
_Needs: TypeAlias = frozenset[_Masked]


def permutes_masked_loads(loop: For) -> bool:
    """Whether stores of a loop to one array, or its sums, share conditional loads, or one of them needs several."""
    return any(_is_permuted(lanes) for lanes in _Lanes(loop.body).by_target.values())


def _is_permuted(lanes: list[_Needs]) -> bool:
    loaded = Counter(buffer for buffer, *_ in frozenset[_Masked]().union(*lanes))
    if len(lanes) < 2 or max(loaded.values(), default=0) < 2:
        return False  # no group of stores, or none of loads
    needed = [Counter(buffer for buffer, *_ in lane) for lane in lanes]
    return any(max(of.values(), default=0) > 1 for of in needed) or any(
        a & b for a, b in combinations(lanes, 2)
    )


def _is_short(loop: For) -> bool:
    """Whether gcc may unroll a loop, which has more than one iteration."""
    count = loop.count.constant
    return count is not None and count != 1 and count <= MAX_UNROLLED_ITERATIONS


class _Lanes:
    """For each array that a loop stores to, the conditional loads that each store needs. Values that stay in registers
    after the loop count as one array, since gcc also packs several sums into lanes.
    """

    def __init__(self, body: Block) -> None:
        self.by_target: dict[Buffer | None, list[_Needs]] = {}
        self._needs: dict[str | Buffer, _Needs] = {}  # of variables and temporaries
        self._own: set[Buffer] = set()
        self._turns: dict[NatVar, int] = {}  # of the unrolled loops around
        self._nested: dict[
            int, int
        ] = {}  # by the identity of a loop, how many short loops it nests, with itself
        self._nest(body)
        self._walk(body, is_guarded=False, is_repeated=False)

    def _nest(self, block: Block) -> int:
        """The number of nested short loops in a block."""
        most = 0
        for statement in block.statements:
            if isinstance(statement, For | If):
                nested = self._nest(statement.body)
                if isinstance(statement, For):
                    nested += _is_short(statement)
                    self._nested[id(statement)] = nested
                most = max(most, nested)
        return most

    def _walk(self, block: Block, is_guarded: bool, is_repeated: bool) -> None:
        for statement in block.statements:
            match statement:
                case Allocate(buffer):
                    self._own.add(buffer)
                case Define(local, value):
                    self._needs[local.name] = self._needed(value, is_guarded)
                case Assign(buffer, value=value):
                    self._store(buffer, self._needed(value, is_guarded), is_repeated)
                case If(body=body):
                    self._walk(body, True, is_repeated)
                case For():
                    self._walk_loop(statement, is_guarded, is_repeated)
                case _:
                    pass

    def _walk_loop(self, loop: For, is_guarded: bool, is_repeated: bool) -> None:
        count = loop.count.constant
        is_unrolled = count == 1 or (_is_short(loop) and self._nested[id(loop)] <= MAX_UNROLLED_LOOPS)
        around = self._turns  # an inner loop may have the name of an outer one
        for turn in range(2 if is_unrolled and count != 1 else 1):  # two are enough to see what they share
            self._turns = around | {loop.index: turn}
            self._walk(loop.body, is_guarded, is_repeated or not is_unrolled)
        self._turns = around

    def _store(self, buffer: Buffer, needed: _Needs, is_repeated: bool) -> None:
        is_register = buffer.size.constant is not None and buffer.size.constant <= MAX_REGISTERS
        if buffer in self._own and is_register:
            self._needs[buffer] = self._needs.get(buffer, frozenset()) | needed
        elif not is_repeated:
            is_scalar = buffer.space == "Local" and buffer.size.constant == 1
            self.by_target.setdefault(None if is_scalar else buffer, []).append(needed)

    def _needed(self, value: Value, is_guarded: bool) -> _Needs:
        needed: _Needs = frozenset()
        waiting = [(value, is_guarded)]
        while waiting:
            part, is_under = waiting.pop()
            match part:
                case Load(buffer) if buffer in self._own:
                    needed |= self._needs.get(buffer, frozenset())
                case Load(buffer, index, 1) if is_under:
                    turns = frozenset(
                        (name, turn) for name, turn in self._turns.items() if name in index.free
                    )
                    needed |= {(buffer, index, turns)}
                case Local(name):
                    needed |= self._needs.get(name, frozenset())
                case Guarded(_, inner, otherwise):
                    waiting += [(inner, True), (otherwise, True)]
                case Operation("select", (condition, *sides)):
                    waiting += [(condition, is_under), *((side, True) for side in sides)]
                case _:
                    waiting += [(inside, is_under) for inside in parts(part)]
        return needed
