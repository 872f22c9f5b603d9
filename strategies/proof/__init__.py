"""Proves rules and checks derivations for all sizes, using `rise.checker`."""

from strategies.proof.certificates import Certificate, certificate, read_certificate
from strategies.proof.derivations import Checked, Part, check_derivation
from strategies.proof.verdicts import Verdict, prove

__all__ = [
    "Certificate",
    "Checked",
    "Part",
    "Verdict",
    "certificate",
    "check_derivation",
    "prove",
    "read_certificate",
]
