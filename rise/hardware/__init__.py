"""Machines as data: limits and features of GPUs, and their matrix instructions. Knows no source text and no terms."""

from rise.hardware.architectures import ARCHITECTURES, Architecture, architecture, architecture_of
from rise.hardware.instructions import INSTRUCTIONS, MatrixInstruction, find, legal

__all__ = [
    "ARCHITECTURES",
    "INSTRUCTIONS",
    "Architecture",
    "MatrixInstruction",
    "architecture",
    "architecture_of",
    "find",
    "legal",
]
