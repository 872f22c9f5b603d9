"""A second call with known shapes goes a short way: it gives the same, and refuses the same, as a first call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from shine.calling.repeated_calls import Remembered, remembered

ADD = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapSeq(fun(p => fst(p) + snd(p))))"


def kernel_of(text: str = ADD, target: str = "openmp") -> shine.Kernel:
    """A kernel that was not called."""
    return shine.compile(rise.parse(text).main, target=target)


def arrays(size: int = 6) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two inputs."""
    return np.arange(size, dtype=np.float32), np.ones(size, np.float32)


def room(kernel: shine.Kernel) -> Remembered:
    """Where a kernel keeps shapes."""
    found = kernel._remembered
    assert found is not None
    return found


@pytest.mark.parametrize("target", ["openmp", "interpret"])
@pytest.mark.parametrize("given", [False, True], ids=["a new result", "into out"])
def test_a_second_call_is_remembered_and_gives_the_same(target: str, given: bool) -> None:
    kernel = kernel_of(target=target)
    for size in (6, 0, 1, 6, 7, 0):
        xs, ys = arrays(size)
        out = np.full(size, 9, np.float32) if given else None
        found = kernel(xs, ys, out=out)
        np.testing.assert_array_equal(found, xs + ys)
        assert not given or found is out
        assert room(kernel).find((xs, ys), out) is not None


def test_two_results_are_two_arrays() -> None:
    kernel = kernel_of()
    first, second = (kernel(*arrays()) for _ in range(2))
    third = kernel(*arrays())
    assert not np.may_share_memory(second, third) and not np.may_share_memory(first, second)


Call = Callable[[shine.Kernel], Any]
#: calls that the short way leaves to the long one; with the code of what it says, or None where it takes them
ODD: dict[str, tuple[Call, str | None]] = {
    "another shape": (lambda k: k(*arrays(5)), None),
    "shapes that do not fit": (lambda k: k(arrays(6)[0], arrays(5)[1]), "argument-type"),
    "another type": (lambda k: k(arrays()[0].astype(np.float64), arrays()[1]), "argument-type"),
    "another rank": (lambda k: k(arrays()[0].reshape(2, 3), arrays()[1]), "argument-type"),
    "a list": (lambda k: k([1.0] * 6, arrays()[1]), "argument-type"),
    "one too few": (lambda k: k(arrays()[0]), "argument-count"),
    "backwards": (lambda k: k(arrays()[0][::-1], arrays()[1]), None),
    "a masked array": (lambda k: k(np.ma.masked_array(arrays()[0]), arrays()[1]), "argument-type"),
    "an odd address": (lambda k: k(np.zeros(25, np.uint8)[1:].view(np.float32), arrays()[1]), None),
    "out of another shape": (lambda k: k(*arrays(), out=np.empty(5, np.float32)), "argument-type"),
    "out of another type": (lambda k: k(*arrays(), out=np.empty(6, np.float64)), "argument-type"),
    "out that strides": (lambda k: k(*arrays(), out=np.zeros(12, np.float32)[::2]), None),
    "a stream": (lambda k: k(*arrays(), stream=0), "argument-type"),
    "sizes": (lambda k: k(*arrays(), sizes={"N": 6}), None),
    "sizes that do not fit": (lambda k: k(*arrays(), sizes={"N": 5}), "argument-type"),
    "by name": (lambda k: k(arrays()[0], ys=arrays()[1]), None),
}


def read_only(k: shine.Kernel) -> Any:
    """A result that cannot be written."""
    out = np.empty(6, np.float32)
    out.flags.writeable = False
    return k(*arrays(), out=out)


def over_an_input(k: shine.Kernel) -> Any:
    """A result over what is read."""
    xs, ys = arrays()
    return k(xs, ys, out=xs)


ODD |= {
    "out that is read-only": (read_only, "argument-type"),
    "out over an input": (over_an_input, "overlap"),
}


def said(call: Call, kernel: shine.Kernel) -> str:
    """What a call gives or says."""
    try:
        return str(call(kernel))
    except RiseError as error:
        return f"{error.diagnostic.code}: {error}"


@pytest.mark.parametrize("name", ODD)
def test_what_does_not_fit_is_told_as_at_first(name: str) -> None:
    call, code = ODD[name]
    known = kernel_of()
    for _ in range(2):
        known(*arrays())
    found = said(call, known)
    assert found == said(call, kernel_of())
    assert (code or "[") in found


@pytest.mark.parametrize(
    "text",
    [
        "fun(xs: N.f32, is: M.idx[N] => is |> mapSeq(fun(i => i)))",
        "fun(xs: N.(f32, f32) => xs |> mapSeq(fun(p => fst(p) + snd(p))))",
        "fun(xs: N.f32 => xs |> mapSeq(fun(x => pair(x, x))))",
        "fun(n: nat, xs: n.f32 => xs |> mapSeq(fun(x => x + 1.0)))",
    ],
    ids=["indices", "pairs in", "pairs out", "a size given"],
)
def test_kernels_whose_arguments_need_checks_remember_none(text: str) -> None:
    assert remembered(kernel_of(text).procedure) is None


def test_so_many_shapes_are_kept() -> None:
    kernel = kernel_of()
    for size in range(600):
        xs, ys = arrays(size)
        np.testing.assert_array_equal(kernel(xs, ys), xs + ys)
    assert len(room(kernel)._found) <= 256
