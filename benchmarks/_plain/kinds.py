"""The numpy side of a case: sizes, a numpy function, and random arguments.

Does not measure time; independent of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import rise
from rise.arguments.ragged_arrays import halves_of, lengths_at, part_of
from rise.naturals import Nat
from rise.scalars import SCALARS
from rise.types import ArrayType, DepArrayType, FunType, IndexType, PairType, ScalarType

Array = NDArray[Any]
MEGA: Final = 2**20
SIDE: Final = 2**10
PICTURE: Final = {"M": SIDE, "N": SIDE}


def as_drawn(*arguments: Any) -> tuple[Any, ...]:
    """Random arguments as they are."""
    return arguments


@dataclass(frozen=True, slots=True)
class Peer:
    """The sizes to measure at, and the numpy function.

    `tame` turns random arguments into valid ones, for programs that do not accept all numbers; `note` says where numpy
    computes something different from the program, or in another way.
    """

    sizes: Mapping[str, int | tuple[int, ...]]
    run: Callable[..., Any]
    note: str = ""
    tame: Callable[..., tuple[Any, ...]] = as_drawn


def inputs(program: rise.Expr, peer: Peer, seed: int = 0) -> list[Any]:
    """Random arguments of a program of fixed sizes, after `tame`: floats in [-1, 1), integers from 0 to 9."""
    rng = np.random.default_rng(seed)
    found = []
    of = program.type
    while isinstance(of, FunType):
        found.append(random(of.parameter, (), rng))
        of = of.result
    return list(peer.tame(*found))


def random(of: Any, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """A random value of a type, in an array of a shape."""
    match of:
        case ArrayType(size, element):
            return random(element, (*shape, _number(size)), rng)
        case PairType(first, second):
            return random(first, shape, rng), random(second, shape, rng)
        case DepArrayType(size) if not shape:
            return _rows(of, _number(size), rng)
        case IndexType(size):
            return rng.integers(_number(size), size=shape)
        case ScalarType():
            dtype = SCALARS[of.name].dtype
            drawn = rng.uniform(-1, 1, shape)
            if dtype.kind in "iub":
                drawn = rng.integers(2 if dtype.kind == "b" else 10, size=shape)
            return drawn.astype(dtype)[()]
    raise TypeError(f"no random values of type {of}")


def _rows(of: DepArrayType, count: int, rng: np.random.Generator) -> Any:
    """Rows of different lengths, one after the other; for pairs, a pair of these."""
    halves = halves_of(of)
    if halves is not None:
        return tuple(random(half, (), rng) for half in halves)
    part = part_of(of)
    assert part is not None, of
    lengths = lengths_at(part.lengths, count, {})
    return rise.Ragged(random(part.element, (sum(lengths),), rng), lengths)


def _number(size: Nat) -> int:
    number = size.constant
    assert number is not None, f"no size is left open, found {size}"
    return number
