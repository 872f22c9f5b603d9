"""Whether the program of a candidate computes what was asked for: proved by its indices, refuted, or unknown.

The program is the one after the passes of the target, so that only its printing and the compiler remain to be compared.
"""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from rise.checker import check
from rise.diagnostics import Diagnostic
from rise.records import dataclass
from rise.terms import Expr
from shine.imperative.nodes import Procedure
from shine.validation import check_procedure, counterexample
from strategies.proof.operators import operators_of

PROVED: Final = "proved"
TRANSLATED: Final = "translation proved"
EFFORT: Final = 10_000  # steps of the checker, at most some three seconds


@dataclass(frozen=True, slots=True)
class Validity:
    """`text` is `proved`, or why this is unknown; it begins with `translation proved` if the imperative program is
    proved to compute the lowered one. `finding` is a mistake in the program, if one was found.
    """

    text: str
    finding: Diagnostic | None = None


def validity_of(program: Expr, low: Expr, procedure: Procedure, float_class: FloatClass) -> Validity:
    """The validity of a procedure for a program and its lowered form, all of fixed sizes. Floating-point results may
    differ as far as derivations of this class may change them.
    """
    if not __debug__:
        return Validity("unknown: the checker needs Python without -O")
    operators = operators_of(program, low) if float_class >= FloatClass.REASSOCIATING else ()
    contracts = float_class >= FloatClass.CONTRACTING
    whole = check_procedure(program, procedure, low, operators, contracts, EFFORT)
    if whole:
        return Validity(PROVED)
    if not check_procedure(low, procedure, effort=EFFORT):
        return Validity(f"unknown: {whole.reason}", counterexample(procedure))
    derived = check(program, low, operators, contracts, EFFORT)
    return Validity(PROVED if derived else f"{TRANSLATED}: the lowered program: {derived.reason}")
