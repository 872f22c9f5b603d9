"""Warnings about strategies: the examples of the papers, each warning, each answer. Uses toy rules."""

import pytest

from elevate import (
    Answer,
    Strategy,
    StrategyError,
    allBottomup,
    allTopdown,
    bottomUp,
    child,
    contains,
    fail,
    id_,
    ifThenElse,
    info,
    lChoice,
    normalize,
    not_,
    one,
    repeat,
    rule,
    seq,
    some,
    topDown,
    try_,
    tryAll,
    warnings_of,
)
from elevate.analysis.shapes import ANY, Built, covers, meet, unify
from elevate.analysis.termination import always_end
from elevate.combinators import Named
from elevate.toy import Tree, fToG, isF, swap, tree
from tests.elevate.analysis.toy_rules import (
    aToB,
    copied,
    double,
    flip,
    leftOfPair,
    same,
    sink,
    toF,
    toG,
    tree_rule,
    unwrap,
    wrap,
)

NEVER, MAY, ALWAYS = Answer.NEVER, Answer.MAY, Answer.ALWAYS

mapFusion = tree_rule("mapFusion", "map(?f, map(?g, ?xs))", "map(compose(?f, ?g), ?xs)")
multComm = tree_rule("multComm", "mul(?a, ?b)", "mul(?b, ?a)")
plusComm = tree_rule("plusComm", "add(?a, ?b)", "add(?b, ?a)")
plusZero = tree_rule("plusZero", "add(zero, ?a)", "?a")


def codes(strategy: Strategy) -> list[str]:
    return [warning.code for warning in warnings_of(strategy)]


def test_a_choice_fails_only_if_its_second_part_fails() -> None:
    """The founding talk's first example."""
    assert info(mapFusion | plusComm).fails is MAY
    assert info(mapFusion | id_).fails is NEVER
    assert info(fail | mapFusion).fails is MAY
    assert info(fail | fail).fails is ALWAYS


@pytest.mark.parametrize("inner", [mapFusion, fail, id_, swap, topDown(mapFusion)], ids=str)
def test_try_never_fails(inner: Strategy) -> None:
    """The talk's second example."""
    assert info(try_(inner)).fails is NEVER
    assert info(normalize(inner)).fails is NEVER
    assert info(tryAll(inner)).fails is NEVER


def test_the_shape_of_map_fusion() -> None:
    """The talk's third example: what the rule needs, and what its results look like."""
    need = mapFusion.requires()
    assert str(need) == "map _ (map _ _)"
    assert need.needed == need.enough
    assert str(topDown(mapFusion).requires()) == "somewhere map _ (map _ _)"
    assert str((mapFusion >> mapFusion).requires()) == "map _ (map _ (map _ _))"
    assert str((mapFusion >> child(1)(mapFusion)).requires()) == "map _ (map _ (map _ (map _ _)))"


def test_the_examples_of_shoggoth() -> None:
    """`repeat` of a strategy that never fails; two rules that never match; two that only match on `m + 0`."""
    assert codes(repeat(id_)) == ["never-ends"]
    assert codes(multComm >> plusComm) == ["never-fits"]
    assert str((plusComm >> plusZero).requires()) == "add _ zero"
    assert codes(plusComm >> plusZero) == []
    good, bad = tree("add", "m", "zero"), tree("add", "zero", "m")
    assert (plusComm >> plusZero).check(good).answer == "yes"
    assert (plusComm >> plusZero).check(bad).answer == "no"


def test_a_sequence_that_never_matches_shows_both_shapes() -> None:
    (warning,) = warnings_of(Named("tidy", (), sink >> double))
    assert str(warning) == (
        "warning[never-fits]: `double` always fails after `sink` in `sink >> double`\n"
        "note: `sink` gives `f (h _)`\n"
        "note: `double` needs `f (f _)`\n"
        "note: in tidy\n"
        "hint: remove the part, or apply it where it fits by a traversal such as `topDown`"
    )
    assert info(sink >> double).fails is ALWAYS


