"""Messages about arrays of other libraries and protocols that are not accepted.

`snapshots/arrays.txt` has them; run this file as a program to rewrite those of the libraries that are installed.
"""

from __future__ import annotations

import array
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from tests import required_tools
from tests.shine.calling.producers import (
    HALVES,
    ONE,
    PAIRS,
    TWO,
    VECTOR,
    Array,
    ByDlpack,
    ByInterface,
    Failing,
    OnDevice,
)
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "arrays.txt"


def read_only(x: Any) -> Any:
    x = x.copy()
    x.flags.writeable = False
    return x


def kernel_of(e: rise.Expr) -> shine.Kernel:
    return shine.compile(e, target="interpret")


def traced(function: Callable[[Any], Any]) -> Any:
    return required_tools.jax().jit(function)(ONE)


def deleted() -> Any:
    x = required_tools.jax().numpy.zeros(3)
    x.delete()
    return x


def half_complex() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's type is experimental
        return required_tools.torch().zeros(3, dtype=required_tools.torch().complex32)


def fake() -> Any:
    torch = required_tools.torch()
    with import_module("torch._subclasses").FakeTensorMode():
        return torch.zeros(3)


#: calls, by what is wrong with them, and the library that they need
WRONG: Final[dict[str, tuple[str, Callable[[], Any]]]] = {
    "another type, by DLPack": ("", lambda: kernel_of(VECTOR)(ByDlpack(np.zeros(3)))),
    "another type, by a buffer": ("", lambda: kernel_of(VECTOR)(array.array("d", [1.0]))),
    "another rank, by an interface": ("", lambda: kernel_of(VECTOR)(ByInterface(TWO))),
    "a device": ("", lambda: kernel_of(VECTOR)(ByDlpack(ONE, (2, 1)))),
    "a device, and a method that copies": ("", lambda: kernel_of(VECTOR)(OnDevice(ONE, (2, 0)))),
    "an array that is not exported": ("", lambda: kernel_of(VECTOR)(Failing(ONE))),
    "foreign byte order, by an interface": ("", lambda: kernel_of(VECTOR)(ByInterface(ONE.astype(">f4")))),
    "a mask, by an interface": ("", lambda: kernel_of(VECTOR)(ByInterface(ONE, ONE > 1))),
    "fp8": ("", lambda: kernel_of(VECTOR)(ONE.astype(ml_dtypes.float8_e4m3fnuz))),
    "4-bit integers": ("", lambda: kernel_of(VECTOR)(ONE.astype(ml_dtypes.int4))),
    "long doubles": ("", lambda: kernel_of(VECTOR)(ONE.astype(np.longdouble))),
    "f32 for bf16": ("", lambda: kernel_of(HALVES)(ONE)),
    "a list for bf16": ("", lambda: kernel_of(HALVES)([1.0])),
    "bytes": ("", lambda: kernel_of(VECTOR)(b"abcd")),
    "fp8, evaluated": ("", lambda: rise.evaluate(VECTOR, ONE.astype(ml_dtypes.float8_e5m2fnuz))),
    "a device, evaluated": ("", lambda: rise.evaluate(VECTOR, ByDlpack(ONE, (2, 0)))),
    "fp8, compiled for the call": (
        "",
        lambda: shine.jit(lambda x: x + x)(ONE.astype(ml_dtypes.float8_e4m3fnuz)),
    ),
    "a device, compiled for the call": ("", lambda: shine.jit(lambda x: x + x)(ByDlpack(ONE, (2, 0)))),
    "a device, in a contraction": ("", lambda: shine.einsum("i,i", ByDlpack(ONE, (2, 0)), ONE)),
    "out of another library": ("", lambda: kernel_of(VECTOR)(ONE, out=Array(ONE))),
    "out of numpy for arrays of a library": (
        "",
        lambda: kernel_of(VECTOR)(Array(ONE), out=np.empty(3, np.float32)),
    ),
    "out that is a read-only buffer": ("", lambda: kernel_of(VECTOR)(ONE, out=memoryview(read_only(ONE)))),
    "out over a read-only owner": ("", lambda: kernel_of(VECTOR)(ONE, out=read_only(ONE)[:])),
    "out of another type, by DLPack": ("", lambda: kernel_of(VECTOR)(ONE, out=ByDlpack(np.zeros(3)))),
    "out in which elements repeat": (
        "",
        lambda: kernel_of(VECTOR)(ONE, out=np.broadcast_to(ONE[:1].copy(), 3)),
    ),
    "a result that its library refuses": ("", lambda: kernel_of(PAIRS)((Array(ONE), np.zeros(3, np.int32)))),
    "torch: another type": (
        "torch",
        lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3, dtype=required_tools.torch().float64)),
    ),
    "torch: another rank": ("torch", lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3, 4))),
    "torch: f32 for bf16": ("torch", lambda: kernel_of(HALVES)(required_tools.torch().zeros(3))),
    "torch: fp8": (
        "torch",
        lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3).to(required_tools.torch().float8_e4m3fnuz)),
    ),
    "torch: half complex": ("torch", lambda: kernel_of(VECTOR)(half_complex())),
    "torch: no memory": ("torch", lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3, device="meta"))),
    "torch: gradients": (
        "torch",
        lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3, requires_grad=True)),
    ),
    "torch: gradients of bf16": (
        "torch",
        lambda: kernel_of(HALVES)(required_tools.torch().zeros(3).bfloat16().requires_grad_()),
    ),
    "torch: conjugate": (
        "torch",
        lambda: kernel_of(VECTOR)(
            required_tools.torch().zeros(3, dtype=required_tools.torch().complex64).conj()
        ),
    ),
    "torch: negative": (
        "torch",
        lambda: kernel_of(VECTOR)(
            required_tools.torch().zeros(3, dtype=required_tools.torch().complex64).conj().imag
        ),
    ),
    "torch: sparse": ("torch", lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3).to_sparse())),
    "torch: fake": ("torch", lambda: kernel_of(VECTOR)(fake())),
    "torch: out of numpy": (
        "torch",
        lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3), out=np.zeros(3, np.float32)),
    ),
    "torch: out for arrays of numpy": (
        "torch",
        lambda: kernel_of(VECTOR)(ONE, out=required_tools.torch().zeros(3)),
    ),
    "torch: out of another shape": (
        "torch",
        lambda: kernel_of(VECTOR)(required_tools.torch().zeros(3), out=required_tools.torch().zeros(4)),
    ),
    "torch: out of repeated elements": (
        "torch",
        lambda: kernel_of(VECTOR)(
            required_tools.torch().zeros(3), out=required_tools.torch().zeros(1).expand(3)
        ),
    ),
    "torch: out that requires gradients": (
        "torch",
        lambda: kernel_of(VECTOR)(
            required_tools.torch().zeros(3), out=required_tools.torch().zeros(3, requires_grad=True)
        ),
    ),
    "jax: another type": ("jax", lambda: kernel_of(VECTOR)(required_tools.jax().numpy.zeros(3, np.int32))),
    "jax: f32 for bf16": ("jax", lambda: kernel_of(HALVES)(required_tools.jax().numpy.zeros(3))),
    "jax: fp8": ("jax", lambda: kernel_of(VECTOR)(required_tools.jax().numpy.zeros(3, "float8_e5m2fnuz"))),
    "jax: traced": ("jax", lambda: traced(kernel_of(VECTOR))),
    "jax: deleted": ("jax", lambda: kernel_of(VECTOR)(deleted())),
    "jax: keys of random numbers": ("jax", lambda: kernel_of(VECTOR)(required_tools.jax().random.key(0))),
    "jax: out": (
        "jax",
        lambda: kernel_of(VECTOR)(
            required_tools.jax().numpy.zeros(3), out=required_tools.jax().numpy.zeros(3)
        ),
    ),
    "jax: a result of 64 bits": (
        "jax",
        lambda: kernel_of(rise.parse("fun(xs: N.f32 => xs |> mapSeq(cast{f64}))").main)(
            required_tools.jax().numpy.zeros(3)
        ),
    ),
}


def message(name: str) -> str:
    with pytest.raises(RiseError) as caught:
        WRONG[name][1]()
    diagnostic = caught.value.diagnostic
    assert diagnostic.code and diagnostic.title and diagnostic.hint
    return str(caught.value)


@pytest.mark.parametrize("name", WRONG)
def test_the_message_of_an_error(name: str) -> None:
    {"": lambda: None, "torch": required_tools.torch, "jax": required_tools.jax}[WRONG[name][0]]()
    assert message(name) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_belongs_to_a_case() -> None:
    assert read_snapshots(SNAPSHOTS).keys() == WRONG.keys()


if __name__ == "__main__":
    known = read_snapshots(SNAPSHOTS) if SNAPSHOTS.exists() else {}
    found = {
        name: message(name) if not library or required_tools.has_module(library) else known[name]
        for name, (library, _) in WRONG.items()
    }
    write_snapshots(SNAPSHOTS, found)
