"""Finds barriers and waits that a launch does not need: without one of them it has no finding and the same results.

A barrier that is needless in one launch may be needed for other sizes, inputs or devices. If two barriers are each
needless, one of the two may still be needed. Independent of what statements wait for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from shine.simulator.model import Needless, Report
from shine.simulator.text import closing, without_noise

#: orders of threads that the launch is tried under
SCHEDULES: Final = ("ascending", "descending", "random:1", "random:2")
_STATEMENT = re.compile(
    r"(?:__syncthreads|__syncwarp|__pipeline_wait_prior)\s*\([^;{}]*\)\s*;"
    r"|\b\w+(?:\.|->)(?:sync|arrive_and_wait|wait|wait_parity|producer_acquire|consumer_wait)\s*\([^;{}]*\)\s*;"
    r"|\b(?:\w+::)*sync\s*\(\s*\w+\s*\)\s*;"
    r"|\b(?:\w+::)+(?:wait|(?:pipeline_consumer_)?wait_prior\s*<[^;<>]*>)\s*\([^;{}]*\)\s*;"
)
_ASSEMBLY = re.compile(
    r"\b(?:asm|__asm__)\b[^;\"]*\"\s*"
    r"(?:cp\.async\.(?:bulk\.)?wait|bar\.|barrier\.|fence\.|membar\.|wgmma\.(?:fence|wait))[^\"]*\"[^;]*;"
)
#: in a function that waits or fences and gives nothing back: its calls are tried one by one
_WAITS = re.compile(
    r"\b(?:mbarrier\.(?:try|test)_wait|cp\.async\.(?:bulk\.)?wait|bar(?:rier)?\.|fence\.|wgmma\.(?:fence|wait))"
)
_FUNCTION = re.compile(r"\b__device__\b[^;{}()]*\bvoid\s+(?:__\w+__\s+)*(\w+)\s*\(")

#: launches a text under a schedule: the report, and the arrays after it
Run = Callable[[str, str], tuple[Report, Sequence[Any]]]


def needless(source: str, run: Run, schedules: Sequence[str] = SCHEDULES) -> tuple[Needless, ...]:
    """The barriers and waits of a text that its launch does not need; each one is removed separately.

    Empty if the unchanged launch has a finding.
    """
    before = [run(source, schedule) for schedule in schedules]
    if not all(_is_clean(report) for report, _ in before):
        return ()
    expected = [_contents(arrays) for _, arrays in before]
    varies = [len(set(contents)) > 1 for contents in zip(*expected, strict=True)]
    found = []
    for start, end in _places(source):
        without = source[:start] + re.sub(r"[^\n]", " ", source[start:end])[:-1] + ";" + source[end:]
        for schedule, contents in zip(schedules, expected, strict=True):
            report, arrays = run(without, schedule)
            if not _is_clean(report) or _differ(_contents(arrays), contents, varies):
                break
        else:
            line = source.count("\n", 0, start) + 1
            found.append(Needless(line, " ".join(source[start:end].split())))
    return tuple(found)


def _places(source: str) -> Iterator[tuple[int, int]]:
    clean = without_noise(source)
    found = [match.span() for match in _STATEMENT.finditer(clean)]
    # Instructions are in literals, which a clean text has not: only their first characters are looked for there.
    found += [match.span() for match in _ASSEMBLY.finditer(source) if clean[match.start()] != " "]
    names = "|".join(sorted(set(_functions_that_wait(source, clean))))
    if names:
        call = re.compile(rf"(?<=[;{{}})])(\s*)(?:{names})\s*(?:<[\w\s,]*>)?\s*\([^;{{}}]*\)\s*;")
        found += [(match.end(1), match.end()) for match in call.finditer(clean)]
    return iter(sorted(found))


def _functions_that_wait(source: str, clean: str) -> Iterator[str]:
    """The names of functions of the text that wait, arrive at barriers or fence in assembly, and return nothing."""
    for head in _FUNCTION.finditer(clean):
        opened = clean.find("{", closing(clean, head.end()))
        depth = 0
        for brace in re.finditer(r"[{}]", clean[opened:] if opened >= 0 else ""):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                if _WAITS.search(source[opened : opened + brace.end()]):
                    yield head[1]
                break


def _is_clean(report: Report) -> bool:
    return report.finished and not report.findings


def _contents(arrays: Sequence[Any]) -> list[bytes]:
    return [np.asarray(array).tobytes() for array in arrays]


def _differ(found: Sequence[bytes], expected: Sequence[bytes], varies: Sequence[bool]) -> bool:
    """Whether an array's content differs, for arrays that have the same content under all schedules of the unchanged
    text.
    """
    return any(one != its and not v for one, its, v in zip(found, expected, varies, strict=True))
