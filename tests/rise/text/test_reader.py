"""The reader: the tree of each form of text. Messages are tested in test_reader_errors.py."""

import itertools
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.text import syntax as s
from rise.text.reader import read_equation, read_expression, read_program, read_type
from rise.text.trees import Syntax, same_tree
from tests.examples import some

ROOT = Path(__file__).resolve().parents[3]
LISTINGS = sorted((ROOT / "tests" / "data" / "listings").glob("*.rise"))

DOT = """
(fun as (fun bs (reduce add 0 (map (fun ab (mult (fst ab) (snd ab))) (zip as bs)))))
"""
MM = """
(fun a:M.K.float (fun b:K.N.float
  (map (fun arow (map (fun bcol (dot arow bcol)) (transpose b))) a)))
"""
EXPECTED = {
    "matrix_multiplication": f"(val dot {DOT}) (val mm {MM})",
    "tensor_core_left": """
        (map (fun aRow (map (fun bCol
          (reduceSeq (fun ac ab (add ac (mul (fst ab) (snd ab)))) 0.0 (zip aRow bCol))) bTile)) aTile)
    """,
    "tensor_core_right": """
        (asMatrix (toMem Local (tensorMatMulAdd
          (toMem Local (asFragment aTile))
          (toMem Local (asFragment (transpose bTile)))
          (toMem Local (generateFragment 0.0)))))
    """,
    "dot_product": "(fun x y (reduce add 0 (map mul (zip x y))))",
    "dot_product_vectorised": """
        (reduce (section +) 0 (asScalar (map (vectorised mul) (zip (asVector n x) (asVector n y)))))
    """,
    "gemm": """
        (val gemm (fun alpha:f32 beta:f32 a:M.K.f16 bt:N.K.f16 c:M.N.f32
          (map (fun rows (map (fun cols
            (+ (* alpha (reduce add 0.0
                 (map (fun ab (* (cast{f32} (fst ab)) (cast{f32} (snd ab))))
                      (zip (fst rows) (fst cols)))))
               (* beta (snd cols))))
            (zip bt (snd rows)))) (zip a c))))
    """,
}


def sketch(node: Syntax) -> str:
    """A small tree as an S-expression; an application has all its arguments."""
    match node:
        case s.Program(_, definitions, expression):
            return " ".join(map(sketch, definitions)) if expression is None else sketch(expression)
        case s.Definition(_, name, _, None, (), body, _):
            return f"(val {name} {sketch(body)})"
        case s.Name(_, name) | s.TypeName(_, name):
            return name
        case s.Number(_, text):
            return text
        case s.Apply(_, fun, arg):
            inner = sketch(fun)
            return (
                f"({inner[1:-1]} {sketch(arg)})" if isinstance(fun, s.Apply) else f"({inner} {sketch(arg)})"
            )
        case s.Fun(_, params, body):
            return f"(fun {' '.join(map(sketch, params))} {sketch(body)})"
        case s.Param(_, name, type, False, ()):
            return name if type is None else f"{name}:{sketch(type)}"
        case s.Instantiate(_, fun, instances):
            return f"{sketch(fun)}{{{', '.join(sketch(one.type) for one in instances)}}}"
        case s.Section(_, op):
            return f"(section {op})"
        case s.Binary(_, op, left, right):
            return f"({op} {sketch(left)} {sketch(right)})"
        case s.ArrayType(_, size, element):
            return f"{sketch(size)}.{sketch(element)}"
        case _:
            raise AssertionError(node)


def words(sketched: str) -> list[str]:
    return re.findall(r"[()]|[^()\s]+", sketched)


def same(a: str, b: str) -> bool:
    return same_tree(read_expression(a), read_expression(b))


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_listings_read_as_the_papers_mean_them(path: Path) -> None:
    tree = read_program(path.read_text(encoding="utf-8"))
    assert words(sketch(tree)) == words(EXPECTED[path.stem])


def test_every_expected_listing_is_there() -> None:
    assert {path.stem for path in LISTINGS} == set(EXPECTED)


