"""The inputs of a run: arrays from files, numbers from the command line, random values for the rest.

Depends on the types of parameters, but not on kernels.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from rise.arguments.leaves import Leaf, leaves_of, tree_of
from rise.arguments.library import ADDED_DTYPES
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.naturals import Atom
from rise.records import dataclass
from rise.size_equations import Equation, solve
from shine.cli.options import number_of
from shine.front.random_inputs import random_value
from shine.imperative.nodes import Procedure

NPY_MAGIC = b"\x93NUMPY"


@dataclass(frozen=True, slots=True)
class Given:
    """The inputs that the user gave: for each array or number, in order, a value or None."""

    values: tuple[Any, ...]

    @property
    def is_complete(self) -> bool:
        """Whether no input is random."""
        return all(value is not None for value in self.values)


def input_leaves(procedure: Procedure) -> list[Leaf]:
    """The arrays and numbers that a procedure takes, in order."""
    return [leaf for parameter in procedure.inputs for leaf in leaves_of(parameter.name, parameter.type)]


def read_inputs(procedure: Procedure, written: Sequence[str]) -> Given:
    """Read inputs: `a.npy` is the next one; `A=a.npy` and `alpha=0.5` are named; a pair needs a file for each
    component.
    """
    leaves = input_leaves(procedure)
    values: list[Any] = [None] * len(leaves)
    for item in written:
        name, equal, text = item.partition("=")
        by_name = bool(equal) and name.isidentifier()
        places = [i for i, leaf in enumerate(leaves) if not by_name or leaf.parameter == name]
        if by_name and not places:
            names = [parameter.name for parameter in procedure.inputs]
            hint = did_you_mean(name, names) or f"it has {', '.join(names) or 'none'}"
            _refuse("unknown-name", f"{procedure.name} has no input `{name}`", hint)
        free = [i for i in places if values[i] is None]
        if not free:
            owner = f"`{name}`" if by_name else f"{procedure.name} with {len(leaves)} inputs"
            _refuse("argument-count", f"there is one `--input` too many for {owner}: {item}", "omit it")
        values[free[0]] = _read(leaves[free[0]], text if by_name else item)
    return Given(tuple(values))


def _read(leaf: Leaf, text: str) -> Any:
    if not leaf.shape and not text.endswith(".npy"):
        number = _number(leaf, text)
        if number is None:
            title = f"`{leaf.parameter}`: expected a number or a .npy file, found {text}"
            _refuse("argument-type", title, f"for example --input {leaf.parameter}=0.5")
        return number
    if _number(leaf, text) is not None and not Path(text).exists():
        title = f"`{leaf.parameter}`: expected an array in a file, found the number {text}"
        _refuse(
            "argument-type", title, f"for example --input {leaf.parameter}=FILE.npy, written by numpy.save"
        )
    array = read_array(text)
    if leaf.dtype.name in ADDED_DTYPES and array.dtype == f"V{leaf.dtype.itemsize}":  # see `nameless`
        return array.view(leaf.dtype)
    return array


def read_array(text: str) -> Any:
    """The array in a .npy file. Raises RiseError if it cannot be read."""
    try:
        with Path(text).open("rb") as file:
            content = file.read(len(NPY_MAGIC))
            if content == NPY_MAGIC:  # otherwise do not read on: a device may be endless
                content += file.read()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        _refuse("file", f"{text} cannot be read: {reason}", "check the path")
    if not content.startswith(NPY_MAGIC):
        _refuse("file", f"expected an array in numpy's format, found {text}", "write it with numpy.save")
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError, MemoryError) as error:
        _refuse("file", f"{text} cannot be read as an array: {error}", "write it again with numpy.save")
    return array


def _number(leaf: Leaf, text: str) -> Any:
    """A text as a Python number, or None; the kernel checks that it fits."""
    is_truth = leaf.dtype.kind == "b" and text in ("true", "false")
    if leaf.dtype.kind == "c":
        try:
            return complex(text)
        except ValueError:
            return None
    return text == "true" if is_truth else number_of(text)


def pair_numbers(procedure: Procedure, numbers: Mapping[str, int | str]) -> dict[Atom, int]:
    """The numbers of dependent pairs that are given by name, as in the kernel's signature."""
    pair_sizes = {pair.size.name: pair.size for pair in procedure.pairs}
    given: dict[Atom, int] = {}
    for name, number in numbers.items():
        if name not in pair_sizes:
            hint = did_you_mean(name, pair_sizes) or f"its dependent pairs have {', '.join(pair_sizes)}"
            _refuse("unknown-name", f"{procedure.name} has no size `{name}`", hint)
        if not isinstance(number, int):
            title = f"`{name}`: expected the number of a dependent pair, an integer >= 0, found {number}"
            _refuse("argument-type", title, f"for example --size {name}=3")
        given[pair_sizes[name]] = number
    return given


def known_sizes(
    procedure: Procedure, given: Given, numbers: Mapping[Atom, int] | None = None
) -> dict[str, int]:
    """The sizes that the given arrays and numbers determine. The kernel rejects inputs that do not fit."""
    equations = [
        Equation(size, extent, leaf.parameter, axis)
        for leaf, value in zip(input_leaves(procedure), given.values, strict=True)
        if isinstance(value, np.ndarray) and value.ndim == len(leaf.shape)
        for axis, (size, extent) in enumerate(zip(leaf.shape, value.shape, strict=True))
    ]
    sizes: dict[Atom, int] = dict(numbers or {})
    with suppress(_ConflictError):
        solve(equations, sizes, {}, _conflict)
    return {size.name: sizes[size] for size in procedure.sizes if size in sizes}


class _ConflictError(Exception):
    """The shapes of the given arrays contradict each other."""


def _conflict(equation: Equation, expected: int | None) -> NoReturn:
    raise _ConflictError


def fill(procedure: Procedure, given: Given, sizes: Mapping[str, int], seed: int) -> list[Any]:
    """The arguments of a call: the given inputs, and random values for the rest."""
    generator = np.random.default_rng(seed)
    numbers: dict[Atom, int] = {size: sizes[size.name] for size in procedure.sizes}
    values = [
        random_value(leaf, numbers, generator) if value is None else value
        for leaf, value in zip(input_leaves(procedure), given.values, strict=True)
    ]
    rest = iter(values)
    arguments = [
        tree_of(parameter.type, [next(rest) for _ in leaves_of(parameter.name, parameter.type)])
        for parameter in procedure.inputs
    ]
    for pair in procedure.pairs:
        arguments[pair.position] = (numbers[pair.size], arguments[pair.position])
    return arguments


def _refuse(code: str, title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic(code, title, hint=hint)) from None
