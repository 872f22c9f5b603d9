"""Laws of the reader: spans, spaces, comparison of trees, and texts of any depth. Independent of individual forms."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.text import syntax as s
from rise.text.reader import read_expression, read_program, read_type
from rise.text.trees import Syntax, children, same_tree
from tests.examples import deep, some

LISTINGS = sorted((Path(__file__).resolve().parents[2] / "data" / "listings").glob("*.rise"))


def same(a: str, b: str) -> bool:
    return same_tree(read_expression(a), read_expression(b))


OPERATORS = ["+", "-", "*", "/", "%", "/^", "<", "<=", "==", "&&", "||"]
names = st.sampled_from(["a", "b", "f", "xs", "x'", "_1"])
type_texts = st.recursive(
    names | st.integers(0, 99).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "%", "/^", "^", "."]), inner).map(" ".join),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}, {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"Array[{two[0]}, {two[1]}]"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) -> ({two[1]})"),
    ).map(lambda text: f"({text})"),
    max_leaves=6,
)
texts = st.recursive(
    names | st.sampled_from(["1", "2.5f16", "(-3)", "0.0", "(+)"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([*OPERATORS, "|>", ">>", ".", "^", ""]), inner).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda three: "{}({}, {})".format(*three)),
        st.tuples(names, names, inner).map(lambda three: "fun({}, {} => {})".format(*three)),
        st.tuples(names, type_texts, inner).map(lambda three: "fun({}: ({}), {})".format(*three)),
        st.tuples(inner, type_texts).map(lambda two: "{} : ({})".format(*two)),
        st.tuples(inner, type_texts).map(lambda two: "{}{{{}}}".format(*two)),
        st.tuples(inner, inner, inner).map(lambda three: "if {} then {} else {}".format(*three)),
        st.tuples(inner, inner).map(lambda two: "[{}, {}]".format(*two)),
        inner.map("-{}".format),
        inner.map("!{}".format),
    ).map(lambda text: f"({text})"),
    max_leaves=12,
)


def spans_hold(text: str, root: Syntax) -> None:
    """Every node is inside its parent, and the text of a complete expression or type reads as that node."""
    partial = set()
    work: list[Syntax] = [root]
    while work:
        node = work.pop()
        assert 0 <= node.span.start < node.span.end <= len(text)
        part = text[node.span.start : node.span.end]
        if isinstance(node, s.Expr) and node not in partial:
            assert same_tree(read_expression(part), node), part
        if isinstance(node, s.Type):
            assert same_tree(read_type(f"({part})"), node), part
        for child in children(node):
            assert node.span.start <= child.span.start and child.span.end <= node.span.end
            work.append(child)
        if isinstance(node, s.Apply) and isinstance(node.fun, s.Apply):
            partial.add(node.fun)  # `f(a` of `f(a, b)`


@given(texts)
def test_spans_lead_back_to_the_text(text: str) -> None:
    spans_hold(text, read_expression(text))


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_spans_of_listings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    program = read_program(text)
    for one in program.definitions:
        assert text[slice(*one.name_span)] == one.name
        assert text[slice(*one.span)].startswith(f"val {one.name} ")
        spans_hold(text, one.body)


@given(texts, st.sampled_from([" ", "\n", "\t", "// note\n", "\r\n"]))
def test_spaces_and_parentheses_mean_nothing(text: str, space: str) -> None:
    spaced = f"({space}({space}{text}){space})"
    assert same(text, spaced)


@given(texts, texts)
def test_same_tree_distinguishes_trees_like_their_reprs(a: str, b: str) -> None:
    left, right = read_expression(a), read_expression(b)
    if len(repr(left)) < 400 and len(repr(right)) < 400 and "..." not in repr(left) + repr(right):
        assert same_tree(left, right) == (repr(left) == repr(right))
    assert same_tree(left, read_expression(a)) and left != read_expression(a)


# Deep texts

DEEP = {
    "parentheses": ("(" * deep(200_000) + "x" + ")" * deep(200_000), s.Name),
    "applications": ("f(" * deep(100_000) + "x" + ")" * deep(100_000), s.Apply),
    "pipes": ("x" + "|>f" * deep(100_000), s.Apply),
    "functions": ("fun(x," * deep(100_000) + "x" + ")" * deep(100_000), s.Fun),
    "arrows": ("x:" + "n->" * deep(50_000) + "n", s.Ascribe),
    "powers": ("x^" * deep(50_000) + "x", s.Power),
    "conditions": ("if a then b else " * deep(20_000) + "c", s.Select),
}


@pytest.mark.parametrize("name", some(DEEP, 2))
def test_deep_texts_are_read_and_freed(name: str) -> None:
    text, kind = DEEP[name]
    tree = read_expression(text)
    assert isinstance(tree, kind)
    assert len(repr(tree)) < 500
    assert hash(tree) == hash(tree) and tree == tree
    del tree


def test_deep_trees_are_compared() -> None:
    text = "f(" * deep(20_000) + "x" + ")" * deep(20_000)
    assert same(text, text)
    assert not same(text, text.replace("x", "y"))
