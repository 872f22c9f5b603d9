"""Reads the GPU level of a call: the primitive's record gives the level, its first argument the dimension."""

from __future__ import annotations

from rise.primitives import PRIMITIVES
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.nodes import Level
from shine.translate.core import Call
from shine.translate.views import natural


def level_of(call: Call) -> Level:
    """The level that a call runs on. Raises TranslationError for a dimension that the level lacks."""
    match PRIMITIVES[call.name].runs_on:
        case "" | "processor" as other:
            raise AssertionError(f"{call.name} runs on no level of a GPU, but {other!r}")
        case name:
            dimension = natural(call, 0).constant
            if dimension is None or dimension > 2:
                title = f"expected a dimension from 0 to 2, found {show_nat(natural(call, 0))}"
                fail("dimension", title, f"write `{call.name}(0, ...)`", call.path.origin)
            return Level(name, dimension)
