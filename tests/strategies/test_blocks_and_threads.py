"""The default strategy of GPUs: which kind of kernel it takes for which program, and that it takes all."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import StrategyError, Success

DEFAULT = "strategies.gpu:blocksAndThreads"
SUM = "fun(xs: N.f32 => xs |> reduce(add, 0.0))"


def lowered(text: str, **parameters: int) -> str:
    result = strategies.load(DEFAULT, **parameters)(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    return rise.show(result.program)


def test_a_sum_is_found_by_blocks() -> None:
    assert lowered(SUM).count("mapBlock") == 1
    assert "reduceBlockAtomic" in lowered(SUM, atomic=1)


@pytest.mark.parametrize(
    ("combine", "total"), [("add", "min, inf"), ("mul", "min, inf"), ("fun(x, y => abs(x - y))", "max, 0.0")]
)
def test_a_nest_that_is_no_sum_of_products(combine: str, total: str) -> None:
    """As of shortest ways, or of distances."""
    text = f"""fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
      zip(row, column) |> map({combine}) |> reduce({total}))))))"""
    program = rise.parse(text).main
    result = strategies.load(DEFAULT)(program)
    assert isinstance(result, Success), result.explain()
    kernel = shine.compile(result.program, target="interpret")
    a, b = np.float32([[1, 5, 2], [0, 3, 7]]), np.float32([[4, 1], [2, 2], [6, 0]])
    np.testing.assert_array_equal(kernel(a, b), rise.evaluate(program, a, b))


@pytest.mark.parametrize("t", ["i8", "u8"])
def test_numbers_of_eight_bits_are_not_updated_at_once(t: str) -> None:
    assert "Atomic" not in lowered(f"fun(xs: N.{t} => xs |> reduce(add, 0{t}))", atomic=1)


@pytest.mark.parametrize("wrong", [{"rows": 10}, {"columns": 66}, {"depth": 7}, {"rows": 0}])
def test_tiles_that_do_not_fit_are_told_by_their_own_names(wrong: dict[str, int]) -> None:
    with pytest.raises(StrategyError) as caught:
        strategies.load(DEFAULT, **wrong)
    ((name, size),) = wrong.items()
    assert f"`{name}`" in caught.value.diagnostic.title
    assert caught.value.diagnostic.title.endswith(f"found {size}")
