"""Matrix products in register tiles: each step preserves type and meaning, products agree with numpy at all sizes, and
are the same bit by bit on every target, whatever the tiles and however the factors are read.
"""

import itertools
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import FloatClass, StrategyError, Success
from strategies import cpu_gemm
from strategies.testing.values import differ, inputs
from tests.examples import in_whole, some
from tests.strategies import corpus

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
SMALL: dict[str, dict[str, int]] = {
    "microKernel": {"rows": 2, "columns": 8},
    "packed": {"rows": 2, "columns": 8, "height": 4},
}
VERSIONS = tuple(SMALL)
FACTORS = ("mm", "mm_left_transposed", "mm_right_transposed", "mm_both_transposed")
#: smaller than a tile, as large, larger by one, primes, empty
SIZES = ((1, 1, 1), (2, 3, 8), (5, 7, 13), (4, 1, 9), (3, 17, 37), (0, 3, 2), (3, 0, 2), (3, 2, 0))


def load(version: str, **parameters: int) -> elevate.Strategy:
    found = strategies.load(f"strategies.cpu_gemm:{version}", **parameters)
    assert isinstance(found, elevate.Strategy)
    return found


def program(factors: str, kind: str = "f32") -> rise.Expr:
    text = (corpus.CASES / f"{factors}.rise").read_text(encoding="utf-8")
    return rise.parse(text.replace("f32", kind)).main


@cache
def derived(version: str, factors: str = "mm", kind: str = "f32") -> Success[Any]:
    result = load(version, **SMALL[version])(program(factors, kind))
    assert isinstance(result, Success), result.explain()
    return result


@in_whole("test_products_of_any_size_agree_with_numpy")
@pytest.mark.parametrize("version", some(VERSIONS, 2))
def test_every_step_preserves_type_and_meaning(version: str) -> None:
    start = corpus.program("mm")
    steps = derived(version).steps
    programs = list(elevate.replay(start, steps))
    sizes = {"M": 5, "K": 3, "N": 9}
    arguments = inputs(corpus.at(start, **sizes).type)
    expected = rise.evaluate(start, *arguments, sizes=sizes)
    for number, (step, after) in enumerate(zip(steps, programs[1:], strict=True)):
        assert after.type == start.type, step
        assert step.rule.float_class in (FloatClass.EXACT, FloatClass.CONTRACTING), step
        if number % 16 == 0 or number + 1 == len(steps):
            found = rise.evaluate(after, *arguments, sizes=sizes)
            assert not differ(expected, found, FloatClass.CONTRACTING, False), step


@pytest.mark.parametrize("version", some(VERSIONS, 2))
def test_the_engines_agree(version: str) -> None:
    strategy = load(version, **SMALL[version])
    fast = elevate.run(strategy, corpus.program("mm"))
    reference = elevate.run(strategy, corpus.program("mm"), engine="reference")
    assert fast.result == reference.result


@pytest.mark.parametrize(
    ("version", "factors", "kind"), some(itertools.product(VERSIONS, FACTORS, ("f32", "f64")), 13)
)
def test_products_of_any_size_agree_with_numpy(version: str, factors: str, kind: str) -> None:
    kernel = shine.compile(derived(version, factors, kind).program, target="openmp")
    rng = np.random.default_rng(0)
    for m, k, n in SIZES:
        a, b = (rng.standard_normal(shape).astype(np.dtype(f"float{kind[1:]}")) for shape in ((m, k), (k, n)))
        given = (
            a.T.copy() if "left" in factors or "both" in factors else a,
            b.T.copy() if "right" in factors or "both" in factors else b,
        )
        np.testing.assert_allclose(kernel(*given), a @ b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("factors", some(FACTORS, 5))
def test_all_strategies_give_the_same_bits_on_every_target(factors: str) -> None:
    """Sums are computed in order, with fma, whatever the tiles."""
    arguments = inputs(corpus.at(program(factors), M=5, K=7, N=11).type)
    found = [
        shine.compile(derived(version, factors).program, target=target)(*arguments)
        for version in VERSIONS
        for target in ("interpret", "openmp")
    ]
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])


@in_whole("test_products_of_any_size_agree_with_numpy")
def test_a_factor_that_is_a_product_is_tiled_too() -> None:
    low = load("microKernel", **SMALL["microKernel"])(program("matrix_chain"))
    assert isinstance(low, Success), low.explain()
    source = shine.compile(low.program, target="openmp").source
    assert source.count("float acc[") > 2
    rng = np.random.default_rng(0)
    a, b, c = (rng.random(shape, dtype=np.float32) for shape in ((5, 7), (7, 9), (9, 11)))
    np.testing.assert_allclose(shine.compile(low.program, target="openmp")(a, b, c), a @ b @ c, rtol=1e-4)


