"""Costs are compared as decisions require."""

import pytest

import rise
from elevate import Success
from rise.naturals import const, exact_quotient, var
from rise.terms import App, Expr, Lam
from strategies.costs.decisions import cost, is_inlined, stored_part, typical
from strategies.costs.prices import PROCESSOR
from strategies.costs.products import reads_rows
from strategies.sharing import share


def inner(text: str) -> Expr:
    """The body of a program, below its parameters."""
    e = rise.parse(text).main
    while isinstance(e, Lam):
        e = e.body
    return e


def named(v: str, body: str) -> Expr:
    """A call that names an array."""
    return inner(f"fun(a: 9.f32, b: 9.9.f32 => (fun(x => {body}))({v}))")


def test_an_unknown_size_has_a_typical_value() -> None:
    n = var("n")
    assert typical(n) == PROCESSOR.typical_size
    assert typical(exact_quotient(n + 2, n)) == 1 + 2 / PROCESSOR.typical_size
    assert typical(const(7)) == 7.0


def test_a_count_without_a_value_is_large() -> None:
    n = var("n")
    assert typical(exact_quotient(1, n - PROCESSOR.typical_size)) == PROCESSOR.typical_size


def test_costs_grow_with_reads() -> None:
    v = inner("fun(a: 9.f32 => a |> map(exp))")
    once, often = cost(v, const(1)), cost(v, const(5))
    assert once.again < once.stored
    assert often.again > often.stored


def test_distant_memory_costs_more() -> None:
    near = inner("fun(a: 9.f32 => a |> map(neg))")
    far = inner("fun(a: 100000.f32 => a |> map(neg))")
    assert cost(far, const(2)).stored - cost(near, const(2)).stored == PROCESSOR.far - PROCESSOR.near


def test_stored_truth_values_are_converted() -> None:
    """They are bytes, while the numbers of a vector that they select are wider."""
    truths, numbers = (
        inner("fun(a: 9.f32 => a |> map(fun(x => x > 1.0)))"),
        inner("fun(a: 9.f32 => a |> map(neg))"),
    )
    reads = const(3)
    assert cost(truths, reads).stored - cost(numbers, reads).stored == 4 * PROCESSOR.truth


def test_a_value_may_be_repeated_if_it_is_short() -> None:
    """The more often, the shorter."""
    short, long = "a |> map(fun(x => x > 1.0))", "a |> map(fun(x => x > 1.0 && x < 2.0))"
    for count, v, is_cheap in ((2, short, True), (2, long, True), (8, short, True), (8, long, False)):
        body = "pair(" * (count - 1) + "x" + ", x)" * (count - 1)
        assert is_inlined(named(v, body)) is is_cheap, (count, v)


@pytest.mark.parametrize(
    ("v", "body", "is_cheap"),
    [
        ("a |> map(exp)", "x |> map(neg)", True),
        ("a |> map(exp)", "x |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", False),
        ("a |> map(fun(v => v + 1.0))", "x |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", True),
        ("a |> map(exp)", "b |> map(fun(row => zip(row, x) |> map(fun(p => fst(p) + snd(p)))))", False),
        ("a |> drop(1)", "b |> map(fun(row => x))", True),
        ("a |> map(exp)", "zip(x, x |> map(neg))", False),
        ("a |> map(fun(v => v - 1.0))", "zip(x, x |> map(neg))", True),
        ("a |> map(neg) |> toMem(Local)", "x |> map(fun(v => v + idx(0, x)))", False),
        ("a |> scan(add, 0.0)", "b |> map(fun(row => idx(0, x)))", False),
        (
            "a |> map(exp)",
            "a |> iterate(3, fun(l: nat, ys: l.f32 => ys |> map(fun(y => y + idx(0, x)))))",
            False,
        ),
        (  # an element of the state of a loop takes the whole loop
            "generate(fun(i: idx[9] => i)) |> reduceSeq(fun(s, i => generate(fun(k: idx[9] =>"
            " if indexAsInt(k) == indexAsInt(i) then idx(k, s) + 1.0 else idx(k, s)))), a)",
            "x |> map(exp)",
            False,
        ),
    ],
)
def test_values_that_are_inlined(v: str, body: str, is_cheap: bool) -> None:
    assert is_inlined(named(v, body)) is is_cheap


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a |> map(exp) |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", "a |> map(exp)"),
        ("a |> map(exp) |> map(neg)", None),
        ("a |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", None),
        ("a |> map(exp) |> toMem(Local) |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", None),
        (
            "a |> map(exp) |> split(3) |> transpose |> map(fun(c => [idx(0, c) + idx(1, c), idx(0, c) - idx(2, c)]))",
            "a |> map(exp) |> split(3) |> transpose",
        ),
    ],
)
def test_where_a_value_is_stored(text: str, stored: str | None) -> None:
    e = inner(f"fun(a: 9.f32 => {text})")
    path = stored_part(e)
    if stored is None:
        assert path is None
        return
    assert path is not None
    found = e
    for child in path:
        found = found.children[child]
    assert found == inner(f"fun(a: 9.f32 => {stored})")


