"""Pickling and copying: a node is restored as the same object, also by another process. Independent of printing."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise import RiseError, parse, parse_expr, show
from rise.naturals import Nat
from rise.nodes import Node, flattened, postorder, rebuilt
from rise.terms import Expr
from rise.testing import Open, naturals, open_terms, terms, types
from rise.types import Type

ROOT = Path(__file__).resolve().parents[2]


@given(st.one_of(open_terms().map(lambda drawn: drawn.expr), terms(), types(), naturals()))
def test_a_node_is_restored_as_itself(node: Node) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(node, protocol)) is node
    assert copy.copy(node) is node
    assert copy.deepcopy(node) is node
    assert rebuilt(flattened(node)) is node


@given(st.one_of(terms(), types(), naturals()))
def test_shared_parts_are_stored_once(node: Expr | Type | Nat) -> None:
    assert len(flattened(node)) == len(list(postorder(node)))


@given(open_terms())
def test_names_of_binders_are_kept(drawn: Open) -> None:
    assert show(pickle.loads(pickle.dumps(drawn.expr))) == show(drawn.expr)


def test_another_process_reads_it(tmp_path: Path) -> None:
    text = "fun({n: nat where 4 divides n}, xs: n.f32 => xs |> split(4) |> map(reduce(add, -0.0)))"
    stored = tmp_path / "term"
    stored.write_bytes(pickle.dumps(parse_expr(text)))
    script = (
        "import pickle, rise; from pathlib import Path\n"
        f"e = pickle.loads(Path({str(stored)!r}).read_bytes())\n"
        f"assert e is rise.parse_expr({text!r}), e\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


def test_programs_and_errors_are_pickled() -> None:
    program = parse("val f = fun(x: f32 => x)\n// twice\nval g = fun(x => f(f(x)))")
    again = pickle.loads(pickle.dumps(program))
    assert again == program and dict(again) == dict(program) and again.docs["g"] == "twice"
    with pytest.raises(RiseError) as caught:
        parse_expr("x")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostic == caught.value.diagnostic
