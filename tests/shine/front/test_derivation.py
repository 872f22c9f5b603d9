"""Printed derivations: the steps are the strategy's, and a line omits only what both sides have in common."""

import re
from functools import cache

import pytest

import elevate
import rise
from elevate import Strategy, normalize, subterm
from rise.diagnostics import RiseError
from shine.cli.difference import CIRCLED_NUMBERS, difference
from shine.front.derivation import Derivation, derive, folded, is_administrative, steps_of
from strategies import load
from strategies.rules.fusion import mapFusion
from strategies.rules.lowering import mapToMapSeq
from tests.cli.commands import EXAMPLES, shine
from tests.examples import some

CASES = [
    ("gemm", "strategies.sequential:sequential"),
    ("gemm", "strategies.openmp:parallel"),
    ("gemm", "strategies.tensor_core:tensorCore"),
    ("attention", "strategies.openmp:parallel"),
    ("jacobi", "strategies.openmp:parallel"),
]


def example(name: str) -> rise.Expr:
    return rise.parse_file(EXAMPLES / f"{name}.rise").main


@cache
def derivation(name: str, address: str) -> Derivation:
    return derive(load(address), example(name))


@pytest.mark.parametrize(("name", "address"), some(CASES, 5))
def test_part_by_part_is_the_whole(name: str, address: str) -> None:
    """Applying the parts in order equals applying the strategy: same program, same steps."""
    program, strategy = example(name), load(address)
    whole = strategy(program)
    assert isinstance(whole, elevate.Success)
    parts = derivation(name, address)
    assert parts.result == whole.program
    shown = [one for _, steps in steps_of(parts) for one in steps]
    assert [one.step for one in shown] == list(whole.steps)
    assert [one.number for one in shown] == list(range(1, len(shown) + 1))
    assert parts.float_class == whole.float_class
    assert not shown or shown[-1].program == whole.program


@pytest.mark.parametrize(("name", "address"), some(CASES, 2))
def test_folding_loses_no_step(name: str, address: str) -> None:
    for _, steps in steps_of(derivation(name, address)):
        groups = list(folded(steps))
        assert [one for group in groups for one in group] == steps
        for group in groups:
            assert len({is_administrative(one) for one in group}) == 1
            assert is_administrative(group[0]) or len({one.step.rule.name for one in group}) == 1


@pytest.mark.parametrize(("name", "address"), some(CASES, 2, first=1))
def test_both_sides_use_the_names_of_the_program(name: str, address: str) -> None:
    """No nameless index is shown, and the names are those of the printed program."""
    for _, steps in steps_of(derivation(name, address)):
        for one in some(steps, 7):
            assert subterm(one.program, one.step.path) is not None
            changed = difference(*one.sides, one.place.scope, 100)
            for side in (changed.before, changed.after):
                assert not re.search(r"%\d", side)
                assert not re.search("[\ue000-\uf8ff]", side)
            numbers = [c for c in changed.before + changed.after if c in CIRCLED_NUMBERS]
            assert sorted(set(numbers)) == list(CIRCLED_NUMBERS[: len(set(numbers))])


def test_a_shared_part_shows_as_a_number() -> None:
    text = "xs |> map(fun(x => x * x + 2.0 * x + 1.0)) |> map(fun(x => x * x * x + 3.0 * x))"
    program = rise.parse_expr(text, {"xs": "n.f32"})
    ((_, [step]),) = steps_of(derive(mapFusion, program))
    changed = difference(*step.sides, step.place.scope, 100)
    assert changed.before == "xs |> map(fun(x => x * x + 2.0 * x + 1.0)) |> map(①)"
    assert changed.after == "xs |> map(fun(x => ①(x * x + 2.0 * x + 1.0)))"
    whole = difference(*step.sides, step.place.scope, 200, is_whole=True)
    assert "2.0 * x" in whole.before and "2.0 * x" in whole.after


def test_an_unchanged_part_is_marked() -> None:
    derivation = derive(load("strategies.sequential:sequential"), example("softmax"))
    sides = [
        difference(*one.sides, one.place.scope, 80)
        for _, steps in steps_of(derivation)
        for one in steps
        if one.step.rule.name == "toMemLocal"
    ]
    assert any(side.before.startswith("① = ") and side.after == "toMem(Local, ①)" for side in sides)


def test_the_place_is_described_in_words() -> None:
    derivation = derive(load("strategies.sequential:sequential"), example("gemm"))
    (_, [first, *_]), *_ = steps_of(derivation)
    assert first.place.inside == ("map(ac)", "map(bc)")


@pytest.mark.parametrize(
    ("strategy", "title", "notes"),
    [
        (mapFusion, "mapFusion does not apply to the program", ("mapFusion at the root: does not match",)),
        (
            normalize(mapToMapSeq) >> mapFusion,
            "mapFusion does not apply",
            ("part 2 of 2 failed after 3 steps", "mapFusion at the root"),
        ),
    ],
)
def test_a_failure_shows_its_tree(strategy: Strategy, title: str, notes: tuple[str, ...]) -> None:
    with pytest.raises(RiseError) as error:
        derive(strategy, example("gemm"))
    diagnostic = error.value.diagnostic
    assert title in diagnostic.title
    assert len(diagnostic.notes) == len(notes)
    assert all(wanted in found for wanted, found in zip(notes, diagnostic.notes, strict=True))
    assert all(len(line) < 140 for note in diagnostic.notes for line in note.split("\n"))


def test_equations_are_shown_on_request() -> None:
    words = (
        "show",
        EXAMPLES / "gemm.rise",
        "--stage",
        "derivation",
        "--strategy",
        "strategies.sequential:sequential",
    )
    law = "reduce f i (map g xs) = "
    assert law not in shine(*words).out
    assert shine(*words, "--equations").out.count(law) == 1


def test_full_shows_the_program_after_each_step() -> None:
    words = (
        "show",
        EXAMPLES / "dot.rise",
        "--stage",
        "derivation",
        "--strategy",
        "strategies.sequential:sequential",
    )
    brief, full = shine(*words), shine(*words, "--full")
    facts = shine(*words, "--json").facts
    assert full.out.count("the program is now") == facts["firings"] > brief.out.count("the program is now")
    steps = [step for part in facts["parts"] for step in part["steps"]]
    assert len(steps) == facts["firings"]
    assert rise.parse_expr(facts["program"]) == derive(load(words[-1]), example("dot")).result
