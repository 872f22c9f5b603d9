"""`python -m tests.soak`: runs parts of the soak and reports. Knows the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.soak.journal import FOLDER, ROOT, begin, head
from tests.soak.part import Batch, Part
from tests.soak.parts import PARTS
from tests.soak.report import summary, write
from tests.soak.running import run_part
from tests.soak.total import Total


def main() -> int:
    """Do what was asked for; 1 if there were failures, or too few items before time was up."""
    asked = arguments()
    if asked.merge:
        return merge()
    try:
        return run_all(asked)
    except KeyboardInterrupt:
        say("interrupted; make soak-report writes the report of what ran")
        return 130


def run_all(asked: argparse.Namespace) -> int:
    """Run parts; where all run whole, write the report."""
    is_good, kept = True, []
    for name in asked.part or PARTS:
        total, path = run(PARTS[name], asked)
        say("\n\n".join(table.plain() for table in total.tables()))
        say(
            f"\n{name}: {total.shown()}, {len(total.found):,} failures, {len(total.signatures()):,} defects\n"
        )
        is_good &= not total.found
        if path is not None:
            kept.append(path)
            if asked.count is None and not asked.at and total.whole < total.part.count:
                say(f"{name}: time was up before there were {total.part.count:,} {total.part.unit}\n")
                is_good = False
    if not asked.part and not asked.at and asked.count is None:
        say(summary(write(kept)).plain())
    return 0 if is_good else 1


def merge() -> int:
    """Write the report of all runs that are kept; 1 if there are none."""
    paths = sorted(FOLDER.glob("*.jsonl"))
    if not paths:
        say(f"error: expected runs in {FOLDER.relative_to(ROOT)}, found none; make soak")
        return 1
    say(summary(write(paths)).plain())
    return 0


def run(part: Part, asked: argparse.Namespace) -> tuple[Total, Path | None]:
    """Run a part, and the file that it is kept in; none where the part lacks its tool."""
    number, _, item = (asked.at or "0").partition(".")
    at = Batch(asked.seed, int(number), only=int(item) if item else None)
    minutes = asked.minutes or (part.minutes if asked.count is None else None)
    missing = part.absent() if part.absent is not None else ""
    journal = None if missing else begin(head(part.name, asked.seed, int(number)))
    total = run_part(part, at, asked.count or part.count, say, asked.processes, minutes, journal)
    return total, journal.path if journal is not None else None


def say(line: str) -> None:
    """Print at once, since it is a long run."""
    print(line, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="all parts, where none is named")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="how many items, where a part's own number is too many")
    parser.add_argument("--at", help="BATCH.ITEM: only this one; BATCH: from there on")
    parser.add_argument(
        "--minutes", type=float, help="how long a part may take, where its own time is too long"
    )
    parser.add_argument("--merge", action="store_true", help="run nothing: write the report of all runs kept")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
