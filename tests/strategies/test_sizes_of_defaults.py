"""Default strategies have no conditions on sizes that the program does not have. Runs no kernel."""

from itertools import product

import pytest
from hypothesis import given, settings

import rise
import strategies
from elevate import Success
from rise.analysis.obligations import check_obligations
from rise.terms import DepLam
from rise.testing.user_programs import written_programs
from tests.examples import examples

DEFAULTS = (
    "strategies.sequential:sequential",
    "strategies.openmp:parallel",
    "strategies.gpu:blocksAndThreads",
)
#: values of each size, by the number of sizes of a program
VALUES = {1: range(33), 2: range(13)}
#: programs that have no elements, or a single one, at some of their sizes
PROGRAMS = {
    "windows but the first": "xs: N.f32 => xs |> slide(3, 1) |> drop(2) |> map(fun(w => reduce(add, 0.0, w)))",
    "blocks but the first": "xs: N.f32 => xs |> slide(3, 3) |> drop(3) |> map(map(exp))",
    "the first windows": "xs: N.f32 => xs |> slide(3, 1) |> take(N - 4) |> map(fun(w => reduce(add, 0.0, w)))",
    "windows in two directions": "xs: N.M.f32 => xs |> map(slide(2, 1)) |> slide(2, 1) |> map(transpose) |> drop(1)"
    " |> map(map(fun(w => reduce(add, 0.0, join(w)))))",
}


def refused_sizes(e: rise.Expr, address: str) -> str | None:
    """Sizes that are valid for a program, but not for the result of a default strategy; with the condition."""
    names = []
    body = e
    while isinstance(body, DepLam):
        names.append(body.name)
        body = body.body
    result = strategies.load(address)(e)
    assert isinstance(result, Success), result.explain()
    own, derived = rise.obligations(e), rise.obligations(result.program)
    for values in product(VALUES.get(len(names), ()), repeat=len(names)):
        sizes = dict(zip(names, values, strict=True))
        if check_obligations(own, sizes) is None:
            failed = check_obligations(derived, sizes)
            if failed is not None:
                return f"{sizes}: {failed}"
    return None


@pytest.mark.parametrize("address", DEFAULTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_whose_results_may_be_empty(name: str, address: str) -> None:
    assert refused_sizes(rise.parse(f"fun({PROGRAMS[name]})").main, address) is None


@settings(max_examples=examples(8))
@given(written_programs())
def test_random_programs(e: rise.Expr) -> None:
    for address in DEFAULTS:
        assert refused_sizes(e, address) is None
