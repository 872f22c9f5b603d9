"""Finds variables that a text can omit: those that repeat a temporary whose value no longer changes, and those without
a name in the program that are used once.

Independent of texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from rise.types import ScalarType
from shine.imperative.names import is_made
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    Define,
    DefineIndex,
    Exchange,
    Guarded,
    Load,
    Local,
    MapFragment,
    Operation,
    Statement,
    Value,
)
from shine.imperative.walk import all_values, body_of, everything, values

MAX_PRINTED_NODES: Final = 12  # numbers, operations and terms of indices in a nested value


def repeats(body: Block) -> frozenset[Local]:
    """The variables that are always defined as the value of a temporary after the last statement that stores to it."""
    found: set[Local] = set()
    others: set[Local] = set()
    constant: set[Buffer] = set()

    def visit(block: Block) -> None:
        last = _last_stores(block)
        outer = constant & last.keys()
        constant.difference_update(outer)
        ending: dict[int, list[Buffer]] = {}
        for buffer, end in last.items():
            ending.setdefault(end, []).append(buffer)
        for at, statement in enumerate(block.statements):
            match statement:
                case Define(local, Load(buffer, _, 1)) if buffer in constant:
                    found.add(local)
                case Define(local):
                    others.add(local)
                case _:
                    pass
            inner = body_of(statement)
            if inner is not None:
                visit(inner)
            constant.update(ending.get(at, ()))
        constant.difference_update(last)
        constant.update(outer)

    visit(body)
    return frozenset(found - others)


def _last_stores(block: Block) -> dict[Buffer, int]:
    """For each temporary of one number that a block allocates, the position of the last statement that stores to it."""
    last: dict[Buffer, int] = {}
    for at, statement in enumerate(block.statements):
        if isinstance(statement, Allocate) and statement.buffer.size.constant == 1:
            last[statement.buffer] = at
        for inner, _ in everything(Block((statement,))):
            if isinstance(inner, Assign | AtomicUpdate) and inner.buffer in last:
                last[inner.buffer] = at
    return last


def used_once(body: Block) -> frozenset[Define]:
    """The definitions of variables without names in the program that one later statement of the same block uses once,
    before anything is stored: the value can be printed there, unless it would make another value too long or
    conditional.
    """
    found: set[Define] = set()
    others: set[Define] = set()
    waiting: list[tuple[Block, tuple[Statement, ...]]] = [(body, ())]
    while waiting:
        block, after = waiting.pop()
        for statement in block.statements:
            inner = body_of(statement)
            if inner is not None:
                # the value of a function on fragments uses the variables of its body
                waiting.append((inner, (statement,) if isinstance(statement, MapFragment) else ()))
        here = _used_once(block, after)
        found |= here
        others |= {statement for statement in block.statements if isinstance(statement, Define)} - here
    return frozenset(found - others)


def _used_once(block: Block, after: tuple[Statement, ...]) -> set[Define]:
    """The definitions of `used_once` in a block itself; values of the statements `after` also use its variables."""
    uses: Counter[Local] | None = None
    found: set[Define] = set()
    sizes: dict[Local, int] = {}
    pending: dict[Local, Define] = {}
    for statement in block.statements:
        match statement:
            case Assign(value=value) | Define(value=value) | DefineIndex(value=value):
                used = [part for part in values(value) if isinstance(part, Local) and part in pending]
                if isinstance(value, Local) or _size(value, sizes) <= MAX_PRINTED_NODES:
                    found |= {pending[local] for local in used}
                else:
                    sizes |= dict.fromkeys(used, 1)
            case _:
                pass
        match statement:
            case Define(local, value) if is_made(local.name) and _is_number(value):
                if uses is None:
                    uses = _uses(Block((*block.statements, *after)))
                if uses[local] == 1:
                    pending[local], sizes[local] = statement, _size(value, sizes)
            case Define() | DefineIndex() | Allocate():
                pass
            case _:
                pending = {}
    return found


def _uses(block: Block) -> Counter[Local]:
    """How often the values in a block, and in those inside, use each variable."""
    return Counter(part for part in all_values(block) if isinstance(part, Local))


def _is_number(value: Value) -> bool:
    """Whether a value is a number that its thread computes without other threads."""
    return isinstance(value.type, ScalarType) and not any(
        isinstance(part, Exchange) for part in values(value)
    )


def _size(value: Value, sizes: Mapping[Local, int]) -> int:
    """The printed length of a value, in which variables may be replaced by their values; too long if conditional."""
    return sum(_own_size(part, sizes) for part in values(value))


def _own_size(value: Value, sizes: Mapping[Local, int]) -> int:
    match value:
        case Guarded() | Operation("select"):
            return MAX_PRINTED_NODES
        case Local():
            return sizes.get(value, 1)
        case Load(index=index):
            return max(1, len(index.terms))
        case _:
            return 1
