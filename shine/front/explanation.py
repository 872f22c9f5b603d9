"""Describes how a program was compiled: its type, the derivation, what is stored, the passes, the kernel."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from elevate import FloatClass, Strategy, id_
from rise.argument_checks import Termlike, term_of
from rise.diagnostics import RiseError, bytes_text
from rise.embedding.programs import PythonProgram
from rise.terms import Expr
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from shine.cache import stored
from shine.front.compilation import entry_of, keep
from shine.front.costs import Account, Choice, accounts_of
from shine.front.derivation import Derivation, derive
from shine.front.lowering import chosen_strategy, is_lowered
from shine.kernel import Kernel
from shine.targets import find_target
from shine.translate import translate
from strategies.python_loops import loopsInto

#: the suffix of derivations in the cache
SUFFIX: Final = ".derivation"
#: what a derivation may do to floating-point results
ROUNDING: Final = {
    FloatClass.EXACT: "results are bitwise equal to those of the program",
    FloatClass.CONTRACTING: "a product and a sum may be rounded once instead of twice",
    FloatClass.REASSOCIATING: "sums may be added up in a different order",
    FloatClass.APPROXIMATE: "results may be rounded differently",
}


def derivation_of(
    program: Termlike, kernel: Kernel, strategy: Strategy | str | None, arch: str | None
) -> Derivation:
    """The derivation of a kernel's low-level term, which is kept in the cache as the kernel is.

    Raises RiseError if the strategy no longer applies.
    """
    entry = entry_of(program, kernel.target, arch, "", (), strategy, kernel.options, SUFFIX)
    if entry is not None and (kept := _loaded(entry)) is not None:
        return kept
    derivation = derive(strategy_of(program, kernel, strategy, arch), term_of(program))
    if entry is not None:
        keep(derivation, entry)
    return derivation


def loop_derivation_of(program: Termlike) -> Derivation:
    """The derivation of a program from the loops of its Python function, each of which is the `reduceSeq` of its
    iterations. It has no steps for other programs.

    Raises RiseError if the rules for loops do not lead to the program.
    """
    ordered = program.sequential if isinstance(program, PythonProgram) else program
    return derive(loopsInto(term_of(program)), term_of(ordered), "the program with its loops in order")


def _loaded(entry: Path) -> Derivation | None:
    """The derivation in a cache entry; None if there is no entry, or if it is damaged."""
    content = stored(entry)
    if content is None:
        return None
    try:
        found = pickle.loads(content)
    except Exception:  # what an entry of another form raises is not known
        found = None
    if isinstance(found, Derivation):
        return found
    with suppress(OSError):
        entry.unlink()
    return None


def strategy_of(
    program: Termlike, kernel: Kernel, strategy: Strategy | str | None, arch: str | None
) -> Strategy:
    """The strategy that lowered a program: the given one, the target's own, or none for a program with loops."""
    if strategy is None and not isinstance(program, PythonProgram) and is_lowered(term_of(program)):
        return id_
    return chosen_strategy(strategy, find_target(kernel.target), arch, kernel.options)


def explanation(program: Termlike, kernel: Kernel, strategy: Strategy | str | None, arch: str | None) -> str:
    """A text that describes how a program was compiled, with one line for each fact."""
    derivation = derivation_of(program, kernel, strategy, arch)
    return "\n".join(lines_of(program, kernel, strategy_of(program, kernel, strategy, arch), derivation))


def lines_of(program: Termlike, kernel: Kernel, strategy: Strategy, derivation: Derivation) -> Iterator[str]:
    """The lines of the explanation."""
    term = term_of(program)
    yield f"{kernel.procedure.name} : {show_type(term.type)}"
    if isinstance(program, PythonProgram):
        yield from map(str, program.loops)
        loops = loop_derivation_of(program) if program.loops else None
        if loops is not None and loops.counters.firings:
            yield f"from the loops in order: {_steps(loops)}; {ROUNDING[loops.float_class]}"
    yield f"derivation: {_steps(derivation)} of {derivation.strategy}; {ROUNDING[derivation.float_class]}"
    yield from _values(strategy, term)
    target = find_target(kernel.target)
    procedure = translate(derivation.result, kernel.procedure.name, target.levels)
    results = [(one.name, after) for one, after in target.steps(procedure, kernel.options)]
    changed = [
        name
        for (name, after), before in zip(results, (procedure, *(one for _, one in results)), strict=False)
        if after != before
    ]
    yield f"passes that changed it: {', '.join(dict.fromkeys(changed)) or 'none'}"
    lines = len(kernel.source.splitlines())
    yield f"kernel: {_count(lines, 'line')} for the target {kernel.target}, {kernel.signature}"


def _steps(derivation: Derivation) -> str:
    """The numbers of steps and rules."""
    rules = {step.rule.name for phase in derivation.phases for step in phase.steps}
    return f"{_count(derivation.counters.firings, 'step')} by {_count(len(rules), 'rule')}"


def _values(strategy: Strategy, term: Expr) -> Iterator[str]:
    """A line for each named value, if the strategy weighs values."""
    try:
        accounts, _ = accounts_of(strategy, term)
    except RiseError as error:
        if error.diagnostic.code != "no-costs":
            raise
        return
    for account in accounts:
        yield f"`{account.name}`: {_choice(account)}"


def _choice(account: Account) -> str:
    where = f" in each iteration over {account.loop}" if account.loop else ""
    reads = f"each of its elements is read {show_nat(account.reads)} times and takes {show_nat(account.work)} additions"
    kept = show_nat(account.memory)
    size = bytes_text(int(kept)) if kept.isdigit() else f"{kept} bytes"
    stored = f"stored{where}, {size}" if account.choice is Choice.STORED else f"{account.choice}{where}"
    return f"{stored}; {reads}{', as the author chose' if account.by_author else ''}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
