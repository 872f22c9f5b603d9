"""Hypothesis strategies for RISE: sizes, types, literals, well-typed terms, programs with arguments.

This is the only package in `rise` that needs Hypothesis.

>>> from hypothesis import find
>>> find(scalars(), lambda t: t.name == "f32")
f32
"""

from rise.dsl.terms import context_of
from rise.testing.literals import literals
from rise.testing.pipelines import pipelines
from rise.testing.programs import Run, programs, values
from rise.testing.terms import DEPTH, Open, closed, features, open_terms, terms
from rise.testing.types import data_types, naturals, scalars, sizes, types
from rise.testing.user_programs import written_programs

__all__ = [
    "DEPTH",
    "Open",
    "Run",
    "closed",
    "context_of",
    "data_types",
    "features",
    "literals",
    "naturals",
    "open_terms",
    "pipelines",
    "programs",
    "scalars",
    "sizes",
    "terms",
    "types",
    "values",
    "written_programs",
]
