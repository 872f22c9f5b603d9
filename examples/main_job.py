"""The main example: one program, two targets. A matrix product is rewritten to fast C and to CUDA for tensor cores.

Run by `make run`. Everything shown is computed: the derivations, the texts, the checks against numpy, the times. If the
machine lacks a CUDA compiler or a device, one line says so, and the rest continues.
Uses only the public interface and, to show derivations part by part, `shine.front.derivation`.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

import rise
import shine
import strategies
from shine.front.derivation import Derivation, derive, is_administrative, steps_of

HERE = Path(__file__).parent
SIZE = 512
TILED = 256  # for tensor cores: a multiple of the tiles
ARCH = "sm_80"
ROUNDS = 15
PAUSE = 0.05  # seconds, in which the threads of the other library go to sleep
OFTEN = 4  # rules that are named for each part of a derivation
NEXT = "make a kernel of a function of your own, as docs/functions.md shows; `. .venv/bin/activate` has what it needs"
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run all parts of the example, with a heading for each."""
    cpu()
    tensor_cores()
    console.print()
    console.print(Text.assemble(("Next: ", "bold"), NEXT))


def cpu() -> None:
    """From the high-level program to C with OpenMP, against numpy."""
    heading(f"A matrix product for this processor, {SIZE} x {SIZE} x {SIZE}")
    path = HERE / "gemm.rise"
    code(path.read_text(encoding="utf-8").strip(), "ocaml")
    program = rise.specialise(rise.parse_file(path).main, M=SIZE, N=SIZE, K=SIZE)
    derivation = derive(strategies.load("strategies.openmp:parallel"), program)
    show_derivation(derivation)
    kernel = shine.compile(derivation.result, target="openmp", name="gemm")
    heading("The C that it becomes")
    code(kernel.source.strip(), "c")

    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIZE, SIZE)).astype(np.float16) for _ in range(2))
    wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)  # numpy's product needs f32; not timed
    c = rng.standard_normal((SIZE, SIZE), dtype=np.float32)
    alpha, beta = np.float32(0.5), np.float32(2.0)
    out = np.empty_like(c)
    exact = alpha * (a.astype(np.float64) @ b.astype(np.float64)) + beta * c.astype(np.float64)
    kernel(alpha, beta, a, b, c, out=out)
    heading("Is it right, and is it fast?")
    ours, theirs = error(out, exact), error(alpha * (wide_a @ wide_b) + beta * c, exact)
    bound = 2 * SIZE * float(np.finfo(np.float32).eps)
    assert ours < bound, f"the relative error is {ours}, and {bound} is allowed"
    seconds = in_turns(
        lambda: kernel(alpha, beta, a, b, c, out=out),
        lambda: alpha * (wide_a @ wide_b) + beta * c,
    )
    operations = 2 * SIZE**3 + 3 * SIZE**2
    console.print(
        Text("                    best       median     GFLOP/s   greatest error / greatest result", "dim")
    )
    for name, taken, wrong in zip(("rise-shine", "numpy in f32"), seconds, (ours, theirs), strict=True):
        best, median = min(taken), statistics.median(taken)
        console.print(
            f"  {name:12} {best * 1e3:7.3f} ms   {median * 1e3:7.3f} ms   {operations / best / 1e9:7.1f}   {wrong:.1e}"
        )
    ratio = min(seconds[1]) / min(seconds[0])
    console.print(
        Text.assemble("  ", (f"{ratio:.2f} times the speed of numpy", "bold green"), ", the best of each.")
    )
    console.print(
        "  The kernel converts its f16 factors to f32 in this time; numpy is given them converted."
        f" This process may use {count_of(cores())}."
    )


