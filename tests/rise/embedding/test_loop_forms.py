"""The forms that the loops of a function take in its program, and the reasons that `explain` gives."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine


def independent(x: N.f64, y: N.f64):
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] + x[i + 1]
    return y


def accumulating(x: N.f64):
    total = 0.0
    for v in x:
        total += v * v
    return total


def ordered(x: N.f64):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


def carrying(x: N.f64):
    last = 0.0
    for i in range(len(x)):
        x[i] -= last
        last = x[i]
    return x


def on_data(x: N.f64):
    error = 1.0
    while error > 0.1:
        x = x * 0.5
        error = x.max()
    return x


def few(x: N.f64):
    for k in range(3):
        x = x + k
    return x


def nested(a: N.M.f64):
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] += a[i, j - 1]
        a[i, 0] = sum(v for v in a[i])
    return a


def late(x: N.f64, k: i64):
    """The only loop is a statement; the slice is a loop, too."""
    for i in range(len(x)):
        x[i] += x[:k].sum()
    return x


REASONS = {
    independent: ["`generate`, since no iteration uses elements of `y` that another one assigns"],
    accumulating: [
        "`reduce`, since an iteration only combines `total` with a value that does not depend on it, by `add`"
    ],
    ordered: ["`reduceSeq`, since an iteration may use elements of `x` that another one assigns"],
    carrying: ["`reduceSeq`, since each iteration needs `last` of the one before"],
    on_data: ["`iterateWhile`, since data decide when it ends"],
    few: ["unrolled, since its iterations are known, and few or not alike"],
    nested: [
        "`generate`, since no iteration uses elements of `a` that another one assigns",
        "`reduceSeq`, since an iteration may use elements of `a` that another one assigns",
    ],
    late: ["`reduceSeq`, since an iteration may use elements of `x` that another one assigns"],
}


@pytest.mark.parametrize("function", REASONS, ids=lambda function: function.__name__)
def test_each_loop_has_a_form_and_a_reason(function: object) -> None:
    loops = rise.program(function).loops
    assert [str(form).split(": ", 1)[1] for form in loops] == REASONS[function]
    assert [form.place.line for form in loops] == sorted(form.place.line for form in loops)


@pytest.mark.parametrize("function", REASONS, ids=lambda function: function.__name__)
def test_the_form_is_in_the_program(function: object) -> None:
    built = rise.program(function)
    assert all(form.primitive in built.text for form in built.loops)


def test_explain_lists_the_loops() -> None:
    said = shine.jit(accumulating).explain(np.ones(4))
    line = accumulating.__code__.co_firstlineno + 2
    assert f"\nline {line}: `reduce`, since" in said
    assert "\nfrom the loops in order: 1 step by 1 rule; sums may be added up in a different order\n" in said


def test_the_derivation_from_the_loops_belongs_to_what_was_lowered() -> None:
    lowered = shine.jit(independent).lower(np.ones(6), np.ones(6))
    steps = [step for phase in lowered.loop_derivation.phases for step in phase.steps]
    assert [step.rule.name for step in steps] == ["independentIterations"]
    assert lowered.loop_derivation.result == lowered.program.main
    assert lowered.derivation.program == lowered.program.main
    without = shine.jit(on_data).lower(np.ones(3))
    assert not without.loop_derivation.counters.firings
    assert "from the loops in order" not in without.explain()


def conditional(x: N.f64, y: M.f64, c: f64):
    if c > 0.0:
        for i in range(len(x)):
            y[i] = x[i] + y[i]
    return y


def test_the_sequential_program_has_each_loop_as_the_sequence_of_its_iterations() -> None:
    ordered_loops = rise.program(independent).sequential
    assert [form.primitive for form in ordered_loops.loops] == ["reduceSeq"]
    assert (
        ordered_loops.text
        == """val independent = fun({N: nat where 1 <= N}, x: N.f64, y: N.f64 =>
  concat(
    concat(
      take(1, y),
      [0..N - 2)
      |> reduceSeq(
        fun(state: (N - 2).f64, i: idx[N - 2] =>
          let new = (x |> take(N - 2) |> idx(i)) + (x |> drop(2) |> idx(i))
          in generate(fun(j: idx[N - 2] =>
              if indexAsInt(j) == indexAsInt(i) then new else idx(j, state)))),
        generate(fun(i: idx[N - 2] => 0.0f64)))),
    drop(N - 1, y)))"""
    )


def test_a_loop_whose_elements_have_computed_indices_is_not_ordered() -> None:
    built = rise.program(conditional)
    assert built.sequential.main == built.main
    reason = (
        "`generate`, since no iteration uses elements of `y` that another one assigns; `sequential` does not order"
        " them, since indices of their elements are computed"
    )
    for one in (built, built.sequential):
        assert [str(form).split(": ", 1)[1] for form in one.loops] == [reason]
