"""Seven matrix products for processors: each step preserves type and meaning, and each version agrees with numpy at all
sizes that it accepts. `blocking` has the same bits as `baseline`; the vectorised versions have the same bits as each
other, since they round once if the program multiplies and adds.
"""

import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import Failure, FloatClass, StrategyError, Success
from strategies import cpu_gemm
from strategies.testing.values import differ, inputs
from tests.examples import in_whole, some
from tests.strategies import corpus

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SMALL = {"rows": 4, "columns": 4, "depth": 2}
VERSIONS = (
    "baseline",
    "blocking",
    "vectorization",
    "loopPerm",
    "arrayPacking",
    "cacheBlocks",
    "parallel",
)
ON_VECTORS = VERSIONS[2:]
TARGETS = ("interpret", "openmp")
SIZES = ((4, 2, 4), (8, 6, 12), (4, 10, 8), (0, 2, 4), (4, 0, 4))


def load(version: str, **parameters: int) -> elevate.Strategy:
    given = parameters if version != "baseline" else {}
    found = strategies.load(f"strategies.cpu_gemm:{version}", **given)
    assert isinstance(found, elevate.Strategy)
    return found


@cache
def derived(version: str, rows: int = 4, columns: int = 4, depth: int = 2) -> Success[Any]:
    result = load(version, rows=rows, columns=columns, depth=depth)(corpus.program("mm"))
    assert isinstance(result, Success), result.explain()
    return result


def operands(m: int, k: int, n: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((m, k), (k, n)))
    return a, b


def steps(version: str) -> Iterator[tuple[elevate.Step, rise.Expr, rise.Expr]]:
    success = derived(version)
    programs = list(elevate.replay(corpus.program("mm"), success.steps))
    yield from zip(success.steps, programs[:-1], programs[1:], strict=True)


@cache
def computed(e: rise.Expr) -> Any:
    """The result of a program of a derivation; cached, since the versions begin with the same steps."""
    sizes = {"M": 4, "K": 4, "N": 8}
    return rise.evaluate(e, *inputs(corpus.at(corpus.program("mm"), **sizes).type), sizes=sizes)


@in_whole("test_each_version_agrees_with_numpy_at_any_sizes")
@pytest.mark.parametrize("version", some(VERSIONS, 4, first=2))
def test_every_step_preserves_type_and_meaning(version: str) -> None:
    expected = computed(corpus.program("mm"))
    worst = FloatClass.CONTRACTING if version in ON_VECTORS else FloatClass.EXACT
    for step, before, after in steps(version):
        assert isinstance(step.redex, rise.Expr) and isinstance(step.contractum, rise.Expr)
        assert step.redex.type == step.contractum.type, step
        assert after.type == before.type, step
        assert step.rule.float_class is FloatClass.EXACT or step.rule.name == "mulAddToFma", step
        assert not differ(expected, computed(after), worst, False), step


@pytest.mark.parametrize("version", some(VERSIONS, 9, first=1))
def test_the_engines_agree(version: str) -> None:
    strategy = load(version, **SMALL)
    fast = elevate.run(strategy, corpus.program("mm"))
    reference = elevate.run(strategy, corpus.program("mm"), engine="reference")
    assert fast.result == reference.result


