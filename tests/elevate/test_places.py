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
def test_the_place_is_that_of_the_definition(strategy: Strategy, start: str) -> None:
    file, line = strategy.place.rsplit(":", 1)
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    beginning = "\n".join(lines[int(line) - 1 :][:2])  # the decorator has its own line
    assert re.search(rf"^{re.escape(start)}", beginning, re.MULTILINE), strategy.place


def test_intermediate_strategies_have_no_place() -> None:
    assert topDown(never).place == "" == (never >> fail).place


def test_places_do_not_affect_equality() -> None:
    again = named("short", id_)
    assert again == short and hash(again) == hash(short) and again.place != short.place
    assert repr(again) == repr(short) == "short"
    assert pickle.loads(pickle.dumps(short)).place == short.place


def test_strategies_that_are_not_written_in_python_have_no_place() -> None:
    assert where(str.isalpha).place == ""
    assert eval("place()", {"place": place_of_caller}).startswith(HERE)


def test_a_failure_shows_where_its_strategies_are_defined() -> None:
    result = cut(3)(tree("f", "a"))
    assert isinstance(result, Failure)
    explanation = result.explain()
    assert explanation.defined == cut(3).place and explanation.defined.startswith(f"{HERE}:")
    attempt = topDown(mapFusion)(rise.parse("val m = fun(xs: 3.f32 => xs |> map(fun(x => x + 1.0)))").main)
    assert isinstance(attempt, Failure)
    assert {leaf.defined for leaf in attempt.explain().leaves()} == {mapFusion.place}


def test_the_command_shows_the_place() -> None:
    output = shine("explain", EXAMPLES / "dot.rise", "--strategy", "strategies.rules.fusion:mapFusion")
    assert f"mapFusion is defined at {mapFusion.place}\n" in output.out
    assert strategies.load("strategies.parts.nests:tidy").place == tidy.place
