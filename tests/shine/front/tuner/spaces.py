"""Spaces and rules for tests of the tuner, at the top level of a module, so that other processes can find them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Hashable
from dataclasses import dataclass

import rise
from elevate import FloatClass, Mismatch, Rule, Strategy
from rise.terms import Expr
from strategies.openmp import parallel
from strategies.spaces import choose, space
from strategies.spaces.holes import Decisions

SQUARES = rise.parse("val main = fun(xs: N.f32 => xs |> map(fun(x => x * x)))")
WRONG = rise.parse("val main = fun(xs: N.f32 => xs |> map(fun(x => x * x * x)))")
SIZES = {"N": 16}


@dataclass(frozen=True, slots=True)
class Misbehaving(Rule):
    """A rule that changes the meaning of the program, hangs, crashes or fails."""

    how: str

    @property
    def roots(self) -> frozenset[Hashable] | None:
        return None

    @property
    def depth(self) -> int | None:
        return None

    @property
    def float_class(self) -> FloatClass:
        return FloatClass.EXACT

    @property
    def name(self) -> str:
        return self.how

    def apply(self, term: Expr) -> Expr | None:
        match self.how:
            case "cubes":
                return WRONG.main
            case "hangs":
                time.sleep(1000)
            case "crashes":
                os.kill(os.getpid(), signal.SIGKILL)
            case "fails":
                return None
        return term

    def mismatch(self, term: Expr) -> Mismatch:
        return Mismatch((), "a program that it applies to", "another")


@space
def tiles() -> Strategy:
    """Squares in blocks."""
    return parallel(tile=choose("tile", (4, 8, 16, 32)), together=choose("together", (True, False)))


@space
def odd() -> Strategy:
    """Candidates that misbehave."""
    how = choose("how", ("well", "cubes", "hangs", "crashes", "fails"))
    return Misbehaving(how) >> parallel(tile=8)


def seconds(decisions: Decisions) -> float:
    """A table of results: the best is tile=16 with `together`."""
    tile = decisions["tile"]
    assert isinstance(tile, int)
    return 0.5 + abs(tile - 16) / 16 + (not decisions["together"]) / 8
