"""Proofs that imperative programs compute what programs say, for all inputs, and iterations that are wrong."""

from shine.validation.check import check_procedure
from shine.validation.counterexamples import counterexample

__all__ = ["check_procedure", "counterexample"]
