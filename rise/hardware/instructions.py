"""Matrix instructions of tensor cores: shapes, types, fragments, alignment. Independent of source text and blocks.

Family `wmma`: shapes and numbers of elements are those of the fragments in NVIDIA's `crt/mma.h` (CUDA 13.0). The
layouts of matrices in memory are in the CUDA C++ Programming Guide, "Warp Matrix Functions". Family `mma`: the PTX ISA
9.0, "Matrix multiply-accumulate operation using mma instruction", which specifies the numbers that each lane holds.
`m8n8k4` multiplies f16 in groups of eight lanes, four products at once: its records are those of the products of a warp
that these are parts of. It exists since sm_70, and is fast there only.
Omitted: matrices of 4 bits and of 1 bit, sums in another type than the accumulator's, and `mma.sync` on f64 of 8 x 8 x
4, which is the machine's instruction for the WMMA fragments of that shape.

A number of type tf32 is stored as f32. It is not a scalar type of programs: fragments of f32 are multiplied as tf32.

One subject: the records, with the functions that find one and say what a lane holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic, RiseError, did_you_mean, quoted
from rise.hardware.architectures import ARCHITECTURES, Architecture
from rise.records import dataclass
from rise.scalars import ROLES, SCALARS

Shape: TypeAlias = tuple[int, int, int]
#: a row and a column
Place: TypeAlias = tuple[int, int]
#: the types of A, of B, and of the accumulator
Types: TypeAlias = tuple[str, str, str]

#: types that do not exist in memory, and the types as which they are stored
STORED: Final[Mapping[str, str]] = {"tf32": "f32"}


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The coordinates, in the matrix of a role, of the numbers that a lane holds.

    The row and the column of number i of a lane are those of `offsets[i]`, plus those of `bits` for each bit that is
    set in the number of the lane, lowest first.
    """

    bits: tuple[Place, ...]
    offsets: tuple[Place, ...]

    def place(self, lane: int, number: int) -> Place:
        """The row and the column of a number of a lane.

        >>> in_groups((1, 0), (0, 2), ((0, 0), (0, 1), (8, 0), (8, 1))).place(5, 3)
        (9, 3)
        """
        row, column = self.offsets[number]
        for bit, (rows, columns) in enumerate(self.bits):
            row, column = row + (lane >> bit & 1) * rows, column + (lane >> bit & 1) * columns
        return row, column

    @property
    def is_by_rows(self) -> bool:
        """Whether lanes 4 g to 4 g + 3 hold neighbours in row g, from left to right, and in rows with a distance."""
        return self.bits == in_groups((1, 0), (0, 2), ()).bits


def in_groups(by_g: Place, by_t: Place, offsets: Iterable[Place]) -> Coordinates:
    """The coordinates `g * by_g + t * by_t + offsets[i]` of number i of lane 4 g + t."""
    steps = ((by_t, 1), (by_t, 2), (by_g, 1), (by_g, 2), (by_g, 4))
    bits = tuple((row * step, column * step) for (row, column), step in steps)
    return Coordinates(bits, tuple(offsets))