def tensor_cores() -> None:
    """From the same program to CUDA C++ for tensor cores: printed, compiled, simulated, and run on a device."""
    heading(f"The same program for tensor cores, {TILED} x {TILED} x {TILED}")
    program = rise.parse_file(HERE / "gemm.rise").main
    derivation = derive(strategies.load("strategies.tensor_core:wmma"), program)
    show_derivation(derivation)
    needs = ", ".join(one.condition for one in rise.obligations(derivation.result))
    console.print(f"  It needs {needs}.")
    low = rise.specialise(derivation.result, M=TILED, N=TILED, K=TILED)
    kernel = shine.compile(low, target="cuda", arch=ARCH, name="gemm")
    heading("The CUDA C++ that it becomes")
    code(kernel.source.strip(), "cuda")

    heading("Does it compile, is it right?")
    try:
        machine_code = shine.compile(low, target="cuda", arch=ARCH, name="gemm", strict=True).machine_code()
        console.print(
            f"  compiled for {ARCH}: {len(machine_code)} bytes of machine code, no register spilled"
        )
    except rise.RiseError as absent:
        say_why("not compiled", absent)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((TILED, TILED)).astype(np.float16) for _ in range(2))
    c = rng.standard_normal((TILED, TILED), dtype=np.float32)
    arguments = (np.float32(0.5), np.float32(2.0), a, b, c)
    exact = 0.5 * (a.astype(np.float64) @ b.astype(np.float64)) + 2.0 * c
    checked = shine.compile(low, target="cuda-sim", arch=ARCH, check=True, name="gemm")
    start = time.perf_counter()
    found = checked(*arguments)
    seconds = time.perf_counter() - start
    console.print(
        f"  simulated in {seconds:.2f} s, no race, no wrong access, nothing read that was not written:"
        f" within {close(found, exact):.1e} of numpy, relative"
    )
    try:
        on_device = shine.compile(low, target="cuda", name="gemm")
        found = on_device(*arguments)
    except rise.RiseError as absent:
        say_why("not run on a device", absent)
        return
    seconds = on_device.time(*arguments).median
    console.print(
        f"  on the device: {seconds * 1e6:.1f} us, within {close(found, exact):.1e} of numpy, relative"
    )


def say_why(what: str, absent: rise.RiseError) -> None:
    """Print in one line what this machine lacks; raise any other error."""
    if not absent.diagnostic.code.startswith("no-"):
        raise absent
    hint = f" ({absent.diagnostic.hint})" if absent.diagnostic.hint else ""
    console.print(Text(f"  {what}: {absent.diagnostic.title}{hint}", "dim"))


def close(found: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    """The error of a tensor core product, which must be small."""
    wrong = error(found, exact)
    assert wrong < 2 * TILED * float(np.finfo(np.float32).eps), wrong
    return wrong


def show_derivation(derivation: Derivation) -> None:
    """Print what each part of a strategy did, one line per part."""
    heading(f"The strategy {derivation.strategy}, part by part")
    for phase, steps in steps_of(derivation):
        often = Counter(one.step.rule.name for one in steps if not is_administrative(one)).most_common(OFTEN)
        rules = ", ".join(name if count == 1 else f"{name} x{count}" for name, count in often)
        console.print(Text.assemble(f"  {len(steps):4} steps  ", (phase.strategy, "bold cyan"), f"  {rules}"))
    counters = derivation.counters
    console.print(
        f"  {counters.firings} firings in {derivation.seconds * 1e3:.0f} ms;"
        f" floating-point results: {derivation.float_class}"
    )


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0))


def count_of(number: int) -> str:
    """A number of processors in words."""
    return "one processor" if number == 1 else f"{number} processors"


def in_turns(*runs: Callable[[], Any]) -> list[list[float]]:
    """The seconds of each run, measured in turns, so that disturbances affect all of them equally."""
    samples: list[list[float]] = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, found in zip(runs, samples, strict=True):
            time.sleep(PAUSE)
            run()
            start = time.perf_counter()
            run()
            found.append(time.perf_counter() - start)
    return samples


def error(found: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    """The largest error relative to the largest result."""
    return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))


def heading(text: str) -> None:
    """Print a heading."""
    console.print()
    console.print(Text(text, "bold"))


def code(text: str, language: str) -> None:
    """Print code, coloured on a terminal."""
    if console.is_terminal:
        console.print(Syntax(text, language, background_color="default"))
    else:
        console.print(text, markup=False)


if __name__ == "__main__":
    main()
