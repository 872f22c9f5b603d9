"""The number that a symbolic value denotes for given sizes and inputs, with which tests compare it.

Written independently of the comparison; the operations on numbers are those of `rise.evaluate`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rise.arguments.sizes import empty
from rise.checker.state import State
from rise.checker.values import (
    Choice,
    Element,
    Equal,
    Fold,
    Half,
    Holds,
    Index,
    Less,
    Number,
    Operation,
    Pair,
    Symbol,
    Value,
    array_form,
    elements_of,
)
from rise.inference.schemes import instantiate_primitive, parameter_names, substitute_names
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar, const
from rise.nodes import Node
from rise.primitives import lookup
from rise.programs.evaluation import evaluate
from rise.terms import DepApp, Literal, Var, abstract, apply
from rise.types import DepArrayType, DepPairType, PairType, Type, type_at
from rise.values import Rows, map_leaves, rows_of, stack


class Concrete:
    """The values of a state at given sizes, for inputs by name."""

    def __init__(self, state: State, sizes: Mapping[str, int], inputs: Mapping[str, Any]) -> None:
        self.state = state
        self.sizes: dict[Node, Any] = {NatVar(name, None): const(size) for name, size in sizes.items()}
        self.inputs = dict(inputs)

    def natural(self, a: Nat) -> int:
        """The number that a natural denotes; opaque indices are computed."""
        atoms: dict[Atom, int] = {}
        for atom in a.free:
            assert isinstance(atom, NatVar)
            opaque = next((value for value, known in self.state.opaque if atom in known.terms[0][0][0]), None)
            atoms[atom] = int(self.sizes[atom].constant) if opaque is None else int(self.neutral(opaque))
        return int(evaluate_natural(a, atoms))

    def data(self, value: Value, t: Type) -> Any:
        """The value of a type, in the form of `rise.evaluate`."""
        array = elements_of(t)
        if array is not None:
            count = self.natural(value.length)
            rows = [self.data(self.state.element(value, const(i)), array[1](const(i))) for i in range(count)]
            if rows and isinstance(t, DepArrayType):
                return rows_of(rows)
            return stack(rows) if rows else empty(array_form(substitute_names(t, self.sizes)), 0)
        match value, t:
            case Pair(first, second), PairType(a, b):
                return (self.data(first, a), self.data(second, b))
            case Pair(first, second), DepPairType(family):
                return (
                    np.asarray(self.natural(first.nat), np.int64),
                    self.data(second, type_at(family, first.nat)),
                )
            case Index(index), _:
                return np.asarray(self.natural(index), np.int64)
        return np.asarray(self.neutral(value))

    def neutral(self, value: Value) -> Any:
        """The number, or the opaque array or pair."""
        match value:
            case Symbol(name):
                return self.inputs[name]
            case Number(bits, t):
                return evaluate(Literal(bits, t))
            case Element(of, index):
                k = self.natural(index)
                return map_leaves(lambda leaf: leaf[k], self.neutral(of))
            case Half(of, which):
                return self.neutral(of)[which]
            case Choice(condition, yes, no):
                return self.neutral((yes if self.holds(condition) else no)())
            case Index(index):
                return np.asarray(self.natural(index), np.int64)
            case Fold(length, step, start, t):
                found = start
                for k in range(self.natural(length)):
                    name = f"accumulator {len(self.inputs)}"
                    self.inputs[name] = self.data(found, t)
                    found = step(self.state.reflect(Symbol(name), t), const(k))
                return self.data(found, t)
            case Operation(name, parameters, operands):
                return self.operation(name, parameters, operands)
        raise AssertionError(f"no input has {value!r}")

    def holds(self, condition: Less | Equal | Holds) -> bool:
        match condition:
            case Less(left, right):
                return self.natural(left) < self.natural(right)
            case Equal(left, right):
                return self.natural(left) == self.natural(right)
        return bool(self.neutral(condition.value))

    def operation(self, name: str, parameters: tuple[Any, ...], operands: Any) -> Any:
        """An operation, as `rise.evaluate` computes it."""
        found = [self.data(x, t) for x, t in operands]
        values = [list(one.items) if isinstance(one, Rows) else one for one in found]
        record = lookup(name)
        assert record is not None
        if record.scheme.endswith("(s, t)"):  # a choice between pairs: whether the second one is taken
            best = np.less if name.startswith("lesser") else np.greater
            return best(values[1], values[0]) | ((values[1] != values[1]) & (values[0] == values[0]))
        at = [substitute_names(parameter, self.sizes) for parameter in parameters]
        count = len(parameter_names(record.scheme)[0])
        e: Any = instantiate_primitive(record, tuple(at[:count]))
        for argument in at[count:]:
            e = DepApp(e, argument)
        inputs: list[Var] = []
        for number in range(len(values)):
            inputs.append(Var(f"x{number}", apply(e, *inputs).type.parameter))
        program = apply(e, *inputs)
        for variable in reversed(inputs):
            program = abstract(program, variable)
        return evaluate(program, *values)
