"""`shine.torch.op`: registers a kernel as a PyTorch operator, by `torch.library`. Independent of targets.

PyTorch gets a schema of tensors and numbers, the kernel for CPU tensors, and the shapes and types of the results, from
the program's type and sizes, which it needs to compile a function without running it. These may be symbolic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from importlib import import_module
from math import lcm
from typing import Any, Final

import numpy as np

from rise.argument_checks import Termlike
from rise.arguments.leaves import Leaf
from rise.arguments.libraries import given_as
from rise.arguments.mismatches import (
    array_name,
    found_text,
    given_number,
    is_python_number,
    mismatch,
    shape_text,
)
from rise.arguments.torch_tensors import TORCH
from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import Atom, Nat, variable_of
from rise.nodes import postorder
from rise.quotients import NatCall
from rise.records import dataclass
from rise.tracebacks import ends_at_the_users_line
from shine.front.operators import Operand, Operator, assembled, operator_of, placeholder, refuse_missing
from shine.kernel import Kernel

#: where operators are if a name has no namespace: `torch.ops.shine`
NAMESPACE: Final = "shine"
#: types of numbers in schemas, by the kinds of numpy's types
SCHEMA_TYPES: Final = {"b": "bool", "i": "int", "u": "int", "c": "complex"}


@dataclass(frozen=True, slots=True, weakref_slot=True)  # jitted functions are referred to weakly
class TorchOperator:
    """A kernel that is registered with PyTorch as `torch.ops.<name>`. Call it with tensors, also in functions that
    `torch.compile` compiles.

    `definition` is PyTorch's `CustomOpDef`; its `register_autograd` and `register_vmap` add gradients and batching.
    """

    name: str
    kernel: Kernel
    definition: Any
    _operator: Operator = field(repr=False)
    _torch: Any = field(repr=False)

    @ends_at_the_users_line
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The result for tensors and numbers. Raises RiseError for arguments that do not fit."""
        if named or len(arguments) != len(self._operator.tree) or not self._operator.is_flat:
            arguments = tuple(self._operator.bound(arguments, named))
        if not self._torch.compiler.is_compiling():  # functions are traced with symbols in place of numbers
            _check_kinds(self._torch, self._operator.operands, arguments)
        return assembled(self._operator.result, _as_tuple(self._operator, self.definition(*arguments)))


@ends_at_the_users_line
def op(program: Termlike | Kernel, *, name: str | None = None, **options: Any) -> TorchOperator:
    """Register a program, or a kernel that runs on CPUs, as a PyTorch operator.

    The operator takes and returns tensors for arrays, numbers for numbers, and tuples for pairs. `torch.compile`,
    `torch.export` and fake tensors know the shapes and types of its results, and `torch.vmap` runs it for
    each element of a batch. It has no gradient, unless `register_autograd` of its `definition` gives one. `name` is
    `"name"` or `"namespace::name"`; without it the operator is named after the kernel and its text. The same kernel can
    be registered again. Options are those of `shine.compile`.

    Raises RiseError if PyTorch is not installed, for a name that another kernel has, and for a program that takes no
    array, or takes or returns rows of different lengths.
    """
    torch = _torch()
    operator = operator_of(program, options)
    if not any(one.is_array for one in operator.operands):
        title = "expected a program that takes arrays, found one that takes none"
        hint = "call the kernel itself: PyTorch selects operators by their tensor arguments"
        raise RiseError(Diagnostic("no-operator", title, hint=hint))
    full_name = _full_name(name or operator.name)
    known = _OPERATORS.get(full_name)
    if known is not None:
        if (
            known.kernel.source == operator.kernel.source
            and known.kernel.signature == operator.kernel.signature
        ):
            return known
        title = f"expected an unused operator name, found `{full_name}`, which is another kernel"
        raise RiseError(Diagnostic("name-taken", title, hint="choose another `name`, or omit it"))

    def run(*flat: Any) -> Any:
        return _results(
            [given_as(TORCH, one) if isinstance(one, np.ndarray) else one for one in operator.run(flat)]
        )

    def shapes(*flat: Any) -> Any:
        is_meta = any(one.is_meta for one in flat if isinstance(one, torch.Tensor))
        device = "meta" if is_meta else "cpu"
        return _results(
            [
                torch.empty(shape, dtype=getattr(torch, leaf.dtype.name), device=device)
                for shape, leaf in zip(result_shapes(operator, flat), operator.outputs, strict=True)
            ]
        )

    definition = torch.library.custom_op(
        full_name, run, mutates_args=(), device_types="cpu", schema=schema_of(operator)
    )
    definition.register_fake(shapes)
    definition.register_vmap(
        lambda info, axes, *flat: _one_by_one(torch, operator, definition, info.batch_size, axes, flat)
    )
    made = TorchOperator(full_name, operator.kernel, definition, operator, torch)
    _OPERATORS[full_name] = made
    return made


#: the operators of this process, as PyTorch has them
_OPERATORS: Final[dict[str, TorchOperator]] = {}


def schema_of(operator: Operator) -> str:
    """The operator's schema in PyTorch's notation."""
    operands = ", ".join(f"{_schema_type(one)} {one.name}" for one in operator.operands)
    count = len(operator.outputs)
    results = "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
    return f"({operands}) -> {results}"


def _schema_type(operand: Operand) -> str:
    if operand.leaf is None:
        return "SymInt"
    return "Tensor" if operand.is_array else SCHEMA_TYPES.get(operand.leaf.dtype.kind, "float")


