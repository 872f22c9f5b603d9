"""Proofs of rules for all sizes, on the checker of `rise.checker`."""

from strategies.proof.verdicts import Verdict, prove

__all__ = ["Verdict", "prove"]
