"""Strategies for RISE: rules as equations, and what is built from them. Knows no target."""

from strategies.equations.rule import EquationRule, RuleFamily, family, rule
from strategies.lookup import load

__all__ = ["EquationRule", "RuleFamily", "family", "load", "rule"]
