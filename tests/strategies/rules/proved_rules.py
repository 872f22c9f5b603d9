"""The rules that docs/proofs.md lists as proved, of which fewer are evaluated, at fewer sizes. Independent of rules.

That page is written by tests/strategies/proof, which proves each of them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from strategies.testing import sweeps
from tests.examples import SAMPLED, THOROUGH, some

_PAGE: Final = Path(__file__).parents[3] / "docs" / "proofs.md"
#: the number of combinations of small sizes at which proved rules are evaluated
SIZES: Final = 8
#: the same for other rules: with up to four sizes, and with more
OTHER_SIZES: Final = (6, 4) if SAMPLED else (32, 12)
#: the sizes of tiles and the like with which families of rules are evaluated
PARAMETERS: Final = (1, 2) if SAMPLED else (1, 2, 3)


@cache
def verdicts() -> dict[str, tuple[str, str]]:
    """The verdicts on each rule and its inverse, as listed in the page."""
    rows = re.findall(
        r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|", _PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: (forward.strip(), backward.strip()) for name, forward, backward in rows}


def is_proved(name: str, inverse: bool = False) -> bool:
    """Whether a rule, given by its name in the page, or its inverse is proved for all sizes."""
    return verdicts()[name][inverse] == "proved"


def evaluated(addresses: Iterable[str], apart: int, inverse: bool = False) -> list[str]:
    """The rules that are not proved, and every nth of those that are; addresses may begin with a module."""
    known = {address: is_proved(address.rpartition(".")[2], inverse) for address in addresses}
    return [
        *(address for address in known if not known[address]),
        *some((address for address in known if known[address]), apart),
    ]


def sweep_less(name: str, monkeypatch: pytest.MonkeyPatch, inverse: bool = False) -> None:
    """Evaluate a rule, given without its module, or its inverse at fewer sizes than `soak`, at few if it is proved."""
    if THOROUGH:
        return
    most, few = (SIZES, SIZES) if is_proved(name, inverse) else OTHER_SIZES
    monkeypatch.setattr(sweeps, "MOST_SIZES", most)
    monkeypatch.setattr(sweeps, "FEW_SIZES", few)
    monkeypatch.setattr(sweeps, "SWEPT_PARAMETERS", PARAMETERS)
