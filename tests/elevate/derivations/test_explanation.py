"""Failures: they name the part and the place, explain themselves, and have no program."""

from dataclasses import dataclass
from typing import Any

import pytest

from elevate import (
    Diagnostic,
    Failure,
    FloatClass,
    Label,
    Mismatch,
    Rule,
    Strategy,
    StrategyError,
    Success,
    all_,
    child,
    named,
    normalize,
    one,
    repeat,
    rule,
    run,
    topDown,
    try_,
    where,
)
from elevate.toy import Tree, dropG, fToG, grow, isF, isLeaf, mergeH, swap, tree

fa = tree("f", "a")


@dataclass(frozen=True, slots=True)
class ChainRule(Rule):
    """Drops a chain of labels; a mismatch says how much of it matched."""

    labels: str
    roots: None = None
    depth: None = None
    float_class: FloatClass = FloatClass.EXACT

    @property
    def name(self) -> str:
        return f"drop_{self.labels}"

    def apply(self, term: Any) -> Tree | None:
        for label in self.labels:
            if term.root != (label, 1):
                return None
            term = term.children[0]
        return tree("a", term)

    def mismatch(self, term: Any) -> Mismatch:
        for matched, label in enumerate(self.labels):
            if term.root != (label, 1):
                return Mismatch((0,) * matched, f"{label} over one child", str(term), matched)
            term = term.children[0]
        raise AssertionError(term)


EXPLAINED = [
    (
        fToG >> mergeH,
        fa,
        """
fToG >> mergeH at the root: part 2 of 2 failed after 1 step
  mergeH at the root: does not match
    expected a term that mergeH matches
    found    g(a)""",
    ),
    (
        topDown(ChainRule("hgh")),
        tree("p", tree("h", "a"), tree("h", tree("g", "b"))),
        """
topDown(drop_hgh) at the root: the nearest of 6 attempts that did not match:
  drop_hgh: does not match
    tried on h(g(b))
    expected h over one child
    found    b
  drop_hgh: does not match
    tried on h(a)
    expected g over one child
    found    a""",
    ),
    (
        named("tile", 32, 32, topDown(fToG) >> all_(isLeaf)),
        tree("p", fa, "b"),
        """
tile(32, 32) at the root: part 2 of 2 failed after 1 step
  all_(isLeaf) at the root: child 0 failed
    isLeaf: does not hold
      found    g(a)""",
    ),
    (
        child(1)(child(3)(fToG)) | one(isF),
        tree("p", "a", "b"),
        """
child(1)(child(3)(fToG)) | one(isF) at the root: every alternative failed
  child(1)(child(3)(fToG)) at the root: child 1 failed
    child(3)(fToG): there is no child 3, only 0
      found    b
  one(isF) at the root: none of 2 children succeeded
    isF: does not hold
      found    a
    isF: does not hold
      found    b""",
    ),
]


@pytest.mark.parametrize(("strategy", "program", "text"), EXPLAINED, ids=lambda value: repr(value)[:30])
def test_explanation(strategy: Strategy, program: Tree, text: str) -> None:
    result = strategy(program)
    assert isinstance(result, Failure)
    assert str(result.explain()) == text[1:]


def test_a_failure_matches_by_part_and_place() -> None:
    match all_(fToG)(tree("p", fa, "a")):
        case Failure(strategy, path):
            assert (strategy, path) == (fToG, (1,))
        case other:
            raise AssertionError(other)


def test_a_failure_has_no_program() -> None:
    result = mergeH(fa)
    assert str(result) == "mergeH does not apply at the root"
    with pytest.raises(StrategyError) as caught:
        _ = result.program
    assert str(caught.value) == (
        "error[not-applicable]: mergeH does not apply at the root\n"
        "note: mergeH at the root: does not match\n"
        "note:   expected a term that mergeH matches\n"
        "note:   found    f(a)\n"
        "hint: match on Success and Failure first, or wrap the strategy in `try_`"
    )


