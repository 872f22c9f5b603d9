"""Kernels as functions that XLA calls: `call`. JAX is imported when a kernel is registered."""

from shine.front.jax_calls import JaxCall, call

__all__ = ["JaxCall", "call"]