@pytest.mark.parametrize(
    "text",
    [
        "f a b",
        "f(a)(b)",
        "f(a, b)",
        "f (a) b",
        "f a (b)",
        "b |> f a",
        "b |> f(a)",
        "(f a) b",
        "((f)(a))((b))",
    ],
)
def test_all_forms_of_application_are_one_tree(text: str) -> None:
    f, a, b = (s.Name(s.Span(0, 0), name) for name in "fab")
    assert same_tree(read_expression(text), s.Apply(f.span, s.Apply(f.span, f, a), b))


def test_application_forms_that_differ() -> None:
    assert not same("f a b", "f (a b)")
    assert not same("f(a)(b)", "f(a(b))")
    assert not same("b |> f a", "f b a")


INFIX = ["|>", ">>", "||", "&&", "<", "+", "*", "^", ".", " "]  # loosest first; a space is application
RIGHT = {"^", "."}


@pytest.mark.parametrize(("loose", "tight"), list(itertools.combinations(INFIX, 2)))
def test_precedence(loose: str, tight: str) -> None:
    assert same(f"a {loose} b {tight} c", f"a {loose} (b {tight} c)")
    assert same(f"a {tight} b {loose} c", f"(a {tight} b) {loose} c")
    assert not same(f"a {loose} b {tight} c", f"(a {loose} b) {tight} c")


@pytest.mark.parametrize("op", [op for op in INFIX if op != "<"])
def test_associativity(op: str) -> None:
    grouped = f"a {op} (b {op} c)" if op in RIGHT else f"(a {op} b) {op} c"
    assert same(f"a {op} b {op} c", grouped)


@pytest.mark.parametrize("prefix", ["-", "!"])
@pytest.mark.parametrize("op", INFIX)
def test_prefixes_stand_between_products_and_powers(prefix: str, op: str) -> None:
    is_tighter = op in ("^", ".", " ")
    grouped = f"{prefix}(a {op} b)" if is_tighter else f"({prefix}a) {op} b"
    assert same(f"{prefix}a {op} b", grouped)


@pytest.mark.parametrize(("op", "other"), [("+", "-"), ("*", "/"), ("*", "%"), ("/^", "*"), ("<=", "<=")])
def test_operators_of_one_level_group_to_the_left(op: str, other: str) -> None:
    if op != "<=":
        assert same(f"a {op} b {other} c", f"(a {op} b) {other} c")
        assert same(f"a {other} b {op} c", f"(a {other} b) {op} c")
    assert same(f"a {op} b && c {other} d", f"(a {op} b) && (c {other} d)")


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("n /^ 32 * 32", "(n /^ 32) * 32"),
        ("split(n /^ 32)", "split (n /^ 32)"),
        ("take(32 * (n /^ 32)) xs", "(take (32 * (n /^ 32))) xs"),
        ("slide(3, 1)", "slide 3 1"),
        ("-a ^ -b", "-(a ^ (-b))"),
        ("a - -b", "a - (-b)"),
        ("f -1", "f - 1"),
        ("if a then b else c |> f", "if a then b else (c |> f)"),
        ("(x : 4.f32) |> f", "x : 4.f32 |> f"),
        ("f . g x >> h", "(f . (g x)) >> h"),
        ("cast{f32}(x) + y", "(cast{f32} x) + y"),
    ],
)
def test_groups(text: str, grouped: str) -> None:
    assert same(text, grouped)


def test_composition_is_not_read_as_two_comparisons() -> None:
    for text in ("f >> g", "f>>g", "f >>g", "f(x)>>g"):
        assert isinstance(read_expression(text), s.Compose), text
    for text in ("f > g", "f>g", "f >= g"):
        assert isinstance(read_expression(text), s.Binary), text
    assert same("a > b >> c", "(a > b) >> c")


