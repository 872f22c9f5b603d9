"""Converts PyTorch tensors to numpy arrays and back, without copying.

Does not import PyTorch: a caller who passes a tensor has imported it.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from rise.arguments.library import ADDED_DTYPES, Library, refuse_device, refuse_export


def view_of_tensor(name: str, tensor: Any) -> NDArray[Any]:
    """A tensor as an array. Types that numpy lacks are read as integers of their width."""
    torch: Any = sys.modules["torch"]
    added = _added_dtype(tensor.dtype)
    try:
        if added is None:
            array: NDArray[Any] = tensor.numpy()
            return array
        plain = tensor if torch.is_grad_enabled() else tensor.detach()
        if plain.requires_grad:
            plain.numpy()  # raises
        bits = torch.int16 if added.itemsize == np.dtype(np.int16).itemsize else torch.uint8
        array = plain.view(bits).numpy().view(added)
    except Exception as problem:  # of several classes
        _refuse(name, tensor, torch, problem)
    return array


def tensor_of(array: NDArray[Any]) -> Any:
    """An array as a tensor."""
    torch: Any = sys.modules["torch"]
    if array.dtype.name in ADDED_DTYPES:
        bits = array.view(np.int16 if array.itemsize == 2 else np.uint8)
        return torch.from_numpy(bits).view(getattr(torch, array.dtype.name))
    return torch.from_numpy(array)


@cache
def _added_dtype(dtype: Any) -> np.dtype[Any] | None:
    """The numpy type that ml_dtypes adds for one of PyTorch; None for other types."""
    return ADDED_DTYPES.get(str(dtype).removeprefix("torch."))


def _refuse(name: str, tensor: Any, torch: Any, problem: Exception) -> NoReturn:
    """Raise RiseError for a tensor that numpy cannot share."""
    if tensor.device.type == "meta":
        hint = "pass a tensor with data: one on `meta` has only a shape"
        refuse_device(name, tensor, "meta", hint)
    if tensor.device.type != "cpu":
        refuse_device(name, tensor, str(tensor.device), f"copy it there: `{name}.cpu()`")
    found = str(problem)
    hint = f"pass `{name}.clone()`, or another tensor of numbers in host memory"
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        found = "it is a placeholder for a tensor, and its values cannot be read"
        hint = "register the program with PyTorch: `shine.torch.op(program)`"
    elif tensor.layout is not torch.strided:
        found, hint = f"its layout is {tensor.layout}", f"make it dense: `{name}.to_dense()`"
    elif tensor.is_quantized:
        found, hint = f"its type is {tensor.dtype}", f"make it a tensor of numbers: `{name}.dequantize()`"
    elif tensor.requires_grad:
        found = "it requires gradients, which kernels do not compute"
        hint = f"pass `{name}.detach()`, or call the kernel under `torch.no_grad()`"
    elif tensor.is_conj():
        found, hint = "its conjugate is not computed yet", f"compute it: `{name}.resolve_conj()`"
    elif tensor.is_neg():
        found, hint = "its negation is not computed yet", f"compute it: `{name}.resolve_neg()`"
    elif "ScalarType" in found:
        wide = "complex64" if tensor.dtype.is_complex else "float32"
        found, hint = f"numpy has no {tensor.dtype}", f"convert it: `{name}.to(torch.{wide})`"
    refuse_export(name, tensor, found, hint)


TORCH: Final = Library(
    "torch",
    view_of_tensor,
    tensor_of,
    lambda dtype: f".to(torch.{dtype.name})",
    lambda shape, dtype: f"torch.empty({shape}, dtype=torch.{dtype.name})",
)
