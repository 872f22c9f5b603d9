"""The findings of a launch, without repeats and consequences of others; `finding_messages` has their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from shine.simulator.finding_messages import Context, finding_of
from shine.simulator.model import Finding
from shine.simulator.records import FindingRecord
from shine.simulator.symbols import lines_of_code

_LINE_MARK: Final = 1 << 31


def explain(records: Sequence[FindingRecord], context: Context) -> tuple[Finding, ...]:
    """Findings in order, without repeats of the same kind, array and lines, or consequences of other findings."""
    places = (place for record in records for place in (record.place, record.other_place))
    lines = lines_of_places(places, context.library, context.compiler)
    findings: dict[tuple[object, ...], Finding] = {}
    for record in records:
        finding = finding_of(record, context, lines)
        findings.setdefault((finding.kind, finding.array, frozenset(finding.lines)), finding)
    racing_lines = {
        (finding.array, line)
        for finding in findings.values()
        if finding.kind == "race"
        for line in finding.lines
    }
    in_flight_lines = {
        (finding.array, frozenset(finding.lines))
        for finding in findings.values()
        if finding.kind == "in-flight"
    }
    waited_copies = {
        (finding.array, finding.second.line)
        for finding in findings.values()
        if finding.kind == "in-flight" and finding.second
    }

    def follows(finding: Finding) -> bool:
        """Whether another finding is the cause: for uninitialised and stale reads that follow from a race, and for
        consequences of a copy that no thread waits for.
        """
        match finding.kind:
            case "uninitialised" | "stale":
                return (finding.array, finding.lines[0]) in racing_lines
            case "race":
                return (finding.array, frozenset(finding.lines)) in in_flight_lines
            case "not-waited":
                return (finding.array, finding.lines[0]) in waited_copies
            case _:
                return False

    return tuple(finding for finding in findings.values() if not follows(finding))


def lines_of_places(places: Iterable[int], library: Path, compiler: str) -> Mapping[int, int]:
    """The lines of the text for places in the runtime's records, which are marked lines or offsets of code; 0 if
    unknown.
    """
    known = set(places)
    codes = [place - 1 for place in known if place and not place & _LINE_MARK]
    lines = lines_of_code(library, codes, compiler)
    return {place: place & ~_LINE_MARK if place & _LINE_MARK else lines.get(place - 1, 0) for place in known}
