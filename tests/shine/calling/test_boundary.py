"""The boundary of kernels: arguments, results, and messages for arguments that do not fit.

`snapshots/boundary.txt` has the messages; run this file as a program to rewrite them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
import strategies
from rise.analysis.obligations import Obligation
from rise.diagnostics import RiseError
from rise.naturals import Nat, NatLike, exact_quotient, nat
from rise.types import PairType, ScalarType, Type, VectorType
from shine.calling.memory import _is_shared
from shine.imperative.nodes import Procedure, Statement
from shine.kernel import Kernel, make_kernel
from tests.shine.procedures import (
    F32,
    array,
    assign,
    axpy,
    dot,
    gather,
    load,
    loop,
    parameter,
    procedure,
    size,
)
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "boundary.txt"
AXPY: Final = make_kernel(axpy(), "interpret")
DOT: Final = make_kernel(dot(), "interpret")
GATHER: Final = make_kernel(gather(), "interpret")


def f32(*shape: int) -> Any:
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def copies(name: str, t: Type, result: Type, counts: Sequence[NatLike], sizes: Sequence[str]) -> Procedure:
    """A kernel that copies each input array to an output array."""
    x, output = parameter("x", t), parameter("output", result)
    loops: list[Statement] = [
        loop("i", count, lambda i, a=a, b=b: [assign(b, i, load(a, i))])  # type: ignore[misc]  # binds these two
        for a, b, count in zip(x.buffers, output.buffers, counts, strict=True)
    ]
    return procedure(name, [size(one) for one in sizes], [x], output, *loops)


n, m = nat(size("n")), nat(size("m"))
F64 = ScalarType("f64")
PAIRS: Final = make_kernel(
    copies("pairs", array(n, of=PairType(F32, F64)), array(n, of=PairType(F32, F64)), [n, n], ["n"]),
    "interpret",
)
HALVES: Final = make_kernel(
    copies("halves", array(exact_quotient(n, 2), 2), array(n), [n], ["n"]), "interpret"
)
VECTORS: Final = make_kernel(
    copies("vectors", array(n, of=VectorType(nat(4), F32)), array(4 * n), [4 * n], ["n"]), "interpret"
)


def test_arrays_of_pairs_are_pairs_of_arrays() -> None:
    a, b = f32(5), np.arange(5.0)
    first, second = PAIRS((a, b))
    assert (first == a).all() and (second == b).all()
    out = (np.empty(5, np.float32), np.empty(5))
    assert PAIRS((a, b), out=out) is out
    assert (out[1] == b).all()


def test_a_vector_is_a_trailing_axis() -> None:
    assert (VECTORS(f32(3, 4)) == f32(12)).all()


def test_a_scalar_result_has_no_axes() -> None:
    found = DOT(f32(3), f32(3))
    assert found.shape == () and found.dtype == np.float32 and found == 5


@given(st.integers(0, 20))
def test_sizes_are_solved_from_expressions(k: int) -> None:
    assert HALVES(f32(k, 2)).shape == (2 * k,)


def test_inputs_that_are_not_contiguous_are_copied() -> None:
    x = f32(20)[::2]
    assert (AXPY(1, x, x) == 2 * x).all()
    packed = np.zeros(41, np.uint8)[1:].view(np.float32)
    assert not packed.flags.aligned
    assert (AXPY(1, packed, packed) == 0).all()


def test_a_read_only_input_is_accepted() -> None:
    x = f32(4)
    x.flags.writeable = False
    assert (AXPY(0, x, x) == x).all()


@pytest.mark.parametrize("alpha", [2, 2.0, np.float32(2), np.array(2, np.float32), True + 1])
def test_numbers_of_the_same_kind_are_accepted(alpha: Any) -> None:
    assert (AXPY(alpha, f32(3), f32(3)) == 3 * f32(3)).all()


def test_out_is_written_with_any_strides() -> None:
    x = f32(4)
    out = np.full(4, -1, np.float32)
    assert AXPY(1, x, x, out=out) is out
    assert (out == 2 * x).all()
    wide = np.full((4, 2), -1, np.float32)
    column = wide[:, 0]
    assert AXPY(1, x, x, out=column) is column
    assert (wide == np.stack([2 * x, np.full(4, -1)], axis=1)).all()


def test_out_may_be_interleaved_with_an_input() -> None:
    both = f32(8)
    AXPY(1, both[::2], both[::2], out=both[1::2])
    assert both.tolist() == [0, 0, 2, 4, 4, 8, 6, 12]


def test_inputs_may_be_one_array() -> None:
    x = f32(4)
    assert DOT(x, x) == 14


def checked() -> Procedure:
    x, output = parameter("x", array(n)), parameter("output", array(n))

    def body(i: Nat) -> Sequence[Statement]:
        return [assign(output.buffers[0], i, load(x.buffers[0], i))]

    checks = (Obligation("divides", exact_quotient(n, 4), "split 4 cuts x", (0,)),)
    p = procedure("checked", [size("n")], [x], output, loop("i", n, body))
    return Procedure(p.name, p.sizes, p.inputs, p.output, p.body, checks)


CHECKED: Final = make_kernel(checked(), "interpret")
SHRINKING: Final = make_kernel(copies("shrinking", array(n), array(n - 3), [n - 3], ["n"]), "interpret")


def unsolved() -> Kernel:
    x, output = parameter("x", array(n)), parameter("output", array(m))
    return make_kernel(procedure("unsolved", [size("n"), size("m")], [x], output), "interpret")


UNSOLVED: Final = unsolved()


def test_conditions_on_sizes_are_checked() -> None:
    assert (CHECKED(f32(8)) == f32(8)).all()


def test_sizes_that_no_array_determines_are_passed() -> None:
    assert UNSOLVED(f32(3), sizes={"m": 2}).shape == (2,)
    assert UNSOLVED(f32(3), sizes={"m": np.int32(0), "n": 3}).shape == (0,)


def test_a_second_call_with_the_same_shapes_checks_again() -> None:
    assert GATHER(np.array([0, 1]), f32(2)).tolist() == [0, 1]
    with pytest.raises(RiseError):
        GATHER(np.array([0, 2]), f32(2))


def read_only(x: Any) -> Any:
    x.flags.writeable = False
    return x


WRONG: Final[dict[str, Callable[[], Any]]] = {
    "too few arguments": lambda: AXPY(1, f32(3)),
    "a name that there is not": lambda: AXPY(1, f32(3), yz=f32(3)),
    "a parameter that is given twice": lambda: AXPY(1, f32(3), f32(3), alpha=2),
    "a parameter that is not given": lambda: AXPY(1, y=f32(3)),
    "another type": lambda: AXPY(1, np.arange(3.0), f32(3)),
    "foreign byte order": lambda: AXPY(1, f32(3).astype(">f4"), f32(3)),
    "another rank": lambda: AXPY(1, f32(3, 1), f32(3)),
    "a list": lambda: AXPY(1, [1.0, 2.0], f32(2)),
    "a masked array": lambda: AXPY(1, np.ma.masked_array(f32(2), [True, False]), f32(2)),
    "sizes that differ": lambda: AXPY(1, f32(3), f32(4)),
    "a size that differs from the given": lambda: UNSOLVED(f32(3), sizes={"n": 4, "m": 1}),
    "a size that no number solves": lambda: PAIRS((f32(3), np.arange(4.0))),
    "a bool for a number": lambda: AXPY(True, f32(3), f32(3)),
    "a float for an integer": lambda: GATHER(f32(3), f32(3)),
    "a number of another type": lambda: AXPY(np.float64(2), f32(3), f32(3)),
    "a number out of range": lambda: AXPY(1e39, f32(3), f32(3)),
    "no pair": lambda: PAIRS(f32(3)),
    "three for a pair": lambda: PAIRS((f32(3), f32(3), f32(3))),
    "an index out of range": lambda: GATHER(np.array([0, 5, 1]), f32(5)),
    "a negative index": lambda: GATHER(np.array([0, -1]), f32(5)),
    "a size that is unknown": lambda: UNSOLVED(f32(3)),
    "a size that it lacks": lambda: UNSOLVED(f32(3), sizes={"M": 3}),
    "a size that is negative": lambda: UNSOLVED(f32(3), sizes={"m": -1}),
    "a size that is no integer": lambda: UNSOLVED(f32(3), sizes={"m": 2.0}),
    "a result of negative size": lambda: SHRINKING(f32(2)),
    "a size that does not divide": lambda: CHECKED(f32(6)),
    "out of another shape": lambda: AXPY(1, f32(3), f32(3), out=f32(4)),
    "out of another type": lambda: AXPY(1, f32(3), f32(3), out=np.empty(3)),
    "out that is read-only": lambda: AXPY(1, f32(3), f32(3), out=read_only(f32(3))),
    "out that is no array": lambda: AXPY(1, f32(3), f32(3), out=[0.0] * 3),
    "out that is an input": lambda: overlapping(0),
    "out that overlaps an input": lambda: overlapping(1),
    "outs that overlap": lambda: PAIRS((f32(2), np.arange(2.0)), out=shared()),
    "a stream": lambda: AXPY(1, f32(3), f32(3), stream=object()),
    "memory that is not there": lambda: UNSOLVED(f32(3), sizes={"m": 2**60}),
}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-6, 6)), min_size=1, max_size=3))
def test_an_array_with_several_elements_in_one_place_cannot_be_written(axes: list[tuple[int, int]]) -> None:
    """Decided from the strides, as by the addresses of all elements."""
    memory = np.zeros(64, np.float32)
    shape = tuple(size for size, _ in axes)
    array = np.lib.stride_tricks.as_strided(memory[32:], shape, [4 * step for _, step in axes])
    places = [sum(i * step for i, (_, step) in zip(at, axes, strict=True)) for at in np.ndindex(shape)]
    assert _is_shared(array) == (len(set(places)) < len(places))


def overlapping(by: int) -> Any:
    both = f32(8)
    return AXPY(1, both[:4], f32(4), out=both[by : by + 4])


def shared() -> Any:
    whole = np.zeros(4)
    return whole.view(np.float32)[:2], whole[:2]


def message(name: str) -> str:
    with pytest.raises(RiseError) as caught:
        WRONG[name]()
    diagnostic = caught.value.diagnostic
    assert diagnostic.code and diagnostic.title
    return str(caught.value)


@pytest.mark.parametrize("name", WRONG)
def test_the_message_of_an_error(name: str) -> None:
    assert message(name) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_belongs_to_a_case() -> None:
    assert read_snapshots(SNAPSHOTS).keys() == WRONG.keys()


def test_arguments_are_passed_by_name() -> None:
    expected = AXPY(2, f32(3), f32(3)).tolist()
    assert AXPY(2, y=f32(3), x=f32(3)).tolist() == expected
    assert AXPY(y=f32(3), x=f32(3), alpha=2, out=f32(3)).tolist() == expected
    program = rise.parse(
        "fun(n: nat, xs: M.f32 => generate(fun(i: idx[n] => 1.0)) |> map(fun(x => x + 1.0)))"
    )
    lowered = strategies.load("strategies.sequential:sequential")(program.main).program
    kernel = shine.compile(lowered, target="interpret")
    for result in (kernel(4, xs=f32(3)), kernel(n=4, xs=f32(3)), kernel(xs=f32(3), sizes={"n": 4})):
        assert result.tolist() == [2.0] * 4


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(name) for name in WRONG})


def test_explicit_sizes_are_passed_by_position() -> None:
    e = rise.parse("fun(n: nat, xs: (n + 3).f32 => map(fun(x => x + x), take(n, xs)))").main
    kernel = shine.compile(strategies.load("strategies.sequential:sequential")(e).program, target="interpret")
    xs = np.arange(5, dtype=np.float32)
    assert kernel(2, xs).tolist() == kernel(xs, sizes={"n": 2}).tolist() == [0.0, 2.0]
    with pytest.raises(rise.RiseError, match="n"):
        kernel(4, xs)
