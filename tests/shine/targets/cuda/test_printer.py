"""The CUDA text of programs: what it looks like, that CUDA compilers accept it, and what it computes in the simulator.

`snapshots/cuda/` contains the texts; run this file as a program to rewrite them. Tests that need a CUDA compiler are
skipped if there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from rise.naturals import Nat, const
from rise.types import FragmentType, ScalarType
from shine.imperative import kernel_names
from shine.imperative.axes import names_for
from shine.imperative.contents import Names
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import (
    Allocate,
    Define,
    FillFragment,
    LoadFragment,
    Local,
    Matrix,
    MultiplyAdd,
    Piece,
    Statement,
)
from shine.targets.c.types import constant_text
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.dialect import cuda_dialect
from shine.targets.cuda.module import CudaModule, PointerArgument, ScalarArgument, SizeArgument
from shine.targets.cuda.printer import print_program
from tests import required_tools
from tests.cuda.compilation import compiled_together
from tests.examples import in_whole, some
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, size
from tests.shine.targets.cuda.program_parts import (
    BLOCK,
    GLOBAL,
    I32,
    THREADS,
    WARP,
    Example,
    kernel,
    program,
    registers,
)
from tests.shine.targets.cuda.programs import EXAMPLES
from tests.shine.targets.cuda.simulation import simulate

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "cuda"
SCHEDULES: Final = ("ascending", "descending", "random:7")


def printed(example: Example, check: bool = False) -> CudaModule:
    """The text of an example."""
    return print_program(example.program, example.arch, example.wide, check)


def kernel_of(text: str) -> list[str]:
    """The lines of the first kernel's body, without indentation."""
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith('extern "C"'))
    first = next(at for at in range(start, len(lines)) if lines[at].endswith("{"))
    end = next(at for at in range(first, len(lines)) if lines[at] == "}")
    return [line.strip() for line in lines[first + 1 : end]]


