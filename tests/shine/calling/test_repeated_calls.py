"""The fast path of calls with known shapes: the same results and errors as in the first call."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from shine.calling.repeated_calls import RememberedCalls
from shine.targets.openmp import calls
from tests import required_tools
from tests.examples import some

ADD = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapSeq(fun(p => fst(p) + snd(p))))"


def kernel_of(text: str = ADD, target: str = "openmp") -> shine.Kernel:
    """A kernel that has not been called yet."""
    return shine.compile(rise.parse(text).main, target=target)


def arrays(size: int = 6) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two inputs."""
    return np.arange(size, dtype=np.float32), np.ones(size, np.float32)


def record_of(kernel: shine.Kernel) -> RememberedCalls:
    """The record of shapes of a kernel."""
    found = kernel._remembered
    assert found is not None
    return found


pytestmark = required_tools.needs(required_tools.HEADERS, calls.missing_headers() is None)


@pytest.mark.parametrize("given", [False, True], ids=["a new result", "into out"])
def test_a_second_call_is_remembered_and_gives_the_same(given: bool) -> None:
    kernel = kernel_of()
    for size in (6, 0, 1, 6, 7, 0):
        xs, ys = arrays(size)
        out = np.full(size, 9, np.float32) if given else None
        found = kernel(xs, ys, out=out)
        np.testing.assert_array_equal(found, xs + ys)
        assert not given or found is out
        assert record_of(kernel).find((xs, ys), out) is not None


def test_without_headers_all_calls_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "missing_headers", lambda: "a directory")
    calls._module.cache_clear()
    kernel = kernel_of()
    calls._module.cache_clear()
    assert kernel._remembered is None
    for _ in range(2):
        np.testing.assert_array_equal(kernel(*arrays()), np.arange(6) + 1)


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
def test_wrong_arguments_are_reported_as_in_the_first_call(name: str) -> None:
    call, code = SLOW_CALLS[name]
    called_kernel = kernel_of()
    for _ in range(2):
        called_kernel(*arrays())
    outcome = outcome_of(call, called_kernel)
    assert outcome == outcome_of(call, kernel_of())
    assert (code or "[") in outcome


def test_kernels_whose_arguments_need_checks_remember_none() -> None:
    assert kernel_of("fun(xs: N.(f32, f32) => xs |> mapSeq(fun(p => fst(p) + snd(p))))")._remembered is None


def test_calls_are_remembered_by_the_sizes_that_are_passed_as_numbers() -> None:
    kernel = kernel_of(
        "fun(n: nat, xs: N.f32, m: nat => xs |> drop(n) |> take(m) |> mapSeq(fun(x => x + 1.0)))"
    )
    xs, find = np.arange(6, dtype=np.float32), record_of(kernel).find
    for n, m in ((1, 2), (2, 1), (0, 6), (1, 2)):
        assert kernel(n, xs, m).tolist() == (xs[n : n + m] + 1).tolist()
        again = find((n, xs, m), None)
        assert again is not None and again.tolist() == (xs[n : n + m] + 1).tolist()
    assert find((1, xs[:5], 2), None) is None and find((3, xs, 2), None) is None
    assert (
        find((True, xs, 2), None) is None and find((1.0, xs, 2), None) is None and find((xs, 2), None) is None
    )
    for size in range(100):  # more than are stored
        assert len(kernel(0, np.zeros(size, np.float32), size)) == size
    for _ in range(2):
        with pytest.raises(RiseError, match="expected sizes"):
            kernel(1, xs, 6)


def test_a_size_may_be_passed_or_solved_from_an_array() -> None:
    kernel = kernel_of("fun(n: nat, xs: n.f32 => xs |> mapSeq(fun(x => x + 1.0)))")
    for arguments in ((arrays()[0],), (6, arrays()[0]), (arrays(3)[0],), (3, arrays(3)[0])):
        assert kernel(*arguments).tolist() == (arguments[-1] + 1).tolist()  # type: ignore[operator]  # an array
    with pytest.raises(RiseError):
        kernel(6, arrays(3)[0])


@pytest.mark.parametrize(
    ("result", "put_together"),
    some(
        [
            ("pair(x, x + 1.0)", lambda x: (x, x + 1)),
            ("pair(x, pair(x + 1.0, x + 2.0))", lambda x: (x, (x + 1, x + 2))),
            ("pair(pair(x, x + 1.0), x + 2.0)", lambda x: ((x, x + 1), x + 2)),
        ],
        3,
    ),
)
def test_several_results_are_combined_as_in_the_first_call(
    result: str, put_together: Callable[[Any], Any]
) -> None:
    kernel = kernel_of(f"fun(xs: N.f32 => xs |> mapSeq(fun(x => {result})))")
    xs, _ = arrays()
    for _ in range(3):
        found = kernel(xs)
        assert str(found) == str(put_together(xs))
    assert record_of(kernel).find((xs,), None) is not None
    assert (
        record_of(kernel).find((xs,), found) is None
    )  # into given arrays: the slow path, with the same result
    assert str(kernel(xs, out=found)) == str(put_together(xs))


