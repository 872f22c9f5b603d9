"""Dependent pairs: their types, their text, the meaning of programs over them, and messages for wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
from rise.nodes import postorder
from rise.programs.dependent_pairs import take_apart
from rise.terms import Primitive
from tests.examples import examples
from tests.rise.test_dependent import message
from tests.snapshot_files import read_snapshots, write_snapshots

F = np.float32
SUM = "fun(p: (n: nat ** n.f32) => dmatch(p, fun(m: nat, xs => xs |> reduce(add, 0.0))))"
TWICE = "fun(p: (n: nat ** n.f32) => dmatch(p, fun(m: nat, xs => makeDepPair(m, xs |> map(mul(2.0))))))"
GROWN = """val main : (n: nat ** n.f32) -> (n: nat ** n.f32) = fun(p =>
  dmatch(p, fun(m: nat, xs => makeDepPair(m + 1, xs |> padCst(0, 1, 9.0)))))"""
BOTH = """fun(p: (n: nat ** n.f32), q: (n: nat ** n.f32) => dmatch(p, fun(m: nat, xs => dmatch(q, fun(k: nat, ys =>
  makeDepPair{(n |-> n.f32)}(m + k, concat(xs, ys)))))))"""
NAMED = """fun(p: (n: nat ** n.f32) =>
  let q = dmatch(p, fun(m: nat, xs => makeDepPair{(n |-> n.f32)}(m, xs |> map(add(1.0)))))
  in dmatch(q, fun(m: nat, xs => xs |> map(fun(x => x * x)) |> reduce(add, 0.0))))"""
CHOICE = """fun(c: bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) =>
  dmatch(if c then p else q, fun(m: nat, xs => xs |> reduce(add, 0.0))))"""
SQUARES = """fun(p: (n: nat ** n.n.f32) =>
  dmatch(p, fun(m: nat, rows => makeDepPair{(n |-> (n * n).f32)}(m, rows |> map(map(add(1.0))) |> join))))"""
ALL = """fun(cs: N.bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) => cs |> map(fun(c =>
  dmatch(if c then p else q, fun(m: nat, xs => xs |> reduce(add, 0.0))))))"""

NAMED_CHOICE = """fun(c: bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) =>
  let r = if c then p else q in
  dmatch(r, fun(m: nat, xs => xs |> reduce(add, 0.0))) * dmatch(r, fun(m: nat, xs => xs |> reduce(max, 0.0))))"""
NAMED_ALL = """fun(cs: N.bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) => cs |> map(fun(c =>
  let r = if c then p else q in
  dmatch(r, fun(m: nat, xs => xs |> reduce(add, 0.0))) * dmatch(r, fun(m: nat, xs => xs |> reduce(max, 0.0))))))"""
PAST = "fun(p: (n: nat ** f32) => dmatch(p, fun(m: nat, x => makeDepPair{(n |-> f32)}(m + 1, x))))"

TYPES = {
    SUM: "(n: nat ** n.f32) -> f32",
    TWICE: "(n: nat ** n.f32) -> (m: nat ** m.f32)",
    GROWN: "(n: nat ** n.f32) -> (n: nat ** n.f32)",
    BOTH: "(n: nat ** n.f32) -> (n: nat ** n.f32) -> (n: nat ** n.f32)",
    NAMED: "(n: nat ** n.f32) -> f32",
    NAMED_CHOICE: "bool -> (n: nat ** n.f32) -> (n: nat ** n.f32) -> f32",
    CHOICE: "bool -> (n: nat ** n.f32) -> (n: nat ** n.f32) -> f32",
    SQUARES: "(n: nat ** n.n.f32) -> (n: nat ** (n^2).f32)",
    "fun(p: (n: nat ** 3.f32) => p)": "(n: nat ** 3.f32) -> (n: nat ** 3.f32)",
    "fun(p: (n: nat ** (k: nat ** n.k.f32)) => p)": (
        "(n: nat ** (k: nat ** n.k.f32)) -> (n: nat ** (k: nat ** n.k.f32))"
    ),
    "fun({f: nat -> data}, p: (n: nat ** f(n)) => p)": (
        "{f: nat -> data} -> (n: nat ** f(n)) -> (n: nat ** f(n))"
    ),
    "val main : (n: nat ** n.i32) = makeDepPair(3, [1, 2, 3])": "(n: nat ** n.i32)",
}


def paired(*values: float) -> tuple[int, Any]:
    """A dependent pair of an array."""
    return len(values), np.array(values, F)


@pytest.mark.parametrize("text", TYPES)
def test_the_type_and_the_text(text: str) -> None:
    e = rise.parse(text).main
    assert str(e.type) == TYPES[text]
    assert rise.parse_expr(rise.show(e)) == e


def test_a_pair_is_a_number_and_an_array() -> None:
    assert rise.evaluate(rise.parse(SUM).main, paired(1, 2, 3)) == 6
    number, values = rise.evaluate(rise.parse(GROWN).main, paired(1, 2))
    assert number == 3 and number.dtype == np.int64 and number.shape == ()
    assert values.tolist() == [1, 2, 9]
    again, values = rise.evaluate(rise.parse(TWICE).main, (number, values))  # unchanged
    assert again == 3 and values.tolist() == [2, 4, 18]


@pytest.mark.parametrize("text", [ALL, NAMED_ALL])
def test_a_choice_between_pairs_for_each_element(text: str) -> None:
    chosen = np.array([True, False, True])
    e = rise.parse(text).main
    found = rise.evaluate(e, chosen, paired(1), paired(1, 2))
    alone = [rise.evaluate(e, np.array([one]), paired(1), paired(1, 2))[0] for one in chosen]
    assert found.tolist() == alone
    pair_too = "fun(cs: N.bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) => let sums = CS in dmatch(p,"
    pair_too += " fun(m: nat, xs => makeDepPair{(n |-> (n + N).f32)}(m, concat(xs, sums)))))"
    whole = rise.parse(pair_too.replace("CS", ALL.split("=> ", 1)[1][:-1])).main
    number, values = rise.evaluate(whole, chosen, paired(1), paired(1, 2))
    assert number == 1 and values.tolist() == [1, 1, 3, 1]


def test_types_are_equal_whatever_the_number_is_called() -> None:
    one, other = (rise.parse(f"fun(p: ({n}: nat ** {n}.f32) => p)").main for n in "nk")
    assert one == other


CALLS: dict[str, Callable[[Any, Any], tuple[Any, ...]]] = {
    SUM: lambda p, q: (p,),
    TWICE: lambda p, q: (p,),
    GROWN: lambda p, q: (p,),
    BOTH: lambda p, q: (p, q),
    NAMED: lambda p, q: (p,),
    CHOICE: lambda p, q: (len(p[1]) % 2 == 0, p, q),
}


@pytest.mark.parametrize("text", CALLS)
@settings(max_examples=examples(10), deadline=None)
@given(
    first=some.lists(some.integers(-9, 9), max_size=5), second=some.lists(some.integers(-9, 9), max_size=5)
)
def test_a_program_without_its_pairs_means_the_same(text: str, first: list[int], second: list[int]) -> None:
    """Its pairs become sizes and arrays, and its result becomes the array alone."""
    e = rise.parse(text).main
    given_pairs = CALLS[text](paired(*first), paired(*second))
    expected = rise.evaluate(e, *given_pairs)
    apart = take_apart(e)
    assert {node.name for node in postorder(apart.term) if isinstance(node, Primitive)}.isdisjoint(
        ("dmatch", "makeDepPair")
    )
    alone = [one[1] if isinstance(one, tuple) else one for one in given_pairs]
    found = rise.evaluate(apart.term, *alone)
    if apart.number is not None:
        expected = expected[1]
    assert found.tolist() == expected.tolist()


def test_a_program_without_pairs_is_unchanged() -> None:
    e = rise.parse("fun(xs: N.f32 => xs)").main
    assert take_apart(e).term is e


def test_a_chain_of_pairs_may_be_long() -> None:
    """Nothing recurses on the number of pairs."""
    steps = "".join(
        f"let p{k + 1} = dmatch(p{k}, fun(m: nat, xs => makeDepPair{{(n |-> n.f32)}}(m, xs))) in "
        for k in range(60)
    )
    e = rise.parse(f"fun(p0: (n: nat ** n.f32) => {steps} p60)").main
    assert str(take_apart(e).term.type) == "{n: nat} -> n.f32 -> n.f32"


SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "dependent_pair_errors.txt"
MISTAKES: dict[str, Callable[[], Any]] = {
    "an array where a pair is expected": lambda: rise.evaluate(rise.parse(SUM).main, np.zeros(3, F)),
    "a number that is none": lambda: rise.evaluate(rise.parse(SUM).main, (3.0, np.zeros(3, F))),
    "a negative number": lambda: rise.evaluate(rise.parse(SUM).main, (-1, np.zeros(3, F))),
    "a number that no index has": lambda: rise.evaluate(rise.parse(PAST).main, (1 << 63, F(1))),
    "a number past the greatest": lambda: rise.evaluate(rise.parse(PAST).main, ((1 << 63) - 1, F(1))),
    "another number than the array has": lambda: rise.evaluate(rise.parse(SUM).main, (4, np.zeros(3, F))),
    "an array of pairs": lambda: rise.evaluate(
        rise.parse("fun(p: (n: nat ** n.f32) => generate(fun(i: idx[2] => p)))").main, paired(1)
    ),
    "an input of pairs": lambda: rise.evaluate(
        rise.parse("fun(ps: N.(n: nat ** n.f32) => ps)").main, [paired(1)]
    ),
    "the number outside of dmatch": lambda: rise.parse(SUM.replace("xs |> reduce(add, 0.0)", "xs")),
    "nothing says how the type depends on the number": lambda: rise.parse("makeDepPair(3, [1, 2, 3])"),
    "a value of another size": lambda: rise.parse("val main : (n: nat ** n.i32) = makeDepPair(4, [1, 2, 3])"),
    "a pair over types": lambda: rise.parse("fun(p: (t: data ** 3.t) => p)"),
    "a size that the number does not fit": lambda: rise.evaluate(
        rise.parse(SUM.replace("xs |> reduce", "xs |> split(2) |> join |> reduce")).main, paired(1, 2, 3)
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_error_messages(name: str) -> None:
    assert message(MISTAKES[name]) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(MISTAKES)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(call) for name, call in MISTAKES.items()})
