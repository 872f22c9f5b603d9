"""Random low-level programs over levels of threads and memory spaces compute what they mean, without races.

One level reads in another order what another one wrote: barriers, registers and exchanges are derived.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import rise
import shine
from rise.diagnostics import RiseError

#: a fraction of the profile's examples, as each takes long
MAX_EXAMPLES: Final = max(12, settings.default.max_examples // 10)
SCHEDULES: Final = ("ascending", "descending", "random:1", "random:2")
FUNCTIONS: Final = ("fun(x => x + 1.0)", "fun(x => x * 2.0)", "neg")
#: codes of errors for programs that no GPU can run
REFUSED: Final = frozenset(("registers", "divergent-barrier", "levels"))


def maps(length: int, f: str, has_warps: bool) -> list[str]:
    """The ways to map a function over an array of this length inside a block."""
    choices = [f"mapThreads(0, {f})", f"mapSeq({f})"]
    for part in (2, 4, 8):
        if length % part == 0 and length > part:
            choices.append(f"split({part}) |> mapThreads(0, mapSeq({f})) |> join")
            choices.append(f"split({length // part}) |> mapSeq(mapThreads(0, {f})) |> join")
            if not has_warps:
                choices.append(f"split({part}) |> mapThreads(1, mapThreads(0, {f})) |> join")
    if has_warps and length % 64 == 0:
        choices += [f"split({length // 2}) |> mapWarp(0, mapLane(0, {f})) |> join"] * 3
        choices.append(f"split({length // 2}) |> mapWarp(0, mapSeq({f})) |> join")
    return choices


def views(length: int) -> list[str]:
    """Views that reorder an array of this length."""
    found = [
        "",
        "",
        "padClamp(1, 0) |> take({n})",
        "padClamp(0, 2) |> drop(2)",
        "padCst(1, 0, 3.0) |> take({n})",
    ]
    found += [f"split({part}) |> transpose |> join" for part in (2, 4, 8) if length % part == 0]
    return [one.format(n=length) for one in found]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Blocks that process tiles in several steps, each stored in memory for the next."""
    has_warps, tile = draw(st.booleans()), draw(st.sampled_from((64, 128)))
    length, steps = tile, ["tile"]
    count = draw(st.integers(1, 4))
    for number in range(count):
        steps.append(draw(st.sampled_from(views(length))))
        is_last = number == count - 1
        if not is_last and length % 8 == 0 and draw(st.integers(0, 3)) == 0:
            steps.append("split(4) |> mapThreads(0, reduceSeq(add, 0.0))")
            length //= 4
        else:
            steps.append(draw(st.sampled_from(maps(length, draw(st.sampled_from(FUNCTIONS)), has_warps))))
        if not is_last:
            steps.append(f"toMem({draw(st.sampled_from(('Shared', 'Shared', 'Local')))})")
    body = " |> ".join(one for one in steps if one)
    blocks = draw(st.sampled_from(("mapBlock(0, ", "mapBlock(1, ")))
    return f"fun(xs: (2 * {tile}).f32 => xs |> split({tile}) |> {blocks}fun(tile => {body})) |> join)"


@settings(max_examples=MAX_EXAMPLES)
@given(text=programs(), schedule=st.sampled_from(SCHEDULES))
def test_a_program_over_levels_computes_what_it_means(text: str, schedule: str, cache: Path) -> None:
    e = rise.parse(f"val main = {text}").main
    assert_meant(e, schedule, cache)


def assert_meant(e: rise.Expr, schedule: str, folder: Path) -> None:
    """Assert that the check build, the interpreter and the meaning agree; discard programs that no GPU can run."""
    (length,) = (one.size.constant for one in [e.type.parameter])  # type: ignore[attr-defined]  # an array
    xs = np.random.default_rng(1).integers(-4, 5, length).astype(np.float32)
    expected = rise.evaluate(e, xs)
    try:
        kernel = shine.compile(e, target="cuda-sim", check=True, schedule=schedule, cache=str(folder))
    except RiseError as error:
        if error.diagnostic.code not in REFUSED:
            raise
        reject()
    output = np.full(expected.shape, np.nan, np.float32)
    kernel(xs, out=output)
    np.testing.assert_array_equal(output, expected)
    np.testing.assert_array_equal(shine.compile(e, target="interpret")(xs), expected)
