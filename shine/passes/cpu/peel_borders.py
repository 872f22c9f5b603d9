"""Peels the first and last iterations off loops in which only these touch a border. Independent of targets.

Only loops inside `peelBorders` are peeled.

A stencil on a padded array checks at every element whether it is at the border, and compilers do not vectorise such
loops. Here, a loop becomes three loops over the same iterations, in the same order: the first `low` and the last `high`
iterations, unchanged, and those between, in which ranges decide every choice of an index. Nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeGuard

from rise.indices import is_below
from rise.naturals import Nat, NatVar, nat
from rise.nodes import postorder
from rise.quotients import NatCall, is_nonnegative, maximum, minimum
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Define,
    DefineIndex,
    For,
    Guarded,
    Index,
    Load,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Parts, rewrite_block, substitution
from shine.imperative.walk import (
    all_values,
    map_outermost,
    map_statements,
    map_value,
    statements,
)

MAX_PEELED_ITERATIONS: Final = 4  # at each end
MAX_BODY_NUMBERS: Final = 32  # in the arrays that a loop's body allocates
MIN_ITERATIONS: Final = 16  # of a loop that is worth peeling

#: an index with a minimum or maximum, or the two sides of a condition a < b
Choice: TypeAlias = Nat | tuple[Nat, Nat]


def peel_borders(procedure: Procedure) -> Procedure:
    """The procedure with the borders of loops peeled."""
    return replace(procedure, body=map_outermost(procedure.body, _peeled))


def _peeled(statement: Statement) -> list[Statement] | None:
    """The parts of a loop that may be changed and touches a border; None for other statements."""
    match statement:
        case For(allowed=allowed) if (
            "peel_borders" in allowed and _is_long(statement.count) and _is_plain(statement.body)
        ):
            return _split(statement)
        case _:
            return None


def _is_long(count: Nat) -> bool:
    return count.constant is None or count.constant >= MIN_ITERATIONS


def _is_small(size: Nat) -> bool:
    return size.constant is not None and size.constant <= MAX_BODY_NUMBERS


def _is_plain(block: Block) -> bool:
    """Whether a body may be repeated three times: it allocates few numbers, and has no threads."""
    for statement, _ in statements(block):
        match statement:
            case Assign() | Define() | DefineIndex() | For(kind="seq" | "unroll" | "simd"):
                pass
            case Allocate(buffer) if _is_small(buffer.size):
                pass
            case _:
                return False
    return True


def _split(loop: For) -> list[Statement] | None:
    """The loop in three parts, or None if it touches no border; loops inside the middle part are peeled, too."""
    choices = [choice for choice in dict.fromkeys(_choices(loop.body)) if _mentions(choice, loop.index)]
    ends = _ends(loop, choices)
    if ends is None:
        return None
    low, high = ends
    middle = replace(loop, **_moved(loop, low, loop.count - low - high))
    parts: list[Statement] = []
    if low:
        parts.append(_sequential(replace(loop, **_moved(loop, 0, minimum(low, loop.count)))))
    parts.append(replace(middle, body=map_outermost(_decided(middle.body), _peeled)))
    if high:
        start, rest = maximum(loop.count - high, low), maximum(loop.count - low, 0)
        parts.append(_sequential(replace(loop, **_moved(loop, start, minimum(high, rest)))))
    return parts


def _sequential(loop: For) -> For:
    """The loop as a sequential one, since threads do not pay off for a few iterations."""
    return replace(loop, kind="seq", worth=None) if loop.kind == "parallel" else loop


def _moved(loop: For, start: Nat | int, count: Nat) -> dict[str, Any]:
    """The fields of a loop over `count` iterations from `start` on."""
    index = NatVar(loop.index.name, count)
    body = rewrite_block(loop.body, substitution({loop.index: nat(index) + start}))
    return {"index": index, "count": count, "body": body}


def _ends(loop: For, choices: list[Choice]) -> tuple[int, int] | None:
    """How many iterations to peel at both ends, such that as many choices as possible are decided between them."""

    def undecided(low: int, high: int) -> int:
        index = NatVar(loop.index.name, loop.count - low - high)
        parts = substitution({loop.index: nat(index) + low})
        return sum(not _is_decided(_substituted(choice, parts)) for choice in choices)

    if not choices:
        return None
    best = undecided(MAX_PEELED_ITERATIONS, MAX_PEELED_ITERATIONS)
    if best == undecided(0, 0):
        return None
    low = next(n for n in range(MAX_PEELED_ITERATIONS + 1) if undecided(n, MAX_PEELED_ITERATIONS) == best)
    high = next(n for n in range(MAX_PEELED_ITERATIONS + 1) if undecided(low, n) == best)
    return low, high


def _substituted(choice: Choice, parts: Parts) -> Choice:
    if isinstance(choice, tuple):
        return parts.natural(choice[0]), parts.natural(choice[1])
    return parts.natural(choice)


def _is_decided(choice: Choice) -> bool:
    if isinstance(choice, tuple):
        a, b = choice
        return is_below(a, b) or is_nonnegative(a - b)
    return not any(map(_is_choice, postorder(choice)))


def _is_choice(node: object) -> TypeGuard[NatCall]:
    return isinstance(node, NatCall) and node.function in ("min", "max")


def _mentions(choice: Choice, index: NatVar) -> bool:
    both = choice if isinstance(choice, tuple) else (choice,)
    return any(node is index for a in both for node in postorder(a))


def _choices(block: Block) -> Iterator[Choice]:
    """The choices in the values of statements."""
    for part in all_values(block):
        match part:
            case Load(index=a) | Index(value=a):
                yield from (nat(node) for node in postorder(a) if _is_choice(node))
            case Guarded(condition):
                yield from condition.below
            case _:
                pass


def _decided(block: Block) -> Block:
    """A block without the guards that ranges decide."""

    def decided(statement: Statement) -> tuple[Statement]:
        match statement:
            case Assign(value=value) | Define(value=value) | DefineIndex(value=value):
                return (replace(statement, value=map_value(value, _settled)),)
            case _:
                return (statement,)

    return map_statements(block, decided)


def _settled(value: Value) -> Value:
    """A value without its guard if ranges decide that, and a vector of consecutive loads as a single load."""
    match value:
        case Guarded(condition, inner, otherwise):
            if any(is_nonnegative(a - b) for a, b in condition.below):
                return otherwise
            undecided = tuple((a, b) for a, b in condition.below if not is_below(a, b))
            return replace(value, condition=Condition(undecided)) if undecided else inner
        case Operation():
            return _vector_load(value) or value
        case _:
            return value


def _vector_load(value: Operation) -> Load | None:
    """A single load for a vector whose lanes are loaded from consecutive elements; None for other vectors."""
    if value.name != "vector" or not isinstance(value.type, VectorType):
        return None
    match value.arguments[0]:
        case Load(Buffer(element=ScalarType()) as buffer, start, 1):
            for lane, argument in enumerate(value.arguments):
                if not isinstance(argument, Load) or (argument.buffer, argument.index, argument.lanes) != (
                    buffer,
                    start + lane,
                    1,
                ):
                    return None
            return Load(buffer, start, len(value.arguments), False, value.type)
    return None