@dataclass(frozen=True, slots=True)
class MatrixInstruction:
    """`accumulator + A * B`, where A is m by k, B is k by n, and the lanes of `scope` hold the fragments together.

    `elements` has the number of elements of A, of B and of the accumulator that a lane holds; some elements of f16 are
    held two or four times. A warp executes `parts` products at once, above and beside each other. `layouts` has a pair
    for each legal choice: whether A, and whether B, is row-major in memory. A matrix starts at a multiple of
    `alignment` bytes, and its rows (or columns) are a multiple of `stride_alignment` bytes apart. `coordinates` has the
    elements of A, B and the accumulator that each lane holds; None if this is not documented.
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
    coordinates: tuple[Coordinates, Coordinates, Coordinates] | None = None
    parts: tuple[int, int] = (1, 1)

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
        """The number of elements of the matrix of a role that a lane holds."""
        return self.elements[ROLES.index(role)]

    def coordinates_of(self, role: str) -> Coordinates | None:
        """The elements of the matrix of a role that each lane holds; None if this is not documented."""
        return None if self.coordinates is None else self.coordinates[ROLES.index(role)]

    @property
    def part(self) -> Shape:
        """The shape of each product that a group of lanes executes, as the instruction is named: that of the warp, if
        all of its lanes execute one together.
        """
        above, beside = self.parts
        return self.m // above, self.n // beside, self.k

    def loads_rows(self, role: str, space: str, by_rows: bool) -> bool:
        """Whether a factor is loaded by `ldmatrix`, which loads 8 rows of 16 bytes at a time from shared memory: if a
        register holds neighbours along k, or if numbers of 16 bits are transposed.
        """
        if self.coordinates is None or self.part != self.shape or role == "Accum" or space != "Shared":
            return False
        bits = SCALARS[self.stored_type_of(role)].bits
        return bits == 16 or (bits < 64 and by_rows == (role == "AMatrix"))

    def alignments(self, role: str, space: str, by_rows: bool) -> tuple[int, int]:
        """The alignment in bytes of the start of a matrix in memory, and of the stride of its rows or columns."""
        if self.coordinates is None:
            return self.alignment, self.stride_alignment
        if self.loads_rows(role, space, by_rows):
            return 16, 16
        return (SCALARS[self.stored_type_of(role)].bits // 8,) * 2

    def fragment_bytes(self, role: str) -> int:
        """The bytes that a lane holds. The PTX ISA ("Matrix Storage for WMMA") requires every row to start at a
        multiple of this number, which is stricter than `stride_alignment` for A and B of f16 and for accumulators of 32
        bits.
        """
        return self.elements_of(role) * SCALARS[self.stored_type_of(role)].bits // 8

    def exists_on(self, arch: Architecture) -> bool:
        """Whether code for an architecture may use the instruction."""
        return arch.capability >= ARCHITECTURES[self.since].capability

    def is_fast_on(self, arch: Architecture) -> bool:
        """Whether tensor cores of the architecture multiply its types, rather than other units."""
        is_volta = self.part != self.shape  # later tensor cores have no products of groups of lanes
        return self.exists_on(arch) and {self.a, self.b} <= arch.tensor_inputs and not is_volta


#: for each shape, the number of elements that a lane holds of A, of B and of the accumulator
_HALF: Final[Mapping[Shape, Shape]] = {
    (16, 16, 16): (16, 16, 8),
    (32, 8, 16): (16, 16, 8),
    (8, 32, 16): (16, 16, 8),
}
_NARROW_LAYOUTS: Final[Mapping[Shape, Shape]] = {
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


def _coordinates(m: int, k: int, bits: int) -> tuple[Coordinates, Coordinates, Coordinates]:
    """The coordinates of an instruction of the family `mma`: A has registers for rows g and, if m is 16, for rows g +
    8. A register of 32 bits holds neighbours along k, and the registers of four lanes are adjacent in a row.
    """
    together = max(32 // bits, 1)
    steps = range(k // (4 * together))  # each is the range along k that four lanes hold
    parts = [(4 * together * step, e) for step in steps for e in range(together)]
    a = [(row, 4 * together * step + e) for step in steps for row in range(0, m, 8) for e in range(together)]
    sums = ((row, e) for row in range(0, m, 8) for e in range(2))
    return (
        in_groups((1, 0), (0, together), a),
        in_groups((0, 1), (together, 0), ((start + e, 0) for start, e in parts)),
        in_groups((1, 0), (0, 2), sums),
    )


def _mma(factor: str, accumulator: str, since: str, *shapes: Shape) -> Iterator[MatrixInstruction]:
    bits = SCALARS[STORED.get(factor, factor)].bits
    for m, n, k in shapes:
        yield MatrixInstruction(
            f"mma_m{m}n{n}k{k}_{factor}_{accumulator}",
            "mma",
            m,
            n,
            k,
            factor,
            factor,
            accumulator,
            since,
            (m * k // 32, k * n // 32, m * n // 32),
            coordinates=_coordinates(m, k, bits),
        )


#: how many products of groups of lanes are above and beside each other
_ARRANGEMENTS: Final = ((2, 2), (4, 1), (1, 4))


def _groups(accumulator: str, since: str) -> Iterator[MatrixInstruction]:
    """`m8n8k4`: four products of 8 x 8 x 4, each by the lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19.

    Lane t or t + 16 of four holds 4 neighbours along k: row t or t + 4 of A, and the column of B with this number. Its
    sums are this row, if they are of f16. Those of f32 are in two rows, as two pairs of neighbours in each.
    """
    for above, beside in _ARRANGEMENTS:
        m, n, k = 8 * above, 8 * beside, 4
        # the places of the groups, by the two bits of q: the lower ones are above each other
        rows = tuple(8 * ((1 << bit) % above) for bit in range(2))
        columns = tuple(8 * ((1 << bit) // above) for bit in range(2))
        a, b = tuple((place, 0) for place in rows), tuple((0, place) for place in columns)
        sums = tuple(zip(rows, columns, strict=True))
        if accumulator == "f16":
            held = Coordinates(((1, 0), (2, 0), *sums, (4, 0)), tuple((0, i) for i in range(8)))
        else:
            pairs = tuple((i & 2, (i & 4) + (i & 1)) for i in range(8))
            held = Coordinates(((1, 0), (0, 2), *sums, (4, 0)), pairs)
        yield MatrixInstruction(
            f"mma_m{m}n{n}k{k}_f16_{accumulator}",
            "mma",
            m,
            n,
            k,
            "f16",
            "f16",
            accumulator,
            since,
            (4, 4, 8),
            coordinates=(
                Coordinates(((1, 0), (2, 0), *a, (4, 0)), tuple((0, i) for i in range(4))),
                Coordinates(((0, 1), (0, 2), *b, (0, 4)), tuple((i, 0) for i in range(4))),
                held,
            ),
            parts=(above, beside),
        )


INSTRUCTIONS: Final[Mapping[str, MatrixInstruction]] = {
    one.name: one
    for one in (
        *_wmma("f16", "f16", "sm_75", _HALF),
        *_wmma("f16", "f32", "sm_75", _HALF),
        *_wmma("bf16", "f32", "sm_80", _NARROW_LAYOUTS),
        *_wmma("i8", "i32", "sm_75", _NARROW_LAYOUTS),
        *_wmma("u8", "i32", "sm_75", _NARROW_LAYOUTS),
        *_wmma("tf32", "f32", "sm_80", {(16, 16, 8): (4, 4, 8)}),
        *_wmma("f64", "f64", "sm_80", {(8, 8, 4): (1, 1, 2)}),
        *_mma("f16", "f32", "sm_75", (16, 8, 8)),
        *_mma("f16", "f16", "sm_75", (16, 8, 8)),
        *_mma("f16", "f32", "sm_80", (16, 8, 16)),
        *_mma("f16", "f16", "sm_80", (16, 8, 16)),
        *_mma("bf16", "f32", "sm_80", (16, 8, 8), (16, 8, 16)),
        *_mma("tf32", "f32", "sm_80", (16, 8, 4), (16, 8, 8)),
        *_mma("i8", "i32", "sm_75", (8, 8, 16)),
        *_mma("i8", "i32", "sm_80", (16, 8, 16), (16, 8, 32)),
        *_mma("u8", "i32", "sm_75", (8, 8, 16)),
        *_mma("u8", "i32", "sm_80", (16, 8, 16), (16, 8, 32)),
        *_mma("f64", "f64", "sm_90", (16, 8, 4), (16, 8, 8), (16, 8, 16)),
        *_groups("f32", "sm_75"),
        *_groups("f16", "sm_75"),
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


def family_of(shape: Shape) -> str:
    """The family that has instructions of a shape, which is unique; `wmma` if no family has one."""
    return next((one.family for one in INSTRUCTIONS.values() if one.shape == shape), "wmma")


def is_known(shape: Shape) -> bool:
    """Whether it is documented which sums of a shape each lane holds."""
    return any(one.shape == shape and one.coordinates is not None for one in INSTRUCTIONS.values())


def is_by_rows(shape: Shape) -> bool:
    """Whether `share_of_lane` says which sums of a shape each lane holds."""
    known = [one.coordinates[-1] for one in INSTRUCTIONS.values() if one.shape == shape and one.coordinates]
    return bool(known) and all(sums.is_by_rows for sums in known)


def share_of_lane(shape: Shape) -> tuple[int, int, int]:
    """The distribution of the sums of a shape over the lanes of a warp: the number of rows, of lanes in a row, and a
    width.

    Lane `lanes * i + j` has `width` neighbours from column `width * j` on, in each row whose number modulo `rows` is i.
    If lanes hold numbers in this order, these are the numbers; otherwise each lane has neighbours in one row.

    >>> share_of_lane((16, 8, 16)), share_of_lane((16, 16, 16))
    ((8, 4, 2), (16, 2, 8))
    """
    m, n, _ = shape
    width = 2 if is_by_rows(shape) else m * n // 32
    return 32 * width // n, n // width, width


def taking(shape: Shape, role: str, number: str) -> tuple[MatrixInstruction, ...]:
    """The instructions of a shape that accept fragments of numbers of this type in a role; for factors, f32 stands for
    tf32.
    """
    return tuple(
        one for one in INSTRUCTIONS.values() if one.shape == shape and one.stored_type_of(role) == number
    )


def multiplied(types: Types) -> Types:
    """The types that instructions multiply, given the types of fragments: tf32 for factors of f32."""
    rounded = {stored: name for name, stored in STORED.items()}
    a, b, accumulator = types
    return rounded.get(a, a), rounded.get(b, b), accumulator


def find(family: str, shape: Shape, types: Types, arch: Architecture | None = None) -> MatrixInstruction:
    """The instruction of a family with this shape and these types. If there is none, raises RiseError, which lists all.

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
                same = [
                    f"{_sizes(other.shape)} of {other.family}"
                    for other in INSTRUCTIONS.values()
                    if other.types == types and other.exists_on(arch) and other.part == other.shape
                ]
                usable = same or dict.fromkeys(_product(other.types) for other in legal(family, arch=arch))
                what = f"{_product(types)} by {family}{f' in {_sizes(shape)}' if same else ''}"
                title = f"expected {instruction.since} or newer for {what}, found {arch.name}"
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
