"""Strategies for RISE: rules as equations, and strategies built from them. Knows no target."""

from strategies.equations.rule import EquationRule, RuleFamily, family, rule
from strategies.lookup import load

__all__ = ["EquationRule", "RuleFamily", "family", "load", "rule"]
