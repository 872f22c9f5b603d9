"""Exceptions: code that names several primitives outside their records, each with the reason.

A file stands for all places in it, `file:name` for a variable, function or method in it.
"""

from collections.abc import Mapping
from typing import Final

NATURALS: Final = "functions of naturals, some of which have the names of scalar functions"
DRAWN: Final = "what random programs are drawn from: a law holds for any"
TRUTH: Final = "one function of numpy, on truth values and on integers"
IN_C: Final = "the C form of each scalar function: its translation, one entry or arm for each"

LET_THROUGH: Final[Mapping[str, str]] = {
    "rise/embedding/loop_numbers.py:_CALLS": "the function of numbers for each function of naturals",
    "rise/embedding/scalars.py:ADD": TRUTH,
    "rise/embedding/scalars.py:MUL": TRUTH,
    "rise/embedding/scalars.py:MIN": TRUTH,
    "rise/embedding/scalars.py:MAX": TRUTH,
    "rise/embedding/scalars.py:AND": TRUTH,
    "rise/embedding/scalars.py:OR": TRUTH,
    "rise/embedding/scalars.py:NOT": TRUTH,
    "rise/embedding/scalars.py:UFUNCS": "numpy's functions that are composed of others on complex numbers",
    "rise/embedding/values.py:METHODS": "methods of numpy arrays, some of which have the names of primitives",
    "rise/checker/proposals.py:quotients": NATURALS,
    "rise/checker/orders.py:BOUNDS": "the order of numbers, as test_orders.py checks it at the edges of types",
    "rise/checker/state.py:OPPOSITE": "the order of numbers, as test_orders.py checks it at the edges of types",
    "rise/checker/sizes.py:_bounds": NATURALS,
    "rise/inference/effort.py:cost_of": NATURALS,
    "rise/known_facts.py:_Search.is_integral_term": NATURALS,
    "rise/analysis/obligations.py:_divisors": NATURALS,
    "rise/analysis/obligations.py:_parts": NATURALS,
    "rise/quotients.py": NATURALS,
    "rise/text/nat_printer.py:_OPERATORS": NATURALS,
    "rise/einsum/elaboration.py:SUMS_OF_PRODUCTS": "what numpy's einsum computes with",
    "rise/programs/contraction_operators.py:USUAL": "what numpy's einsum computes with",
    "rise/programs/contraction_operators.py:OF_TRUTH_VALUES": "what numpy's einsum computes with, on truth values",
    "rise/testing/pipeline_parts.py": DRAWN,
    "rise/testing/pipelines.py": DRAWN,
    "rise/testing/user_programs.py:viewed": DRAWN,
    "rise/printer/spines.py:literal_of": "the terms that literals stand for, as the reader builds them",
    "rise/printer/spines.py:plain_indices": "the terms whose indices are written as numbers, as the reader builds them",
    "strategies/proof/scalars.py": "the formula of each scalar function for Z3, tested against their meanings",
    "shine/front/size_conditions.py:_tiles": NATURALS,
    "shine/imperative/intervals.py:_of_call": NATURALS,
    "shine/imperative/known_conditions.py:naturals_of": "the operations on indices that are operations on naturals",
    "shine/imperative/known_conditions.py:_folded": "operations that are computed where an argument is known",
    "shine/imperative/masks.py:_comparisons": "comparisons of indices are signs of differences of naturals",
    "shine/imperative/axes.py:_factors": NATURALS,
    "shine/imperative/naturals_text.py:_atom": NATURALS,
    "shine/passes/gpu/accessing_threads.py:_FUNCTIONS": NATURALS,
    "shine/simulator/ptx.py": "mnemonics of PTX, some of which have the names of scalar functions",
    "shine/simulator/ptx_asynchronous.py": "mnemonics of PTX",
    "shine/simulator/ptx_barriers.py": "mnemonics of PTX",
    "shine/simulator/ptx_orders.py": "mnemonics of PTX",
    "shine/passes/cpu/peel_borders.py:_is_choice": NATURALS,
    "shine/targets/c/c11.py:C11": "operations that C lacks on a type, and that are computed on its bits",
    "shine/targets/c/complex_numbers.py": IN_C,
    "shine/targets/c/functions.py": IN_C,
    "shine/targets/c/helpers.py": IN_C,
    "shine/targets/c/index_forms.py": IN_C,
    "shine/targets/c/gcc_defects.py": "operations on numbers of which gcc knows that they are never -0",
    "shine/targets/c/operations.py": IN_C,
    "shine/targets/cuda/atomics.py:_BUILTIN": "types on which CUDA has an update; others are composed",
    "shine/targets/cuda/dialect.py:cuda_dialect": "operations that CUDA has on 16 bits; others are computed as float",
    "shine/targets/cuda/dialect.py:_SELECTIONS": "operations that CUDA has as one instruction from sm_80 on",
    "shine/targets/interpreter/arithmetic.py:OPERATIONS": "the numpy form of each operation: its translation",
    "shine/targets/interpreter/values.py:FUNCTIONS": NATURALS,
    "shine/targets/interpreter/values.py:_operation": "operations that look at more than their arguments: translations",
    "shine/translate/streams.py:STREAMED": "translations of elements that are read in order",
    "strategies/rules/vector_terms.py:READ_AS_VECTORS": "the roots of the terms that `as_vectors` builds",
    "strategies/rules/vector_terms.py:_read_so": "the inverse of `as_vectors`, which builds these terms",
    "strategies/rules/vector_terms.py:vectors_of": "the inverse of `as_vectors`, which builds these terms",
    "strategies/rules/reductions.py:is_selection": "a condition on the function of a rule, given by two equations",
    "strategies/testing/terms.py:BINARY": DRAWN,
    "strategies/testing/terms.py:UNARY": DRAWN,
    "strategies/testing/terms.py:digest": DRAWN,
    "strategies/testing/terms.py:random_function": DRAWN,
}