def result_shapes(operator: Operator, flat: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The shapes of the results, in the symbols of the arguments' shapes. If these do not suffice, for example for
    sizes that an equation determines, the shapes are fixed to their present values. Raises RiseError for arguments that
    do not fit.
    """
    sizes: dict[Atom, Any] = {}
    for _, size in operator.kernel.procedure.explicit:
        sizes[size] = operator.sizes(flat)[size.name]
    for one, value in zip(operator.operands, flat, strict=True):
        if one.leaf is not None and one.is_array:
            _check_type(one.leaf, value)
            for natural, extent in zip(one.leaf.shape, value.shape, strict=True):
                if (variable := variable_of(natural)) is not None:
                    sizes.setdefault(variable, extent)
    try:
        return [tuple(symbolic(extent, sizes) for extent in leaf.shape) for leaf in operator.outputs]
    except (KeyError, ZeroDivisionError, NotImplementedError):
        shown = [
            placeholder(tuple(map(int, value.shape)) if one.is_array else (), one.leaf.dtype)
            for one, value in zip(operator.operands, flat, strict=True)
            if one.leaf is not None
        ]
        given = {name: int(value) for name, value in operator.sizes(flat).items()}
        return list(operator.kernel.resolve(shown, given).outputs)


def _check_kinds(torch: Any, operands: Sequence[Operand], flat: Sequence[Any]) -> None:
    """Raise RiseError for an argument that is not a tensor where one is expected, and for an unsuitable number."""
    for operand, value in zip(operands, flat, strict=True):
        if operand.leaf is None or isinstance(value, torch.Tensor):
            continue
        if operand.is_array:
            dtype = operand.leaf.dtype.name
            hint = f"convert it: torch.as_tensor({operand.name}, dtype=torch.{dtype})"
            is_numpys = isinstance(value, np.ndarray)
            shown = f"{array_name(value)} of {shape_text(value)}" if is_numpys else found_text(value)
            mismatch(operand.leaf.parameter, operand.leaf.type, shown, hint)
        if is_python_number(value):
            given_number(operand.leaf.parameter, operand.leaf.type, value, operand.leaf.dtype)


def _check_type(leaf: Leaf, tensor: Any) -> None:
    """Raise RiseError for a tensor of another type or rank."""
    has_type = str(tensor.dtype) == f"torch.{leaf.dtype.name}"
    if not has_type or tensor.dim() != len(leaf.shape):
        found = f"a torch.Tensor of shape {tuple(tensor.shape)} of {tensor.dtype}"
        mismatch(
            leaf.parameter, leaf.type, found, "" if has_type else f"convert it: {TORCH.cast(leaf.dtype)}"
        )


def symbolic(natural: Nat, sizes: dict[Atom, Any]) -> Any:
    """The value of a natural for sizes that may be symbols of PyTorch.

    Raises KeyError for a size that is missing, and NotImplementedError for an operation that symbols lack.
    """
    known: dict[int, tuple[Any, int]] = {}  # numerators and denominators
    for node in postorder(natural):
        match node:
            case NatCall(_, arguments) if node not in sizes:
                numbers, divisors = zip(*(known[id(one)] for one in arguments), strict=True)
                if node.of_numbers is None or any(divisor != 1 for divisor in divisors):
                    raise NotImplementedError
                known[id(node)] = (node.of_numbers(*numbers), 1)
            case Atom():
                known[id(node)] = (sizes[node], 1)
            case Nat(terms):
                parts: list[tuple[Any, int]] = []
                for monomial, coefficient in terms:
                    number, divisor = coefficient.numerator, coefficient.denominator
                    for base, exponent in monomial:
                        if not isinstance(exponent, int) or exponent < 0:
                            raise NotImplementedError
                        above, below = known[id(base)]
                        number, divisor = number * above**exponent, divisor * below**exponent
                    parts.append((number, divisor))
                common = lcm(*(divisor for _, divisor in parts))
                known[id(node)] = (sum(number * (common // divisor) for number, divisor in parts), common)
    number, divisor = known[id(natural)]
    return number if divisor == 1 else number // divisor


def _one_by_one(
    torch: Any,
    operator: Operator,
    definition: Any,
    count: int,
    axes: Sequence[int | None],
    flat: Sequence[Any],
) -> tuple[Any, Any]:
    """The results for each element of a batch, given the batch axes of the arguments; and the batch axes of the
    results.
    """
    results = []
    for element in range(count):
        parts = zip(flat, axes, strict=True)
        chosen = [value if axis is None else value.select(axis, element) for value, axis in parts]
        results.append(_as_tuple(operator, definition(*chosen)))
    stacked = tuple(torch.stack(parts) for parts in zip(*results, strict=True))
    return _results(stacked), _results([0] * len(stacked))


def _torch() -> Any:
    """The module `torch`. Raises RiseError if it is not installed."""
    try:
        return import_module("torch")
    except ImportError as problem:
        refuse_missing("torch", problem)


def _results(flat: Sequence[Any]) -> Any:
    return flat[0] if len(flat) == 1 else tuple(flat)


def _as_tuple(operator: Operator, results: Any) -> tuple[Any, ...]:
    return (results,) if len(operator.outputs) == 1 else tuple(results)


def _full_name(name: str) -> str:
    namespace, _, own = name.rpartition("::")
    if not own.isidentifier() or not (namespace or NAMESPACE).isidentifier():
        title = f"expected a name such as `scaled` or `mine::scaled`, found `{name}`"
        raise RiseError(Diagnostic("operator-name", title, hint="use letters, digits and underscores"))
    return f"{namespace or NAMESPACE}::{own}"