def test_dots_in_types_are_not_decimal_points() -> None:
    expected = "ArrayType(TypeNat(16), ArrayType(TypeNat(16), TypeName('f16')))"
    assert repr(read_type("16.16.f16")) == expected
    assert repr(read_expression("x : 16.16.f16")) == f"Ascribe(Name('x'), {expected})"
    assert repr(read_expression("f{16.16.f16}")) == f"Instantiate(Name('f'), [Instance(None, {expected})])"
    assert repr(read_expression("f 16.16")) == "Apply(Name('f'), Number('16.16', None, 404/25, True))"


@pytest.mark.parametrize(
    "name", ["value", "funny", "iffy", "thenceforth", "elsewhere", "where", "divides", "fun'", "x'"]
)
def test_names_that_begin_like_keywords(name: str) -> None:
    assert repr(read_expression(name)) == f"Name({name!r})"
    assert read_program(f"val {name} = {name} {name}").definitions[0].name == name


@pytest.mark.parametrize(
    ("text", "suffix", "exact", "is_float"),
    [
        ("12", None, 12, False),
        ("0012", None, 12, False),
        ("1.50", None, Fraction(3, 2), True),
        ("1e3", None, 1000, True),
        ("25E-2", None, Fraction(1, 4), True),
        ("2.5e+1f16", "f16", 25, True),
        ("7f32", "f32", 7, True),
        ("7bf16", "bf16", 7, True),
        ("300u8", "u8", 300, False),
        ("1i64", "i64", 1, False),
        ("-1", None, -1, False),
        ("-1.0f32", "f32", -1, True),
        ("-0.0", None, 0, True),
    ],
)
def test_numbers(text: str, suffix: str | None, exact: Fraction, is_float: bool) -> None:
    number = read_expression(text)
    assert isinstance(number, s.Number)
    assert (number.text, number.suffix, number.exact, number.is_float) == (text, suffix, exact, is_float)


def test_a_minus_before_anything_but_a_literal_negates() -> None:
    for text in ("-x", "-(1)", "--1", "-1 ^ 2"):
        assert isinstance(read_expression(text), s.Unary), text
    assert isinstance(read_expression("a-1"), s.Binary)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0.0))
def test_a_float_reads_as_its_exact_decimal(value: float) -> None:
    number = read_expression(repr(value))
    assert isinstance(number, s.Number)
    assert number.exact == Fraction(repr(value))
    assert float(number.exact) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("n.m.t", "ArrayType(TypeName('n'), ArrayType(TypeName('m'), TypeName('t')))"),
        ("Array[n, t]", "TypeCall('Array', [TypeName('n'), TypeName('t')])"),
        ("a -> b -> c", "Arrow(TypeName('a'), Arrow(TypeName('b'), TypeName('c')))"),
        ("n.a -> b", "Arrow(ArrayType(TypeName('n'), TypeName('a')), TypeName('b'))"),
        ("(n: nat) -> t", "ExplicitArrow('n', TypeName('nat'), TypeName('t'))"),
        ("{t: num} -> t", "ImplicitArrow('t', TypeName('num'), TypeName('t'))"),
        ("(f: k -> k) -> t", "ExplicitArrow('f', Arrow(TypeName('k'), TypeName('k')), TypeName('t'))"),
        ("n..(i |-> t)", "DependentArray(TypeName('n'), IndexMap('i', TypeName('t')))"),
        ("(i |-> i.t)", "IndexMap('i', ArrayType(TypeName('i'), TypeName('t')))"),
        ("(s, t)", "PairType(TypeName('s'), TypeName('t'))"),
        ("(n: nat ** n.t)", "DependentPair('n', TypeName('nat'), ArrayType(TypeName('n'), TypeName('t')))"),
        ("(2*n).t", "ArrayType(TypeBinary('*', TypeNat(2), TypeName('n')), TypeName('t'))"),
        ("(n /^ 32).t", "ArrayType(TypeBinary('/^', TypeName('n'), TypeNat(32)), TypeName('t'))"),
        ("f[i]", "TypeCall('f', [TypeName('i')])"),
        ("(a + b * c)", "TypeBinary('+', TypeName('a'), TypeBinary('*', TypeName('b'), TypeName('c')))"),
        ("(a - b - c)", "TypeBinary('-', TypeBinary('-', TypeName('a'), TypeName('b')), TypeName('c'))"),
        ("(a ^ b ^ c)", "TypeBinary('^', TypeName('a'), TypeBinary('^', TypeName('b'), TypeName('c')))"),
        ("(a / b % c)", "TypeBinary('%', TypeBinary('/', TypeName('a'), TypeName('b')), TypeName('c'))"),
        ("((n))", "TypeName('n')"),
    ],
)  # fmt: skip
def test_types(text: str, shown: str) -> None:
    assert repr(read_type(text)) == shown


