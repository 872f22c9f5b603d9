"""Strategies for RISE: rules as equations, and strategies built from these. Independent of targets."""

from rise.packages import check_packages

try:
    from strategies.equations.rule import EquationRule, RuleFamily, family, rule
    from strategies.lookup import load
except ImportError:
    check_packages(("elevate",))
    raise

__all__ = ["EquationRule", "RuleFamily", "family", "load", "rule"]
