"""Searches spaces of strategies by building and measuring candidates. Independent of the command line."""

from shine.front.tuner.evaluators import ByFunction, Evaluator
from shine.front.tuner.isolation import Limits
from shine.front.tuner.outcomes import Budget, Found, Progress
from shine.front.tuner.results import Result, Row, State
from shine.front.tuner.search import tune
from shine.front.tuner.tuned_strategies import Tuned, tuned

__all__ = [
    "Budget",
    "ByFunction",
    "Evaluator",
    "Found",
    "Limits",
    "Progress",
    "Result",
    "Row",
    "State",
    "Tuned",
    "tune",
    "tuned",
]
