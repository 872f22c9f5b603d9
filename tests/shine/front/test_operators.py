"""Kernels as flat operators, and the sizes for which PyTorch's symbols stand. Needs neither PyTorch nor JAX."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatVar, exact_quotient, nat
from rise.quotients import ceiling_quotient, floor_quotient, minimum, remainder
from shine.front.operators import Operator, operator_of
from shine.front.torch_operators import schema_of, symbolic

ROOT: Final = Path(__file__).resolve().parents[3]
A, B = NatVar("a", None), NatVar("b", None)
a, b = nat(A), nat(B)
NATURALS: list[Nat] = [
    a + 3,
    2 * a * b + b * b,
    exact_quotient(a * (a + 1), 2),
    exact_quotient(32 * a, 32) + b,
    floor_quotient(a, 4) * b,
    ceiling_quotient(a + b, 8),
    remainder(a, 5),
    minimum(a, 3 * b),
    nat(7),
    nat(0),
]


@given(st.sampled_from(NATURALS), st.integers(0, 100), st.integers(1, 100))
def test_symbolic_sizes_have_the_values_of_numbers(natural: Nat, first: int, second: int) -> None:
    sizes: dict[Any, Any] = {A: first, B: second}
    assert symbolic(natural, sizes) == evaluate_natural(natural, sizes)


def flat(text: str) -> Operator:
    return operator_of(rise.parse(text), {"target": "interpret"})


def test_pairs_are_flattened_and_sizes_keep_their_position() -> None:
    made = flat("fun(n: nat, ps: N.(f32, i32), x: f32 => ps |> mapSeq(fun(p => pair(snd(p), fst(p) + x))))")
    assert schema_of(made) == "(SymInt n, Tensor ps_0, Tensor ps_1, float x) -> (Tensor, Tensor)"
    xs, ys = np.ones(2, np.float32), np.arange(2, dtype=np.int32)
    values = made.bound((3, (xs, ys)), {"x": 2.0})
    assert values[0] == 3 and values[1] is xs and values[2] is ys and values[3] == 2.0
    first, second = made.run(values)
    assert first.tolist() == [0, 1] and second.tolist() == [3, 3]
    assert made.sizes(values) == {"n": 3}


def test_names_follow_from_the_kernel() -> None:
    first, same, other = (
        flat(f"fun(xs: N.f32 => xs |> mapSeq(fun(x => x + {n})))") for n in ("1.0", "1.0", "2.0")
    )
    assert first.name == same.name != other.name


def test_results_are_described_without_arrays() -> None:
    kernel = shine.compile(
        rise.parse("fun(xs: (2 * K).f32 => xs |> split(2) |> mapSeq(reduceSeq(add, 0.0)))"),
        target="interpret",
    )
    shown = np.broadcast_to(np.float32(0), (1 << 40,))
    assert kernel.resolve([shown]).outputs == ((1 << 39,),)
    with pytest.raises(RiseError, match=r"no natural number makes 2 \* K equal to 3"):
        kernel.resolve([np.broadcast_to(np.float32(0), (3,))])


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_a_missing_library_is_reported_as_an_extra(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    register = {"torch": shine.torch.op, "jax": shine.jax.call}[library]
    with pytest.raises(RiseError, match=f"expected the package `{library}`") as caught:
        register(rise.parse("fun(xs: N.f32 => xs |> mapSeq(fun(x => x)))"))
    assert f"pip install 'rise-shine[{library}]'" in caught.value.diagnostic.hint


def test_importing_shine_imports_neither() -> None:
    code = "import shine, sys; shine.torch.op, shine.jax.call; sys.exit(bool({'torch', 'jax'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
