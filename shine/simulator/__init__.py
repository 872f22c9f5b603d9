"""Runs CUDA code on any machine with a C++ compiler, and finds races. Independent of terms and strategies."""

from shine.simulator.builder import build
from shine.simulator.model import (
    Access,
    Buffer,
    Deferral,
    Finding,
    Limits,
    Needless,
    Report,
    SharedArray,
    SimulatorError,
)
from shine.simulator.program import Program
from shine.simulator.schedules import is_schedule
from shine.simulator.tensor_maps import TensorMap, im2col_map, tensor_map

__all__ = [
    "build",
    "is_schedule",
    "Program",
    "Report",
    "Finding",
    "Access",
    "Buffer",
    "Deferral",
    "SharedArray",
    "Limits",
    "Needless",
    "SimulatorError",
    "TensorMap",
    "tensor_map",
    "im2col_map",
]
