"""Cases: what every combinator and traversal does, and when it fails (the table of the ICFP paper)."""

from dataclasses import dataclass

import pytest

from elevate import (
    Engine,
    Failure,
    Profile,
    Strategy,
    StrategyError,
    Success,
    all_,
    allBottomup,
    alltd,
    allTopdown,
    applyNTimes,
    bottomUp,
    child,
    contains,
    downup,
    downup2,
    fail,
    id_,
    ifThenElse,
    innermost,
    isEqualTo,
    lChoice,
    named,
    normalize,
    not_,
    one,
    outermost,
    position,
    repeat,
    repeatNTimes,
    run,
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
from elevate.toy import Tree, dropG, fToG, isF, isLeaf, mergeH, tree

a, fa, ga, ha = tree("a"), tree("f", "a"), tree("g", "a"), tree("h", "a")
pair = tree("p", fa, fa)
ffa, hha = tree("f", fa), tree("h", ha)

SUCCEEDS = [
    (id_, fa, fa),
    (fToG, fa, ga),
    (seq(), fa, fa),
    (fToG >> dropG, fa, a),
    (fToG | dropG, ga, a),
    (dropG | fToG, fa, ga),
    ((fToG >> fail) | id_, fa, fa),
    (try_(dropG), fa, fa),
    (repeat(fToG | dropG), ffa, a),
    (repeat(fToG), a, a),
    (repeatNTimes(0)(fail), fa, fa),
    (repeatNTimes(2)(fToG | dropG), ffa, fa),
    (not_(dropG), fa, fa),
    (ifThenElse(isF, fToG, fail), fa, ga),
    (ifThenElse(isF, dropG, fail), fa, fa),
    (ifThenElse(fToG, dropG, fail), fa, a),
    (ifThenElse(isF, fail, dropG), ga, a),
    (isEqualTo(fa) >> fToG, fa, ga),
    (all_(fToG), pair, tree("p", ga, ga)),
    (all_(fail), a, a),
    (one(fToG), pair, tree("p", ga, fa)),
    (one(fToG), tree("p", "a", fa), tree("p", "a", ga)),
    (some(fToG), tree("q", "a", fa, fa), tree("q", "a", ga, ga)),
    (child(1)(fToG), pair, tree("p", fa, ga)),
    (topDown(fToG), ffa, tree("g", fa)),
    (bottomUp(fToG), ffa, tree("f", ga)),
    (bottomUp(fToG), pair, tree("p", ga, fa)),
    (allTopdown(try_(fToG)), ffa, tree("g", ga)),
    (allBottomup(try_(dropG)), tree("g", ga), a),
    (allTopdown(try_(dropG)), tree("g", ga), ga),
    (downup(try_(fToG | dropG)), ffa, a),
    (downup2(try_(fToG), try_(dropG)), ffa, a),
    (tryAll(fToG), tree("p", ffa, "b"), tree("p", tree("g", ga), "b")),
    (alltd(fToG | isLeaf), tree("p", ffa, "b"), tree("p", tree("g", fa), "b")),
    (alltd(fToG), tree("p", ga, "a"), tree("p", ga, "a")),
    (sometd(fToG), tree("p", ffa, "b"), tree("p", tree("g", fa), "b")),
    (somebu(fToG), tree("p", ffa, "b"), tree("p", tree("f", ga), "b")),
    (normalize(fToG | dropG), tree("h", ffa), ha),
    (position(0)(fToG), ffa, tree("g", fa)),
    (position(1)(fToG), ffa, tree("f", ga)),
    (position(3)(fToG), pair, tree("p", fa, ga)),
    (skip(0)(fToG), pair, tree("p", ga, fa)),
    (skip(1)(fToG), pair, tree("p", fa, ga)),
    (skip(1)(fToG), ffa, tree("f", ga)),
    (skip(1)(isF >> fToG), pair, tree("p", fa, ga)),
    (skip(1)(bottomUp(fToG) >> id_), pair, tree("p", ga, fa)),
    (repeat(bottomUp(fToG)), pair, tree("p", ga, ga)),
    (child(1)(bottomUp(fToG)), pair, tree("p", fa, ga)),
    (position(3)(bottomUp(fToG)), pair, tree("p", fa, ga)),
    (some(bottomUp(fToG)), tree("p", fa, "b"), tree("p", ga, "b")),
    (normalize(isF >> bottomUp(fToG)), tree("h", ffa), tree("h", tree("g", ga))),
    (skip(2)(topDown(fToG)), pair, tree("p", fa, ga)),
    (applyNTimes(2)(one)(fToG), tree("h", pair), tree("h", tree("p", ga, fa))),
    (outermost(isF)(fToG), tree("h", ffa), tree("h", tree("g", fa))),
    (innermost(isF)(fToG), tree("h", ffa), tree("h", tree("f", ga))),
    (fToG @ outermost(not_(isLeaf)), ffa, tree("g", fa)),
    (contains(a), pair, pair),
    (mergeH @ topDown, tree("f", hha), tree("f", ha)),
]

FAILS = [
    (fail, fa, fail, ()),
    (fToG, ga, fToG, ()),
    (lChoice(), fa, fail, ()),
    (fToG >> dropG >> fToG, fa, fToG, ()),
    (fToG | mergeH, ga, fToG | mergeH, ()),
    (repeatNTimes(3)(fToG | dropG), fa, fToG | dropG, ()),
    (not_(fToG), fa, not_(fToG), ()),
    (ifThenElse(isF, fToG, fail), ga, ifThenElse(isF, fToG, fail), ()),
    (all_(fToG), tree("p", fa, "a"), fToG, (1,)),
    (one(fail), a, one(fail), ()),
    (one(fToG), a, one(fToG), ()),
    (one(id_), a, one(id_), ()),
    (some(id_), a, some(id_), ()),
    (child(0)(id_), a, child(0)(id_), ()),
    (child(1)(child(0)(mergeH)), pair, mergeH, (1, 0)),
    (topDown(mergeH), pair, topDown(mergeH), ()),
    (child(0)(bottomUp(mergeH)), pair, bottomUp(mergeH), (0,)),
    (allTopdown(fToG), ffa, fToG, (0, 0)),
    (allBottomup(fToG), ffa, fToG, (0, 0)),
    (sometd(fToG), tree("p", ga, "a"), sometd(fToG), ()),
    (somebu(fToG), tree("p", ga, "a"), somebu(fToG), ()),
    (not_(bottomUp(fToG)), pair, not_(bottomUp(fToG)), ()),
    (not_(tryAll(fToG)) | one(fail), pair, not_(tryAll(fToG)) | one(fail), ()),
    (all_(bottomUp(fToG)), tree("p", fa, "a"), bottomUp(fToG), (1,)),
    (all_(some(bottomUp(fToG))), tree("p", fa, ffa), some(bottomUp(fToG)), (0,)),
    (child(1)(tryAll(fToG) >> fail), pair, fail, (1,)),
    (child(2)(bottomUp(fToG)), pair, child(2)(bottomUp(fToG)), ()),
    (position(1)(bottomUp(mergeH)), pair, bottomUp(mergeH), (0,)),
    (position(9)(bottomUp(mergeH)), pair, position(9)(bottomUp(mergeH)), ()),
    (skip(4)(bottomUp(fToG)), pair, skip(4)(bottomUp(fToG)), ()),
    (try_(allTopdown(fToG)) >> allTopdown(fToG), ffa, fToG, (0, 0)),
    (outermost(isF)(dropG), pair, outermost(isF)(dropG), ()),
    (innermost(isF)(dropG), pair, innermost(isF)(dropG), ()),
    (contains(ga), pair, contains(ga), ()),
    (position(4)(id_), ffa, position(4)(id_), ()),
    (position(2)(fToG), ffa, fToG, (0, 0)),
    (skip(2)(fToG), pair, skip(2)(fToG), ()),
    (skip(0)(isF >> dropG), pair, skip(0)(isF >> dropG), ()),
    (named("tile", 32, fToG), a, named("tile", 32, fToG), ()),
    (named("tile", 32, id_ >> child(0)(fToG)), tree("g", "a"), fToG, (0,)),
]


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(("strategy", "program", "expected"), SUCCEEDS, ids=str)
def test_success(strategy: Strategy, program: Tree, expected: Tree, engine: Engine) -> None:
    result = run(strategy, program, engine=engine).result
    assert isinstance(result, Success)
    assert result.program is expected


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(("strategy", "program", "part", "path"), FAILS, ids=str)
def test_failure(
    strategy: Strategy, program: Tree, part: Strategy, path: tuple[int, ...], engine: Engine
) -> None:
    result = run(strategy, program, engine=engine).result
    assert result == Failure(part, path, strategy, program)


def test_discarded_firings_are_not_steps() -> None:
    outcome = run((fToG >> fail) | (fToG >> dropG), fa)
    assert isinstance(outcome.result, Success)
    assert [step.rule.name for step in outcome.result.steps] == ["fToG", "dropG"]
    assert outcome.counters.firings == 2
    assert outcome.counters.attempts == 3


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_an_observer_sees_what_is_kept_and_what_is_not(engine: Engine) -> None:
    profile = Profile()
    strategy = not_(fToG) | all_(fToG) >> fail | normalize(fToG | dropG)
    run(strategy, ffa, engine=engine, observers=[profile])
    assert +profile.firings == {"fToG": 2, "dropG": 2}
    assert profile.attempts["fToG"] >= 4


@dataclass(frozen=True, slots=True)
class Leftmost(Strategy):
    """A user-defined traversal: the first place on the leftmost branch."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return self.inner | child(0)(self)


@dataclass(frozen=True, slots=True)
class Endless(Strategy):
    """A definition that applies itself at the same place."""

    def unfold(self) -> Strategy:
        return try_(fToG) >> Endless()


@dataclass(frozen=True, slots=True)
class Counting(Strategy):
    """A definition that unfolds forever."""

    number: int

    def unfold(self) -> Strategy:
        return id_ >> Counting(self.number + 1)


class Empty(Strategy):
    """A strategy without a definition."""


def test_a_user_defines_traversals() -> None:
    program = tree("h", tree("p", fa, fa))
    assert repr(Leftmost(fToG)) == "leftmost(fToG)"
    engines: tuple[Engine, ...] = ("fast", "reference")
    for engine in engines:
        result = run(Leftmost(fToG), program, engine=engine).result
        assert isinstance(result, Success)
        assert result.program is tree("h", tree("p", ga, fa))
    assert Leftmost(mergeH)(program) == Failure(Leftmost(mergeH), (), Leftmost(mergeH), program)


def test_a_user_defined_traversal_goes_deep() -> None:
    program = fa
    for _ in range(10_000):
        program = tree("h", program)
    assert isinstance(Leftmost(fToG)(program), Success)
    assert isinstance(Leftmost(dropG)(program), Failure)


@pytest.mark.parametrize(
    ("strategy", "code"),
    [
        (Endless(), "endless-definition"),
        (Counting(0), "strategy-too-deep"),
        (Empty(), "no-definition"),
        (applyNTimes(5000)(one)(fToG), "strategy-too-deep"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_endless_and_empty_definitions_are_errors(strategy: Strategy, code: str) -> None:
    with pytest.raises(StrategyError) as caught:
        strategy(fa)
    assert caught.value.diagnostic.code == code


def test_an_endless_definition_is_an_error_in_the_reference_too() -> None:
    with pytest.raises(StrategyError, match="endless-definition"):
        run(Endless(), fa, engine="reference")


def test_long_sequences_and_choices_are_no_problem() -> None:
    assert isinstance(seq(*[try_(fToG)] * 20_000)(fa), Success)
    assert isinstance(lChoice(*[dropG] * 20_000, id_)(fa), Success)


def test_a_predicate_guards() -> None:
    big = where(lambda term: len(term.children) > 1)
    assert isinstance((big >> one(fToG))(pair), Success)
    assert isinstance((big >> one(fToG))(ffa), Failure)
