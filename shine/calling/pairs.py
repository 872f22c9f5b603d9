"""Dependent pairs where a kernel is called: a number and an array in, a number and an array out. Knows no memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rise.arguments.mismatches import given_pair, made_number, refuse
from rise.quotients import evaluate_natural
from shine.calling.output import Output
from shine.imperative.nodes import Procedure


def without_pairs(
    procedure: Procedure, arguments: Sequence[Any], sizes: Mapping[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with the arrays of dependent pairs alone, and the sizes with their numbers."""
    found, known = list(arguments), dict(sizes or {})
    places = list(range(len(found)))
    if procedure.explicit and len(found) == len(procedure.given) + len(procedure.explicit):
        explicit = dict(procedure.explicit)
        places = [place for place in places if place not in explicit]
    for pair in procedure.pairs:
        if pair.position >= len(places):
            break  # too few arguments: told where they are counted
        place, name = places[pair.position], procedure.given[pair.position].name
        number, found[place] = given_pair(name, pair.type, found[place])
        if known.setdefault(pair.size.name, number) != number:
            title = f"`{name}`: expected the number {known[pair.size.name]} that `sizes` has, found {number}"
            refuse("size-mismatch", title, f"leave `{pair.size.name}` away: the pair says it")
    return tuple(found), known


def with_number(procedure: Procedure, output: Output, sizes: Sequence[int]) -> Output:
    """The output with its number, where it is a dependent pair."""
    if procedure.number is None:
        return output
    number = evaluate_natural(procedure.number, dict(zip(procedure.sizes, sizes, strict=True)))
    assert isinstance(number, int), procedure.number
    return replace(output, number=np.asarray(made_number(number), np.int64))
