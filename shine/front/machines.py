"""Which processor programs are lowered for: the one that was named, or this machine's. Knows no formulas."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

from rise.diagnostics import RiseError
from rise.hardware import DEFAULT, PROCESSORS, Processor, processor
from shine.machines import this_machine

#: the environment variable that names another processor than this machine's, for the same programs on any machine
VARIABLE: Final = "SHINE_MACHINE"


def machine_for(arch: str | None = None) -> Processor:
    """The processor to choose sizes for: that of the architecture that is built for, else the one that SHINE_MACHINE
    names, else this machine's.

    Architectures of GPUs, and those of processors without a record, count as the default record. Raises RiseError if
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
