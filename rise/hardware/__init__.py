"""Machines as data: processors, limits and features of GPUs, matrix instructions. Knows no source text and no terms."""

from rise.hardware.architectures import ARCHITECTURES, Architecture, architecture, architecture_of
from rise.hardware.devices import DEVICES, Device, device
from rise.hardware.instructions import INSTRUCTIONS, MatrixInstruction, find, legal
from rise.hardware.processors import DEFAULT, PROCESSORS, Processor, processor

__all__ = [
    "ARCHITECTURES",
    "DEFAULT",
    "DEVICES",
    "INSTRUCTIONS",
    "PROCESSORS",
    "Architecture",
    "Device",
    "MatrixInstruction",
    "Processor",
    "architecture",
    "architecture_of",
    "device",
    "find",
    "legal",
    "processor",
]
