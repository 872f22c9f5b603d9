"""Generates `docs/primitives.md`: every primitive by theme, from its record. Knows no primitive.

`python -m tests.shine.primitive_page` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import shine
from rise.primitives import THEMES
from shine.cli.primitives import facts_of

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "primitives.md"
HEAD: Final = """# The primitives
A program is made of functions, literals and the primitives below. Each has its type, its law, an example with its
value, and the targets that have it. `shine list primitives` shows the same, `shine list primitives scan` only those
that say so. [RISE text](language.md) says how one writes them, [Values and arithmetic](semantics.md) what numbers
they give.

What each is for:

- **high-level**: says what is computed. Strategies lower it to one that says how; rules move it about.
- **low-level**: is translated as it stands, to a loop, an operation or a place in memory, on every target.
- **view**: says where elements are found. It moves no data and costs nothing but an index.
- **OpenMP**, **GPU**: is spread over threads, and only targets that have these translate it.
- **tensor core**: is computed by the matrix units of a GPU; other targets write out what it means.

In types, `{n: nat}` follows from the arguments, or is given in braces; `(n: nat)` is an argument like others. In laws,
`a` and `b` are numbers, `xs` and `ys` arrays, `f` and `g` functions. Examples are evaluated by `rise.evaluate`; an
array of pairs is shown as a pair of arrays, floating-point numbers to six digits. *Rounding* says what a primitive
does to floating-point numbers: *exact* is rounded once and has the same bits on every target; *reassociating* adds in
no order; *approximate* is within so many units in the last place of the exact value.

This page is written by `python -m tests.shine.primitive_page`.
"""


def page() -> str:
    """The text of the page."""
    lines = [HEAD.rstrip(), "", *contents()]
    for theme, records in THEMES.items():
        lines += ["", f"## {theme}"]
        for record in records:
            lines += ["", *entry(facts_of(record))]
    return "\n".join(lines) + "\n"


def contents() -> Iterator[str]:
    """A line for each theme, with links to its primitives."""
    for theme, records in THEMES.items():
        yield f"- {theme}: {', '.join(f'[`{one.name}`](#{one.name.lower()})' for one in records)}"


def entry(facts: Mapping[str, Any]) -> Iterator[str]:
    """The lines of one primitive."""
    yield f"### {facts['name']}"
    yield f"`{facts['type']}`"
    yield ""
    yield facts["doc"]
    yield ""
    yield f"- law: `{facts['law']}`" if facts["law"] else f"- law: {facts['words']}"
    yield f"- example: `{facts['example']['program']}` is `{facts['example']['value']}`"
    lowered = (
        f"; lowers to {', '.join(f'`{one}`' for one in facts['lowers_to'])}" if facts["lowers_to"] else ""
    )
    yield f"- {facts['stage']}{lowered}"
    if facts["float_class"]:
        units = f", within {facts['units']} units in the last place" if facts["units"] else ""
        yield f"- rounding: {facts['float_class']}{units}"
    is_everywhere = facts["targets"] == list(shine.TARGETS)
    yield f"- targets: {'all' if is_everywhere else ', '.join(f'`{one}`' for one in facts['targets'])}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
