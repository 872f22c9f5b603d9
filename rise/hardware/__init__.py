"""Machines as data: processors, limits and features of GPUs, matrix instructions.

Independent of source text and terms.
"""

from rise.hardware.architectures import ARCHITECTURES, Architecture, architecture, architecture_of
from rise.hardware.devices import DEVICES, Device, device
from rise.hardware.instructions import (
    INSTRUCTIONS,
    Coordinates,
    MatrixInstruction,
    family_of,
    find,
    is_by_rows,
    is_known,
    legal,
    multiplied,
    share_of_lane,
    taking,
)
from rise.hardware.processors import DEFAULT, PROCESSORS, Processor, processor

__all__ = [
    "ARCHITECTURES",
    "DEFAULT",
    "DEVICES",
    "INSTRUCTIONS",
    "PROCESSORS",
    "Architecture",
    "Coordinates",
    "Device",
    "MatrixInstruction",
    "Processor",
    "architecture",
    "architecture_of",
    "device",
    "family_of",
    "find",
    "is_by_rows",
    "is_known",
    "legal",
    "multiplied",
    "processor",
    "share_of_lane",
    "taking",
]
