"""Scoped bindings: what a name means, also below binders; dynamic rules; both engines."""

import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings

from elevate import (
    Engine,
    Failure,
    Strategy,
    StrategyError,
    Success,
    all_,
    bottomUp,
    child,
    named,
    normalize,
    one,
    position,
    run,
    skip,
    some,
    topDown,
    try_,
)
from elevate.congruences import HasRoot
from elevate.directed_strategies import at
from elevate.orders import inOrder, lastToFirst
from elevate.scopes import NoBinders, bind, isBound, rewriteBound
from elevate.testing import check_engines_agree, check_replay, result_of, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, tree
from tests.examples import examples

a, b, fa, fb, ga = tree("a"), tree("b"), tree("f", "a"), tree("f", "b"), tree("g", "a")
isG = HasRoot(("g", 1))
MOSTLY_TERMINATING = strategies_over([*RULES[:5], *PREDICATES])


@dataclass(frozen=True, slots=True)
class AlwaysOpen(NoBinders):
    """A language that claims that every term has free variables, so that terms are moved at each node, which changes
    nothing here.
    """

    def is_closed(self, term: Any) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class UnderH(AlwaysOpen):
    """A language in which h binds: a term t from outside is `s(t)` inside."""

    def inward(self, term: Any, node: Any) -> Tree:
        return tree("s", term) if node.label == "h" else term

    def outward(self, term: Any, node: Any) -> Tree | None:
        if node.label != "h":
            return term  # type: ignore[no-any-return]  # the argument
        return term.children[0] if term.label == "s" else None


REWRITES = [
    (bind("x", isF)(topDown(isBound("x") >> fToG)), tree("p", "a", fa), tree("p", "a", ga)),
    (bind("x", isF)(bind("y", isG)(topDown(rewriteBound("x", "y")))), tree("p", fa, ga), tree("p", ga, ga)),
    (bind("x")(one(isBound("x"))) | fToG, fa, ga),
    (bind("x")(isBound("x") >> fToG), fa, ga),
    (bind("x", isF)(bind("x", isG)(topDown(isBound("x") >> dropG))), tree("p", fa, ga), tree("p", fa, a)),
    (bind("x", isF)(bind("x", isG)(dropG) | topDown(isBound("x") >> fToG)), fa, ga),
    (bind("x", isF)(named("mine", topDown(isBound("x") >> fToG))), tree("p", "a", fa), tree("p", "a", ga)),
    (bind("x", isF)(at("1")(isBound("x") >> fToG)), tree("p", "a", fa), tree("p", "a", ga)),
    (
        inOrder(lastToFirst)(bind("x", isF)(topDown(isF >> fToG))),
        tree("p", fa, fb),
        tree("p", fa, tree("g", "b")),
    ),
    (
        bind("x", isF)(inOrder(lastToFirst)(topDown(isBound("x") >> fToG))),
        tree("p", fa, fa),
        tree("p", fa, ga),
    ),
]


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(("strategy", "program", "expected"), REWRITES, ids=str)
def test_a_name_means_what_was_found(
    strategy: Strategy, program: Tree, expected: Tree, engine: Engine
) -> None:
    result = run(strategy, program, engine=engine).result
    assert isinstance(result, Success)
    assert result.program is expected


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    "walk",
    [topDown, bottomUp, one, some, all_, child(0), position(1), inOrder(lastToFirst), normalize],
    ids=lambda walk: getattr(walk, "__name__", "walk"),
)
def test_names_are_read_from_below_binders(walk: Any, engine: Engine) -> None:
    program = tree("p", fa, tree("h", tree("s", fa)))
    inside = topDown(isBound("x") >> rewriteBound("x", "y"))
    strategy = bind("x", isF, binders=UnderH())(
        bind("y", HasRoot(("a", 0)), binders=UnderH())(
            child(1)(walk(inside) if walk is not one else one(inside))
        )
    )
    result = run(strategy, program, engine=engine).result
    assert isinstance(result, Success)
    assert result.program is tree("p", fa, tree("h", tree("s", "a")))


def test_terms_that_mention_a_binder_are_not_found_outside_of_it() -> None:
    program = tree("p", tree("h", "a"), tree("h", tree("s", "b")))
    unmovable = bind("x", HasRoot(("a", 0)), binders=UnderH())(fToG)
    assert isinstance(unmovable(program), Failure)
    movable = bind("x", HasRoot(("s", 1)), binders=UnderH())(topDown(isBound("x")))
    assert isinstance(movable(program), Success)


def test_skip_cannot_pass_binders_with_open_names() -> None:
    strategy = bind("x", isF, binders=UnderH())(skip(1)(isBound("x")))
    with pytest.raises(StrategyError, match="bound-below-binders"):
        strategy(fa)


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_an_unbound_name_is_reported(engine: Engine) -> None:
    with pytest.raises(StrategyError) as caught:
        run(topDown(isBound("x")), fa, engine=engine)
    assert caught.value.diagnostic.code == "unbound-name"
    assert "uses 'x', which no enclosing bind binds" in str(caught.value)


def test_bindings_are_data() -> None:
    strategy = bind("x", isF)(try_(topDown(rewriteBound("x", "y"))))
    assert repr(strategy) == "bind('x', isF)(try_(topDown(rewriteBound('x', 'y'))))"
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert repr(bind("x")(isBound("x"))) == "bind('x')(isBound('x'))"


def using(inner: Strategy, binders: NoBinders) -> Strategy:
    """A strategy that uses two names several times."""
    uses = topDown(isBound("x") >> inner) | try_(bottomUp(rewriteBound("y", "x"))) >> inner
    return bind("x", isF, binders=binders)(bind("y", one(inner), binders=binders)(uses))


@settings(max_examples=examples(150))
@given(MOSTLY_TERMINATING, toy_trees())
def test_engines_agree_on_bindings(inner: Strategy, program: Tree) -> None:
    check_engines_agree(using(inner, NoBinders()), program)


@settings(max_examples=examples(60))
@given(MOSTLY_TERMINATING.filter(lambda s: "skip" not in repr(s)), toy_trees())
def test_scoped_bindings_agree_with_substitution(inner: Strategy, program: Tree) -> None:
    substituted, carried = using(inner, NoBinders()), using(inner, AlwaysOpen())
    check_engines_agree(carried, program)
    expected, actual = result_of(substituted, program), result_of(carried, program)
    assert expected == actual if isinstance(expected, Success) else isinstance(actual, Failure)


@settings(max_examples=examples(60))
@given(MOSTLY_TERMINATING, toy_trees())
def test_steps_of_bound_rules_replay(inner: Strategy, program: Tree) -> None:
    check_replay(using(inner, NoBinders()), program)
