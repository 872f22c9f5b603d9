"""The cost of importing, parsing, deriving, translating and calling, compared with targets.

Durations are processor time of one thread, which other jobs on the machine disturb least. Most are measured in a
process that has done the same before; those of a first time, in a new process.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from _measure import Samples, clocked, in_turns, load, machine
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import shine
import strategies
from elevate.toy import fToG, mergeH, tree
from rise.node_table import live_nodes
from shine.targets.c.printer import print_procedure
from shine.translate import CPU_LEVELS, translate
from strategies.rules.functions import gentleBeta
from strategies.rules.fusion import mapFusion

PARALLEL = "strategies.openmp:parallel"
SEQUENTIAL = "strategies.sequential:sequential"
TENSOR_CORE = "strategies.tensor_core:tensorCore"
DERIVATIONS = (
    *(
        (PARALLEL, name)
        for name in ("mm", "batched_mm", "gemm", "gemm_f32", "gemm_bias", "laplace", "attention")
    ),
    *((TENSOR_CORE, name) for name in ("gemm", "gemm_plain", "gemm_alpha", "gemm_left_transposed")),
)
FIRINGS = 15_000
PROBED = 100_000
ABOUT = (
    "Durations are processor time of one thread: the median of the samples, the best one, and the quartiles. On a "
    "shared processor the best is closest to the time on an idle one."
)
#: the import that ours is compared with
FOUNDATION = "import numpy, lark, ml_dtypes"
#: a function that is compiled when it is called
FIRST_CALL = """import numpy as np, shine
@shine.jit
def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
softmax(np.ones((20, 30), np.float32))"""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its target and its measured value."""

    what: str
    target: str
    measured: str
    best: str
    spread: str
    holds: bool | None
    note: str = ""

    def row(self) -> tuple[str, ...]:
        """The number as cells of a table."""
        holds = "" if self.holds is None else "yes" if self.holds else "no"
        return (self.what, self.target, self.measured, self.best, self.spread, holds, self.note)


