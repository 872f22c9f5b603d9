"""Matrix instructions of tensor cores: shapes, types, fragments, alignment. Knows no source text and no blocks.

Shapes and the numbers of elements are those of the fragments in NVIDIA's `crt/mma.h` (CUDA 13.0). How matrices lie in
memory is in the CUDA C++ Programming Guide, "Warp Matrix Functions". Omitted: matrices of 4 bits and of 1 bit, which
are experimental there, and sums in another type than the accumulator's.

A number of type tf32 is stored as f32. It is not a scalar type of programs: its records are found by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic, RiseError, did_you_mean, quoted
from rise.hardware.architectures import ARCHITECTURES, Architecture
from rise.scalars import ROLES, SCALARS

Shape: TypeAlias = tuple[int, int, int]
#: the types of A, of B, and of the accumulator
Types: TypeAlias = tuple[str, str, str]

#: types that do not exist in memory, and the types that they are stored as
STORED: Final[Mapping[str, str]] = {"tf32": "f32"}


@dataclass(frozen=True, slots=True)
class MatrixInstruction:
    """`accumulator + A * B`, where A is m by k, B is k by n, and the lanes of `scope` hold the fragments together.

    `elements` are the numbers that a lane holds of A, of B and of the accumulator; some of f16 are held two or four
    times. `layouts` has a pair for each legal choice: whether A, and whether B, is row-major in memory. A matrix starts
    at a multiple of `alignment` bytes, and its rows (or columns) are a multiple of `stride_alignment` bytes apart.
    """

    name: str
    family: str
    m: int
    n: int
    k: int
    a: str
    b: str
    accumulator: str
    since: str
    elements: tuple[int, int, int]
    layouts: frozenset[tuple[bool, bool]] = frozenset(product((False, True), (False, True)))
    scope: str = "warp"
    alignment: int = 32
    stride_alignment: int = 16

    @property
    def shape(self) -> Shape:
        """m, n, k."""
        return self.m, self.n, self.k

    @property
    def types(self) -> Types:
        """The types of A, of B, and of the accumulator."""
        return self.a, self.b, self.accumulator

    def type_of(self, role: str) -> str:
        """The type of the numbers in the fragment of a role."""
        return self.types[ROLES.index(role)]

    def stored_type_of(self, role: str) -> str:
        """The scalar type of the matrix in memory."""
        return STORED.get(self.type_of(role), self.type_of(role))

    def extent_of(self, role: str) -> tuple[int, int]:
        """Rows and columns of the matrix of a role."""
        return ((self.m, self.k), (self.k, self.n), (self.m, self.n))[ROLES.index(role)]

    def elements_of(self, role: str) -> int:
        """How many numbers a lane holds of the matrix of a role."""
        return self.elements[ROLES.index(role)]

    def fragment_bytes(self, role: str) -> int:
        """The bytes that a lane holds. The PTX ISA ("Matrix Storage for WMMA") requires every row to start at a
        multiple of them, which is stricter than `stride_alignment` for A and B of f16 and accumulators of 32 bits.
        """
        return self.elements_of(role) * SCALARS[self.stored_type_of(role)].bits // 8

    def exists_on(self, arch: Architecture) -> bool:
        """Whether code for an architecture may use it."""
        return arch.capability >= ARCHITECTURES[self.since].capability

    def is_fast_on(self, arch: Architecture) -> bool:
        """Whether tensor cores of the architecture multiply its types, rather than other units."""
        return self.exists_on(arch) and {self.a, self.b} <= arch.tensor_inputs


#: for each shape, the number of elements that a lane holds of A, of B and of the accumulator
_HALF: Final[Mapping[Shape, Shape]] = {
    (16, 16, 16): (16, 16, 8),
    (32, 8, 16): (16, 16, 8),
    (8, 32, 16): (16, 16, 8),
}
_NARROW: Final[Mapping[Shape, Shape]] = {
    (16, 16, 16): (8, 8, 8),
    (32, 8, 16): (16, 4, 8),
    (8, 32, 16): (4, 16, 8),
}


def _wmma(
    factor: str, accumulator: str, since: str, shapes: Mapping[Shape, Shape]
) -> Iterator[MatrixInstruction]:
    for (m, n, k), elements in shapes.items():
        name = f"wmma_m{m}n{n}k{k}_{factor}_{accumulator}"
        yield MatrixInstruction(name, "wmma", m, n, k, factor, factor, accumulator, since, elements)


INSTRUCTIONS: Final[Mapping[str, MatrixInstruction]] = {
    one.name: one
    for one in (
        *_wmma("f16", "f16", "sm_75", _HALF),
        *_wmma("f16", "f32", "sm_75", _HALF),
        *_wmma("bf16", "f32", "sm_80", _NARROW),
        *_wmma("i8", "i32", "sm_75", _NARROW),
        *_wmma("u8", "i32", "sm_75", _NARROW),
        *_wmma("tf32", "f32", "sm_80", {(16, 16, 8): (4, 4, 8)}),
        *_wmma("f64", "f64", "sm_80", {(8, 8, 4): (1, 1, 2)}),
    )
}


def legal(
    family: str = "wmma", types: Types | None = None, arch: Architecture | None = None
) -> tuple[MatrixInstruction, ...]:
    """The instructions of a family, restricted to these types and this architecture, if given."""
    return tuple(
        instruction
        for instruction in INSTRUCTIONS.values()
        if instruction.family == family
        and (types is None or instruction.types == types)
        and (arch is None or instruction.exists_on(arch))
    )


def find(family: str, shape: Shape, types: Types, arch: Architecture | None = None) -> MatrixInstruction:
    """The instruction of a family with this shape and these types. Raises RiseError, which lists the existing ones.

    >>> find("wmma", (16, 16, 16), ("f16", "f16", "f32")).name
    'wmma_m16n16k16_f16_f32'
    """
    existing = legal(family)
    if not existing:
        families = sorted({instruction.family for instruction in INSTRUCTIONS.values()})
        hint = did_you_mean(family, families) or f"there is {', '.join(families)}"
        _refuse(f"expected a family of matrix instructions, found {quoted(family)}", hint)
    typed = legal(family, types)
    if not typed:
        combinations = dict.fromkeys(_product(instruction.types) for instruction in existing)
        _refuse(
            f"expected types that {family} multiplies, found {_product(types)}",
            f"it has {_listed(combinations)}",
        )
    for instruction in typed:
        if instruction.shape == shape:
            if arch is not None and not instruction.exists_on(arch):
                usable = dict.fromkeys(_product(other.types) for other in legal(family, arch=arch))
                title = f"expected {instruction.since} or newer for {_product(types)} by {family}, found {arch.name}"
                _refuse(
                    title, f"build for {instruction.since}, or use what {arch.name} has: {_listed(usable)}"
                )
            return instruction
    shapes = _listed(_sizes(instruction.shape) for instruction in typed)
    title = f"expected a shape m x n x k that {family} has for {_product(types)}, found {_sizes(shape)}"
    _refuse(title, f"it has {shapes}")


def _refuse(title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic("no-instruction", title, hint=hint))


def _product(types: Types) -> str:
    a, b, accumulator = types
    return f"{a} * {b} + {accumulator}"


def _sizes(shape: Shape) -> str:
    return " x ".join(map(str, shape))


def _listed(items: Iterable[str]) -> str:
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last
