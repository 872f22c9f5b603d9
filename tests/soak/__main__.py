"""`python -m tests.soak`: runs parts of the soak and writes a report. Depends on the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.soak.journal import FOLDER, ROOT, begin, head
from tests.soak.merged_results import Total
from tests.soak.part import Batch, Part
from tests.soak.parts import PARTS
from tests.soak.report import summary, write
from tests.soak.runner import run_part


def main() -> int:
    """Run the command. Returns 1 if there were failures, or too few items within the time limit."""
    options = arguments()
    if options.merge:
        return merge()
    try:
        return run_all(options)
    except KeyboardInterrupt:
        say("interrupted; `make soak-report` writes a report of what ran")
        return 130


def run_all(options: argparse.Namespace) -> int:
    """Run parts, and write the report if all parts run with their own counts."""
    is_ok, paths = True, []
    for name in options.part or PARTS:
        total, path = run(PARTS[name], options)
        say("\n\n".join(table.plain() for table in total.tables()))
        say(
            f"\n{name}: {total.shown()}, {len(total.found):,} failures, {len(total.signatures()):,} defects\n"
        )
        is_ok &= not total.found
        if path is not None:
            paths.append(path)
            if options.count is None and not options.at and total.whole < total.part.count:
                say(f"{name}: the time limit came before {total.part.count:,} {total.part.unit}\n")
                is_ok = False
    if not options.part and not options.at and options.count is None:
        say(summary(write(paths)).plain())
    return 0 if is_ok else 1


def merge() -> int:
    """Write the report of all stored runs. Returns 1 if there are none."""
    paths = sorted(FOLDER.glob("*.jsonl"))
    if not paths:
        say(f"error: expected runs in {FOLDER.relative_to(ROOT)}, found none; run `make soak` first")
        return 1
    say(summary(write(paths)).plain())
    return 0


def run(part: Part, options: argparse.Namespace) -> tuple[Total, Path | None]:
    """Run a part. Returns its results and the file that stores them, or None if the part lacks its tool."""
    number, _, item = (options.at or "0").partition(".")
    at = Batch(options.seed, int(number), only=int(item) if item else None)
    minutes = options.minutes or (part.minutes if options.count is None else None)
    missing = part.absent() if part.absent is not None else ""
    journal = None if missing else begin(head(part.name, options.seed, int(number)))
    total = run_part(part, at, options.count or part.count, say, options.processes, minutes, journal)
    return total, journal.path if journal is not None else None


def say(line: str) -> None:
    """Print without buffering, since runs are long."""
    print(line, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="parts to run; by default all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="how many items to run, instead of the part's own number")
    parser.add_argument("--at", help="BATCH.ITEM: run only this item; BATCH: start at this batch")
    parser.add_argument("--minutes", type=float, help="time limit per part, instead of the part's own")
    parser.add_argument(
        "--merge", action="store_true", help="run nothing; write the report of all stored runs"
    )
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
