"""`python -m tests.soak`: runs parts of the soak and reports. Knows the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.soak.part import Batch
from tests.soak.parts import PARTS
from tests.soak.total import Total, run_part, summary

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run what was asked for; 1 if there were failures."""
    asked = arguments()
    totals: list[Total] = []
    for name in asked.part or PARTS:
        part = PARTS[name]
        at = None
        if asked.at:
            number, _, item = asked.at.partition(".")
            at = Batch(asked.seed, int(number), only=int(item))
        total = run_part(part, asked.seed, asked.count or part.count, asked.processes, say, at)
        totals.append(total)
        say("\n\n".join(table.plain() for table in [*total.tables(), summary([total])]) + "\n")
    return 1 if any(total.found for total in totals) else 0


def say(line: str) -> None:
    """Print at once, since it is a long run."""
    print(line, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="all parts, where none is named")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="how many items, where a part's own number is too many")
    parser.add_argument("--at", help="BATCH.ITEM: only this one")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
