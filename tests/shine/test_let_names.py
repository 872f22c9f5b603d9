"""Values keep the names that programs give them, up to the printed C."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rise
import shine

PROGRAMS = {
    "windows read a named array": (
        "fun(xs: (N + 2).f32 => let energies = (xs |> map(exp)) in"
        " energies |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
        {"energies"},
    ),
    "names for whole arrays": (
        "fun(x: N.M.f32 => let e = (x |> map(map(fun(v => exp(v))))) in"
        " let totals = (e |> transpose |> map(fun(c => c |> reduce(add, 0.0)))) in"
        " e |> map(fun(r => zip(r, totals) |> map(fun(p => fst(p) / snd(p))))))",
        {"e", "totals"},
    ),
    "names in a loop": (
        "fun(x: N.M.f32 => x |> map(fun(row => let top = (row |> reduce(max, -inf)) in"
        " let e = (row |> map(fun(v => exp(v - top)))) in let total = (e |> reduce(add, 0.0)) in"
        " e |> map(fun(v => v / total)))))",
        {"top", "e", "total"},
    ),
    "the parts of a named pair": (
        "fun(x: N.M.f32 => x |> map(fun(row =>"
        " let stats = pair(row |> reduce(add, 0.0), row |> map(fun(v => v * v)) |> reduce(add, 0.0)) in"
        " row |> map(fun(v => (v - fst(stats)) / snd(stats))))))",
        {"stats_1st", "stats_2nd"},
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_names_are_printed(name: str) -> None:
    text, expected = PROGRAMS[name]
    source = shine.compile(rise.parse(text).main, target="openmp").source
    declared = set(re.findall(r"float (?:\*const )?(\w+)(?:;| =)", source))
    assert expected <= declared


def test_names_of_python_programs_are_printed() -> None:
    @rise.program
    def smooth(xs: rise.f32[rise.sizes("N")]):
        energies = np.exp(xs)
        return (energies[2:] + energies[:-2]) / energies[1:-1]

    source = shine.compile(smooth, target="openmp").source
    assert "*const energies = allocate(" in source