def test_binders_carry_types_kinds_and_facts() -> None:
    fun = read_expression("fun({n: nat where 32 divides n, n <= 64}, {f: nat -> nat}, xs: n.f32, y => y)")
    assert isinstance(fun, s.Fun)
    n, f, xs, y = fun.params
    assert (n.name, n.implicit, [fact.relation for fact in n.facts]) == ("n", True, ["divides", "<="])
    assert repr(n.facts[0]) == "Fact('divides', TypeNat(32), TypeName('n'))"
    assert (f.implicit, repr(f.type)) == (True, "Arrow(TypeName('nat'), TypeName('nat'))")
    assert (xs.implicit, repr(xs.type)) == (False, "ArrayType(TypeName('n'), TypeName('f32'))")
    assert (y.type, y.implicit, y.facts) == (None, False, ())


def test_a_function_without_arrow_has_its_last_item_as_body() -> None:
    assert same("fun(a, b: t, {n: nat}, e)", "fun(a, b: t, {n: nat} => e)")
    assert same("fun(x, x : f32)", "fun(x => (x : f32))")


def test_definitions_carry_types_and_facts() -> None:
    one, two = read_program(
        "val f : n.f32 -> f32 where n >= 1, 2 * k divides n + 1 = g\nval h = f"
    ).definitions
    assert isinstance(one.type, s.Arrow)
    assert [fact.relation for fact in one.facts] == [">=", "divides"]
    assert isinstance(one.facts[1].left, s.TypeBinary)
    assert (two.type, two.facts, two.name) == (None, (), "h")


def test_documentation_is_the_comment_directly_above() -> None:
    text = "// file\n\n//  one\n//\n// two  \nval f = 1 // not this\n// of g\r\n  val g = 2\n\n\n"
    text += "val h = 3 val i = 4\n//x"
    assert [one.doc for one in read_program(text).definitions] == [" one\n\ntwo", "of g", "", ""]
    assert read_program("// doc\nval f = 1").definitions[0].doc == "doc"
    assert read_program("val a = 1 + //in a\n// in a, too\n2 val b = 1").definitions[1].doc == ""


@pytest.mark.parametrize(
    "text",
    [
        "val f =\r\n\tg(x)\r\n+ 1\r\nval h = f",
        "\ufeffval f=g(x)+1//\r val h = f//",
        "val f = g(x) +// 2\n1\fval h=f",
    ],
)
def test_line_ends_tabs_and_comments_mean_nothing(text: str) -> None:
    assert same_tree(read_program(text), read_program("val f = g(x) + 1 val h = f"))


def test_an_equation_has_two_sides() -> None:
    law = read_equation("map f (map g xs) = map (f . g) xs")
    assert same_tree(law.left, read_expression("map f (map g xs)"))
    assert same_tree(law.right, read_expression("map (f . g) xs"))
    assert isinstance(read_equation("a == b = c").left, s.Binary)


@pytest.mark.parametrize("seed", some(["1", "2"], 2))
def test_the_tables_are_current_and_the_grammar_has_no_conflict(seed: str) -> None:
    subprocess.run(
        [sys.executable, "tools/make_tables.py", "--check"],
        cwd=ROOT,
        check=True,
        env={"PYTHONHASHSEED": seed},
    )
