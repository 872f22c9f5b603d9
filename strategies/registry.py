"""The rules and strategies that come with rise-shine, by name.

Depends on the modules that define them, but not on targets.

Files, such as traces, may name only entries of this registry; users may load any `module:name`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Final

import elevate
from elevate import FloatClass, Predicate, Rule, Strategy
from rise.records import dataclass
from strategies import (
    attention,
    attention_tiles,
    choices,
    contractions,
    cpu_gemm,
    gpu,
    gpu_contractions,
    gpu_kernels,
    gpu_products,
    gpu_reductions,
    gpu_rows,
    halos,
    images,
    normal_forms,
    openmp,
    python_loops,
    sequential,
    sharing,
    stencils,
    streaming,
    tensor_core,
    tiling,
    transposes,
    vectorizing,
)
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.fireiron import derivation as fireiron_parts
from strategies.fireiron import kinds as fireiron_kinds
from strategies.fireiron import places as fireiron_places
from strategies.lowering import levels
from strategies.lowering import positions as lowering
from strategies.lowering import predicates as lowering_predicates
from strategies.parts import (
    batched_products,
    contraction_nests,
    contraction_phases,
    few_columns,
    fragments,
    joined_maps,
    launchable,
    lists,
    loop_order,
    memory,
    nests,
    packed_tiles,
    partial_results,
    product_chains,
    products,
    reduction_trees,
    register_tiles,
    scans,
    schedules,
    searches,
    short_rows,
    staging,
    thread_tiles,
    transposed_reads,
    turned_blocks,
)
from strategies.parts import pipelines as pipeline_parts
from strategies.parts import (
    streams as stream_parts,
)
from strategies.rules import (
    accumulators,
    compression,
    conversions,
    cpu,
    dependent,
    functions,
    fusion,
    indexing,
    invariants,
    iterations,
    matrix_products,
    movement,
    orders,
    padding,
    permutations,
    pipelines,
    product_steps,
    reductions,
    shapes,
    shared_sums,
    sliding,
    softmax,
    streams,
    strides,
    symmetric_products,
    tensor_cores,
    vectors,
    weights,
    zips,
)
from strategies.rules import argmin_argmax as selections
from strategies.rules import contractions as contraction_rules
from strategies.rules import gpu as gpu_rules
from strategies.rules import gpu_kernels as gpu_kernel_rules
from strategies.rules import gpu_reductions as gpu_reduction_rules
from strategies.rules import images as image_rules
from strategies.rules import let_floating as selection
from strategies.rules import lowering as lowering_rules
from strategies.rules import normal_forms as normal_form_rules
from strategies.rules import schedules as schedule_rules
from strategies.rules import sharing as sharing_rules
from strategies.rules import staging as staging_rules
from strategies.rules import stencils as stencil_rules
from strategies.tensor_core import attention as attention_on_tensor_cores
from strategies.tensor_core import designs, implicit_gemm, ladder, supported_types
from strategies.vocabulary import traversals

#: the modules that define rules
RULE_MODULES: Final = (
    functions,
    fusion,
    normal_form_rules,
    movement,
    orders,
    compression,
    padding,
    permutations,
    reductions,
    selection,
    selections,
    invariants,
    sharing_rules,
    conversions,
    matrix_products,
    symmetric_products,
    contraction_rules,
    lowering_rules,
    dependent,
    gpu_rules,
    gpu_reduction_rules,
    gpu_kernel_rules,
    staging_rules,
    pipelines,
    product_steps,
    accumulators,
    strides,
    stencil_rules,
    image_rules,
    tensor_cores,
    cpu,
    schedule_rules,
    indexing,
    shapes,
    shared_sums,
    sliding,
    softmax,
    streams,
    iterations,
    vectors,
    weights,
    zips,
)
#: the modules that define strategies, each after those that it imports strategies from
STRATEGY_MODULES: Final = (
    levels,
    lowering,
    nests,
    normal_forms,
    schedules,
    stream_parts,
    memory,
    staging,
    pipeline_parts,
    launchable,
    products,
    product_chains,
    fragments,
    turned_blocks,
    reduction_trees,
    register_tiles,
    batched_products,
    contraction_nests,
    joined_maps,
    packed_tiles,
    contraction_phases,
    thread_tiles,
    few_columns,
    lists,
    loop_order,
    transposed_reads,
    partial_results,
    searches,
    short_rows,
    sequential,
    choices,
    sharing,
    openmp,
    contractions,
    tiling,
    halos,
    stencils,
    transposes,
    python_loops,
    streaming,
    gpu_reductions,
    gpu_kernels,
    gpu_rows,
    gpu_products,
    gpu_contractions,
    gpu,
    supported_types,
    designs,
    attention,
    attention_tiles,
    tensor_core,
    implicit_gemm,
    ladder,
    vectorizing,
    cpu_gemm,
    images,
    fireiron_places,
    fireiron_parts,
    fireiron_kinds,
    attention_on_tensor_cores,
)

#: modules with predicates that are parameters of rules, and without strategies that users name
PREDICATE_MODULES: Final = (traversals, scans, lowering_predicates)

#: types of parameters that users can give as text
TEXT_TYPES: Final = frozenset(("int", "float", "bool", "str"))
#: other types of such parameters: absent, and records that have a name
RECORDS: Final = frozenset(("None", "Processor"))


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule or a family of rules. `name` is that of the variable, `address` the argument of `load`."""

    name: str
    address: str
    equation: str
    parameters: tuple[str, ...]
    why: str
    float_class: FloatClass
    rule: EquationRule | RuleFamily


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """A strategy, or a function that returns one. `parameters` are names, `name=default`, or `name=...`
    for a default that follows from others."""

    name: str
    address: str
    parameters: tuple[str, ...]
    doc: str


