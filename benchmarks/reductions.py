"""Reductions over any axes (`cases/idioms/reductions.py`), under the default strategy for OpenMP, compared with
numpy.
"""

from __future__ import annotations

from pathlib import Path

import _root  # noqa: F401  # before `cases` is imported
from _programs import Subject, measure

from cases.idioms import REDUCTIONS


def main() -> None:
    """Measure and report."""
    quick = ("column_sums", "middle_means")
    measure(Subject("reductions", "Reductions", REDUCTIONS, quick, Path(__file__).resolve()))


if __name__ == "__main__":
    main()
