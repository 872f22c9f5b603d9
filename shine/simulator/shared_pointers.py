"""Finds pointers to arrays in shared memory that lie within other memory, and lets the check build place these arrays.

Independent of launches, which define the bytes of each array.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shine.simulator.model import SharedArray
from shine.simulator.text import dynamic_names, without_noise

MAX_ARRAYS: Final = 255  # that the runtime tells apart
_STATIC: Final = re.compile(r"(?<!\bextern )\b__shared__\b[^;{}=]*?(\w+)\s*(?:\[[^\]]*\]\s*)+[;,]")


def pointers_to_arrays(source: str) -> tuple[str, ...]:
    """The names of the pointers to arrays within shared memory.

    >>> pointers_to_arrays("__shared__ char s[64]; int* const a = reinterpret_cast<int*>(s + 32); int* const b = c;")
    ('a',)
    """
    clean = without_noise(source)
    return tuple(sorted({match["name"] for match in _declarations(clean)}))


def place_arrays(source: str, pointers: Sequence[str]) -> str:
    """The text with a call in each declaration of such a pointer, on the same line.

    >>> place_arrays("__shared__ int all[8]; int* const a = all + 4;", ["a"])
    '__shared__ int all[8]; int* const a = simulator::array_at(0, all, 4);'
    """
    parts, end = [], 0
    for match in _declarations(without_noise(source)):
        if match["name"] in pointers:
            at = f"simulator::array_at({pointers.index(match['name'])}, {match['memory']}, {match['offset'] or 0})"
            parts += [source[end : match.start("memory")], at]
            end = match.end("place")
    return "".join([*parts, source[end:]])


def told_apart(
    arrays: Sequence[SharedArray], pointers: Sequence[str], dynamic_apart: bool
) -> tuple[SharedArray, ...]:
    """The arrays that a check build with these pointers distinguishes. Arrays in dynamic shared memory that share bytes
    are distinguished by offsets or pointers, and otherwise count as one array; those within static arrays need
    pointers.

    >>> a, b, c = SharedArray("a", 0, 8), SharedArray("b", 4, 8), SharedArray("c", 16, 4)
    >>> [one.name for one in told_apart((a, b, c), (), True)]
    ['a', 'b', 'c']
    >>> [one.name for one in told_apart((a, replace(b, offset=0), c), ("a", "c"), True)]
    ['a, b', 'c']
    """
    within = [one for one in arrays if one.within and one.name in pointers]
    found: list[SharedArray] = []
    for run in _runs([one for one in arrays if not one.within]):
        unnamed = [one.offset for one in run if one.name not in pointers]
        if len(run) == 1 or (dynamic_apart and all(_count(run, offset) == 1 for offset in unnamed)):
            found += run
        else:
            end = max(one.offset + one.bytes for one in run)
            names = ", ".join(one.name for one in run)
            found.append(replace(run[0], name=names, bytes=end - run[0].offset))
    return (*found, *within) if len(found) + len(within) <= MAX_ARRAYS else ()


def _declarations(clean: str) -> list[re.Match[str]]:
    memories = {*dynamic_names(clean), *_STATIC.findall(clean)}
    if not memories:
        return []
    cast = r"(?:reinterpret_cast\s*<[^<>;()]*>\s*\(\s*|\(\s*\w[\w\s:]*\*+\s*\)\s*\(?\s*)?"
    place = rf"(?P<place>(?P<memory>{'|'.join(sorted(memories))})\b(?:\s*\+\s*(?P<offset>[^;(),]*?))?)"
    return list(re.finditer(rf"\*\s*const\s+(?P<name>\w+)\s*=\s*{cast}{place}\s*\)?\s*;", clean))


def _count(arrays: Sequence[SharedArray], offset: int) -> int:
    return sum(one.offset == offset for one in arrays)


def _runs(arrays: Sequence[SharedArray]) -> list[list[SharedArray]]:
    """Runs of arrays that share bytes, by their offsets."""
    runs: list[list[SharedArray]] = []
    end = 0
    for one in sorted(arrays, key=lambda one: (one.offset, -one.bytes)):
        if runs and one.offset < end:
            runs[-1].append(one)
        else:
            runs.append([one])
        end = max(end, one.offset + one.bytes)
    return runs
