"""The target openmp as a record: its options, and how a procedure becomes a loaded function."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.types import FragmentType
from shine.cache import body_of, directory_of
from shine.imperative import Procedure
from shine.passes.expand_fragments import expand_fragments
from shine.passes.mark_loops import mark_loops
from shine.passes.narrow_vectors import narrow_vectors
from shine.passes.prefetch import prefetch
from shine.passes.prefetch_rows import prefetch_rows
from shine.passes.run_together import run_together
from shine.passes.split_borders import split_borders
from shine.passes.unjoin_loops import unjoin_loops
from shine.targets.c.printer import passed_by_value, print_procedure
from shine.targets.c.types import element_name
from shine.targets.openmp.build import build
from shine.targets.openmp.compiler import find_compiler
from shine.targets.openmp.loader import Loaded, load
from shine.targets.openmp.threads import waking_text
from shine.targets.target import Option, Target
from shine.translate import CPU_LEVELS

MOST_THREADS: Final = 1024
PARALLEL: Final = "#pragma omp parallel"


def build_procedure(procedure: Procedure, options: Mapping[str, Any]) -> Loaded:
    """Print, build and load a procedure."""
    threads = options["threads"]
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        title = f"option `threads`: expected a number from 1 to {MOST_THREADS}, found {threads}"
        raise RiseError(Diagnostic("option-value", title, hint="leave it out to use what OpenMP chooses"))
    procedure = expand_fragments(procedure)
    if options["borders"]:
        procedure = split_borders(procedure)
    if options["together"]:
        procedure = unjoin_loops(run_together(procedure))
    procedure = mark_loops(narrow_vectors(procedure))
    if options["prefetch"] and not options["check"]:
        procedure = prefetch(prefetch_rows(procedure))
    source = print_procedure(procedure, options["check"], threads)
    cache = directory_of(options["cache"])
    compiler = find_compiler(options["cc"], options["arch"], cache)
    is_parallel = PARALLEL in source.text
    if is_parallel and not compiler.has_threads:
        said = f"`{compiler.path}` builds without OpenMP: parallel loops run on one thread"
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    numbers: list[str | None] = []
    for parameter in procedure.inputs:
        for buffer, by_value in zip(parameter.buffers, passed_by_value(parameter), strict=True):
            assert not isinstance(buffer.element, FragmentType), buffer
            numbers.append(element_name(buffer.element) if by_value else None)
    numbers += [None] * len(procedure.output.buffers)
    wakes = is_parallel and compiler.has_threads and threads != 1
    text = source.text + (waking_text(threads) if wakes else "")
    loading = partial(load, symbol=source.symbol, sizes=len(procedure.sizes), numbers=numbers, wakes=wakes)
    function, team = build(text, compiler, cache, loading)
    image = partial(build, text, compiler, cache, body_of)
    return Loaded(source.text, source.origins, source.sites, tuple(numbers), function, team, image)


OPENMP: Final = Target(
    "openmp",
    "C11 with OpenMP and vectors, built by the system's C compiler",
    "strategies.openmp:parallel",
    (
        Option("arch", str, None, "the processor to build for, as -march takes it; this one by default"),
        Option("cc", str, None, "the C compiler, by name or path; gcc, cc or clang by default"),
        Option("check", bool, False, "whether every access is tested to be within its array"),
        Option("threads", int, None, "how many threads parallel loops use; what OpenMP chooses by default"),
        Option("borders", bool, True, "whether the turns of loops at borders of padded arrays run apart"),
        Option(
            "prefetch",
            bool,
            True,
            "whether memory is asked for ahead, around tiles in registers and for rows",
        ),
        Option(
            "together",
            bool,
            False,
            "whether loops of neighbouring results share the loop inside of them, for vectors where there were none",
        ),
        Option(
            "cache",
            str,
            None,
            "the directory that keeps built kernels; the user's cache directory by default",
        ),
    ),
    build_procedure,
    CPU_LEVELS,
    suffix=".so",
    own={"together": True},
)
