"""Rules from right to left: results of inverses, and which rules have none and why.

Depends on the entire library.
"""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings

import rise
from elevate import Failure, FloatClass, StrategyError, Success, normalize, topDown
from strategies import EquationRule, RuleFamily, load, registry, rule
from strategies.equations.examples import example
from strategies.rules import fusion, movement, padding, reductions
from strategies.testing import Instance, check, instances
from strategies.testing.instances import instances as random_instances
from strategies.testing.terms import closed
from tests.examples import THOROUGH, examples, some
from tests.strategies.rules.proved_rules import evaluated, sweep_less

CONTEXT = {"xs": "12.f32", "g": "f32 -> f32", "ys": "3.4.f32"}


def laws() -> dict[str, EquationRule]:
    """Every rule with an equation, a family at 2."""
    found: dict[str, EquationRule] = {}
    for entry in registry.rules().values():
        one = entry.rule
        law = one(*[2] * len(one.parameters)) if isinstance(one, RuleFamily) else one
        if law.by is None:
            found[entry.name] = law
    return found


LAWS = laws()


def has_inverse(law: EquationRule) -> bool:
    try:
        return law.inv is not None
    except StrategyError as error:
        return error.diagnostic.code != "no-inverse"


#: rules with conditions, computed parts or fixed operations, whose other direction must decide again where it holds
CONDITIONED = [name for name, law in LAWS.items() if law.where or law.compute or law.of or law.also]


def test_most_rules_have_an_inverse() -> None:
    tried = some(LAWS.values(), 3)
    assert sum(map(has_inverse, tried)) > len(tried) * 0.7


