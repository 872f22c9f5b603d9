"""Obligations: they hold if and only if all sizes of a term are naturals. Independent of values of terms.

One subject: the conditions of a term, in their forms and from every place that has sizes.
"""

from __future__ import annotations

import itertools
import pickle
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.analysis.obligations import (
    Obligation,
    check_obligations,
    obligations,
    obligations_of_all,
    requirements,
)
from rise.analysis.size_places import has_plain_size
from rise.diagnostics import RiseError
from rise.facts import Facts, evaluate_fact
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatBound, NatVar, const, exact_quotient, nat, power, var
from rise.node_predicates import Everywhere
from rise.nodes import postorder
from rise.printer.terms import show
from rise.programs.heads import assume, specialise
from rise.programs.program import parse, parse_expr
from rise.quotients import NatCall, ceiling_quotient, floor_quotient, minimum
from rise.terms import Bound, DepLam, Expr, Fact, Lam, Var
from rise.types import F32, ArrayType, FunType, PairType, Type, VectorType

NAMES = ("n", "m", "s")
N, M, S = (var(name) for name in NAMES)
ATOMS: tuple[Atom, ...] = tuple(NatVar(name, None) for name in NAMES)


def conditions(found: list[Obligation]) -> list[str]:
    return [obligation.condition for obligation in found]


def of_type(*sizes: Nat) -> Expr:
    """A variable of an array type."""
    element: Type = F32
    for size in reversed(sizes):
        element = ArrayType(size, element)
    return Var("xs", element)


# Laws


SIZES = st.recursive(
    st.one_of(st.sampled_from([N, M, S]), st.integers(0, 6).map(const)),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(
            exact_quotient, inner, st.sampled_from([const(2), const(3), const(4), S, S + 1, 2 * S, M * S])
        ),
        st.builds(floor_quotient, inner, st.sampled_from([const(2), const(4), S])),
        st.builds(ceiling_quotient, inner, st.sampled_from([const(2), const(4), S])),
        st.builds(minimum, inner, inner),
    ),
    max_leaves=5,
)
WORLDS = [
    dict(zip(ATOMS, world, strict=True))
    for world in itertools.product((0, 1, 2, 3, 4, 6, 8, 12), (0, 1, 2, 4, 5), (0, 1, 2, 3))
]


def is_natural(a: Nat, world: dict[Atom, int]) -> bool:
    """Whether a is a natural, and all its parts are valid."""
    try:
        value = evaluate_natural(a, world)
    except ZeroDivisionError:
        return False
    return (
        value >= 0
        and Fraction(value).denominator == 1
        and all(inner_holds(node, world) for node in postorder(a))
    )


def inner_holds(node: object, world: dict[Atom, int]) -> bool:
    match node:
        case NatCall("floor" | "ceil", (_, divisor)):
            return evaluate_natural(divisor, world) >= 1
        case NatCall(_, args):
            return all(Fraction(evaluate_natural(a, world)).denominator == 1 for a in args)
        case Nat(terms):
            divisors = (nat(b) for m, _ in terms for b, e in m if isinstance(e, int) and e < 0)
            return all(evaluate_natural(divisor, world) >= 1 for divisor in divisors)
    return True


@given(SIZES)
def test_requirements_hold_if_and_only_if_a_size_is_a_natural(a: Nat) -> None:
    needed = [Obligation(relation, subject, "", ()).fact for relation, subject in requirements(a)]
    for world in WORLDS:
        try:
            met = all(evaluate_fact(fact, world) for fact in needed)
        except ZeroDivisionError:
            met = False
        assert met == is_natural(a, world)


@given(st.lists(SIZES, min_size=1, max_size=3))
def test_obligations_hold_if_and_only_if_a_term_is_valid(sizes: list[Nat]) -> None:
    found = obligations(of_type(*sizes))
    for world in WORLDS:
        by_name = {name: world[atom] for name, atom in zip(NAMES, ATOMS, strict=True)}
        good = all(is_natural(size, world) for size in sizes)
        assert (check_obligations(found, by_name) is None) == good


FACTS = st.lists(
    st.one_of(
        st.builds(
            Fact, st.just("divides"), st.sampled_from([const(2), const(4), S]), st.sampled_from([N, M, N - M])
        ),
        st.builds(
            Fact,
            st.sampled_from(["<=", "==", ">"]),
            st.sampled_from([N, M, S]),
            st.sampled_from([M, 2 * S, const(1), N]),
        ),
    ),
    max_size=3,
)


