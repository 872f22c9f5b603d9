"""Pipelined reductions agree with their meaning at every length, with constant slots; and loads that are rejected."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
from rise.types import FunType
from shine.imperative.nodes import Allocate, Assign, For, If
from shine.imperative.walk import loads, value_of
from shine.kernel import make_kernel
from shine.translate import TranslationError, translate
from tests.examples import THOROUGH, some
from tests.shine.executors import in_turn
from tests.shine.translate.interpretation import agree, numbers, program, statements

ADD: Final = "fun(a, row => zip(a, row) |> mapSeq(fun(p => fst(p) + 2.0 * snd(p))))"
STORED: Final = "toMem(Local, mapSeq(fun(y => y + 1.0), row))"
#: programs with `N` elements and `S` stages
PROGRAMS: Final = {
    "numbers": "fun(xs: N.f32 => reducePipe(S, fun(x => toMem(Local, x * x)), fun(a, y => 3.0 * a + y + y), 1.0, xs))",
    "pairs of numbers": """fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> reducePipe(S,
        fun(p => pair(toMem(Local, fst(p) + 1.0), toMem(Local, snd(p)))),
        fun(a, p => 2.0 * a + fst(p) * snd(p) - fst(p)), 0.0))""",
    "what is in no memory": """fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> reducePipe(S,
        fun(p => pair(fst(p), toMem(Local, snd(p)))), fun(a, p => 2.0 * a + fst(p) * snd(p)), 0.0))""",
    "rows": f"""fun(xs: N.4.f32, ys: 4.f32 =>
        xs |> reducePipe(S, fun(row => {STORED}), {ADD}, mapSeq(fun(y => y), ys)))""",
    "views of rows": """fun(xs: N.4.f32 => xs |> reducePipe(S,
        fun(row => toMem(Local, mapSeq(fun(y => y + 1.0), row)) |> split(2) |> transpose |> join |> padClamp(1, 0)),
        fun(a, row => reduceSeq(fun(b, y => 2.0 * b + y), a, row)), 0.0))""",
    "one function for both halves": """fun(xs: N.4.f32, ys: N.4.f32 => zip(xs, ys) |> reducePipe(S,
        fun(p => (fun(store: 4.f32 -> 4.f32 => pair(store(fst(p)), store(snd(p))))) (fun(r =>
        toMem(Local, mapSeq(fun(y => y + 1.0), r))))),
        fun(a, p => zip(fst(p), snd(p)) |> reduceSeq(fun(b, q => 2.0 * b + fst(q) - snd(q)), a)), 0.0))""",
    "a value that is stored on the way": """fun(xs: N.4.f32 => xs |> reducePipe(S,
        fun(row => toMem(Local, mapSeq(fun(y => y + 1.0), toMem(Local, mapSeq(fun(y => y * 2.0), row))))),
        fun(a, row => reduceSeq(fun(b, y => 2.0 * b + y), a, row)), 0.0))""",
    "a sum as an element": """fun(xs: N.4.f32 => xs |> reducePipe(S,
        fun(row => toMem(Local, reduceSeq(add, 1.0, row))), fun(a, y => 2.0 * a + y), 0.0))""",
    "one in the other's step": """fun(xs: N.5.4.f32, ys: 4.f32 => xs |> reducePipe(S,
        fun(m => toMem(Local, mapSeq(mapSeq(fun(y => y + 1.0)), m))), fun(acc, m =>
        m |> reducePipe(2, fun(row => toMem(Local, mapSeq(fun(y => y * 2.0), row))), ADD, acc)),
        mapSeq(fun(y => y), ys)))""".replace("ADD", ADD),
    "one in the other's load": """fun(xs: N.5.f32 => xs |> reducePipe(S, fun(row => toMem(Local,
        reducePipe(2, fun(y => toMem(Local, y + 1.0)), fun(b, y => 2.0 * b + y), 0.0, row))),
        fun(a, y => 3.0 * a + y), 0.0))""",
    "the outer accumulator is loaded": f"""fun(xs: 2.N.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reducePipe(S, fun(r => toMem(Local, zip(acc, r) |> mapSeq(fun(p => fst(p) + snd(p))))), {ADD}, acc)),
        mapSeq(fun(y => y), ys)))""",
    "as the result of a map": """fun(xs: 3.N.f32 => xs |> mapSeq(fun(row =>
        reducePipe(S, fun(x => toMem(Local, x + 1.0)), fun(a, y => 2.0 * a + y), 0.0, row))))""",
    "elements that tell places": """fun(xs: N.f32, ys: 4.f32 => generate(fun(i: idx[N] => i)) |> reducePipe(S,
        fun(i => toMem(Local, idx(i, xs))), fun(a, y => 2.0 * a + y), 0.0))""",
}


def of_size(text: str, stages: int, size: int | str) -> str:
    return text.replace("S,", f"{stages},", 1).replace("N", str(size))


@pytest.mark.parametrize(("name", "stages"), some(in_turn(PROGRAMS, (3, 1, 2, 4) if THOROUGH else (3, 1)), 2))
def test_pipelines_agree_with_their_meaning_at_every_length(name: str, stages: int) -> None:
    """Each remainder by the number of stages, fewer elements than are loaded before the loop, and none."""
    symbolic = program(of_size(PROGRAMS[name], stages, "N"))
    kernel = make_kernel(translate(symbolic), "interpret")
    for size in range(2 * stages + 2):
        fixed = program(of_size(PROGRAMS[name], stages, size))
        arguments: list[Any] = []
        t = fixed.type
        while isinstance(t, FunType):
            arguments.append(numbers(t.parameter, size))
            t = t.result
        np.testing.assert_array_equal(kernel(*arguments), rise.evaluate(fixed, *arguments))
        if THOROUGH or size in (0, stages, stages + 1):
            agree(fixed, *arguments)


def test_each_load_is_read_from_the_slot_where_it_was_stored() -> None:
    """Slots are constants: three are written before and in the loop, and read in and after it."""
    made = translate(program(of_size(PROGRAMS["numbers"], 3, "N")))
    (slots,) = [
        one.buffer for one in statements(made.body) if isinstance(one, Allocate) and one.buffer.stages > 1
    ]
    assert (slots.stages, slots.size.constant) == (3, 3)
    written = [
        one.index.constant for one in statements(made.body) if isinstance(one, Assign) and one.buffer == slots
    ]
    assert written == [0, 1, 2, 0, 1]
    read = [
        load.index.constant
        for one in statements(made.body)
        if (value := value_of(one)) is not None
        for load in loads(value)
        if load.buffer == slots
    ]
    assert read == [0, 1, 2, 0, 1]


def test_guards_are_where_an_element_may_be_missing() -> None:
    """Two before the loop, none for the first load of a round, and one for each possible remaining step."""
    made = translate(program(of_size(PROGRAMS["numbers"], 3, "N")))
    (loop,) = [one for one in made.body.statements if isinstance(one, For)]
    assert sum(isinstance(one, If) for one in made.body.statements) == 2 + 2
    assert [type(one) for one in loop.body.statements].count(If) == 2
    assert any(isinstance(one, Assign) for one in loop.body.statements[:2])
    fixed = translate(program(of_size(PROGRAMS["numbers"], 3, 6)))
    outside = [one for one in fixed.body.statements if isinstance(one, If)]
    assert outside == []


def test_one_stage_is_the_plain_loop() -> None:
    """One slot, no load before the loop, no unrolling and no remainder."""
    piped = translate(program(of_size(PROGRAMS["rows"], 1, "N")))
    plain = translate(
        program(f"""fun(xs: N.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(a, x => (fun(row => ({ADD})(a, row)))(
            (fun(row => {STORED})(x)))), mapSeq(fun(y => y), ys)))""")
    )

    def kinds(made: Any) -> list[str]:
        return [type(one).__name__ for one in statements(made.body) if not isinstance(one, Allocate)]

    assert kinds(piped) == kinds(plain)
    assert piped.body.statements[-2].count == plain.body.statements[-2].count  # type: ignore[union-attr]  # loops


HINT: Final = "hint: put `toMem` around all that `load` computes, or compute it in the step"
VIEWS: Final = (
    "error[pipeline-load]: expected a `load` that only views what its `toMem` stores, found one that"
)
REFUSED: Final = {
    "fun(xs: 8.f32 => reducePipe(2, fun(x => x * x), add, 0.0, xs))": """\
