"""`python -m tests.cases.texts`: writes the golden texts of all cases. Defines where they are stored.

`make text-differences FROM=main` shows their changes between two commits.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from rise.hardware import DEFAULT
from tests.cases.stages import CASES, ROOT, text

TEXTS: Final = ROOT / "tests" / "golden" / "texts"
ENDINGS: Final = {"openmp": ".c", "cuda": ".cu"}


def golden(name: str, target: str) -> Path:
    """The file of a case's text for a target."""
    return TEXTS / f"{name}{ENDINGS[target]}"


def files() -> dict[Path, tuple[int, str]]:
    """The file of every text: the number of the case, and the target."""
    return {
        golden(case.name, target): (number, target) for number, case in enumerate(CASES) for target in ENDINGS
    }


def main() -> None:
    """Write all texts, remove those of deleted cases, and print how many changed."""
    TEXTS.mkdir(exist_ok=True)
    wanted = files()
    for path in set(TEXTS.iterdir()) - wanted.keys():
        path.unlink()
    changed = 0
    for path, (number, target) in wanted.items():
        new = text(CASES[number], target)
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8")
            changed += 1
    sys.stdout.write(f"{len(wanted)} texts, {changed} of them changed\n")


if __name__ == "__main__":
    os.environ["SHINE_MACHINE"] = DEFAULT.name  # as in tests, independent of this machine
    main()
