"""Programs with their imperative programs, for tests of validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import rise
from rise.hardware import processor
from rise.naturals import Nat, NatLike, nat
from rise.terms import Expr
from shine.imperative.nodes import Buffer, LoopKind, Procedure, Statement
from shine.targets import find_target
from shine.translate import translate
from strategies.spaces import replay
from strategies.spaces.products import product
from strategies.spaces.replay import Leaf, Open
from tests.shine.procedures import array, assign, load, loop, number, op, parameter, procedure, size

PRODUCT = rise.parse("""
val main = fun(a: M.K.f32, b: K.N.f32 =>
  a |> map(fun(row => transpose(b) |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))
""").main
TWICE = rise.parse("val main = fun(xs: N.f32 => xs |> map(fun(x => x + x)))").main
SUM = rise.parse("val main = fun(xs: N.f32 => xs |> reduce(add, 0.0))").main
TURNED = rise.parse("val main = fun(xs: N.M.f32 => transpose(xs))").main
N = size("N")
M = size("M")


def twice(
    body: Callable[[Nat, Buffer, Buffer], Sequence[Statement]], kind: LoopKind = "seq", count: NatLike = N
) -> Procedure:
    """A loop over numbers, whose body gets its index, the input and the output."""
    xs, output = parameter("xs", array(N)), parameter("output", array(N))
    made = loop("i", count, lambda i: body(i, xs.buffers[0], output.buffers[0]), kind)
    return procedure("twice", [N], [xs], output, made)


def doubled(buffer: Buffer, index: NatLike, output: Buffer, to: NatLike) -> Statement:
    """A store of twice an element."""
    return assign(output, to, op("add", load(buffer, index), load(buffer, index)))


def turned(index: Callable[[Nat, Nat], NatLike], kind: LoopKind = "parallel") -> Procedure:
    """A transposition: the element (i, j) is stored at an index."""
    xs, output = parameter("xs", array(N, M)), parameter("output", array(M, N))
    a, b = xs.buffers[0], output.buffers[0]
    made = loop(
        "i",
        N,
        lambda i: [loop("j", M, lambda j: [assign(b, nat(index(i, j)), load(a, i * nat(M) + j))])],
        kind,
    )
    return procedure("turned", [N, M], [xs], output, made)


def summed(starts: bool = True, each: NatLike = 1, count: NatLike = N) -> Procedure:
    """A sum in order: whether it starts with 0, and how often each number is added."""
    xs, output = parameter("xs", array(N)), parameter("output", array())
    a, b = xs.buffers[0], output.buffers[0]

    def added(i: Nat) -> list[Statement]:
        return [loop("j", each, lambda j: [assign(b, 0, op("add", load(b, 0), load(a, i)))])]

    start = [assign(b, 0, number(0.0))] if starts else []
    return procedure("summed", [N], [xs], output, *start, loop("i", count, added))


def candidate(loops: str, m: int, n: int, k: int) -> tuple[Expr, Expr, Procedure]:
    """A product of these sizes, a candidate of its space, and the imperative program after the passes."""
    on = product.on(processor("nehalem"))
    wanted = {"loops": loops, "rows": 2, "vectors": 1, "prefetch": "none"}
    decisions: dict[str, object] = {}
    while isinstance(at := replay(on, decisions), Open):
        decisions = {**at.partial, at.choice: wanted.get(at.choice, at.domain[0])}
    leaf = replay(on, decisions, PRODUCT, {"M": m, "N": n, "K": k})
    assert isinstance(leaf, Leaf) and leaf.term is not None, leaf
    target = find_target("openmp")
    passed, _ = target.passed(translate(leaf.term, "kernel", target.levels), {"threads": 2})
    assert isinstance(passed, Procedure), passed
    return rise.specialise(PRODUCT, M=m, N=n, K=k), leaf.term, passed
