"""Laws of strategies, and generators of random strategies. Independent of languages other than the toy language.

To test another language, use `strategies_over` with its rules and the checks with its programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import hypothesis.strategies as st
from hypothesis import assume

from elevate.combinators import IfThenElse, Named, Not, Repeat, Try, repeatNTimes
from elevate.congruences import Holding, congruence, focus
from elevate.diagnostics import StrategyError
from elevate.engine.run import Engine, run
from elevate.orders import Order, inOrder, lastToFirst
from elevate.result import Success
from elevate.rules import Rule
from elevate.scopes import bind, rewriteBound
from elevate.strategy import Failure, Strategy, fail, id_, lChoice, seq
from elevate.term import Term
from elevate.toy import Tree, isLeaf, tree
from elevate.trace import replay
from elevate.traversals import (
    All,
    AllBottomup,
    Alltd,
    AllTopdown,
    BottomUp,
    Downup,
    Downup2,
    Normalize,
    NormalizeBottomup,
    One,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
    child,
    position,
    skip,
)

FUEL = 300
"""How many firings a random strategy may make."""


def _by_label(term: Tree) -> Sequence[int]:
    return sorted(range(len(term.children)), key=lambda index: term.children[index].label)


BY_LABEL = Order("byLabel", _by_label)
"""Children in alphabetical order, which every rewrite may change."""
MOSTLY_TERMINATING: tuple[Callable[[Strategy], Strategy], ...] = (
    Try,
    Normalize,
    NormalizeBottomup,
    TopDown,
    BottomUp,
    TryAll,
    Sometd,
)
OTHER_UNARY: tuple[Callable[[Strategy], Strategy], ...] = (
    Repeat,
    Not,
    repeatNTimes(0),
    repeatNTimes(1),
    repeatNTimes(2),
    All,
    One,
    Some,
    child(0),
    child(1),
    position(0),
    position(2),
    skip(0),
    skip(1),
    skip(2),
    AllTopdown,
    AllBottomup,
    Downup,
    Alltd,
    Somebu,
    lambda inner: Named("named", (inner,), inner),
    inOrder(lastToFirst),
    inOrder(BY_LABEL),
    Holding,
    focus("below", Not(isLeaf), (0,)),
    lambda inner: congruence(("p", 2), inner, id_),
    # a bound subterm is replaced by a leaf: with a larger one each firing could double the tree
    lambda inner: bind("x", inner)(bind("y", isLeaf)(TopDown(rewriteBound("x", "y")) >> Try(inner))),
)
UNARY = MOSTLY_TERMINATING + OTHER_UNARY


def strategies_over(leaves: Sequence[Strategy], max_leaves: int = 6) -> st.SearchStrategy[Strategy]:
    """Strategies built from the given leaves and all combinators and traversals."""

    def larger(inner: st.SearchStrategy[Strategy]) -> st.SearchStrategy[Strategy]:
        several = st.lists(inner, min_size=2, max_size=4)
        return st.one_of(
            several.map(lambda parts: seq(*parts)),
            several.map(lambda parts: seq(*map(Try, parts))),
            several.map(lambda parts: lChoice(*parts)),
            st.builds(lambda wrap, part: wrap(part), st.sampled_from(MOSTLY_TERMINATING), inner),
            st.builds(lambda wrap, part: wrap(part), st.sampled_from(UNARY), inner),
            st.builds(IfThenElse, inner, inner, inner),
            st.builds(Downup2, inner, inner),
        )

    return st.recursive(
        st.one_of(st.sampled_from(leaves), st.sampled_from([*leaves, id_, fail])),
        larger,
        max_leaves=max_leaves,
    )


def toy_trees(max_leaves: int = 4) -> st.SearchStrategy[Tree]:
    """Trees of the toy language, with the labels that its rules match."""
    chain = st.lists(st.sampled_from("ffgghhhk"), min_size=1, max_size=5)
    return st.recursive(
        st.builds(wrapped, chain, st.sampled_from("ab").map(tree)),
        lambda inner: st.builds(lambda labels, x, y: wrapped(labels, tree("p", x, y)), chain, inner, inner),
        max_leaves=max_leaves,
    )


def wrapped(labels: Sequence[str], inner: Tree) -> Tree:
    """A tree below a chain of labels, the first outermost."""
    for label in reversed(labels):
        inner = tree(label, inner)
    return inner


def result_of(strategy: Strategy, program: Term, engine: Engine = "fast") -> Success[Term] | Failure:
    """The result of a run; rejects the example if the run raises."""
    try:
        return run(strategy, program, engine=engine, fuel=FUEL).result
    except StrategyError:
        assume(False)
        raise


def check_engines_agree(strategy: Strategy, program: Term) -> None:
    """The fast engine has the same result, steps and firings as the reference engine.

    A run that exhausts the fuel in the reference may end in the fast engine, which remembers failures.
    """
    try:
        expected = run(strategy, program, engine="reference", fuel=FUEL)
    except StrategyError as error:
        code = error.diagnostic.code
        assume(code != "fuel-spent")
        assert code_of(strategy, program) == code
        return
    actual = run(strategy, program, fuel=FUEL)
    assert actual.result == expected.result
    assert actual.counters.firings == expected.counters.firings
    if isinstance(actual.result, Success) and isinstance(expected.result, Success):
        assert actual.result.program is expected.result.program
        assert actual.counters.firings == len(actual.result.steps)


def code_of(strategy: Strategy, program: Term) -> str:
    """The code of the error that a run of the fast engine raises, empty if it raises none."""
    try:
        run(strategy, program, fuel=20 * FUEL)
    except StrategyError as error:
        return error.diagnostic.code
    return ""


def check_replay(strategy: Strategy, program: Term) -> None:
    """The steps of a success lead from the program to the result, and each redex is at its path."""
    result = result_of(strategy, program)
    if isinstance(result, Success):
        programs = list(replay(program, result.steps))
        assert len(programs) == len(result.steps) + 1
        assert programs[-1] == result.program


def check_explained(strategy: Strategy, program: Term) -> None:
    """A failure has an explanation."""
    result = result_of(strategy, program)
    if isinstance(result, Failure):
        assert str(result.explain())


def check_declared(rule: Rule, program: Term) -> None:
    """A rule fires only at its declared roots."""
    if rule.roots is not None and rule.apply(program) is not None:
        assert program.root in rule.roots, f"{rule} fires at {program.root}, which it does not declare"


@dataclass(frozen=True, slots=True)
class Law:
    """An equation between strategies, for all strategies a, b and c."""

    name: str
    left: Callable[[Strategy, Strategy, Strategy], Strategy]
    right: Callable[[Strategy, Strategy, Strategy], Strategy]

    def check(self, a: Strategy, b: Strategy, c: Strategy, program: Term) -> None:
        """Both sides fail, or both succeed with the same program and the same steps."""
        left = result_of(self.left(a, b, c), program)
        right = result_of(self.right(a, b, c), program)
        if isinstance(left, Success) and isinstance(right, Success):
            assert left == right
        else:
            assert type(left) is type(right), f"{left} and {right}"


def unfolding(constructor: Callable[[Strategy], Strategy]) -> Law:
    """The law that a strategy equals its definition."""
    name = f"{constructor(id_)} equals its definition"
    return Law(name, lambda a, b, c: constructor(a), lambda a, b, c: constructor(a).unfold() or fail)


LAWS = (
    Law("id_ >> a = a", lambda a, b, c: id_ >> a, lambda a, b, c: a),
    Law("a >> id_ = a", lambda a, b, c: a >> id_, lambda a, b, c: a),
    Law("fail >> a = fail", lambda a, b, c: fail >> a, lambda a, b, c: fail),
    Law("a >> fail = fail", lambda a, b, c: a >> fail, lambda a, b, c: fail),
    Law("fail | a = a", lambda a, b, c: fail | a, lambda a, b, c: a),
    Law("a | fail = a", lambda a, b, c: a | fail, lambda a, b, c: a),
    Law("a | a = a", lambda a, b, c: a | a, lambda a, b, c: a),
    Law("id_ | a = id_", lambda a, b, c: id_ | a, lambda a, b, c: id_),
    Law("(a >> b) >> c = a >> (b >> c)", lambda a, b, c: (a >> b) >> c, lambda a, b, c: a >> (b >> c)),
    Law("(a | b) | c = a | (b | c)", lambda a, b, c: (a | b) | c, lambda a, b, c: a | (b | c)),
    Law(
        "a >> (b | c) = a >> b | a >> c",
        lambda a, b, c: a >> (b | c),
        lambda a, b, c: a >> b | a >> c,
    ),
    Law("try_(try_(a)) = try_(a)", lambda a, b, c: Try(Try(a)), lambda a, b, c: Try(a)),
    Law("try_(a) = a | id_", lambda a, b, c: Try(a), lambda a, b, c: a | id_),
    Law("not_(not_(not_(a))) = not_(a)", lambda a, b, c: Not(Not(Not(a))), lambda a, b, c: Not(a)),
    Law("not_(a) >> a = fail", lambda a, b, c: Not(a) >> a, lambda a, b, c: fail),
    Law(
        "repeat(a) = try_(a >> repeat(a))",
        lambda a, b, c: Repeat(a),
        lambda a, b, c: Try(a >> Repeat(a)),
    ),
    Law("repeat(a) >> a = fail", lambda a, b, c: Repeat(a) >> a, lambda a, b, c: fail),
    Law("repeatNTimes(2)(a) = a >> a", lambda a, b, c: repeatNTimes(2)(a), lambda a, b, c: a >> a),
    Law("all_(id_) = id_", lambda a, b, c: All(id_), lambda a, b, c: id_),
    Law("one(fail) = fail", lambda a, b, c: One(fail), lambda a, b, c: fail),
    Law("some(fail) = fail", lambda a, b, c: Some(fail), lambda a, b, c: fail),
    Law("position(0)(a) = a", lambda a, b, c: position(0)(a), lambda a, b, c: a),
    Law("skip(0)(a) = topDown(a)", lambda a, b, c: skip(0)(a), lambda a, b, c: TopDown(a)),
    Law(
        "normalize(a) = repeat(topDown(a))",
        lambda a, b, c: Normalize(a),
        lambda a, b, c: Repeat(id_ >> TopDown(a)),
    ),
    Law(
        "normalize(a) >> topDown(a) = fail",
        lambda a, b, c: Normalize(a) >> TopDown(a),
        lambda a, b, c: fail,
    ),
    Law(
        "normalizeBottomup(a) >> topDown(a) = fail",
        lambda a, b, c: NormalizeBottomup(a) >> TopDown(a),
        lambda a, b, c: fail,
    ),
    Law(
        "topDown(a | b) = topDown(a | b | a)",
        lambda a, b, c: TopDown(a | b),
        lambda a, b, c: TopDown(a | b | a),
    ),
    *(unfolding(constructor) for constructor in UNARY if constructor(id_).unfold() is not None),
)
