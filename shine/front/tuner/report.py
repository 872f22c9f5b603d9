"""A report of a search as a self-contained HTML page: best result over time, parallel coordinates, all candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import Final

import rise
from shine.front.derivation import Derivation
from shine.front.tuner.pictures import WITHOUT, pictures_of
from shine.front.tuner.results import Row
from strategies.spaces.holes import HoleValue

WIDTH: Final = 860
HEIGHT: Final = 280
MARGIN: Final = 46
PROGRAM_WIDTH: Final = 100
STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:2em auto;color:#222}
table{border-collapse:collapse;font-size:13px}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd}
td:last-child,th:last-child{text-align:left}svg text{font-size:12px;fill:#555}.best{font-weight:bold}
.wrong{color:#b00}.dead{color:#888}"""


def report(
    title: str, summary: Sequence[str], rows: Sequence[Row], derivation: Derivation | None = None
) -> str:
    """The page: what was found, in sentences, then pictures of the rows that were measured, the table of all, and the
    derivation of what was found, if there is one.
    """
    timed = [row for row in rows if row.result.is_timed and row.result.ratio]
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>",
        *(f"<p>{escape(sentence)}</p>" for sentence in summary),
    ]
    if timed:
        parts += [
            "<h2>The best so far</h2>",
            "<p>Each candidate, in order; the line is the fastest so far. 1 is the target's own strategy.</p>",
            curve(rows),
            "<h2>Decisions</h2>",
            "<p>Each line is a candidate, from its decisions to how fast it is; the darker, the faster.</p>",
            coordinates(timed),
            "<h2>Bounds and single decisions</h2>",
            pictures_of(timed) or f"<p>{escape(WITHOUT)}</p>",
        ]
    parts += ["<h2>Candidates</h2>", table(rows)]
    if derivation is not None:
        parts += ["<h2>Derivation of the winner</h2>", *derived_by(derivation)]
    parts.append("</body></html>")
    return "\n".join(parts) + "\n"


def derived_by(derivation: Derivation) -> Iterator[str]:
    """The parts of a strategy with the rules that each applied, and the lowered program."""
    yield f"<p>{escape(derivation.strategy)}, part by part:</p><ol>"
    for phase in derivation.phases:
        counts = Counter(rule.name for rule, *_ in phase.steps.entries())
        rules = ", ".join(name if count == 1 else f"{name} ({count})" for name, count in counts.most_common())
        yield f"<li>{escape(phase.strategy)}: {escape(rules or 'no rule applies')}</li>"
    yield f"</ol><pre>{escape(rise.show(derivation.result, PROGRAM_WIDTH))}</pre>"


