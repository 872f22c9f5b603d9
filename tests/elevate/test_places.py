"""Places of definitions: file and line, the same on every machine, and ignored by comparison."""

import pickle
import re
from pathlib import Path

import pytest

import rise
import strategies
from elevate import Failure, Strategy, fail, id_, named, rule, topDown, where
from elevate.places import place_of_caller
from elevate.term import Term
from elevate.toy import fToG, tree
from strategies.halos import arrange
from strategies.parts.nests import tidy, tileNest
from strategies.rules.fusion import mapFusion
from strategies.rules.movement import splitJoin
from tests.cli.commands import EXAMPLES, shine

ROOT = Path(__file__).resolve().parents[2]
HERE = "tests/elevate/test_places.py"


@rule
def never(term: Term) -> Term | None:
    """Matches nothing."""
    return None


@where
def isNever(term: Term) -> bool:
    """Holds for nothing."""
    return False


@named
def cut(size: int) -> Strategy:
    """Fails."""
    return never


short = named("short", id_)


@pytest.mark.parametrize(
    ("strategy", "start"),
    [
        (mapFusion, "mapFusion = "),
        (mapFusion.inv, "mapFusion = "),
        (splitJoin(4), "splitJoin = "),
        (tileNest(4, 4), "def tileNest("),
        (tidy, "tidy: Strategy = "),
        (arrange, "arrange: Strategy = "),
        (fToG, "def fToG("),
        (never, "def never("),
        (isNever, "def isNever("),
        (cut(3), "def cut("),
        (short, "short = "),
    ],
    ids=str,
)
def test_the_place_is_where_it_is_written(strategy: Strategy, start: str) -> None:
    file, line = strategy.place.rsplit(":", 1)
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    beginning = "\n".join(lines[int(line) - 1 :][:2])  # a decorator is a line of its own
    assert re.search(rf"^{re.escape(start)}", beginning, re.MULTILINE), strategy.place


def test_what_is_put_together_on_the_way_has_none() -> None:
    assert topDown(never).place == "" == (never >> fail).place


def test_places_are_no_part_of_what_a_strategy_is() -> None:
    again = named("short", id_)
    assert again == short and hash(again) == hash(short) and again.place != short.place
    assert repr(again) == repr(short) == "short"
    assert pickle.loads(pickle.dumps(short)).place == short.place


def test_what_is_not_written_in_python_has_none() -> None:
    assert where(str.isalpha).place == ""
    assert eval("place()", {"place": place_of_caller}).startswith(HERE)


def test_a_failure_says_where_its_strategies_are_defined() -> None:
    result = cut(3)(tree("f", "a"))
    assert isinstance(result, Failure)
    explanation = result.explain()
    assert explanation.defined == cut(3).place and explanation.defined.startswith(f"{HERE}:")
    attempt = topDown(mapFusion)(rise.parse("val m = fun(xs: 3.f32 => xs |> map(fun(x => x + 1.0)))").main)
    assert isinstance(attempt, Failure)
    assert {leaf.defined for leaf in attempt.explain().leaves()} == {mapFusion.place}


def test_the_command_shows_it() -> None:
    output = shine("explain", EXAMPLES / "dot.rise", "--strategy", "strategies.rules.fusion:mapFusion")
    assert f"mapFusion is defined at {mapFusion.place}\n" in output.out
    assert strategies.load("strategies.parts.nests:tidy").place == tidy.place
