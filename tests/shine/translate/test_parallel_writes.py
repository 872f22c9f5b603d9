"""Parallel loops that write through chains of views: the verdict from the structure is compared with all addresses,
enumerated by the interpreter, which records the accesses of every iteration.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.analysis import injections
from rise.analysis.injections import is_injection, not_apart
from rise.naturals import const
from rise.primitives import PRIMITIVES, lookup
from rise.primitives.record import Half, Place
from rise.quotients import floor_quotient
from shine.translate import entry, places, translate
from tests.examples import SAMPLED, examples, some

#: views whose places are not injections, to replace the right ones; all stay within their arrays
PLANTED: Final = {
    "join": Place(2, lambda at, i, j: (j,)),
    "split": Place(1, lambda at, k: (floor_quotient(k, at.n), const(0))),
    "transpose": Place(2, lambda at, i, j: (j, const(0))),
    "take": Place(1, lambda at, i: (floor_quotient(i, const(2)),), lambda at, i: (i, at.n)),
    "drop": Place(1, lambda at, i: (const(0),), lambda at, i: (at.n, i + 1)),
}
#: other wrong places, which may leave their arrays
WRONG: Final = {
    "join": (
        Place(2, lambda at, i, j: (i * (at.m - 1) + j,)),
        Place(2, lambda at, i, j: (i + j,)),
        Place(2, lambda at, i, j: (i * at.n + j,)),
        Place(2, lambda at, i, j: (i * at.m,)),
    ),
    "split": (
        Place(1, lambda at, k: (floor_quotient(k, at.n), floor_quotient(k, at.n))),
        Place(1, lambda at, k: (const(0), k - k)),
    ),
    "transpose": (Place(2, lambda at, i, j: (j, j)), Place(2, lambda at, i, j: (i + 2 * j, const(0)))),
    "unzip": (Place(2, lambda at, i, half: (Half(0), i)),),
    "concat": (Place(1, lambda at, i: (const(0),)),),
}


def at(depth: int, view: str) -> str:
    return f"map({at(depth - 1, view)})" if depth else view


def chain(draw: random.Random) -> tuple[str, list[int]]:
    """A program that copies an array in nested loops, one of them parallel, through up to six views."""
    shape = [draw.choice((1, 2, 3, 4, 6)) for _ in range(draw.randint(1, 4))]
    given = list(shape)
    parallel = draw.randrange(len(shape))
    loops = "fun(x => x + 1.0)"
    for depth in reversed(range(len(shape))):
        loops = f"{'mapPar' if depth == parallel else 'mapSeq'}({loops})"
    text = loops
    for _ in range(draw.randint(1, 6)):
        depth = draw.randrange(len(shape))
        size = shape[depth]
        match draw.choice(("split", "join", "transpose", "take", "drop", "scatter", "reorder", "grow")):
            case "split":
                width = draw.choice([n for n in range(1, size + 1) if size % n == 0])
                view, shape[depth : depth + 1] = f"split({width})", [size // width, width]
            case "join" if depth + 1 < len(shape):
                view, shape[depth : depth + 2] = "join", [size * shape[depth + 1]]
            case "transpose" if depth + 1 < len(shape):
                view, shape[depth : depth + 2] = "transpose", [shape[depth + 1], size]
            case "take":
                view, shape[depth] = f"take({(kept := draw.randint(1, size))})", kept
            case "drop":
                view, shape[depth] = f"drop({(lost := draw.randrange(size))})", size - lost
            case "scatter":
                view = "scatter(generate(fromEnd))"
            case "reorder":
                view = "reorder(fromEnd, fromEnd)"
            case "grow":
                view, shape[depth] = "padEmpty(1)", size + 1
            case _:
                continue
        text += f" |> {at(depth, view)}"
    return f"fun(xs: {'.'.join(map(str, given))}.f32 => xs |> {text})", given


def plant(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the places of a view by wrong ones, both in the proof and in the translation."""
    wrong = replace(PRIMITIVES[name], places=(PLANTED[name],))
    for module in (injections, places):
        monkeypatch.setattr(module, "lookup", lambda one: wrong if one == name else lookup(one))