@given(st.lists(SIZES, min_size=1, max_size=2), FACTS)
def test_facts_discharge_only_their_consequences(sizes: list[Nat], facts: list[Fact]) -> None:
    inside = DepLam("unused", "nat", True, tuple(facts), of_type(*sizes))
    found = obligations(inside)
    for world in WORLDS:
        try:
            if not all(evaluate_fact(fact, world) for fact in facts):
                continue
        except ZeroDivisionError:
            continue
        by_name = {name: world[atom] for name, atom in zip(NAMES, ATOMS, strict=True)}
        good = all(is_natural(size, world) for size in sizes)
        assert (check_obligations(found, by_name) is None) == good


# Cases from programs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fun(xs: N.f32 => xs |> split(32) |> join)", ["32 divides N"]),
        ("fun(xs: N.M.f32 => xs |> split(32) |> map(transpose))", ["32 divides N"]),
        ("fun(xs: N.f32 => xs |> slide(3, 1))", ["N >= 3"]),
        (
            "fun(n: nat, sz: nat, sp: nat, xs: n.f32 => xs |> slide(sz, sp))",
            ["sp divides n - sz", "n >= sz", "sp >= 1"],
        ),
        ("fun(xs: N.f32 => xs |> take(3))", ["N >= 3"]),
        ("fun(xs: N.f32 => xs |> take(32 * (N / 32)) |> split(32))", []),
        ("fun(xs: N.f32 => xs |> padEmpty(32 * ((N + 31) / 32) - N) |> split(32))", []),
        ("fun(xs: N.f32, ys: (N /^ 4).f32 => xs |> split(8))", ["8 divides N"]),
        ("fun(n: nat, xs: n.f32 => xs |> split(n))", []),
        ("fun(xs: 12.f32 => xs |> split(4))", []),
        ("fun(xs: N.f32 => xs |> map(fun(x => x)))", []),
    ],
)
def test_the_obligations_of_programs(text: str, expected: list[str]) -> None:
    assert conditions(obligations(parse_expr(text))) == expected


def test_a_definition_promises_facts() -> None:
    text = "val f {facts} = fun(xs: N.f32 => xs |> split(32) |> map(split(8)) |> map(map(fun(x => x))))"
    with_fact, without = (parse(text.format(facts=facts))["f"] for facts in ("where 64 divides N", ""))
    assert obligations(with_fact) == []
    assert conditions(obligations(without)) == ["32 divides N"]


def test_an_obligation_names_its_origin_and_place() -> None:
    program = parse_expr("fun(xs: N.f32 => xs |> split(32) |> map(fun(row => row)))")
    (found,) = obligations(program)
    assert str(found) == "32 divides N (split(32) needs it)"
    place = program
    for step in found.path:
        place = place.children[step]
    assert place.root == ("split", 1) and place.type == ArrayType(
        exact_quotient(nat(NatBound(0)), 32), ArrayType(const(32), F32)
    )
    (of_parameter,) = obligations(parse_expr("fun(xs: (N /^ 4).f32 => xs)"))
    assert str(of_parameter) == "4 divides N (the type of `xs` needs it)"


def test_the_strongest_obligation_is_kept() -> None:
    weak, strong = exact_quotient(N, 4), exact_quotient(N, 32)
    assert conditions(obligations(of_type(weak, strong))) == ["32 divides n"]
    assert conditions(obligations(of_type(strong, weak, 3 * strong))) == ["32 divides n"]
    assert conditions(obligations(of_type(N - 3, N - 5, N + M - 5))) == ["n >= 5"]
    assert conditions(obligations(of_type(exact_quotient(N - M, S) + 1, exact_quotient(N - M, S)))) == [
        "s divides n - m",
        "s >= 1",
        "n >= m",
    ]


def test_sizes_bound_inside_keep_their_names() -> None:
    size = nat(NatBound(0))

    def inside(body: Nat, *facts: Fact) -> Expr:
        t = ArrayType(body, F32)
        return DepLam("l", "nat", False, facts, Lam("xs", t, Bound(0, t)))

    assert obligations(inside(2 * size)) == []
    assert conditions(obligations(inside(exact_quotient(size, 2)))) == ["2 divides l"]
    assert obligations(inside(exact_quotient(size, 2), Fact("divides", const(4), size))) == []
    assert conditions(obligations(inside(size - 1, Fact("<=", const(4), size)))) == []
    (unchecked,) = obligations(inside(exact_quotient(size, 2)))
    assert check_obligations([unchecked], {"n": 3}) is None
    assert check_obligations([unchecked], {"l": 3}) is unchecked
    # two binders of one name are two sizes
    both = DepLam(
        "l", "nat", False, (), DepLam("l", "nat", False, (), of_type(size - 1, nat(NatBound(1)) - 1))
    )
    assert conditions(obligations(both)) == ["l2 >= 1", "l >= 1"]


