"""Every text is a program or causes one diagnostic: programs are mutated at random. Independent of messages."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rise import RiseError, parse, parse_expr, show
from rise.terms import Expr
from rise.testing import Run, programs, terms
from rise.testing.mutations import mutated
from tests.examples import examples

LISTINGS = Path(__file__).parents[2] / "data" / "listings"
TEXTS = [
    "fun(xs: N.f32 => xs |> padEmpty(32 * ceil(N, 32) - N) |> split(32) |> map(map(neg)) |> join |> take(N))",
    "fun(xs: (4*N+6).f32 => slide(6)(4)(xs) |> map(reduce(add, 0)))",
    "fun(k: nat, xs: (N*2^k).f32 => iterate(k)(fun(l: nat, ys => ys |> split(2) |> map(reduce(add, 0))))(xs))",
    "val f = fun(x => x)\nval g where 4 divides n = fun(n: nat, xs: n.f32 => split(4)(xs) |> map(f))",
    "val f : {t: num} -> t -> t = fun(x => x + 1)\nval g = fun(a: space, x: f32 => toMem(a)(f{f32}(x)))",
    "fun(f: {n: nat} -> n.f32 -> f32, xs: M.4.f32 => map(f)(xs))",
    "fun(a: 16.16.f16, b => asMatrix(tensorMatMulAdd(asFragment(a), asFragment(b), generateFragment(0.0))))",
    "fun(x: 4.i32, i: idx[4] => if idx(i, x) < 3 && !(idx(0, x) == -1) then [1, 2] else map(neg)([-inf, 1.0]))",
]


def is_program_or_diagnostic(text: str) -> None:
    """A program is printed and read back; otherwise, there is a diagnostic."""
    told: RiseError | None = None
    try:
        program = dict(parse(text))
    except RiseError as error:
        program, told = {}, error
    assert told is None or (told.diagnostic.code and told.diagnostic.title and str(told))
    for e in program.values():
        assert parse_expr(show(e)) == e


@settings(max_examples=examples(150))
@given(
    st.sampled_from(
        [
            *(path.read_text(encoding="utf-8") for path in sorted(LISTINGS.glob("*.rise"))),
            *TEXTS,
        ]
    ),
    st.integers(0, 1 << 32),
)
def test_a_mutated_listing_is_a_program_or_one_diagnostic(text: str, seed: int) -> None:
    is_program_or_diagnostic(mutated(text, seed))


@given(terms(depth=3), st.integers(0, 1 << 32))
def test_a_mutated_term_is_a_program_or_one_diagnostic(e: Expr, seed: int) -> None:
    is_program_or_diagnostic(mutated(show(e), seed))


@given(programs())
def test_programs_with_omitted_types_are_inferred_or_rejected(run: Run) -> None:
    shown = show(run.program)
    assert parse_expr(shown) == run.program
    is_program_or_diagnostic(re.sub(r"(\w+): [^,=()]+(?=, | =>)", r"\1", shown))
