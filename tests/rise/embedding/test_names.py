"""Names of parameters, locals and sizes of Python programs have no effect: no name captures another."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import ast
import inspect
import itertools
import keyword
import linecache
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
from rise import RiseError, dsl
from rise.dsl.mentioned_names import words
from rise.embedding import generate, program, scan, sizes, split
from rise.embedding.annotations import parameters_of, sizes_of
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar, var
from rise.primitives import PRIMITIVES
from rise.text.names import RESERVED
from tests.examples import examples, some
from tests.rise.embedding.arrangements import ARRANGEMENTS
from tests.rise.embedding.programs import PROGRAMS

FUNCTIONS: Final = {one.__name__: one for one in (*PROGRAMS, *ARRANGEMENTS)}
#: words that the grammar reserves in some places, and names that the embedding generates
WORDS: Final = (
    "let",
    "where",
    "type",
    "divides",
    "foreign",
    "mult",
    "plus",
    "asFragment",
    "fromEnd",
    "p",
    "i",
    "v",
)
_numbers: Final = itertools.count()


@cache
def traced(name: str) -> Any:
    return program(FUNCTIONS[name])


class Names(ast.NodeTransformer):
    """Renames what belongs to a function: parameters, locals, parameters of its lambdas."""

    def __init__(self, called: Mapping[str, str]) -> None:
        self.called = called

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.called.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.called.get(node.arg, node.arg))


def tree_of(function: Callable[..., Any]) -> ast.FunctionDef:
    found = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def own_names(tree: ast.FunctionDef) -> list[str]:
    """The names that a function binds."""
    bound = [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys([*bound, *stored]))


def renamed(function: Callable[..., Any], called: Mapping[str, str], of_sizes: Mapping[str, str]) -> Any:
    """The function with other names for what it binds, and for its sizes."""
    tree = ast.fix_missing_locations(Names(called).visit(tree_of(function)))
    source = ast.unparse(tree) + "\n"
    file = f"renamed_{next(_numbers)}.py"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = dict(inspect.unwrap(function).__globals__)  # type: ignore[attr-defined]  # it is a function
    exec(compile(source, file, "exec", dont_inherit=True), scope)
    made = scope[function.__name__]
    assert isinstance(made, FunctionType)
    put = {NatVar(old, None): var(new) for old, new in of_sizes.items()}
    parameters = parameters_of(function)
    made.__annotations__ = {
        called.get(one.name, one.name): substitute_names(one.type, put) for one in parameters
    }
    try:
        return program(made)
    finally:
        del linecache.cache[file]


@pytest.mark.parametrize("name", some(FUNCTIONS, 17))
@settings(max_examples=examples(3), deadline=None)
@given(data=st.data())
def test_renaming_changes_nothing(name: str, data: st.DataObject) -> None:
    function = FUNCTIONS[name]
    built = traced(name)
    own = own_names(tree_of(function))
    outside = {n.id for n in ast.walk(tree_of(function)) if isinstance(n, ast.Name)} - set(own)
    translation = sorted(words(built.text))
    pool = dict.fromkeys([*translation, *translation, *PRIMITIVES, *sorted(RESERVED), *WORDS])
    free = [one for one in pool if one.isidentifier() and not keyword.iskeyword(one) and one not in outside]
    near = [one for one in free if one in translation]
    drawn = st.one_of(st.sampled_from(near), st.sampled_from(free))
    count = len(own)
    new = data.draw(st.lists(drawn, min_size=count, max_size=count, unique=True), "names")
    known = sizes_of(parameters_of(function))
    of_sizes = data.draw(st.lists(drawn, min_size=len(known), max_size=len(known), unique=True), "sizes")
    found = renamed(function, dict(zip(own, new, strict=True)), dict(zip(known, of_sizes, strict=True)))
    assert found.main == built.main
    assert rise.parse(found.text)[found.name] == found.main


def test_a_parameter_may_have_the_name_of_an_index() -> None:
    @program
    def repeated(i: idx[N], x: N.f32):
        return x[np.broadcast_to(i, x.shape)]

    x = np.array([1, 2, 3], np.float32)
    assert repeated(2, x).tolist() == repeated.python(2, x).tolist() == [3, 3, 3]


def test_a_parameter_may_have_the_name_of_a_size() -> None:
    @program
    def mean(N: N.f32):
        total = N.sum()
        return total / N.shape[0]

    @program
    def centred(x: N.f32):
        N = x.sum()
        return (x[1:] - N) * x.shape[0]

    x = np.array([1, 2, 6], np.float32)
    assert mean(x) == 3
    assert centred(x).tolist() == [-21, -9]


def test_sizes_and_functions_may_have_the_names_of_primitives() -> None:
    map_, f32, n = sizes("map f32 n")

    @program
    def reduce(x: rise.f32[map_, f32], y: rise.f32[n]):
        return x.sum(axis=0) * x.shape[0], y[1:] + y.shape[0]

    first, second = reduce(np.ones((3, 2), np.float32), np.ones(2, np.float32))
    assert first.tolist() == [9, 9] and second.tolist() == [3]
    fixed = rise.specialise(reduce, map=3, n=2)
    assert fixed.type == rise.parse_expr("fun(x: 3.N.f32, y: 2.f32 => pair(x |> idx(0), drop(1, y)))").type
    assert rise.parse(reduce.text)["reduce_"] == reduce.main


def test_a_size_that_is_a_parameter_may_have_any_name() -> None:
    @program
    def rows(split_: nat, take: nat, x: (split_ * take * M).f32):
        return split(split(x, take), split_).sum(axis=2)

    assert rows(2, 3, np.ones(12, np.float32)).tolist() == [[3, 3], [3, 3]]


def test_sizes_in_rise_dsl_mean_the_enclosing_ones() -> None:
    @program
    def cut(n: nat, x: (4 * n).f32):
        m = x * 2.0
        return m | dsl.split["m = n"](4)

    assert cut(2, np.ones(8, np.float32)).tolist() == [[2] * 4] * 2


def test_results_of_other_terms_do_not_conflict_with_names() -> None:
    @program
    def both(N: N.f32, map: N.f32):
        reduce = scan(lambda add, mul: add + mul, 0.0, N)
        return reduce | dsl.map(lambda N: N + 1.0), generate(lambda i, N: i, N.shape[0], 2)[:, 0]

    x = np.array([1, 2, 3], np.float32)
    first, second = both(x, x)
    assert first.tolist() == [2, 4, 7] and second.tolist() == [0, 1, 2]


def test_a_size_that_is_mentioned_before_its_parameter_is_rejected() -> None:
    with pytest.raises(RiseError, match="expected the size `n` before `x`, which uses it, found it after"):

        @program
        def late(x: rise.f32[var("n")], n: nat):
            return x
