"""Derivations and printed programs grow at most linearly with the program, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pytest

import rise
from elevate import Success
from rise.terms import App, DepApp, Expr
from shine.imperative.kernels import Procedure
from shine.passes.record import run_passes
from shine.targets import TARGETS
from shine.targets.c.printer import print_procedure
from shine.translate import translate
from strategies.openmp import parallel
from tests.examples import some

SIZES: Final = (2, 6, 18)
#: lines of C per application in the program, and lines that are printed once for any program
LINES_A_NODE: Final = 3
LINES_AT_ALL: Final = 60
#: the maximum factor by which lines and steps may grow faster than linearly from 6 parts to 18
SLACK: Final = 1.25


def butterflies(n: int) -> str:
    """Stages of a transform of rows of 512 numbers."""
    stages = (
        f" |> split({2 ** (k % 8)}) |> split(2) |> map(fun(p => let both = zip(idx(0, p), idx(1, p)) in"
        " [both |> map(fun(q => fst(q) + snd(q))), both |> map(fun(q => fst(q) - snd(q)))])) |> join |> join"
        for k in range(n)
    )
    return f"fun(x: N.512.f32 => x |> map(fun(row => row{''.join(stages)})))"


def windows(n: int) -> str:
    """Consecutive blurs."""
    blur = " |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w => (idx(0, w) + idx(1, w) + idx(2, w)) * 0.3))"
    return f"fun(x: (N+1).f32 => x{blur * n})"


def lets(n: int) -> str:
    """Named arrays, each computed from the previous two."""
    lines = (
        f"let a{k} = (zip(a{k - 1}, a{k - 2}) |> map(fun(p => exp(fst(p)) + snd(p)))) in "
        for k in range(2, n + 2)
    )
    return f"fun(a0: N.f32, a1: N.f32 => {''.join(lines)}a{n + 1})"


def sums(n: int) -> str:
    """Named sums of a row, each computed from the previous one."""
    lines = (
        f"let s{k} = (r |> map(fun(v => v - s{k - 1} * {k}.0)) |> reduce(add, 0.0)) in "
        for k in range(1, n + 1)
    )
    return f"fun(x: N.M.f32, s0: f32 => x |> map(fun(r => {''.join(lines)}r |> map(fun(v => v - s{n})))))"


def selects(n: int) -> str:
    """Choices, each of the result of the previous one."""
    steps = (f" |> map(fun(v => if v < {k}.0 then v + {k}.5 else exp(v)))" for k in range(n))
    return f"fun(x: N.f32 => x{''.join(steps)})"


def selected_arrays(n: int) -> str:
    """Nested choices between arrays."""
    e = "x"
    for k in range(n):
        e = f"(if c < {k}.0 then {e} |> map(fun(v => v + {k}.0)) else x)"
    return f"fun(x: N.f32, c: f32 => {e})"


def zips(n: int) -> str:
    """Nested sums of zips."""
    e = "x"
    for k in range(n):
        e = f"(zip({e}, y |> map(fun(v => v * {k}.0))) |> map(fun(p => fst(p) + snd(p))))"
    return f"fun(x: N.f32, y: N.f32 => {e})"


def products(n: int) -> str:
    """Sums of products of arrays of their own."""
    names = [(f"a{k}", f"b{k}") for k in range(n)]
    product = " |> map(fun(p => fst(p) * snd(p)))"
    e = f"(zip(a0, b0){product})"
    for a, b in names[1:]:
        e = f"(zip({e}, zip({a}, {b}){product}) |> map(fun(p => fst(p) + snd(p))))"
    return f"fun({', '.join(f'{one}: N.f32' for pair in names for one in pair)} => {e})"


def products_of_matrices(n: int) -> str:
    """The same of matrices, row by row."""
    names = [(f"a{k}", f"b{k}") for k in range(n)]

    def combined(a: str, b: str, sign: str) -> str:
        row = f"zip(fst(r), snd(r)) |> map(fun(p => fst(p) {sign} snd(p)))"
        return f"(zip({a}, {b}) |> map(fun(r => {row})))"

    e = combined("a0", "b0", "*")
    for a, b in names[1:]:
        e = combined(e, combined(a, b, "*"), "+")
    return f"fun({', '.join(f'{one}: N.M.f32' for pair in names for one in pair)} => {e})"


def concats(n: int) -> str:
    """Concatenated arrays."""
    e = "x"
    for k in range(n):
        e = f"concat({e}, y |> map(fun(v => v * {k}.0)))"
    return f"fun(x: N.f32, y: M.f32 => {e} |> map(exp))"


PROGRAMS: Final[Mapping[str, Callable[[int], str]]] = {
    one.__name__: one
    for one in (
        butterflies,
        windows,
        lets,
        sums,
        selects,
        selected_arrays,
        zips,
        products,
        products_of_matrices,
        concats,
    )
}


def applications(e: Expr) -> int:
    """The number of applications in a term; those of shared parts are counted repeatedly."""
    counts: dict[Expr, int] = {}
    waiting = [e]
    while waiting:
        node = waiting[-1]
        missing = [child for child in node.children if isinstance(child, Expr) and child not in counts]
        if missing:
            waiting += missing
            continue
        own = isinstance(node, App | DepApp)
        counts[node] = own + sum(counts[child] for child in node.children if isinstance(child, Expr))
        waiting.pop()
    return counts[e]


def grown(text: str) -> tuple[int, int, int]:
    """The applications of a program, the steps of its derivation, and its lines of C."""
    program = rise.parse(text).main
    result = parallel()(program)
    assert isinstance(result, Success)
    target = TARGETS["openmp"]
    settings = target.settle(target.complete({}))
    kernel = run_passes(target.passes, translate(result.program, "kernel", target.levels), settings)
    assert isinstance(kernel, Procedure)
    text = print_procedure(kernel, settings["check"], settings["threads"]).text
    return applications(program), len(result.steps), text.count("\n")


@pytest.mark.parametrize("name", dict.fromkeys([*some(PROGRAMS, 18), "products", "products_of_matrices"]))
def test_lines_and_steps_grow_linearly(name: str) -> None:
    nodes, steps, lines = zip(*(grown(PROGRAMS[name](n)) for n in SIZES), strict=True)
    for counts in (steps, lines):
        first, second = counts[1] - counts[0], counts[2] - counts[1]
        assert second <= LINES_AT_ALL + SLACK * first * (nodes[2] - nodes[1]) / (nodes[1] - nodes[0])
    assert all(count <= LINES_AT_ALL + LINES_A_NODE * of for of, count in zip(nodes, lines, strict=True))
