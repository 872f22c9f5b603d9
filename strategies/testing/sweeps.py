"""Tests rules at all small sizes, on distinct numbers, and on functions whose results differ for different arguments.

A rule that only moves data is correct for all data of a size if it is correct for distinct numbers. Independent of
particular rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain, product
from random import Random
from typing import Any, Final

import rise
from elevate import FloatClass
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar, const
from rise.nodes import Node, postorder
from rise.records import dataclass
from rise.scalars import SCALARS, kind_classes
from rise.terms import Expr, Primitive, Var, make_literal
from rise.testing.comparison import same
from rise.testing.edges import NoRowsError, numbered, rough
from rise.types import (
    F32,
    F64,
    ArrayType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeVar,
    classes_of,
)
from strategies.equations.compilation import Compiled
from strategies.equations.instances import binders_of, instantiated
from strategies.equations.inverses import PROMISES
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.evidence import Record
from strategies.testing.exercise import exercise, recorded, size_names
from strategies.testing.instances import MANY_SIZES, relies_on_promise
from strategies.testing.refutations import WrongError, applied, demanding, refuse, wrong
from strategies.testing.rows import Difference, likeness
from strategies.testing.size_requirements import demands, holds, unstated, violating
from strategies.testing.terms import I64, Source, closed, digest, function_of, primitive

SWEPT_SIZES: Final = (4, 4, 3, 2)
"""The largest size for a rule with so many sizes; for rules with more, it is the last of these."""
MOST_SIZES: Final = 300
"""The maximum number of combinations of sizes at which a rule is tested."""
FEW_SIZES: Final = 20
"""The number of combinations at which a rule with many sizes is tested, since each takes long; random instances cover
more.
"""
ROUGH_INPUTS: Final = 8
"""The number of inputs of a sum of floats: in half of them, another order changes how four are rounded."""
SWEPT_PARAMETERS: Final = (1, 2, 3)


def sweep(given: EquationRule | RuleFamily) -> int:
    """Evaluate both sides of a rule at all small sizes for which it has an instance. Returns the number of these.

    Raises StrategyError with the first sizes at which the results differ. Functions hash all of their arguments to a
    number, so that different arguments give different results.
    """
    if isinstance(given, RuleFamily):
        return sum(sweep(given(*[size] * len(given.parameters))) for size in SWEPT_PARAMETERS)
    if len(given.forms) > 1:
        return sum(map(sweep, given.forms))
    return swept(given).firings


@lru_cache(maxsize=1 << 10)
def swept(rule: EquationRule) -> Record:
    """The coverage of a sweep of a rule with one equation. Raises the same errors as `sweep`."""
    compiled = rule.compiled
    record = recorded(compiled)
    called = size_names(compiled.left)
    names = sorted(
        (v for v in compiled.left.free if isinstance(v, NatVar) and v not in rule.given), key=lambda v: v.name
    )
    sizes = range(SWEPT_SIZES[min(len(names), len(SWEPT_SIZES) - 1)] + 1)
    combinations = list(product(sizes, repeat=len(names)))
    most = FEW_SIZES if len(names) >= MANY_SIZES else MOST_SIZES
    if len(combinations) > most:
        combinations = sorted(Random(0).sample(combinations, most))
    fired: list[_Firing] = []
    at_small = [dict(zip(names, chosen, strict=True)) for chosen in combinations]
    for numbers in _numbers(rule, compiled):
        for at in chain(at_small, violating(rule, names)):
            named = {name: value.constant for name, value in rule.arguments if value.constant is not None}
            named |= {called[name]: size for name, size in at.items()}
            one = _sweep_at(rule, compiled, at, dict(sorted(named.items())), record, numbers)
            fired += [one] if one is not None else []
    for one in reversed(fired):  # differences show up in long arrays first
        if record.is_complete():
            break
        exercise(record, compiled, one.terms, one.known, one.program, rule.float_class)
        if all(size > 1 for size in one.sizes.values()):
            # all functions depend on all of their arguments here, so what does not matter here never does
            record.fixed |= {name for name, count in record.metavariables.items() if not count}
    return record


@dataclass(frozen=True, slots=True)
class _Firing:
    """An instance at which a rule fired, with what is needed to exercise its parts."""

    sizes: Mapping[str, int]
    terms: dict[str, Expr]
    known: dict[Node, Any]
    program: Callable[[Expr], Expr]


def _sweep_at(
    rule: EquationRule,
    compiled: Compiled,
    sizes: dict[NatVar, int],
    named: dict[str, int],
    record: Record,
    numbers: ScalarType,
) -> _Firing | None:
    """Test a rule at sizes, on numbers of a type; None if it has no instance of these sizes."""
    pattern = compiled.left
    known: dict[Node, Any] = {**rule.given, **{name: const(size) for name, size in sizes.items()}}
    known |= {t: _type(t.kind, numbers) for t in pattern.free if isinstance(t, TypeVar)}

    def program(e: Expr) -> Expr:
        return closed(e, parameters)

    try:
        terms, parameters = _terms(rule, compiled, known, numbers)
        left = instantiated(pattern, terms, known)
    except (rise.RiseError, AssertionError, ZeroDivisionError, NoRowsError):
        return None  # these sizes are not compatible, or a type has no distinct values
    try:
        before = program(left)
        if not holds(before):
            return None
        right = applied(rule, left)
        if right is None:
            return None  # a condition does not hold, or the rule has no instance of these sizes
        after = program(right)
        inputs = _inputs(parameters, numbers)
        expected = [rise.evaluate(before, *each) for each in inputs]
    except WrongError as error:
        refuse(rule, error, [f"  {name} = {size}" for name, size in named.items()])
    except (rise.RiseError, ZeroDivisionError, NoRowsError):
        return None
    more: tuple[str, ...] = ()
    if not holds(after):
        record.demands |= dict.fromkeys(demands(compiled.left, compiled.right))
        more = unstated(rule, after, named)
        if not more:
            return None
    record.firings += 1
    record.inputs += len(inputs)
    record.at(named)
    alike = likeness(before, after, rule.float_class)
    for arguments, wanted in zip(inputs, expected, strict=True):
        try:
            actual: Any = rise.evaluate(after, *arguments)
        except rise.RiseError as error:
            actual = error
        found = Difference(arguments, wanted, actual)
        if more:
            refuse(rule, demanding(rule.name, more, before, after, found, named))
        if isinstance(actual, rise.RiseError) or not same(wanted, actual, alike):
            refuse(rule, wrong(rule.name, before, after, found, named))
    return _Firing(named, terms, known, program)


def _numbers(rule: EquationRule, compiled: Compiled) -> list[ScalarType]:
    """The types of the numbers to which functions hash their arguments. It is a float for a rule that approximates,
    since an integer changes entirely where it rounds differently, which says nothing about the rule. A rule of exact
    float class for reductions is tested on integers, and then on floats, whose sums depend on the order.
    """
    if rule.float_class is FloatClass.APPROXIMATE:
        return [F64]
    is_of_sums = bool(rule.where) and any(
        isinstance(node, Primitive) and node.name in PROMISES for node in postorder(compiled.left)
    )
    return [I64, F32] if is_of_sums and rule.float_class is FloatClass.EXACT else [I64]


def _type(kind: str, numbers: ScalarType) -> Type:
    """A type of a kind; that of the numbers if possible."""
    candidates = (numbers, I64, F64)
    return next((t for t in candidates if kind_classes(kind) <= (classes_of(t) or frozenset())), I64)


def _terms(
    rule: EquationRule, compiled: Compiled, known: dict[Node, Any], numbers: ScalarType
) -> tuple[dict[str, Expr], list[Var]]:
    pattern = compiled.left
    binders = binders_of(pattern, known)
    parameters: list[Var] = []
    terms: dict[str, Expr] = {}
    source = Source(draw=lambda strategy: None)
    has_conditions = bool(rule.where or rule.compute)
    for index, variable in enumerate(
        sorted((v for v in pattern.free if isinstance(v, Var)), key=lambda v: v.name)
    ):
        t = substitute_names(variable.given, known)
        scope = [binders[b] for b in sorted(compiled.matcher.may_mention[variable.name])]
        # promises are about functions: without conditions, the start of a reduction is any number
        is_plain = has_conditions or (relies_on_promise(rule) and not isinstance(t, ScalarType))
        plain = _operation(t) if is_plain and not scope else None
        if plain is not None:
            terms[variable.name] = plain
        elif scope or isinstance(t, FunType):
            terms[variable.name] = _function(source, t, scope, _start(index, numbers))
        else:
            parameters.append(Var(variable.name, t))
            terms[variable.name] = parameters[-1]
    return terms, parameters


def _operation(t: Type) -> Expr | None:
    """Terms that satisfy conditions of reductions: `add` for a function of two numbers, 0 for a number."""
    match t:
        case FunType(ScalarType() as a, FunType(ScalarType() as b, ScalarType() as c)) if a == b == c:
            return primitive("add", (a,))
        case ScalarType():
            return make_literal(0, t)
    return None


def _start(index: int, numbers: ScalarType) -> Expr:
    """The number that the function of this index hashes without arguments. Among floats it is small, since differences
    are compared with the size of the result.
    """
    return make_literal(7 + 4 * index if numbers == I64 else index + 1, numbers)


def _function(source: Source, t: Type, scope: list[Var], start: Expr) -> Expr:
    """A function, or a value in the scope of variables, computed from all of its arguments and all variables, as a
    number of the type of `start`.
    """
    if isinstance(t, FunType):
        x = source.variable(t.parameter)
        return function_of(x, _function(source, t.result, [*scope, x], start))
    number, numbers = start, start.type
    factor = make_literal(131 if numbers == I64 else 2, numbers)
    for variable in scope:
        scaled = primitive("mul", (numbers,), number, factor)
        number = primitive("add", (numbers,), scaled, digest(source, variable, numbers))
    return _value_from(source, t, number)


def _value_from(source: Source, t: Type, number: Expr) -> Expr:
    """A value of a type, computed from a number such that different numbers give different values."""
    numbers = number.type
    match t:
        case ScalarType("bool"):
            return primitive("lt", (numbers,), make_literal(0, numbers), number)
        case ScalarType(name) if name in SCALARS:
            return number if t == numbers else primitive("cast", (t, numbers), number)
        case PairType(first, second):
            other = primitive("mul", (numbers,), number, make_literal(3, numbers))
            return primitive(
                "pair",
                (first, second),
                _value_from(source, first, number),
                _value_from(source, second, other),
            )
        case ArrayType(size, element):
            i = source.variable(IndexType(size))
            scaled = primitive("mul", (numbers,), number, make_literal(37, numbers))
            inside = primitive("add", (numbers,), scaled, digest(source, i, numbers))
            return primitive(
                "generate", (size, element), function_of(i, _value_from(source, element, inside))
            )
    raise NoRowsError(f"no value of type {t} can be computed from a number")


def _inputs(parameters: list[Var], numbers: ScalarType) -> list[list[Any]]:
    """Values for parameters: one in which all numbers differ, or several of floats whose sums are rounded."""
    plain = [numbered(parameter.type, 1 + 1000 * index) for index, parameter in enumerate(parameters)]
    if numbers != F32:
        return [plain]
    return [[rough(one, seed) for one in plain] for seed in range(ROUGH_INPUTS)]
