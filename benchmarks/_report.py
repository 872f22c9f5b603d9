"""Results as plain tables, JSON and pages. Does not measure time; independent of benchmarks."""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmarks.md"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a title. `note` says how to interpret them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def plain(self) -> str:
        """The table for a terminal, with columns aligned by spaces."""
        lines = [self.columns, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        shown = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        ]
        shown.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(
            [self.title, *(line.rstrip() for line in shown), *([self.note] if self.note else [])]
        )

    def markdown(self) -> str:
        """The table as Markdown."""
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        shown = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *shown, *(["", self.note] if self.note else [])])


def is_quick(what: str) -> bool:
    """Whether `--quick` was given: the program takes seconds, and writes nothing."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--quick", action="store_true", help="few small samples, and write nothing")
    return bool(parser.parse_args().quick)


def report(name: str, tables: Sequence[Table], machine: Mapping[str, str], loads: str, quick: bool) -> None:
    """Print the tables; unless quick, save them as JSON and Markdown, and insert them into the page."""
    print("\n\n".join(table.plain() for table in tables))
    print(f"\n{_today()}; {_about(machine)}; {loads}")
    if not quick:
        include(name, keep(name, tables, machine, loads))


def keep(name: str, tables: Sequence[Table], machine: Mapping[str, str], loads: str) -> str:
    """Write the tables as JSON and Markdown; returns the Markdown."""
    RESULTS.mkdir(exist_ok=True)
    content: dict[str, object] = {"name": name, "date": _today(), "machine": dict(machine), "load": loads}
    content |= {"tables": [asdict(table) for table in tables]}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    shown = [table.markdown() for table in tables]
    page = "\n\n".join([*shown, f"Taken {_today()}. {_about(machine)}; {loads}."])
    (RESULTS / f"{name}.md").write_text(page + "\n", encoding="utf-8")
    return page


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _about(machine: Mapping[str, str]) -> str:
    return "; ".join(f"{key}: {value}" for key, value in machine.items())


def include(name: str, text: str) -> None:
    """Replace the text between the markers of this name in the page."""
    opening, closing = f"<!-- results: {name} -->\n", f"<!-- end of results: {name} -->"
    page = PAGE.read_text(encoding="utf-8")
    before, mark, rest = page.partition(opening)
    _, end, after = rest.partition(closing)
    assert mark and end, f"{PAGE.name} has no place for the results of {name}"
    PAGE.write_text(f"{before}{opening}\n{text}\n\n{closing}{after}", encoding="utf-8")
