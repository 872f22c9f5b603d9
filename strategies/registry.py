"""The rules and strategies that come with rise-shine, by name. Knows the modules that hold them, no target.

A file, such as a trace, may name what stands here and nothing else; a person may load any `module:name`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Final

import elevate
from elevate import FloatClass, Predicate, Rule, Strategy
from strategies import (
    cpu_gemm,
    gpu,
    gpu_reductions,
    halos,
    images,
    normal_forms,
    openmp,
    sequential,
    stencils,
    streaming,
    tensor_core,
    tiling,
    vectorizing,
)
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.lowering import positions as lowering
from strategies.parts import memory, nests, packed_tiles, products, register_tiles, schedules, staging
from strategies.rules import argmin_argmax as selections
from strategies.rules import (
    conversions,
    cpu,
    dependent,
    functions,
    fusion,
    indexing,
    invariants,
    matrix_products,
    movement,
    padding,
    permutations,
    reductions,
    shapes,
    sliding,
    streams,
    tensor_cores,
    vectors,
    weights,
    zips,
)
from strategies.rules import gpu as gpu_rules
from strategies.rules import gpu_reductions as gpu_reduction_rules
from strategies.rules import images as image_rules
from strategies.rules import let_floating as selection
from strategies.rules import lowering as lowering_rules
from strategies.rules import normal_forms as normal_form_rules
from strategies.rules import schedules as schedule_rules
from strategies.rules import staging as staging_rules
from strategies.rules import stencils as stencil_rules
from strategies.vocabulary import traversals

#: where rules stand
RULE_MODULES: Final = (
    functions,
    fusion,
    normal_form_rules,
    movement,
    padding,
    permutations,
    reductions,
    selection,
    selections,
    invariants,
    conversions,
    matrix_products,
    lowering_rules,
    dependent,
    gpu_rules,
    gpu_reduction_rules,
    staging_rules,
    stencil_rules,
    image_rules,
    tensor_cores,
    cpu,
    schedule_rules,
    indexing,
    shapes,
    sliding,
    streams,
    vectors,
    weights,
    zips,
)
#: where strategies stand; each module after those that it takes strategies from
STRATEGY_MODULES: Final = (
    lowering,
    nests,
    normal_forms,
    schedules,
    sequential,
    openmp,
    staging,
    products,
    tensor_core,
    tiling,
    halos,
    stencils,
    streaming,
    gpu_reductions,
    gpu,
    vectorizing,
    memory,
    register_tiles,
    packed_tiles,
    cpu_gemm,
    images,
)

#: types of parameters that a person can write
WRITTEN: Final = frozenset(("int", "float", "bool", "str"))


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule or a family of rules: `name` is that of the variable, `address` what `load` takes."""

    name: str
    address: str
    equation: str
    parameters: tuple[str, ...]
    why: str
    float_class: FloatClass
    rule: EquationRule | RuleFamily


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """A strategy, or a function that makes one of its parameters: names, or `name=default`."""

    name: str
    address: str
    parameters: tuple[str, ...]
    doc: str


@lru_cache(maxsize=1)
def rules() -> Mapping[str, RuleEntry]:
    """All rules by their address."""
    return MappingProxyType({one.address: one for module in RULE_MODULES for one in rules_of(module)})


@lru_cache(maxsize=1)
def strategies() -> Mapping[str, StrategyEntry]:
    """All strategies by their address. What a module takes from another stands under the other only."""
    found: dict[str, StrategyEntry] = {}
    known = {id(value) for value in vars(elevate).values()}
    for module in STRATEGY_MODULES:
        for entry, value in strategies_of(module):
            if id(value) not in known:
                known.add(id(value))
                found[entry.address] = entry
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def predicates() -> Mapping[str, Predicate]:
    """The predicates that strategies of the library ask, by `module:name`: what a saved derivation may name."""
    return MappingProxyType(
        {
            f"{module.__name__}:{name}": value
            for module in (traversals, *STRATEGY_MODULES)
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
    """The strategies of a module, each with the object: values, and functions of what a person can write."""
    docs = comments_above(module)
    for name, value in vars(module).items():
        address = f"{module.__name__}:{name}"
        if name.startswith("_"):
            continue
        if isinstance(value, Strategy) and not isinstance(value, Rule | Predicate):
            yield StrategyEntry(name, address, (), docs.get(name, "")), value
        elif inspect.isfunction(value) and value.__module__ == module.__name__:
            signature = inspect.signature(value)
            if any(one.kind is one.VAR_POSITIONAL for one in signature.parameters.values()):
                continue  # `tile(32, 32)`: parameters without names are not for `-p name=value`
            taken = {str(one.annotation) for one in signature.parameters.values()}
            if signature.return_annotation == "Strategy" and taken <= WRITTEN:
                parameters = tuple(_parameter(one) for one in signature.parameters.values())
                doc = (value.__doc__ or "").strip().split("\n")[0]
                yield StrategyEntry(name, address, parameters, doc), value


def comments_above(module: ModuleType) -> dict[str, str]:
    """What `#:` comments say of the variables of a module: they stand right above the assignment."""
    found: dict[str, str] = {}
    said: list[str] = []
    for line in inspect.getsource(module).split("\n"):
        if line.startswith("#:"):
            said.append(line[2:].strip())
            continue
        name = line.partition("=")[0].partition(":")[0].strip()
        if said and line[:1].strip() and name.isidentifier():
            found[name] = " ".join(said)
        said = []
    return found


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return parameter.name
    return f"{parameter.name}={parameter.default!r}"
