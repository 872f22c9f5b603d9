"""cuBLAS, from whichever source the machine has: the library itself, PyTorch or CuPy. Independent of our kernels."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shine.targets.cuda.device_arrays import DeviceArray

Multiply = Callable[[DeviceArray, DeviceArray, DeviceArray], Callable[[], object]]

_TYPES = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 14}  # cudaDataType
_COMPUTE_32F, _COMPUTE_64F = 68, 70  # cublasComputeType_t: sums in single or double precision


@dataclass(frozen=True, slots=True)
class Blas:
    """A library: `multiply(A, B, C)` returns a function that starts C = A B on the default stream."""

    name: str
    multiply: Multiply


def find_blas() -> tuple[Blas | None, list[str]]:
    """The first library that works, and why the others do not. The device's context must be current."""
    reasons: list[str] = []
    for name, find in (("cuBLAS", _library), ("PyTorch", _torch), ("CuPy", _cupy)):
        try:
            return find(), reasons
        except (ImportError, OSError, RuntimeError, AttributeError) as problem:
            reasons.append(f"{name}: {problem}")
    return None, reasons


def _candidates() -> Iterator[str]:
    for package in ("nvidia.cu13", "nvidia.cublas"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            yield from map(str, sorted(Path(folder).glob("lib/libcublas.so.*")))
    found = ctypes.util.find_library("cublas")
    yield from ([found] if found else [])
    yield from ("libcublas.so.13", "libcublas.so.12")


def _library() -> Blas:
    problem: OSError = OSError("no library is found")
    for candidate in _candidates():
        try:
            library = ctypes.CDLL(candidate)
        except OSError as one:
            problem = one
            continue
        handle = ctypes.c_void_p()
        _check(library.cublasCreate_v2(ctypes.byref(handle)), "cublasCreate")
        version = ctypes.c_int()
        _check(library.cublasGetVersion_v2(handle, ctypes.byref(version)), "cublasGetVersion")
        return Blas(f"cuBLAS {version.value}", _gemm(library, handle))
    raise problem


def _gemm(library: Any, handle: Any) -> Multiply:
    def multiply(a: DeviceArray, b: DeviceArray, c: DeviceArray) -> Callable[[], object]:
        (m, k), (_, n) = a.shape, b.shape
        scalar = ctypes.c_double if c.dtype.name == "float64" else ctypes.c_float
        one, zero = scalar(1), scalar(0)
        compute = _COMPUTE_64F if c.dtype.name == "float64" else _COMPUTE_32F

        def run() -> None:
            # cuBLAS is column-major, so the product of row-major matrices is B A.
            status = library.cublasGemmEx(
                handle,
                0,
                0,
                n,
                m,
                k,
                ctypes.byref(one),
                *_operand(b, n),
                *_operand(a, k),
                ctypes.byref(zero),
                *_operand(c, n),
                compute,
                -1,
            )
            _check(status, "cublasGemmEx")

        return run

    return multiply


def _operand(array: DeviceArray, leading: int) -> tuple[Any, ...]:
    return (ctypes.c_void_p(array.address), _TYPES[array.dtype.name], leading)


def _check(status: int, what: str) -> None:
    if status:
        raise RuntimeError(f"{what} failed with status {status}")


def _torch() -> Blas:
    torch: Any = importlib.import_module("torch")
    if not torch.cuda.is_available():
        raise RuntimeError("it sees no device")

    def multiply(a: DeviceArray, b: DeviceArray, c: DeviceArray) -> Callable[[], object]:
        left, right, out = (torch.from_dlpack(one) for one in (a, b, c))
        return lambda: torch.matmul(left, right, out=out)

    return Blas(f"cuBLAS of PyTorch {torch.__version__}", multiply)


def _cupy() -> Blas:
    cupy: Any = importlib.import_module("cupy")

    def multiply(a: DeviceArray, b: DeviceArray, c: DeviceArray) -> Callable[[], object]:
        left, right, out = (cupy.from_dlpack(one) for one in (a, b, c))
        return lambda: cupy.matmul(left, right, out=out)

    return Blas(f"cuBLAS of CuPy {cupy.__version__}", multiply)
