"""`shine.contraction`: plans say how a contraction is computed, and choose a kernel for the sizes of a call."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.hardware import PROCESSORS
from rise.scalars import SCALARS
from shine.front.contraction_plans import ContractionPlan, Groups
from strategies.costs.contractions import Tiles
from strategies.parts.contraction_nests import isContraction
from tests.examples import some
from tests.shine.front.test_einsum import ROWS

SPEC: Final = "abk,cdk->acbd"
SIZES: Final = {"A": 3, "B": 4, "C": 60, "D": 70, "K": 2000}
TEXT: Final = """\
abk,cdk->acbd of f32
12 rows (ab), 4200 columns (cd), 2000 products in each sum (k)
method: panels in tiles of 12 x 16
predicted: 5.38 ms on sapphirerapids, one thread; limited by copies of operands"""


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> ContractionPlan:
    """A plan over symbolic sizes, for one processor wherever the test runs."""
    monkeypatch.setenv("SHINE_MACHINE", "sapphirerapids")
    return shine.contraction(SPEC, "A.B.K.f32", "C.D.K.f32")


def operands(*sizes: int) -> tuple[np.ndarray, np.ndarray]:
    a, b, c, d, k = sizes
    rng = np.random.default_rng(0)
    return (
        rng.integers(-4, 5, (a, b, k)).astype("float32"),
        rng.integers(-4, 5, (c, d, k)).astype("float32"),
    )


def test_calls_choose_among_kernels_by_their_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHINE_MACHINE", "haswell")  # with caches that seven megabytes exceed
    plan = shine.contraction(SPEC, "A.B.K.f32", "C.D.K.f32")
    for sizes in ((3, 4, 5, 6, 7), (1, 1, 1, 1, 1), (3, 4, 40, 50, 900), (5, 5, 5, 5, 0), (0, 1, 2, 3, 4)):
        a, b = operands(*sizes)
        np.testing.assert_array_equal(plan(a, b), np.einsum(SPEC, a, b, optimize=True))
    assert {tiles.method for tiles in plan.kernels if tiles} == {"blocks", "panels"}
    before = dict(plan.kernels)
    a, b = operands(3, 4, 40, 50, 900)
    out = np.full((3, 40, 4, 50), np.nan, "float32")
    assert plan(a, b, out=out) is out
    np.testing.assert_array_equal(out, np.einsum(SPEC, a, b, optimize=True))
    assert plan.kernels == before
    assert len({kernel.signature for kernel in plan.kernels.values()}) == 1  # each takes all sizes


def test_a_decision_is_made_once(plan: ContractionPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = operands(3, 4, 5, 6, 7)
    expected = plan(a, b)
    monkeypatch.setattr(ContractionPlan, "tiles", None)  # it is not called again
    np.testing.assert_array_equal(plan(a, b), expected)


def test_the_explanation_says_what_was_chosen_and_why(plan: ContractionPlan) -> None:
    assert plan.explain(SIZES) == TEXT
    unknown = plan.explain()
    assert "rows ab, columns cd, products in each sum k" in unknown and "sizes are not known" in unknown
    kernel = plan.kernel(SIZES)
    assert f"kernel for panels in tiles of 12 x 16: {kernel.signature}" in plan.explain(SIZES)


def test_measured_times_are_shown_on_request(plan: ContractionPlan) -> None:
    small = dict.fromkeys(SIZES, 3)
    assert "measured: " in plan.explain(small, measure=True)
    assert "measured: " not in plan.explain(small)


def test_the_derivation_is_that_of_the_kernel(plan: ContractionPlan) -> None:
    derivation = plan.derivation(SIZES)
    rules = {step.rule.name for phase in derivation.phases for step in phase.steps}
    assert {"columnsFirst", "joinRows", "splitJoinPadded(16)"} <= {str(one) for one in rules}
    assert isContraction(derivation.program) or derivation.program == plan.main
    assert plan.tiles(SIZES) == Tiles("panels", 12, 16)


@pytest.mark.parametrize(
    ("spec", "types", "groups"),
    [
        ("ab,bc->ac", ("2.3.f32", "3.4.f32"), Groups("", "a", "c", "b", reads_rows=True)),
        ("ab,bc->ca", ("2.3.f32", "3.4.f32"), Groups("", "c", "a", "b")),
        ("nab,nbc->nac", ("5.2.3.f32", "5.3.4.f32"), Groups("n", "a", "c", "b", reads_rows=True)),
        ("ab,b->a", ("2.3.f32", "3.f32"), None),
        ("ab,cd->abcd", ("2.3.f32", "3.4.f32"), None),
        ("ab,ab->", ("2.3.f32", "2.3.f32"), None),
        ("ab,bc->ac", ("2.1.f32", "3.4.f32"), None),
        ("ab,bc,cd->ad", ("2.3.f32", "3.4.f32", "4.5.f32"), None),
        ("ab->ba", ("2.3.f32",), None),
    ],
)
def test_products_of_matrices_are_recognised_by_their_letters(
    spec: str, types: tuple[str, ...], groups: Groups | None
) -> None:
    plan = shine.contraction(spec, *types)
    assert plan.groups == groups
    assert (plan.tiles() is None) == (groups is None)
    assert ("no product of matrices" in plan.explain()) == (groups is None)


@pytest.mark.parametrize("spec", some(["ab,b->a", "ab,bc,cd->ad", "aa->a"], 1))
def test_other_contractions_have_plans_too(spec: str) -> None:
    sizes = {"a": 3, "b": 4, "c": 2, "d": 5}
    terms = spec.split("->")[0].split(",")
    types = [".".join([*(str(sizes[c]) for c in term), "f32"]) for term in terms]
    arrays = [
        np.arange(np.prod([sizes[c] for c in t])).reshape([sizes[c] for c in t]).astype("f4") for t in terms
    ]
    np.testing.assert_array_equal(shine.contraction(spec, *types)(*arrays), np.einsum(spec, *arrays))


#: operators with what numpy has for them, and the types of numbers to try
OPERATORS: Final[dict[str, tuple[Any, Any, Any, tuple[str, ...]]]] = {
    "sums": (None, np.multiply, np.add, ("f32", "f64", "i32", "c64")),
    "longest paths": (("max", "add"), np.add, np.maximum, ("f32", "i32")),
    "shortest paths": (("min", "add"), np.add, np.minimum, ("f64", "i32")),
    "sums of minima": (("add", "min"), np.minimum, np.add, ("f32", "i32")),
    "reachable": (None, np.logical_and, np.logical_or, ("bool",)),
}
CASES: Final = [(row, name, scalar) for row in ROWS for name, one in OPERATORS.items() for scalar in one[3]]


def placed(draw: random.Random, array: np.ndarray) -> np.ndarray:
    """An array with the same elements, and strides that are negative, larger, or in another order."""
    form = draw.choice(("as it is", "backwards", "with gaps", "in another order"))
    if form == "backwards":
        turned = (slice(None, None, -1),) * array.ndim
        return np.ascontiguousarray(array[turned])[turned]
    if form == "with gaps":
        wide = np.zeros([2 * n for n in array.shape], array.dtype)
        every = (slice(None, None, 2),) * array.ndim
        wide[every] = array
        return wide[every]
    return np.asfortranarray(array) if form == "in another order" else array


@pytest.mark.parametrize(("row", "operators", "scalar"), some(CASES, 37))
def test_rows_of_the_benchmarks_over_symbolic_sizes(row: dict[str, str], operators: str, scalar: str) -> None:
    """Extents of 1, primes and more than a tile; operands anywhere in memory; a poisoned `out`."""
    given, multiply, combine, _ = OPERATORS[operators]
    draw = random.Random(f"{row['id']} {operators} {scalar}")
    left, right, result = row["spec"].replace("->", ",").split(",")
    types = [".".join([*term.upper(), scalar]) for term in (left, right)]
    plan = shine.contraction(row["spec"], *types, operators=given)
    summed = "".join(c for c in left if c not in result)
    for most in (40, 40, 600):
        sizes = {c: draw.choice((1, 2, 3, 5, 7, 17, 19)) for c in left + right}
        while np.prod([sizes[c] for c in result]) > most or np.prod([sizes[c] for c in summed]) > 40:
            larger = max(sizes, key=lambda c: sizes[c])
            sizes[larger] = max(1, sizes[larger] // 2)
        dtype = SCALARS[scalar].dtype
        rng = np.random.default_rng(draw.randrange(100))
        a, b = (rng.integers(-4, 5, [sizes[c] for c in term]).astype(dtype) for term in (left, right))
        letters = result + summed
        x, y = (
            np.transpose(array, [term.index(c) for c in letters if c in term]).reshape(
                [sizes[c] if c in term else 1 for c in letters]
            )
            for array, term in ((a, left), (b, right))
        )
        axes = tuple(range(len(result), len(letters)))
        expected = combine.reduce(multiply(x, y), axes, dtype=dtype)
        out = np.full(expected.shape, 77, dtype)
        assert plan(placed(draw, a), placed(draw, b), out=out) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        ({"A": "x", "B": 1, "C": 1, "D": 1, "K": 1}, "expected a number >= 0 as the size A, found 'x'"),
        (5, "expected sizes by name, found a Python value of type int"),
    ],
)
def test_what_are_no_sizes_is_refused(plan: ContractionPlan, wrong: Any, title: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        plan.explain(wrong)
    assert caught.value.diagnostic.title == title


def test_arrays_that_do_not_fit_are_refused_by_the_kernel(plan: ContractionPlan) -> None:
    a, b = operands(3, 4, 5, 6, 7)
    for arrays in ((a,), (a, b[:, :, :3]), (a, b[0])):
        with pytest.raises(rise.RiseError) as caught:
            plan(*arrays)
        assert caught.value.diagnostic.code in ("argument-count", "argument-type")


def test_predictions_depend_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for name in ("sapphirerapids", "haswell"):
        monkeypatch.setenv("SHINE_MACHINE", name)
        plan = shine.contraction(SPEC, "A.B.K.f32", "C.D.K.f32")
        assert plan.machine == PROCESSORS[name]
        predicted = plan.predicted(SIZES)
        assert predicted is not None
        found.add(predicted.cycles)
    assert len(found) == 2
