"""Kernels as operators of other libraries, which have arrays and numbers but neither pairs nor sizes.

Flattens arguments and results. Independent of these libraries.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rise.argument_checks import Termlike
from rise.arguments.leaves import Leaf, leaves_of, tree_of
from rise.arguments.mismatches import found_text
from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import NatVar
from rise.records import dataclass
from shine.calling.boundary import in_order
from shine.front.compilation import compile
from shine.front.jit import Jitted
from shine.kernel import Kernel


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument that is an array, a number, or a size, which has no `leaf`."""

    name: str
    leaf: Leaf | None

    @property
    def is_array(self) -> bool:
        """Whether it is an array, and not a number."""
        return self.leaf is not None and bool(self.leaf.shape)


@dataclass(frozen=True, slots=True)
class Operator:
    """A kernel with flat arguments and results.

    `tree` is its arguments, nested tuples of positions among the `operands`; `result` is the same for its `outputs`.
    """

    kernel: Kernel
    operands: tuple[Operand, ...]
    outputs: tuple[Leaf, ...]
    tree: tuple[Any, ...]
    result: Any

    @property
    def name(self) -> str:
        """A name that follows from the kernel's text, so that different kernels have different ones."""
        options = sorted(self.kernel.options.items())
        content = f"{self.kernel.signature}\0{self.kernel.source}\0{self.kernel.target}\0{options!r}"
        return f"{self.kernel.procedure.name}_{sha256(content.encode()).hexdigest()[:16]}"

    @property
    def is_flat(self) -> bool:
        """Whether no argument is a pair."""
        return len(self.tree) == len(self.operands)

    def bound(self, arguments: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        """The arguments of a call as a flat list, in the order of the operands."""
        count = len(self.tree)
        if len(arguments) > count:
            refuse_call(self, f"takes {count} argument{'s' * (count != 1)}, found {len(arguments)}")
        given = in_order(self.kernel.procedure, arguments, named, False)
        flat: list[Any] = []
        work = list(zip(self.tree, given, strict=True))[::-1]
        while work:
            part, value = work.pop()
            if not isinstance(part, tuple):
                flat.append(value)
            elif not isinstance(value, tuple) or len(value) != 2:
                refuse_call(self, f"takes a tuple of two for a pair, found {found_text(value)}")
            else:
                work += list(zip(part, value, strict=True))[::-1]
        return flat

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the kernel's arguments, sizes among them."""
        procedure = self.kernel.procedure
        names = [parameter.name for parameter in procedure.given]
        for position, size in sorted(procedure.explicit, key=lambda entry: entry[0]):
            names.insert(position, size.name)
        return tuple(names)

    def sizes(self, flat: Sequence[Any]) -> dict[str, Any]:
        """The sizes among flat arguments, by name."""
        named = dict(zip(self.parameters, self.tree, strict=True))
        return {size.name: flat[named[size.name]] for _, size in self.kernel.procedure.explicit}

    def run(self, flat: Sequence[Any]) -> tuple[Any, ...]:
        """The results for flat arguments, flat."""
        result = self.kernel(*(assembled(part, flat) for part in self.tree))
        found: list[Any] = []
        work = [result]
        while work:
            value = work.pop()
            if isinstance(value, tuple):
                work += reversed(value)
            else:
                found.append(value)
        return tuple(found)


def operator_of(given: Termlike | Kernel, options: dict[str, Any]) -> Operator:
    """A program, compiled with these options, or a kernel, as an operator.

    Raises RiseError for a kernel of a device, for arguments that have no flat form, and for sizes that no
    argument determines.
    """
    if isinstance(given, Jitted):
        hint = "pass a kernel for some arguments: `f.lower(...).kernel`"
        _refuse("expected a program or a kernel, found a function that has no types yet", hint)
    if isinstance(given, Kernel) and options:
        _refuse(
            f"expected a program to compile with {', '.join(options)}, found a kernel", "omit the options"
        )
    kernel = given if isinstance(given, Kernel) else compile(given, **options)
    procedure = kernel.procedure
    if kernel.target == "cuda":
        _refuse("expected a kernel that runs on CPUs, found one for cuda", "call the kernel itself")
    inputs = [leaf for one in procedure.given for leaf in leaves_of(one.name, one.type)]
    outputs = leaves_of(procedure.output.name, procedure.output.type)
    if procedure.pairs or procedure.tables or procedure.number is not None:
        _refuse(
            "expected arrays, numbers and pairs of them, found a dependent pair or array",
            "make its sizes parameters",
        )
    determined = {size for leaf in inputs for axis in leaf.shape for size in axis.free}
    determined |= {size for _, size in procedure.explicit}
    unknown = [size.name for size in procedure.sizes if size not in determined]
    if unknown:
        title = f"expected arguments that determine all sizes, found none for `{unknown[0]}`"
        _refuse(title, f"fix it: rise.specialise(program, {unknown[0]}=...)")
    parameters: list[Any] = list(procedure.given)
    for position, size in sorted(procedure.explicit, key=lambda entry: entry[0]):
        parameters.insert(position, size)
    operands: list[Operand] = []
    tree: list[Any] = []
    for one in parameters:
        if isinstance(one, NatVar):
            tree.append(len(operands))
            operands.append(Operand(one.name, None))
            continue
        leaves = leaves_of(one.name, one.type)
        names = [one.name] if len(leaves) == 1 else [f"{one.name}_{place}" for place in range(len(leaves))]
        tree.append(tree_of(one.type, list(range(len(operands), len(operands) + len(leaves)))))
        operands += [Operand(name, leaf) for name, leaf in zip(names, leaves, strict=True)]
    named = tuple(Operand(name, one.leaf) for name, one in zip(_distinct(operands), operands, strict=True))
    result = tree_of(procedure.output.type, list(range(len(outputs))))
    return Operator(kernel, named, tuple(outputs), tuple(tree), result)


def assembled(tree: Any, flat: Sequence[Any]) -> Any:
    """Nested tuples of positions, with each position replaced by the item there in a flat list."""
    return flat[tree] if isinstance(tree, int) else tuple([assembled(part, flat) for part in tree])


def placeholder(shape: Sequence[int], dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of a type and a shape that takes no memory."""
    return np.broadcast_to(np.zeros((), dtype), tuple(shape))


def refuse_missing(package: str, problem: ImportError) -> NoReturn:
    """Raise RiseError for a library that cannot be imported, with the command that installs it."""
    title = f"expected the package `{package}`, which `shine.{package}` registers kernels with: {problem}"
    hint = f"install it with the extra: pip install 'rise-shine[{package}]'"
    raise RiseError(Diagnostic("no-package", title, hint=hint)) from None


def refuse_call(operator: Operator, problem: str) -> NoReturn:
    """Raise RiseError for arguments that do not fit a kernel's parameters."""
    title = f"{operator.kernel.procedure.name} {problem}"
    raise RiseError(Diagnostic("argument-count", title, hint=f"it is {operator.kernel.signature}"))


def _distinct(operands: Sequence[Operand]) -> list[str]:
    """Distinct names for operands that are Python identifiers."""
    names: list[str] = []
    for one in operands:
        name = one.name if one.name.isidentifier() and not keyword.iskeyword(one.name) else f"x{len(names)}"
        while name in names:
            name += "_"
        names.append(name)
    return names


def _refuse(title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic("no-operator", title, hint=hint))
