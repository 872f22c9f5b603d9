"""JAX on the CPU: functions compiled by XLA. Results are always new arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from peers import Array, Peer, Prepare, Run


def softmax(rows: Any) -> Any:
    """Softmax by the library's function."""
    return jax.nn.softmax(rows, axis=1)


def layer_norm(scale: Any, shift: Any, rows: Any) -> Any:
    """In two passes over a row."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    deviation = jnp.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5)
    return scale * (centred / deviation) + shift


def compiled(function: Callable[..., Any]) -> Prepare:
    """Arguments are on the device and code is compiled before the first run."""

    def prepare(*arguments: Array) -> Run:
        given = [jnp.asarray(one) for one in arguments]
        built = jax.jit(function).lower(*given).compile()
        return lambda: built(*given).block_until_ready()

    return prepare


def einsum(spec: str, a: Array, b: Array, out: Array) -> Run:
    """A run that returns a new array in the order of the result's axes; XLA writes to no existing one."""
    del out
    return compiled(partial(jnp.einsum, spec))(a, b)


def peer(threads: int) -> Peer:
    """XLA starts as many threads as the process may use processors."""
    del threads
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    functions = {
        "mm": jnp.matmul,
        "softmax": softmax,
        "layer_norm": layer_norm,
        "dot": jnp.dot,
        "sum": jnp.sum,
        "max": jnp.max,
    }
    kernels = {name: compiled(function) for name, function in functions.items()} | {"einsum": einsum}
    return Peer("jax", jax.__version__, "processors of the process", kernels)
