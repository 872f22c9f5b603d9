"""Normal forms: reached, recognised, stable, and maintained at the cost of what has changed."""

import pytest
from hypothesis import HealthCheck, given, settings

import rise
from elevate import FloatClass, Rule, Strategy, Success, normalize, run, seq, topDown, try_
from rise import Expr
from strategies.normal_forms import (
    BENF,
    CNF,
    DFNF,
    RNF,
    WrittenOut,
    followedBy,
    hasDFNF,
    isBENF,
    isCNF,
    isDFNF,
    isRNF,
)
from strategies.rules.functions import betaReduction, etaReduction
from strategies.rules.fusion import mapFission, mapFusion, reduceMapFusion, reduceSeqMapFusion
from strategies.rules.lowering import etaAbstraction, reduceToReduceSeq
from strategies.rules.movement import splitJoin
from strategies.rules.normal_forms import mapLastFission
from strategies.testing import programs
from strategies.testing.values import differ, may_be_unspecified
from strategies.testing.values import run as evaluated
from tests.examples import examples
from tests.strategies import corpus

FORMS = [(BENF, isBENF), (DFNF, isDFNF), (RNF, isRNF), (CNF, isCNF)]
QUICK = settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))
RULES: tuple[Rule, ...] = (
    mapFusion,
    mapFission,
    splitJoin(2),
    reduceMapFusion,
    reduceSeqMapFusion,
    reduceToReduceSeq,
    betaReduction,
    etaReduction,
    etaAbstraction,
    mapLastFission,
)


def reached(form: Strategy, e: Expr) -> Expr:
    """The result of a normal form on a program."""
    result = form(e)
    assert isinstance(result, Success)
    return result.program


def check_form(form: Strategy, has: Strategy, e: Expr) -> None:
    """Check that the form has the properties that it promises, and that a program in the form is not changed."""
    once = reached(form, e)
    assert isinstance(has(once), Success)
    again = form(once)
    assert isinstance(again, Success) and again.program == once and not again.steps
    assert once.type == e.type
    if isinstance(has(e), Success):
        assert once == e


@pytest.mark.parametrize(("form", "has"), FORMS, ids=lambda form: str(form))
def test_a_form_is_reached_in_any_program(form: Strategy, has: Strategy) -> None:
    @QUICK
    @given(programs())
    def check(e: Expr) -> None:
        check_form(form, has, e)
        if not may_be_unspecified(e):
            before, after = evaluated(e), evaluated(reached(form, e))
            assert not differ(before, after, FloatClass.EXACT, False)

    check()


@pytest.mark.parametrize("name", corpus.NAMES)
def test_forms_of_the_cases(name: str) -> None:
    for form, has in FORMS:
        check_form(form, has, corpus.program(name))


@QUICK
@given(programs())
def test_DFNF_is_as_in_the_paper(e: Expr) -> None:
    """The paper: BENF first, then expand again what must be."""
    paper = reached(BENF >> WrittenOut(), e)
    assert reached(DFNF, e) == paper


@QUICK
@given(programs())
def test_RNF_is_as_in_the_paper(e: Expr) -> None:
    """The paper: normalize(DFNF >> mapLastFission) >> DFNF."""
    assert reached(RNF, e) == reached(normalize(try_(DFNF) >> mapLastFission) >> DFNF, e)


def test_programs_that_are_not_in_a_form_are_recognised() -> None:
    cases = {
        "fun(xs: 4.f32 => xs |> map(fun(x => (fun(y => y))(x))))": "call",
        "fun(xs: 4.f32 => xs |> map(abs))": "function of a map",
        "fun(xs: 4.f32 => xs |> reduce(add, 0.0))": "function of a reduction",
        "fun(xs: 4.f32 => xs |> reduce(fun(a => add(a)), 0.0))": "its second parameter",
        "fun(xs: 4.4.f32 => xs |> map(map(fun(x => abs(x)))))": "partial map",
        "fun(f: 4.f32 -> 4.f32, xs: 4.f32 => (fun(g: 4.f32 -> 4.f32 => g(xs)))(fun(y => f(y))))": "eta and call",
    }
    for text, what in cases.items():
        e = rise.parse_expr(text)
        assert not hasDFNF(e), what
        assert hasDFNF(reached(DFNF, e)), what
    written = rise.parse_expr("fun(xs: 4.f32 => xs |> map(fun(x => abs(x))))")
    assert hasDFNF(written) and reached(DFNF, written) is written


def test_the_forms_of_one_program() -> None:
    e = rise.parse_expr("fun(xs: 8.f32 => xs |> map(fun(x => abs(abs(x)))) |> map(abs) |> reduce(add, 0.0))")
    assert rise.show(reached(DFNF, e)) == (
        "fun(xs: 8.f32 =>\n"
        "  xs\n"
        "  |> map(fun(x: f32 => abs(abs(x))))\n"
        "  |> map(fun(x: f32 => abs(x)))\n"
        "  |> reduce(fun(x: f32, x1: f32 => x + x1), 0.0))"
    )
    assert rise.show(reached(RNF, e)).count("map") == 3
    assert rise.show(reached(CNF, e)).count("map") == 1


@pytest.mark.parametrize("form", [DFNF, RNF], ids=str)
def test_maintained_forms_agree_with_normalising(form: Strategy) -> None:
    @QUICK
    @given(programs())
    def check(e: Expr) -> None:
        steps = [try_(topDown(rule)) for rule in RULES[:4]]
        kept = reached(seq(*(each for step in steps for each in (form, step, form))), e)
        for step in steps:  # each in a separate run
            e = reached(form, reached(step, reached(form, e)))
        assert kept == e

    check()


def test_maintaining_DFNF_visits_what_has_changed() -> None:
    """After a step in one of many parts, few places are visited: far fewer than when normalising again."""
    parts = " ".join(f"|> map(fun(x => x * {number}.5 + neg(x)))" for number in range(40))
    e = reached(DFNF, rise.parse_expr(f"fun(xs: 64.f32 => xs {parts})"))
    cut = topDown(splitJoin(4))

    def visits(strategy: Strategy, program: Expr = e) -> int:
        return run(strategy, program).counters.visits

    kept = visits(followedBy(*[cut] * 8))
    repeated, program = 0, reached(cut, e)
    for _ in range(7):
        repeated += visits(DFNF, program)
        program = reached(DFNF >> cut, program)
    assert repr(followedBy(cut, cut)) == "thenKeeping(DFNF)(topDown(splitJoin(4)), topDown(splitJoin(4)))"
    assert 3 * kept < repeated, (kept, repeated)
