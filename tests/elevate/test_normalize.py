"""Laws of normalize: resuming in place takes the same steps as searching from the root again."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elevate import (
    Engine,
    FunctionRule,
    Strategy,
    StrategyError,
    Success,
    all_,
    allBottomup,
    alltd,
    allTopdown,
    bottomUp,
    child,
    downup,
    fail,
    id_,
    lChoice,
    named,
    normalize,
    normalizeBottomup,
    not_,
    one,
    repeat,
    replay,
    run,
    skip,
    some,
    somebu,
    sometd,
    topDown,
    try_,
    tryAll,
)
from elevate.testing import toy_trees, wrapped
from elevate.toy import Tree, dropG, fToG, grow, isLeaf, mergeH, node, remark, swap, tree
from tests.examples import deep as depth
from tests.examples import examples

LABELS = "fgh"


def chain_rule(left: str, right: str, declared: str) -> FunctionRule:
    """A rule that rewrites `left` at the head of a chain of labels to `right`, as in string rewriting."""

    def apply(term: Tree) -> Tree | None:
        for label in left:
            if term.root != (label, 1):
                return None
            term = term.children[0]
        return wrapped(right, term)

    return FunctionRule(
        f"{left}->{right}",
        apply,
        frozenset([(left[0], 1)]) if "r" in declared else None,
        len(left) - 1 if "d" in declared else None,
    )


@st.composite
def chain_rules(draw: st.DrawFn) -> FunctionRule:
    """A rule that makes a chain shorter, or lexicographically smaller."""
    left = draw(st.text(LABELS, min_size=1, max_size=3))
    right = draw(st.text(LABELS, max_size=len(left)))
    if len(right) == len(left):
        left, right = max(left, right), min(left, right)
    if left == right:
        right = right[1:]
    return chain_rule(left, right, draw(st.sampled_from(["", "r", "d", "rd", "rd", "rd"])))


chains = st.builds(wrapped, st.text(LABELS, max_size=12), toy_trees(max_leaves=4))


@settings(max_examples=examples(300))
@given(st.lists(chain_rules(), min_size=1, max_size=5), chains)
def test_resuming_gives_the_steps_of_the_reference(rules: list[FunctionRule], program: Tree) -> None:
    strategy = normalize(lChoice(*rules))
    fast, reference = run(strategy, program), run(strategy, program, engine="reference")
    assert fast.result == reference.result
    assert fast.counters.attempts <= reference.counters.attempts


COMPOSITES: tuple[Callable[[Strategy, Strategy], Strategy], ...] = (
    lambda a, b: a >> b | b,
    lambda a, b: not_(a) >> b,
    lambda a, b: not_(not_(a)) >> b | a,
    lambda a, b: child(0)(a) | b,
    lambda a, b: child(0)(child(0)(a)),
    lambda a, b: not_(child(0)(a)) >> b,
    lambda a, b: one(a) | b,
    lambda a, b: some(a) | b,
    lambda a, b: not_(all_(a)) >> b,
    lambda a, b: named("both", a | b) | child(1)(a),
    lambda a, b: a >> topDown(b),
    lambda a, b: bottomUp(a) | b,
    lambda a, b: skip(1)(a) | b,
)


@pytest.mark.parametrize("composite", COMPOSITES, ids=lambda composite: str(composite(id_, fail)))
def test_composite_strategies_resume_too(composite: Callable[[Strategy, Strategy], Strategy]) -> None:
    @settings(max_examples=examples(60))
    @given(chain_rules(), chain_rules(), chains)
    def check(a: Strategy, b: Strategy, program: Tree) -> None:
        strategy = normalize(composite(a, b))
        assert result_or_error(strategy, program, "fast") == result_or_error(strategy, program, "reference")

    check()


def result_or_error(strategy: Strategy, program: Tree, engine: Engine) -> object:
    try:
        return run(strategy, program, engine=engine, fuel=2000).result
    except StrategyError as error:
        return error.diagnostic.code


@given(st.lists(chain_rules(), min_size=1, max_size=3), chains)
def test_a_normal_form_has_no_redex(rules: list[FunctionRule], program: Tree) -> None:
    result = normalize(lChoice(*rules))(program)
    assert isinstance(result, Success)
    assert not isinstance(topDown(lChoice(*rules))(result.program), Success)
    assert list(replay(program, result.steps))[-1] is result.program


def test_ancestors_are_tried_first_after_a_firing_below() -> None:
    """h (h a) appears above the firing; the reference visits it before it continues to the right."""
    program = tree("p", tree("h", tree("g", tree("h", "a"))), tree("f", "b"))
    result = normalize(mergeH | dropG | fToG)(program)
    assert isinstance(result, Success)
    assert [(step.rule.name, step.path) for step in result.steps] == [
        ("dropG", (0, 0)),
        ("mergeH", (0,)),
        ("fToG", (1,)),
        ("dropG", (1,)),
    ]


def test_the_outermost_ancestor_in_sight_is_tried_first() -> None:
    rules = chain_rule("h", "g", "rd"), chain_rule("fg", "f", "rd"), chain_rule("ffg", "f", "rd")
    result = normalize(lChoice(*rules))(wrapped("ffh", tree("a")))
    assert isinstance(result, Success)
    assert [step.rule.name for step in result.steps] == ["h->g", "ffg->f"]


def test_a_shared_subterm_is_rewritten_at_each_of_its_places() -> None:
    program = tree("f", "a")
    for _ in range(10):
        program = tree("p", program, program)
    result = normalize(fToG)(program)
    assert isinstance(result, Success)
    assert result.firings == 1024


def test_failures_are_not_searched_again() -> None:
    program = tree("a")
    for _ in range(60):
        program = tree("p", program, program)  # 2^60 leaves
    outcome = run(normalize(fToG), program)
    assert outcome.result == Success(program, outcome.result.steps)  # type: ignore[union-attr]
    assert outcome.counters.visits < 200
    assert run(topDown(fToG), program).counters.visits < 200
    assert run(skip(3)(fToG), program).counters.visits < 200
    assert run(bottomUp(fToG), program).counters.attempts < 200


DEEP_LEVELS = depth(100_000)


def deep(levels: int) -> Tree:
    """A chain of alternating h and f."""
    program = tree("a")
    for number in range(levels):
        program = node("f" if number % 2 else "h", (program,))
    return program


@pytest.mark.parametrize(
    ("strategy", "firings"),
    [
        (normalize(fToG), DEEP_LEVELS // 2),
        (normalize(fToG | dropG | mergeH), DEEP_LEVELS + DEEP_LEVELS // 2 - 1),
        (bottomUp(fToG), 1),
    ],
    ids=str,
)
def test_a_deep_term_does_not_recurse(strategy: Strategy, firings: int) -> None:
    result = strategy(deep(DEEP_LEVELS))
    assert isinstance(result, Success)
    assert result.firings == firings


TRAVERSED_LEVELS = 10_000


@pytest.mark.parametrize(
    ("strategy", "firings"),
    [
        (topDown(fToG), 1),
        (tryAll(fToG), TRAVERSED_LEVELS // 2),
        (allTopdown(try_(fToG)), TRAVERSED_LEVELS // 2),
        (allBottomup(try_(fToG)), TRAVERSED_LEVELS // 2),
        (normalizeBottomup(fToG), TRAVERSED_LEVELS // 2),
        (downup(try_(fToG)), TRAVERSED_LEVELS // 2),
        (alltd(isLeaf | fToG), 1),
        (sometd(isLeaf >> remark), 1),
        (somebu(fToG), 1),
        (skip(100)(fToG), 1),
        (try_(topDown(grow)), 0),
    ],
    ids=str,
)
def test_no_traversal_recurses_on_deep_terms(strategy: Strategy, firings: int) -> None:
    result = strategy(deep(TRAVERSED_LEVELS))
    assert isinstance(result, Success)
    assert result.firings == firings


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    ("strategy", "program", "code"),
    [
        (normalize(swap), tree("p", "a", "b"), "endless-repeat"),
        (normalize(swap), tree("f", tree("p", "a", "a")), "endless-repeat"),
        (normalize(fToG | chain_rule("g", "f", "rd")), tree("h", tree("f", "a")), "endless-repeat"),
        (normalize(remark), tree("h", "a"), "endless-repeat"),
        (normalize(id_), tree("a"), "endless-repeat"),
        (normalize(try_(fToG)), tree("f", "a"), "endless-repeat"),
        (repeat(swap), tree("p", "a", "b"), "endless-repeat"),
        (repeat(id_), tree("a"), "endless-repeat"),
        (repeat(try_(fToG)), tree("f", "a"), "endless-repeat"),
        (repeat(tryAll(fToG)), tree("h", tree("f", "a")), "endless-repeat"),
        (normalizeBottomup(swap), tree("p", "a", "b"), "endless-definition"),
        (normalizeBottomup(remark), tree("h", "a"), "endless-definition"),
        (normalizeBottomup(grow), tree("k", "a"), "endless-definition"),
        (normalize(grow), tree("k", "a"), "fuel-spent"),
        (repeat(topDown(grow) >> id_), tree("k", "a"), "fuel-spent"),
    ],
    ids=str,
)
def test_endless_normalisation_is_an_error(
    strategy: Strategy, program: Tree, code: str, engine: Engine
) -> None:
    with pytest.raises(StrategyError) as caught:
        run(strategy, program, engine=engine, fuel=1000)
    assert caught.value.diagnostic.code == code


def test_a_cycle_names_its_rules_only() -> None:
    back = chain_rule("g", "f", "rd")
    with pytest.raises(StrategyError) as caught:
        normalize(mergeH | fToG | back)(wrapped("hhhhf", tree("a")))
    title = caught.value.diagnostic.title
    assert title.endswith(("by firing fToG, g->f", "by firing g->f, fToG"))
