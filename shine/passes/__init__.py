"""What is done with a procedure between translation and a target."""

from __future__ import annotations

from shine.imperative import Procedure
from shine.passes.refuse_deep_nests import refuse_deep_nests


def prepare(procedure: Procedure) -> Procedure:
    """The procedure as targets take it."""
    refuse_deep_nests(procedure)
    return procedure