@pytest.mark.parametrize("name", evaluated(LAWS, 12))
def test_a_rule_and_its_inverse_restore_the_term(name: str) -> None:
    """Rules without an inverse pass: listing the others would compile all inverses in each process of a run."""
    law = LAWS[name]
    if not has_inverse(law):
        return

    @settings(
        max_examples=examples(8),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(random_instances(law, is_opaque=not law.where))
    def gives_back(instance: Instance) -> None:
        there = law.apply(instance.left)
        back = None if there is None else law.inv.apply(there)
        if back is not None and not law.where:
            assert back == instance.left
        if back is not None:
            assert back.type == instance.left.type

    gives_back()


@pytest.mark.parametrize(
    "name",
    some(
        evaluated(
            [*CONDITIONED, *some([one for one in LAWS if one not in CONDITIONED], apart=6)], 12, inverse=True
        ),
        2,
    ),
)
def test_an_inverse_preserves_the_meaning_of_programs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of inverses without conditions, every fourth is tested: their two sides are equal if the rule holds, which is
    tested for every rule, and the test above finds inverses that return another term. Proved ones are tested at fewer
    small sizes.
    """
    law = LAWS[name]
    if not has_inverse(law):
        return
    sweep_less(name, monkeypatch, inverse=True)
    programs = given_programs(law) if law.of or law.also else []
    count = (12 if law.where else 6) if THOROUGH else 2  # in addition to all small sizes
    assert check(law.inv, examples=count, given_programs=programs) > 0


#: functions that are explicit, in each loop: random ones do more than call another function
WRITTEN_OUT = [
    rise.parse(f"fun(xs: 4.i32 => xs |> {loop}(fun(x, y => x + y), 0))").main
    for loop in ("reduceSeq", "reduceSeqUnroll", "scanSeq")
]


#: a row of a product that is named where it is stored
NAMED_ROWS = rise.parse(
    "fun(xs: 4.f32, ys: 4.f32 => xs |> toMem(Local)"
    " |> fun(rows: 4.f32 => zip(rows, ys) |> map(fun(p => fst(p) * snd(p)))))"
).main


def given_programs(law: EquationRule) -> list[rise.Expr]:
    """The result of a rule on its example, which random instances of the other side rarely are."""
    if law.name == "etaAbstractionFold":
        return WRITTEN_OUT
    if law.name == "nameStoredRows":  # its example has a function as a parameter
        return [NAMED_ROWS]
    shown = example(law)
    assert shown is not None
    variables = sorted((v for v in shown.after.free if isinstance(v, rise.Var)), key=lambda v: v.name)
    return [closed(shown.after, variables)]


def test_an_inverse_recognises_functions() -> None:
    e = rise.parse_expr("map(neg, map(fun(x => x + 1.0), xs))", CONTEXT)
    there = fusion.mapFusion(e)
    assert isinstance(there, Success)
    back = fusion.mapFusion.inv(there.program)
    assert isinstance(back, Success) and back.program == e
    assert [str(step.rule) for step in back.steps] == ["mapFusion.inv"]


def test_an_inverse_of_a_family_accepts_any_size() -> None:
    for size in (2, 3, 4):
        e = rise.parse_expr("map(g, xs)", CONTEXT)
        cut = movement.splitJoin(size)(e)
        assert isinstance(cut, Success)
        back = movement.splitJoin.inv(cut.program)
        assert isinstance(back, Success) and back.program == e
        other = movement.splitJoin(size + 1).inv(cut.program)
        assert isinstance(other, Failure)


def test_inverses_compose() -> None:
    e = rise.parse_expr("map(neg, map(abs, map(g, xs)))", CONTEXT)
    fused = normalize(fusion.mapFusion)(e)
    assert isinstance(fused, Success)
    apart = (topDown(fusion.mapFusion.inv) >> topDown(fusion.mapFusion.inv))(fused.program)
    assert isinstance(apart, Success) and apart.program == e


@pytest.mark.parametrize(
    "found", [fusion.mapFusion.inv, movement.splitJoin(4).inv, movement.splitJoin.inv], ids=repr
)
def test_an_inverse_is_a_value(found: EquationRule) -> None:
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found).endswith(".inv")


def test_the_inverse_of_an_inverse_is_the_rule() -> None:
    assert fusion.mapFusion.inv.inv == fusion.mapFusion
    assert movement.splitJoin(4).inv.inv == movement.splitJoin(4)


def test_an_inverse_is_loaded_by_its_name() -> None:
    assert load("strategies.rules.fusion:mapFusion.inv") == fusion.mapFusion.inv
    assert load("strategies.rules.movement:splitJoin.inv") == movement.splitJoin.inv
    assert load("strategies.rules.movement:splitJoin.inv", n=4) == movement.splitJoin(4).inv
    with pytest.raises(StrategyError, match=r"has no inverse: expected a rule"):
        load("strategies.sequential:sequential.inv")


def test_a_condition_holds_of_the_inverse_too() -> None:
    e = rise.parse_expr("reduce(mul, 2.0, map(fun(part => reduce(mul, 2.0, part)), split(4, xs)))", CONTEXT)
    law = load("strategies.rules.gpu_reductions:reduceParts.inv")
    assert isinstance(law(e), Failure)
    assert "starts from its neutral element" in str(law(e).explain()) or "start again" in str(
        law(e).explain()
    )


grown = rule("map f xs = map f (map id xs)", why="There is always one more.")
inOrder = rule("reducePar f i xs = reduceSeq f i xs", why="One thread does it all.")
onOne = rule(
    "reducePar f i xs = reduce f i xs",
    why="Nothing is said of threads.",
    float_class=FloatClass.REASSOCIATING,
)
scattered = rule(
    "map f (scatter is xs) = scatter is (map f xs)", why="Compute before elements go to their places."
)
dropped = rule("map (fun(x => c)) (xs : n.s) = generate (fun(i => c))", why="What was mapped is forgotten.")

NONE = [
    (movement.joinSplit, "its right side does not determine the size `n`"),
    (dropped, "its right side does not determine the term `xs`"),
    (padding.padMapped, "its right side does not determine the size `t`"),
    (padding.padMappedEmpty, "its right side does not determine the size `t`"),
    (fusion.reduceMapFusion, "`reduce` on its left side promises that its function is associative"),
    (inOrder, "`reducePar` on its left side promises that its function is associative"),
    (scattered, "`scatter` on its left side promises that some of its elements are never read"),
    (movement.padMap, "`padClamp` on its left side promises that some of its elements are never read"),
    (load("strategies.rules.functions:betaReduction"), "a function computes its right side"),
    (load("strategies.rules.functions:letToCall"), "its right side does not determine the function `f`"),
]


@pytest.mark.parametrize(("law", "reason"), NONE, ids=repr)
def test_a_rule_without_an_inverse_gives_the_reason(law: EquationRule | RuleFamily, reason: str) -> None:
    with pytest.raises(StrategyError) as error:
        law.inv  # noqa: B018 - it raises
    assert error.value.diagnostic.code == "no-inverse"
    assert reason in error.value.diagnostic.title


def test_a_promise_may_be_kept_by_another_primitive() -> None:
    assert onOne.inv.written == "reduce f i xs = reducePar f i xs"


def test_an_underdetermined_family_has_inverses_at_given_sizes() -> None:
    e = rise.parse_expr("map(g, xs)", CONTEXT)
    padded = padding.padMapped(5)(e)
    assert isinstance(padded, Success)
    back = padding.padMapped(5).inv(padded.program)
    assert isinstance(back, Success) and back.program == e


def test_a_failing_inverse_reports_what_it_expected() -> None:
    failure = fusion.mapFusion.inv(rise.parse_expr("reduce(add, 0.0, xs)", CONTEXT))
    assert isinstance(failure, Failure)
    assert "map (f . g) xs" in str(failure.explain())


def test_sizes_that_are_zero_are_no_error() -> None:
    law = reductions.stripReduce.inv
    e = rise.parse_expr(
        "reduce(add, 0.0, map(fun(strip => reduce(add, 0.0, strip)), transpose(split(0, take(0, xs)))))",
        CONTEXT,
    )
    assert isinstance(topDown(law)(e), Failure | Success)


def test_instances_are_the_public_ones() -> None:
    assert instances is random_instances
