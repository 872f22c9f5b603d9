"""Kernels as operators of PyTorch: `op`. PyTorch is imported when a kernel is registered."""

from shine.front.torch_operators import TorchOperator, op

__all__ = ["TorchOperator", "op"]
