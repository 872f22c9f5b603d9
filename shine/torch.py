"""Kernels as operators of PyTorch: `op`. PyTorch is loaded when one is registered."""

from shine.front.torch_operators import TorchOperator, op

__all__ = ["TorchOperator", "op"]
