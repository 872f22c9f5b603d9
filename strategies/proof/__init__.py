"""Proves rules and checks derivations for all sizes, using `rise.checker`."""

from strategies.proof.derivations import Checked, Part, check_derivation
from strategies.proof.verdicts import Verdict, prove

__all__ = ["Checked", "Part", "Verdict", "check_derivation", "prove"]
