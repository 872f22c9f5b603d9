"""Programs that people write (`cases/idioms`) under the default strategy for OpenMP, compared with numpy."""

from __future__ import annotations

from pathlib import Path

import _root  # noqa: F401  # before `cases` is imported
from _programs import Subject, measure
from _report import Table

from cases.idioms import IDIOMS
from cases.idioms.sources import NOT_COVERED


def main() -> None:
    """Measure and report."""
    note = f" that can be written; {len(NOT_COVERED)} more cannot (see below)"
    file, quick = Path(__file__).resolve(), ("leaky", "sum_trailing")
    measure(Subject("idioms", "Idioms", IDIOMS, quick, file, note, (not_covered(),)))


def not_covered() -> Table:
    """Programs of the collections that the language cannot express."""
    rows = tuple(NOT_COVERED.items())
    return Table("Idioms: not covered", ("program", "what is missing"), rows)


if __name__ == "__main__":
    main()
