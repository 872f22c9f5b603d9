"""The parts of the soak, in the order in which they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.soak.cuda import CUDA
from tests.soak.part import Part
from tests.soak.programs import PROGRAMS
from tests.soak.schedules import SCHEDULES
from tests.soak.sequences import SEQUENCES
from tests.soak.sizes import SIZES
from tests.soak.texts import TEXTS


def collect(*parts: Part) -> Mapping[str, Part]:
    """Parts by name. Two parts of the same name are an error."""
    by_name = {part.name: part for part in parts}
    assert len(by_name) == len(parts), [part.name for part in parts]
    return by_name


PARTS: Final = collect(PROGRAMS, SEQUENCES, SIZES, SCHEDULES, TEXTS, CUDA)
