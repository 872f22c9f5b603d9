"""Pictures of a search by Matplotlib, from the extra `pictures`: bounds beside times, and single decisions."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any, Final

from shine.front.tuner.results import Row

#: the same rows give the same text: no date, fixed names; labels are text, and no formulas
SETTINGS: Final[Any] = {"svg.hashsalt": "rise-shine", "svg.fonttype": "none", "text.parse_math": False}
SIZE: Final = (8.6, 3.6)  # inches, side by side
WITHOUT: Final = "Install the extra `pictures` for pictures of bounds and of single decisions."


def pictures_of(rows: Sequence[Row]) -> str | None:
    """The pictures of measured candidates as SVG; None without Matplotlib.

    On the left, the time of each candidate by its bound, coloured by what limits it: no candidate is below the line. On
    the right, the best result with each value of each decision.
    """
    try:
        from matplotlib import rc_context  # noqa: PLC0415  # takes long, and may be absent
        from matplotlib.figure import Figure  # noqa: PLC0415  # the same
    except ImportError:
        return None
    with rc_context(SETTINGS):
        figure = Figure(figsize=SIZE, layout="constrained")
        left, right = figure.subplots(1, 2)
        _draw_bounds(left, rows)
        _draw_decisions(right, rows)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _draw_bounds(axes: Any, rows: Sequence[Row]) -> None:
    bounded = [row for row in rows if row.bound and row.result.seconds]
    for why in dict.fromkeys(row.why for row in bounded):
        limited = [row for row in bounded if row.why == why]
        bounds, times = [row.bound for row in limited], [row.result.seconds for row in limited]
        axes.plot(bounds, times, "o", markersize=4, label=why)
    if bounded:
        ends = [min(row.bound for row in bounded), max(row.bound for row in bounded)]
        axes.plot(ends, ends, color="grey", linewidth=1)
        axes.legend(fontsize="small")
    axes.set(xscale="log", yscale="log", xlabel="bound in seconds", ylabel="time in seconds")


def _draw_decisions(axes: Any, rows: Sequence[Row]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row.decisions))
    for place, name in enumerate(names):
        best: dict[str, float] = {}
        for row in rows:
            if name in row.decisions:
                value = str(row.decisions[name])
                best[value] = max(best.get(value, 0.0), row.result.ratio or 0.0)
        axes.plot([place] * len(best), list(best.values()), "o-", markersize=4)
        for value, ratio in best.items():
            axes.annotate(value, (place, ratio), xytext=(4, 2), textcoords="offset points", fontsize="small")
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel="best result with a value: times as fast")
