"""No wrong rule is proved."""

from typing import Any

import pytest

from elevate import FloatClass, StrategyError
from strategies import family, rule
from strategies.equations.rule import Condition
from strategies.proof import check_derivation, prove
from tests.examples import some
from tests.strategies.proof.wrong_rules import CLASSES


@pytest.mark.parametrize(
    ("equation", "parameters", "float_class", "where"),
    some([pytest.param(*one, id=f"{number}: {one[0][:80]}") for number, one in enumerate(CLASSES)], 2),
)
def test_no_wrong_rule_is_proved(
    equation: str, parameters: tuple[str, ...], float_class: FloatClass, where: tuple[Condition, ...]
) -> None:
    why = "It is wrong."
    if parameters:
        made = prove(family(equation, parameters=parameters, why=why, float_class=float_class, where=where))
    else:
        made = prove(rule(equation, why=why, float_class=float_class, where=where))
    assert [verdict.is_proved for verdict in made] == [False]
    assert all(verdict.reason for verdict in made)


@pytest.mark.parametrize(
    "equation",
    [
        "iterate 2 f xs = iterate 3 f xs",  # both sides have a common type only for arrays of no elements
        "(fun(g => map g xs)) (fun(x => neg x)) = map neg xs",  # a map of a bound function
        "slide 3 1 (slide 3 1 xs) = slide 3 1 (slide 3 1 xs) |> map transpose",  # xs[i + j + k]
    ],
)
def test_rules_that_only_look_wrong_are_proved(equation: str) -> None:
    (verdict,) = prove(rule(equation, why="It looks wrong."))
    assert verdict.is_proved


@pytest.mark.parametrize("given", [3, None, "map id xs = xs", prove])
def test_values_that_are_not_rules_are_rejected(given: Any) -> None:
    with pytest.raises(StrategyError, match="expected a rule or a family of rules"):
        prove(given)
    with pytest.raises(StrategyError, match="expected a derivation"):
        check_derivation(given)


def test_there_are_many_wrong_rules() -> None:
    assert len({equation for equation, *_ in CLASSES}) >= 60
