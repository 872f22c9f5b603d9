"""Loops of Python functions, in order, and the derivations of the programs that they become."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

import elevate
import rise
from elevate import Derivation, Failure, FloatClass, recording, rederive, to_json, topDown
from rise.embedding.programs import PythonProgram
from rise.terms import Expr
from strategies import rule
from strategies.proof import check_derivation, prove
from strategies.python_loops import loopsInto
from strategies.rules.iterations import independentIterations
from strategies.saved_derivations import read_derivation
from strategies.testing import check
from tests.cli.commands import shine
from tests.examples import some
from tests.rise.embedding.test_random_loops import function_of
from tests.rise.embedding.test_statements import FUNCTIONS, LEAST, agrees, arguments, expected, leaves, traced


def elements(x: N.f64, y: N.f64):
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] + x[i] + x[i + 1]
    return y


def by_value(x: N.f64, y: N.f64):
    for i, v in enumerate(x):
        y[i] = v * v
    return y


def shifted_both(x: N.f64):
    """Two new arrays, whose elements are two places apart, and a branch."""
    y, z = np.zeros_like(x), x * 2.0
    for i in range(2, len(x)):
        y[i] = x[i - 2]
        z[i - 2] = z[i - 2] * 0.5 if z[i - 2] > 1.0 else y[i]
    return y, z


def three(x: N.f64, a: N.f64, b: N.f64, c: N.f64):
    for i in range(len(x)):
        t = x[i] * 2.0
        a[i] = t
        b[i] = t + a[i]
        c[i] = b[i] - c[i]
    return a, b, c


def rows(a: N.M.f64, v: N.f64):
    for i in range(1, a.shape[0]):
        a[i, 1:] *= v[i]
        v[i] = a[i].sum()
    return a, v


def cleared(a: N.M.f64):
    """Each iteration of the outer loop assigns the same row."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = 0.0
    return a


def overwritten(x: N.f64):
    z = x * 2.0
    for i in range(1, len(x)):
        z[i] = 1.0
    return z


def inner_part(a: N.M.K.f64, v: M.f64):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j, 0] = v[j]
            a[i, j, 1:] = a[i, j, 0] * a[i, j, 1:]
    return a


def products(a: N.K.f64, b: K.M.f64, c: N.M.f64):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def greatest(a: N.M.f64):
    best = -100.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            best = max(a[i, j], best)
    return best


def row_sums(starts: (N + 1).i64, values: K.f64, x: N.f64):
    for i in range(len(x)):
        for j in range(starts[i], starts[i + 1]):
            x[i] += values[j]
    return x


def mixed(x: N.f64, y: N.f64):
    """One loop of each kind: independent, with a dependence, accumulating."""
    for i in range(len(x)):
        y[i] += 2.0 * x[i]
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    total = 0.0
    for v in x:
        total += v
    return total, x, y


#: the rules by which each program is derived from its loops, with their numbers of steps
STEPS: Final[dict[Callable[..., Any], dict[str, int]]] = {
    elements: {"independentIterations": 1},
    by_value: {"independentIterations": 1},
    shifted_both: {"independentIterations": 1, "idxZip": 2, "sndPair": 2},
    three: {"independentIterations": 1, "idxZip": 2, "sndPair": 2},
    rows: {"independentIterations": 1, "idxZip": 3, "fstPair": 2, "sndPair": 1},
    cleared: {"independentIterations": 2},
    overwritten: {"independentIterations": 1},
    inner_part: {"independentIterations": 2},
    products: {"independentIterations": 2, "accumulatingIterations": 1},
    greatest: {"accumulatingIterationsSwapped": 1},
    row_sums: {"independentIterations": 1, "accumulatingIterations": 1},
    mixed: {"independentIterations": 1, "accumulatingIterations": 1},
}
each_program: Final = pytest.mark.parametrize("function", STEPS, ids=lambda one: one.__name__)


def derived(program: PythonProgram) -> Derivation[Expr]:
    return elevate.derive(loopsInto(program.main), program.sequential.main)


