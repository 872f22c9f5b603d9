"""Prints the output of each command, as text and as JSON. Independent of options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

import rise
import shine
from elevate import FloatClass, Strategy, StrategyError, Warning_, warnings_of
from rise.analysis.obligations import Obligation, check_obligations, obligations_of_all
from rise.arguments.library import ADDED_DTYPES
from rise.diagnostics import Diagnostic, RiseError
from rise.facts import Facts, holds
from rise.programs.heads import promised_facts
from rise.programs.program import Program
from rise.terms import Expr
from rise.text.nat_printer import show_fact
from shine.cli import execution
from shine.cli import explain as explaining
from shine.cli import request as requests
from shine.cli.derivation_view import Detail, derivation_facts, duration, print_derivation
from shine.cli.execution import Run
from shine.cli.files import check_path, write_file
from shine.cli.interrupts import interruptible
from shine.cli.options import Stage
from shine.cli.passes import print_passes
from shine.cli.request import Chosen, Request
from shine.cli.terminal import Page, console, style_of

MAX_PRINTED_NUMBERS = 64  # longer results are abbreviated
MAX_STEADY_SPREAD = 0.1  # relative; beyond it, timings are reported as unsteady


def check(page: Page, request: Request, strict: bool = False) -> None:
    """Print the types of definitions and what their sizes must satisfy; check that a strategy applies.

    Suspicious parts of a named strategy are warnings; `strict` makes them errors.
    """
    program = request.parse()
    is_single = request.definition is not None or request.sizes
    selected = dict([_chosen_item(request, program)]) if is_single else dict(program)
    definitions: list[dict[str, Any]] = []
    for name, obligations in obligations_of_all(selected):
        e = selected[name]
        _refuse_impossible(program, name, obligations)
        page.line((name, "bold cyan"), f" : {e.type}")
        promised = [show_fact(fact) for fact in promised_facts(e)]
        for fact in promised:
            page.line("    promises ", (fact, "yellow"))
        needs = _say_needs(page, obligations)
        definitions.append({"name": name, "type": str(e.type), "promises": promised, "needs": needs})
    for note in program.notes:
        page.line("note ", (str(note), "yellow"))
    page.put(file=request.file, definitions=definitions, notes=[str(note) for note in program.notes])
    if request.says_how:
        chosen = requests.choose(request, program)
        if request.strategy is not None:
            say_warnings(page, requests.strategy_of(request), strict)
        derivation = requests.lower(request, chosen)
        requests.outline(request, chosen, derivation)
        count = derivation.counters.firings
        steps = f"{count} step{'s' * (count != 1)}"
        page.line(f"{derivation.strategy} lowers {chosen.what} for {request.target} in {steps}")
        page.put(strategy=derivation.strategy, target=request.target, steps=count)
        page.put(strategy_needs=_say_needs(page, added_needs(chosen.high, derivation.result)))


def added_needs(high: Expr, low: Expr) -> list[Obligation]:
    """The obligations of a lowered program that do not follow from those of the original program."""
    known_facts = Facts(tuple(needed.fact for needed in rise.obligations(high)))
    return [added for added in rise.obligations(low) if not holds(added.fact, known_facts)]


def _say_needs(page: Page, obligations: list[Obligation]) -> list[dict[str, str]]:
    """Print the conditions on sizes, one per line; returns the same as JSON."""
    for obligation in obligations:
        page.line("    needs ", (obligation.condition, "yellow"), f": {obligation.reason}")
    return [{"condition": obligation.condition, "reason": obligation.reason} for obligation in obligations]


def _chosen_item(request: Request, program: Program) -> tuple[str, Expr]:
    chosen = requests.choose(request, program)
    return chosen.name, chosen.high


def _refuse_impossible(program: Program, name: str, obligations: list[Obligation]) -> None:
    """Raise RiseError if an obligation about known numbers fails."""
    failed = check_obligations(obligations, {})
    if failed is not None:
        with requests.located(program, name):
            title = f"expected {failed.condition}, which is false: {failed.reason}"
            raise RiseError(Diagnostic("size-mismatch", title, hint="choose other sizes"))


def show_stage(page: Page, request: Request, stage: Stage, detail: Detail) -> None:
    """Print a program at one stage of its compilation."""
    if stage is not Stage.DERIVATION:
        detail.check_unused()
    if stage is Stage.PROFILE:
        page.put(stage=str(stage))
        explaining.profile(page, request)
        return
    chosen = requests.choose(request)
    page.put(file=request.file, definition=chosen.name, stage=str(stage))
    if stage is Stage.HIGH:
        notes = [str(note) for note in chosen.program.notes]
        page.put(program=rise.show(chosen.high), type=str(chosen.high.type), notes=notes)
        for note in notes:
            page.line(f"// {note}")
        page.line(rise.show(chosen.high, page.width))
        return
    derivation = requests.lower(request, chosen)
    low = derivation.result
    match stage:
        case Stage.DERIVATION:
            print_derivation(page, derivation, chosen.what, detail)
            page.put(**(derivation_facts(derivation) if page.is_json else {}))
        case Stage.LOW:
            page.put(program=rise.show(low), strategy=derivation.strategy)
            page.line(rise.show(low, page.width))
        case Stage.PASSES:
            page.put(strategy=derivation.strategy, target=request.target)
            print_passes(page, request, chosen, derivation)
        case Stage.IMPERATIVE:
            text, _ = requests.outline(request, chosen, derivation)
            page.put(text=text, strategy=derivation.strategy)
            page.line(text.rstrip("\n"))
        case Stage.SOURCE:
            kernel = requests.build(request, chosen, derivation)
            page.put(source=kernel.source, signature=kernel.signature, strategy=derivation.strategy)
            page.line(kernel.source.rstrip("\n"))


def compile_to(page: Page, request: Request, output: Path | None) -> None:
    """Build a kernel, and write its source or its machine code."""
    if output is not None:
        check_path(output)
    chosen = requests.choose(request)
    is_code = output is not None and _is_code(request, output)
    derivation = requests.lower(request, chosen)
    kernel = requests.build(request, chosen, derivation)
    _say_kernel(page, chosen, derivation.strategy, kernel)
    _say_exported(page, requests.kernel_name(chosen), kernel)
    if output is not None:
        write_file(output, kernel.machine_code() if is_code else kernel.source.encode())
        page.line(f"wrote the {'machine code' if is_code else 'source'} to {output}")
        page.put(output=str(output))


def _is_code(request: Request, output: Path) -> bool:
    """Whether the suffix asks for machine code; text may have no suffix. Raises RiseError for any other suffix."""
    target = requests.target_of(request)
    if output.suffix in ("", ".txt", target.source_suffix):
        return False
    if output.suffix == target.code_suffix:
        return True
    kinds = f"a {target.source_suffix} file" + (
        f" or a {target.code_suffix} file" if target.code_suffix else ""
    )
    title = f"expected {kinds} for the target {target.name}, found {output}"
    named = output.with_suffix(target.source_suffix)
    others = [
        name
        for name, other in shine.TARGETS.items()
        if output.suffix in (other.source_suffix, other.code_suffix)
    ]
    hint = (
        f"--target {others[0]}, or -o {named}"
        if others
        else f"-o {named}, and build other kinds of files from it"
    )
    raise RiseError(Diagnostic("file", title, hint=hint))


def _say_kernel(page: Page, chosen: Chosen, strategy: str, kernel: shine.Kernel) -> None:
    page.line((kernel.signature, "bold"))
    page.line(f"by {strategy}, for {kernel.target}")
    page.put(
        file=chosen.program.file,
        definition=chosen.name,
        strategy=strategy,
        target=kernel.target,
        signature=kernel.signature,
    )


def _say_exported(page: Page, name: str, kernel: shine.Kernel) -> None:
    """Add the functions that the machine code exports to the JSON; print the name if it is not the requested one."""
    page.put(exported=list(kernel.exported))
    if kernel.exported and kernel.exported[0] != name:
        reason = "the language reserves the name, or its library already uses it"
        page.line(f"`{name}` is exported as `{kernel.exported[0]}`: {reason}")


def run(page: Page, prepared: Run, output: Path | None, verify: bool, timed: bool) -> None:
    """Call a kernel; print its result, whether it is right, and how long it takes."""
    _say_kernel(page, prepared.chosen, prepared.derivation.strategy, prepared.kernel)
    _say_inputs(page, prepared)
    arguments = prepared.arguments
    result = execution.call(prepared, arguments)
    if verify:
        _say_verified(page, execution.check(prepared, arguments, result), prepared.derivation.float_class)
    if timed:
        default_sizes = {name: prepared.sizes[name] for name in prepared.defaults}
        _say_time(page, interruptible(lambda: prepared.kernel.time(*arguments, sizes=default_sizes)))
    if output is not None:
        execution.save(output, prepared.kernel.procedure, result)
        page.line(f"wrote the result to {output}")
        page.put(output=str(output))
    arrays = execution.flat_arrays(prepared.kernel.procedure, result)
    if prepared.kernel.procedure.number is not None:
        number, *arrays = arrays
        page.line(f"number: {number}")
        page.put(number=int(number))
    _say_result(page, arrays)


def _say_inputs(page: Page, prepared: Run) -> None:
    sizes = prepared.all_sizes
    if sizes:
        chosen = f" ({', '.join(prepared.defaults)} by default)" if prepared.defaults else ""
        page.line(f"sizes: {execution.sizes_text(sizes)}{chosen}")
    if not prepared.given.is_complete:
        page.line(f"inputs: random, --seed {prepared.seed}")
    page.put(sizes=sizes, default_sizes=list(prepared.defaults), seed=prepared.seed)


def _say_verified(page: Page, verified: execution.Verified, float_class: FloatClass) -> None:
    sizes_note = (
        f" at {execution.sizes_text(verified.sizes)}, smaller so that evaluation is quick"
        if verified.is_smaller
        else ""
    )
    page.line(
        ("verified", "bold green"), f": {verified.agreement}{sizes_note}; the derivation is {float_class}"
    )
    page.put(
        verify={
            "float_class": str(float_class),
            "error": verified.agreement.error,
            "tolerance": verified.agreement.tolerance,
            "sizes": dict(verified.sizes),
            "smaller": verified.is_smaller,
        }
    )


def _say_time(page: Page, timing: shine.Timing) -> None:
    unsteady = ": this machine is busy" if timing.spread > MAX_STEADY_SPREAD else ""
    count = len(timing.samples)
    page.line(
        ("time", "bold"),
        f": median {duration(timing.median)}, best {duration(timing.best)} of {count},"
        f" spread {duration(timing.spread * timing.median)}{unsteady}",
    )
    page.put(time={"median": timing.median, "spread": timing.spread, "best": timing.best, "samples": count})


def _say_result(page: Page, arrays: Sequence[np.ndarray[Any, Any]]) -> None:
    results: list[dict[str, Any]] = []
    for array in arrays:
        text = np.array2string(
            array.astype(_printable_dtype(array)), threshold=MAX_PRINTED_NUMBERS, max_line_width=page.width
        )
        shape = ".".join(map(str, array.shape))
        page.line(f"result: {shape + ' of ' if shape else ''}{array.dtype}")
        page.line(text)
        facts: dict[str, Any] = {"shape": list(array.shape), "dtype": str(array.dtype)}
        if array.size <= MAX_PRINTED_NUMBERS:
            facts["values"] = [_plain(value) for value in array.reshape(-1).tolist()]
        results.append(facts)
    page.put(result=results)


def _printable_dtype(array: np.ndarray[Any, Any]) -> np.dtype[Any]:
    return np.dtype(np.float32) if array.dtype.name in ADDED_DTYPES else array.dtype


def _plain(value: Any) -> Any:
    """A number as JSON; infinities and NaN as texts, a complex number as the list of its parts."""
    if isinstance(value, complex):
        return [_plain(value.real), _plain(value.imag)]
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def say_warnings(page: Page, strategy: Strategy, strict: bool) -> None:
    """Print all warnings, or note them for JSON. Raises StrategyError with them if `strict`."""
    warnings = warnings_of(strategy)
    if warnings and strict:
        first, *others = warnings
        more = tuple(f"{warning.code}: {warning.title}" for warning in others)
        diagnostic = first.diagnostic
        raise StrategyError(replace(diagnostic, notes=(*diagnostic.notes, *more)))
    if not page.is_json:
        stderr = console(is_error=True)
        for warning in warnings:
            for line in str(warning).split("\n"):
                stderr.print(Text(line, "yellow" if line.startswith("warning[") else style_of(line), end=""))
    page.put(warnings=[_facts(warning) for warning in warnings])


def _facts(warning: Warning_) -> dict[str, Any]:
    return {
        "code": warning.code,
        "title": warning.title,
        "strategy": str(warning.strategy),
        "inside": list(warning.inside),
        "notes": list(warning.notes),
        "hint": warning.hint,
    }