@pytest.mark.parametrize(
    ("given", "applied", "expected"),
    [
        ("xs: 16.f32", "(16)(xs)", ["3 divides 1"]),
        ("xs: 15.f32", "(15)(xs)", []),
        ("{m: nat}, xs: m.f32", "(m)(xs)", ["3 divides m"]),
        ("{m: nat}, xs: (3 * m).f32", "(3 * m)(xs)", []),
    ],
)
def test_a_size_that_a_function_is_applied_to_is_known_inside(
    given: str, applied: str, expected: list[str]
) -> None:
    """The condition was on the function's own size, which no call checked (soak, seed 7, programs, 192.46)."""
    function = "(fun(x: nat => fun(ys: x.f32 => ys |> split(3) |> mapSeq(mapSeq(fun(y => y))) |> join)))"
    assert conditions(obligations(parse_expr(f"fun({given} => {function}{applied})"))) == expected


def test_facts_of_inner_binders_hold_inside_only() -> None:
    promise = Fact("divides", const(4), N)
    body = of_type(exact_quotient(N, 4))
    inside = DepLam("l", "nat", False, (promise,), body)
    assert obligations(inside) == []
    assert conditions(obligations(body)) == ["4 divides n"]


def test_every_kind_of_size_is_checked() -> None:
    half = exact_quotient(N, 2)
    for t in (
        VectorType(half, F32),
        PairType(F32, ArrayType(half, F32)),
        FunType(ArrayType(half, F32), F32),
        ArrayType(N, ArrayType(half, F32)),
    ):
        assert conditions(obligations(Var("x", t))) == ["2 divides n"]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (3 * exact_quotient(N, 32), ["32 divides n"]),
        (exact_quotient(N, S), ["s divides n", "s >= 1"]),
        (exact_quotient(N, S + 1), ["s + 1 divides n"]),
        (exact_quotient(N * S, S + 1), ["s + 1 divides n"]),
        (exact_quotient(35 * N + 70, 32), ["32 divides n + 2"]),
        (exact_quotient(N, 2 * S), ["2 * s divides n", "s >= 1"]),
        (floor_quotient(N, S), ["s >= 1"]),
        (ceiling_quotient(N, 4), []),
        (minimum(exact_quotient(N, 4), M), ["4 divides n"]),
        (exact_quotient(N, 2) - 3, ["2 divides n", "n >= 6"]),
        (power(2, M - 1), ["2 divides 2^m"]),
        (floor_quotient(N + 14, 16) - 1, ["n >= 2"]),
        (floor_quotient(N, 16) - M, ["n / 16 >= m"]),
        (const(Fraction(1, 2)), ["2 divides 1"]),
        (const(-1), ["0 >= 1"]),
        (N - M, ["n >= m"]),
    ],
)
def test_conditions_are_simplified(size: Nat, expected: list[str]) -> None:
    assert conditions(obligations(of_type(size))) == expected


def test_the_first_failing_obligation_is_reported() -> None:
    found = obligations(of_type(exact_quotient(N, 4), M - N))
    assert check_obligations(found, {"n": 8, "m": 8}) is None
    failed = check_obligations(found, {"n": 6, "m": 5})
    assert failed is not None and failed.condition == "4 divides n"
    failed = check_obligations(found, {"n": 8, "m": 5})
    assert failed is not None and failed.condition == "m >= n"


def test_an_obligation_is_a_fact() -> None:
    (found,) = obligations(of_type(exact_quotient(N, 32)))
    assert found.fact == Fact("divides", const(32), N)
    assert obligations(DepLam("l", "nat", True, (found.fact,), of_type(exact_quotient(N, 32)))) == []
    assert Facts((found.fact,)).facts == (found.fact,)


def test_deep_terms_do_not_recurse() -> None:
    deep = of_type(exact_quotient(N, 2))
    for _ in range(5_000):
        deep = Lam("x", F32, deep)
    (found,) = obligations(deep)
    assert len(found.path) == 5_000


def test_a_range_is_named_as_the_origin_of_its_obligation() -> None:
    (found,) = obligations(parse("fun(xs: N.f32 => [1..N))").main)
    assert str(found) == "N >= 1 ([1..N) needs it)"
    (dropped,) = obligations(parse("fun(xs: N.f32 => xs |> drop(1))").main)
    assert str(dropped) == "N >= 1 (drop(1) needs it)"


