"""Texts that repeat or nest one construct any number of times. Independent of readers."""

from __future__ import annotations

from typing import Final

from tests.growing.family import Family
from tests.growing.mistakes import MISTAKES
from tests.growing.programs import PROGRAMS
from tests.growing.sizes import SIZES
from tests.growing.terms import TERMS
from tests.growing.types import TYPES

FAMILIES: Final[dict[str, Family]] = {
    f"{subject}: {name}": family
    for subject, families in (
        ("types", TYPES),
        ("sizes", SIZES),
        ("terms", TERMS),
        ("programs", PROGRAMS),
        ("mistakes", MISTAKES),
    )
    for name, family in families.items()
}
