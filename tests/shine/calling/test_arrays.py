"""Arrays of other libraries and protocols: they are read without a copy, and results are arrays of the same library."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from rise.arguments.jax_arrays import SHARED_BYTES
from rise.arguments.libraries import as_numpy
from shine.calling.memory import host_memory
from shine.targets.openmp.calls import missing_headers
from tests import required_tools
from tests.shine.calling.producers import (
    HALVES,
    MATRIX,
    ONE,
    PAIRS,
    ROWS,
    SCALED,
    TWO,
    VECTOR,
    Array,
    ByDlpack,
    ByInterface,
    Failing,
)


def callers(e: rise.Expr) -> list[Callable[..., Any]]:
    """Functions that run a program: its meaning, and a kernel that needs no compiler."""
    return [lambda *given: rise.evaluate(e, *given), shine.compile(e, target="interpret")]


READ: dict[str, Callable[[], Any]] = {
    "memoryview": lambda: memoryview(TWO),
    "memoryview, transposed": lambda: memoryview(TWO.T.copy().T),
    "ctypes": lambda: ((ctypes.c_float * 3) * 2)((0, 1, 2), (3, 4, 5)),
    "DLPack": lambda: ByDlpack(TWO),
    "DLPack, transposed": lambda: ByDlpack(TWO.T.copy().T),
    "__array_interface__": lambda: ByInterface(TWO),
    "__array_interface__, backwards": lambda: ByInterface(TWO[::-1].copy()[::-1]),
    "a namespace": lambda: Array(TWO),
}


@pytest.mark.parametrize("kind", READ)
def test_objects_that_export_an_array_are_read_as_arrays(kind: str) -> None:
    given = READ[kind]()
    for call in callers(MATRIX):
        found = call(given)
        assert type(found) is (Array if kind == "a namespace" else np.ndarray)
        np.testing.assert_array_equal(as_numpy("found", found), TWO + 1)


def test_arrays_are_read_without_a_copy() -> None:
    base = np.zeros(3, np.float32)
    for given in (memoryview(base), ByDlpack(base), ByInterface(base)):
        assert np.shares_memory(as_numpy("x", given), base)
    whole = array.array("f", [1, 2])
    as_numpy("x", whole)[0] = 7
    assert whole[0] == 7


def test_array_array_and_bytearray_are_vectors() -> None:
    for call in callers(VECTOR):
        assert call(array.array("f", [1, 2])).tolist() == [2, 3]
    total = rise.parse("fun(xs: N.u8 => xs |> reduceSeq(fun(a, x => a + x), 0u8))").main
    for call in callers(total):
        assert call(bytearray(b"\1\2")) == 3


def test_results_belong_to_the_library_of_the_first_array() -> None:
    add = rise.parse(
        "fun(a: f32, xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapSeq(fun(p => a * fst(p) + snd(p))))"
    ).main
    for call in callers(add):
        assert type(call(1.0, Array(ONE), ONE)) is Array
        assert type(call(np.float32(1), ONE, Array(ONE))) is np.ndarray


def test_pairs_and_rows_are_returned_as_arrays_of_the_same_library() -> None:
    for call in callers(PAIRS):
        first, second = call((memoryview(ONE), ByInterface(np.arange(3, dtype=np.int32))))
        assert first.tolist() == [0, 1, 2] and second.tolist() == [1, 2, 3]
    for call in callers(ROWS):
        found = call([Array(ONE), Array(ONE[:1])])
        assert [as_numpy("row", row).tolist() for row in found] == [[1, 2, 3], [1]]


def test_an_output_array_of_a_protocol_is_written() -> None:
    kernel = shine.compile(VECTOR, target="interpret")
    base = np.zeros(3, np.float32)
    out = memoryview(base)
    assert kernel(ONE, out=out) is out and base.tolist() == [1, 2, 3]
    wide = np.zeros(6, np.float32)
    given = Array(wide[::2])
    assert kernel(Array(ONE), out=given) is given and wide.tolist() == [1, 0, 2, 0, 3, 0]
    with pytest.raises(RiseError, match="overlaps the input"):
        kernel(ByDlpack(base), out=memoryview(base))


def test_zero_sizes_no_axes_and_repeated_elements_are_read() -> None:
    scale, plain = callers(SCALED)
    for call in (scale, plain):
        number = ByDlpack(np.array(2, np.float32))
        assert call(number, ByDlpack(ONE)).tolist() == [0, 2, 4]
        assert call(2.0, ByDlpack(np.zeros(0, np.float32))).shape == (0,)
        assert call(1.0, ByInterface(np.broadcast_to(np.float32(3), (4,)))).tolist() == [3] * 4


@required_tools.needs(required_tools.HEADERS, missing_headers() is None)
def test_repeated_calls_take_arrays_of_other_libraries() -> None:
    kernel = shine.compile(VECTOR)
    remembered = kernel._remembered
    assert remembered is not None and remembered.find_shared((Array(ONE),), None) is None
    for _ in range(2):
        assert kernel(Array(ONE)).array.tolist() == [1, 2, 3]
    found = remembered.find_shared((Array(ONE),), None)
    assert type(found) is Array and found.array.tolist() == [1, 2, 3]
    given = Array(np.zeros(3, np.float32))
    assert remembered.find_shared((Array(ONE),), given) is given and given.array.tolist() == [1, 2, 3]
    for arguments, out in (((ONE,), None), ((Array(ONE),), ONE), ((Failing(ONE),), None)):
        assert remembered.find_shared(arguments, out) is None  # the boundary accepts or rejects these


def test_jit_and_einsum_take_them() -> None:
    @shine.jit(target="interpret")
    def shifted(x: Any, by: Any) -> Any:
        return x + by, x.sum()

    for _ in range(2):
        first, total = shifted(Array(TWO), 1.0)
        assert type(first) is type(total) is Array
        np.testing.assert_array_equal(first.array, TWO + 1)
        assert shifted(memoryview(TWO), by=1.0)[1] == 15
    assert str(shifted.lower(Array(TWO), 1.0).program.type).startswith("{N: nat} -> N.3.f32")

    @shine.jit(target="interpret")
    def doubled(x: Any) -> Any:
        return x + x

    out = Array(np.zeros(3, np.float32))
    assert doubled(Array(ONE), out=out) is out and out.array.tolist() == [0, 2, 4]
    with pytest.raises(RiseError, match="`out`: expected an array of tests"):
        doubled(Array(ONE), out=ONE)
    found = shine.einsum("ij,kj->ik", Array(TWO), TWO, target="interpret")
    assert type(found) is Array
    np.testing.assert_array_equal(found.array, TWO @ TWO.T)
    out = Array(np.zeros((2, 2), np.float32))
    assert shine.einsum("ij,kj->ik", Array(TWO), TWO, out=out, target="interpret") is out
    np.testing.assert_array_equal(out.array, TWO @ TWO.T)


def test_tensors_of_pytorch() -> None:
    torch = required_tools.torch()
    x = torch.from_numpy(TWO.copy())
    assert np.shares_memory(as_numpy("x", x), x.numpy())
    for call in callers(MATRIX):
        for given in (x, x.T.contiguous().T, x.flip(0).flip(0), torch.nn.Parameter(x, requires_grad=False)):
            found = call(given)
            assert type(found) is torch.Tensor and torch.equal(found, x + 1)
        with torch.no_grad():
            assert torch.equal(call(torch.nn.Parameter(x)), x + 1)
    kernel = shine.compile(MATRIX)
    for out in (torch.zeros(2, 3), torch.zeros(3, 2).T, torch.zeros(2, 3)):
        assert kernel(x, out=out) is out and torch.equal(out, x + 1)
    for _ in range(2):
        assert torch.equal(kernel(x), x + 1)
    for call in callers(PAIRS):
        first, second = call((x[0], torch.arange(3, dtype=torch.int32)))
        assert first.tolist() == [0, 1, 2] and first.dtype == torch.int32 and second.tolist() == [1, 2, 3]
    for call in callers(SCALED):
        assert call(torch.tensor(2.0), x[0]).tolist() == [0, 2, 4] and call(2, x[0]).tolist() == [0, 2, 4]
    for call in callers(ROWS):
        assert [row.tolist() for row in call([x[0], x[1, :1]])] == [[1, 2, 3], [4]]
    dot = rise.parse("fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduceSeq(add, 0.0))").main
    for call in callers(dot):
        found = call(x[0], ONE)
        assert type(found) is torch.Tensor and found.shape == () and found == 5


def test_types_that_numpy_lacks_are_read_by_their_bits() -> None:
    numbers = np.array([1, -2, 0.5], ml_dtypes.bfloat16)
    doubled = [2, -4, 1]
    for call in [*callers(HALVES), shine.compile(HALVES)]:
        assert call(numbers).astype(np.float32).tolist() == doubled
    torch = required_tools.torch()
    x = torch.tensor([1, -2, 0.5], dtype=torch.bfloat16)
    view = as_numpy("x", x)
    assert view.dtype == ml_dtypes.bfloat16 and np.shares_memory(view, x.view(torch.int16).numpy())
    kernel = shine.compile(HALVES)
    for call in [*callers(HALVES), kernel, kernel]:
        found = call(x)
        assert found.dtype == torch.bfloat16 and found.tolist() == doubled
    out = torch.zeros(6, dtype=torch.bfloat16)[::2]
    assert kernel(x, out=out) is out and out.tolist() == doubled
    with torch.no_grad():
        assert kernel(x.clone().requires_grad_()).tolist() == doubled


def test_arrays_of_jax() -> None:
    jax = required_tools.jax()
    x = jax.numpy.asarray(TWO)
    view = as_numpy("x", x)
    assert view.ctypes.data == x.unsafe_buffer_pointer() and not view.flags.writeable
    kernel = shine.compile(MATRIX)
    for call in [*callers(MATRIX), kernel, kernel]:
        found = call(x)
        assert isinstance(found, jax.Array) and (found == TWO + 1).all()
    halves = jax.numpy.asarray([1, -2, 0.5], jax.numpy.bfloat16)
    for call in callers(HALVES):
        found = call(halves)
        assert found.dtype == jax.numpy.bfloat16 and found.tolist() == [2, -4, 1]
    for call in callers(ROWS):
        assert [row.tolist() for row in call([x[0], x[1, :1]])] == [[1, 2, 3], [4]]
    assert shine.einsum("ij,kj->ik", x, x, target="interpret").tolist() == (TWO @ TWO.T).tolist()


def test_large_results_are_shared_with_jax() -> None:
    x = required_tools.jax().numpy.zeros(3, np.float32)
    memory = host_memory((x,), None)
    shape = (SHARED_BYTES // 4,)
    kernel = shine.compile(VECTOR)
    made = memory.allocate(kernel._boundary.outputs[0], shape)
    assert memory.present(made).unsafe_buffer_pointer() == made.ctypes.data
    large = required_tools.jax().numpy.zeros(shape, np.float32)
    for _ in range(2):
        assert (kernel(large) == 1).all()
