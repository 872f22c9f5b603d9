"""The fast path of calls with known shapes: the same results and errors as in a first call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from shine.calling.repeated_calls import RememberedCalls, remembered_calls

ADD = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapSeq(fun(p => fst(p) + snd(p))))"


def kernel_of(text: str = ADD, target: str = "openmp") -> shine.Kernel:
    """A kernel that was not called yet."""
    return shine.compile(rise.parse(text).main, target=target)


def arrays(size: int = 6) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two inputs."""
    return np.arange(size, dtype=np.float32), np.ones(size, np.float32)


def record_of(kernel: shine.Kernel) -> RememberedCalls:
    """The record of shapes of a kernel."""
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
        assert record_of(kernel).find((xs, ys), out) is not None


def test_two_results_are_two_arrays() -> None:
    kernel = kernel_of()
    first, second = (kernel(*arrays()) for _ in range(2))
    third = kernel(*arrays())
    assert not np.may_share_memory(second, third) and not np.may_share_memory(first, second)


Call = Callable[[shine.Kernel], Any]
#: calls that the fast path leaves to the slow one, with the code of the error, or None if they are accepted
SLOW_CALLS: dict[str, tuple[Call, str | None]] = {
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
    """A read-only array for a result."""
    out = np.empty(6, np.float32)
    out.flags.writeable = False
    return k(*arrays(), out=out)


def over_an_input(k: shine.Kernel) -> Any:
    """An array for a result that overlaps an input."""
    xs, ys = arrays()
    return k(xs, ys, out=xs)


SLOW_CALLS |= {
    "out that is read-only": (read_only, "argument-type"),
    "out over an input": (over_an_input, "overlap"),
}


def outcome_of(call: Call, kernel: shine.Kernel) -> str:
    """The result of a call, or the code of its error."""
    try:
        return str(call(kernel))
    except RiseError as error:
        return f"{error.diagnostic.code}: {error}"


@pytest.mark.parametrize("name", SLOW_CALLS)
def test_what_does_not_fit_is_reported_as_in_a_first_call(name: str) -> None:
    call, code = SLOW_CALLS[name]
    called_kernel = kernel_of()
    for _ in range(2):
        called_kernel(*arrays())
    outcome = outcome_of(call, called_kernel)
    assert outcome == outcome_of(call, kernel_of())
    assert (code or "[") in outcome


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
    assert remembered_calls(kernel_of(text).procedure) is None


def test_the_number_of_remembered_shapes_is_limited() -> None:
    kernel = kernel_of()
    for size in range(600):
        xs, ys = arrays(size)
        np.testing.assert_array_equal(kernel(xs, ys), xs + ys)
    assert len(record_of(kernel)._known) <= 256
