"""Chooses the processor that programs are lowered for: the named one, or this machine's. Independent of formulas."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.hardware import DEFAULT, PROCESSORS, Processor, processor
from shine.machines import this_machine
from shine.targets.target import Target

#: the environment variable that names another processor than this machine's, for the same programs on any machine
VARIABLE: Final = "SHINE_MACHINE"
#: the option of a target, and the parameter of a strategy
OPTION: Final = "machine"


def with_machine(target: Target, given: Mapping[str, Any], arch: str | None) -> dict[str, Any]:
    """The options of a target, with the processor to choose sizes for if it has such an option.

    Raises RiseError for a processor without a record.
    """
    options = dict(given)
    if any(option.name == OPTION for option in target.options):
        machine = options.get(OPTION)
        if machine is None:
            options[OPTION] = machine_for(arch)
        elif isinstance(machine, str):
            options[OPTION] = processor(machine)
    return options


def machine_for(arch: str | None = None) -> Processor:
    """The processor to choose sizes for: that of the target architecture, otherwise the one that SHINE_MACHINE names,
    otherwise this machine's.

    For GPU architectures and processors without a record, it is the default record. Raises RiseError if
    SHINE_MACHINE names no processor.
    """
    if arch is not None:
        return PROCESSORS.get(arch, DEFAULT)
    name = os.environ.get(VARIABLE)
    if not name:
        return this_machine()
    try:
        return processor(name)
    except RiseError as error:
        diagnostic = error.diagnostic
        raise RiseError(replace(diagnostic, title=f"{VARIABLE}: {diagnostic.title}")) from None
