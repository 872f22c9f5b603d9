"""Lowers programs for a target, by a named strategy or the target's own. Independent of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import strategies
from elevate import Strategy
from rise.argument_checks import Termlike, term_of
from rise.diagnostics import Diagnostic, RiseError
from rise.embedding.programs import PythonProgram
from rise.hardware import Processor
from rise.nodes import postorder
from rise.primitives import with_trait
from rise.programs.foreign import Foreign
from rise.terms import Expr, Primitive
from shine.front.derivation import derive
from shine.front.machines import OPTION, machine_for, with_machine
from shine.imperative.errors import TranslationError
from shine.kernel import Kernel
from shine.pipeline import build
from shine.targets import find_target
from strategies.lookup import has_parameter
from strategies.saved_derivations import ENDINGS, load_derivation

#: primitives that determine how a program runs: loops and matrix fragments. `iterate`, which rereads its result, only
#: says what is computed.
LOWERED_PRIMITIVES: Final = (with_trait("loops") - with_trait("rereads")) | with_trait("fragments")


#: what a program is rejected for that is lowered in part
_UNLOWERED: Final = ("not-lowered", "not-written")


def lowered_kernel(
    program: Termlike,
    target: str,
    arch: str | None,
    name: str,
    foreign: Iterable[Foreign],
    strategy: Strategy | str | None,
    options: Mapping[str, Any],
) -> Kernel:
    """The kernel of a program, lowered and built without the cache: see `shine.compile`."""
    term = term_of(program)
    target_record = find_target(target)
    options = with_machine(target_record, options, arch)
    if isinstance(strategy, str):
        strategy = _load(strategy, options, arch)
    elif strategy is None and (isinstance(program, PythonProgram) or not is_lowered(term)):
        strategy = _load(target_record.strategy, options, arch)
    if strategy is not None:
        term = derive(_expected_strategy(strategy), term).result
        return build(term, target, arch, name, foreign, **options)
    try:
        return build(term, target, arch, name, foreign, **options)
    except TranslationError as error:
        if error.diagnostic.code not in _UNLOWERED:
            raise
        note = (
            "no strategy was applied, since the program has loops already;"
            f' strategy="{target_record.strategy}" lowers the rest'
        )
        notes = (*error.diagnostic.notes, note)
        raise TranslationError(replace(error.diagnostic, notes=notes), error.origin) from None


def _load(address: str, options: Mapping[str, Any], arch: str | None) -> Strategy:
    """The strategy at an address, for the processor that the options name."""
    machine = options.get(OPTION)
    names_one = isinstance(machine, Processor)  # the target rejects anything else
    parameters = {OPTION: machine} if names_one and has_parameter(address, OPTION) else {}
    return load_strategy(address, arch, **parameters)


def _expected_strategy(strategy: Any) -> Strategy:
    if isinstance(strategy, Strategy):
        return strategy
    title = f"expected a strategy or its address `module:name`, found {strategy!r}"
    hint = "omit `strategy` to use the target's own (`shine list targets`)"
    raise RiseError(Diagnostic("no-strategy", title, hint=hint))


def is_lowered(term: Expr) -> bool:
    """Whether a term determines how it runs, by loops or matrix fragments.

    >>> import rise
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => map(neg)(xs))").main)
    False
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => mapSeq(neg)(xs))").main)
    True
    """
    return any(isinstance(node, Primitive) and node.name in LOWERED_PRIMITIVES for node in postorder(term))


def load_strategy(address: str, arch: str | None = None, /, **parameters: Any) -> Strategy:
    """A strategy by its address, `module:name`, with these parameters; or a saved derivation, by its file.

    A strategy for processors is loaded for the one that `arch` names, or for this machine's, unless a parameter
    `machine` says otherwise. Raises StrategyError if there is none, and RiseError for parameters of a saved derivation.
    """
    if not address.endswith(ENDINGS):
        if OPTION not in parameters and has_parameter(address, OPTION):
            parameters[OPTION] = machine_for(arch)
        return strategies.load(address, **parameters)
    if parameters:
        title = f"{address} is a saved derivation, which takes no parameters"
        raise RiseError(Diagnostic("unknown-strategy", title, hint="omit -p, or name a strategy"))
    return load_derivation(address)
