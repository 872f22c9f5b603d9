"""The check of rules finds wrong ones, and says how they are wrong. Depends on the check of rules."""

import re
from typing import Any

import pytest

import rise
from elevate import FloatClass, StrategyError
from rise.terms import App, Expr, Lam
from strategies import EquationRule, RuleFamily, family, rule
from strategies.proof import prove
from strategies.rules.padding import padProducts
from strategies.rules.permutations import scatterAddToSeq
from strategies.rules.reductions import is_commutative, is_monoid_or_selection, splitReduce
from strategies.testing import check
from tests.examples import some

Law = EquationRule | RuleFamily

swapped = rule("map f (map g xs) = map (g . f) xs", why="Wrong: the functions are swapped.")
blocked = family(
    "reduceSeq f i xs = reduceSeq (fun(acc, block => f acc (reduceSeq f i block))) i (split n xs)",
    parameters=("n",),
    why="Wrong where i is not neutral and f not associative.",
)
mirrored = rule("padClamp l r xs = padClamp r l xs", why="Wrong: left is not right.")
dropped = rule(
    "map f (xs : n.t) = map (fun(i => f (idx 0 xs))) xs", why="Wrong, and reads where there is nothing."
)
turned = rule("join (split n xs) = join (transpose (split n xs))", why="Wrong: the order of elements.")
crossed = rule(
    "zip xs ys = map (fun(p => pair (snd p) (fst p))) (zip xs ys)", why="Wrong: sides are swapped."
)
columns = rule(
    "map (fun(x => map f xs)) ys = transpose (map (fun(x => map f xs)) ys)", why="Wrong unless f is it."
)
regrouped = rule("a + (b + c) = a + b + c", why="Exact of whole numbers only.")
regroupedFloats = rule(
    "a + (b + c) = a + b + c", why="Right if it says so.", float_class=FloatClass.REASSOCIATING
)
signless = rule("neg (neg (a : f32)) + 0.0 = neg (neg a)", why="Wrong of -0.0: only bits tell.")
split = family(
    splitReduce.rule.equation,
    parameters=("n",),
    why="Wrong: it says that sums of floats do not depend on the order.",
    where=is_monoid_or_selection,
)
padded = family(
    padProducts.rule.equation, parameters=("t",), why="Wrong: -0.0 becomes 0.0 if 0.0 is added to it."
)

rounded = rule(
    "cast{f16} (exp (x : f32)) = cast{f16} (exp2 (1.44269504 * x))", why="Wrong: some results are rounded up."
)
atomic = family(
    "reduce f i xs = reduceBlockAtomic d f i xs", parameters=("d",), why="Wrong: it adds in any order."
)
halved = family(
    "reduce f i (xs : (2*n).t) = reduce f i (map (fun(p => f (idx 0 p) (idx 1 p))) (transpose (split n xs)))",
    parameters=("n",),
    why="Wrong of sums of floats.",
    where=is_commutative,
)


def _captured(term: Any) -> Expr | None:
    """A rule that forgets that the body is below the function."""
    match term:
        case App(Lam(_, _, body), _) if body.loose:
            return body  # type: ignore[no-any-return]  # a body is a term
    return None


def _raising(term: Any) -> Expr | None:
    assert not isinstance(term, Lam)
    return None


captured = rule("(fun(x => b)) v = b", why="Wrong: x is left behind.", by=_captured)
raising = rule("fun(x => b) = b", why="Wrong: it raises.", by=_raising)
unmatched = rule("map f xs = map f xs", why="Never: its condition is false.", where=lambda bindings: False)

COMPUTES = "changes what a program computes"
WRONG: list[tuple[Law, str]] = [
    (swapped, f"swapped {COMPUTES}"),
    (blocked, COMPUTES),
    (mirrored, f"mirrored {COMPUTES}"),
    (dropped, f"dropped {COMPUTES}"),
    (turned, f"turned {COMPUTES}"),
    (crossed, f"crossed {COMPUTES}"),
    (columns, f"columns {COMPUTES}"),
    (regrouped, f"regrouped {COMPUTES}"),
    (signless, f"signless {COMPUTES}"),
    (split, COMPUTES),
    (padded, COMPUTES),
    (rounded, f"rounded {COMPUTES}"),
    (atomic, "atomic is exact, but `reduceBlockAtomic` on its right side adds in any order"),
    (halved, COMPUTES),
    (captured, "captured "),
    (raising, "raising raises AssertionError"),
    (unmatched, "unmatched never fires"),
]


@pytest.mark.parametrize(("found", "title"), some(WRONG, 2), ids=repr)
def test_a_wrong_rule_is_found(found: Law, title: str) -> None:
    with pytest.raises(StrategyError) as error:
        check(found, examples=4 if found is unmatched else 200)  # at most 25 attempts each
    assert title in error.value.diagnostic.title
    assert error.value.diagnostic.code == ("little-power" if found is unmatched else "wrong-rule")


def test_a_float_class_allows_its_changes() -> None:
    assert check(regroupedFloats) > 0


def test_the_inverse_of_an_exact_rule_adds_in_no_other_order() -> None:
    """Nor is a rule proved that says it is exact and adds in any order."""
    assert not any(verdict.is_proved for verdict in prove(atomic))
    with pytest.raises(StrategyError, match="`scatterAdd` on its left side adds in any order"):
        _ = scatterAddToSeq.inv


def test_an_equation_whose_sides_differ_in_type_is_refused() -> None:
    with pytest.raises(rise.RiseError):
        rule("split n (slide k 2 xs) = map (slide k 2) (slide n k xs)", why="Wrong sizes: it has no type.")


def test_a_counterexample_is_readable() -> None:
    with pytest.raises(StrategyError) as error:
        check(swapped)
    lines = [
        _without_example(line) for line in str(error.value).splitlines() if " = rise.evaluate(" not in line
    ]  # these are long
    assert lines == SWAPPED.strip().splitlines()


def _without_example(line: str) -> str:
    """A line without the functions and numbers of a counterexample, which differ between versions of Hypothesis."""
    return re.sub(r"(?<= = )fun\(.*\)$|(?<=gives )\[.*\]$", "..", line)


SWAPPED = """
error[wrong-rule]: swapped changes what a program computes where n = 1
note: its equation is map f (map g xs) = map (g . f) xs
note:   f = ..
note:   g = ..
note:   n = 1
note:   xs : 1.i32
note: before it gives ..
note: after it gives ..
note: to see it, run
    import numpy as np
    import rise
    print(before, after)
hint: correct the rule
"""
