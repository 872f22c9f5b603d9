"""The record of the processor that a system describes. Independent of files.

A record of the same instruction set with vectors of the same width provides what no system does: units, latencies,
bandwidths. Information from the system replaces the record's numbers. Since a virtual machine hides its model, and a
processor may be newer than all records, vendors, vector widths and caches are compared instead of names.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Final

from rise.hardware import PROCESSORS, Processor
from shine.machines.system import Facts

#: the width of vectors, by the feature that indicates it; the first feature that is present counts
WIDTHS: Final = (("avx512f", 512), ("avx2", 256), ("sse2", 128), ("asimd", 128))
#: instruction sets that all have vectors of 128 bits
ALWAYS: Final = {"x86_64": 128, "aarch64": 128}
#: features that indicate units for matrices
MATRIX: Final = {"amx_bf16": "amx-bf16", "amx_int8": "amx-int8"}
#: the record for processors whose instruction set has no record, with vectors of 128 bits
OTHERS: Final = "neoverse-n1"


def as_processor(facts: Facts) -> Processor:
    """The processor that a system describes: the closest record, with the values from the system."""
    record = _closest(facts)
    said = {
        name: number
        for name in ("l1", "l2", "l3", "line", "cores", "clock")
        if (number := getattr(facts, name)) is not None
    }
    matrix = frozenset(MATRIX[name] for name in facts.features & MATRIX.keys())
    return replaced(
        record, {**said, "matrix": matrix}, {"matrix": "the features of the processor", **facts.places}
    )


def replaced(record: Processor, numbers: dict[str, object], places: dict[str, str]) -> Processor:
    """A record with other numbers, and their places in the system as sources."""
    kept = [
        (" ".join(name for name in names.split() if name not in numbers), source)
        for names, source in record.sources
    ]
    by_place: dict[str, list[str]] = {}
    for name in numbers:
        by_place.setdefault(places[name], []).append(name)
    sources = [
        *((names, source) for names, source in kept if names),
        *((" ".join(names), place) for place, names in by_place.items()),
    ]
    values = {one.name: getattr(record, one.name) for one in fields(record)}
    return Processor(**{**values, **numbers, "sources": tuple(sources)})


def _closest(facts: Facts) -> Processor:
    bits = next((bits for name, bits in WIDTHS if name in facts.features), ALWAYS.get(facts.isa, 0))
    has_fma = facts.isa != "x86_64" or not facts.features or "fma" in facts.features
    candidates = [
        one
        for one in PROCESSORS.values()
        if one.isa == facts.isa and one.vector_bits <= bits and one.has_fma <= has_fma
    ]
    if not candidates:
        other = replace(
            PROCESSORS[OTHERS], name=facts.isa, isa=facts.isa, flags=("-mcpu=native",), aliases=()
        )
        return replace(
            other, sources=tuple((names, f"assumed, as of {OTHERS}") for names, _ in other.sources)
        )

    def likeness(one: Processor) -> tuple[int, bool, bool, bool]:
        return one.vector_bits, one.vendor == facts.vendor, one.l2 == facts.l2, one.l1 == facts.l1

    return max(candidates, key=likeness)