@rule
def careless(term: Tree) -> Tree | None:
    return term.children[0].children[0]


@where
def carelessly(term: Tree) -> bool:
    return term.children[0].label == "a"


ERRORS = [
    (
        child(0)(careless),
        tree("f", "a"),
        """
error[rule-raised]: careless raised IndexError at 0: tuple index out of range
note: it was tried on a
hint: a rule returns None and a predicate False where it does not match; neither raises""",
    ),
    (
        carelessly | fToG,
        tree("a"),
        """
error[rule-raised]: carelessly raised IndexError at the root: tuple index out of range
note: it was tried on a
hint: a rule returns None and a predicate False where it does not match; neither raises""",
    ),
    (
        repeat(try_(fToG)),
        fa,
        """
error[endless-repeat]: repeat(try_(fToG)) repeats a strategy that succeeds without changing the program
hint: a repeated strategy must fail when nothing is left to do: remove a `try_`, or add a rule that fires \
after a predicate""",
    ),
    (
        repeat(swap),
        tree("p", "a", "a"),
        """
error[endless-repeat]: repeat(swap) reaches the same program again by firing swap
note: swap: p(a, a) = p(a, a)
hint: a repeated strategy must fail when nothing is left to do: remove one of these rules, or guard it""",
    ),
    (
        normalize(grow | dropG),
        tree("k", "a"),
        """
error[fuel-spent]: the strategy has not ended after 2 firings; the last rules fired are grow
note: grow: k(a) = k(k(a))
note: grow: k(k(a)) = k(k(k(a)))
note: grow: k(k(k(a))) = k(k(k(k(a))))
hint: a repeated strategy must fail when nothing is left to do: check these rules, or call `elevate.run` \
with more fuel""",
    ),
]


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(("strategy", "program", "text"), ERRORS, ids=lambda value: repr(value)[:30])
def test_error(strategy: Strategy, program: Tree, text: str, engine: Any) -> None:
    with pytest.raises(StrategyError) as caught:
        run(strategy, program, engine=engine, fuel=2)
    assert str(caught.value) == text[1:]


def test_a_failing_rule_inside_a_deep_term_is_explained() -> None:
    program = fa
    for _ in range(3_000):
        program = tree("h", program)
    result = topDown(ChainRule("hhf"))(program)
    assert isinstance(result, Success)
    failure = topDown(ChainRule("ff"))(program)
    assert isinstance(failure, Failure)
    (nearest,) = failure.explain().parts
    assert (nearest.path, nearest.tried_on) == ((0,) * 3_000, "f(a)")


def test_a_diagnostic_shows_the_source_line() -> None:
    source = "val x = 1\n  xs |> split 5 |> join\n"
    start = source.index("split")
    diagnostic = Diagnostic(
        "size-mismatch",
        "12 is not a multiple of 5",
        (Label(start, start + 7, "m*5 must equal 12"),),
        hint="split by a divisor of 12",
        notes=("xs has 12 elements",),
        source=source,
        file="dot.rise",
    )
    assert diagnostic.render() == (
        "error[size-mismatch]: 12 is not a multiple of 5\n"
        "  at dot.rise:2:9\n"
        "  2 |   xs |> split 5 |> join\n"
        "    |         ^^^^^^^ m*5 must equal 12\n"
        "note: xs has 12 elements\n"
        "hint: split by a divisor of 12"
    )


@rule
def deepen(term: Any) -> Tree | None:
    """`a` becomes `f(g(b))`."""
    return tree("f", tree("g", "b")) if term == tree("a") else None


def test_a_part_fails_at_a_place_that_an_earlier_part_created() -> None:
    failure = child(0)(deepen >> child(0)(child(0)(fToG)))(tree("h", "a"))
    assert isinstance(failure, Failure)
    found = failure.explain()
    while found.parts:
        found = found.parts[-1]
    assert found.path == (0, 0, 0) and found.program == tree("h", tree("f", tree("g", "b")))