error[pipeline-load]: expected a `load` that stores each element with `toMem`, found one that stores nothing
note: in fun(x: f32 => x * x)
hint: store it: `fun(x => toMem(Shared, ...))`, or `toMem(Local, ...)` for each thread's registers""",
    "fun(xs: 8.f32 => reducePipe(2, fun(x => toMem(Local, x) * x), add, 0.0, xs))": f"""\
{VIEWS} computes with `mul`
note: in fun(x: f32 => toMem(Local, x) * x)
{HINT}""",
    "fun(xs: 8.4.f32 => reducePipe(2, fun(r => map(fun(y => y + 1.0), toMem(Local, mapSeq(id, r)))), "
    "fun(a, r => reduceSeq(add, a, r)), 0.0, xs))": f"""\
{VIEWS} computes with `add`
note: in fun(r: 4.f32 => r |> mapSeq(id{{f32}}) |> toMem(Local) |> map(fun(y: f32 => y + 1.0)))
{HINT}""",
    "fun(xs: 8.4.f32 => reducePipe(2, fun(r => pair(toMem(Local, 1.0), reduceSeq(add, 0.0, r))), "
    "fun(a, p => a + snd(p)), 0.0, xs))": f"""\
{VIEWS} leaves computations to its readers
note: in fun(r: 4.f32 => pair(toMem(Local, 1.0), reduceSeq(add{{f32}}, 0.0, r)))
{HINT}""",
    "fun(xs: 8.f32 => reducePipe(0, fun(x => toMem(Local, x)), add, 0.0, xs))": """\
error[pipeline-stages]: expected a number of stages from 1 to 16, found 0
note: in xs |> reducePipe(0, fun(x: f32 => toMem(Local, x)), add{f32}, 0.0)
hint: write the number: `reducePipe(3, load, step, start)`""",
    "fun(s: nat, xs: 8.f32 => reducePipe(s, fun(x => toMem(Local, x)), add, 0.0, xs))": """\
error[pipeline-stages]: expected a number of stages from 1 to 16, found a symbolic one
note: in xs |> reducePipe(s, fun(x: f32 => toMem(Local, x)), add{f32}, 0.0)
hint: write the number: `reducePipe(3, load, step, start)`""",
}


@pytest.mark.parametrize("text", REFUSED)
def test_loads_that_cannot_be_pipelined_are_rejected(text: str) -> None:
    with pytest.raises(TranslationError) as caught:
        translate(program(text))
    assert str(caught.value) == REFUSED[text]


def test_the_meaning_needs_no_memory() -> None:
    """Only translation needs it: `rise.evaluate` accepts any function."""
    e = program("fun(xs: 4.f32 => reducePipe(2, fun(x => x * x), add, 0.0, xs))")
    assert rise.evaluate(e, np.arange(4, dtype=np.float32)) == 14
