"""Types are inferred as the author means them: sizes solved, classes preserved, definitions general.

Independent of messages.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rise import RiseError, parse, parse_expr, parse_file, show, show_program
from rise.terms import DepLam

LISTINGS = Path(__file__).parents[2] / "data" / "listings"


def type_of(text: str, **context: str) -> str:
    """The type of an expression, which can be read back."""
    e = parse_expr(text, context)
    assert parse_expr(show(e), context) == e
    return str(e.type)


SIZES = [
    ("fun(xs: N.f32 => xs |> split(32) |> map(map(neg)) |> join)", "{N: nat} -> N.f32 -> N.f32"),
    ("fun(xs: (32*N).f32 => split(32)(xs))", "{N: nat} -> (32 * N).f32 -> N.32.f32"),
    ("fun(xs: N.f32 => split(32)(xs))", "{N: nat} -> N.f32 -> (N /^ 32).32.f32"),
    ("fun(n: nat, xs: N.f32 => xs |> split(n) |> join)", "{N: nat} -> (n: nat) -> N.f32 -> N.f32"),
    (
        "fun(xs: N.f32 => xs |> padEmpty(32 * ceil(N, 32) - N) |> split(32) |> map(map(neg)) |> join |> take(N))",
        "{N: nat} -> N.f32 -> N.f32",
    ),
    ("fun(xs: (N+2).f32 => xs |> slide(3)(1) |> map(reduce(add, 0)))", "{N: nat} -> (N + 2).f32 -> N.f32"),
    ("fun(xs: (4*N+6).f32 => slide(6)(4)(xs))", "{N: nat} -> (4 * N + 6).f32 -> (N + 1).6.f32"),
    ("fun(xs: N.f32 => slide(3)(1)(xs))", "{N: nat} -> N.f32 -> (N - 2).3.f32"),
    ("fun(xs: N.f32 => xs |> padClamp(1)(1) |> slide(3)(1))", "{N: nat} -> N.f32 -> N.3.f32"),
    (
        "fun(xs: N.M.f32 => xs |> map(split(4)) |> transpose)",
        "{N: nat} -> {M: nat} -> N.M.f32 -> (M /^ 4).N.4.f32",
    ),
    (
        "fun(xs: (8*N).f32 => iterate(3)(fun(l: nat, ys => ys |> split(2) |> map(reduce(add, 0))))(xs))",
        "{N: nat} -> (8 * N).f32 -> N.f32",
    ),
    (
        "fun(k: nat, xs: (N*2^k).f32 => iterate(k)(fun(l: nat, ys => ys |> split(2) |> map(reduce(add, 0))))(xs))",
        "{N: nat} -> (k: nat) -> (N * 2^k).f32 -> N.f32",
    ),
    (
        "fun(xs: N.f32, ys: M.f32 => concat(xs, ys) |> drop(N))",
        "{N: nat} -> {M: nat} -> N.f32 -> M.f32 -> M.f32",
    ),
    ("fun(xs: N.f32 => concat(take(3)(xs), drop(3)(xs)))", "{N: nat} -> N.f32 -> N.f32"),
    ("fun(xs: N.f32 => xs |> asVector(4) |> map(fun(v => v * v)) |> asScalar)", "{N: nat} -> N.f32 -> N.f32"),
    ("fun(xs: 0.f32 => map(neg)(xs))", "0.f32 -> 0.f32"),
    (
        "fun(f, xs => xs |> split(4) |> map(map(f)) |> join)",
        "{t: data} -> {s: data} -> {n: nat} -> (t -> s) -> (4 * n).t -> (4 * n).s",
    ),
    ("fun(xs => xs |> split(2) |> split(3))", "{n: nat} -> {t: data} -> (6 * n).t -> n.3.2.t"),
    (
        "fun(xs, ys => zip(split(4)(xs), split(2)(ys)))",
        "{n: nat} -> {t: data} -> {s: data} -> (4 * n).t -> (2 * n).s -> n.(4.t, 2.s)",
    ),
]


@pytest.mark.parametrize(("text", "t"), SIZES)
def test_sizes(text: str, t: str) -> None:
    assert type_of(text) == t


@pytest.mark.parametrize(
    ("text", "t"),
    [
        ("fun(x, y => x + y)", "{t: ring} -> t -> t -> t"),
        ("fun(x, y => x < y)", "{t: ord} -> t -> t -> bool"),
        ("fun(x => sqrt(x) < x)", "{t: (floating + ord)} -> t -> bool"),
        ("fun(x => x + 1)", "{t: ring} -> t -> t"),
        ("fun(x => x + 1.0)", "{t: floating} -> t -> t"),
        ("fun(x: f16 => x + 1.0)", "f16 -> f16"),
        ("fun(x: u8 => x + 255)", "u8 -> u8"),
        ("1", "i32"),
        ("1.0", "f32"),
        ("1 + 1.0", "f32"),
        ("sqrt(1)", "f32"),
        ("[1, 2.0, 3]", "3.f32"),
        ("fun(x: i32 => pair(0, 0.0))", "i32 -> (i32, f32)"),
        ("fun(x => cast{f32}(x))", "{t: castable} -> t -> f32"),
        ("fun(xs: N.f32 => gather([0, 4, 2], xs))", "{N: nat} -> N.f32 -> 3.f32"),
        ("fun(x: f32 => cast{u8}(x * 255))", "f32 -> u8"),
        ("inf + 1f16", "f16"),
        ("fun(f => f(1))", "{t: ring} -> {s: data} -> (t -> s) -> s"),
        ("fun(f, x => f(f(x)))", "{t: data} -> (t -> t) -> t -> t"),
        ("fun(xs => reduce(add, 0)(xs))", "{n: nat} -> {t: ring} -> n.t -> t"),
        ("fun(i: idx[8] => idx(i)(generate(indexAsInt)))", "idx[8] -> i64"),
        ("idx(3)([1, 2, 3, 4])", "i32"),
        ("fun(v: vec[4, f32] => v * vectorFromScalar(2.0))", "vec[4, f32] -> vec[4, f32]"),
        ("neg >> sqrt", "{t: floating} -> t -> t"),
        ("sqrt . neg", "{t: floating} -> t -> t"),
        ("fun(x: f32 => if x < 0 then -x else x)", "f32 -> f32"),
    ],
)
def test_classes_and_literals(text: str, t: str) -> None:
    assert type_of(text) == t


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            "fun(xs: n.f32, ys: n.f32 => map(mul)(zip(xs, ys)))",
            "fun(xs: n.f32, ys: n.f32 => zip(xs, ys) |> map(fun(p => fst(p) * snd(p))))",
        ),
        (
            "fun(xs: n.(f32, f32) => map(fun(a, b => a + b))(xs))",
            "fun(xs: n.(f32, f32) => map(fun(p => (fun(a, b => a + b))(fst(p), snd(p))))(xs))",
        ),
        (
            "fun(xs: n.(f32, i32) => reduceSeq(fun(acc, p => acc + fst(p)))(0)(xs))",
            "fun(xs: n.(f32, i32) => reduceSeq(fun(acc => fun(p => acc + fst(p))))(0)(xs))",
        ),
    ],
)
def test_a_function_of_two_parameters_accepts_a_pair(text: str, same: str) -> None:
    assert parse_expr(text, {"n": "nat"}) == parse_expr(same, {"n": "nat"})


def test_a_definition_may_be_uncurried() -> None:
    program = parse("val f : (f32, i32) -> f32 = fun(a, b => a)")
    assert str(program["f"].type) == "(f32, i32) -> f32"


@pytest.mark.parametrize("role", ["A", "B", "Acc"])
def test_asFragment_is_decided_by_its_use(role: str) -> None:
    tiles = "fun(a: 16.16.f16, b: 16.16.f16, c: 16.16.f32 => asMatrix(tensorMatMulAdd({}(a), {}(b), {}(c))))"
    names = ["asFragmentA", "asFragmentB", "asFragmentAcc"]
    mixed = [name if name.endswith(role) else "asFragment" for name in names]
    assert parse_expr(tiles.format(*mixed)) == parse_expr(tiles.format(*names))
    through = tiles.replace("(a)", "(a) |> toMem(Local)").replace("(b)", "(b) |> toMem(Local)")
    assert parse_expr(through.format(*mixed)) == parse_expr(through.format(*names))


@pytest.mark.parametrize("path", sorted(LISTINGS.glob("*.rise")), ids=lambda path: path.stem)
def test_listings_of_the_papers(path: Path) -> None:
    if path.stem == "dot_product_vectorised":  # prose: it mentions names that the paper does not define
        with pytest.raises(RiseError, match="`vectorised` is not defined"):
            parse_file(path)
        return
    if path.stem.startswith("tensor_core"):
        context = {"aTile": "16.16.f16", "bTile": "16.16.f16"}
        e = parse_expr(path.read_text(encoding="utf-8"), context)
        assert parse_expr(show(e), context) == e
        return
    program = parse_file(path)
    assert dict(parse(show_program(program))) == dict(program)


def test_the_sides_of_the_tensor_core_rule() -> None:
    context = {"aTile": "16.16.f16", "bTile": "16.16.f16"}
    left, right = (
        parse_expr((LISTINGS / f"tensor_core_{side}.rise").read_text(encoding="utf-8"), context)
        for side in ("left", "right")
    )
    assert str(left.type) == "16.16.f16"
    assert str(right.type) == "16.16.f32"  # the paper's 0.0 has no stated type: here it is the accumulator's


# Dependent functions


@pytest.mark.parametrize(
    ("text", "t"),
    [
        ("fun(ys: 10.f32 => (fun(n: nat => fun(x => take(n)(x))))(3)(ys))", "10.f32 -> 3.f32"),
        ("fun(n: nat => fun(xs => take(n)(xs)))", "{m: nat} -> {t: data} -> (n: nat) -> (n + m).t -> n.t"),
        ("fun(ys: 8.f32 => (fun({n: nat}, xs: n.f32 => xs))(ys))", "8.f32 -> 8.f32"),
        ("fun(ys: 8.f32 => (fun({n: nat}, xs: n.f32 => xs)){8}(ys))", "8.f32 -> 8.f32"),
        ("fun({n: nat}, {m: nat}, xs: n.m.f32 => xs){8}", "{m: nat} -> 8.m.f32 -> 8.m.f32"),
        ("fun({n: nat}, {m: nat}, xs: n.m.f32 => xs){m = 8}", None),
        (
            "fun(f: (n: nat) -> n.f32 -> f32, xs: 4.f32 => f(4)(xs))",
            "((n: nat) -> n.f32 -> f32) -> 4.f32 -> f32",
        ),
        (
            "fun(f: {n: nat} -> n.f32 -> f32, xs: 4.f32 => f(xs))",
            "({n: nat} -> n.f32 -> f32) -> 4.f32 -> f32",
        ),
        ("fun(f: {n: nat} -> n.f32 -> f32, xs: M.4.f32 => map(f)(xs))", None),
        ("fun(a: space, xs: N.f32 => toMem(a)(xs))", "{N: nat} -> (a: space) -> N.f32 -> N.f32"),
        ("(fun({a: space}, x: f32 => toMem(a)(x)))(1.0)", "{b: space} -> f32"),
        ("fun({t: num}, x: t => x + x)", "{t: num} -> t -> t"),
        ("(fun({t: num}, x: t => x + x)){f16}", "f16 -> f16"),
        ("fun(n: nat => fun(m: nat => fun(n: nat, xs: (n*m).f32 => xs)))", None),
        ("fun(x: f32 => fun(x: nat => fun(ys: x.f32 => ys)))", None),
        ("(fun(n: nat => fun(f: (m: nat) -> (n*m).f32 => f(2))))(3)", "((m: nat) -> (3 * m).f32) -> 6.f32"),
    ],
)
def test_dependent_functions(text: str, t: str | None) -> None:
    found = type_of(text)
    assert t is None or found == t


def test_free_functions_of_sizes_are_used_at_any_size() -> None:
    f = "{n: nat} -> n.f32 -> f32"
    assert type_of("f", f=f) == f
    assert type_of("f{4}", f=f) == "4.f32 -> f32"
    assert type_of("f(xs)", f=f, xs="8.f32") == "f32"
    assert type_of("map(f)(xs)", f=f, xs="8.m.f32") == "8.f32"
    assert type_of("x + y", x="t", y="t", t="num") == "t"


# Definitions


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("cast{f32}(N)", "N"),
        ("N |> cast{f32}", "N"),
        ("cast N + 0.0", "N"),
        ("cast{f32}(2 * N - 1)", "2 * N - 1"),
        ("cast{f32}(min(N, M ^ 2) / 3 % 5)", "min(N, M ^ 2) / 3 % 5"),
        ("cast{f32}(len(k))", "len(k)"),
    ],
)
def test_a_size_is_cast_to_a_number(written: str, size: str) -> None:
    head = "fun({len: nat -> nat}, k: nat, xs: N.M.f32 => "
    number = f"cast{{f32}}(indexAsInt(natAsIndex{{0}}({size})))"
    long = number + " + 0.0" * written.endswith(" + 0.0")
    assert parse(f"{head}{written})").main == parse(f"{head}{long})").main


def test_a_value_that_hides_a_size_is_cast_as_a_value() -> None:
    assert type_of("fun(xs: N.f32, N: i32 => cast{f32}(N))") == "{N: nat} -> N.f32 -> i32 -> f32"
    with pytest.raises(RiseError, match="expected a value, found the size `N`"):
        parse("fun(xs: N.f32, a: i32 => cast{f32}(a + N))")


def test_each_use_of_a_definition_is_a_new_instance() -> None:
    program = parse("""
        val same = fun(x => x)
        val both = fun(x: f32, i: i32 => pair(same(x), same(i)))
        val at = fun(x => same{f16}(x))
        val sum = reduce(add, 0)
        val sums = fun(xs: N.M.f32 => pair(sum(xs |> map(sum)), sum([1, 2, 3])))""")
    assert str(program["same"].type) == "{t: data} -> t -> t"
    assert str(program["both"].type) == "f32 -> i32 -> (f32, i32)"
    assert str(program["at"].type) == "f16 -> f16"
    assert str(program["sum"].type) == "{n: nat} -> {t: ring} -> n.t -> t"
    assert str(program["sums"].type) == "{N: nat} -> {M: nat} -> N.M.f32 -> (f32, i32)"
    assert dict(parse(show_program(program))) == dict(program)


def test_inferred_names_differ_from_those_of_the_author() -> None:
    e = parse_expr("fun(n, t => pair(n, map(neg)(t)))")
    assert str(e.type) == "{s: data} -> {m: nat} -> {u: ring} -> s -> m.u -> (s, m.u)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "val f where 4 divides N = fun(xs: N.f32 => split(4)(xs))",
            "fun({N: nat where 4 divides N}, xs: N.f32 => split(4, xs))",
        ),
        (
            "val f : N.f32 -> f32 where 4 divides N = reduce(add, 0)",
            "fun({N: nat where 4 divides N} => reduce{N}(add{f32}, 0.0))",
        ),
        (
            "val f where 4 divides n, n <= 64 = fun(n: nat, xs: n.f32 => xs)",
            "fun(n: nat where 4 divides n where n <= 64, xs: n.f32 => xs)",
        ),
        (
            "val f where M divides N = fun(xs: M.N.f32 => xs)",
            "fun({M: nat}, {N: nat where M divides N}, xs: M.N.f32 => xs)",
        ),
        (
            "val f : {n: nat} -> n.f32 -> n.f32 where 4 divides n = fun(xs => xs |> split(4) |> join)",
            "fun({n: nat where 4 divides n}, xs: n.f32 => xs |> split(4) |> join)",
        ),
        ("val f : {t: num} -> t -> t = fun(x => x + (1 : t))", "fun({t: num}, x: t => x + (1 : t))"),
        ("val f : f16 -> f16 = fun(x => x + 1)", "fun(x: f16 => x + 1.0f16)"),
        (
            "val f = fun({n: nat where 2 divides n}, xs: n.f32 => xs)",
            "fun({n: nat where 2 divides n}, xs: n.f32 => xs)",
        ),
    ],
)
def test_facts_and_declared_types(text: str, shown: str) -> None:
    e = parse(text)["f"]
    assert show(e) == shown
    assert parse_expr(shown) == e


def test_facts_see_the_sizes_before_them() -> None:
    e = parse("val f where m divides n = fun(m: nat, n: nat, xs: (n*m).f32 => xs)")["f"]
    assert isinstance(e, DepLam) and isinstance(e.body, DepLam)
    assert e.facts == () and len(e.body.facts) == 1
    assert show(e) == "fun(m: nat, n: nat where m divides n, xs: (n * m).f32 => xs)"
