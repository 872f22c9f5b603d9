"""Names of loops and temporaries in texts: after the axes of arrays, and after their contents."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

import rise
from rise.naturals import Nat, const, exact_quotient, nat
from rise.types import DepFunType, FunType
from shine.imperative.axes import axes_of, names_for
from shine.imperative.nodes import Allocate, Block, Buffer, For, Level, LoopKind, Parameter, Statement
from shine.imperative.walk import everything
from tests.cases.texts import TEXTS
from tests.shine.building import F32, array, assign, load, loop, number, op, parameter, size

M, N = size("M"), size("N")
#: identifiers that end in a counter, in the texts of all cases
MOST_COUNTED: Final = 1650
COUNTED: Final = re.compile(r"(.*?)_\d+")


def loop_names(body: Block, inputs: list[Parameter], output: Parameter) -> list[str]:
    """What the loops of a body are called, from the outermost inwards."""
    found = names_for(body, inputs, output)
    return [found[one.index] for one, _ in everything(body) if isinstance(one, For)]


def test_loops_are_called_after_the_sizes_of_axes() -> None:
    x, output = parameter("x", array(M, N)), parameter("output", array(M, N))

    def body(i: Nat, j: Nat) -> list[Statement]:
        return [assign(output.buffers[0], i * N + j, load(x.buffers[0], i * N + j))]

    nest = loop("a", M, lambda i: [loop("b", N, lambda j: body(i, j))])
    assert loop_names(Block((nest,)), [x], output) == ["m", "n"]


@pytest.mark.parametrize(
    ("outer", "inner", "names"),
    [
        ("seq", "seq", ["n_block", "n"]),
        (Level("block", 0), Level("threads", 0), ["n_block", "n_thread"]),
        (Level("warp", 0), Level("lane", 0), ["n_warp", "n_lane"]),
    ],
)
def test_cuts_of_an_axis_are_said(outer: LoopKind, inner: LoopKind, names: list[str]) -> None:
    output = parameter("output", array(N))

    def body(i: Nat, j: Nat) -> list[Statement]:
        return [assign(output.buffers[0], i * 32 + j, number(1.0))]

    nest = loop(
        "a", exact_quotient(nat(N), 32), lambda i: [loop("b", 32, lambda j: body(i, j), inner)], outer
    )
    assert loop_names(Block((nest,)), [], output) == names


def test_axes_of_numeric_sizes_are_called_after_their_position() -> None:
    output = parameter("output", array(4, 8))
    nest = loop(
        "a", 4, lambda i: [loop("b", 8, lambda j: [assign(output.buffers[0], i * 8 + j, number(1.0))])]
    )
    assert loop_names(Block((nest,)), [], output) == ["row", "column"]


def test_axes_of_one_size_are_told_apart() -> None:
    output = parameter("output", array(N, N))
    nest = loop(
        "a", N, lambda i: [loop("b", N, lambda j: [assign(output.buffers[0], i * N + j, number(1.0))])]
    )
    assert loop_names(Block((nest,)), [], output) == ["n_row", "n_column"]


def test_a_loop_over_a_temporary_takes_the_axis_of_one_that_moves_there_alike() -> None:
    output = parameter("output", array(N))
    t = Buffer("t", F32, nat(N), "Local", ())
    fill = loop("a", N, lambda i: [assign(t, i, number(0.0))])
    copy = loop("b", N, lambda i: [assign(output.buffers[0], i, load(t, i))])
    assert loop_names(Block((Allocate(t, (1,)), fill, copy)), [], output) == ["n", "n"]


def test_arrays_whose_rows_differ_have_no_axes() -> None:
    ragged = rise.parse("fun(rows: M.(N..(i |-> i.f32)) => rows)").main.type
    assert isinstance(ragged, FunType | DepFunType)
    while isinstance(ragged, DepFunType):
        ragged = ragged.result
    assert isinstance(ragged, FunType)
    given = parameter("rows", array(M))
    assert axes_of([replace(given, type=ragged.parameter)], parameter("output", array(N))).keys() == {
        parameter("output", array(N)).buffers[0]
    }


@pytest.mark.parametrize(("computes", "called"), [(False, "x_tile"), (True, "t")])
def test_what_holds_copies_is_called_after_the_array(computes: bool, called: str) -> None:
    x, output = parameter("x", array(N)), parameter("output", array(N))
    t = Buffer("t", F32, const(1), "Local", ())
    value = load(x.buffers[0], 0)
    body = Block(
        (
            Allocate(t, (1,)),
            assign(t, 0, op("mul", value, value) if computes else value),
            assign(output.buffers[0], 0, load(t, 0)),
        )
    )
    assert names_for(body, [x], output)[t] == called


DECLARED: Final = re.compile(
    r"(?:for \()?(?:const |static |extern |__shared__ |__align__\(16\) |_Alignas\(64\) |unsigned |long |\"C\" )*"
    r"(?:[A-Za-z_][\w:<>, ]*?)(?: \*const | \*restrict |\* __restrict__ | \*| |\* )(?P<name>[A-Za-z_]\w*)"
    r"(?: =|;|\[\d|,$|$|\()"
)
KERNEL: Final = re.compile(r"__launch_bounds__\(\d+\) (\w+)\(")


def declarations(line: str) -> list[str]:
    """The names that a line of a text declares."""
    code = line.split("//")[0].strip()
    if code.startswith(("return", "free", "report", "#", "}", "else")):
        return []
    kernel = KERNEL.search(code)
    if kernel:
        return [kernel[1], *parameters_of(code[kernel.end() :])]
    if re.match(r"(static inline )?int \w+\(", code):
        return parameters_of(code[code.index("(") + 1 :])
    found = DECLARED.match(code)
    return [found["name"]] if found else []


def parameters_of(text: str) -> list[str]:
    """The names of a function's parameters that stand in one line."""
    return [part.split()[-1].lstrip("*") for part in text.rstrip(") {").split(",") if part.strip()]