def test_names_are_found_once_for_each_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Including those of arrays between kernels, in a program with any number of kernels."""
    found: list[object] = []

    def counted(*given: Any) -> Names:
        found.append(given)
        return names_for(*given)

    monkeypatch.setattr(kernel_names, "names_for", counted)
    example = max((make() for make in EXAMPLES.values()), key=lambda one: len(one.program.kernels))
    printed(example)
    assert len(found) == len(example.program.kernels) > 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_text_of_a_program_is_the_snapshot(name: str) -> None:
    assert printed(EXAMPLES[name]()).source == (SNAPSHOTS / f"{name}.cu").read_text()


def test_there_are_no_other_snapshots() -> None:
    assert sorted(one.stem for one in SNAPSHOTS.iterdir()) == sorted(EXAMPLES)


@pytest.mark.parametrize(("number", "name"), some(list(enumerate(EXAMPLES)), 2))
def test_a_program_agrees_with_numpy(number: int, name: str, cache: Path) -> None:
    """In one of the builds, with and without checks; in `make whole`, in both."""
    example = EXAMPLES[name]()
    for check in some((False, True), 2, first=number):
        module = printed(example, check)
        for schedule in SCHEDULES if check else SCHEDULES[:1]:
            (found,), findings = simulate(
                module, example.program, example.sizes, example.inputs, cache, check, schedule
            )
            assert not findings, [str(one) for one in findings]
            np.testing.assert_array_equal(found.reshape(np.shape(example.expected)), example.expected)


@in_whole("tests/cuda/test_machine_code.py::test_they_compile_without_spills")
@required_tools.needs_cuda_compiler()
@pytest.mark.parametrize("arch", some(["sm_75", "sm_80", "sm_90"], 3))
def test_the_texts_compile_without_local_memory(arch: str, cache: Path) -> None:
    """With the shared memory that they declare, of which all kernels of a text align the end alike; local memory is an
    error.
    """
    examples = [make() for make in EXAMPLES.values()]
    modules = [print_program(example.program, arch, example.wide) for example in examples]
    made, _ = compiled_together(modules, arch, cache)
    for at, module in enumerate(modules):
        for one in module.kernels:
            found = made.resources[f"{one.name}_of_{at}"]
            assert (found.local, found.shared) == (0, -(-one.static_shared // 32) * 32), one.name


@required_tools.needs_cuda_compiler()
def test_the_resources_of_a_text_alone_are_those_that_it_declares(cache: Path) -> None:
    """For the texts whose shared memory ends anywhere."""
    modules = [
        print_program(one.program, "sm_80", one.wide) for one in (make() for make in EXAMPLES.values())
    ]
    odd = [one for one in modules if any(kernel.static_shared % 32 for kernel in one.kernels)]
    assert odd
    for module in odd:
        names = [one.name for one in module.kernels]
        made = compile_text(module.source, "sm_80", names, origins=module.origins, cache=cache)
        assert [made.resources[one.name].local for one in module.kernels] == [0] * len(names)
        static = [one.static_shared for one in module.kernels]
        assert [made.resources[one.name].shared for one in module.kernels] == static


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_line_of_a_statement_has_its_origin(name: str) -> None:
    module = printed(EXAMPLES[name]())
    lines = module.source.split("\n")[:-1]
    assert len(module.origins) == len(lines)
    inside = False
    for line, origin in zip(lines, module.origins, strict=True):
        inside = inside or line == ") {"
        if line == "}":
            inside = False
        own = line.startswith(("  const int warp", "  const int lane", "  extern __shared__"))
        assert (origin is not None) == (inside and line != ") {" and not own), line


def test_arguments_are_arrays_then_numbers_then_sizes() -> None:
    (first,) = printed(EXAMPLES["wmma"]()).kernels
    kinds = [type(one) for one in first.arguments]
    assert kinds == [PointerArgument] * 3 + [ScalarArgument] + [SizeArgument] * 2
    assert [one.is_written for one in first.arguments if isinstance(one, PointerArgument)] == [
        False,
        False,
        True,
    ]
    module = printed(EXAMPLES["two_kernels"]())
    assert [one.name for one in module.kernels] == ["sum_1", "sum_2"]
    written = [
        one for one in module.kernels[0].arguments if isinstance(one, PointerArgument) and one.is_written
    ]
    assert [one.buffer for one in written] == list(module.temporaries)
    (wide,) = printed(EXAMPLES["wide"]()).kernels
    assert [one.bits for one in wide.arguments if isinstance(one, SizeArgument)] == [64, 64]


def test_large_shared_memory_is_requested_at_the_launch() -> None:
    (large,) = printed(EXAMPLES["reversed_blocks"]()).kernels
    assert (large.shared_bytes, large.static_shared) == (52008, 0)
    assert [(one.name, one.offset, one.bytes) for one in large.shared] == [
        ("x_tile_of_row", 0, 52000),
        ("x_tile_of_column", 52000, 8),
    ]
    (small,) = printed(EXAMPLES["matmul"]()).kernels
    assert (small.shared_bytes, small.static_shared, small.shared) == (0, 4096, ())


def one_kernel(
    *body: Statement, output: Any = None, block: int = 32, inputs: Sequence[Any] = ()
) -> GpuProgram:
    """A program of one block of threads."""
    output = parameter("output", array(32)) if output is None else output
    return program("k", [], inputs, output, kernel("k", [1], (block, 1, 1), *body))


#: the names of loops over levels along the only axis of the output
CALLED: Final = {"threads": "i_thread", "global": "i", "block": "i_block"}

SHARES: list[tuple[Any, int, list[str]]] = [
    (THREADS[1], 8, ["const int i_thread = threadIdx.y;"]),
    (THREADS[1], 3, ["if (threadIdx.y < 3) {", "const int i_thread = threadIdx.y;"]),
    (THREADS[0], 1000, ["for (int i_thread = threadIdx.x; i_thread < 1000; i_thread += 32) {"]),
    (
        THREADS[0],
        70,
        [
            "#pragma unroll",
            "for (int i_turn = 0; i_turn < 3; i_turn++) {",
            "const int i_thread = i_turn * 32 + threadIdx.x;",
            "if (i_thread < 70) {",
        ],
    ),
    (GLOBAL[0], 128, ["const int i = blockIdx.x * 32 + threadIdx.x;"]),
    (
        GLOBAL[0],
        100,
        ["if (blockIdx.x * 32 + threadIdx.x < 100) {", "const int i = blockIdx.x * 32 + threadIdx.x;"],
    ),
    (BLOCK[0], 9, ["for (int i_block = blockIdx.x; i_block < 9; i_block += 4) {"]),
    (BLOCK[0], 4, ["const int i_block = blockIdx.x;"]),
]


@pytest.mark.parametrize(("level", "count", "lines"), SHARES)
def test_a_loop_over_a_level_assigns_iterations_to_units(level: Any, count: int, lines: list[str]) -> None:
    output = parameter("output", array(1000))
    body = loop("i", count, lambda i: [assign(output.buffers[0], i, number(1.0))], level)
    text = print_program(
        program("k", [], [], output, kernel("k", [4], (32, 8, 1), body)), "sm_80", False
    ).source
    assert kernel_of(text)[: len(lines) + 1] == [*lines, f"output[{CALLED[level.name]}] = 1.0f;"]


def test_warps_are_numbered_along_the_first_dimension() -> None:
    output = parameter("output", array(12))

    def body(z: Nat, y: Nat, x: Nat) -> Sequence[Statement]:
        return [assign(output.buffers[0], (z * 3 + y) * 2 + x, number(1.0))]

    nest = loop(
        "z",
        2,
        lambda z: [loop("y", 3, lambda y: [loop("x", 2, lambda x: body(z, y, x), WARP[0])], WARP[1])],
        WARP[2],
    )
    run = kernel("k", [1], (384, 1, 1), nest, warps=(2, 3, 2))
    text = print_program(program("k", [], [], output, run), "sm_80", False).source
    assert kernel_of(text)[:4] == [
        "const int warp = threadIdx.x / 32;",
        "const int i_warp_z = warp / 6;",
        "const int i_warp_y = warp / 2 % 3;",
        "const int i_warp_x = warp % 2;",
    ]


def test_a_check_build_stops_at_errors(cache: Path) -> None:
    n = size("n")
    x, output = parameter("x", array(n, of=I32)), parameter("output", array(n, of=I32))
    body = loop(
        "i",
        n,
        lambda i: [assign(output.buffers[0], i, op("div", load(x.buffers[0], i + 1), load(x.buffers[0], i)))],
        GLOBAL[0],
    )
    made = program("k", [n], [x], output, kernel("k", [1], (32, 1, 1), body))
    plain, checked = (print_program(made, "sm_80", False, check) for check in (False, True))
    assert "output[i_n] = div_i32(x[i_n + 1], x[i_n]);" in plain.source
    assert (
        "output[within_i32(i_n, n)] = div_i32(x[within_i32(i_n + 1, n)], x[within_i32(i_n, n)]);"
        in checked.source
    )
    numbers = [np.array([0, 4, 8, 0], np.int32), np.array([1, 4, 8, 0, 0], np.int32)]
    for given, kinds in ((numbers[0], ["trap"]), (numbers[1], ["trap"])):
        _, findings = simulate(checked, made, {"n": len(given)}, [given], cache)
        assert [one.kind for one in findings] == kinds
    (found,), findings = simulate(plain, made, {"n": 3}, [np.array([2, 0, 5, 0], np.int32)], cache)
    assert list(found) == [0, 0, 0] and not findings


def test_names_of_programs_do_not_clash_with_cuda() -> None:
    n = size("blockIdx")
    x, output = parameter("threadIdx", array(n)), parameter("half", array(n))
    max_, lane = Local("max", F32), Local("shared_memory", F32)
    body = loop(
        "warpSize",
        n,
        lambda i: [
            Define(max_, load(x.buffers[0], i), (1,)),
            Define(lane, op("max", max_, max_), (2,)),
            assign(output.buffers[0], i, lane),
        ],
        GLOBAL[0],
    )
    source = print_program(
        program("round", [n], [x], output, kernel("round", [1], (32, 1, 1), body)), "sm_80", False
    ).source
    assert " shine_round(" in source and "const float* __restrict__ threadIdx_," in source
    assert kernel_of(source) == [
        "for (int block_idx = blockIdx.x * 32 + threadIdx.x; block_idx < blockIdx_; block_idx += 32) {",
        "const float max = threadIdx_[block_idx];",
        "const float shared_memory_ = max_f32(max, max);",
        "half_[block_idx] = shared_memory_;",
        "}",
    ]


CONSTANTS: list[tuple[str, int | float, str]] = [
    ("f32", 0.1, "0.1f"),
    ("f32", float("inf"), "__int_as_float(0x7f800000)"),
    ("f32", float("-inf"), "-__int_as_float(0x7f800000)"),
    ("f64", float("nan"), "__longlong_as_double(0x7ff8000000000000LL)"),
    ("f16", 1.5, "__float2half_rn(1.5f)"),
    ("bf16", -2.0, "__float2bfloat16_rn(-2.0f)"),
    ("i32", -(2**31), "(-2147483647 - 1)"),
    ("i64", 5, "5LL"),
    ("u32", 2**32 - 1, "4294967295U"),
    ("bool", 1, "true"),
]


@pytest.mark.parametrize(("t", "value", "text"), CONSTANTS)
def test_the_text_of_a_constant_has_its_value(t: str, value: int | float, text: str) -> None:
    assert constant_text(number(value, ScalarType(t)), cuda_dialect(False, False)).code == text


def fragment_program(element: str, *loads: bool, shape: tuple[int, int, int] = (16, 16, 16)) -> GpuProgram:
    """A product of fragments; A is loaded for each of `loads`, by rows or by columns."""
    m, n, k = (const(one) for one in shape)
    t = ScalarType(element)
    a, output = parameter("a", array(256, of=t)), parameter("output", array(256))
    left = registers("left", 1, FragmentType(m, k, n, t, "AMatrix", "warp"))
    right = registers("right", 1, FragmentType(k, n, m, t, "BMatrix", "warp"))
    acc = registers("acc", 1, FragmentType(m, n, k, F32, "Accum", "warp"))
    zero = const(0)
    body: list[Statement] = [Allocate(one, (1,)) for one in (left, right, acc)]
    body += [
        LoadFragment(Piece(left, zero), Matrix(a.buffers[0], zero, const(16), by_rows), (3, 1))
        for by_rows in loads
    ]
    body += [
        LoadFragment(Piece(right, zero), Matrix(a.buffers[0], zero, const(16), True), (4,)),
        FillFragment(Piece(acc, zero), number(0.0), (5,)),
        MultiplyAdd(Piece(acc, zero), Piece(left, zero), Piece(right, zero), Piece(acc, zero), (6, 2)),
    ]
    run = kernel("k", [1], (32, 1, 1), *body)
    return program("k", [], [a], output, run)


def test_fragments_have_the_layout_of_the_loaded_matrix() -> None:
    source = print_program(fragment_program("f16", False), "sm_80", False).source
    assert "matrix_a, 16, 16, 16, __half, nvcuda::wmma::col_major> a_fragment;" in source
    assert "matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> a_fragment_1;" in source


@pytest.mark.parametrize(
    ("made", "arch", "title", "origin"),
    [
        (("f16", True, False), "sm_80", "expected fragments of the same layout in left", (3, 1)),
        (
            ("bf16", True),
            "sm_75",
            "expected sm_80 or newer for bf16 \\* bf16 \\+ f32 by wmma, found sm_75",
            (6, 2),
        ),
        (("f64", True), "sm_90", "expected types that wmma multiplies, found f64 \\* f64 \\+ f32", (6, 2)),
    ],
)
def test_products_without_an_instruction_are_rejected(
    made: Any, arch: str, title: str, origin: tuple[int, ...]
) -> None:
    with pytest.raises(TranslationError, match=title) as caught:
        print_program(fragment_program(*made), arch, False)
    assert caught.value.origin == origin


def write() -> None:
    """Rewrite the snapshots."""
    SNAPSHOTS.mkdir(parents=True, exist_ok=True)
    for name, example in EXAMPLES.items():
        (SNAPSHOTS / f"{name}.cu").write_text(printed(example()).source)


if __name__ == "__main__":
    write()