@pytest.mark.parametrize("tiles", some([(6, 64), (1, 1), (8, 48), (3, 5)], 2, first=1))
def test_tiles_are_of_any_size(tiles: tuple[int, int]) -> None:
    rows, columns = tiles
    rng = np.random.default_rng(0)
    a, b = rng.random((13, 5), dtype=np.float32), rng.random((5, 67), dtype=np.float32)
    for strategy in (
        cpu_gemm.microKernel(rows, columns),
        cpu_gemm.packed(rows, columns, 2 * rows),
        cpu_gemm.panelTiles(rows, columns, panels=2, edge=columns),
        cpu_gemm.panelTiles(rows, columns, depth=2),
        cpu_gemm.rowTiles(rows, columns),
    ):
        result = strategy(corpus.program("mm"))
        assert isinstance(result, Success), result.explain()
        assert not rise.obligations(result.program)
        np.testing.assert_allclose(shine.compile(result.program, target="interpret")(a, b), a @ b, rtol=1e-4)


def test_whole_tiles_are_stored_without_conditions() -> None:
    """The remainder is separate: there is no minimum and no condition in the loops over whole tiles."""
    source = shine.compile(derived("microKernel").program, target="openmp").source
    whole = source[source.index("#pragma omp parallel for") :]
    whole = whole[: whole.index("#pragma omp parallel for", 1)]
    assert "min_" not in whole
    assert "?" not in whole


def test_both_factors_are_packed() -> None:
    source = shine.compile(derived("packed").program, target="openmp").source
    inner = source[source.index("fmaf(") :].splitlines()[0]
    assert inner.startswith("fmaf(a_tile_of_m_block[")
    assert ", b_tile[" in inner
    assert source.count("#pragma omp parallel for") == 4


def test_rows_are_the_outermost_parallel_loop() -> None:
    low = cpu_gemm.rowTiles(6, 64)(corpus.program("mm"))
    assert isinstance(low, Success), low.explain()
    source = shine.compile(low.program, target="openmp").source
    loops = [line.split("int64_t ")[1].split(" ")[0] for line in source.split("omp parallel for")[1:]]
    assert loops == ["n_block", "m_block", "m"]


def test_steps_keep_a_part_of_each_panel_in_the_cache() -> None:
    """Sums are stored between steps, and the copy of a panel has as many rows as a step."""
    low = cpu_gemm.panelTiles(6, 64, depth=128)(corpus.program("mm"))
    assert isinstance(low, Success), low.explain()
    source = shine.compile(low.program, target="openmp").source
    assert "allocate(8192, sizeof(float))" in source


@pytest.mark.parametrize(
    ("version", "parameters", "title"),
    [
        ("microKernel", {"rows": 0}, "expected an integer >= 1 for `rows`, found 0"),
        ("microKernel", {"columns": -1}, "expected an integer >= 1 for `columns`, found -1"),
        (
            "panelTiles",
            {"rows": 6, "columns": 64, "panels": 0},
            "expected an integer >= 1 for `panels`, found 0",
        ),
        ("panelTiles", {"rows": 6, "columns": 64, "edge": 0}, "expected an integer >= 1 for `edge`, found 0"),
        (
            "panelTiles",
            {"rows": 6, "columns": 64, "depth": 0},
            "expected an integer >= 1 for `depth`, found 0",
        ),
        ("rowTiles", {"rows": 6, "columns": 0}, "expected an integer >= 1 for `columns`, found 0"),
        ("packed", {"rows": 6, "height": 64}, "expected `height` to be a multiple of rows = 6, found 64"),
    ],
)
def test_meaningless_tiles_are_rejected(version: str, parameters: dict[str, int], title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        load(version, **parameters)
    assert refused.value.diagnostic.title == title


@pytest.mark.parametrize("version", VERSIONS)
def test_programs_without_a_product_are_rejected(version: str) -> None:
    result = load(version, **SMALL[version])(rise.parse("fun(xs: N.f32 => map(neg, xs))").main)
    assert isinstance(result, elevate.Failure)
    assert "no matrix product found" in str(result.explain())


@pytest.mark.parametrize("version", VERSIONS)
def test_the_derived_version_is_the_golden_one(version: str) -> None:
    """`python -m tests.strategies.parts.test_packed_products` rewrites it."""
    result = load(version)(corpus.program("mm"))
    assert isinstance(result, Success)
    for path, text in written(version, result):
        assert path.read_text(encoding="utf-8") == text
    assert (
        rise.parse((GOLDEN / f"cpu_gemm_{version}.rise").read_text(encoding="utf-8")).main == result.program
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_strategies_are_values(version: str) -> None:
    strategy = load(version, **SMALL[version])
    assert pickle.loads(pickle.dumps(strategy)) == strategy


def written(version: str, result: Success[Any]) -> list[tuple[Path, str]]:
    """The derived program and its C text, with the paths of their files."""
    head = f"// What strategies.cpu_gemm:{version} makes of cases/mm.rise, by {len(result.steps)} steps.\n"
    source = shine.compile(result.program, target="openmp", threads=2).source
    return [
        (GOLDEN / f"cpu_gemm_{version}.rise", f"{head}{rise.show(result.program)}\n"),
        (GOLDEN / f"cpu_gemm_{version}.c", source),
    ]


if __name__ == "__main__":
    for each in VERSIONS:
        done = load(each)(corpus.program("mm"))
        assert isinstance(done, Success)
        for where, what in written(each, done):
            where.write_text(what, encoding="utf-8")
