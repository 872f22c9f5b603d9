"""Shine: from low-level RISE to kernels that run. Knows no strategy and no text of programs."""

from shine.kernel import Kernel, Timing
from shine.pipeline import compile
from shine.targets import TARGETS

__all__ = ["TARGETS", "Kernel", "Timing", "compile"]
