"""Strategies that rewrite strategies: each law fires, and both sides do the same to every program."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from elevate import (
    Failure,
    FunctionRule,
    LChoice,
    Seq,
    Strategy,
    Success,
    all_,
    allBottomup,
    alltd,
    allTopdown,
    bottomUp,
    child,
    fail,
    id_,
    lChoice,
    named,
    normalize,
    not_,
    one,
    position,
    repeat,
    repeatNTimes,
    seq,
    skip,
    some,
    somebu,
    sometd,
    topDown,
    try_,
    tryAll,
    where,
)
from elevate.congruences import HasRoot, focus, test
from elevate.meta import (
    FNF,
    PLACING,
    SIMPLIFYING,
    choiceFail,
    choiceId,
    choiceSure,
    choiceTwice,
    counted,
    everywhere,
    flatten,
    fused,
    never_fails,
    notNot,
    notSure,
    nowhere,
    placeChoice,
    placeSeq,
    seqExhausted,
    seqFail,
    seqGuardTwice,
    seqId,
    seqPlace,
    simplified,
    trySure,
)
from elevate.testing import result_of, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, tree
from tests.examples import examples

SMALL = strategies_over([*RULES[:5], *PREDICATES], max_leaves=3)
LARGE = strategies_over([*RULES[:5], *PREDICATES], max_leaves=8)
below = focus("below", HasRoot(("h", 1)), (0,))
Build = Callable[[Strategy, Strategy, Strategy], Strategy]

LAWS: list[tuple[FunctionRule, Build]] = [
    (flatten, lambda a, b, c: Seq((Seq((a, b)), c))),
    (flatten, lambda a, b, c: Seq((a, Seq((b, c))))),
    (flatten, lambda a, b, c: LChoice((LChoice((a, b)), c))),
    (flatten, lambda a, b, c: LChoice((a,))),
    (seqId, lambda a, b, c: Seq((id_, a, id_, b))),
    (seqFail, lambda a, b, c: Seq((fail, a))),
    (seqFail, lambda a, b, c: Seq((a, fail, b))),
    (seqGuardTwice, lambda a, b, c: Seq((not_(a), not_(a), b))),
    (seqGuardTwice, lambda a, b, c: Seq((isF, isF, b))),
    (seqExhausted, lambda a, b, c: Seq((repeat(a), repeat(a), b))),
    (seqExhausted, lambda a, b, c: Seq((b, repeat(a), try_(a)))),
    (seqExhausted, lambda a, b, c: Seq((normalize(a), normalize(a)))),
    (seqExhausted, lambda a, b, c: Seq((normalize(a), try_(topDown(a))))),
    (choiceFail, lambda a, b, c: LChoice((fail, a, fail, b))),
    (choiceSure, lambda a, b, c: LChoice((a, id_, b))),
    (choiceSure, lambda a, b, c: LChoice((normalize(a) >> try_(b), c))),
    (choiceTwice, lambda a, b, c: LChoice((a, b, a, c))),
    (choiceId, lambda a, b, c: LChoice((a, b, id_))),
    (trySure, lambda a, b, c: try_(try_(a))),
    (trySure, lambda a, b, c: try_(repeat(a))),
    (trySure, lambda a, b, c: try_(all_(try_(a)))),
    (notNot, lambda a, b, c: not_(not_(not_(a)))),
    (notNot, lambda a, b, c: not_(not_(a))),
    (notNot, lambda a, b, c: not_(test(a))),
    (notNot, lambda a, b, c: test(test(a))),
    (notNot, lambda a, b, c: test(isF)),
    (notSure, lambda a, b, c: not_(fail)),
    (notSure, lambda a, b, c: not_(id_)),
    *(
        (nowhere, lambda a, b, c, of=of: of(fail))
        for of in (one, some, topDown, bottomUp, sometd, somebu, test)
    ),
    *((nowhere, lambda a, b, c, of=of: of(fail)) for of in (child(0), position(1), skip(1))),
    *((nowhere, lambda a, b, c, of=of: of(fail)) for of in (try_, repeat, normalize, tryAll, alltd)),
    *(
        (everywhere, lambda a, b, c, of=of: of(id_))
        for of in (all_, allTopdown, allBottomup, tryAll, topDown, alltd)
    ),
    (everywhere, lambda a, b, c: test(id_)),
    *(
        (counted, lambda a, b, c, of=of: of(a))
        for of in (repeatNTimes(0), repeatNTimes(1), position(0), skip(0))
    ),
    (placeSeq, lambda a, b, c: child(0)(Seq((a, b, c)))),
    (placeSeq, lambda a, b, c: below(Seq((a, b, c)))),
    (placeChoice, lambda a, b, c: child(0)(LChoice((a, b)))),
    (placeChoice, lambda a, b, c: below(LChoice((a, b)))),
    (seqPlace, lambda a, b, c: Seq((child(1)(a), child(1)(b), c))),
    (seqPlace, lambda a, b, c: Seq((c, below(a), below(b)))),
]


def check_same(first: Strategy, second: Strategy, program: Tree) -> None:
    """Both strategies fail, or both reach the same program by the same steps."""
    left, right = result_of(first, program, "reference"), result_of(second, program, "reference")
    if isinstance(left, Success) and isinstance(right, Success):
        assert left == right
    else:
        assert isinstance(left, Failure) and isinstance(right, Failure)


@pytest.mark.parametrize(
    ("law", "build"), LAWS, ids=[f"{law.name}: {build(*RULES[:3])}" for law, build in LAWS]
)
def test_both_sides_of_a_law_do_the_same(law: FunctionRule, build: Build) -> None:
    assert law(build(*RULES[:3])).program != build(*RULES[:3])

    @settings(max_examples=examples(12))
    @given(SMALL, SMALL, SMALL, toy_trees(max_leaves=2))
    def check(a: Strategy, b: Strategy, c: Strategy, program: Tree) -> None:
        left = build(a, b, c)
        rewritten = law(left)
        if isinstance(rewritten, Success):
            check_same(left, rewritten.program, program)

    check()


def test_every_law_has_a_case() -> None:
    assert {law for law, _ in LAWS} == {*SIMPLIFYING, *PLACING, seqPlace}
    assert all(law.function.__doc__ for law, _ in LAWS)


@settings(max_examples=examples(150))
@given(LARGE, toy_trees(max_leaves=3))
def test_rewritten_strategies_do_the_same(strategy: Strategy, program: Tree) -> None:
    for rewritten in (simplified(strategy), FNF(strategy), fused(FNF(strategy))):
        check_same(strategy, rewritten, program)
    assert simplified(simplified(strategy)) == simplified(strategy)


@given(LARGE, toy_trees(max_leaves=3))
def test_strategies_that_never_fail_do_not_fail(strategy: Strategy, program: Tree) -> None:
    if never_fails(strategy):
        assert isinstance(result_of(strategy, program), Success)


@given(LARGE)
def test_strategies_are_terms(strategy: Strategy) -> None:
    assert strategy.rebuild(strategy.children) == strategy
    assert isinstance(strategy.root, tuple)


def test_rewritten_strategies_print_as_expected() -> None:
    s = below(fToG >> (dropG | try_(fToG)))
    assert repr(FNF(s)) == "below(fToG) >> (below(dropG) | below(try_(fToG)))"
    assert repr(fused(below(fToG) >> below(dropG))) == "below(fToG >> dropG)"
    assert repr(simplified(seq(id_, lChoice(fail, try_(try_(fToG)), dropG)))) == "try_(fToG)"
    assert repr(simplified(named("mine", fToG >> id_))) == "mine"


def test_user_s_rules_rewrite_strategies() -> None:
    moreDrops = topDown(where(lambda s: s == dropG)) >> topDown(seqId | trySure)
    assert isinstance(moreDrops(id_ >> dropG), Success)
    assert repr(moreDrops(id_ >> try_(repeat(dropG))).program) == "try_(repeat(dropG))"


def test_deep_strategies_can_be_rewritten() -> None:
    s: Strategy = fToG
    for _ in range(100):
        s = child(0)(s >> id_)
    assert "id_" not in repr(simplified(s))
    assert isinstance(simplified(try_(s))(tree("a")), Success)