def drawn(function: Callable[..., Any]) -> list[np.ndarray[Any, Any]]:
    """Arguments of a function."""
    rng, sizes = np.random.default_rng(7), {"N": 5, "M": 4, "K": 6}
    found = []
    for text in function.__annotations__.values():
        *axes, element = text.split(".")
        shape = tuple(eval(axis, sizes) for axis in axes)
        numbers = np.sort(rng.integers(0, 6, shape)) if element == "i64" else rng.standard_normal(shape)
        found.append(numbers)
    return found


@each_program
def test_a_program_is_derived_from_its_loops_in_order(function: Callable[..., Any]) -> None:
    program = rise.program(function)
    derivation = derived(program)
    assert derivation.result == program.main
    names = [step.rule.name for step in derivation.steps]
    assert {name: names.count(name) for name in dict.fromkeys(names)} == STEPS[function]
    assert [form.primitive for form in program.sequential.loops] == ["reduceSeq" for _ in program.loops]


@each_program
def test_the_loops_in_order_compute_the_same_as_python(function: Callable[..., Any]) -> None:
    program, values = rise.program(function), drawn(function)
    wanted = leaves(function(*(each.copy() for each in values)))
    for one in (program.sequential, program):
        found = leaves(rise.evaluate(one, *values))
        assert all(np.allclose(a, b) for a, b in zip(found, wanted, strict=True)), one.text


@each_program
def test_a_derivation_is_checked_without_its_rules(function: Callable[..., Any]) -> None:
    derivation = derived(rise.program(function))
    checked = check_derivation(derivation)
    assert not checked.stopped, checked.reason
    accumulates = any(name.startswith("accumulating") for name in STEPS[function])
    assert derivation.float_class == (FloatClass.REASSOCIATING if accumulates else FloatClass.EXACT)


@each_program
def test_a_saved_derivation_is_replayed(function: Callable[..., Any]) -> None:
    derivation = derived(rise.program(function))
    saved = read_derivation(to_json(recording(derivation)))
    assert rederive(derivation.given, saved).result == derivation.result


def test_the_command_checks_a_saved_derivation(tmp_path: Path) -> None:
    program, steps = tmp_path / "products.rise", tmp_path / "loops.json"
    program.write_text(rise.program(products).sequential.text)
    steps.write_text(to_json(recording(derived(rise.program(products)))))
    said = shine("check-derivation", program, "--strategy", steps)
    assert said.status == 0, said.err
    assert "checked for all sizes and inputs" in said.out


@pytest.mark.parametrize("name", some(FUNCTIONS, 3))
def test_every_program_of_the_tests_is_derived_from_its_loops(name: str) -> None:
    program = traced(name, "f64")
    assert derived(program).result == program.main
    values = arguments(name, "f64", 4)
    assert LEAST.get(name, 0) > 4 or agrees(program.sequential(*values), expected(name, values), "f64")


