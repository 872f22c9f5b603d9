"""The CUDA text of `mma.sync` instructions: fragments as arrays of each lane, moved by the record's coordinates.

Factors are loaded from shared memory by `ldmatrix` if the record says so, otherwise, like sums, number by number, or as
vectors of those that are neighbours in memory.
Independent of statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from rise.hardware import Coordinates, MatrixInstruction
from rise.scalars import ROLES, SCALARS
from shine.targets.cuda.instruction_text import NUMBERS, InstructionText

#: the bits of the number of a lane
_LANE_BITS: Final = 5
#: the name of a vector of numbers while it is loaded
_NAME: Final = "two"
#: the names of types in PTX, and the constraints of registers that hold sums
_PTX: Final = {"i8": "s8", "u8": "u8", "i32": "s32"}
#: several numbers as one in memory: vectors of numbers that fill registers, otherwise registers
_VECTORS: Final = {"f32": "float", "i32": "int", "f64": "double"}
_BYTES: Final = {4: "unsigned", 8: "uint2", 16: "uint4"}
_SUMS: Final = {"f32": "f", "i32": "r", "f64": "d", "f16": "r"}


def mma_text(instruction: MatrixInstruction) -> InstructionText:
    """The text of an instruction whose coordinates are known."""
    assert instruction.coordinates is not None, instruction
    return InstructionText(
        headers=(),
        element={role: NUMBERS[instruction.stored_type_of(role)] for role in ROLES},
        fragment=partial(_type, instruction),
        load=partial(_load, instruction),
        store=partial(_store, instruction),
        fill=partial(_fill, instruction),
        multiply_add=partial(_multiply_add, instruction),
        count=lambda fragment: str(instruction.elements_of("Accum")),
        number=lambda fragment, index: f"{fragment}[{index}]",
        registers=lambda role: f"[{instruction.elements_of(role)}]",
    )


def _type(instruction: MatrixInstruction, role: str, by_rows: bool) -> str:
    """The type of a number; if several share a register, they are aligned like the register, or the registers of a
    lane of a group, which are loaded together.
    """
    number = NUMBERS[instruction.stored_type_of(role)]
    if _together(instruction, role) == 1:
        return number
    aligned = instruction.fragment_bytes(role) if instruction.part != instruction.shape else 4
    return f"__align__({aligned}) {number}"


def _together(instruction: MatrixInstruction, role: str) -> int:
    """The number of values in a 32-bit register; 1 if a value is wider."""
    return max(32 // SCALARS[instruction.stored_type_of(role)].bits, 1)


def _plain(stride: str) -> str:
    return stride if re.fullmatch(r"\w+", stride) else f"({stride})"


def _sum(*parts: str) -> str:
    return " + ".join(part for part in parts if part != "0") or "0"


def _times(factor: str, by: int) -> str:
    return {0: "0", 1: factor}.get(by, f"{factor} * {by}")


def _lane(low: int, high: int) -> str:
    """The number that the bits of a lane's number from `low` to below `high` form."""
    if low == 0:
        return f"threadIdx.x % {1 << high}"
    if high == _LANE_BITS:
        return f"threadIdx.x % 32 / {1 << low}"
    return f"threadIdx.x / {1 << low} % {1 << high - low}"


def _along(coordinates: Coordinates, axis: int) -> list[str]:
    """The part of a row or a column that depends on the lane: a term for each range of bits, the highest first."""
    steps = [place[axis] for place in coordinates.bits]
    terms: list[str] = []
    low = 0
    while low < len(steps):
        high = low + 1
        while high < len(steps) and steps[high] == steps[low] << high - low:
            high += 1
        terms.append(_times(_lane(low, high), steps[low]))
        low = high
    return terms[::-1]


def _load(
    instruction: MatrixInstruction,
    role: str,
    fragment: str,
    pointer: str,
    stride: str,
    by_rows: bool,
    space: str = "Shared",
    together: int = 1,
) -> str:
    if instruction.loads_rows(role, space, by_rows):
        return _load_rows(instruction, role, fragment, pointer, stride, by_rows)
    lines = []
    for first, count, place in _accesses(instruction, role, stride, by_rows, together):
        numbers = [f"{fragment}[{first + i}]" for i in range(count)]
        if count > 1:
            lines.append(_vector_load(instruction.stored_type_of(role), numbers, _at(pointer, place)))
        elif instruction.type_of(role) == "tf32":
            lines.append(_rounded(numbers[0], _at(pointer, place)))
        else:
            lines.append(f"{numbers[0]} = {_at(pointer, place)};")
    return "\n".join(lines)


