"""Declarations of arrays in shared memory: separate arrays, or pointers into another array or into bytes."""

from __future__ import annotations

from dataclasses import replace

from rise.types import ScalarType
from shine.imperative.nodes import Buffer
from shine.targets.cuda.printer import print_program
from tests.shine.procedures import array, assign, load, number, parameter
from tests.shine.targets.cuda.program_parts import kernel, program, tile


def declared(*places: tuple[Buffer, int]) -> tuple[list[str], int, list[tuple[str, int, int, str]]]:
    """The declarations of arrays at offsets in shared memory, and the bytes that they take. For arrays to which there
    are pointers: their names, offsets and bytes, and the enclosing array.
    """
    output = parameter("output", array(32))
    body = [assign(buffer, 0, number(1.0)) for buffer, _ in places]
    run = replace(kernel("k", [1], (32, 1, 1), *body), shared=places)
    module = print_program(program("k", [], [], output, run), "sm_80", False)
    (made,) = module.kernels
    within = [(one.name, one.offset, one.bytes, one.within) for one in made.shared]
    lines = map(str.strip, module.source.splitlines())
    return [line for line in lines if "__shared__" in line or "* const" in line], made.static_shared, within


def test_an_array_in_another_of_its_type_is_a_pointer_into_it() -> None:
    a, b, c = tile("a", 64), tile("b", 16), tile("c", 8)
    assert declared((a, 0), (b, 128), (c, 256)) == (
        [
            "__shared__ __align__(16) float a[64];",
            "float* const b = a + 32;",
            "__shared__ __align__(16) float c[8];",
        ],
        288,
        [("b", 128, 64, "a")],
    )


def test_overlapping_arrays_of_several_types_are_pointers_into_bytes() -> None:
    a, b, c, d = tile("a", 64), tile("b", 16, ScalarType("f64")), tile("c", 8), tile("d", 8)
    assert declared((c, 0), (a, 32), (b, 160), (d, 160)) == (
        [
            "__shared__ __align__(16) float c[8];",
            "__shared__ __align__(16) unsigned char a_bytes[256];",
            "float* const a = reinterpret_cast<float*>(a_bytes + 0);",
            "double* const b = reinterpret_cast<double*>(a_bytes + 128);",
            "float* const d = reinterpret_cast<float*>(a_bytes + 128);",
        ],
        288,
        [("a", 0, 256, "a_bytes"), ("b", 128, 128, "a_bytes"), ("d", 128, 32, "a_bytes")],
    )


def test_arrays_that_share_bytes_are_named_one_by_one() -> None:
    a, b, c = tile("a", 8192), tile("b", 16), tile("c", 8192)
    output = parameter("output", array(32))
    run = replace(
        kernel("k", [1], (32, 1, 1), assign(a, 0, load(b, 0))), shared=((a, 0), (b, 64), (c, 32768))
    )
    module = print_program(program("k", [], [], output, run), "sm_80", False)
    (made,) = module.kernels
    assert [(one.name, one.offset, one.bytes, one.within) for one in made.shared] == [
        ("a", 0, 32768, ""),
        ("a_1", 64, 64, ""),
        ("c", 32768, 32768, ""),
    ]
