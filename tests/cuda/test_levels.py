"""Random low-level programs over levels of threads and memory spaces agree with their meaning, without races.

One level reads what another one wrote in a different order: barriers, registers and exchanges are derived.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import rise
import shine
from rise.diagnostics import RiseError
from tests.examples import LEAST

#: a fraction of the profile's examples, since each is slow
MAX_EXAMPLES: Final = max(4 * LEAST, settings.default.max_examples // 10)
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
        for rows in (2, 8):
            lanes = f"split({length // 2 // rows}) |> mapLane(1, mapLane(0, {f})) |> join"
            choices.append(f"split({length // 2}) |> mapWarp(0, fun(row => row |> {lanes})) |> join")
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
def test_a_program_over_levels_agrees_with_its_meaning(text: str, schedule: str, cache: Path) -> None:
    e = rise.parse(f"val main = {text}").main
    assert_meant(e, schedule, cache)


LANES_IN_TWO_DIMENSIONS: Final = """
fun(xs: 4.8.8.f32 => xs |> mapBlock(0, fun(tile => tile |> split(4) |> mapWarp(0, fun(rows => rows
  |> mapLane(1, mapLane(0, fun(x => x + 1.0))) |> toMem({space}) |> {view}
  |> mapLane(1, mapLane(0, fun(x => x * 2.0))))) |> join)))
"""


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_lanes_in_two_dimensions_share_memory(schedule: str, cache: Path) -> None:
    """32 lanes as 8 x 4; each reads what another one stored, so the warp waits."""
    text = LANES_IN_TWO_DIMENSIONS.format(space="Shared", view="transpose |> join |> split(8)")
    e = rise.parse(f"val main = {text}").main
    xs = np.arange(256, dtype=np.float32).reshape(4, 8, 8)
    kernel = shine.compile(e, target="cuda-sim", check=True, schedule=schedule, cache=str(cache))
    assert "lane % 8" in kernel.source and "lane / 8" in kernel.source and "__syncwarp" in kernel.source
    np.testing.assert_array_equal(kernel(xs), rise.evaluate(e, xs))


def test_lanes_in_two_dimensions_have_their_own_registers(cache: Path) -> None:
    own = rise.parse(
        f"val main = {LANES_IN_TWO_DIMENSIONS.format(space='Local', view='map(fun(r => r))')}"
    ).main
    xs = np.arange(256, dtype=np.float32).reshape(4, 8, 8)
    kernel = shine.compile(own, target="cuda-sim", check=True, cache=str(cache))
    assert "__sync" not in kernel.source
    np.testing.assert_array_equal(kernel(xs), rise.evaluate(own, xs))
    view = "transpose |> join |> split(8)"
    others = rise.parse(f"val main = {LANES_IN_TWO_DIMENSIONS.format(space='Local', view=view)}").main
    with pytest.raises(RiseError, match="expected each lane to read its own registers") as refused:
        shine.compile(others, target="cuda-sim", check=True, cache=str(cache))
    assert refused.value.diagnostic.code == "registers"


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