def _accesses(
    instruction: MatrixInstruction, role: str, stride: str, by_rows: bool, together: int
) -> Iterator[tuple[int, int, str]]:
    """The numbers of a lane in parts that are neighbours in memory: the first of each, how many, and their place.

    The matrix and its lines start at multiples of `together` numbers.
    """
    coordinates = instruction.coordinates_of(role)
    assert coordinates is not None, instruction
    places = _places(instruction, role, stride, by_rows)
    size = SCALARS[instruction.stored_type_of(role)].bits // 8
    line, along = (0, 1) if by_rows else (1, 0)
    first = 0
    while first < len(places):
        count = together
        while count > 1 and not (
            size * count in _BYTES
            and _are_neighbours(coordinates.offsets[first : first + count], line, along, count)
            and all(place[along] % count == 0 for place in coordinates.bits)
        ):
            count //= 2
        yield first, count, places[first]
        first += count


def _are_neighbours(offsets: Sequence[tuple[int, int]], line: int, along: int, count: int) -> bool:
    start = offsets[0][along]
    found = [(offset[line], offset[along]) for offset in offsets]
    return start % count == 0 and found == [(offsets[0][line], start + i) for i in range(count)]


def _at(pointer: str, place: str) -> str:
    """The number at a place from a pointer."""
    element = re.fullmatch(r"&(\w+)\[([^?]*)\]", pointer)
    return f"{element[1]}[{_sum(element[2], place)}]" if element else f"({pointer})[{place}]"


