"""Readable text of a procedure after the passes of a target. Independent of targets."""

from __future__ import annotations

from shine.imperative.nodes import Procedure
from shine.imperative.text import write_procedure
from shine.passes.record import Settings
from shine.targets.target import Outline


def outline_procedure(procedure: Procedure, options: Settings) -> Outline:
    """The outline of a target that prints a procedure."""
    return write_procedure(procedure)
