"""Machines as data: processors, limits and features of GPUs, matrix instructions. Knows no source text and no terms."""

from rise.hardware.architectures import ARCHITECTURES, Architecture, architecture, architecture_of
from rise.hardware.instructions import INSTRUCTIONS, MatrixInstruction, find, legal
from rise.hardware.processors import DEFAULT, PROCESSORS, Processor, processor

__all__ = [
    "ARCHITECTURES",
    "DEFAULT",
    "INSTRUCTIONS",
    "PROCESSORS",
    "Architecture",
    "MatrixInstruction",
    "Processor",
    "architecture",
    "architecture_of",
    "find",
    "legal",
    "processor",
]
