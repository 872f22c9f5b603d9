"""Rules with errors: each causes one diagnostic, never a wrong program.

Independent of rules of the library.
"""

import pytest

import rise
from elevate import Failure, StrategyError, normalize, run, topDown
from rise.terms import Expr, Literal
from rise.types import I32
from strategies import load, rule

E = rise.parse("fun(xs: 8.f32 => xs |> map(fun(x => x + x)))").main


def test_an_undetermined_size_is_reported() -> None:
    wrong = rule("id xs = drop k (padClamp k 0 (id xs))", why="k is no parameter here.")
    with pytest.raises(StrategyError) as error:
        topDown(wrong)(rise.parse("fun(xs: 8.f32 => id(xs))").main)
    assert error.value.diagnostic.code == "unbound-metavariable"


def another_type(term: Expr) -> Expr:
    return Literal(1, I32)


def no_term(term: Expr) -> Expr:
    return "map"  # type: ignore[return-value]  # what a mistaken rule does


@pytest.mark.parametrize("function", [another_type, no_term])
def test_a_function_must_return_a_term_of_the_same_type(function: object) -> None:
    wrong = rule("map f xs = 1", why="Wrong.", by=function, roots=(("map", 2),))  # type: ignore[arg-type]  # on purpose
    with pytest.raises(StrategyError, match="type"):
        topDown(wrong)(E)


def test_endless_growth_is_reported() -> None:
    grow = rule("map f xs = map f (map id xs)", why="There is always one more.")
    with pytest.raises(StrategyError) as error:
        run(normalize(grow), E, fuel=50)
    assert error.value.diagnostic.code == "fuel-spent"
    assert "map id xs" in str(error.value)


def test_equal_rules_of_two_modules_keep_their_names() -> None:
    for name in ("first", "second"):
        home = {"__name__": f"module_of_{name}", "rule": rule}
        exec(f"{name} = rule('map f xs = map f (map id xs)', why='It grows.')", home)
        with pytest.raises(StrategyError) as error:
            run(normalize(home[name]), E, fuel=50)
        assert f"the last rules fired are {name}" in str(error.value)


@pytest.mark.parametrize(
    "right",
    [
        "map f (" * 500 + "xs" + ")" * 500,
        "(fun(x => " * 500 + "f" + " x))" * 500 + " xs",
        "map f (xs : " + "n." * 3_000 + "t)",
        "-" * 20_000 + "xs",
    ],
    ids=["applications", "functions", "types", "signs"],
)
def test_an_equation_that_is_too_deep_is_rejected(right: str) -> None:
    with pytest.raises(rise.RiseError) as error:
        rule(f"map f xs = {right}", why="It is far too long.")
    diagnostic = error.value.diagnostic
    assert diagnostic.code == "equation-too-deep" and diagnostic.hint and len(diagnostic.title) < 200


def test_tensor_cores_need_a_product_of_their_types() -> None:
    mm = rise.parse_file("examples/mm.rise").main
    assert isinstance(load("strategies.tensor_core:tensorCore")(mm), Failure)