def test_indices_are_checked_in_every_call() -> None:
    kernel = kernel_of("fun(xs: N.f32, is: M.idx[N] => is |> mapSeq(fun(i => xs |> idx(i))))")
    xs, _ = arrays()
    good = np.array([5, 0, 3])
    for _ in range(2):
        np.testing.assert_array_equal(kernel(xs, good), [5, 0, 3])
    assert record_of(kernel).find((xs, good), None) is not None
    for wrong in (-1, 6, 2**62, -(2**63)):
        with pytest.raises(RiseError, match="expected indices from 0 to 6"):
            kernel(xs, np.array([5, wrong, 3]))


FITTING: Final = {
    "f64": (1.5, 3, np.float64(2.5), np.asarray(4.5)),
    "f32": (1.5, 3, 1e-60, float("inf"), float("nan"), np.float32(0.1), np.asarray(0.1, np.float32)),
    "f16": (np.float16(1.5), 1.5, 3),
    "i32": (3, -(2**31), 2**31 - 1, np.int32(7), np.asarray(-7, np.int32)),
    "u8": (0, 255, np.uint8(7)),
    "i64": (2**63 - 1, -(2**63), np.int64(5)),
    "u64": (2**64 - 1, 3, np.uint64(2**64 - 1)),
    "bool": (True, False, np.bool_(True), np.asarray(2, np.uint8).view(np.bool_)),
}
UNFIT: Final = {
    "f64": (True, "a", np.float32(1.5), 10**400),
    "f32": (1e39, np.float64(1.5), True),
    "i32": (2**31, 1.5, True, np.int64(3)),
    "u8": (256, -1),
    "i64": (2**63,),
    "u64": (-1, 2**64),
    "bool": (1, np.uint8(1)),
}


@pytest.mark.parametrize("scalar", some(FITTING, 2))
def test_numbers_are_converted_as_in_the_first_call(scalar: str) -> None:
    text = f"fun(a: {scalar}, xs: N.f32 => xs |> mapSeq(fun(x => a)))"
    xs, _ = arrays(2)
    called = kernel_of(text)
    called(FITTING[scalar][0], xs)
    for value in (*FITTING[scalar], *UNFIT.get(scalar, ())):
        quick, slow = (
            outcome_of(lambda k, v=value: k(v, xs), kernel) for kernel in (called, kernel_of(text))
        )
        assert quick == slow
    quickly = [value for value in FITTING[scalar] if record_of(called).find((value, xs), None) is not None]
    assert len(quickly) >= len(FITTING[scalar]) - 2


def test_a_kernel_that_fails_reports_it_in_every_call() -> None:
    kernel = kernel_of("fun(a: i32, xs: N.i32 => xs |> mapSeq(fun(x => x / a)))")
    xs = np.arange(6, dtype=np.int32)
    for _ in range(2):
        np.testing.assert_array_equal(kernel(2, xs), xs // 2)
    with pytest.raises(RiseError, match="divisor other than 0"):
        kernel(0, xs)


def test_calls_keep_no_reference_and_release_what_they_made() -> None:
    kernel = kernel_of("fun(xs: N.f32 => xs |> mapSeq(fun(x => pair(x, x))))")
    xs, _ = arrays()
    for _ in range(3):
        first, second = kernel(xs)
    before = [sys.getrefcount(value) for value in (xs, first, xs.dtype, None)]
    for _ in range(200):
        kernel(xs)
        record_of(kernel).find((xs.astype(np.float64),), None)
    after = [sys.getrefcount(value) for value in (xs, first, xs.dtype, None)]
    assert max(abs(b - a) for a, b in zip(before, after, strict=True)) < 100
    assert first.base is None and second.flags.owndata


def test_threads_may_call_a_kernel_at_once() -> None:
    kernel = kernel_of()

    def check(size: int) -> bool:
        xs, ys = arrays(size)
        return all(np.array_equal(kernel(xs, ys), xs + ys) for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(check, range(40)))


def test_shapes_that_differ_in_the_last_axis_are_remembered_together() -> None:
    kernel = kernel_of(
        ADD.replace("N.f32", "M.N.f32").replace("fst(p) + snd(p)", "zip(fst(p), snd(p)) |> mapSeq(add)")
    )
    shapes = [(np.ones((3, size), np.float32),) * 2 for size in range(4, 12)]
    for pair in shapes:
        kernel(*pair)
    assert (
        sum(record_of(kernel).find(pair, None) is not None for pair in shapes) >= 6
    )  # two may share an entry


def test_the_number_of_remembered_shapes_is_limited() -> None:
    kernel = kernel_of()
    for size in range(600):
        xs, ys = arrays(size)
        np.testing.assert_array_equal(kernel(xs, ys), xs + ys)
    xs, ys = arrays(599)
    assert record_of(kernel).find((xs, ys), None) is not None
    remembered = sum(record_of(kernel).find(arrays(size), None) is not None for size in range(600))
    assert remembered <= 64
