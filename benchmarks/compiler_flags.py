"""The C of some kernels, compiled with the flags that the target openmp chooses, and with one of them changed.

All libraries are loaded into one process and take turns, on one thread. The clock is processor time.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Run, in_turns, load, machine, ratios
from _peaks import aligned, pointer
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import shine
import strategies
from shine.cache import default_directory
from shine.targets.openmp.compiler import Compiler, find_compiler

ROUNDS = 11
MM = "examples/mm.rise"
#: by name: the program, the strategy, its sizes, and the sizes of a quick run
KERNELS = {
    "cacheBlocks": (MM, "strategies.cpu_gemm:cacheBlocks", {"M": 512, "N": 512, "K": 512}),
    "microKernel": (MM, "strategies.cpu_gemm:microKernel", {"M": 512, "N": 512, "K": 512}),
    "packed": (MM, "strategies.cpu_gemm:packed", {"M": 512, "N": 512, "K": 512}),
    "softmax": ("examples/softmax.rise", "strategies.openmp:parallel", {"M": 256, "N": 4096}),
    "dot": ("examples/dot.rise", "strategies.openmp:parallel", {"N": 1 << 20}),
}
QUICK = {"M": 64, "N": 64, "K": 64}
#: the kernels of a quick run
QUICK_KERNELS = ("microKernel",)
#: the changes: flags that are removed, and flags that are added
CHANGES = {
    "-O2": (("-O3",), ("-O2",)),
    "without -march=native": (("-march=native", "-mprefer-vector-width=512"), ()),
    "-mprefer-vector-width=256": (("-mprefer-vector-width=512",), ("-mprefer-vector-width=256",)),
    "without -mprefer-vector-width": (("-mprefer-vector-width=512",), ()),
    "-mtune=sapphirerapids alone": (("-mprefer-vector-width=512",), ("-mtune=sapphirerapids",)),
    "without -fno-math-errno": (("-fno-math-errno",), ()),
    "without -fno-trapping-math": (("-fno-trapping-math",), ()),
    "-ffp-contract=fast": (("-ffp-contract=off",), ("-ffp-contract=fast",)),
}


def main() -> None:
    """Measure and report."""
    quick = is_quick("what the flags of the C compiler do to the speed of kernels")
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        names = QUICK_KERNELS if quick else tuple(KERNELS)
        found = {name: measured(name, Path(folder), quick) for name in names}
    rows = [(change, *(found[name].get(change, "refused") for name in names)) for change in CHANGES]
    note = (
        "Time with the change / time without it, in processor time of one thread: the median over the rounds, and "
        "the quartiles. The unchanged flags are those of `shine/targets/openmp/compiler.py`."
    )
    table = Table("Flags of the C compiler", ("change", *names), tuple(rows), note)
    report("compiler_flags", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def measured(name: str, folder: Path, quick: bool) -> dict[str, str]:
    """The effect of each change on one kernel, as text; changes that the compiler rejects are left out."""
    file, strategy, sizes = KERNELS[name]
    sizes = {size: min(n, QUICK[size]) if quick else n for size, n in sizes.items()}
    result = strategies.load(strategy)(rise.parse_file(ROOT / file).main)
    assert isinstance(result, elevate.Success), strategy
    kernel = shine.compile(rise.specialise(result.program, **sizes), target="openmp", threads=1)
    compiler = find_compiler(None, None, default_directory())
    (folder / f"{name}.c").write_text(kernel.source, encoding="utf-8")
    arrays = arguments(name, sizes)
    runs: dict[str, Run] = {}
    for change, (gone, come) in {"": ((), ()), **CHANGES}.items():
        flags = [*(flag for flag in compiler.flags if flag not in gone), *come]
        loaded = built(compiler, flags, folder / f"{name}.c", folder / f"{name}-{len(runs)}.so")
        if loaded is not None:
            runs[change] = partial(loaded.kernel, *map(pointer, arrays))
    samples = in_turns(runs, 3 if quick else ROUNDS, clock=time.process_time)
    found: dict[str, str] = {}
    for change in runs.keys() - {""}:
        ratio, (low, high) = ratios(samples[""], samples[change])
        found[change] = f"{ratio:.2f} ({low:.2f}-{high:.2f})"
    return found


def arguments(name: str, sizes: dict[str, int]) -> list[np.ndarray[Any, Any]]:
    """The inputs of a kernel, and memory for its output."""
    random = np.random.default_rng(0)
    shapes = {
        "softmax": (("M", "N"), ("M", "N")),
        "dot": (("N",), ("N",), ()),
    }.get(name, (("M", "K"), ("K", "N"), ("M", "N")))
    arrays = [aligned(tuple(sizes[size] for size in shape)) for shape in shapes]
    for array in arrays:
        array[...] = random.random(array.shape, dtype=np.float32)
    return arrays


def built(compiler: Compiler, flags: list[str], source: Path, library: Path) -> ctypes.CDLL | None:
    """A library built with the given flags and loaded, or None if the compiler rejects them."""
    command = [compiler.path, *flags, str(source), "-o", str(library), "-lm"]
    ran = subprocess.run(command, capture_output=True, check=False)
    return ctypes.CDLL(str(library)) if ran.returncode == 0 else None


if __name__ == "__main__":
    main()