@lru_cache(maxsize=1)
def rules() -> Mapping[str, RuleEntry]:
    """All rules by their address."""
    return MappingProxyType({entry.address: entry for module in RULE_MODULES for entry in rules_of(module)})


@lru_cache(maxsize=1)
def strategies() -> Mapping[str, StrategyEntry]:
    """All strategies by their address, each only under the module that defines it."""
    entries: dict[str, StrategyEntry] = {}
    known = {id(value) for value in vars(elevate).values()}
    for module in STRATEGY_MODULES:
        for entry, value in strategies_of(module):
            if id(value) not in known:
                known.add(id(value))
                entries[entry.address] = entry
    return MappingProxyType(entries)


@lru_cache(maxsize=1)
def predicates() -> Mapping[str, Predicate]:
    """The predicates of the library by `module:name`, which saved derivations may name."""
    return MappingProxyType(
        {
            f"{module.__name__}:{name}": value
            for module in (*PREDICATE_MODULES, *STRATEGY_MODULES)
            for name, value in vars(module).items()
            if isinstance(value, Predicate)
        }
    )


def rules_of(module: ModuleType) -> Iterator[RuleEntry]:
    """The rules that a module defines."""
    for name, value in vars(module).items():
        match value:
            case RuleFamily(rule, parameters) if rule.module == module.__name__:
                pass
            case EquationRule(module=home) as rule if home == module.__name__:
                parameters = ()
            case _:
                continue
        address = f"{module.__name__}:{name}"
        yield RuleEntry(name, address, rule.equation, parameters, rule.why, rule.float_class, value)


def strategies_of(module: ModuleType) -> Iterator[tuple[StrategyEntry, object]]:
    """The strategies of a module, each with its object: values, and functions of parameters given as text."""
    docs = comments_above(module)
    for name, value in vars(module).items():
        address = f"{module.__name__}:{name}"
        if name.startswith("_"):
            continue
        if isinstance(value, Strategy) and not isinstance(value, Rule | Predicate):
            yield StrategyEntry(name, address, (), _sentence(docs.get(name, ""))), value
        elif inspect.isfunction(value) and value.__module__ == module.__name__:
            signature = inspect.signature(value)
            if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
                continue  # as in `tile(32, 32)`: `-p name=value` cannot pass parameters without names
            annotations = {str(p.annotation) for p in signature.parameters.values()}
            if signature.return_annotation == "Strategy" and all(map(_is_given_as_text, annotations)):
                parameters = tuple(map(_parameter, signature.parameters.values()))
                summary = inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0]
                yield StrategyEntry(name, address, parameters, _sentence(summary)), value


def _sentence(text: str) -> str:
    """A text as a sentence on one line.

    >>> _sentence("lower a map\\n to a loop")
    'Lower a map to a loop.'
    """
    words = " ".join(text.split())
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}." if words else ""


def _is_given_as_text(annotation: str) -> bool:
    """Whether a parameter accepts text, perhaps among other types."""
    alternatives = frozenset(annotation.split(" | "))
    return not alternatives.isdisjoint(TEXT_TYPES) and alternatives <= TEXT_TYPES | RECORDS


def comments_above(module: ModuleType) -> dict[str, str]:
    """The `#:` comments of a module's variables, which are right above the assignments."""
    comments: dict[str, str] = {}
    pending: list[str] = []
    for line in inspect.getsource(module).split("\n"):
        if line.startswith("#:"):
            pending.append(line[2:].strip())
            continue
        name = line.partition("=")[0].partition(":")[0].strip()
        if pending and line[:1].strip() and name.isidentifier():
            comments[name] = " ".join(pending)
        pending = []
    return comments


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return parameter.name
    if parameter.default is None:
        return f"{parameter.name}=..."  # its default follows from other parameters
    return f"{parameter.name}={parameter.default!r}"
