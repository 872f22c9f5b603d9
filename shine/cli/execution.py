"""A run: inputs, the call, the comparison with the program's meaning, the result. Independent of the command line."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rise
import shine
from rise.arguments.leaves import leaves_of
from rise.arguments.library import nameless
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from rise.size_functions import SizeFunVar
from rise.values import leaves
from shine.cli import foreign
from shine.cli import request as requests
from shine.cli import sizes as size_choice
from shine.cli.files import write_file
from shine.cli.inputs import Given, fill, known_sizes, pair_numbers, read_inputs
from shine.cli.interrupts import interruptible
from shine.cli.request import Chosen, Request
from shine.front import size_conditions, verify
from shine.front.derivation import Derivation
from shine.front.work import operation_count, precision
from shine.imperative.nodes import Procedure


@dataclass(frozen=True, slots=True)
class Run:
    """A kernel with everything needed to call it. `defaults` names the sizes that were not given."""

    request: Request
    chosen: Chosen
    derivation: Derivation
    kernel: shine.Kernel
    given: Given
    sizes: Mapping[str, int]
    defaults: tuple[str, ...]
    seed: int

    @property
    def arguments(self) -> list[Any]:
        """The arguments of the call."""
        return fill(self.kernel.procedure, self.given, self.sizes, self.seed)

    @property
    def all_sizes(self) -> dict[str, int]:
        """The sizes of the call, including those that the kernel was built for."""
        fixed = {name: size for name, size in self.request.sizes.items() if isinstance(size, int)}
        return {**fixed, **self.sizes}


@dataclass(frozen=True, slots=True)
class Verified:
    """How well results agree, and the sizes of the comparison, which may be smaller than those of the run."""

    agreement: verify.Agreement
    sizes: Mapping[str, int]
    is_smaller: bool


def prepare(request: Request, written: Sequence[str], seed: int, output: Path | None = None) -> Run:
    """Prepare everything up to the call. Inputs and output are checked before the kernel is compiled.

    Raises RiseError or StrategyError with one diagnostic.
    """
    program = request.parse()
    request, numbers = requests.split_sizes(request, program)
    chosen = requests.choose(request, program)
    derivation = requests.lower(request, chosen)
    procedure = requests.imperative(request, chosen, derivation)
    for table in procedure.tables:
        if not isinstance(table.function, SizeFunVar):
            continue
        title = f"expected sizes that are numbers, found the function of sizes `{table.function.name}`"
        hint = f'define it: --size "{table.function.name}=(i |-> i + 1)"'
        raise RiseError(Diagnostic("size-unknown", title, hint=hint))
    given = read_inputs(procedure, written)
    if output is not None:
        check_output(procedure, output)
    kernel = requests.build(request, chosen, derivation, procedure)
    known_values = known_sizes(kernel.procedure, given, pair_numbers(kernel.procedure, numbers))
    broken = size_conditions.broken_promise(chosen.high, known_values)
    if broken is not None:
        title = f"the program promises `{broken}`, which is false for {sizes_text(known_values)}"
        raise RiseError(Diagnostic("fact", title, hint="pass arrays of sizes for which it holds"))
    sizes = size_choice.complete(kernel.procedure, chosen.high, known_values)
    defaults = tuple(name for name in sizes if name not in known_values)
    return Run(request, chosen, derivation, kernel, given, sizes, defaults, seed)


def call(run: Run, arguments: Sequence[Any]) -> Any:
    """Call the kernel, passing only sizes that no array determines."""
    with requests.located(run.chosen.program, run.chosen.name, runs=True):
        sizes = {name: run.sizes[name] for name in run.defaults}
        return interruptible(lambda: run.kernel(*arguments, sizes=sizes))


def check(run: Run, arguments: Sequence[Any], result: Any) -> Verified:
    """Compare with the meaning of the program: for this call, or for a smaller one if that would take too long."""
    work = operation_count(run.kernel.procedure, run.sizes)
    if work <= verify.MAX_OPERATIONS:
        return Verified(_compared(run, arguments, result), run.all_sizes, False)
    small = _smaller_run(run)
    small_arguments = small.arguments
    agreement = _compared(small, small_arguments, call(small, small_arguments))
    return Verified(agreement, small.all_sizes, True)


def _compared(run: Run, arguments: Sequence[Any], result: Any) -> verify.Agreement:
    """Evaluate the program at all sizes of a run, and compare the results."""
    pair_sizes = {pair.size.name for pair in run.kernel.procedure.pairs}
    sizes = {name: size for name, size in run.sizes.items() if name not in pair_sizes}
    program = rise.specialise(run.chosen.high, **sizes) if sizes else run.chosen.high
    foreign_functions = foreign.allowed(run.request.allow_foreign, program)
    with requests.located(run.chosen.program, run.chosen.name):
        expected = rise.evaluate(program, *arguments, foreign=foreign_functions)
    procedure = run.kernel.procedure
    count = sum(array.size for array in verify.arrays(expected))
    bound = verify.tolerance(
        run.derivation.float_class, precision(procedure), operation_count(procedure, run.sizes), count
    )
    return verify.compare(result, expected, bound)


def _smaller_run(run: Run) -> Run:
    """The same run at sizes that are quick to evaluate, with random inputs; only if sizes were fixed, it has a kernel
    of its own.
    """
    generic_sizes = {name: size for name, size in run.request.sizes.items() if isinstance(size, str)}
    chosen, _, generic = _lowered_at(run, generic_sizes)
    names = [size.name for size in generic.sizes]
    sizes = size_choice.shrink(
        {name: run.all_sizes[name] for name in names},
        names,
        lambda candidate: size_conditions.makes_sense(generic.checks, chosen.high, candidate),
        lambda candidate: operation_count(generic, candidate),
        verify.MAX_OPERATIONS,
    )
    fixed = {name: sizes[name] for name in names if name in run.request.sizes}
    request = replace(run.request, sizes={**generic_sizes, **fixed})
    chosen, derivation, procedure = _lowered_at(run, request.sizes)
    is_same = chosen is run.chosen
    kernel = run.kernel if is_same else requests.build(request, chosen, derivation, procedure)
    free = {size.name: sizes[size.name] for size in procedure.sizes}
    given = read_inputs(procedure, ())
    return Run(request, chosen, derivation, kernel, given, free, tuple(free), run.seed)


def _lowered_at(run: Run, sizes: Mapping[str, int | str]) -> tuple[requests.Chosen, Derivation, Procedure]:
    """The definition of a run with these sizes fixed, its derivation and procedure: those of the run if it fixes the
    same sizes.
    """
    if sizes == run.request.sizes:
        return run.chosen, run.derivation, run.kernel.procedure
    request = replace(run.request, sizes=sizes)
    chosen = requests.choose(request, run.chosen.program)
    derivation = requests.lower(request, chosen)
    return chosen, derivation, requests.imperative(request, chosen, derivation)


def sizes_text(sizes: Mapping[str, int]) -> str:
    """`M=2 N=3`."""
    return " ".join(f"{name}={size}" for name, size in sizes.items())


def check_output(procedure: Procedure, path: Path) -> None:
    """Raise RiseError for a file that the result cannot be written to."""
    output = procedure.output
    count = len(leaves_of(output.name, output.type)) + (procedure.number is not None)
    expected = ".npy" if count == 1 else ".npz"
    if path.suffix != expected:
        contents = "an array" if count == 1 else f"{count} arrays"
        title = f"expected a {expected} file for {contents}, found {path}"
        named = path.with_suffix(expected) if path.name else path / f"result{expected}"
        raise RiseError(Diagnostic("file", title, hint=f"--output {named}"))
    if not path.parent.is_dir():
        title = f"expected an existing directory for {path}, found {path.parent}"
        raise RiseError(Diagnostic("file", title, hint="create it, or choose another path"))


def flat_arrays(procedure: Procedure, result: Any) -> list[NDArray[Any]]:
    """The arrays of a result, as inputs are given: rows of different lengths are joined to one array."""
    output = procedure.output
    found: list[NDArray[Any]] = []
    if procedure.number is not None:
        number, result = result
        found.append(np.asarray(number))
    for array, leaf in zip(leaves(result), leaves_of(output.name, output.type), strict=True):
        if not isinstance(array, list):
            found.append(np.asarray(array))
        elif leaf.rows is not None and array:
            found.append(np.concatenate(array, axis=leaf.rows.axis))
        else:
            found.append(np.empty(0, leaf.dtype))
    return found


def save(path: Path, procedure: Procedure, result: Any) -> None:
    """Write a result: an array as .npy, several arrays as .npz."""
    arrays = [nameless(array) for array in flat_arrays(procedure, result)]
    content = io.BytesIO()
    if len(arrays) == 1:
        np.save(content, arrays[0], allow_pickle=False)
    else:
        np.savez(content, *arrays)
    write_file(path, content.getvalue())
