"""The report of a search: what it says of each candidate, and its pictures, with Matplotlib and without."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from rise.diagnostics import Diagnostic
from shine.front.tuner.pictures import WITHOUT, pictures_of
from shine.front.tuner.report import report
from shine.front.tuner.results import Result, Row, State
from tests.required_tools import MATPLOTLIB, needs

ROWS = [
    Row(
        1, {"tile": 4, "kind": "<a & b>"}, Result(State.MEASURED, 2e-3, 1.0, validity="proved"), 1e-3, "units"
    ),
    Row(
        2, {"tile": 8, "kind": "$x$"}, Result(State.MEASURED, 1e-3, 2.0, validity="unknown: x"), 5e-4, "loads"
    ),
    Row(3, {"tile": 16, "kind": "$x$"}, Result(State.WRONG, diagnostic=Diagnostic("wrong-result", "1 < 2"))),
]


def test_candidates_are_listed_the_fastest_first() -> None:
    page = report("title", ["It is found."], ROWS)
    lines = re.findall("<tr class=.*?</tr>", page)
    assert [re.findall("<td>(.*?)</td>", line)[0] for line in lines] == ["2", "1", "3"]
    assert "<td>unknown</td>" in lines[0] and "<td>proved</td>" in lines[1] and "wrong: 1 &lt; 2" in lines[2]
    assert "<a & b>" not in page and "&lt;a &amp; b&gt;" in page


@needs(MATPLOTLIB, importlib.util.find_spec("matplotlib") is not None)
def test_pictures_show_bounds_and_decisions() -> None:
    drawn = pictures_of(ROWS[:2])
    assert drawn is not None and drawn.startswith("<svg") and drawn == pictures_of(ROWS[:2])
    texts = re.findall("<text.*?>(.*?)</text>", drawn)
    assert {"units", "loads", "tile", "kind", "bound in seconds", "$x$", "&lt;a &amp; b&gt;"} <= set(texts)
    assert drawn in report("title", [], ROWS) and WITHOUT not in report("title", [], ROWS)


def test_without_matplotlib_the_report_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert WITHOUT in report("title", [], ROWS)


def test_without_measurements_there_are_no_pictures() -> None:
    page = report("title", [], ROWS[2:])
    assert "<svg" not in page and WITHOUT not in page
