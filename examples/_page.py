"""Output shared by the case studies: program, derivation, code, bar chart. Independent of programs and strategies."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rich.bar import Bar
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import elevate
import rise
import shine
import strategies

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))  # the peers and the clock of the benchmarks

from _race import race  # noqa: E402  # found by the path that is set above
from peers import find  # noqa: E402  # found by the path that is set above

CONSOLE = Console(width=110)
SHOWN = 12
"""The number of rules of a derivation that are listed, most frequent first; the others are only counted."""


def study(
    kernel: str,
    text: str,
    chosen: Mapping[str, tuple[str, Mapping[str, int]]],
    arguments: list[Any],
    names: tuple[str, ...],
    threads: int,
    work: tuple[float, str],
) -> None:
    """Show a program, its derivation by each strategy, the code of the last one, and a chart of all versions and the
    peers.

    `work` is the amount of work of one run, in the chart's unit times seconds.
    """
    program = rise.parse(text).main
    section("program", kernel)
    CONSOLE.print(rise.show(program), highlight=False, markup=False)
    runs: dict[str, Callable[[], Any]] = {}
    for name, (address, parameters) in chosen.items():
        outcome = elevate.run(strategies.load(address, **parameters), program)
        section("derivation", f"{name}: {address}{dict(parameters) or ''}")
        derivation(outcome)
        built = shine.compile(outcome.result.program, target="openmp", threads=threads)
        runs[f"ours: {name}"] = lambda built=built: built(*arguments)
    section("code", name)
    CONSOLE.print(Syntax(body(built.source), "c", theme="ansi_light", background_color="default"))
    present, absent = find(threads, names)
    runs |= {peer.name: peer.kernels[kernel](*arguments) for peer in present if kernel in peer.kernels}
    wanted = rise.evaluate(rise.specialise(program), *arguments)
    for name, run in runs.items():
        found = run()
        found = found.numpy() if hasattr(found, "numpy") else np.asarray(found)
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4, err_msg=name)
    section("speed", f"{threads} threads; all agree; not installed: {', '.join(absent) or 'none'}")
    samples = race(runs, threads, 5, 2.0)
    bars({name: work[0] / one.median for name, one in samples.items()}, work[1])


def section(what: str, of: str) -> None:
    """Print a section heading."""
    CONSOLE.rule(f"{what}: {of}", align="left", style="dim")


def derivation(outcome: Any) -> None:
    """Print which rules fired, and how often."""
    assert isinstance(outcome.result, elevate.Success), outcome.result
    fired = Counter(str(step.rule.name) for step in outcome.result.steps)
    shown = [f"{rule} x {count}" if count > 1 else rule for rule, count in fired.most_common(SHOWN)]
    rest = sum(fired.values()) - sum(count for _, count in fired.most_common(SHOWN))
    CONSOLE.print(f"{sum(fired.values())} steps: {', '.join(shown)}{f', and {rest} more' if rest else ''}")


def body(source: str) -> str:
    """The kernel, without the code before it."""
    return "\n".join(source.splitlines()[source[: source.index("\nint kernel")].count("\n") + 1 :])


def bars(found: Mapping[str, float], unit: str) -> None:
    """Print a bar chart; the longest bar is the best."""
    table = Table.grid(padding=(0, 1))
    most = max(found.values())
    for name, value in sorted(found.items(), key=lambda one: -one[1]):
        color = "green" if name.startswith("ours") else "blue"
        table.add_row(name, f"{value:.1f} {unit}", Bar(most, 0, value, width=60, color=color))
    CONSOLE.print(table)
