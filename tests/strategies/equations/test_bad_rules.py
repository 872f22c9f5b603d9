"""Messages about wrong rules and strategies, as snapshots: which one it is, what was expected, what was found.

`snapshots/bad_rules.txt` next to this file contains them; `python -m tests.strategies.equations.test_bad_rules`
rewrites it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

import rise
from elevate import Strategy, StrategyError, applyNTimes, id_, normalize, not_, repeat, run, topDown, try_
from rise.terms import App, DepLam, Expr, Lam, Literal, Var
from rise.types import I32
from strategies import EquationRule, RuleFamily, family, rule
from strategies.testing import check
from strategies.tiling import reorder, tile
from tests.snapshot_files import read_snapshots, write_snapshots

SIZED: Final = rise.parse("fun(n: nat => fun(xs: n.f32 => map(fun(x => x), xs)))").main
PROGRAM: Final = rise.parse("fun(xs: 8.f32 => xs |> map(fun(x => (fun(y => x + y))(x * x))))").main

openSize = rule("map f xs = drop k (padClamp k 0 (map f xs))", why="Chooses a size.")
backwards = rule("join (split n xs) = xs", why="Cannot be read from right to left.")
cut = family(
    "map f xs = join (map (fun(block => map f block)) (split n xs))", parameters=("n",), why="Is right."
)
flipped = rule("zip xs ys = zip ys xs", why="Has two types.")


def _another_type(term: Any) -> Expr | None:
    return Literal(1, I32)


def _captured(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, _, body), _) if body.type == term.type:
            assert isinstance(body, Expr)
            return body
    return None


def _raising(term: Any) -> Expr | None:
    raise KeyError("xs")


def _no_term(term: Any) -> Any:
    return "xs"


def _made_up(term: Any) -> Expr:
    return Var("zs", term.type)


def _open_size(term: Any) -> Expr | None:
    match term:
        case DepLam(_, "nat", _, _, body) if body.dep_loose:
            assert isinstance(body, Expr)
            return body
    return None


@dataclass(frozen=True, slots=True)
class Circular(Strategy):
    """A strategy that calls itself at the same place."""

    def unfold(self) -> Strategy:
        return try_(self)


@dataclass(frozen=True, slots=True)
class Undefined(Strategy):
    """A strategy without a meaning."""


typed = rule("map f xs = 1", why="Answers a number.", by=_another_type, roots=(("map", 2),))
leaving = rule("(fun(x => b)) v = b", why="Leaves a variable behind.", by=_captured, roots=("App",))
raising = rule("map f xs = xs", why="Raises.", by=_raising, roots=(("map", 2),))
wordy = rule("map f xs = xs", why="Answers a text.", by=_no_term, roots=(("map", 2),))
madeUp = rule("map f xs = zs", why="Makes up a variable.", by=_made_up, roots=(("map", 2),))
bare = rule("fun(n: nat => e) = e", why="Leaves a size behind.", by=_open_size, roots=("DepLam",))
sizes = rule("map f xs = depMap (fun(i: nat => f)) xs", why="Makes one.")
more = rule("map f xs = map f (map id xs)", why="There is always one more.")
twice = rule("x + y = y + x", why="Goes forth and back.")


def tried(found: EquationRule) -> Callable[[], object]:
    return lambda: topDown(found)(PROGRAM)


def refused(equation: str) -> Callable[[], object]:
    return lambda: rule(equation, why="Is wrong.")


WRONG: list[tuple[str, Callable[[], object]]] = [
    ("a right side of another size", refused("map f (xs : n.t) = map f (take 3 xs)")),
    ("sides of other types", lambda: check(flipped)),
    ("a term that the left side has not", refused("map f xs = map g xs")),
    ("a size that the left side has not", tried(openSize)),
    ("a bracket that is open", refused("map f xs = map f (xs")),
    ("one side", refused("map f xs")),
    ("a name of no primitive", refused("mapp f xs = xs")),
    ("a function that changes the type", tried(typed)),
    ("a function that leaves a variable behind", tried(leaving)),
    ("a function that raises", tried(raising)),
    ("an inverse that must choose", lambda: backwards.inv),
    ("a function that answers no term", tried(wordy)),
    ("a function that makes up a variable", tried(madeUp)),
    ("a function that leaves a size behind", lambda: bare(SIZED)),
    ("a family at no size", lambda: cut(-1)),
    ("a family at too many sizes", lambda: cut(1, 2)),
    ("a left side with a function of sizes", refused("depMap (fun(i: nat, row => row)) xs = xs")),
    ("an inverse that reads a function of sizes", lambda: sizes.inv),
    ("a repetition that comes back", lambda: repeat(topDown(twice))(PROGRAM)),
    ("a normalisation that comes back", lambda: normalize(twice)(PROGRAM)),
    ("a repetition that changes nothing", lambda: repeat(try_(twice.inv >> twice))(PROGRAM)),
    ("a program that grows and grows", lambda: normalize(more)(PROGRAM)),
    ("a run out of fuel", lambda: run(normalize(more), PROGRAM, fuel=20)),
    ("a definition that calls itself where it stands", lambda: Circular()(PROGRAM)),
    ("strategies in strategies", lambda: applyNTimes(400)(not_)(id_)(PROGRAM)),
    ("a strategy without a definition", lambda: Undefined()(PROGRAM)),
    ("an order of loops that is none", lambda: reorder(1, 1, 2)),
    ("a tile of nothing", lambda: tile(32, 0)),
]
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "bad_rules.txt"


def said(act: Callable[[], object]) -> str:
    with pytest.raises((StrategyError, rise.RiseError)) as error:
        act()
    return re.sub(r"\S*(test_bad_rules\.py):\d+", r"\1:LINE", str(error.value))


@pytest.mark.parametrize(("name", "act"), WRONG, ids=[case[0] for case in WRONG])
def test_a_wrong_rule_is_reported(name: str, act: Callable[[], object]) -> None:
    assert said(act) == read_snapshots(SNAPSHOTS)[name]


def test_every_snapshot_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == [name for name, _ in WRONG]


def test_a_message_names_the_rule_and_no_number_of_inference() -> None:
    text = SNAPSHOTS.read_text(encoding="utf-8")
    assert not re.search(r"\?\w|'\d", text)


def test_conditions_on_captures_are_inferred() -> None:
    constant = rule(
        "map (fun(x => f)) xs = map (fun(y => f)) xs", why="Of constant functions: f is below x and y."
    )
    assert constant(rise.parse_expr("map(fun(x => 1.0), xs)", {"xs": "8.f32"}))
    assert "must not mention x" in str(
        constant(rise.parse_expr("map(fun(x => x + 1.0), xs)", {"xs": "8.f32"})).explain()  # type: ignore[union-attr]  # it fails
    )


def test_a_rule_of_the_library_is_checked_on_first_use() -> None:
    home: dict[str, Any] = {"__name__": "strategies.made", "__file__": "strategies/made.py", "rule": rule}
    exec('\nwrong = rule("map f xs = map g xs", why="Chooses a function.")', home)
    with pytest.raises(StrategyError, match=r"in the equation of the rule wrong at strategies/made\.py:2"):
        topDown(home["wrong"])(PROGRAM)


def test_families_are_values() -> None:
    assert isinstance(cut, RuleFamily)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: said(act) for name, act in WRONG})
