"""Traversals and predicates of RISE: what they reach, in which order, and where they fail."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings

import rise
from elevate import (
    Engine,
    Failure,
    Strategy,
    Success,
    all_,
    bottomUp,
    fail,
    id_,
    normalize,
    run,
    skip,
    topDown,
)
from elevate.orders import Order, inOrder
from elevate.testing import check_engines_agree, strategies_over
from rise import Bound, Expr
from strategies.rules.functions import etaReduction, gentleBeta
from strategies.rules.fusion import mapFission, mapFusion, reduceMapFusion
from strategies.rules.lowering import etaAbstraction, mapToMapSeq, reduceToReduceSeq
from strategies.testing import programs
from strategies.vocabulary.traversals import (
    MAPS,
    alternative,
    alternative2,
    argument,
    argumentOf,
    body,
    check,
    default,
    depFunction,
    everywhere,
    fmap,
    function,
    inLambda,
    is_,
    isApp,
    isApplied,
    isAppliedLet,
    isAppliedMap,
    isAppliedReduce,
    isAppliedZip,
    isDepLambda,
    isEqualToUntyped,
    isIdentifier,
    isLambda,
    isLiteral,
    isPrimitive,
    isVectorizeablePrimitive,
    lambdaBodyWithName,
    mapNest,
    mapped,
    moveTowardsArgument,
    onApp,
    onCall,
)
from tests.examples import examples

mm = rise.parse_expr(
    "fun(a: 4.8.f32, b: 8.4.f32 => a |> map(fun(row => transpose(b) |> map(fun(col =>"
    " zip(row, col) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))))"
)
two = rise.parse_expr("fun(xs: 4.f32 => map(fun(x => abs(x)), map(fun(x => neg(x)), xs)))")
RULES = (
    mapFusion,
    mapFission,
    reduceMapFusion,
    reduceToReduceSeq,
    mapToMapSeq,
    etaAbstraction,
    gentleBeta,
    etaReduction,
)
ENGINES: tuple[Engine, ...] = ("fast", "reference")


def succeeds(strategy: Strategy, e: Expr) -> bool:
    """Whether both engines say that a strategy succeeds."""
    found = [isinstance(run(strategy, e, engine=engine).result, Success) for engine in ENGINES]
    assert len(set(found)) == 1
    return found[0]


HOLDS = [
    (inLambda(isAppliedMap), mm, True),
    (isAppliedMap, mm, False),
    (body(isLambda), mm, True),
    (body(body(mapNest(2))), mm, True),
    (body(body(mapNest(3))), mm, False),
    (topDown(mapNest(1)), two, True),
    (inLambda(fmap(fmap(isAppliedReduce))), mm, True),
    (inLambda(mapped(isLambda)), mm, True),
    (inLambda(fmap(moveTowardsArgument(1)(is_("transpose")))), mm, False),
    (inLambda(fmap(moveTowardsArgument(1)(function(is_("transpose"))))), mm, True),
    (inLambda(fmap(argument(isApp(is_("transpose"), isIdentifier)))), mm, True),
    (inLambda(isApplied(isApplied(is_("map")))), mm, True),
    (inLambda(isApplied(isApplied(isApplied(is_("map"))))), mm, False),
    (topDown(isAppliedZip), mm, True),
    (topDown(isVectorizeablePrimitive), mm, True),
    (topDown(isVectorizeablePrimitive), rise.parse_expr("fun(xs: 4.f32 => transpose(split(2, xs)))"), False),
    (topDown(argumentOf("reduce", isPrimitive)), mm, True),
    (topDown(argumentOf("map", isPrimitive)), mm, False),
    (topDown(onCall("zip", isIdentifier, isIdentifier)), mm, True),
    (topDown(onCall("reduce", isPrimitive, isLiteral, isAppliedMap)), mm, True),
    (topDown(onCall("reduce", isPrimitive, isLiteral, isAppliedZip)), mm, False),
    (topDown(onApp(is_("fst"), isIdentifier)), mm, True),
    (isDepLambda, rise.parse("fun(xs: N.f32 => xs)").main, True),
    (topDown(depFunction(is_("split"))), rise.parse_expr("fun(xs: 4.f32 => split(2, xs))"), True),
    (topDown(isAppliedLet), rise.parse_expr("fun(x: f32 => (fun(y => y + y))(x * x))"), True),
    (check(inLambda(function(id_))), mm, True),
    (function(id_), mm, False),
    (argument(id_), mm, False),
    (body(id_), mm.children[0].children[0], False),
    (depFunction(id_), mm, False),
    (inLambda(fail), mm, False),
]


@pytest.mark.parametrize(("strategy", "e", "expected"), HOLDS, ids=str)
def test_where_predicates_hold(strategy: Strategy, e: Expr, expected: bool) -> None:
    assert succeeds(strategy, e) == expected


FIRST = [(default, (0, 1)), (alternative, (0, 0, 1)), (alternative2, (0, 1))]


@pytest.mark.parametrize(("order", "path"), FIRST, ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_three_orders_of_RISE(order: Order, path: tuple[int, ...], engine: Engine) -> None:
    """The explicit function in the outer map is in its function part; the other map is in its argument."""
    either = topDown(etaReduction | isInner >> mapToMapSeq)
    result = run(inOrder(order)(either), two, engine=engine).result
    assert isinstance(result, Success)
    (step,) = result.steps
    assert step.path == path


isInner = onCall("map", id_, isIdentifier)


def test_default_visits_a_primitive_before_its_function() -> None:
    """`map f`: the primitive before f, although an array would come before the function."""
    (application,) = [two.children[0].children[0]]
    assert list(default.of(application)) == [0, 1] and list(default.of(two.children[0])) == [1, 0]
    assert list(alternative.of(two.children[0])) == [0, 1]
    assert list(alternative2.of(application)) == [1, 0]


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies_over(RULES, max_leaves=4), programs())
def test_engines_agree_in_the_orders_of_RISE(strategy: Strategy, e: Expr) -> None:
    for order in (default, alternative2):
        check_engines_agree(inOrder(order)(strategy), e)


def test_skip_in_an_order_counts_what_succeeds_in_it() -> None:
    for engine in ENGINES:
        result = run(inOrder(alternative2)(skip(1)(isAppliedMap >> mapToMapSeq)), two, engine=engine).result
        assert isinstance(result, Success)
        assert [step.path for step in result.steps] == [(0, 1)]


def named_variable(x: Bound) -> Strategy:
    """A rule that applies a function to the parameter itself."""
    return topDown(onApp(id_, isEqualToUntyped(x)))


def test_a_body_with_the_name_of_its_parameter() -> None:
    square, constant = rise.parse_expr("fun(x: f32 => abs(x))"), rise.parse_expr("fun(x: f32 => abs(2.0))")
    assert succeeds(lambdaBodyWithName(named_variable), square)
    assert not succeeds(lambdaBodyWithName(named_variable), constant)
    assert not succeeds(lambdaBodyWithName(named_variable), square.children[0])
    assert repr(lambdaBodyWithName(named_variable)) == "lambdaBodyWithName(named_variable)"


def test_equal_but_for_types() -> None:
    texts = ["fun(xs: 4.f32 => map(fun(x => abs(x)), xs))", "fun(ys: 8.f64 => map(fun(y => abs(y)), ys))"]
    one, other = map(rise.parse_expr, texts)
    assert one != other
    assert succeeds(isEqualToUntyped(one), other)
    for text in ("fun(xs: 4.f32 => map(fun(x => neg(x)), xs))", "fun(xs: 4.f32 => map(abs, xs))"):
        assert not succeeds(isEqualToUntyped(one), rise.parse_expr(text))
    assert not succeeds(
        isEqualToUntyped(rise.parse_expr("fun(xs: 8.f32 => split(2, xs))")),
        rise.parse_expr("fun(xs: 8.f32 => split(4, xs))"),
    )


def test_rewrites_reach_their_part_and_no_other() -> None:
    result = inLambda(fmap(fmap(argument(mapToMapSeq))))(mm)
    assert isinstance(result, Success)
    assert rise.show(result.program).count("mapSeq") == 1
    (step,) = result.steps
    assert step.path == (0, 0, 0, 1, 0, 0, 1, 0, 1)


def test_traversals_are_data_and_print_as_in_the_papers() -> None:
    for strategy, text in (
        (fmap(body(mapFusion)), "fmap(body(mapFusion))"),
        (argumentOf("map", mapFusion), "argumentOf(map)(mapFusion)"),
        (inLambda(mapFusion), "inLambda(mapFusion)"),
        (mapNest(2), "mapNest(2)"),
        (isApplied(is_("map")), "isApplied(is_('map'))"),
        (inOrder(default)(topDown(mapFusion)), "inOrder(default)(topDown(mapFusion))"),
        (all_(isAppliedMap), "all_(isAppliedMap)"),
    ):
        assert repr(strategy) == text
        assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert everywhere is normalize and "mapPar" in MAPS
    failure = inLambda(fmap(bottomUp(mapFusion)))(mm)
    assert isinstance(failure, Failure)
