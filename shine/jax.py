"""Kernels as functions that XLA calls: `call`. JAX is loaded when one is registered."""

from shine.front.jax_calls import JaxCall, call

__all__ = ["JaxCall", "call"]