@pytest.mark.parametrize(
    ("version", "target"),
    some(
        [(one, to) for turn, one in enumerate(VERSIONS) for to in some(TARGETS, len(TARGETS), first=turn)], 2
    ),
)
def test_each_version_agrees_with_numpy_at_any_sizes(version: str, target: str) -> None:
    kernel = shine.compile(derived(version).program, target=target)
    same = "vectorization" if version in ON_VECTORS else "baseline"
    first = shine.compile(derived(same).program, target="interpret")
    for sizes in SIZES:
        a, b = operands(*sizes)
        found = kernel(a, b)
        np.testing.assert_allclose(found, a @ b, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(found, first(a, b))


@pytest.mark.parametrize("version", some(VERSIONS, 2))
def test_each_version_agrees_with_numpy_at_known_sizes(version: str) -> None:
    """Derived from a program with known sizes, and specialised after the derivation."""
    a, b = operands(8, 6, 12)
    sizes = {"M": 8, "K": 6, "N": 12}
    before = load(version, **SMALL)(corpus.at(corpus.program("mm"), **sizes))
    assert isinstance(before, Success), before.explain()
    for program in (before.program, rise.specialise(derived(version).program, **sizes)):
        np.testing.assert_allclose(shine.compile(program, target="openmp")(a, b), a @ b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("tiles", some([(32, 32, 4), (2, 8, 1), (1, 1, 1), (3, 4, 5)], 2))
def test_tiles_may_have_any_size(tiles: tuple[int, int, int]) -> None:
    rows, columns, depth = tiles
    for version in ("loopPerm", "parallel"):
        kernel = shine.compile(derived(version, *tiles).program, target="interpret")
        a, b = operands(rows, 2 * depth, 2 * columns)
        np.testing.assert_allclose(kernel(a, b), a @ b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("version", VERSIONS)
def test_conditions_on_sizes_are_obligations(version: str) -> None:
    conditions = {one.condition for one in rise.obligations(derived(version, 32, 16, 4).program)}
    assert conditions == (set() if version == "baseline" else {"32 divides M", "16 divides N", "4 divides K"})


def test_a_kernel_rejects_sizes_that_are_not_multiples_of_tiles() -> None:
    kernel = shine.compile(derived("parallel").program, target="interpret")
    with pytest.raises(rise.RiseError, match="divide"):
        kernel(*operands(5, 2, 4))


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ({"M": 10, "K": 4, "N": 8}, "splitJoin(4): 4 does not divide 10"),
        ({"M": 8, "K": 5, "N": 8}, "splitReduceSeq(2): 2 does not divide 5"),
        ({"M": 8, "K": 4, "N": 9}, "splitJoin(4): 4 does not divide 9"),
    ],
)
def test_tiles_that_do_not_divide_known_sizes_are_reported(sizes: dict[str, int], reason: str) -> None:
    result = load("loopPerm", **SMALL)(corpus.at(corpus.program("mm"), **sizes))
    assert isinstance(result, Failure)
    assert reason in str(result.explain())


def test_invalid_sizes_of_tiles_are_reported() -> None:
    with pytest.raises(StrategyError) as refused:
        cpu_gemm.blocking(rows=0)
    assert "expected an integer >= 1 for `rows`, found 0" in str(refused.value)


def test_programs_without_a_product_are_rejected() -> None:
    result = load("blocking", **SMALL)(rise.parse("fun(xs: N.f32 => map(neg, xs))").main)
    assert isinstance(result, Failure)
    assert "reduceMapFusion" in str(result.explain())


def loops(version: str) -> list[str]:
    """The loops of the C text around the sum, outermost first, by their ranges."""
    source = shine.compile(derived(version, 32, 16, 4).program, target="openmp").source.splitlines()
    last = max(number for number, line in enumerate(source) if re.search(r"\ba\[", line))
    around: list[str] = []
    indent = len(source[last]) - len(source[last].lstrip())
    for line in reversed(source[:last]):
        depth = len(line) - len(line.lstrip())
        if depth < indent and "for (" in line:
            around.append(line.split(" < ")[1].split(";")[0])
        indent = min(indent, depth)
    return around[::-1]


@pytest.mark.parametrize(
    ("version", "expected"),
    some(
        [
            ("baseline", ["M", "N", "K"]),
            ("blocking", ["M / 32", "N / 16", "K / 4", "4", "32", "16"]),
            ("vectorization", ["M / 32", "N / 16", "K / 4", "4", "32"]),
            ("loopPerm", ["M / 32", "N / 16", "K / 4", "32", "4"]),
            ("parallel", ["M / 32", "N / 16", "K / 4", "32", "4"]),
        ],
        2,
    ),
)
def test_loops_have_the_requested_order(version: str, expected: list[str]) -> None:
    assert loops(version) == expected


def test_a_packed_matrix_is_read_contiguously() -> None:
    source = shine.compile(derived("arrayPacking", 32, 16, 4).program, target="openmp").source
    assert "load_aligned_f32x16(&b_tile[" in source
    assert source.count("#pragma omp parallel for") == 1
    source = shine.compile(derived("parallel", 32, 16, 4).program, target="openmp").source
    assert source.count("#pragma omp parallel for") == 2
    assert "#pragma GCC unroll 4" in source


@pytest.mark.parametrize("version", VERSIONS)
def test_the_derived_version_is_the_golden_one(version: str) -> None:
    """`python -m tests.strategies.test_cpu_gemm` rewrites it."""
    path = GOLDEN / f"cpu_gemm_{version}.rise"
    expected = path.read_text(encoding="utf-8")
    assert shown(version) == expected
    assert rise.parse(expected).main == derived(version, 32, 32, 4).program


@pytest.mark.parametrize("version", VERSIONS)
def test_strategies_are_values(version: str) -> None:
    strategy = load(version, **SMALL)
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert str(strategy) == (f"{version}(rows=4, columns=4, depth=2)" if version != "baseline" else version)


def shown(version: str) -> str:
    """The program, and the number of steps of its derivation."""
    success = derived(version, 32, 32, 4)
    head = f"// What strategies.cpu_gemm:{version} makes of cases/mm.rise, by {len(success.steps)} steps.\n"
    return f"{head}{rise.show(success.program)}\n"


if __name__ == "__main__":
    for each in VERSIONS:
        (GOLDEN / f"cpu_gemm_{each}.rise").write_text(shown(each), encoding="utf-8")
