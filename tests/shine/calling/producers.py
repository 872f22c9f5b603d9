"""Objects that export arrays by each protocol, as other libraries do; a library with its own arrays; programs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import numpy as np

import rise

VECTOR: Final = rise.parse("fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))").main
MATRIX: Final = rise.parse("fun(xs: M.N.f32 => xs |> mapSeq(mapSeq(fun(x => x + 1.0))))").main
PAIRS: Final = rise.parse("fun(ps: N.(f32, i32) => ps |> mapSeq(fun(p => pair(snd(p), fst(p) + 1.0))))").main
HALVES: Final = rise.parse("fun(xs: N.bf16 => xs |> mapSeq(fun(x => x + x)))").main
ROWS: Final = rise.parse(
    "fun({len: nat -> nat}, xs: N..(i |-> len(i).f32) =>"
    " xs |> depMapSeq(fun(i: nat, row => row |> mapSeq(fun(x => x + 1.0)))))"
).main
SCALED: Final = rise.parse("fun(a: f32, xs: N.f32 => xs |> mapSeq(fun(x => a * x)))").main
PICKED: Final = rise.parse("fun(at: N.idx[M], xs: M.f32 => gather(at, xs) |> mapSeq(fun(x => x)))").main
ONE: Final = np.arange(3, dtype=np.float32)
TWO: Final = np.arange(6, dtype=np.float32).reshape(2, 3)


class ByDlpack:
    """An array that supports only DLPack. It may claim to be on a device."""

    def __init__(self, array: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.array = array
        self.device = device

    def __dlpack__(self, **given: Any) -> Any:
        return self.array.__dlpack__(**given)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


class OnDevice(ByDlpack):
    """An array on a device, which a method copies to the host."""

    def numpy(self) -> Any:
        return self.array


class Array(ByDlpack):
    """An array of a library whose namespace reads arrays of others, as in the array API."""

    def __array_namespace__(self) -> Any:
        return SimpleNamespace(from_dlpack=Array.of)

    @classmethod
    def of(cls, array: Any) -> Array:
        if array.dtype == np.int32:
            raise BufferError("no integers")
        return cls(np.from_dlpack(array))


class Failing(ByDlpack):
    """An array that its library does not export."""

    def __dlpack__(self, **_given: Any) -> Any:
        raise BufferError("it is lent")


class ByInterface:
    """An array that supports only `__array_interface__`."""

    def __init__(self, array: Any, mask: Any = None) -> None:
        self.__array_interface__ = {**array.__array_interface__, "mask": mask}
        self.array = array