def curve(rows: Sequence[Row]) -> str:
    """The ratios of candidates in order, and the best so far."""
    ratios = [row.result.ratio or 0.0 if row.result.is_timed else 0.0 for row in rows]
    most = max(*ratios, 1.0) * 1.05

    def x(number: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * number / max(len(rows) - 1, 1)

    def y(ratio: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * ratio / most

    best = " ".join(f"{x(n):.1f},{y(ratio):.1f}" for n, ratio in enumerate(accumulate(ratios, max)))
    points = [
        f'<circle cx="{x(n):.1f}" cy="{y(ratio):.1f}" r="3" fill="#69c"><title>{_said(row)}</title></circle>'
        for n, (row, ratio) in enumerate(zip(rows, ratios, strict=True))
        if ratio
    ]
    own = f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(1):.1f}" y2="{y(1):.1f}" stroke="#bbb"/>'
    labels = _label(4, y(1), "1.00") + _label(4, y(max(ratios)), f"{max(ratios):.2f}")
    line = f'<polyline points="{best}" fill="none" stroke="#036" stroke-width="2"/>'
    return _picture("curve of the best", own, labels, line, *points)


def coordinates(rows: Sequence[Row]) -> str:
    """Parallel coordinates: an axis for each hole, and one for the ratio."""
    names = list(dict.fromkeys(name for row in rows for name in row.decisions))
    places = {name: _places([row.decisions[name] for row in rows if name in row.decisions]) for name in names}
    ratios = [row.result.ratio or 0.0 for row in rows]
    low, high = min(ratios), max(ratios)
    step = (WIDTH - 2 * MARGIN) / max(len(names), 1)

    def y(share: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share

    def share(ratio: float) -> float:
        return (ratio - low) / (high - low) if high > low else 1.0

    drawn = []
    for row in sorted(rows, key=lambda one: one.result.ratio or 0.0):
        points = [
            (MARGIN + step * n, y(places[name][_key(row.decisions[name])]))
            for n, name in enumerate(names)
            if name in row.decisions
        ]
        good = share(row.result.ratio or 0.0)
        points.append((WIDTH - MARGIN, y(good)))
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        drawn.append(
            f'<polyline points="{path}" fill="none" stroke="#036" stroke-width="{1 + good:.2f}"'
            f' opacity="{0.1 + 0.9 * good**3:.2f}"><title>{_said(row)}</title></polyline>'
        )
    axes = []
    for n, name in enumerate([*names, "ratio"]):
        at = MARGIN + step * n
        axes.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{MARGIN}" y2="{HEIGHT - MARGIN}" stroke="#999"/>')
        axes.append(_label(at, HEIGHT - MARGIN + 18, name, "middle"))
        if name in places:
            axes += [_label(at + 4, y(place), text) for text, place in places[name].items()]
    axes += [_label(WIDTH - MARGIN + 4, y(share(ratio)), f"{ratio:.2f}") for ratio in (low, high)]
    return _picture("parallel coordinates of decisions", *drawn, *axes)


def table(rows: Sequence[Row]) -> str:
    """All candidates, the fastest first, those without a time last."""
    return "".join(("<table>", *_lines(rows), "</table>"))


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    names = list(dict.fromkeys(name for row in rows for name in row.decisions))
    heads = [
        "",
        *names,
        "times as fast",
        "spread",
        "time",
        "bound",
        "validity",
        "what limits it, or what is wrong",
    ]
    yield f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>"
    for place, row in enumerate(
        sorted(rows, key=lambda one: (not one.result.is_timed, -(one.result.ratio or 0)))
    ):
        result = row.result
        values = [str(row.decisions.get(name, "")) for name in names]
        why = row.why if result.diagnostic is None else result.diagnostic.title
        cells = [
            str(row.number),
            *values,
            "" if result.ratio is None else f"{result.ratio:.3f}",
            "" if result.spread is None else f"{result.spread:.0%}",
            "" if result.seconds is None else seconds_text(result.seconds),
            seconds_text(row.bound) if row.bound else "",
            result.validity.partition(":")[0],
            why if result.is_timed else f"{result.state}: {why}",
        ]
        kind = "best" if place == 0 and result.is_timed else str(result.state)
        yield f'<tr class="{kind}">{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'


def seconds_text(seconds: float) -> str:
    """A time with a unit.

    >>> seconds_text(0.00123), seconds_text(2.5e-7), seconds_text(2)
    ('1.23 ms', '0.25 us', '2 s')
    """
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor or unit == "us":
            return f"{seconds / factor:.3g} {unit}"
    raise AssertionError(seconds)


def _places(values: Sequence[HoleValue]) -> Mapping[str, float]:
    """The positions of values on an axis, from 0 to 1; numbers are sorted."""
    distinct = list({_key(value): value for value in values}.items())
    is_numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for _, value in distinct)
    order: Callable[[tuple[str, HoleValue]], tuple[float, str]] = (
        (lambda one: (float(one[1] or 0), "")) if is_numbers else (lambda one: (0.0, one[0]))
    )
    distinct.sort(key=order)
    return {text: n / max(len(distinct) - 1, 1) for n, (text, _) in enumerate(distinct)}


def _key(value: HoleValue) -> str:
    return str(value)


def _said(row: Row) -> str:
    decisions = ", ".join(f"{name}={value}" for name, value in row.decisions.items())
    return escape(f"{row.result.ratio or 0.0:.3f}: {decisions}")


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _picture(label: str, *parts: str) -> str:
    view = f"0 0 {WIDTH} {HEIGHT}"
    return f'<svg viewBox="{view}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
