"""Transposed matrices on GPUs are copied through shared memory, at any size."""

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import StrategyError, Success
from strategies.transposes import tileTransposed
from tests.examples import some

DEFAULT = "strategies.gpu:blocksAndThreads"
TEXTS = {
    "alone": "fun(x: M.N.f32 => transpose(x))",
    "computed": "fun(x: M.N.f32 => x |> transpose |> map(map(fun(v => 2.0 * v))))",
    "beside another": "fun(x: M.N.f32, y: N.M.f32 => zip(transpose(x), y) |> map(fun(a, b => zip(a, b) |> map(add))))",
    "a batch": "fun(x: 3.M.N.f32 => x |> map(fun(m => m |> transpose |> map(map(fun(v => 2.0 * v))))))",
}


@pytest.mark.parametrize("name", some(TEXTS, 2))
def test_tiles_are_read_and_written_along_rows(name: str) -> None:
    main = rise.parse(TEXTS[name]).main
    result = strategies.load(DEFAULT)(main)
    assert isinstance(result, Success)
    text = rise.show(result.program)
    assert "toMem(Shared)" in text and text.count("mapBlock") == 2 + (name == "a batch")
    kernel = shine.compile(result.program, target="cuda-sim", check=True, schedule="random:1")
    for m, n in ((1, 1), (33, 70)):
        x = np.arange(3 * m * n, dtype=np.float32).reshape(3, m, n)
        arguments = [x] if name == "a batch" else [x[0], x[1].reshape(n, m)][: 1 + (name == "beside another")]
        np.testing.assert_array_equal(kernel(*arguments), rise.evaluate(main, *arguments))


def test_other_matrices_are_not_copied() -> None:
    for text in (
        "fun(x: M.N.f32 => x |> map(map(exp)))",
        "fun(x: M.N.f32 => x |> transpose |> map(reduce(add, 0.0)))",
    ):
        assert not isinstance(tileTransposed()(rise.parse(text).main), Success)


def test_tiles_that_do_not_fit_are_refused() -> None:
    with pytest.raises(StrategyError, match="items"):
        tileTransposed(size=32, items=5)
    with pytest.raises(StrategyError):
        tileTransposed(size=64, items=1)