def test_functions_of_sizes_are_printed_in_one_form_and_read_in_two() -> None:
    program = parse("fun(xs: ceil[N, 32].f32 => xs)").main
    assert program == parse("fun(xs: ceil(N, 32).f32 => xs)").main
    assert str(program.type) == "{N: nat} -> ceil(N, 32).f32 -> ceil(N, 32).f32"
    whole = parse("fun(xs: N.f32 => xs)").main
    promised = assume(whole, "ceil(N, 4) >= 2", "min[N, 8] >= 1")
    assert "where ceil(N, 4) >= 2, min(N, 8) >= 1" in show(promised)
    assert parse(show(promised)).main == promised


def test_sizes_are_specialised_in_a_working_order() -> None:
    program = parse("fun(xs: M.f32, ys: N.f32, zs: K.f32 => xs)").main
    fixed = specialise(program, K="N + 1", N="2 * M", M=4)
    assert str(fixed.type) == "4.f32 -> 8.f32 -> 9.f32 -> 4.f32"
    assert str(specialise(program, K="N + 1", N="2 * M").type).startswith("{M: nat} -> M.f32 -> (2 * M).f32")
    with pytest.raises(RiseError, match="a size cannot depend on itself"):
        specialise(program, M="N", N="M")


# Many obligations


def test_several_definitions_have_the_obligations_that_each_has() -> None:
    program = parse(
        "val halved = fun(xs: N.f32 => xs |> split(2))\n"
        "val plain = fun(xs: N.M.f32 => xs |> transpose |> join)\n"
        "val both = fun(xs: (2 * N).f32, ys: M.f32 => pair(halved(xs), halved(ys)))\n"
    )
    found = dict(obligations_of_all(dict(program)))
    assert found == {name: obligations(e) for name, e in program.items()}
    assert {name: conditions(some) for name, some in found.items()} == {
        "halved": ["2 divides N"],
        "plain": [],
        "both": ["2 divides M"],
    }


def test_too_many_obligations_are_rejected_together() -> None:
    program = parse("".join(f"val g_{i} = fun(xs: N.f32 => xs |> drop({i + 1}))\n" for i in range(4)))
    assert [len(found) for _, found in obligations_of_all(dict(program), 4)] == [1, 1, 1, 1]
    with pytest.raises(RiseError, match="up to `g_3` have more than 3 conditions on sizes") as refused:
        for _ in obligations_of_all(dict(program), 3):
            pass
    assert refused.value.diagnostic.code == "too-many-conditions"
    assert "--def" in (refused.value.diagnostic.hint or "")


def test_only_facts_about_the_sizes_are_used() -> None:
    others = [Fact("<=", var(f"a{i}"), var(f"b{i}")) for i in range(1000)]
    chain = [Fact("<=", var(f"c{i}"), var(f"c{i + 1}")) for i in range(5)]
    known = Facts((*others[:500], *chain, *others[500:]))
    assert known.about(var("c0"), var("c3")) == Facts(tuple(chain))
    assert known.about(var("other")) == Facts()
    assert obligations(assume(parse("fun(xs: C1.f32, ys: C0.f32 => xs |> take(C0))").main, "C0 <= C1")) == []
    weaker = Facts(tuple(Fact("<=", const(i), N) for i in range(100)))
    assert weaker.about(N) == Facts((Fact("<=", const(99), N),))


def test_a_path_is_a_tuple() -> None:
    (found,) = obligations(parse("fun(xs: N.f32 => xs |> split(32) |> map(map(neg)))").main)
    steps = tuple(found.path)
    assert found.path == steps
    assert hash(found.path) == hash(steps)
    assert repr(found.path) == repr(steps)
    assert (found.path[0], found.path[1:], len(found.path)) == (steps[0], steps[1:], len(steps))
    assert type(pickle.loads(pickle.dumps(found)).path) is tuple


def test_shared_parts_are_checked_once() -> None:
    looked_at: list[object] = []

    def is_plain(node: object) -> bool:
        looked_at.append(node)
        return has_plain_size(node)  # type: ignore[arg-type]  # all of them are nodes

    e = of_type(N * M + 1, S)
    are_plain = Everywhere(is_plain)
    assert are_plain(e)
    before = len(looked_at)
    assert are_plain(Lam("y", e.type, e)) and not are_plain(of_type(N - 1))
    assert len(looked_at) <= before + 8


def test_a_call_of_many_arguments_takes_memory_for_each_once() -> None:
    def most_memory(count: int) -> int:
        e = parse_expr(f"fun(x: N.f32 => gather([{', '.join(['1'] * count)}], x))")
        tracemalloc.start()
        try:
            assert conditions(obligations(e)) == ["N >= 2"]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert most_memory(1200) < 3 * most_memory(600)
