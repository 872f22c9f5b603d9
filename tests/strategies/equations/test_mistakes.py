"""Diagnostics for errors in rules, in modules of strategies, and for values that are not terms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Failure, FloatClass, Strategy, StrategyError, named, topDown
from rise.diagnostics import RiseError
from strategies import family, load, rule
from strategies.rules.movement import splitJoinPadded
from strategies.tensor_core import tensorCore, wmma
from strategies.testing import check
from tests.strategies import corpus

PROGRAM = rise.parse("val twice = fun(xs: N.f32 => xs |> map(fun(x => x + x)))")
dropsOne = rule("map f (map g xs) = map g xs", why="Does not match most programs.")
regrouped = rule("(a + b) + c = a + (b + c)", why="Sum in another order.")


def test_a_program_is_not_a_term_to_rewrite() -> None:
    with pytest.raises(StrategyError) as caught:
        load("strategies.sequential:sequential")(PROGRAM)
    assert str(caught.value) == (
        "error[no-term]: expected a term, found"
        " Program(definitions={'twice': fun({N: nat}, xs: N.f32 => xs ..., of type Program\n"
        "hint: pass program.main or program[name] of a text, and result.program of a strategy's result"
    )


@pytest.mark.parametrize(
    "use",
    [
        lambda program: rise.evaluate(program, np.ones(3, np.float32)).tolist(),
        rise.show,
        rise.obligations,
        lambda program: rise.specialise(program, N=3),
        lambda program: rise.assume(program, "2 divides N"),
    ],
)
def test_elsewhere_a_program_stands_for_its_main_term(use: Callable[[Any], Any]) -> None:
    assert use(PROGRAM) == use(PROGRAM.main)


@pytest.mark.parametrize(
    "use", [shine.compile, rise.show, rise.obligations, lambda wrong: rise.evaluate(wrong, 1)]
)
def test_no_other_value_stands_for_a_term(use: Callable[[Any], Any]) -> None:
    with pytest.raises(RiseError) as caught:
        use(["fun(x: f32 => x)"])
    assert str(caught.value).startswith("error[no-term]: expected a term, found a list")


def test_a_text_is_not_a_rule() -> None:
    with pytest.raises(StrategyError, match="expected a rule or a family of rules, found a str"):
        check("map id xs = xs")  # type: ignore[arg-type]  # the mistake that is tested


@pytest.mark.parametrize("make", [rule, lambda text, **more: family(text, parameters=("n",), **more)])
def test_a_float_class_is_not_a_text(make: Any) -> None:
    with pytest.raises(StrategyError) as caught:
        make("map id xs = xs", why="", float_class="reassociating")
    assert "hint: write FloatClass.REASSOCIATING" in str(caught.value)
    with pytest.raises(StrategyError, match=r"write FloatClass\.EXACT, FloatClass\.CONTRACTING"):
        make("map id xs = xs", why="", float_class=1)
    with pytest.raises(StrategyError, match="expected a string for the equation, found a int"):
        make(3, why="")


def test_a_rule_that_only_rounds_differently_is_reported_with_float_classes() -> None:
    with pytest.raises(StrategyError) as caught:
        check(regrouped)
    assert "float_class=FloatClass.REASSOCIATING" in caught.value.diagnostic.hint
    wrong = rule("a + b = a - b", why="Not even near.")
    with pytest.raises(StrategyError) as caught:
        check(wrong)
    assert caught.value.diagnostic.hint == "correct the rule"
    assert check(rule("(a + b) + c = a + (b + c)", why="", float_class=FloatClass.REASSOCIATING))


def test_a_family_at_a_size_at_which_it_divides_by_zero() -> None:
    with pytest.raises(StrategyError) as caught:
        topDown(splitJoinPadded(0))(PROGRAM.main)
    assert "splitJoinPadded(0) divides by a size that is 0" in caught.value.diagnostic.title


def test_the_text_of_a_failure_is_short() -> None:
    """For a long strategy without a name, its beginning; for a long part, the enclosing named strategy."""
    short = topDown(dropsOne)
    part = short >> short
    for _ in range(6):
        part = part >> part | part
    for strategy, begin in (
        (named("mine", part), "mine does not apply"),
        (part, "topDown("),
    ):
        failure = strategy(rise.parse("fun(x: f32 => x + x)").main)
        assert isinstance(failure, Failure)
        with pytest.raises(StrategyError) as caught:
            _ = failure.program
        assert caught.value.diagnostic.title.lstrip("(").startswith(begin)
        assert len(caught.value.diagnostic.title) < 300


@pytest.mark.parametrize(
    ("strategy", "program", "reason"),
    [
        (wmma(), "mm", "factors are f32; tensor cores take f16, bf16, i8 and u8 in 16 x 16 x 16"),
        (tensorCore(), "gemm_f32", "factors are f32; tensor cores take f16"),
        (wmma(), "gemv", "no matrix product found"),
        (wmma(), "dot", "no matrix product found"),
    ],
)
def test_the_reason_why_a_program_does_not_fit_tensor_cores(
    strategy: Strategy, program: str, reason: str
) -> None:
    failure = strategy(corpus.program(program))
    assert isinstance(failure, Failure)
    assert reason in str(failure.explain())


@pytest.mark.parametrize(
    ("text", "name", "code", "said"),
    [
        (
            "import elevate\nx = topDowm(3)\n",
            "x",
            "broken-strategy",
            "mine_{}.py:2: NameError: name 'topDowm'",
        ),
        ("def f(:\n", "f", "broken-strategy", "mine_{}.py:1: SyntaxError: "),
        ("import no_such_module\n", "f", "broken-strategy", "mine_{}.py:1: ModuleNotFoundError"),
        (
            "def f(n=3):\n    raise ValueError('oops')\n",
            "f",
            "broken-strategy",
            "calling mine_{0}:f failed: mine_{0}.py:2: ValueError: oops",
        ),
        (
            "from elevate import id_\nfrom strategies.parts.nests import fuse\nours = id_ | fuse\n",
            "nix",
            "unknown-strategy",
            "hint: it has ",
        ),
        ("", "nix", "unknown-strategy", "hint: `shine list strategies`"),
    ],
)
def test_an_error_in_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, code: str, said: str
) -> None:
    number = abs(hash((text, name)))
    (tmp_path / f"mine_{number}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(StrategyError) as caught:
        load(f"mine_{number}:{name}")
    assert caught.value.diagnostic.code == code
    assert said.format(number) in str(caught.value)
    if "it has" in said:
        assert "`ours`" in str(caught.value) and "`id_`" not in str(caught.value)


def test_a_file_is_not_a_module() -> None:
    for written, meant in (
        ("mine.py:rows", "mine:rows"),
        ("a/b.py:rows", "a.b:rows"),
        ("mine.py", "mine:NAME"),
    ):
        with pytest.raises(StrategyError) as caught:
            load(written)
        assert caught.value.diagnostic.hint == f"write {meant}"


def test_codes_of_errors_about_parameters() -> None:
    for address, given in (
        ("strategies.openmp:parallel", {"tiles": 4}),
        ("strategies.sequential:sequential", {"n": 4}),
        ("strategies.rules.movement:splitJoin", {}),
        ("strategies.rules.movement:splitJoin", {"n": "x"}),
    ):
        with pytest.raises(StrategyError) as caught:
            strategies.load(address, **given)
        assert caught.value.diagnostic.code == "strategy-parameter"


def test_a_number_of_an_equation_fits_its_type() -> None:
    with pytest.raises(RiseError) as caught:
        rule("(x : i8) + 300 = x", why="Wrong.")
    assert caught.value.diagnostic.title == "`300` is not a value of type i8"