def _vector_load(number: str, targets: Sequence[str], place: str) -> str:
    if number not in _VECTORS:
        whole = _BYTES[len(targets) * SCALARS[number].bits // 8]
        return f"*({whole}*)&{targets[0]} = *(const {whole}*)&{place};"
    vector = f"{_VECTORS[number]}{len(targets)}"
    parts = " ".join(f"{target} = {_NAME}.{part};" for target, part in zip(targets, "xyzw", strict=False))
    return f"{{ const {vector} {_NAME} = *(const {vector}*)&{place}; {parts} }}"


def _vector_store(number: str, sources: Sequence[str], place: str) -> str:
    if number not in _VECTORS:
        whole = _BYTES[len(sources) * SCALARS[number].bits // 8]
        return f"*({whole}*)&{place} = *({whole}*)&{sources[0]};"
    vector = f"{_VECTORS[number]}{len(sources)}"
    return f"*({vector}*)&{place} = make_{vector}({', '.join(sources)});"


def _rounded(number: str, value: str) -> str:
    return f'asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(*(unsigned*)&{number}) : "f"({value}));'


def _places(instruction: MatrixInstruction, role: str, stride: str, by_rows: bool) -> list[str]:
    """The index of each number of a lane, from the matrix's first."""
    coordinates = instruction.coordinates_of(role)
    assert coordinates is not None, instruction
    lines, width = (0, 1) if by_rows else (1, 0)
    places = []
    for offset in coordinates.offsets:
        line, along = (_sum(*_along(coordinates, axis), str(offset[axis])) for axis in (lines, width))
        of_line = "0" if stride == "0" else f"({line}) * {_plain(stride)}"  # a vector, repeated
        places.append(_sum(of_line, along))
    return places


def _load_rows(
    instruction: MatrixInstruction, role: str, fragment: str, pointer: str, stride: str, by_rows: bool
) -> str:
    """`ldmatrix`: matrix i goes to register i, and lane 8 i + r passes the address of its line r, of 16 bytes."""
    together = _together(instruction, role)
    count = instruction.elements_of(role) // together
    wide = 4 * together  # numbers in 16 bytes
    halves = instruction.m // 8 if role == "AMatrix" else 1  # registers along m before those along k
    matrix = "threadIdx.x % 32 / 8" if count == 4 else f"threadIdx.x / 8 % {count}" if count > 1 else "0"
    along_k = by_rows == (role == "AMatrix")
    # Registers are numbered along m first: `low` is the place along m, `high` along k.
    if halves == 1:
        low, high = "0", matrix
    elif count == halves:
        low, high = matrix, "0"
    else:
        low, high = "threadIdx.x / 8 % 2", "threadIdx.x % 32 / 16"
    of_line, of_width = (low, high) if along_k else (high, low)
    line = _sum(_times(of_line, 8) if of_line != "0" else "0", "threadIdx.x % 8")
    place = _sum(
        f"({line}) * {_plain(stride)}", _times(of_width, wide if along_k else 8) if of_width != "0" else "0"
    )
    registers = [f"*(unsigned*)&{fragment}[{together * i}]" for i in range(count)]
    outs = ", ".join(f'"=r"({one})' for one in registers)
    trans = "" if along_k else ".trans"
    text = (
        f'asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {_braces(range(count))}, [%{count}];"'
        f' : {outs} : "r"((unsigned)__cvta_generic_to_shared({pointer} + {place})) : "memory");'
    )
    if instruction.type_of(role) != "tf32":
        return text
    return "\n".join([text, *(_rounded(f"{fragment}[{i}]", f"{fragment}[{i}]") for i in range(count))])


def _braces(numbers: Iterable[int]) -> str:
    return f"{{{', '.join(f'%{number}' for number in numbers)}}}"


def _store(
    instruction: MatrixInstruction,
    pointer: str,
    fragment: str,
    stride: str,
    by_rows: bool,
    together: int = 1,
) -> str:
    lines = []
    for first, count, place in _accesses(instruction, "Accum", stride, by_rows, together):
        numbers = [f"{fragment}[{first + i}]" for i in range(count)]
        if count > 1:
            lines.append(_vector_store(instruction.accumulator, numbers, _at(pointer, place)))
        else:
            lines.append(f"{_at(pointer, place)} = {numbers[0]};")
    return "\n".join(lines)


def _fill(instruction: MatrixInstruction, fragment: str, value: str) -> str:
    count = instruction.elements_of("Accum")
    return f"#pragma unroll\nfor (int t = 0; t < {count}; t++) {fragment}[t] = {value};"


def _registers(instruction: MatrixInstruction, role: str, fragment: str) -> list[str]:
    """The operands of an instruction: registers of 32 bits, or numbers of 32 and 64 bits."""
    together = _together(instruction, role)
    numbers = range(0, instruction.elements_of(role), together)
    stored = instruction.stored_type_of(role)
    is_number = stored in ("f64", "i32") or (stored == "f32" and role == "Accum")
    return [f"{fragment}[{i}]" if is_number else f"*(unsigned*)&{fragment}[{i}]" for i in numbers]


def _multiply_add(instruction: MatrixInstruction, target: str, a: str, b: str, addend: str) -> str:
    a_type, b_type, sum_type = (_PTX.get(t, t) for t in instruction.types)
    m, n, k = instruction.part
    name = f"mma.sync.aligned.m{m}n{n}k{k}.row.col"
    sums = _SUMS[instruction.accumulator]
    factor = "d" if instruction.a == "f64" else "r"
    results = _registers(instruction, "Accum", target)
    factors = [*_registers(instruction, "AMatrix", a), *_registers(instruction, "BMatrix", b)]
    added = [] if target == addend else _registers(instruction, "Accum", addend)
    d, in_a = len(results), len(_registers(instruction, "AMatrix", a))
    lists = (
        range(d),
        range(d, d + in_a),
        range(d + in_a, d + len(factors)),
        range(d + len(factors), d + len(factors) + d) if added else range(d),
    )
    outs = ", ".join(f'"{"=" if added else "+"}{sums}"({one})' for one in results)
    ins = ", ".join([*(f'"{factor}"({one})' for one in factors), *(f'"{sums}"({one})' for one in added)])
    operands = ", ".join(map(_braces, lists))
    return f'asm volatile("{name}.{sum_type}.{a_type}.{b_type}.{sum_type} {operands};" : {outs} : {ins});'
