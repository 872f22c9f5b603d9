"""The C text of procedures: what it looks like, and the names, origins and lines in it. Compiles nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar, const, exact_quotient, nat, power, var
from rise.quotients import ceiling_quotient, floor_quotient, maximum, minimum, remainder
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import NO_LOOP, Style, Text, below_text, natural_text
from shine.imperative.nodes import (
    Block,
    Condition,
    Constant,
    Define,
    If,
    Local,
    Statement,
)
from shine.imperative.scopes import LOOPS, UNITS, Scope
from shine.targets.c.c11 import C11
from shine.targets.c.printer import print_procedure
from shine.targets.c.types import constant_text
from tests.shine.procedures import (
    F32,
    array,
    assign,
    axpy,
    gather,
    load,
    loop,
    matmul_tiled,
    number,
    op,
    parameter,
    procedure,
    size,
    stencil,
)
from tests.shine.targets.c.texts import body_of

n, m, k = var("n"), var("m"), var("k")
i, j, p = (nat(NatVar(name, upper)) for name, upper in (("i", n), ("j", const(32)), ("p", None)))
VARIABLES = {a.terms[0][0][0][0].name: a.terms[0][0][0][0] for a in (n, m, k, i, j, p)}
RANKS = {"i": LOOPS, "j": LOOPS + 1, "p": LOOPS + 2}
STYLE = Style(
    name=lambda atom: getattr(atom, "name", "?"),
    rank=lambda atom: RANKS.get(getattr(atom, "name", ""), -1),
    call=lambda function: f"{function}_i64",
    note=lambda a: None,
    integral=(exact_quotient(n, 32),),
)

OF_SIZES = replace(STYLE, rank=lambda atom: NO_LOOP)
#: i and j are the numbers of a thread's units, and p is the index of a loop
OF_UNITS = replace(STYLE, rank=lambda atom: {"i": 0, "j": 1, "p": LOOPS}.get(getattr(atom, "name", ""), -1))

INDICES: list[tuple[Nat, str]] = [
    (i * 32 * n + j * n + k, "(i * 32 + j) * n + k"),
    (i * m * n + j * n + p, "(i * m + j) * n + p"),
    ((i * exact_quotient(n, 32) + j) * m + p, "(i * (n / 32) + j) * m + p"),
    (n - i - 1, "n - i - 1"),
    (const(0) - i, "-i"),
    (const(7), "7"),
    (const(-7), "-7"),
    (exact_quotient(n * m, 32) + 1, "m * (n / 32) + 1"),
    (exact_quotient(n * n + n, 2), "(n + 1) * n / 2"),
    (i * exact_quotient(n, k), "i * (n / k)"),
    (exact_quotient(n, m + 1), "n / (m + 1)"),
    (exact_quotient(n, m + 1) * i + j, "i * (n / (m + 1)) + j"),
    (floor_quotient(p, 32) * n + remainder(p, 32), "p / 32 * n + p % 32"),
    (floor_quotient(p - n, m), "-ceil_i64(n - p, m)"),
    (remainder(i * n + j, 48), "(i * n + j) % 48"),
    (ceiling_quotient(n, 32), "(n + 31) / 32"),
    (minimum(n, m), "min_i64(m, n)"),
    (power(const(2), k) * i, "i * power_i64(2, k)"),
    (i * -3 + n, "n - i * 3"),
]


class C(int):
    """A C integer: division truncates."""

    def __add__(self, other: int) -> C:
        return C(int(self) + int(other))

    def __sub__(self, other: int) -> C:
        return C(int(self) - int(other))

    def __mul__(self, other: int) -> C:
        return C(int(self) * int(other))

    def __neg__(self) -> C:
        return C(-int(self))

    def __truediv__(self, other: int) -> C:
        whole = abs(int(self)) // abs(int(other))
        return C(whole if (self < 0) == (other < 0) else -whole)

    def __mod__(self, other: int) -> C:
        return self - (self / other) * other


FUNCTIONS = {
    "floor_i64": lambda a, b: C(int(a) // int(b)),
    "mod_i64": lambda a, b: C(int(a) % int(b)),
    "ceil_i64": lambda a, b: C(-(-int(a) // int(b))),
    "min_i64": min,
    "max_i64": max,
    "xor_i64": lambda a, b: C(int(a) ^ int(b)),
}


def as_c(text: str, values: dict[str, int]) -> int:
    """The value of a text in C."""
    names = {name: C(value) for name, value in values.items()}
    return int(eval(re.sub(r"\b(\d+)\b", r"C(\1)", text), {"C": C, **FUNCTIONS, **names}))


ATOMS = st.sampled_from([i, j, p, n, m, k, const(1), const(3), const(-2), const(32)])
POSITIVE = st.sampled_from([n, m, const(4), const(7), n + 1, 2 * m])
NATURALS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(floor_quotient, inner, POSITIVE),
        st.builds(remainder, inner, POSITIVE),
        st.builds(ceiling_quotient, inner, POSITIVE),
        st.builds(minimum, inner, inner),
        st.builds(maximum, inner, inner),
        st.builds(lambda a, b: exact_quotient(a * b, b), inner, POSITIVE),
    ),
    max_leaves=8,
)


@given(
    NATURALS,
    st.lists(st.integers(1, 40), min_size=6, max_size=6),
    st.sampled_from([STYLE, OF_SIZES, OF_UNITS]),
)
def test_the_text_of_a_natural_has_its_value_in_c(a: Nat, numbers: list[int], style: Style) -> None:
    values = dict(zip("nmkijp", numbers, strict=True))
    values["i"] %= values["n"]
    values["j"] %= 32
    at = {variable: values[name] for name, variable in VARIABLES.items()}
    expected = evaluate_natural(a, at)
    assert as_c(natural_text(a, style).code, values) == expected
    known = below_text(a, n, style)
    assert (known if isinstance(known, bool) else as_c(known.code, values)) == (expected < values["n"])


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))
def test_fractions_of_sizes_are_divided_exactly(x: int, y: int, d: int, e: int) -> None:
    """Sizes that are multiples of their divisors, in sums with loop indices."""
    values = {"n": 32 * x, "m": d * e * y, "k": e, "i": x, "j": y, "p": 2}
    quotient = exact_quotient(m, k)
    index = (i * exact_quotient(n, 32) + j) * quotient + exact_quotient(n * m, 32 * k) + p
    at = {variable: values[name] for name, variable in VARIABLES.items()}
    for style in (STYLE, replace(STYLE, integral=())):
        assert as_c(natural_text(index, style).code, values) == evaluate_natural(index, at)


@pytest.mark.parametrize(("index", "text"), INDICES)
def test_the_text_of_indices(index: Nat, text: str) -> None:
    assert natural_text(index, STYLE).code == text


block, warp, lane, column, step = (
    nat(NatVar(name, upper))
    for name, upper in (
        ("block", n),
        ("warp", const(8)),
        ("lane", const(32)),
        ("column", const(4)),
        ("step", const(8)),
    )
)
UNIT_VARIABLES = [a.terms[0][0][0][0] for a in (block, warp, lane, column, step)]
UNIT_RANKS = {"block": UNITS, "warp": UNITS + 1, "lane": UNITS + 2, "column": UNITS + 3, "step": LOOPS + 4}
UNIT_INDICES: list[tuple[Nat, str]] = [
    (step * 2048 + block * 64 + warp * 16, "block * 64 + warp * 16 + step * 2048"),
    (block * 2048 + warp * 256 + lane * 4 + step, "(block * 8 + warp) * 256 + lane * 4 + step"),
    (
        block * 131072 + warp * 16384 + lane * 512 + column * 64,
        "((block * 8 + warp) * 32 + lane) * 512 + column * 64",
    ),
    (  # a loop counts rows
        block * 2048 + warp * 256 + lane * 4 + step * 128,
        "block * 2048 + warp * 256 + lane * 4 + step * 128",
    ),
    (block * 2048 + warp * 256 + step * 16, "block * 2048 + warp * 256 + step * 16"),  # the places in a row
    (
        block * 4096 + warp * 256 + lane,
        "block * 4096 + warp * 256 + lane",
    ),  # 16 rows of a block, 8 of its warps
    (step * 8192 + lane * 256 + warp, "lane * 256 + warp + step * 8192"),
    ((block * 8 + warp) * n + lane, "(block * 8 + warp) * n + lane"),
]


@pytest.mark.parametrize(("index", "text"), UNIT_INDICES)
def test_numbers_of_units_come_first_and_rows_of_them_are_numbered(index: Nat, text: str) -> None:
    style = replace(STYLE, rank=lambda atom: UNIT_RANKS.get(getattr(atom, "name", ""), NO_LOOP))
    assert natural_text(index, style).code == text


@given(
    st.lists(st.integers(0, 40), min_size=5, max_size=5),
    st.lists(st.integers(1, 600), min_size=3, max_size=3),
)
def test_the_text_of_rows_of_units_has_its_value_in_c(numbers: list[int], strides: list[int]) -> None:
    values = dict(zip(UNIT_RANKS, numbers, strict=True)) | {"n": 41}
    values = {
        **values,
        "warp": values["warp"] % 8,
        "lane": values["lane"] % 32,
        "column": values["column"] % 4,
    }
    a, b, c = strides
    index = block * 256 * a + warp * 32 * a + lane * a + column * b - step * c
    style = replace(STYLE, rank=lambda atom: UNIT_RANKS.get(getattr(atom, "name", ""), NO_LOOP))
    atoms: dict[Atom, int] = {one: values[one.name] for one in (*UNIT_VARIABLES, VARIABLES["n"])}
    assert as_c(natural_text(index, style).code, values) == evaluate_natural(index, atoms)


def test_conditions_have_no_negative_terms() -> None:
    assert below_text(i - 3, n, STYLE) == below_text(i, n + 3, STYLE)
    assert below_text(const(-1), i - 4, STYLE) == below_text(const(3), i, STYLE)
    multiple = below_text(i, 16 * floor_quotient(i, 16) + 1, STYLE)
    assert isinstance(multiple, Text) and multiple.code == "i % 16 == 0"
    assert below_text(n, n, STYLE) is False
    assert below_text(i - 1, i, STYLE) is True


def test_names_are_valid_and_unique() -> None:
    scope = Scope()
    assert [scope.bind(key, "x") for key in range(3)] == ["x", "x_1", "x_2"]
    assert scope.bind("a", "double") == "double_"
    assert scope.bind("b", "x'") == "x_"
    assert scope.bind("c", "λ") == "v_"
    assert scope.bind("d", "max_f32") == "max_f32_"
    inner = scope.block()
    assert inner.bind("e", "x") == "x_3"
    assert scope.bind("f", "y") == "y"


def test_the_text_of_a_kernel() -> None:
    assert print_procedure(axpy()).text == (
        "// axpy(alpha: f32, x: n.f32, y: n.f32) -> n.f32 for all n\n"
        "#include <stdint.h>\n"
        "\n"
        "int axpy(int64_t n, float alpha, const float *restrict x, const float *restrict y, "
        "float *restrict output) {\n"
        "  #pragma omp parallel for schedule(static)\n"
        "  for (int64_t i_n = 0; i_n < n; i_n++) {\n"
        "    output[i_n] = alpha * x[i_n] + y[i_n];\n"
        "  }\n"
        "  return 0;\n"
        "}\n"
    )


def test_a_tile_is_held_in_vectors() -> None:
    assert body_of(print_procedure(matmul_tiled(4, 8)).text) == [
        "#pragma omp parallel for collapse(2) schedule(static)",
        "for (int64_t i_n_block = 0; i_n_block < n / 4; i_n_block++) {",
        "for (int64_t i_m_block = 0; i_m_block < m / 8; i_m_block++) {",
        "_Alignas(64) float acc[32];",
        "#pragma GCC unroll 4",
        "for (int64_t i_n = 0; i_n < 4; i_n++) {",
        "store_aligned_f32x8(&acc[i_n * 8], broadcast_f32x8(0.0f));",
        "}",
        "for (int64_t i_k = 0; i_k < k; i_k++) {",
        "#pragma GCC unroll 4",
        "for (int64_t i_n = 0; i_n < 4; i_n++) {",
        "store_aligned_f32x8(&acc[i_n * 8], fma_f32x8(broadcast_f32x8(A[(i_n_block * 4 + i_n) * k + i_k]), "
        "load_f32x8(&B[i_k * m + i_m_block * 8]), load_aligned_f32x8(&acc[i_n * 8])));",
        "}",
        "}",
        "#pragma GCC unroll 4",
        "for (int64_t i_n = 0; i_n < 4; i_n++) {",
        "store_f32x8(&output[(i_n_block * 4 + i_n) * m + i_m_block * 8], load_aligned_f32x8(&acc[i_n * 8]));",
        "}",
        "}",
        "}",
        "return 0;",
    ]


def test_a_padded_read_is_conditional() -> None:
    assert "0 < i_n && i_n < n + 1 ? x[i_n - 1] : 0.0f" in print_procedure(stencil()).text


def test_an_index_array_is_read_once() -> None:
    assert body_of(print_procedure(gather()).text)[2:4] == [
        "const int64_t j = at[i_n];",
        "output[i_n] = x[j];",
    ]


def test_a_check_build_checks_accesses() -> None:
    text = print_procedure(gather(), check=True).text
    assert "if (within_i64(i_n, n, &status, 3)) output[i_n] = " in text
    assert "within_i64(j, m, &status, 2) ? x[j] : 0" in text


def test_lines_have_origins() -> None:
    source = print_procedure(gather())
    lines = source.text.split("\n")
    assert len(source.origins) == len(lines) - 1
    assert source.origins[lines.index("    const int64_t j = at[i_n];")] == (5,)
    assert source.origins[lines.index("    output[i_n] = x[j];")] == (9,)
    assert source.origins[0] is None


def test_variables_and_conditions() -> None:
    output = parameter("output", array(4))
    v = Local("v", F32)

    def body(index: Nat) -> Sequence[Statement]:
        inner = Block((assign(output.buffers[0], index, op("mul", v, v)),))
        return [Define(v, number(0.5), (2,)), If(Condition(((index, const(3)),)), inner, (3,))]

    source = print_procedure(procedure("ifs", [], [], output, loop("i", 4, body, "simd")))
    assert body_of(source.text)[:5] == [
        "#pragma omp simd",
        "for (int64_t i = 0; i < 4; i++) {",
        "const float v = 0.5f;",
        "if (i < 3) {",
        "output[i] = v * v;",
    ]


CONSTANTS: list[tuple[str, int | float, str]] = [
    ("f32", 0.10000000149011612, "0.1f"),
    ("f32", 3.0, "3.0f"),
    ("f32", -0.0, "-0.0f"),
    ("f32", float("inf"), "INFINITY"),
    ("f64", float("-inf"), "(double)-INFINITY"),
    ("f64", 0.1, "0.1"),
    ("f32", 1e20, "1e+20f"),
    ("f16", 1.5, "(_Float16)1.5f"),
    ("bf16", 1.5, "(bf16)0x3fc0 /* 1.5 */"),
    ("i32", -(2**31), "(-2147483647 - 1)"),
    ("i64", 5, "5LL"),
    ("u64", 2**64 - 1, "18446744073709551615ULL"),
    ("i8", -128, "-128"),
    ("bool", 1, "true"),
]


@pytest.mark.parametrize(("t", "value", "text"), CONSTANTS)
def test_the_text_of_a_constant_has_its_value(t: str, value: int | float, text: str) -> None:
    assert constant_text(Constant(value, ScalarType(t)), C11).code == text


def test_vectors_that_c_does_not_support_are_rejected() -> None:
    output = parameter("output", array(3))
    three = op("broadcast", number(1.0), type=VectorType(const(3), F32))
    with pytest.raises(RiseError, match="this one has 3 lanes of f32") as caught:
        print_procedure(procedure("three", [], [], output, assign(output.buffers[0], 0, three)))
    assert caught.value.diagnostic.code == "vector-size"


def test_names_of_programs_do_not_clash() -> None:
    x, output = parameter("exp", array(size("int"))), parameter("output", array(size("int")))
    clash = procedure(
        "main",
        [size("int")],
        [x],
        output,
        loop(
            "output",
            size("int"),
            lambda at: [assign(output.buffers[0], at, op("exp", load(x.buffers[0], at)))],
        ),
    )
    lines = print_procedure(clash).text.split("\n")
    assert "int shine_main(int64_t int_, const float *restrict exp_, float *restrict output) {" in lines
    assert "    output[i_int] = exp_f32(exp_[i_int]);" in lines
