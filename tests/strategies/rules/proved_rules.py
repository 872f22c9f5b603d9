"""The rules that docs/proofs.md calls proved, which are evaluated at fewer sizes. Independent of rules.

That page is written by tests/strategies/proof, which proves each of them anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from strategies.testing import sweeps
from tests.examples import THOROUGH

_PAGE: Final = Path(__file__).parents[3] / "docs" / "proofs.md"
#: at how many combinations of small sizes what is proved is evaluated
SIZES: Final = 8


@cache
def verdicts() -> dict[str, tuple[str, str]]:
    """What the page says of each rule, and of its inverse."""
    rows = re.findall(
        r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|", _PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: (forward.strip(), backward.strip()) for name, forward, backward in rows}


def sweep_less(name: str, monkeypatch: pytest.MonkeyPatch, inverse: bool = False) -> None:
    """Let a rule, named without its module, or its inverse be evaluated at few sizes if it is proved."""
    if not THOROUGH and verdicts()[name][inverse] == "proved":
        monkeypatch.setattr(sweeps, "MOST_SIZES", SIZES)
        monkeypatch.setattr(sweeps, "FEW_SIZES", SIZES)