def test_when_rows_of_factors_are_stored() -> None:
    dot = "map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"
    rows = named("a |> map(exp)", f"b |> map(fun(row => zip(row, x) |> {dot}))")
    numbers = named("a |> map(exp)", f"zip(x, a) |> {dot}")
    inner_product = f"b |> map(fun(column => (zip(fst(p), column) |> {dot}) / snd(p)))"
    beside = named("a |> map(exp)", f"zip(b, x) |> map(fun(p => {inner_product}))")
    within = named("b |> map(map(exp))", f"zip(x, a) |> map(fun(p => {inner_product}))")
    for e, holds in ((rows, True), (numbers, False), (beside, False), (within, True)):
        assert isinstance(e, App) and isinstance(e.fun, Lam)
        assert reads_rows(e.fun.body) is holds


@pytest.mark.parametrize(
    "text",
    [
        "fun(xs: N.0.f32 => let e = (xs |> map(map(exp))) in zip(e, e |> map(fun(r => r |> reduce(add, 0.0)))))",
        "fun(xs: 0.f32 => xs |> map(exp) |> padClamp(1, 1) |> slide(2, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
        "fun(xs: 0.3.f32 => xs |> map(map(exp)) |> transpose |> map(fun(c => c |> reduce(add, 0.0))))",
    ],
)
def test_arrays_without_elements_cost_nothing(text: str) -> None:
    result = share(rise.parse(text).main)
    assert isinstance(result, Success)


def test_values_that_each_element_stores_are_not_stored_per_number() -> None:
    """The value is read number by number, across the arrays from which it is computed."""
    image = (
        "fun(m: 24.f32 => m |> split(2) |> map(fun(w => w |> reduce(max, 0.0)))"
        " |> slide(3, 1) |> map(fun(w => w |> map(exp) |> reduce(add, 0.0))))"
    )
    rest = "|> join |> split(5) |> map(fun(r => r |> reduce(max, 0.0)))"
    shared = share(rise.parse(f"fun(x: N.24.f32 => x |> map({image}) {rest})").main)
    assert isinstance(shared, Success)
    assert "join |> toMem(Local) |> fun(stored: (10 * N).f32 => split(5, stored))" in " ".join(
        rise.show(shared.program).split()
    )


@pytest.mark.parametrize(
    ("body", "is_once"),
    [
        ("zip(x, x) |> map(fun(p => fst(p) * snd(p)))", True),
        ("zip(a, x) |> map(fun(p => snd(p) * snd(p) + fst(p))) |> reduce(add, 0.0)", True),
        ("zip(x, x |> map(neg)) |> map(fun(p => fst(p) * snd(p)))", True),
        ("x |> map(fun(v => v * v)) |> split(3)", True),
        ("x |> map(fun(v => v * v)) |> slide(3, 1)", False),
        ("x |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0)))", False),
        ("b |> map(fun(row => zip(row, x) |> map(fun(p => fst(p) * snd(p) + snd(p)))))", False),
        ("zip(drop(1, a), drop(1, x)) |> map(fun(p => snd(p) * snd(p)))", False),
    ],
)
def test_an_element_that_one_iteration_reads_repeatedly_is_not_stored(body: str, is_once: bool) -> None:
    """It gets a name in the function of the loop."""
    text = f"fun(a: 9.f32, b: 9.9.f32 => let x = a |> map(exp) in {body})".replace(
        "a, x |> drop(1)", "drop(1, a), x |> drop(1)"
    )
    shared = share(rise.parse(text).main)
    assert isinstance(shared, Success)
    shown = rise.show(shared.program)
    assert ("toMem" not in shown and shown.count("exp") == 1) == is_once, shown
