"""Describes a primitive: its record, the value of its example, its targets. Independent of any particular primitive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import rise
import shine
from rise.primitives import PARALLEL, has_trait
from rise.primitives.record import PrimitiveRecord
from shine.translate import CPU_LEVELS, GPU_LEVELS, TRANSLATIONS


def facts_of(record: PrimitiveRecord) -> Mapping[str, Any]:
    """All facts about a primitive, for documentation pages and JSON."""
    return {
        "name": record.name,
        "level": record.level,
        "stage": stage_of(record),
        "type": record.scheme,
        "doc": record.doc,
        "law": record.law,
        "words": record.words,
        "example": {"program": record.example, "value": value_of(record.example)},
        "float_class": record.float_class,
        "units": record.units,
        "lowers_to": list(record.lowers_to),
        "targets": targets_of(record),
    }


def stage_of(record: PrimitiveRecord) -> str:
    """The stage of a derivation that a primitive belongs to."""
    if record.level != "low":
        return "high-level" if record.level == "high" else "view"
    if record.name in CPU_LEVELS:
        return "OpenMP"
    if record.name in GPU_LEVELS:
        return "GPU"
    return "tensor core" if has_trait(record.name, "fragments") else "low-level"


def targets_of(record: PrimitiveRecord) -> list[str]:
    """The targets that translate a primitive or one of those that it lowers to."""
    names = record.lowers_to or (record.name,)
    return [
        target.name for target in shine.TARGETS.values() if any(_has(target.levels, name) for name in names)
    ]


def _has(levels: frozenset[str], name: str) -> bool:
    return name in TRANSLATIONS and (name not in PARALLEL or name in levels)


def value_of(program: str) -> str:
    """The value of a program without inputs, as text; empty for an empty program."""
    return literal_text(rise.evaluate(rise.parse_expr(program))) if program else ""


def literal_text(value: Any) -> str:
    """A value in the syntax of RISE literals, floating-point numbers with six digits.

    >>> literal_text((np.array([[1, 2]]), np.float32(0.1)))
    '([[1, 2]], 0.1)'
    """
    match value:
        case tuple():
            return f"({', '.join(map(literal_text, value))})"
        case np.ndarray() if value.ndim:
            return f"[{', '.join(map(literal_text, value))}]"
    return _number(np.asarray(value))


def _number(value: Any) -> str:
    if value.dtype.kind == "b":
        return "true" if value else "false"
    if value.dtype.kind in "iu":
        return str(int(value))
    if value.dtype.kind == "c":
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    text = f"{float(value):.6g}"
    return f"{text}.0" if text.lstrip("-").isdigit() else text
