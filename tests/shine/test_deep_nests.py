"""Deeply nested loops and branches: they are compiled, or rejected by a diagnostic, without exponential work."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import rise
from rise.naturals import NatVar, const
from shine.front.compilation import _keep
from shine.imperative.nodes import Block, For, Statement
from shine.kernel import make_kernel
from shine.targets.c.masked_loads import permutes_masked_loads
from shine.translate import translate
from tests.call_counts import calls_of
from tests.examples import some
from tests.shine.procedures import array, assign, number, parameter


def branches(count: int) -> rise.Expr:
    return rise.parse(f"fun(a: f32 => {'if a < 1.0 then a + 1.0 else ' * count}a)").main


@pytest.mark.parametrize("count", some([300, 1100], 2))
def test_the_nesting_of_branches_is_limited(count: int) -> None:
    """1,100 of them caused a RecursionError, and 300 were counted as loops."""
    with pytest.raises(rise.RiseError) as caught:
        make_kernel(translate(branches(count), "kernel"), "interpret")
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "too-deep" and "200 nested loops and branches" in diagnostic.title
    assert "`let`" in diagnostic.hint


def test_a_kernel_that_is_nested_too_deeply_for_pickle_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 cannot pickle a kernel with 150 branches; later versions can pickle all that can be translated."""
    kernel = make_kernel(translate(branches(150), "kernel"), "interpret")
    assert kernel(np.float32(3)) == 3 and kernel(np.float32(0.5)) == 1.5
    if sys.version_info >= (3, 12):
        monkeypatch.setattr(pickle, "dumps", too_deep)
    _keep(kernel, tmp_path / "deep.kernel")
    assert not list(tmp_path.glob("*.kernel"))


def too_deep(*_: object) -> bytes:
    raise RecursionError


def test_unrolled_loops_are_found_in_polynomial_time() -> None:
    """Each loop was visited twice for each loop around it: 24 nested reductions took minutes."""
    output = parameter("output", array(1)).buffers[0]

    def nest(depth: int) -> For:
        body: Statement = assign(output, 0, number(1.0))
        for level in range(depth):
            body = For(NatVar(f"i{level}", const(2)), const(2), "seq", Block((body,)), (1,))
        assert isinstance(body, For)
        return body

    shallow, deep = nest(10), nest(20)
    assert calls_of(lambda: permutes_masked_loads(deep)) < 4 * calls_of(
        lambda: permutes_masked_loads(shallow)
    )


def test_a_loop_may_have_the_name_of_one_around_it() -> None:
    output = parameter("output", array(1)).buffers[0]
    i = NatVar("i", const(2))
    inner = For(i, const(2), "seq", Block((assign(output, 0, number(1.0)),)), (1,))
    outer = For(i, const(2), "seq", Block((inner, inner)), (1,))
    assert not permutes_masked_loads(For(NatVar("j", const(2)), const(2), "seq", Block((outer,)), (1,)))