def meets(e: rise.Expr, shape: list[int], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether two iterations of a parallel loop write one element: run without the proof, recording each access."""
    with monkeypatch.context() as unchecked:
        unchecked.setattr(entry, "not_apart", lambda e: ())
        kernel = shine.compile(e, target="interpret")
    try:
        kernel(np.zeros(shape, np.float32))
    except AssertionError as error:
        if "two iterations of a parallel loop conflict" not in str(error):
            raise
        return True
    return False


def is_refused(e: rise.Expr) -> bool:
    try:
        translate(e)
    except rise.RiseError as error:
        if error.diagnostic.code != "parallel-write":
            raise
        return True
    return False


def test_no_chain_of_views_is_rejected_and_none_overlaps(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    for _ in range(40 if SAMPLED else max(100, examples(100))):
        text, shape = chain(draw)
        e = rise.parse(text).main
        assert not is_refused(e), text
        assert not meets(e, shape, monkeypatch), text


@pytest.mark.parametrize("name", some(PLANTED, 2))
def test_a_planted_overlap_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whenever two iterations write one element, the loop is rejected; rarely if they do not."""
    plant(name, monkeypatch)
    draw = random.Random(2)
    found: Counter[tuple[bool, bool]] = Counter()
    while found.total() < max(30 if SAMPLED else 40, examples(40)):
        text, shape = chain(draw)
        if name not in text:
            continue
        e = rise.parse(text).main
        verdict = is_refused(e), meets(e, shape, monkeypatch)
        assert verdict != (False, True), text
        found[verdict] += 1
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name}: {found[True, True]} overlap, {found[True, False]} refused without need\n"
        )
    assert (
        found[True, False] <= found.total() * 0.9 and found[True, True] >= 4
    )  # many loops have one iteration


@pytest.mark.parametrize("name", WRONG)
def test_wrong_places_are_not_proved(name: str) -> None:
    for place in WRONG[name]:
        assert not is_injection(replace(PRIMITIVES[name], places=(place,) * len(PRIMITIVES[name].places)))


PLACED = [record for record in PRIMITIVES.values() if record.places]


@pytest.mark.parametrize("record", PLACED, ids=lambda record: record.name)
def test_every_view_is_an_injection(record: Any) -> None:
    assert is_injection(record)


def test_memory_inside_a_view_is_a_separate_place(monkeypatch: pytest.MonkeyPatch) -> None:
    plant("join", monkeypatch)
    inside = "fun(xs: 3.4.f32 => xs |> mapPar(mapSeq(id)) |> toMem(Global) |> mapSeq(mapSeq(id)) |> join)"
    around = "fun(xs: 3.4.f32 => xs |> mapPar(mapSeq(id)) |> join)"
    assert not_apart(rise.parse(inside).main) == ()
    ((_, view),) = not_apart(rise.parse(around).main)
    assert view == "join"
    named = "fun(xs: 3.4.f32 => (fun(f => xs |> mapPar(mapSeq(id)) |> f))(join))"
    assert not_apart(rise.parse(named).main)
    with pytest.raises(rise.RiseError, match="parallel-write") as caught:
        translate(rise.parse(around).main)
    assert "found `join`" in caught.value.diagnostic.title


@pytest.mark.parametrize(
    "text",
    [
        "fun(n: nat, xs: (n*n).f32 => xs |> mapPar(id) |> split(n) |> transpose |> join)",
        "fun(xs: 35.f32 => xs |> mapPar(id) |> split(5) |> transpose |> join |> split(7) |> transpose)",
        "fun({N: nat where 3 divides N}, a: N.4.f32 => a |> mapPar(mapSeq(id)) |> split(3) |> transpose |> split(3))",
        "fun(a: N.12.f32 => a |> transpose |> mapPar(mapSeq(id)) |> drop(1))",
        # tiles of 64 columns of a group of 12 x 50 columns, which another order of letters would tear apart
        "fun(a: 10.640.f32 => a |> split(2) |> mapPar(mapSeq(mapSeq(id))) |> join |> transpose |> take(600)"
        " |> split(50) |> transpose |> map(transpose))",
    ],
)
def test_disjoint_writes_without_a_mixed_radix_form_are_proved(text: str) -> None:
    translate(rise.parse(text).main)
