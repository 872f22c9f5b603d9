"""The phases of contractions on CPUs, combined by hand, and the space of their choices."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, Strategy, StrategyError, Success, topDown
from rise.hardware import DEFAULT
from strategies.contractions import contraction
from strategies.parts.contraction_nests import (
    columnsAreOfLeft,
    columnsAreOfRight,
    isContraction,
    matricise,
    readyForTiles,
)
from strategies.parts.contraction_phases import METHODS, byMethod, copies, roles, threads, tileLoops
from strategies.parts.machine_tiles import machine_of
from strategies.parts.products import isNest
from strategies.spaces import Leaf, Open, replay
from strategies.spaces.contractions import contractions
from tests.examples import some

#: contractions with groups of two subscripts, with the operands in the other order, with a batch, and with single ones
SPECS: Final = {
    "icaq,qbjk->abcijk": ((5, 4, 3, 7), (7, 3, 4, 6)),
    "abk,cdk->cbda": ((3, 5, 4), (6, 7, 4)),
    "abk,acdk->acdb": ((3, 5, 4), (3, 6, 7, 4)),
    "mkl,nkl->mn": ((13, 3, 4), (33, 3, 4)),
}
ROLES: Final[tuple[dict[str, Any], ...]] = ({}, {"columns": "left"}, {"columns": "right"})


def operands(spec: str) -> tuple[rise.Expr, list[np.ndarray[Any, Any]]]:
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-4, 4, shape).astype("f4") for shape in SPECS[spec]]
    types = [".".join((*map(str, shape), "f32")) for shape in SPECS[spec]]
    return shine.contraction(spec, *types).main, arrays


def by_hand(method: str, **chosen: Any) -> Strategy:
    """All phases, one after the other."""
    tiled = tileLoops(method, 4, 16, height=8, depth=3) >> copies(method)
    prepared = topDown(isNest >> byMethod(method))
    return matricise >> roles(**chosen) >> readyForTiles >> prepared >> topDown(isNest >> tiled) >> threads()


@pytest.mark.parametrize(
    ("method", "spec", "chosen"),
    some([(method, spec, chosen) for method in METHODS for spec in SPECS for chosen in ROLES], 9),
)
def test_phases_by_hand_compute_the_same(method: str, spec: str, chosen: dict[str, Any]) -> None:
    e, arrays = operands(spec)
    result = by_hand(method, **chosen)(e)
    assert isinstance(result, Success)
    np.testing.assert_array_equal(shine.compile(result.program)(*arrays), np.einsum(spec, *arrays))


@pytest.mark.parametrize("spec", SPECS)
def test_either_operand_may_have_the_columns(spec: str) -> None:
    e, arrays = operands(spec)
    for side, holds in (("left", columnsAreOfLeft), ("right", columnsAreOfRight)):
        result = (matricise >> roles(columns=side))(e)
        assert holds(result.program) and isContraction(result.program)
        np.testing.assert_array_equal(rise.evaluate(result.program, *arrays), np.einsum(spec, *arrays))


def test_the_order_of_subscripts_may_be_turned() -> None:
    """The group (i, c, a) becomes (a, i, c) or (c, a, i), and (b, j, k) likewise; the value stays the same."""
    e, arrays = operands("icaq,qbjk->abcijk")
    own = matricise(e).program
    for chosen in ({"rows_turned": True}, {"columns_turned": True}, {"rows_turned": 1, "columns_turned": 1}):
        result = (matricise >> roles(**chosen))(e)
        assert isContraction(result.program) and result.program != own
        np.testing.assert_array_equal(
            rise.evaluate(result.program, *arrays), np.einsum("icaq,qbjk->abcijk", *arrays)
        )


def test_one_subscript_has_no_other_order() -> None:
    e, _ = operands("mkl,nkl->mn")
    assert isinstance((matricise >> roles(rows_turned=True))(e), Failure)


def stored(method: str, spec: str) -> list[int]:
    """The numbers of the arrays that a kernel stores besides its accumulators: those on the stack and on the heap."""
    e, _ = operands(spec)
    source = shine.compile(e, strategy=contraction(4, 16, height=8, method=method, depth=3)).source
    found = re.findall(r"_Alignas\(64\) float (?!acc|sums\[)\w+\[(\d+)\]|allocate\((\d+)", source)
    return sorted(int(one or other) for one, other in found)


def test_each_method_stores_what_it_says() -> None:
    """13 x 12 rows, padded to 16 x 12, and 33 x 12 columns, in panels of 16 x 12 or padded to 48 x 12."""
    spec = "mkl,nkl->mn"
    assert stored("views", spec) == []
    assert stored("one", spec) == [16 * 12]
    assert stored("panels", spec) == [16 * 12, 16 * 12]
    assert stored("blocks", spec) == [8 * 12, 8 * 12, 48 * 12]


def test_operands_and_the_result_are_matrices() -> None:
    """TTGT: of 60 x 7 numbers, of 7 x 72 and of 60 x 72."""
    found = stored("matrices", "icaq,qbjk->abcijk")
    assert {60 * 7, 7 * 72, 60 * 72} <= set(found)


def test_products_are_computed_for_each_outer_subscript() -> None:
    """The rows are the groups (i, c) and a, or one of them: 60 rows are 12 times 5."""
    e, _ = operands("icaq,qbjk->abcijk")
    source = shine.compile(e, strategy=contraction(4, 16, method="loops")).source
    assert re.search(r"#pragma omp parallel for[^\n]*\n  for \(int64_t \w+ = 0; \w+ < 12;", source)


def test_sums_are_cut_into_steps() -> None:
    """Steps of 3 of 7 products, and one of the last: each adds to what the ones before have stored."""
    e, _ = operands("icaq,qbjk->abcijk")
    source = shine.compile(e, strategy=contraction(4, 16, depth=3)).source
    assert re.search(r"for \(int64_t \w+ = 0; \w+ < 2; \w+\+\+\)", source) and "sums" in source


def test_threads_may_be_one() -> None:
    e, arrays = operands("abk,cdk->cbda")
    kernel = shine.compile(e, strategy=contraction(parallel=False))
    assert "omp parallel" not in kernel.source
    np.testing.assert_array_equal(kernel(*arrays), np.einsum("abk,cdk->cbda", *arrays))


@pytest.mark.parametrize(
    ("build", "title"),
    [
        (lambda: roles(columns="both"), "expected left or right for `columns`, found 'both'"),
        (lambda: roles(rows_turned=2), "expected 0 or 1 for `rows_turned`, found 2"),
        (
            lambda: copies("some"),
            "expected blocks, panels, one, views, matrices, loops or steps for `method`",
        ),
        (lambda: tileLoops("views", 0, 16), "expected an integer >= 1 for `rows`, found 0"),
        (lambda: tileLoops("steps", 4, 16, depth=0), "expected an integer >= 1 for `depth`, found 0"),
        (lambda: threads(parallel="no"), "expected 0 or 1 for `parallel`, found 'no'"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_choices_that_do_not_exist_are_refused(build: Any, title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        build()
    assert title in refused.value.diagnostic.title


def test_the_space_has_every_method_and_role() -> None:
    space = contractions.on(machine_of(DEFAULT))
    for decisions, hole, values in (
        ({}, "method", ("model", *METHODS)),
        ({"method": "model"}, "columns_of", ("own", "left", "right")),
        ({"method": "steps", "vectors": 1, "rows": 4}, "depth", (64, 128, 256, 512)),
        ({"method": "blocks", "vectors": 1, "rows": 4}, "tiles", (2, 4, 8, 16, 32)),
    ):
        found = replay(space, decisions)
        assert isinstance(found, Open) and (found.choice, found.domain) == (hole, values)


@pytest.mark.parametrize("method", some(["model", *METHODS], 3))
def test_candidates_compute_the_same(method: str) -> None:
    e, arrays = operands("icaq,qbjk->abcijk")
    decisions: dict[str, Any] = {
        "method": method,
        "columns_of": "left",
        "rows_turned": True,
        "columns_turned": False,
        "parallel": True,
    }
    if method != "model":
        decisions |= {"vectors": 1, "rows": 3}
    decisions |= {"tiles": 2} if method == "blocks" else {"depth": 64} if method == "steps" else {}
    leaf = replay(contractions.on(machine_of(DEFAULT)), decisions)
    assert isinstance(leaf, Leaf)
    result = leaf.strategy(e)
    assert isinstance(result, Success)
    np.testing.assert_array_equal(
        shine.compile(result.program)(*arrays), np.einsum("icaq,qbjk->abcijk", *arrays)
    )
