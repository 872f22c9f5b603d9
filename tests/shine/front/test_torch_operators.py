"""`shine.torch.op`: operators under `torch.compile`, with symbolic shapes, gradients and batches."""

from __future__ import annotations

from typing import Any, Final

import pytest

import rise
import shine
from tests import required_tools

pytestmark = required_tools.needs(required_tools.TORCH, required_tools.has_module("torch"))

AXPY: Final = rise.parse(
    "fun(a: f32, xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapSeq(fun(p => a * fst(p) + snd(p))))"
)
SWAPPED: Final = rise.parse("fun(ps: N.(f32, bf16) => ps |> mapSeq(fun(p => pair(snd(p), fst(p) + 1.0))))")
HALVES: Final = rise.parse("fun(xs: (2 * K).f32 => xs |> split(2) |> mapSeq(reduceSeq(add, 0.0)))")
TAKEN: Final = rise.parse("fun(n: nat, xs: (n + 3).f32 => take(n, xs) |> mapSeq(fun(x => x + x)))")
TOTAL: Final = rise.parse(
    "fun(xs: N.i64, k: i64, keep: bool => xs |> reduceSeq(fun(s, x => s + x * k), 0i64))"
)


@pytest.fixture(scope="module")
def torch() -> Any:
    return required_tools.torch()


def op(program: Any, **options: Any) -> Any:
    """An operator that needs no compiler."""
    return shine.torch.op(program, target="interpret", **options)


def test_operators_pass_the_checks_of_pytorch(torch: Any) -> None:
    x, y = torch.arange(4.0), torch.ones(4)
    for made, arguments in (
        (op(AXPY), (2.0, x, y)),
        (op(AXPY), (2.0, torch.zeros(0), torch.zeros(0))),
        (op(AXPY), (0.5, x.expand(2, 4)[1], torch.arange(8.0)[::2])),
        (op(SWAPPED), (x, y.bfloat16())),
        (op(HALVES), (x,)),
        (op(TAKEN), (1, x)),
        (op(TOTAL), (torch.arange(4), 2, True)),
    ):
        found = torch.library.opcheck(made.definition, arguments)
        assert set(found.values()) == {"SUCCESS"}, (made, found)


def test_results_are_those_of_the_kernel(torch: Any) -> None:
    x, y = torch.arange(4.0), torch.ones(4)
    made = shine.torch.op(AXPY)  # compiled to C
    for _ in range(2):
        assert made(2.0, x, y).tolist() == [1, 3, 5, 7]
    assert made(2, ys=y, xs=x).tolist() == [1, 3, 5, 7]
    first, second = op(SWAPPED)((x, y.bfloat16()))
    assert first.dtype == torch.bfloat16 and second.tolist() == [1, 2, 3, 4]
    total = op(TOTAL)(torch.arange(4), 2, True)
    assert total.shape == () and total == 12 and total.dtype == torch.int64
    assert op(TAKEN)(1, x).tolist() == [0]


def test_compiled_functions_call_them(torch: Any) -> None:
    axpy, swapped, halves = op(AXPY), op(SWAPPED), op(HALVES)

    def function(x: Any, y: Any) -> Any:
        first, second = swapped((x, axpy(2.0, ys=y, xs=x * 2).bfloat16()))
        return first + 1, second, halves(x)

    x, y = torch.arange(4.0), torch.ones(4)
    for dynamic in (False, True):
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=dynamic)
        for n in (4, 6):
            x, y = torch.arange(float(n)), torch.ones(n)
            for found, expected in zip(compiled(x, y), function(x, y), strict=True):
                assert found.dtype == expected.dtype and torch.equal(found, expected)


@pytest.mark.filterwarnings("ignore:Skipping serialization:UserWarning")  # of PyTorch 2.6
@required_tools.needs(required_tools.CXX, required_tools.has_cxx())
def test_code_that_pytorch_generates_calls_them(torch: Any) -> None:
    axpy = op(AXPY)
    compiled = torch.compile(lambda x, y: (axpy(2.0, x.sin(), y[::2]) ** 2).sum(), fullgraph=True)
    for n in (4, 6):
        x, y = torch.arange(float(n)), torch.ones(2 * n)
        assert torch.allclose(compiled(x, y), ((2 * x.sin() + 1) ** 2).sum())


def test_shapes_stay_symbolic(torch: Any) -> None:
    made, seen = op(AXPY), []

    def backend(graph: Any, _inputs: Any) -> Any:
        seen.append(graph)
        return graph

    compiled = torch.compile(lambda x: made(2.0, x, x), backend=backend, dynamic=True, fullgraph=True)
    for n in (5, 7, 9):
        assert compiled(torch.ones(n)).shape == (n,)
    assert len(seen) == 1  # the same graph is used for all lengths


def test_tensors_without_memory_give_tensors_without_memory(torch: Any) -> None:
    given = torch.ones(4, device="meta")
    for arguments in ((2.0, given, given), (2.0, given, torch.ones(4))):
        found = op(AXPY)(*arguments)
        assert found.is_meta and found.shape == (4,) and found.dtype == torch.float32


def test_gradients_and_batches(torch: Any) -> None:
    made = op(AXPY, name="tests::axpy")
    x, y = torch.arange(4.0, requires_grad=True), torch.ones(4)
    assert torch.vmap(lambda row: made(1.0, row, y))(torch.ones(3, 4)).tolist() == [[2.0] * 4] * 3
    with pytest.raises(RuntimeError, match="no autograd formula"):
        made(2.0, x, y).sum().backward()
    made.definition.register_autograd(lambda context, g: (None, op(AXPY)(2.0, g, torch.zeros(4)), g))
    made(2.0, x, y).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0] * 4
    pairs = torch.vmap(lambda row: op(SWAPPED)((row, row.bfloat16())))(torch.ones(3, 4))
    assert [part.shape for part in pairs] == [(3, 4), (3, 4)]


def test_the_same_kernel_is_registered_once() -> None:
    assert op(AXPY) is op(AXPY)
    assert op(AXPY, name="axpy") is op(AXPY, name="shine::axpy")
    assert op(AXPY).name != op(HALVES).name
    kernel = shine.compile(AXPY, target="interpret")
    assert shine.torch.op(kernel) is op(AXPY)
