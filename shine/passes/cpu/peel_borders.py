"""Loops of which only the first and the last turns meet a border: those turns run apart. Knows no target.

Only loops that the program allows to be peeled are: those inside `peelBorders`.

A stencil on a padded array asks at every element whether it stands at the border, and compilers make no vectors of
such loops. Here one loop becomes three over the same turns, in the same order: `low` first ones and `high` last ones as
they were, and all between, where ranges decide every choice of an index. Nothing else is computed.
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
    If,
    Index,
    Load,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Parts, rewrite_block, substitution
from shine.imperative.walk import statements, value_of, values

WIDEST: Final = 4  # turns at each end that run apart
SMALL: Final = 32  # numbers that such a loop may keep
LEAST: Final = 16  # turns of a loop that is worth it, where their number is known


#: an index in which one of two numbers is chosen, or numbers of which the first is to be below the second
Choice: TypeAlias = Nat | tuple[Nat, Nat]


def peel_borders(procedure: Procedure) -> Procedure:
    """The procedure with the borders of loops apart."""
    return replace(procedure, body=_block(procedure.body))


def _block(block: Block) -> Block:
    found: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(allowed=allowed) if (
                "peel_borders" in allowed and _is_long(statement.count) and _is_plain(statement.body)
            ):
                found += _split(statement)
            case For(body=body) | If(body=body):
                found.append(replace(statement, body=_block(body)))
            case _:
                found.append(statement)
    return Block(tuple(found))


def _is_long(count: Nat) -> bool:
    return count.constant is None or count.constant >= LEAST


def _is_small(size: Nat) -> bool:
    return size.constant is not None and size.constant <= SMALL


def _is_plain(block: Block) -> bool:
    """What may be there three times: no memory but for a few numbers, no threads."""
    for statement in block.statements:
        match statement:
            case Assign() | Define() | DefineIndex():
                pass
            case Allocate(buffer) if _is_small(buffer.size):
                pass
            case For(kind="seq" | "unroll" | "simd", body=body) if _is_plain(body):
                pass
            case _:
                return False
    return True


def _split(loop: For) -> list[Statement]:
    """The loop in three, if there is a border; the loops inside it, of its middle."""
    choices = [one for one in dict.fromkeys(_choices(loop.body)) if _mentions(one, loop.index)]
    ends = _ends(loop, choices)
    if ends is None:
        return [replace(loop, body=_block(loop.body))]
    low, high = ends
    middle = replace(loop, **_moved(loop, low, loop.count - low - high))
    parts: list[Statement] = []
    if low:
        parts.append(_alone(replace(loop, **_moved(loop, 0, minimum(low, loop.count)))))
    parts.append(replace(middle, body=_block(Block(tuple(_decided(middle.body))))))
    if high:
        start, rest = maximum(loop.count - high, low), maximum(loop.count - low, 0)
        parts.append(_alone(replace(loop, **_moved(loop, start, minimum(high, rest)))))
    return parts


def _alone(loop: For) -> For:
    """A few turns, not worth threads."""
    return replace(loop, kind="seq") if loop.kind == "parallel" else loop


def _moved(loop: For, start: Nat | int, count: Nat) -> dict[str, Any]:
    """The fields of a loop over so many turns from one on."""
    index = NatVar(loop.index.name, count)
    body = rewrite_block(loop.body, substitution({loop.index: nat(index) + start}))
    return {"index": index, "count": count, "body": body}


def _ends(loop: For, choices: list[Choice]) -> tuple[int, int] | None:
    """How many turns at the ends must run apart, so that as many choices as can be are decided between them."""

    def undecided(low: int, high: int) -> int:
        index = NatVar(loop.index.name, loop.count - low - high)
        parts = substitution({loop.index: nat(index) + low})
        return sum(not _is_decided(_put(one, parts)) for one in choices)

    if not choices:
        return None
    best = undecided(WIDEST, WIDEST)
    if best == undecided(0, 0):
        return None
    low = next(n for n in range(WIDEST + 1) if undecided(n, WIDEST) == best)
    high = next(n for n in range(WIDEST + 1) if undecided(low, n) == best)
    return low, high


def _put(choice: Choice, parts: Parts) -> Choice:
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
    """Where indices choose, in the values of statements."""
    for statement, _ in statements(block):
        value = value_of(statement)
        if value is not None:
            yield from _chosen(value)


def _chosen(value: Value) -> Iterator[Choice]:
    for one in values(value):
        match one:
            case Load(index=a) | Index(value=a):
                yield from (nat(node) for node in postorder(a) if _is_choice(node))
            case Guarded(condition):
                yield from condition.below
            case _:
                pass


def _decided(block: Block) -> Iterator[Statement]:
    """Statements without the guards that ranges decide."""
    for statement in block.statements:
        match statement:
            case For(body=body):
                yield replace(statement, body=Block(tuple(_decided(body))))
            case Assign(value=value) | Define(value=value) | DefineIndex(value=value):
                yield replace(statement, value=_settled(value))
            case _:
                yield statement


def _settled(value: Value) -> Value:
    match value:
        case Guarded(condition, inner, otherwise, t):
            if any(is_nonnegative(a - b) for a, b in condition.below):
                return _settled(otherwise)
            left = tuple((a, b) for a, b in condition.below if not is_below(a, b))
            if not left:
                return _settled(inner)
            return Guarded(Condition(left), _settled(inner), _settled(otherwise), t)
        case Operation(arguments=arguments):
            settled = replace(value, arguments=tuple(map(_settled, arguments)))
            return _together(settled) or settled
        case _:
            return value


def _together(value: Operation) -> Load | None:
    """One load for a vector whose lanes are loaded one behind the other."""
    if value.name != "vector" or not isinstance(value.type, VectorType):
        return None
    match value.arguments[0]:
        case Load(Buffer(element=ScalarType()) as buffer, start, 1):
            for lane, one in enumerate(value.arguments):
                if not isinstance(one, Load) or (one.buffer, one.index, one.lanes) != (
                    buffer,
                    start + lane,
                    1,
                ):
                    return None
            return Load(buffer, start, len(value.arguments), False, value.type)
    return None
