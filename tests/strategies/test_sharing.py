"""Decisions to store or to recompute, for programs whose right decision is known.

`tests/strategies/snapshots/sharing.txt` contains each program after `share`; `python -m tests.strategies.test_sharing`
rewrites it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from rise.nodes import postorder
from rise.terms import Expr
from rise.testing.arguments import calls
from shine.front.derivation import derive, steps_of
from strategies.openmp import parallel
from strategies.sharing import share
from tests.examples import some
from tests.snapshot_files import read_snapshots, write_snapshots

DOT: Final = "map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"
PRODUCT: Final = f"transpose |> map(fun(column => zip(row, column) |> {DOT}))"
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "sharing.txt"

#: by name: the number of arrays that are stored, and the program
PROGRAMS: Final[Mapping[str, tuple[int, str]]] = {
    "a sum of each row beside the row: a number for each row": (
        0,
        "fun(e: N.M.f32 => zip(e, e |> map(fun(r => generate(fun(i: idx[1] => r |> reduce(add, 0.0))))))"
        " |> map(fun(p => fst(p) |> map(fun(x => x / idx(0, snd(p)))))))",
    ),
    "softmax of rows: exponentials are stored for each row": (
        1,
        "fun(x: N.M.f32 => x |> map(fun(r => let top = (r |> reduce(max, -inf)) in"
        " let e = (r |> map(fun(v => exp(v - top)))) in let total = (e |> reduce(add, 0.0)) in"
        " e |> map(fun(v => v / total)))))",
    ),
    "softmax with names for whole arrays: the same numbers for each row": (
        1,
        "fun(x: N.M.f32 => let tops = (x |> map(fun(r => r |> reduce(max, -inf)))) in"
        " let e = (zip(x, tops) |> map(fun(p => fst(p) |> map(fun(v => exp(v - snd(p))))))) in"
        " let totals = (e |> map(fun(r => r |> reduce(add, 0.0)))) in"
        " zip(e, totals) |> map(fun(p => fst(p) |> map(fun(v => v / snd(p))))))",
    ),
    "two results from rows that have a name: in one loop, without the name": (
        0,
        "fun(x: N.M.f32 => let d = (x |> map(map(fun(v => v * v)))) in"
        " pair(d |> map(map(fun(v => v + 1.0))), zip(d, x) |> map(fun(p => zip(fst(p), snd(p))"
        " |> map(fun(q => fst(q) - snd(q)))))))",
    ),
    "two results from costly numbers: each is computed once, in one loop": (
        0,
        "fun(x: N.f32 => let e = (x |> map(exp)) in pair(e |> map(fun(v => v + 1.0)), e |> map(fun(v => 1.0 / v))))",
    ),
    "butterflies of rows with two results: sums and differences are stored for each row": (
        2,
        "fun(a: N.512.f32, b: N.512.f32 => let s = (zip(a, b) |> map(fun(p => zip(fst(p), snd(p))"
        " |> map(fun(q => exp(fst(q) + snd(q))))))) in let d = (zip(a, b) |> map(fun(p => zip(fst(p), snd(p))"
        " |> map(fun(q => exp(fst(q) - snd(q))))))) in pair(transpose(concat(transpose(s), transpose(d)))"
        " |> map(fun(r => zip(take(512, r), drop(512, r)) |> map(fun(q => fst(q) * snd(q))))),"
        " transpose([d, s]) |> map(fun(r => zip(idx(0, r), idx(1, r)) |> map(fun(q => fst(q) / snd(q)))))))",
    ),
    "two results of which one reads a sum of all rows: the rows are stored whole": (
        1,
        "fun(x: N.M.f32 => let e = (x |> map(map(exp))) in"
        " let total = (e |> map(reduce(add, 0.0)) |> reduce(add, 0.0)) in"
        " pair(e |> map(map(fun(v => v / total))), e |> map(map(fun(v => v + 1.0)))))",
    ),
    "differences that are used twice: computed twice": (
        0,
        "fun(x: N.M.f32, mean: f32 => x |> map(fun(r => let d = (r |> map(fun(v => v - mean))) in"
        " let s = (d |> map(fun(v => v * v)) |> reduce(add, 0.0)) in d |> map(fun(v => v / s)))))",
    ),
    "a product with a bias: inside of the product's loop": (
        0,
        "fun(x: N.K.f32, w: K.M.f32, b: M.f32 => x |> map(fun(row =>"
        f" zip(w |> {PRODUCT}, b) |> map(fun(p => max(fst(p) + snd(p), 0.0))))))",
    ),
    "two products with a bias: the first is stored by the strategy for products": (
        0,
        "fun(x: N.K.f32, w: K.M.f32, b: M.f32, v: M.L.f32 => x |> map(fun(row =>"
        f" zip(w |> {PRODUCT}, b) |> map(fun(p => max(fst(p) + snd(p), 0.0))))) |> map(fun(row => v |> {PRODUCT})))",
    ),
    "attention with names for whole arrays: products and exponentials are stored whole": (
        2,
        "fun(q: N.D.f32, k: M.D.f32, v: M.E.f32 =>"
        f" let s = (q |> map(fun(row => k |> map(fun(column => zip(row, column) |> {DOT}))))) in"
        " let e = (zip(s, s |> map(reduce(max, -inf)))"
        " |> map(fun(p => fst(p) |> map(fun(x => exp(x - snd(p))))))) in"
        " zip(e, e |> map(reduce(add, 0.0))) |> map(fun(p => fst(p) |> map(fun(x => x / snd(p)))))"
        f" |> map(fun(row => v |> {PRODUCT})))",
    ),
    "a sum of two products: one of them is stored whole": (
        1,
        "fun(x: N.K.f32, w: K.M.f32, v: K.M.f32 => x |> map(fun(row =>"
        f" zip(w |> {PRODUCT}, v |> {PRODUCT}) |> map(fun(p => fst(p) + snd(p))))))",
    ),
    "a chain of butterflies: each stage is stored as the next one reads it": (
        2,
        "fun(x: N.8.f32 => x |> map(fun(r => r"
        + " |> map(exp) |> split(2) |> transpose |> map(fun(h => h |> split(2) |> map(fun(p =>"
        " [idx(0, p) + idx(1, p), idx(0, p) - idx(1, p)])) |> join)) |> join" * 2 + ")))",
    ),
    "rows of sums of the numbers before, padded and read twice: kept whole under their name": (
        0,
        "fun(x: N.M.f32 => let s = (x |> map(scan(add, 0.0))) in"
        " zip(padCst(1, 0, generate(fun(j: idx[M] => 0.0)), s) |> drop(1),"
        " padCst(1, 0, generate(fun(j: idx[M] => 0.0)), s) |> take(N))"
        " |> map(fun(p => zip(fst(p), snd(p)) |> map(fun(q => fst(q) - snd(q))))))",
    ),
    "normalised rows, padded: stored before other rows are put beside them": (
        1,
        "fun(x: N.M.f32 => x |> map(fun(r => let s = (r |> reduce(add, 0.0)) in r |> map(fun(v => v / s))))"
        " |> padCst(1, 1, generate(fun(j: idx[M] => 0.0))))",
    ),
    "normalised rows and the ones before them: kept whole under their name": (
        0,
        "fun(x: (N+1).M.f32 => let e = (x |> map(fun(r => let s = (r |> reduce(add, 0.0)) in"
        " r |> map(fun(v => v / s))))) in zip(e, concat(drop(N, e), take(N, e)))"
        " |> map(fun(p => zip(fst(p), snd(p)) |> map(fun(q => fst(q) * snd(q))) |> reduce(add, 0.0))))",
    ),
    "normalised rows beside others that are read number by number: stored whole": (
        1,
        "fun(x: N.M.f32, y: N.M.f32 => concat(x |> map(fun(r => let s = (r |> reduce(add, 0.0)) in"
        " r |> map(fun(v => v / s)))), y) |> map(map(fun(v => v + 1.0))))",
    ),
    "sorted rows, padded: stored whole": (
        1,
        "fun(x: N.M.f32 => x |> map(sort) |> padCst(1, 1, generate(fun(j: idx[M] => 0.0))))",
    ),
    "short sums of windows, padded: computed where they are read": (
        0,
        "fun(x: N.(2+M).f32 => x |> map(fun(r => r |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))))"
        " |> padCst(1, 1, generate(fun(j: idx[M] => 0.0))))",
    ),
    "windows of exponentials: stored before the windows": (
        1,
        "fun(xs: (N+2).f32 => xs |> map(exp) |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
    ),
    "windows of sums: computed in each window": (
        0,
        "fun(xs: (N+2).f32 => xs |> map(fun(x => x + 1.0)) |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
    ),
    "a chain of blurs: all but the last are stored": (
        2,
        "fun(xs: (N+1).f32 => xs"
        + " |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w => (idx(0, w) + idx(1, w) + idx(2, w)) * 0.3))" * 3
        + ")",
    ),
    "a loss of a product: the product is stored with what is done to its numbers": (
        1,
        "fun(x: N.K.f32, w: K.M.f32, t: N.M.f32 =>"
        f" zip(x, t) |> map(fun(p => fst(p) |> fun(row => zip(w |> {PRODUCT}, snd(p))"
        " |> map(fun(q => let d = fst(q) - snd(q) in d * d))))) |> join |> reduce(add, 0.0))",
    ),
    "the greatest of each row of a product: all rows first": (
        1,
        f"fun(x: N.K.f32, w: K.M.f32 => x |> map(fun(row => w |> {PRODUCT} |> reduce(max, -inf))))",
    ),
    "the greatest of each row of a product of scaled rows: both stored for all rows": (
        2,
        "fun(x: N.K.f32, w: M.K.f32 => x |> map(map(fun(v => 2.0 * v))) |> map(fun(row =>"
        f" w |> map(fun(column => zip(row, column) |> {DOT})) |> reduce(max, -inf))))",
    ),
    "sums of columns of a product: the product is stored by rows": (
        1,
        f"fun(x: N.K.f32, w: K.M.f32 => x |> map(fun(row => w |> {PRODUCT}))"
        " |> transpose |> map(fun(c => c |> reduce(add, 0.0))))",
    ),
    "rows of a product over a length of the row: the length is a number for each row": (
        1,
        "fun(x: N.K.f32, w: K.M.f32 => x |> map(fun(row => let length = (row |> map(fun(v => v * v))"
        f" |> reduce(add, 0.0)) in w |> {PRODUCT} |> map(fun(v => v / length)) |> reduce(max, -inf))))",
    ),
    "the nearest point: distances are stored apart from the numbers of the points": (
        1,
        "fun(points: N.D.f32, centres: K.D.f32 => points |> map(fun(point => zip(centres |> map(fun(c => zip(point, c)"
        " |> map(fun(x, y => (x - y) * (x - y))) |> reduce(add, 0.0))), generate(fun(k: idx[K] => indexAsInt(k))))"
        " |> reduce(fun(a, b => if fst(b) < fst(a) then b else a), pair(inf, -1i64)) |> snd)))",
    ),
    "two layers and a sum: the second product is stored, the hidden layer by the strategy for products": (
        1,
        "fun(x: N.K.f32, w: K.M.f32, b: M.f32, v: M.L.f32 => x |> map(fun(row =>"
        f" zip(w |> {PRODUCT}, b) |> map(fun(p => max(fst(p) + snd(p), 0.0))))) |> map(fun(row => v |> {PRODUCT}))"
        " |> join |> reduce(add, 0.0))",
    ),
    "rows of a batch of products over their sums: the sums are stored": (
        1,
        "fun(e: H.S.S.f32, v: H.S.D.f32 => zip(zip(e, v), e |> map(map(fun(r => r |> reduce(add, 0.0)))))"
        " |> map(fun(b => zip(fst(fst(b)), snd(b)) |> map(fun(p => fst(p) |> fun(row =>"
        f" snd(fst(b)) |> {PRODUCT}) |> map(fun(v => v / snd(p))))))))",
    ),
    "a batch of products with one factor: written out": (
        0,
        f"fun(x: B.N.K.f32, w: K.M.f32 => x |> map(map(fun(row => w |> {PRODUCT}))))",
    ),
    "a product of coordinates: summed where it is read": (
        0,
        f"fun(x: N.3.f32, w: 3.M.f32 => x |> map(fun(row => w |> {PRODUCT} |> reduce(max, -inf))))",
    ),
    "a sum of each row beside each number: a table of sums": (
        1,
        "fun(x: N.K.f32, y: K.M.f32 => x |> map(fun(r => zip(r, y |> map(map(exp) >> reduce(add, 0.0)))"
        " |> map(fun(p => fst(p) * snd(p))))))",
    ),
    "exponentials of two vectors in a table of products: one of them stored": (
        1,
        "fun(x: N.f32, y: M.f32 => x |> map(fun(a => y |> map(fun(b => exp(a) * exp(b))))))",
    ),
    "two gradients side by side: apart": (
        0,
        "fun(xs: N.f32, ys: N.f32 => zip(xs |> map(exp), ys |> map(log)))",
    ),
}


def shared(text: str) -> Expr:
    """A program after `share`."""
    result = share(rise.parse(text).main)
    assert isinstance(result, Success)
    return result.program


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_stored_arrays(name: str) -> None:
    stored, text = PROGRAMS[name]
    program = shared(text)
    assert sum(isinstance(e, Expr) and e.root == ("toMem", 1) for e in postorder(program)) == stored
    assert rise.show(program) == read_snapshots(SNAPSHOTS)[name]


def test_every_snapshot_has_a_program() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(PROGRAMS)


@pytest.mark.parametrize("name", some(PROGRAMS, 9, first=1))
def test_decisions_change_no_result(name: str) -> None:
    program = rise.parse(PROGRAMS[name][1]).main
    kernel = shine.compile(program, target="interpret", strategy=parallel())
    for call in calls(program, 2, seed=3, most=1 << 10):
        expected = rise.evaluate(rise.specialise(program, **call.sizes), *call.arguments)
        found = kernel(*call.arguments)
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-4, atol=1e-5)


def write() -> None:
    """Write the snapshots."""
    write_snapshots(SNAPSHOTS, {name: rise.show(shared(text)) for name, (_, text) in PROGRAMS.items()})


def test_the_state_of_a_loop_is_computed_once_for_all_loops_of_a_sum() -> None:
    """As in `m[np.arange(n), y] = 0` before `m.sum()`: the sum is cut into blocks, strips and a remainder."""
    text = (
        "fun(x: N.M.f32, y: N.i64 => generate(fun(n: idx[N] => n)) |> reduceSeq(fun(m: N.M.f32, n =>"
        " let at = idx(n, y) in generate(fun(i => generate(fun(j =>"
        " if indexAsInt(i) == indexAsInt(n) then (if indexAsInt(j) == at then 0.0 else m |> idx(i) |> idx(j))"
        " else m |> idx(i) |> idx(j)))))), x |> map(map(exp))) |> join |> reduce(add, 0.0))"
    )
    result = parallel()(rise.parse(text).main)
    assert isinstance(result, Success)
    assert rise.show(result.program).count("exp") == 1


if __name__ == "__main__":
    write()


def test_decisions_report_their_numbers() -> None:
    def said(name: str) -> list[str]:
        derivation = derive(share, rise.parse(PROGRAMS[name][1]).main)
        return [one.said for _, steps in steps_of(derivation) for one in steps if one.said]

    assert said("softmax of rows: exponentials are stored for each row") == [
        "store e: each element read 2 times, 18 operations, M kept per r"
    ]
    assert said("windows of exponentials: stored before the windows") == [
        "store map(exp{f32}, xs): each element read about 2.99 times, 17 operations, N + 2 kept"
    ]
    assert said("differences that are used twice: computed twice") == [
        "compute d where it is read: each element read 3 times, 2 operations"
    ]
