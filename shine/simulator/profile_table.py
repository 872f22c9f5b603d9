"""Shows profiles: as a table of text, and as a page of HTML beside the source.

Independent of the terminal and of files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

from shine.simulator.profile import KINDS, Counts, Profile

_MOST_TEXT: Final = 48  # characters of a line of the source in a table
_MOST_NAME: Final = 60

_Column = tuple[str, Callable[[Counts], str]]


def _number(count: int) -> str:
    return f"{count:,}".replace(",", " ") if count else ""


def _per_request(sectors: int, requests: int) -> str:
    return f"{sectors / requests:.3g}" if requests else ""


#: columns: what they are headed by, and their content
COLUMNS: Final[Sequence[_Column]] = (
    ("instructions", lambda counts: _number(counts.warp_instructions)),
    ("lanes", lambda counts: f"{counts.lanes_per_instruction:.3g}" if counts.lanes else ""),
    ("global bytes", lambda counts: _number(counts.bytes_in("global"))),
    ("sectors/request", lambda counts: _per_request(counts.sectors, counts.requests)),
    ("ideal", lambda counts: _per_request(counts.ideal_sectors, counts.requests)),
    ("shared bytes", lambda counts: _number(counts.bytes_in("shared"))),
    ("bank conflicts", lambda counts: _number(counts.bank_conflicts)),
    ("collisions", lambda counts: _number(counts.collisions)),
    ("barriers", lambda counts: _number(counts.barriers)),
    ("divergent", lambda counts: _number(counts.divergent_branches)),
)


def table(rows: Sequence[tuple[str, Counts]], total: Counts, head: str) -> str:
    """Rows of counts under a heading, with their total. Columns without counts are omitted."""
    kept = [(title, shown) for title, shown in COLUMNS if shown(total)]
    cells = [[head, *(title for title, _ in kept)]]
    cells += [
        [name[:_MOST_NAME], *(shown(counts) for _, shown in kept)] for name, counts in (*rows, ("all", total))
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in cells
    ]
    return "\n".join(line.rstrip() for line in lines)


def line_table(profile: Profile, source: str) -> str:
    """The counts of each source line that has any."""
    texts = source.split("\n")

    def name(line: int) -> str:
        text = " ".join(texts[line - 1].split()) if 1 <= line <= len(texts) else "(no line)"
        return f"{line:4d} {text[:_MOST_TEXT]}"

    return table([(name(line), counts) for line, counts in profile.lines.items()], profile.total, "line")


def summary(profile: Profile) -> str:
    """The totals of a kernel: instructions by class, bytes by memory space, divergence, occupancy."""
    total = profile.total
    classes = ", ".join(
        f"{_number(total.instructions[one])} {one}" for one in KINDS if total.instructions.get(one)
    )
    moved = ", ".join(
        f"{_number(count)} {direction} in {space} memory"
        for (space, direction), count in sorted(total.bytes.items())
    )
    its = profile.occupancy
    return "\n".join(
        (
            f"instructions of warps: {classes or 'none that touch memory or other threads'}",
            f"bytes: {moved or 'none'}",
            f"active lanes: {profile.active_lanes:.3g} of 32 on average",
            f"occupancy: {its.blocks} blocks, {its.warps} of {its.most_warps} warps of a multiprocessor, limited by "
            f"{its.limit} (registers are not known here)",
        )
    )


_STYLE: Final = """body { font: 14px sans-serif; margin: 2em; }
table { border-collapse: collapse; }
td, th { padding: 1px 8px; text-align: right; white-space: pre; font: 13px monospace; }
th { position: sticky; top: 0; background: #eee; }
td.source, th.source { text-align: left; }
tr.counted { background: #f6f8fa; }
td.bad { background: #ffd8d0; }"""


def page(profile: Profile, source: str, title: str, parts: Sequence[tuple[str, Counts]] = ()) -> str:
    """A page of HTML: the summary, `parts` of a program with their counts, and the source with the counts of each line.
    It is self-contained.
    """
    kept = [(name, shown) for name, shown in COLUMNS if shown(profile.total)]
    heads = "".join(f"<th>{escape(name)}</th>" for name, _ in kept)
    rows = [
        f'<tr{_class("counted", line in profile.lines)}><td>{line}</td><td class="source">{escape(text)}</td>'
        + "".join(_cells(profile.lines[line], kept))
        + "</tr>"
        for line, text in enumerate(source.split("\n"), 1)
    ]
    rows.append('<tr><th></th><th class="source">all</th>' + "".join(_cells(profile.total, kept)) + "</tr>")
    sentences = "".join(f"<p>{escape(line)}</p>" for line in summary(profile).split("\n"))
    of_parts = "".join(
        f'<tr class="counted"><td class="source">{escape(text)}</td>{"".join(_cells(counts, kept))}</tr>\n'
        for text, counts in parts
    )
    part_table = (
        f'<table><tr><th class="source">part of the program</th>{heads}</tr>\n{of_parts}</table>\n<p></p>\n'
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>{sentences}\n"
        f"{part_table if parts else ''}"
        f'<table><tr><th>line</th><th class="source">text</th>{heads}</tr>\n'
        + "\n".join(rows)
        + "\n</table></body></html>\n"
    )


def _cells(counts: Counts, columns: Sequence[_Column]) -> Iterable[str]:
    for name, shown in columns:
        wasteful = (name == "bank conflicts" and counts.bank_conflicts > 0) or (
            name == "sectors/request" and counts.sectors > counts.ideal_sectors
        )
        yield f"<td{_class('bad', wasteful)}>{escape(shown(counts))}</td>"


def _class(name: str, holds: bool) -> str:
    return f' class="{name}"' if holds else ""
