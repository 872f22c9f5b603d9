"""`shine.jax.call`: kernels that XLA calls, under `jax.jit`, `jax.vmap` and `jax.custom_vjp`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from tests import required_tools

pytestmark = required_tools.needs(required_tools.JAX, required_tools.has_module("jax"))

AXPY: Final = rise.parse(
    "fun(a: f32, xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapPar(fun(p => a * fst(p) + snd(p))))"
)
SWAPPED: Final = rise.parse("fun(ps: N.(f32, bf16) => ps |> mapSeq(fun(p => pair(snd(p), fst(p) + 1.0))))")
TAKEN: Final = rise.parse("fun(n: nat, xs: (n + 3).f32 => take(n, xs) |> mapSeq(fun(x => x + x)))")
PICKED: Final = rise.parse("fun(at: N.idx[M], xs: M.f64 => gather(at, xs) |> mapSeq(fun(x => x)))")


@pytest.fixture(scope="module")
def jax() -> Any:
    return required_tools.jax()


@pytest.fixture
def wide(jax: Any) -> Iterator[Any]:
    """JAX with 64-bit numbers."""
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", False)


def test_functions_that_jax_compiles_call_kernels(jax: Any) -> None:
    axpy = shine.jax.call(AXPY)
    x, y = jax.numpy.arange(4.0), jax.numpy.ones(4)
    assert isinstance(axpy(2.0, x, y), jax.Array)
    assert axpy(2.0, x, y).tolist() == axpy(ys=y, a=x[2], xs=np.asarray(x)).tolist() == [1, 3, 5, 7]
    compiled = jax.jit(lambda a, x, y: axpy(a, x * 2, y).sum())
    assert compiled(2.0, x, y) == 28 and compiled(x[1], x[:3], y[:3]) == 9
    assert jax.jit(axpy)(2.0, x[:0], y[:0]).shape == (0,)


def test_pairs_and_sizes(jax: Any) -> None:
    x = jax.numpy.arange(4.0)
    first, second = jax.jit(lambda x: shine.jax.call(SWAPPED)((x, x.astype("bfloat16"))))(x)
    assert (
        first.dtype == jax.numpy.bfloat16
        and first.tolist() == [0, 1, 2, 3]
        and second.tolist() == [1, 2, 3, 4]
    )
    assert jax.jit(lambda x: shine.jax.call(TAKEN)(1, x))(x).tolist() == [0]


def test_batches_and_gradients(jax: Any) -> None:
    axpy = shine.jax.call(AXPY)
    y = jax.numpy.ones(4)
    batch = jax.numpy.arange(12.0).reshape(3, 4)
    assert jax.vmap(lambda x: axpy(2.0, x, y))(batch).tolist() == (2 * batch + 1).tolist()
    with pytest.raises(Exception, match="cannot be differentiated"):
        jax.grad(lambda x: axpy(2.0, x, y).sum())(y)

    @jax.custom_vjp
    def doubled(x: Any) -> Any:
        return axpy(2.0, x, y)

    doubled.defvjp(lambda x: (doubled(x), None), lambda _, g: (axpy(2.0, g, 0 * g),))
    assert jax.grad(lambda x: doubled(x).sum())(y).tolist() == [2.0] * 4


def test_indices_are_checked_when_it_runs(wide: Any) -> None:
    picked = shine.jax.call(PICKED)
    xs = wide.numpy.arange(3.0)
    assert wide.jit(picked)(wide.numpy.array([2, 0]), xs).tolist() == [2, 0]
    for wrong in (3, -1):
        with pytest.raises(
            Exception, match=rf"argument 0: expected indices from 0 to 3 \(exclusive\), found {wrong} at 1"
        ):
            wide.jit(picked)(wide.numpy.array([2, wrong]), xs).block_until_ready()


def test_the_same_kernel_is_registered_once(jax: Any) -> None:
    assert shine.jax.call(AXPY) is shine.jax.call(AXPY) is shine.jax.call(shine.compile(AXPY))