def main() -> None:
    """Measure and report."""
    quick = is_quick(__doc__)
    before = load()
    rounds = 1 if quick else 15
    first = first_reading(1 if quick else 9)
    numbers = [*imports(1 if quick else 21), first, *reading(rounds), *evaluating(rounds)]
    numbers += [
        *translating(rounds),
        *starting(1 if quick else 21),
        *calling(rounds),
        *remembering((50, 100, 200) if quick else (500, 1000, 2000)),
    ]
    derived, rate = derivations(DERIVATIONS[-2:] if quick else DERIVATIONS, rounds)
    numbers += [
        rate,
        probe(rounds, 200 if quick else 500),
        normalising((25, 50) if quick else (100, 200, 400)),
    ]
    columns = ("what", "target", "median", "best", "quartiles", "holds", "note")
    tables = [
        Table("Compiler and call overhead", columns, tuple(number.row() for number in numbers), ABOUT),
        derived,
    ]
    report("latencies", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def timed(what: str, limit: float, samples: Samples, note: str = "") -> Number:
    """A number in seconds that should stay below a limit."""
    low, high = samples.quartiles
    spread = f"{seconds(low)} - {seconds(high)}"
    holds = samples.median < limit
    best = seconds(min(samples.seconds))
    return Number(what, f"< {seconds(limit)}", seconds(samples.median), best, spread, holds, note)


def seconds(value: float) -> str:
    """A duration in a suitable unit."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def imports(rounds: int) -> Iterator[Number]:
    """Measurements in new processes, which do nothing else; their modules are already compiled."""
    whole = "import rise, elevate, strategies, shine"
    samples = in_new_processes(("", FOUNDATION), ("", "import rise"), ("", whole), rounds=rounds)
    foundation, ours, all_of_it = samples
    times = statistics.median(a / b for a, b in zip(ours.seconds, foundation.seconds, strict=True))
    note = f"{times:.2f} times numpy, lark and ml_dtypes alone, {seconds(foundation.median)}"
    yield timed("import rise", 0.15, ours, note)
    low, high = all_of_it.quartiles
    best = seconds(min(all_of_it.seconds))
    yield Number(whole, "", seconds(all_of_it.median), best, f"{seconds(low)} - {seconds(high)}", None)


def first_reading(rounds: int) -> Number:
    """Parse and infer GEMM in a process that has read nothing."""
    path = str(ROOT / "examples" / "gemm.rise")
    (samples,) = in_new_processes(("import rise", f"rise.parse_file({path!r})"), rounds=rounds)
    return timed("parse and infer GEMM, first in a process", 0.05, samples, "including the parser tables")


def in_new_processes(*timed_after: tuple[str, str], rounds: int) -> list[Samples]:
    """Processor time of statements, each in a new process after what must come before; in turns."""
    found: list[list[float]] = [[] for _ in timed_after]
    with tempfile.TemporaryDirectory() as compiled:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": compiled}
        for number in range(rounds + 1):
            for (before, statement), seconds_taken in zip(timed_after, found, strict=True):
                lines = (
                    "import time",
                    before,
                    "start = time.process_time()",
                    statement,
                    "print(time.process_time() - start)",
                )
                command = (sys.executable, "-c", "\n".join(lines))
                ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
                if number:  # the first one compiles
                    seconds_taken.append(float(ran.stdout))
    return [Samples(tuple(one)) for one in found]


def reading(rounds: int) -> Iterator[Number]:
    """Parse and infer GEMM again."""
    text = (ROOT / "examples" / "gemm.rise").read_text(encoding="utf-8")
    samples = in_turns({"gemm": partial(rise.parse, text)}, rounds, clock=time.process_time)
    yield timed("parse and infer GEMM, again", 0.05, samples["gemm"])


def evaluating(rounds: int) -> Iterator[Number]:
    """The meaning of a matrix product on numpy arrays."""
    program = example("mm")
    a, b = np.random.default_rng(0).random((2, 256, 256), dtype=np.float32)
    samples = in_turns({"mm": partial(rise.evaluate, program, a, b)}, rounds, clock=time.process_time)
    yield timed("evaluate mm, 256 x 256 x 256", 1.0, samples["mm"])


def translating(rounds: int) -> Iterator[Number]:
    """From low-level RISE to C."""
    program = case("gemm_f32")
    for strategy in (PARALLEL, SEQUENTIAL):
        low = derived_by(strategy, program)
        samples = in_turns({"gemm": partial(printed, low)}, rounds, clock=time.process_time)
        lines = printed(low).count("\n")
        yield timed(
            f"translate and print gemm under {name_of(strategy)}", 0.5, samples["gemm"], f"{lines} lines of C"
        )


def printed(low: rise.Expr) -> str:
    """The C of a low-level program."""
    return print_procedure(translate(low, "kernel", CPU_LEVELS), False, None).text


def calling(rounds: int) -> Iterator[Number]:
    """A call of a built kernel that computes almost nothing."""
    x, y = np.random.default_rng(0).random((2, 4), dtype=np.float32)
    out = np.empty((), np.float32)
    for strategy in (SEQUENTIAL, PARALLEL):
        kernel = shine.compile(derived_by(strategy, example("dot")), target="openmp", threads=1)
        call = partial(kernel, x, y, out=out)
        samples = in_turns({"dot": call}, rounds, warmups=100, clock=time.process_time)
        yield timed(f"call dot of 4 numbers under {name_of(strategy)}", 5e-6, samples["dot"], "one thread")

    @shine.jit(threads=1)
    def jitted(a: Any, b: Any) -> Any:
        return (a * b).sum()

    calls = {"same": partial(jitted, x, y), "other": partial(alternately, jitted, (x, y), (x[:3], y[:3]))}
    samples = in_turns(calls, rounds, warmups=100, clock=time.process_time)
    yield timed("call a dot product of 4 numbers through shine.jit", 8e-6, samples["same"], "one thread")
    yield timed("two such calls, of 4 and of 3 numbers", 16e-6, samples["other"], "one thread")


def alternately(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Call a function on some arguments, then on others."""
    for arguments in calls:
        function(*arguments)


def starting(rounds: int) -> Iterator[Number]:
    """First calls in new processes, whose kernels are kept."""
    loaded, called = in_new_processes(("", "import numpy, shine; shine.jit"), ("", FIRST_CALL), rounds=rounds)
    yield timed("import numpy and what shine.jit needs", 0.25, loaded)
    yield timed("first call of a function that is kept, in a new process", 0.5, called, "with imports")


def remembering(sizes: Sequence[int]) -> Iterator[Number]:
    """The memory of n consecutive maps, parsed and typed, per map."""
    rise.parse(chain(3))
    kept: list[tuple[float, float]] = []
    for size in sizes:
        gc.collect()
        nodes = live_nodes()
        tracemalloc.start()
        program = rise.parse(chain(size))
        gc.collect()
        kept.append(((live_nodes() - nodes) / size, tracemalloc.get_traced_memory()[0] / size))
        tracemalloc.stop()
        del program
    shown = ", ".join(f"{nodes:.1f} nodes, {held / 1024:.2f} KiB" for nodes, held in kept)
    linear = all(most <= 1.1 * least for least, most in zip(kept[0], kept[-1], strict=True))
    note = f"n = {', '.join(map(str, sizes))}"
    yield Number("memory for each of n consecutive maps", "not growing", shown, "", "", linear, note)


def chain(size: int) -> str:
    """A program with the given number of consecutive maps."""
    return (
        "val main = fun(xs: N.f32 => xs" + "".join(f" |> map(fun(x => x + {i}.0))" for i in range(size)) + ")"
    )


def derivations(chosen: Sequence[tuple[str, str]], rounds: int) -> tuple[Table, Number]:
    """Firings per second of whole derivations of typed programs, with recorded steps."""
    rows: list[tuple[str, ...]] = []
    firings = 0
    totals = [0.0] * rounds
    for strategy, name in chosen:
        applied = strategies.load(strategy)
        program = case(name)
        derive = partial(elevate.run, applied, program)
        first = clocked(derive, 1, time.process_time)
        samples = in_turns({name: derive}, rounds, clock=time.process_time)[name]
        outcome = derive()
        assert isinstance(outcome.result, elevate.Success), (strategy, name)
        counted = outcome.counters
        firings += counted.firings
        totals = [total + one for total, one in zip(totals, samples.seconds, strict=True)]
        rows.append(
            (
                f"{name_of(strategy)} {name}",
                *map(str, (counted.firings, counted.attempts, counted.visits)),
                seconds(first),
                seconds(samples.median),
                f"{counted.firings / samples.median:,.0f}",
            )
        )
    columns = ("derivation", "firings", "attempts", "visits", "first", "again", "firings/s")
    note = (
        "`first` reads the rules' equations and compiles the strategy; "
        "`again` repeats the derivation with both available."
    )
    rates = Samples(tuple(firings / total for total in totals))
    why = "a firing matches types, builds typed nodes and rebuilds the path to the next candidates, in Python"
    return Table("Derivations", columns, tuple(rows), note), rated(
        "firings/s, typed derivations", FIRINGS, rates, why
    )


def probe(rounds: int, size: int) -> Number:
    """Firings per second on labelled trees, where a rule costs almost nothing: the engine alone."""
    term = tree("a")
    for _ in range(size):
        term = tree("h", tree("h", tree("f", term)))
    strategy = elevate.normalize(mergeH | fToG)
    outcome = elevate.run(strategy, term)
    samples = in_turns({"probe": partial(elevate.run, strategy, term)}, rounds, clock=time.process_time)[
        "probe"
    ]
    rates = Samples(tuple(outcome.counters.firings / one for one in samples.seconds))
    return rated("firings/s, untyped probe", PROBED, rates, "the processor was shared; see the best")


def normalising(sizes: Sequence[int]) -> Number:
    """Rules tried for each firing as a program grows: the cost of `normalize` is linear in the firings."""
    strategy = elevate.normalize(mapFusion | gentleBeta)
    tried = [elevate.run(strategy, rise.parse(chain(size)).main).counters for size in sizes]
    each = [counters.attempts / counters.firings for counters in tried]
    shown = ", ".join(f"{one:.2f}" for one in each)
    note = f"n = {', '.join(map(str, sizes))}"
    what = "rules tried for each firing of normalize, n consecutive maps"
    return Number(what, "not growing", shown, "", "", each[-1] <= 1.1 * each[0], note)


def rated(what: str, least: int, rates: Samples, why: str) -> Number:
    """A number with a lower bound; `why` says what prevents it from being reached."""
    low, high = rates.quartiles
    holds = rates.median >= least
    note = "" if holds else why
    best = f"{max(rates.seconds):,.0f}"
    return Number(
        what, f">= {least:,}", f"{rates.median:,.0f}", best, f"{low:,.0f} - {high:,.0f}", holds, note
    )


def derived_by(strategy: str, program: rise.Expr) -> rise.Expr:
    """The low-level program."""
    result = strategies.load(strategy)(program)
    assert isinstance(result, elevate.Success), strategy
    low: rise.Expr = result.program
    return low


def example(name: str) -> rise.Expr:
    """The main definition of an example."""
    return rise.parse_file(ROOT / "examples" / f"{name}.rise").main


def case(name: str) -> rise.Expr:
    """The main definition of a case of the tests."""
    return rise.parse_file(ROOT / "cases" / f"{name}.rise").main


def name_of(strategy: str) -> str:
    """A strategy without its module."""
    return strategy.partition(":")[2]


if __name__ == "__main__":
    main()
