"""Epilogues of products on tensor cores: casts, vectors and matrices of any types, lane by lane."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from tests.cuda.kernels import SCHEDULES
from tests.examples import in_turns, in_whole, some

GOLDEN: Final = Path(__file__).parents[1] / "golden"
FAMILIES: Final = ("mmaSync", "wmma")
SMALL: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16}
SUM: Final = "(zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))"
#: every pair of transposed factors, alone and in a batch, with sizes that are multiples of the tiles, and with others
SHAPES: Final = tuple(itertools.product((False, True), repeat=4))
#: functions of a sum, a number of its row, a number of its column, and an element of a matrix
BODIES: Final[dict[str, tuple[str, Any]]] = {
    "cast": ("cast{f16}(s)", lambda s, u, v, c: s.astype(np.float16)),
    "scale": ("cast{f16}(max(0.0, 2.0 * s))", lambda s, u, v, c: np.maximum(2 * s, 0).astype(np.float16)),
    "half bias": ("cast{f16}(s) + c", lambda s, u, v, c: s.astype(np.float16) + c),
    "wide bias": ("s + cast{f32}(c)", lambda s, u, v, c: s + c.astype(np.float32)),
    "row": ("cast{f16}(s * u)", lambda s, u, v, c: (s * u).astype(np.float16)),
    "column": ("cast{i32}(s + v)", lambda s, u, v, c: (s + v).astype(np.int32)),
    "all": (
        "cast{f16}(max(0.0, s * u + v)) * 0.5f16 + c",
        lambda s, u, v, c: np.maximum(s * u + v, 0).astype(np.float16) * np.float16(0.5) + c,
    ),
}
#: functions of a sum and a number of its row or its column, of one type
VECTORS: Final[dict[str, tuple[str, Any]]] = {
    "row": ("a: M.K.f16, b: K.N.f16, u: M.f32 => zip(a, u) |> map(fun(row, x => transpose(b) |> map(fun(column =>"
            f" {SUM} * x)))))", lambda sums, x: sums * x[:, None]),
    "column": ("a: M.K.f16, b: K.N.f16, v: N.f32 => a |> map(fun(row => zip(transpose(b), v) |> map(fun(column, x =>"
               f" {SUM} + x)))))", lambda sums, x: sums + x),
}  # fmt: skip


def text(left: bool, right: bool, batch: bool, body: str) -> str:
    """A product of matrices, each transposed or not, with a function of each sum and the numbers at its position."""
    p = "P." if batch else ""
    rows, columns = "transpose(a)" if left else "a", "b" if right else "transpose(b)"
    nest = (
        f"zip({rows}, zip(u, c)) |> map(fun(row, uc => zip({columns}, zip(v, snd(uc))) |> map(fun(column, vc =>"
        f" (fun(s: f32, u: f32, v: f32, c: f16 => {body})) ({SUM}, fst(uc), fst(vc), snd(vc))))))"
    )
    if batch:
        nest = f"zip(a, zip(b, c)) |> map(fun(a, bc => (fun(b, c => {nest})) (fst(bc), snd(bc))))"
    a, b = "K.M" if left else "M.K", "N.K" if right else "K.N"
    return f"val main = fun(a: {p}{a}.f16, b: {p}{b}.f16, u: M.f32, v: N.f32, c: {p}M.N.f16 => {nest})"


def lowered(family: str, program: str, **parameters: int) -> rise.Expr:
    """The program, lowered by a strategy with small tiles."""
    made = strategies.load(f"strategies.tensor_core:{family}", **SMALL | parameters)
    result = made(rise.parse(program).main)
    assert isinstance(result, elevate.Success), result.explain()
    low: rise.Expr = result.program
    return low


def check(
    low: rise.Expr, shape: tuple[bool, ...], meaning: Any, schedule: str, cache: Path, sizes: Any
) -> str:
    """Compare a kernel on small integers with numpy; returns the text of the kernel."""
    left, right, batch, _ = shape
    rng = np.random.default_rng(0)
    outer, (m, n, k) = (2,) if batch else (), sizes

    def numbers(*extents: int, kind: Any = np.float16) -> Any:
        return rng.integers(-4, 5, extents).astype(kind)

    a, b = numbers(*outer, *((k, m) if left else (m, k))), numbers(*outer, *((n, k) if right else (k, n)))
    u, v, c = numbers(m, kind=np.float32), numbers(n, kind=np.float32), numbers(*outer, m, n)
    rows, columns = (x.astype(np.float32) for x in (a, b))
    sums = (rows.swapaxes(-1, -2) if left else rows) @ (columns.swapaxes(-1, -2) if right else columns)
    expected = meaning(sums, u[:, None], v, c)
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule=schedule, cache=str(cache))
    found = kernel(a, b, u, v, c)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    return kernel.source


@pytest.mark.parametrize(
    ("at", "shape", "family"),
    some(((at, shape, family) for at, shape in enumerate(SHAPES) for family in FAMILIES), 33),
    ids=str,
)
def test_all_epilogues_in_all_shapes(at: int, shape: tuple[bool, ...], family: str, cache: Path) -> None:
    """The bodies and the schedules alternate; `soak` tries every combination of body, schedule and shape."""
    left, right, batch, edges = shape
    sizes = (37, 41, 24) if edges else (32, 64, 32)
    shift = at + FAMILIES.index(family)
    for body, meaning in some(BODIES.values(), len(BODIES), first=shift):
        low = lowered(family, text(left, right, batch, body), edges=int(edges))
        for schedule in some(SCHEDULES, len(SCHEDULES), first=shift):
            check(low, shape, meaning, schedule, cache, sizes)


@pytest.mark.parametrize(("body", "family"), some(itertools.product(BODIES, FAMILIES), 13))
def test_sums_stay_in_registers_if_their_lanes_are_known(body: str, family: str, cache: Path) -> None:
    low = lowered(family, text(False, False, False, BODIES[body][0]))
    source = check(low, (False,) * 4, BODIES[body][1], "descending", cache, (32, 32, 16))
    assert ("float* const stored = reinterpret_cast<float*>(" in source) == (family == "wmma")


@pytest.mark.parametrize(("family", "vector"), in_turns(FAMILIES, VECTORS))
def test_vectors_are_repeated_only_in_fragments_with_known_lanes(
    family: str, vector: str, cache: Path
) -> None:
    """WMMA cannot load a matrix with stride 0: lanes combine sums in shared memory with a vector."""
    program, meaning = VECTORS[vector]
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-4, 5, (32, 32)).astype(np.float16) for _ in "ab")
    x = rng.integers(-4, 5, 32).astype(np.float32)
    low = lowered(family, f"val main = fun({program}")
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule="random:3", cache=str(cache))
    np.testing.assert_array_equal(kernel(a, b, x), meaning(a.astype(np.float32) @ b.astype(np.float32), x))
    name = {"row": "u", "column": "v"}[vector]
    assert (f"{name}_fragment[" in kernel.source) == (family == "mmaSync")
    assert ("store_matrix_sync(&stored[" in kernel.source) == (family == "wmma")


@pytest.mark.parametrize("family", FAMILIES)
def test_the_text_is_the_golden_one(family: str) -> None:
    assert printed(family) == golden(family).read_text(encoding="utf-8")


def printed(family: str) -> str:
    """The text of a linear layer: bias, activation, scale and residual, with a result of f16."""
    return shine.compile(
        lowered(family, text(False, True, False, BODIES["all"][0])), target="cuda-sim"
    ).source


def golden(family: str) -> Path:
    return GOLDEN / f"epilogue_{family}.cu"


@in_whole("test_all_epilogues_in_all_shapes")
@pytest.mark.parametrize(("family", "width"), some([("mmaSync", 2), ("wmma", 8)], 2))
def test_partial_tiles_of_whole_vectors_are_stored_by_vectors(family: str, width: int, cache: Path) -> None:
    """Rows of 40 numbers consist of whole vectors; no lane stores a part of one."""
    program = rise.specialise(rise.parse(text(False, False, False, BODIES["all"][0])).main, M=37, N=40, K=24)
    low = strategies.load(f"strategies.tensor_core:{family}", edges=1, **SMALL)(program).program
    source = check(low, (False,) * 4, BODIES["all"][1], "random:1", cache, (37, 40, 24))
    epilogue = source[source.index("int lane") :]
    assert f"*reinterpret_cast<vec<__half, {width}>*>(&output" in epilogue and "else" not in epilogue


@in_whole("test_all_epilogues_in_all_shapes")
@pytest.mark.parametrize("family", FAMILIES)
def test_sums_may_start_with_converted_numbers(family: str, cache: Path) -> None:
    """Fragments then start with zeros, since they load numbers without converting them."""
    start = SUM.replace("0.0", "cast{f32}(c)")
    program = text(False, False, False, "s").replace(SUM, start)
    program = program.replace("fun(s: f32, u: f32, v: f32, c: f16 => s)", "fun(s: f32 => s)")
    program = program.replace(
        f"({start}, fst(uc), fst(vc), snd(vc))", f"({start.replace('(c)', '(snd(vc))')})"
    )
    check(lowered(family, program), (False,) * 4, lambda s, u, v, c: s + c, "descending", cache, (32, 32, 32))


if __name__ == "__main__":
    for one in FAMILIES:
        golden(one).write_text(printed(one), encoding="utf-8")
