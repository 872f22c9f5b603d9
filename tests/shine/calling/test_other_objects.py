"""Objects of any kind as arguments, results and sizes: each is accepted as an array, or refused."""

from __future__ import annotations

import array
import ctypes
import decimal
import fractions
from collections import UserList
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from rise import RiseError
from strategies.sequential import sequential

ONE = np.zeros(3, np.float32)
TWO = np.zeros((3, 4), np.float32)


class Refusing:
    """Not an array: converting it raises its own exception."""

    def __array__(self, *arguments: object, **named: object) -> np.ndarray:
        raise RuntimeError("no")


class Exporting:
    """An object that claims to be on a device."""

    def __dlpack__(self, *arguments: object, **named: object) -> object:
        raise BufferError("no")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


OBJECTS: dict[str, Any] = {
    "memoryview": memoryview(ONE),
    "memoryview 2-D": memoryview(TWO),
    "memoryview 0-D": memoryview(np.array(1.0, np.float32)),
    "memoryview strided": memoryview(ONE)[::2],
    "memoryview bytes": memoryview(b"abcd"),
    "array.array": array.array("f", [1, 2, 3]),
    "bytearray": bytearray(12),
    "bytes": b"12",
    "ctypes": (ctypes.c_float * 3)(),
    "numbers": [1.0, 2.0, 3.0],
    "ragged": [[1.0], [2.0, 3.0]],
    "arrays": [ONE, TWO],
    "array and None": [ONE, None],
    "pair": (ONE, 1.0),
    "nested": [[[[[]]]]],
    "none": None,
    "text": "abc",
    "large": 10**30,
    "nan": float("nan"),
    "complex": 1j,
    "decimal": decimal.Decimal(1),
    "fraction": fractions.Fraction(1, 2),
    "texts": np.zeros(3, "U4"),
    "dates": np.zeros(3, "M8[s]"),
    "objects": np.array([None]),
    "records": np.zeros(3, [("a", "f4")]),
    "masked": np.ma.masked_array(ONE, mask=[1, 0, 0]),
    "other order": ONE.astype(">f4"),
    "transposed": TWO.T,
    "backwards": ONE[::-1],
    "unaligned": np.lib.stride_tricks.as_strided(ONE, (3,), (1,)),
    "of no element": np.zeros((3, 0), np.float32),
    "of 32 dimensions": np.zeros((1,) * 32, np.float32),
    "refusing": Refusing(),
    "exporting": Exporting(),
    "dictionary": {"a": 1},
    "set": {1, 2},
    "iterator": iter([1]),
    "range": range(3),
    "user list": UserList([1]),
    "type": np.float32,
    "slice": slice(3),
    "ellipsis": ...,
}
PROGRAMS = {
    "vector": "fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)))",
    "matrix": "fun(xs: M.N.f32 => xs |> map(map(fun(x => x + 1.0))))",
    "pair": "fun(p: (N.f32, f32) => fst(p) |> map(fun(x => x + snd(p))))",
    "pairs": "fun(ps: N.(f32, i32) => ps |> map(fun(p => fst(p))))",
    "number": "fun(x: i8 => x + x)",
    "rows": "fun({len: nat -> nat}, xs: N..(i |-> len(i).f32) =>"
    " xs |> depMap(fun(i: nat, row => row |> map(fun(x => x + 1.0)))))",
    "dependent": "fun(p: (n: nat ** n.f32) => dmatch(p, fun(n: nat, xs => xs |> reduce(add, 0.0))))",
}


def callers(name: str) -> list[Callable[..., Any]]:
    """Functions that run a program: its meaning, and a kernel that needs no compiler."""
    e = rise.parse(PROGRAMS[name]).main
    found: list[Callable[..., Any]] = [lambda *given, **named: rise.evaluate(e, *given, **named)]
    lowered = sequential(e)
    if isinstance(lowered, Success):
        found.append(shine.compile(lowered.program, target="interpret"))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_any_object_is_accepted_or_rejected(name: str) -> None:
    refused = 0
    for call in callers(name):
        for given in OBJECTS.values():
            for arguments, named in (((given,), {}), ((ONE,), {"sizes": given}), ((ONE,), {"out": given})):
                if "out" in named and not isinstance(call, shine.Kernel):
                    continue
                try:
                    call(*arguments, **named)
                except RiseError as error:
                    refused += bool(error.diagnostic.hint)
    assert refused > len(OBJECTS)


@pytest.mark.parametrize("wrong", [True, 1.5, "3", int])
def test_numbers_of_runs_are_checked(wrong: Any) -> None:
    kernel = shine.compile(sequential(rise.parse(PROGRAMS["vector"]).main).program, target="interpret")
    with pytest.raises(RiseError, match="`repeat`: expected a number of runs"):
        kernel.time(ONE, repeat=wrong)
    with pytest.raises(RiseError, match="`sizes`: expected sizes by name"):
        kernel.time(ONE, sizes=[3])