@pytest.mark.parametrize(
    ("strategy", "code"),
    [
        (toF >> toF, "never-fits"),
        (toF >> try_(toF), "never-fits"),
        (toF >> id_ >> toF, "never-fits"),
        (id_ | toF, "dead-branch"),
        (lChoice(unwrap, toF), "dead-branch"),
        (lChoice(fToG, toG, fToG), "dead-branch"),
        (ifThenElse(id_, toF, toG), "dead-branch"),
        (try_(try_(toF)), "useless-try"),
        (try_(topDown(id_)), "useless-try"),
        (repeat(try_(toF)), "never-ends"),
        (normalize(id_), "never-ends"),
        (repeat(isF), "never-ends"),
        (repeat(contains(tree("a"))), "never-ends"),
        (normalize(toF | toG), "may-not-end"),
        (normalize(flip), "may-not-end"),
        (normalize(wrap), "never-ends"),
        (allTopdown(toF), "always-fails"),
        (allBottomup(double), "always-fails"),
        (not_(try_(toF)), "always-fails"),
    ],
    ids=str,
)
def test_warning(strategy: Strategy, code: str) -> None:
    assert code in codes(strategy)
    assert code in codes(topDown(Named("inside", (), strategy)))


@pytest.mark.parametrize(
    "strategy",
    [
        toF >> toG,
        fToG | toG,
        same | flip,
        lChoice(leftOfPair, flip),
        try_(toF),
        repeat(flip),
        normalize(double),
        normalize(double | unwrap),
        normalize(sink),
        normalize(fToG),
        allTopdown(try_(toF)),
        allTopdown(toF | aToB | id_),
        allBottomup(aToB | id_),
        not_(toF),
        toF >> topDown(toF),
        toF >> fail,
        child(0)(toF) >> child(0)(toG),
        some(toF) >> some(toF),
        one(copied) >> copied,
    ],
    ids=str,
)
def test_no_false_alarm(strategy: Strategy) -> None:
    assert codes(strategy) == []


def test_strict_raises_the_first_warning() -> None:
    assert warnings_of(toF >> toG, strict=True) == ()
    with pytest.raises(StrategyError) as caught:
        warnings_of(toF >> toF, strict=True)
    assert caught.value.diagnostic.code == "never-fits"


def test_strategies_that_leave_a_term_unchanged() -> None:
    assert info(isF).unchanged is ALWAYS
    assert info(not_(toF)).unchanged is ALWAYS
    assert info(topDown(isF >> id_)).unchanged is ALWAYS
    assert info(toF).unchanged is NEVER
    assert info(flip).unchanged is MAY  # p(x, x)
    assert info(isF >> topDown(toF)).unchanged is NEVER
    assert info(toF >> toG).unchanged is MAY
    assert info(double >> unwrap).unchanged is NEVER
    assert info(try_(toF)).unchanged is MAY
    assert info(try_(fail)).unchanged is ALWAYS


def test_strategies_that_terminate() -> None:
    assert info(normalize(double | unwrap)).diverges is NEVER
    assert info(normalize(double | aToB)).diverges is NEVER  # one because of sizes, one because of leaves
    assert info(normalize(copied)).diverges is MAY
    assert info(normalize(fToG)).diverges is MAY
    assert info(repeat(try_(toF))).diverges is ALWAYS
    assert info(allTopdown(try_(wrap))).diverges is MAY
    assert not always_end(frozenset([toF, toG]))


def test_check_gives_a_reason() -> None:
    program = tree("h", tree("g", "a"))
    assert str(topDown(double).check(program)) == (
        "no: topDown(double) needs `somewhere f (f _)`, and the program is `h(g(a))`"
    )
    assert topDown(unwrap).check(program).answer == "yes"
    assert str((toF >> toF).check(program)) == "no: toF >> toF needs `no term`"
    assert topDown(swap).check(program).answer == "no"
    assert topDown(same).check(tree("p", "a", "b")).answer == "unknown"
    assert (isF >> toG).check(tree("f", "a")).answer == "yes"


def test_nothing_is_claimed_about_opaque_rules() -> None:
    @rule
    def anything(term: Tree) -> Tree:
        return term

    known = info(anything)
    assert (known.fails, known.unchanged, known.diverges) == (MAY, MAY, NEVER)
    assert str(anything.requires()) == "any term"
    assert anything.check(tree("a")).answer == "unknown"
    assert codes(normalize(anything)) == []


def test_long_and_deep_strategies_are_analysed_in_part() -> None:
    deep: Strategy = toF
    for _ in range(150):
        deep = topDown(deep)
    assert info(deep).fails is MAY
    assert info(seq(*[toF, toG] * 2000)).fails is MAY
    assert codes(seq(*[toF, toG] * 500)) == []


def test_shapes() -> None:
    mapped = Built(("map", 2), (ANY, ANY))
    nested = Built(("map", 2), (ANY, mapped))
    assert covers(mapped, nested) and not covers(nested, mapped)
    assert meet(Built(("map", 2)), nested) == nested
    assert meet(Built(("zip", 2)), nested) is None
    assert not unify(toF.shapes()[0].left, toF.shapes()[0].right)
    assert bottomUp(toF).requires() == topDown(toF).requires()
