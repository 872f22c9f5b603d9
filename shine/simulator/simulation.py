"""`shine.simulate`: from CUDA source to the report of a launch, in one call. Independent of RISE programs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rise.argument_checks import expected, misplaced
from rise.diagnostics import Diagnostic, did_you_mean
from rise.hardware import architecture
from rise.tracebacks import ends_at_the_users_line
from shine.simulator.builder import DEFAULT_ARCH, build
from shine.simulator.instances import chosen_kernels, kernel_number
from shine.simulator.model import Limits, Report, SimulatorError
from shine.simulator.needless_barriers import needless as find_needless
from shine.simulator.process import POOL
from shine.simulator.program import (
    DEFAULT_BUDGET,
    DEFAULT_MEMORY,
    DEFAULT_SECONDS,
    DEFAULT_SWITCHES,
    Program,
)
from shine.simulator.tensor_maps import arrays_of, copied_arguments
from shine.simulator.text import KernelText, find_kernels, signature


@ends_at_the_users_line
def simulate(
    source: str,
    kernel: str | None = None,
    grid: int | Sequence[int] = 1,
    block: int | Sequence[int] = 1,
    arguments: Sequence[Any] | Mapping[str, Any] = (),
    *,
    check: bool = False,
    profile: bool = False,
    needless: bool = False,
    schedule: str = "ascending",
    arch: str = DEFAULT_ARCH,
    dynamic_shared: int = 0,
    seconds: float = DEFAULT_SECONDS,
    budget: int = DEFAULT_BUDGET,
    switches: int = DEFAULT_SWITCHES,
    memory: int = DEFAULT_MEMORY,
    cluster: int | Sequence[int] | None = None,
    cxx: str | None = None,
    cache: str | Path | None = None,
) -> Report:
    """Build CUDA source for this machine, run one of its kernels, and report its errors.

    `kernel` may be omitted if there is one; a template has arguments, "reduce<256>". `arguments` are in order, or by
    the names of the parameters; arrays are numpy's and are modified in place. `check` detects races, out-of-bounds
    accesses and uninitialised reads, and takes longer. `profile` counts what costs time, such as bank conflicts, by
    line: the report's `profile` has it. With both there are two launches, one on copies. `needless` tries the checked
    launch without each barrier and wait, on copies, and lists those that it does not need. `seconds` is processor
    time, `memory` bytes of addresses beyond the arrays. `cluster` has the blocks of a cluster, where the kernel has no
    `__cluster_dims__`. Raises SimulatorError (a RiseError) for a text that does not
    compile, and for arguments that do not fit.

    >>> x = np.zeros(4, np.int32)
    >>> print(simulate("__global__ void f(int* x) { x[threadIdx.x] = threadIdx.x; }", block=4, arguments=[x]), x)
    no findings [0 1 2 3]
    """
    text = chosen(source, kernel)
    _check_sizes("grid", grid, "(64, 64)")
    _check_sizes("block", block, "(16, 16)")
    if cluster is not None:
        _check_sizes("cluster", cluster, "2")
    _check_choice("check", check)
    _check_choice("profile", profile)
    _check_choice("needless", needless, "look for needless barriers")
    expected(schedule, str, "a schedule", 'as schedule="random:1"')
    expected(arch, str, "an architecture", 'as arch="sm_90"')
    _check_number("dynamic_shared", dynamic_shared, int)
    _check_number("budget", budget, int)
    _check_number("switches", switches, int)
    _check_number("memory", memory, int)
    _check_number("seconds", seconds, float)

    def launch(
        values: Sequence[Any], checks: bool, profiles: bool, source: str = source, schedule: str = schedule
    ) -> Report:
        program = built(source, text, check=checks, profile=profiles, arch=arch, cxx=cxx, cache=cache)
        restart(program)
        return program.launch(
            text.name,
            grid,  # type: ignore[arg-type]  # one size may be a number
            block,  # type: ignore[arg-type]  # as above
            values,
            dynamic_shared,
            schedule=schedule,
            budget=budget,
            seconds=seconds,
            limits=limits_of(arch),
            switches=switches,
            memory=memory,
            cluster=cluster,  # type: ignore[arg-type]  # as above
        )

    values = in_order(text, arguments)
    copies = copied_arguments(values)

    def run(changed: str, schedule: str) -> tuple[Report, Sequence[Any]]:
        passed = copied_arguments(copies)
        report = launch(passed, True, False, changed, schedule)
        return report, arrays_of(passed)

    report = launch(values, check, profile and not check)
    if check and profile:
        report = replace(report, profile=launch(copied_arguments(copies), False, True).profile)
    return replace(report, needless=find_needless(source, run)) if needless else report


def chosen(source: str, kernel: str | None) -> KernelText:
    """The kernel of a text that is named, or its only one. Raises SimulatorError if there is none, or several."""
    kernels = find_kernels(expected(source, str, "a CUDA text", "`kernel.source` is one"))
    if not kernels:
        title = "expected CUDA source with a kernel, found no `__global__` function"
        raise SimulatorError(Diagnostic("no-kernel", title, hint='for a file: Path("kernel.cu").read_text()'))
    if kernel is not None:
        name = expected(kernel, str, "the name of a kernel", f'as kernel="{kernels[0].name}"')
        candidates = chosen_kernels(kernels, [name])
        return candidates[kernel_number(name, candidates)]
    if len(kernels) == 1 and not kernels[0].is_template:
        return kernels[0]
    first = f"{kernels[0].name}<...>" if kernels[0].is_template else kernels[0].name
    title = "expected the name of a kernel, found none"
    notes = tuple(f"it has {signature(one)}" for one in kernels)
    raise SimulatorError(Diagnostic("unknown-kernel", title, notes=notes, hint=f'name one: kernel="{first}"'))


def built(
    source: str,
    kernel: KernelText,
    *,
    check: bool,
    arch: str,
    cxx: str | None,
    cache: str | Path | None,
    profile: bool = False,
) -> Program:
    """The program of a text with this kernel."""
    names = (kernel.name,) if "<" in kernel.name else ()
    folder = None if cache is None else Path(cache)
    return build(source, check, cxx, folder, names, architecture(arch), profile)


def restart(program: Program) -> None:
    """Let the variables of a text have their first values in its next launch, as in a process of its own."""
    POOL.end_used(program.library)


def limits_of(arch: str) -> Limits:
    """The limits of an architecture."""
    its = architecture(arch)
    return Limits(its.block_threads, its.static_shared, its.shared, its.block, its.grid)


def in_order(kernel: KernelText, arguments: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
    """Arguments by the names of parameters, in their order. Raises SimulatorError for wrong and missing names."""
    if not isinstance(arguments, Mapping):
        if isinstance(arguments, list | tuple):
            return arguments
        title = f"expected the arguments of `{kernel.name}` in a list, found {type(arguments).__name__}"
        raise SimulatorError(Diagnostic("wrong-arguments", title, hint="for example arguments=[x, y, 1000]"))
    names = [parameter.name for parameter in kernel.parameters]
    for name in arguments:
        if name not in names:
            title = f"kernel `{kernel.name}` has no parameter `{name}`"
            hint = did_you_mean(str(name), names) or f"it is {signature(kernel)}"
            raise SimulatorError(Diagnostic("wrong-arguments", title, hint=hint))
    for name in names:
        if name not in arguments:
            title = f"kernel `{kernel.name}`: expected an argument for `{name}`, found none"
            raise SimulatorError(Diagnostic("wrong-arguments", title, hint=f"it is {signature(kernel)}"))
    return [arguments[name] for name in names]


def _check_sizes(what: str, sizes: Any, example: str) -> None:
    given = (
        sizes if isinstance(sizes, Sequence | np.ndarray) and not isinstance(sizes, str | bytes) else [sizes]
    )
    if len(given) in (1, 2, 3) and all(
        isinstance(size, int | np.integer) and not isinstance(size, bool) and 0 <= size < 2**32
        for size in given
    ):
        return
    title = f"expected a {what} of one to three sizes, found {_shown(sizes)}"
    raise SimulatorError(Diagnostic("launch-size", title, hint=f"for example {what}={example}"))


def _check_choice(name: str, choice: Any, meaning: str = "") -> None:
    if not isinstance(choice, bool):
        raise misplaced(f"whether to {meaning or name}", choice, f"for example {name}=True")


def _check_number(name: str, number: Any, kind: type) -> None:
    allowed = (int, np.integer) if kind is int else (int, float, np.integer, np.floating)
    if isinstance(number, allowed) and not isinstance(number, bool) and 0 <= number < 2**63:
        return
    title = f"expected a number for `{name}`, found {_shown(number)}"
    raise SimulatorError(
        Diagnostic("launch-size", title, hint=f"for example {name}={'65536' if kind is int else '2.5'}")
    )


def _shown(value: Any) -> str:
    return re.sub(r"\s+", " ", repr(value))[:40]
