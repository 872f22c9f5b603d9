"""Lowers programs for a target, by a named strategy or the target's own. Independent of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import strategies
from elevate import Strategy
from elevate.engine.collector import seldom_collected
from rise.argument_checks import Termlike, term_of
from rise.diagnostics import Diagnostic, RiseError
from rise.embedding.programs import PythonProgram
from rise.garbage_collection import new_objects_spared
from rise.hardware import Processor
from rise.packages import imported
from rise.primitives import with_trait
from rise.programs.foreign import Foreign
from rise.terms import Expr, has_primitive
from shine.front.derivation import derive
from shine.front.failure_places import locating_failures, locating_parts, title_of
from shine.front.machines import OPTION, machine_for, with_machine
from shine.imperative.errors import TranslationError
from shine.kernel import Kernel
from shine.pipeline import build
from shine.targets import find_target
from shine.targets.target import Target
from strategies.lookup import has_parameter

#: primitives that determine how a program runs: loops and matrix fragments. `iterate`, which rereads its result, only
#: says what is computed.
LOWERED_PRIMITIVES: Final = (with_trait("loops") - with_trait("rereads")) | with_trait("fragments")


#: suffixes of files that contain a derivation
_DERIVATIONS: Final = (".json", ".py")
#: what a program is rejected for that is lowered in part
_UNLOWERED: Final = ("not-lowered", "not-written")


@seldom_collected()
@new_objects_spared()
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
    updates = program.updates if isinstance(program, PythonProgram) else ()
    target_record = find_target(target)
    options = with_machine(target_record, options, arch)
    if strategy is not None or isinstance(program, PythonProgram) or not is_lowered(term):
        chosen = chosen_strategy(strategy, target_record, arch, options)
        with locating_failures(program):
            derivation = derive(chosen, term, title_of(program))
        with locating_parts(program, derivation):
            return build(derivation.result, target, arch, name, foreign, updates, **options)
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


def chosen_strategy(
    strategy: Strategy | str | None,
    target: Target,
    arch: str | None,
    options: Mapping[str, Any],
    /,
    **parameters: Any,
) -> Strategy:
    """The strategy that lowers programs for a target: the given one, one by its address, or otherwise the target's own.

    All callers use this function, so naming the target's own strategy gives the same kernel as omitting it. `options`
    are the target's: a strategy that is loaded by its address is loaded for the processor that they name. Raises
    StrategyError or RiseError if there is no such strategy, see `load_strategy`.
    """
    if isinstance(strategy, Strategy):
        return strategy
    address = target.strategy if strategy is None else strategy
    if not isinstance(address, str):
        title = f"expected a strategy or its address `module:name`, found {address!r}"
        hint = "omit `strategy` to use the target's own (`shine list targets`)"
        if callable(getattr(address, "strategy", None)):
            hint = "pass what its method `strategy()` returns"
        raise RiseError(Diagnostic("no-strategy", title, hint=hint))
    machine = options.get(OPTION)
    is_valid = isinstance(machine, Processor | str)  # the target rejects anything else
    if is_valid and has_parameter(address, OPTION):
        parameters.setdefault(OPTION, machine)
    return load_strategy(address, arch, **parameters)


def is_lowered(term: Expr) -> bool:
    """Whether a term determines how it runs, by loops or matrix fragments.

    >>> import rise
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => map(neg)(xs))").main)
    False
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => mapSeq(neg)(xs))").main)
    True
    """
    return has_primitive(term, *LOWERED_PRIMITIVES)


def load_strategy(address: str, arch: str | None = None, /, **parameters: Any) -> Strategy:
    """A strategy by its address, `module:name`, with these parameters; or a saved derivation, by its file.

    A strategy for processors is loaded for the one that `arch` names, or for this machine's, unless a parameter
    `machine` says otherwise. Raises StrategyError if there is none, and RiseError for parameters of a saved derivation.
    """
    if not address.endswith(_DERIVATIONS):
        if OPTION not in parameters and has_parameter(address, OPTION):
            parameters[OPTION] = machine_for(arch)
        return strategies.load(address, **parameters)
    if parameters:
        title = f"{address} is a saved derivation, which takes no parameters"
        raise RiseError(Diagnostic("unknown-strategy", title, hint="omit -p, or name a strategy"))
    saved = imported("strategies.saved_derivations")  # it imports all rules, of which most programs need few
    found: Strategy = saved.load_derivation(address)
    return found