def test_declarations_are_found() -> None:
    lines = [
        ("  const int n_warp = threadIdx.x / 32;", ["n_warp"]),
        ("  __shared__ __align__(16) long long b_1st[8];", ["b_1st"]),
        ("    for (int64_t n_1 = 0; n_1 < 32; n_1++) {", ["n_1"]),
        ("  float *const sums = allocate(N / 2048, sizeof(float));", ["sums"]),
        ("    const float* __restrict__ xs,", ["xs"]),
        ("    float *restrict output", ["output"]),
        ("  float sum;", ["sum"]),
        ("  sum = sum_1;", []),
        ("  output[m * N + n] = sum;", []),
        ("int dot(int64_t N, const float *restrict xs, float *restrict output) {", ["N", "xs", "output"]),
        ('extern "C" __global__ void __launch_bounds__(256) dot_1(', ["dot_1"]),
    ]
    assert [declarations(line) for line, _ in lines] == [names for _, names in lines]


def without_need(text: str) -> list[str]:
    """The declarations of names that end in a counter though the name without it is not visible there."""
    found: list[str] = []
    around: list[tuple[int, str]] = []
    in_head = False
    for line in filter(str.strip, text.splitlines()):
        depth = 2 if in_head else len(line) - len(line.lstrip())
        in_head = line.endswith("(") or (in_head and not line.startswith(")"))
        around = [one for one in around if one[0] <= depth]
        kernel = KERNEL.search(line)
        for name in declarations(line):
            counted = COUNTED.fullmatch(name)
            if counted and not any(other == counted[1] for _, other in around):
                found.append(line.strip())
            is_inside = line.lstrip().startswith("for (")
            is_kernel = kernel is not None and name == kernel[1]
            around.append((0 if is_kernel else max(depth, 2) + 2 * is_inside, name))
    return found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("  float sum;\n  float sum_1;", []),
        ("  {\n    float sum;\n  }\n  float sum_1;", ["float sum_1;"]),
        ("  for (int n = 0; n < 2; n++) {\n    for (int n_1 = 0; n_1 < 2; n_1++) {", []),
        (
            "  for (int n = 0; n < 2; n++) {\n  }\n  for (int n_1 = 0; n_1 < 2; n_1++) {",
            ["for (int n_1 = 0; n_1 < 2; n_1++) {"],
        ),
    ],
)
def test_counters_without_need_are_found(text: str, wrong: list[str]) -> None:
    assert without_need(text) == wrong


@pytest.mark.parametrize("path", sorted(TEXTS.iterdir()), ids=lambda path: path.name)
def test_names_end_in_counters_only_where_the_name_is_taken(path: Path) -> None:
    """A counter tells a thing from another one that is visible with it and that the same words say it holds: two loops
    along one axis with one cut, two sums of one block, a kernel and those that run after it.
    """
    assert not without_need(path.read_text(encoding="utf-8"))


def test_few_names_end_in_counters() -> None:
    """Few things share all that their names say: at the most so many identifiers in the texts of all cases."""
    code = (
        line.split("//")[0]
        for path in TEXTS.iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    counted = sum(
        COUNTED.fullmatch(name) is not None for line in code for name in re.findall(r"[A-Za-z]\w*", line)
    )
    assert counted < MOST_COUNTED