@st.composite
def independent_loops(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """A function of four arrays: iteration i of its loop uses element `i + constant` of those that it assigns to."""
    steps = {
        name: draw(st.integers(0, 2))
        for name in draw(st.lists(st.sampled_from("abc"), min_size=1, unique=True))
    }
    own = [f"{name}[i + {step}]" for name, step in steps.items()]

    def value(depth: int = 2) -> str:
        if depth and draw(st.booleans()):
            return f"({value(depth - 1)} {draw(st.sampled_from('+-*'))} {value(depth - 1)})"
        return str(draw(st.sampled_from([*own, *own, "x[i]", "x[i + 1]", "x[0]", "t", "i", "3"])))

    def statement() -> list[str]:
        stored = f"{draw(st.sampled_from(own))} {draw(st.sampled_from(['=', '+=', '*=']))} {value()}"
        match draw(st.sampled_from(("store", "store", "branch", "sum"))):
            case "branch":
                return [f"if {value(1)} > {value(1)}:", f"    {stored}"]
            case "sum":
                return ["for j in range(len(x)):", f"    t += x[j] * {value(1).replace('t', '2')}"]
        return [stored]

    body = ["t = x[i] + 1", *statement(), f"{own[0]} = {value()}"]
    for _ in range(draw(st.integers(0, 2))):
        body += statement()
    text = "".join(f"        {line}\n" for line in body)
    return f"def f(x, a, b, c):\n    for i in range({draw(st.integers(0, 1))}, len(x) - 2):\n{text}    return a, b, c\n"


@given(independent_loops(), st.integers(0, 1 << 16))
def test_independent_loops_are_derived_and_compute_what_python_does(text: str, seed: int) -> None:
    function, rng = function_of(text), np.random.default_rng(seed)
    function.__annotations__ = dict.fromkeys("xabc", "N.i64")
    program = rise.program(function)
    note(program.text)
    assert program.loops[0].primitive == "generate"
    assert all(form.primitive == "reduceSeq" for form in program.sequential.loops)
    assert derived(program).result == program.main
    given_arrays = [rng.integers(-3, 4, 6) for _ in range(4)]
    wanted = function(*(each.copy() for each in given_arrays))
    for one in (program, program.sequential):
        found = leaves(rise.evaluate(one, *given_arrays))
        assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


def test_nothing_is_derived_if_no_loop_became_a_pattern() -> None:
    def kept(x: N.f64):
        for i in range(1, len(x)):
            x[i] = 0.5 * x[i - 1]
        return x

    program = rise.program(kept)
    assert program.sequential.main == program.main
    assert not derived(program).steps
    assert isinstance(elevate.run(topDown(independentIterations), program.main).result, Failure)


LOOP: Final = """fun(n: nat, xs: n.f32 =>
  reduceSeq(
    fun(acc, i =>
      let new = {new} in generate(fun(j: idx[n] => if {test} then new else idx(j, acc)))),
    xs, generate(fun(k: idx[n] => k))))
"""


@pytest.mark.parametrize(
    ("new", "test", "is_independent"),
    [
        ("idx(i, acc) * 2.0", "indexAsInt(j) == indexAsInt(i)", True),
        ("idx(i, xs) * idx(i, acc)", "indexAsInt(j) == indexAsInt(i)", True),
        ("idx(fromEnd(i), xs) * idx(i, acc)", "indexAsInt(j) == indexAsInt(i)", True),
        ("idx(fromEnd(i), acc) * 2.0", "indexAsInt(j) == indexAsInt(i)", False),
        ("reduce(add, idx(i, acc), acc)", "indexAsInt(j) == indexAsInt(i)", False),
        ("idx(i, acc) * 2.0", "indexAsInt(j) == indexAsInt(fromEnd(i))", False),
        ("idx(i, acc) * 2.0", "indexAsInt(j) <= indexAsInt(i)", False),
        ("idx(i, acc) * 2.0", "indexAsInt(j) == 0i64", False),
    ],
)
def test_only_loops_that_use_their_own_element_are_independent(
    new: str, test: str, is_independent: bool
) -> None:
    loop = rise.parse_expr(LOOP.format(new=new, test=test))
    result = elevate.run(topDown(independentIterations), loop).result
    assert isinstance(result, Failure) is not is_independent


def test_the_strategy_fails_if_the_rules_do_not_lead_to_the_result() -> None:
    ordered, other = rise.program(elements).sequential.main, rise.program(by_value).main
    assert isinstance(elevate.run(loopsInto(other), ordered).result, Failure)


WRONG: Final = (
    "reduceSeq (fun(acc, i => let new = f[idx (fromEnd i) acc] in generate (fun(j : idx[n] =>"
    " if indexAsInt j == indexAsInt i then new else idx j acc)))) (xs : n.t) (generate (fun(k => k)) : n.idx[n])"
    " = generate (fun(i => f[idx (fromEnd i) xs]))",
    "reduceSeq (fun(acc, i => let new = f[idx i acc] in generate (fun(j : idx[n] =>"
    " if indexAsInt j == indexAsInt (fromEnd i) then new else idx j acc)))) (xs : n.t)"
    " (generate (fun(k => k)) : n.idx[n]) = generate (fun(i => f[idx i xs]))",
    "reduceSeq (fun(acc, i => f (e) acc)) x (generate (fun(k => k)) : n.idx[n])"
    " = reduce f x (generate (fun(i : idx[n] => e)))",
)


@pytest.mark.parametrize("equation", WRONG)
def test_wrong_rules_are_refuted(equation: str) -> None:
    wrong = rule(equation, why="Wrong.")
    assert not any(verdict.is_proved for verdict in prove(wrong))
    with pytest.raises(elevate.StrategyError, match="wrong-rule"):
        check(wrong)
