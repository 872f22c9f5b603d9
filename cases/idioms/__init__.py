"""Programs that people write with numpy. Does not measure time; independent of targets."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from cases.idioms import (
    everyday_programs,
    exercises,
    gpu_programs,
    later_exercises,
    npbench_flows,
    npbench_grids,
    npbench_learning,
    npbench_products,
    npbench_science,
    npbench_solvers,
    reductions,
    words,
)
from cases.idioms.idiom import Idiom

__all__ = ["IDIOMS", "ON_GPUS", "REDUCTIONS", "WORDS", "Idiom"]


def _of(module: ModuleType) -> dict[str, Idiom]:
    return {value.name: value for value in vars(module).values() if isinstance(value, Idiom)}


SUBJECTS: Final = (
    everyday_programs,
    npbench_products,
    npbench_flows,
    npbench_grids,
    npbench_solvers,
    npbench_learning,
    npbench_science,
    exercises,
    later_exercises,
)
IDIOMS: Final[Mapping[str, Idiom]] = {name: one for module in SUBJECTS for name, one in _of(module).items()}
"""Programs that were chosen without regard to the strategies, by name."""
REDUCTIONS: Final[Mapping[str, Idiom]] = _of(reductions)
"""Reductions over any axes, by name."""
WORDS: Final[Mapping[str, Idiom]] = _of(words)
"""Words of numpy, one program for each, by name."""
ON_GPUS: Final[Mapping[str, Idiom]] = _of(gpu_programs)
"""Programs that users write first for GPUs, by name."""
