"""Queries, tests and congruences: their results, and that they change nothing else."""

import pickle
from typing import Any

import pytest
from hypothesis import given

from elevate import Engine, Failure, Strategy, Success, id_, one, path_of, run, subterm, topDown, where
from elevate.congruences import HasRoot, congruence, congruences, focus, test
from elevate.queries import collect, contexts, count, fold
from elevate.term import preorder
from elevate.testing import check_engines_agree, result_of, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, isLeaf, tree

a, fa, ga = tree("a"), tree("f", "a"), tree("g", "a")
pair = tree("p", fa, tree("h", fa))
MOSTLY_TERMINATING = strategies_over([*RULES[:5], *PREDICATES], max_leaves=3)


def size(term: Tree, below: tuple[int, ...]) -> int:
    """The number of nodes of a tree."""
    return 1 + sum(below)


def test_collect_and_count() -> None:
    assert collect(isF)(pair) == (fa, fa)
    assert count(isF)(pair) == 2
    assert collect(one(fToG))(pair) == (pair, tree("h", fa))
    assert collect(HasRoot(("h", 1)))(pair) == (tree("h", fa),)
    assert fold(size)(pair) == 6
    assert repr(collect(isF)) == "collect(isF)" and repr(fold(size)) == "fold(size)"
    assert pickle.loads(pickle.dumps((count(isF), fold(size)))) == (count(isF), fold(size))


def test_contexts_have_holes() -> None:
    first, second = contexts(isF)(pair)
    assert (first.path, second.path) == ((0,), (1, 0))
    assert second.filled(a) is tree("p", fa, tree("h", a))
    applied = second.apply(fToG)
    assert isinstance(applied, Success)
    assert applied.program is tree("p", fa, tree("h", ga))
    assert [step.path for step in applied.steps] == [(1, 0)]
    assert isinstance(first.apply(dropG), Failure)
    assert contexts(isF)(fa)[0].filled(a) is a


@given(MOSTLY_TERMINATING, toy_trees())
def test_queries_list_where_a_strategy_succeeds(strategy: Strategy, program: Tree) -> None:
    result_of(topDown(strategy), program)  # rejects strategies that never end
    places = [
        (term, path_of(place))
        for term, place in preorder(program)
        if isinstance(result_of(strategy, term), Success)
    ]
    assert [(context.term, context.path) for context in contexts(strategy)(program)] == places
    assert list(collect(strategy)(program)) == [term for term, _ in places]
    assert count(strategy)(program) == len(places)
    for context in contexts(strategy)(program):
        assert context.filled(context.term) == program
        assert subterm(context.filled(a), context.path) is a


@given(toy_trees(max_leaves=20))
def test_fold_agrees_with_recursion(program: Tree) -> None:
    assert fold(size)(program) == len(list(preorder(program)))
    assert fold(paired)(program) == nested(program)


def paired(term: Tree, below: tuple[Any, ...]) -> Any:
    """A tree paired with the values of its children, for fold."""
    return term, below


def nested(program: Tree) -> Any:
    """The nested pairs of a tree, by recursion."""
    return program, tuple(nested(part) for part in program.children)


def test_deep_and_shared_terms_are_handled() -> None:
    deep = shared = fa
    for _ in range(20_000):
        deep = tree("h", deep)
    for _ in range(60):
        shared = tree("p", shared, shared)
    assert fold(size)(deep) == 20_002 and len(contexts(isF)(deep)) == 1
    assert count(isLeaf)(shared) == 2**60


@given(MOSTLY_TERMINATING, toy_trees())
def test_a_test_succeeds_where_the_strategy_does_and_changes_nothing(inner: Strategy, program: Tree) -> None:
    expected, actual = result_of(inner, program), result_of(test(inner), program)
    assert isinstance(actual, type(expected))
    if isinstance(actual, Success):
        assert actual.program is program and not actual.steps


onPair = congruences(("p", 2))


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_congruence_has_a_strategy_for_each_child(engine: Engine) -> None:
    def program_of(strategy: Strategy, program: Tree) -> object:
        result = run(strategy, program, engine=engine).result
        return result.program if isinstance(result, Success) else str(result)

    assert program_of(onPair(fToG, id_), pair) is tree("p", ga, tree("h", fa))
    assert program_of(onPair(id_, congruence(("h", 1), fToG)), pair) is tree("p", fa, tree("h", ga))
    assert program_of(onPair(fToG), pair) is tree("p", ga, tree("h", fa))
    assert program_of(onPair(dropG, id_), pair) == "dropG does not apply at 0"
    assert isinstance(run(onPair(id_, id_), fa, engine=engine).result, Failure)
    assert isinstance(run(congruence(("f", 1), id_, fToG), fa, engine=engine).result, Failure)


def test_congruences_and_focuses_are_data() -> None:
    under = focus("under", where(lambda term: len(term.children) > 0, depth=0), (0,), 32)
    assert repr(under(fToG)) == "under(32)(fToG)"
    assert repr(onPair(fToG, id_)) == "congruence(('p', 2), fToG, id_)"
    assert repr(test(isF >> fToG)) == "test(isF >> fToG)"
    assert pickle.loads(pickle.dumps(onPair(fToG, id_))) == onPair(fToG, id_)
    assert isinstance(under(fToG)(a), Failure)
    assert under(fToG)(pair).program is tree("p", ga, tree("h", fa))


@given(MOSTLY_TERMINATING, MOSTLY_TERMINATING, toy_trees())
def test_engines_agree_on_congruences(left: Strategy, right: Strategy, program: Tree) -> None:
    check_engines_agree(topDown(onPair(left, right)), program)
