"""Functions of numpy (`cases/idioms/words.py`) under the default strategy for OpenMP, compared with numpy."""

from __future__ import annotations

from pathlib import Path

import _root  # noqa: F401  # before `cases` is imported
from _programs import Subject, measure

from cases.idioms import WORDS


def main() -> None:
    """Measure and report."""
    quick = ("times_mask", "extent")
    measure(Subject("words", "Words", WORDS, quick, Path(__file__).resolve()))


if __name__ == "__main__":
    main()
