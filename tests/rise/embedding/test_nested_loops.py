"""Loops in loops: a body is run few times, whatever the number of loops around it, and its program is the same."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import numpy as np
import pytest

import rise
from rise.embedding import loops
from rise.embedding.liveness import live_before
from rise.embedding.loop_plans import Plan
from rise.embedding.values import Value
from tests.rise.embedding.test_statements import FUNCTIONS, traced


def energies(a: N.N.N.N.N.f64, k: N.i64):
    """Six loops, in two of which each iteration has a new array."""
    s = np.zeros_like(a)
    for h in range(a.shape[0]):
        for i in range(a.shape[1]):
            row = np.zeros_like(k)
            for j in range(a.shape[2]):
                for l in range(a.shape[3]):
                    for m in range(a.shape[4]):
                        if k[m] < h:
                            s[h, i, j, l, m] += a[i, h, j, m, l]
                        for o in range(len(k)):
                            s[h, i, j, l, m] += a[o, i, j, k[o], m]
                            row[o] += o
    return s


def contracted(a: N.N.N.N.N.f64, k: N.i64):
    """Six loops that add to elements of one array."""
    s = np.zeros_like(a)
    for h in range(a.shape[0]):
        for i in range(a.shape[1]):
            for j in range(a.shape[2]):
                for l in range(a.shape[3]):
                    for m in range(a.shape[4]):
                        for o in range(len(k)):
                            s[h, i, j, l, m] += a[o, i, j, k[o], m]
    return s


def alternating(a: N.N.f64, steps: nat):
    """Inner loops of which the first iteration of the outer one shows other types than the later ones."""
    best = 0
    for t in range(steps):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if best < 1:
                    best = best + 1
                else:
                    best = best + a[i, j] * t
    return best


OWN = {function.__name__: function for function in (energies, contracted, alternating)}


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The loops whose bodies were run, by their variables."""
    run: list[str] = []
    before = loops._Run._turn

    def counted(self: Any, *given: Any) -> Any:
        run.append(self.target)
        return before(self, *given)

    monkeypatch.setattr(loops._Run, "_turn", counted)
    return run


def test_bodies_of_nested_loops_are_run_few_times(turns: list[str]) -> None:
    rise.program(contracted)
    assert [turns.count(name) for name in "hijlmo"] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("name", [*OWN, *FUNCTIONS])
def test_plans_of_earlier_runs_change_no_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def text() -> str:
        return str((rise.program(OWN[name]) if name in OWN else traced.__wrapped__(name, "f64")).text)

    with monkeypatch.context() as patch:
        patch.setattr(Plan, "remembered", lambda plan: None)
        expected = text()
    assert text() == expected


def relaxed(u: N.f64):
    error = 1.0
    while error > 0.1:
        old = u.copy()
        u[1:-1] = 0.5 * (old[2:] + old[:-2])
        error = np.abs(u - old).max()
    return u


def test_the_body_of_a_while_on_data_runs_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first run shows what the loop carries and that the test of the second iteration is not known."""
    assigned: list[Any] = []
    before = Value.__setitem__

    def noted(self: Value, items: Any, value: Any) -> None:
        assigned.append(items)
        before(self, items, value)

    monkeypatch.setattr(Value, "__setitem__", noted)
    rise.program(relaxed)
    assert len(assigned) == 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_names_that_are_live_before_a_body_stay_the_same_if_it_runs_again(name: str) -> None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(FUNCTIONS[name])))
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            after = {"n", "s"}
            once = live_before(node.body, after)
            assert live_before(node.body, after | once) == once
