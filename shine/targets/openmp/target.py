"""The target openmp as a record: its options and passes, and how a procedure becomes a loaded function."""

from __future__ import annotations

from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.hardware import DEFAULT, Processor, processor
from rise.scalars import SCALARS
from rise.types import FragmentType
from shine.imperative.nodes import Procedure
from shine.imperative.signature import passed_by_value
from shine.passes.cpu.choose_threads import choose_threads
from shine.passes.cpu.expand_fragments import expand_fragments
from shine.passes.cpu.interleave_searches import interleave_searches
from shine.passes.cpu.mark_loops import mark_loops
from shine.passes.cpu.narrow_vectors import narrow_vectors
from shine.passes.cpu.peel_borders import peel_borders
from shine.passes.cpu.prefetch import prefetch
from shine.passes.cpu.prefetch_rows import prefetch_rows
from shine.passes.cpu.share_memory import share_memory
from shine.passes.cpu.unjoin_loops import unjoin_loops
from shine.passes.cpu.unroll_and_jam import unroll_and_jam
from shine.passes.join_temporaries import join_temporaries
from shine.passes.record import Settings, changing, checking, sharing, tuning
from shine.passes.refuse_deep_nests import refuse_deep_nests
from shine.targets.c.functions import computed_one_by_one
from shine.targets.c.printer import print_procedure
from shine.targets.c.types import element_name
from shine.targets.openmp.loader import Loaded, PrintedKernel
from shine.targets.outlines import outline_procedure
from shine.targets.target import Option, Target
from shine.translate import CPU_LEVELS

MAX_THREADS: Final = 1024


def with_processor(options: Settings) -> Settings:
    """The options with the processor as a record. Raises RiseError for a number of threads out of range, and for a
    processor without a record.
    """
    threads = options["threads"]
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        title = f"option `threads`: expected a number from 1 to {MAX_THREADS}, found {threads}"
        raise RiseError(Diagnostic("option-value", title, hint="omit it to let OpenMP choose"))
    machine = options["machine"]
    return {**options, "machine": processor(machine) if isinstance(machine, str) else machine or DEFAULT}


def build_procedure(procedure: Procedure, options: Settings) -> Loaded:
    """Print, build and load a procedure."""
    source = print_procedure(procedure, options["check"], options["threads"])
    numbers: list[str | None] = []
    for parameter in procedure.inputs:
        for buffer, by_value in zip(parameter.buffers, passed_by_value(parameter), strict=True):
            assert not isinstance(buffer.element, FragmentType), buffer
            numbers.append(element_name(buffer.element) if by_value else None)
    numbers += [None] * len(procedure.output.buffers)
    choices = {name: options[name] for name in ("cc", "arch", "cache", "threads", "keep")}
    return PrintedKernel(source, len(procedure.sizes), tuple(numbers), **choices).load()


PASSES: Final = (
    checking(
        refuse_deep_nests,
        "C compilers fail on loops and values that are nested hundreds deep, so these are rejected.",
    ),
    changing(
        expand_fragments,
        "CPUs have no tensor cores, so operations on fragments become loops over elements.",
    ),
    changing(
        choose_threads,
        "A team of threads takes microseconds to start, which is longer than many loops run on one thread. Loops with "
        "little work run on one.",
        "team",
    ),
    changing(
        peel_borders,
        "Only the first and last iterations of a loop over a padded array touch a border. They are peeled, so that "
        "compilers vectorise the iterations between them.",
        "borders",
    ),
    sharing(
        unroll_and_jam,
        "Compilers do not vectorise a loop around a sum of unknown length. Instead, 32 of its iterations share the "
        "loop of the sum, and run in vectors.",
        "together",
    ),
    changing(
        interleave_searches,
        "Each step of a search waits for the step before. The searches of 32 iterations run in step, in vectors that "
        "gather elements.",
        "together",
    ),
    changing(
        unjoin_loops,
        "A loop over a joined array divides its index in each iteration. A loop over rows with an inner loop over "
        "each row does not.",
        "together",
    ),
    changing(
        share_memory,
        "Memory that is new to a process costs more than most operations on it, and copies of unchanged elements are "
        "for nothing.",
        "reuse",
    ),
    tuning(
        narrow_vectors,
        "Compilers keep vectors that are wider than a register in memory. Split into parts, they stay in registers.",
        "narrow",
    ),
    changing(
        mark_loops,
        "Pragmas tell compilers to unroll loops with few iterations, and that iterations over many arrays are "
        "independent.",
        "pragmas",
    ),
    tuning(
        prefetch_rows,
        "If loops pass over a row several times, the next row is prefetched while this one is computed.",
        "prefetch",
    ),
    tuning(
        prefetch,
        "Hardware prefetchers do not predict which rows a register tile or a copied panel needs next, so these "
        "are prefetched.",
        "prefetch",
    ),
    changing(
        join_temporaries,
        "A value that is only copied to another variable is computed in that variable, which makes the source shorter.",
        "join",
    ),
)
OPENMP: Final = Target(
    "openmp",
    "C11 with OpenMP and vectors, built by the system's C compiler",
    "strategies.openmp:parallel",
    (
        Option("arch", str, None, "the processor to build for, as for -march; by default this one"),
        Option("cc", str, None, "the C compiler, by name or path; by default gcc, cc or clang"),
        Option("check", bool, False, "whether every access is bounds-checked"),
        Option(
            "machine", Processor, None, "the processor to choose sizes for; by default the one to build for"
        ),
        Option("threads", int, None, "the number of threads of parallel loops; by default OpenMP chooses"),
        Option("cache", str, None, "the directory of built kernels; by default the user's"),
        Option(
            "keep", bool, True, "whether memory of temporaries is kept for the next calls, at most 256 MiB"
        ),
    ),
    PASSES,
    build_procedure,
    CPU_LEVELS,
    outline_procedure,
    source_suffix=".c",
    code_suffix=".so",
    settle=with_processor,
    one_by_one={name: computed_one_by_one(name) for name in SCALARS},
    before_updates=peel_borders,
)
