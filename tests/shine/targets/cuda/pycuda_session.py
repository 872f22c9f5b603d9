"""A program that runs kernels with the real PyCUDA, on the library built from `fake_libcuda.cpp`. Prints JSON."""

from __future__ import annotations

import gc
import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from rise.diagnostics import RiseError
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.cuda.launcher import Launcher
from shine.targets.cuda.loader import open_driver
from tests.shine.procedures import axpy
from tests.shine.targets.cuda.pycuda_stub import axpy_module


def kernel(name: str, shared_bytes: int = 0, image: bytes = b"cubin") -> Kernel:
    """`axpy`, with its kernel under another name."""
    p = axpy()
    module = axpy_module(p)
    (one,) = module.kernels
    module = replace(module, kernels=(replace(one, name=name, shared_bytes=shared_bytes),))
    target = replace(TARGETS["interpret"], name="cuda", build=lambda _p, _o: Launcher(module, p, image))
    return Kernel(p, target, {})


def told(run: Any) -> list[str]:
    """The message of a failure."""
    try:
        run()
    except RiseError as error:
        return [error.diagnostic.code, error.diagnostic.title, *error.diagnostic.notes]
    return []


def session() -> dict[str, Any]:
    """What the tests check."""
    driver = open_driver()
    found: dict[str, Any] = {"name": driver.name, "capability": driver.capability}
    x = np.arange(300, dtype=np.float32)
    k = kernel("axpy", 50_000)
    found["host"] = bool((k(2, x, x) == 3 * x).all())
    found["stream"] = bool((k(2, x, x, stream=0x7F00) == 3 * x).all())
    found["time"] = k.time(2, x, x, repeat=3).median
    pycuda = importlib.import_module("pycuda.driver")
    with driver.current("test"):
        theirs = pycuda.Stream()
        there = importlib.import_module("pycuda.gpuarray").to_gpu(x)
    result = k(2, there, there)
    found["array"] = [type(result).__name__, bool((result.numpy() == 3 * x).all())]
    del there, result
    found["pycuda stream"] = bool((k(2, x, x, stream=theirs) == 3 * x).all())
    found["handle"] = int(theirs.handle)
    found["image"] = told(lambda: kernel("axpy", image=b"other")(2, x, x))
    found["memory"] = told(lambda: driver_allocates(driver))
    del k
    gc.collect()
    found["broken"] = told(lambda: kernel("broken")(2, x, x))
    return found


def driver_allocates(driver: Any) -> None:
    """Allocate more memory than is available."""
    with driver.current("memory was asked for"):
        driver.allocate(1 << 41)


if __name__ == "__main__":
    json.dump(session(), sys.stdout)
