"""The parts of the soak, in the order that they run in. Knows no part."""

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
    """Parts by name; two of one name are an error."""
    found = {part.name: part for part in parts}
    assert len(found) == len(parts), [part.name for part in parts]
    return found


PARTS: Final = collect(PROGRAMS, SEQUENCES, SIZES, SCHEDULES, TEXTS, CUDA)
