"""The targets cuda and cuda-sim as records. Neither is built yet: using one is a diagnostic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from shine.imperative import Procedure
from shine.targets.target import Option, Target


def refuse(name: str, procedure: Procedure, options: Mapping[str, Any]) -> NoReturn:
    """Say that a target is not there yet."""
    title = f"the target {name} is not built yet, so {procedure.name} cannot be compiled for it"
    raise RiseError(Diagnostic("target-missing", title, hint="use target='openmp', or 'interpret'"))


_ARCH: Final = Option("arch", str, None, "the architecture, as sm_90; that of the device by default")
CUDA: Final = Target(
    "cuda",
    "CUDA C++ for NVIDIA GPUs (not built yet)",
    "strategies.cuda:blocks",
    (_ARCH,),
    partial(refuse, "cuda"),
)
CUDA_SIM: Final = Target(
    "cuda-sim",
    "the CUDA text on any machine, with checks (not built yet)",
    "strategies.cuda:blocks",
    (_ARCH,),
    partial(refuse, "cuda-sim"),
)
