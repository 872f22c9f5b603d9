"""Checks that tiles fit into each other and into a block, and match a matrix instruction. Independent of terms."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt
from typing import Final, NoReturn

from elevate import Diagnostic, StrategyError
from rise.hardware import ARCHITECTURES, Architecture, legal
from rise.hardware.instructions import STORED

MAX_BLOCK_THREADS: Final = max(architecture.block_threads for architecture in ARCHITECTURES.values())
LANES: Final = min(architecture.warp for architecture in ARCHITECTURES.values())
MAX_VECTOR_LENGTH: Final = 16  # numbers in a vector
MAX_STAGES: Final = 16  # of a pipelined reduction
MAX_SUGGESTIONS: Final = 5  # sizes that a hint names
MAX_SHOWN_CHARACTERS: Final = 60  # of a value in a title
MAX_COUNT: Final = 1 << 30  # elements of a tile along one dimension, and anything else that is counted


def check_sizes(least: int = 1, /, **sizes: object) -> None:
    """Raise StrategyError unless all are integers from `least` to `MAX_COUNT`."""
    for name, size in sizes.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < least:
            _refuse(
                f"expected an integer >= {least} for `{name}`, found {shown_value(size)}",
                f"for example -p {name}=16",
            )
        if size > MAX_COUNT:
            _refuse(
                f"expected at most {MAX_COUNT} for `{name}`, found {shown_value(size)}",
                f"for example -p {name}=16",
            )


def check_stages(stages: object) -> None:
    """Raise StrategyError unless a reduction may have this number of stages."""
    if not isinstance(stages, int) or isinstance(stages, bool) or not 1 <= stages <= MAX_STAGES:
        title = f"expected an integer from 1 to {MAX_STAGES} for `stages`, found {shown_value(stages)}"
        _refuse(title, "for example -p stages=3")


def check_strings(**names: object) -> None:
    """Raise StrategyError unless all are strings."""
    for name, value in names.items():
        if not isinstance(value, str):
            _refuse(f"expected a string for `{name}`, found {shown_value(value)}", f"for example -p {name}=e")


def check_switches(**switches: object) -> None:
    """Raise StrategyError unless all are 0 or 1, or False or True."""
    for name, value in switches.items():
        if not isinstance(value, int) or value not in (0, 1):
            _refuse(f"expected 0 or 1 for `{name}`, found {shown_value(value)}", f"for example -p {name}=1")


def check_powers(least: int, most: int, /, **sizes: int) -> None:
    """Raise StrategyError unless all are powers of two from `least` to `most`."""
    check_sizes(**sizes)
    powers = [power for power in (1 << exponent for exponent in range(most.bit_length())) if power >= least]
    for name, size in sizes.items():
        if size not in powers:
            title = f"expected a power of two from {least} to {most} for `{name}`, found {shown_value(size)}"
            _refuse(title, f"{listed(powers, 'or')} would work")


def check_shape(m: int, n: int, k: int, family: str = "wmma", rounded: int = 0) -> None:
    """Raise StrategyError unless a family of instructions has this shape, for any types, or for `rounded` ones."""
    if types_of((m, n, k), family, rounded):
        return
    shapes_of: dict[tuple[str, ...], list[str]] = {}
    for shape in dict.fromkeys(instruction.shape for instruction in legal(family)):
        if types := types_of(shape, family, rounded):
            shapes_of.setdefault(types, []).append(shown_shape(shape))
    known = "; ".join(f"{listed(shapes)} for {listed(types)}" for types, shapes in shapes_of.items())
    _refuse(f"expected a shape m x n x k that {family} has, found {m} x {n} x {k}", f"it has {known}")


def types_of(
    shape: tuple[int, int, int], family: str = "wmma", rounded: int = 0, arch: Architecture | None = None
) -> tuple[str, ...]:
    """The types of a program's factors that instructions of this shape and family multiply: exactly, or, if `rounded`,
    after rounding them to another type; on this architecture, if given.
    """
    instructions = (instruction for instruction in legal(family, arch=arch) if instruction.shape == shape)
    return tuple(
        dict.fromkeys(STORED.get(one.a, one.a) for one in instructions if (one.a in STORED) == bool(rounded))
    )


def shown_shape(shape: tuple[int, int, int]) -> str:
    """A shape as text: `16 x 16 x 16`."""
    return " x ".join(map(str, shape))


def check_multiples(*pairs: tuple[str, int, str, int]) -> None:
    """Raise StrategyError unless each tile is a multiple of the inner one, both given by name and size."""
    for name, size, inner_name, inner in pairs:
        if size % inner:
            title = f"expected `{name}` to be a multiple of {inner_name} = {inner}, found {size}"
            _refuse(title, f"{listed(_multiples_near(size, inner), 'or')} would work")


def check_divisors(*tiles: tuple[str, int, int, str, int]) -> None:
    """Raise StrategyError unless each tile divides the outer one: name, size, unit; outer name, outer size.

    The hint names multiples of the unit that divide the outer tile or, if there are none, multiples for the outer tile.
    """
    for name, size, unit, outer_name, outer in tiles:
        if outer % size == 0:
            continue
        fitting = [divisor for divisor in _divisors(outer) if divisor % unit == 0]
        title = f"expected `{name}` to divide {outer_name} = {outer}, found {size}"
        if fitting:
            _refuse(title, f"{listed(fitting[-MAX_SUGGESTIONS:], 'or')} would work")
        _refuse(title, f"for {outer_name}, {listed(_multiples_near(outer, size), 'or')} would work")


def check_vectors(vector: int, **lengths: int) -> None:
    """Raise StrategyError unless `vector`, how many numbers are moved at once, divides each length."""
    for name, length in lengths.items():
        if length % vector:
            powers = (1 << exponent for exponent in range(MAX_VECTOR_LENGTH.bit_length()))
            fitting = [power for power in powers if length % power == 0]
            title = f"expected `vector` to divide {name} = {length}, found {vector}"
            _refuse(title, f"{listed(fitting, 'or')} would work")


def check_warps(rows: int, columns: int, warp_rows: int, warp_columns: int) -> None:
    """Raise StrategyError if a block has too many warps; the tiles of warps divide that of the block."""
    most = MAX_BLOCK_THREADS // LANES
    down, along = rows // warp_rows, columns // warp_columns
    if down * along > most:
        title = (
            f"expected at most {most} warps in a block, found {down * along}: {down} x {along} tiles of warps"
        )
        hint = (
            f"make the block's {rows} x {columns} smaller, or the warps' {warp_rows} x {warp_columns} larger"
        )
        _refuse(title, hint)


def check_threads(rows: int, columns: int, thread_rows: int, thread_columns: int) -> None:
    """Raise StrategyError if a block has too many threads; the tiles of threads divide that of the block."""
    down, along = rows // thread_rows, columns // thread_columns
    if down * along > MAX_BLOCK_THREADS:
        title = (
            f"expected at most {MAX_BLOCK_THREADS} threads in a block, found {down * along}:"
            f" {down} x {along} tiles of threads"
        )
        hint = (
            f"make the block's {rows} x {columns} smaller, or the threads' {thread_rows} x {thread_columns}"
            " larger"
        )
        _refuse(title, hint)


def shown_value(value: object) -> str:
    """A user's value as shown in a message, shortened if it is long."""
    if isinstance(value, int) and abs(value) >> 256:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."


def _divisors(size: int) -> list[int]:
    """The divisors of a size, in ascending order."""
    small = [divisor for divisor in range(1, isqrt(size) + 1) if size % divisor == 0]
    return sorted({*small, *(size // divisor for divisor in small)})


def _multiples_near(size: int, inner: int) -> tuple[int, ...]:
    """The positive multiples of `inner` that are nearest to a size."""
    below, above = size // inner * inner, (size // inner + 1) * inner
    return (below, above) if below else (above,)


def listed(items: Iterable[object], word: str = "and") -> str:
    """Items as text: `a, b and c`."""
    *others, last = map(str, items)
    return f"{', '.join(others)} {word} {last}" if others else last


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic(code="tiles", title=title, hint=hint))
