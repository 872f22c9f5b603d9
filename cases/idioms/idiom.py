"""Idioms as records: a function written with numpy, its reference, and the arrays that it runs on.

Does not measure time; independent of idioms and targets.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

import rise
from cases.comparison import signature
from cases.inputs import Axes, Layout
from rise.embedding.programs import PythonProgram
from rise.scalars import SCALARS

Sizes: TypeAlias = Mapping[str, int]
Input: TypeAlias = Callable[[np.random.Generator, Any], Any]
"""Random values of a shape."""

#: the largest difference from numpy's result in f64, relative to the largest value there
TOLERANCES: Final[Mapping[str, float]] = {"f16": 1e-2, "f32": 1e-4, "f64": 1e-9}


@dataclass(frozen=True, slots=True)
class Idiom:
    """A program that people write.

    `function` is one that `rise.program` accepts. `plain` is what numpy runs: often the same function, otherwise what
    one writes if nothing needs to be a RISE program; it does not change its arguments. `large` gives arrays of about
    2^20 elements, `small` of about 1,000, and `tiny` is for tests. `inputs` makes the arguments for which not all
    numbers are valid, by the names of parameters. `where` promises facts about sizes. `text` is the program if it is
    written as RISE text; the function then only defines what numpy runs.
    """

    function: Callable[..., Any]
    source: str
    large: Sizes
    small: Sizes
    tiny: Sizes
    plain: Callable[..., Any]
    where: tuple[str, ...] = ()
    inputs: Mapping[str, Input] = field(default_factory=dict)
    tolerance: float | None = None
    text: str = ""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    def program(self) -> rise.Program | PythonProgram:
        """The function as a program, or the text. Raises RiseError if the language rejects it."""
        if self.text:
            return rise.parse(self.text)
        return rise.program(where=self.where)(self.function)

    def arguments(self, program: rise.Program | PythonProgram, sizes: Sizes) -> list[Any]:
        """Arrays for the program at these sizes; the same in each call."""
        rng = np.random.default_rng(0)
        names = list(inspect.signature(self.function).parameters)
        layouts = iter(signature(program.main, tuple(sizes.items()))[0])
        is_size = [inspect.signature(self.function).parameters[name].annotation == "nat" for name in names]
        return [
            sizes[name] if nat else some(rng, next(layouts), self.inputs.get(name))
            for name, nat in zip(names, is_size, strict=True)
        ]

    def reference(self, arguments: list[Any]) -> Any:
        """numpy's result in f64."""
        return self.plain(*(widened(each) for each in arguments))

    def wrong(self, found: Any, expected: Any) -> list[str]:
        """The differences between a result and the reference that exceed the tolerance."""
        mine, theirs = leaves(found), leaves(expected)
        if len(mine) != len(theirs):
            return [f"expected {len(theirs)} results, found {len(mine)}"]
        return [
            each
            for number, (one, other) in enumerate(zip(mine, theirs, strict=True))
            for each in self._differences(number, one, other)
        ]

    def _differences(self, number: int, found: Any, expected: Any) -> list[str]:
        if found.shape != expected.shape:
            return [f"result {number}: expected the shape {expected.shape}, found {found.shape}"]
        if found.dtype.kind not in "fc":
            is_right = found == expected
        else:
            is_finite = np.isfinite(expected)
            scale = max(1.0, float(np.abs(expected[is_finite]).max(initial=0.0)))
            part = self.tolerance or TOLERANCES[f"f{8 * found.real.dtype.itemsize}"]
            with np.errstate(invalid="ignore"):
                is_near = np.abs(widened(found) - expected) <= part * scale
            is_right = np.where(
                is_finite, is_near, (found == expected) | (np.isnan(found) & np.isnan(expected))
            )
        if is_right.all():
            return []
        first = tuple(np.argwhere(~is_right)[0].tolist())
        many = f"{np.count_nonzero(~is_right)} of {is_right.size} are wrong"
        return [f"result {number}: {many}; at {first} expected {expected[first]}, found {found[first]}"]


def idiom(
    source: str,
    large: Sizes,
    small: Sizes,
    tiny: Sizes | None = None,
    plain: Callable[..., Any] | None = None,
    where: tuple[str, ...] = (),
    inputs: Mapping[str, Input] | None = None,
    tolerance: float | None = None,
    text: str = "",
) -> Callable[[Callable[..., Any]], Idiom]:
    """Make an idiom of the decorated function. By default, tiny sizes are 3, 4, 5 and so on."""
    if tiny is None:
        tiny = {name: 3 + position for position, name in enumerate(large)}

    def made(function: Callable[..., Any]) -> Idiom:
        runs = plain or function
        return Idiom(function, source, large, small, tiny, runs, where, inputs or {}, tolerance, text)

    return made


def some(rng: np.random.Generator, at: Layout, make: Input | None) -> Any:
    """An argument: from its own function, or any numbers of its type."""
    assert isinstance(at, Axes), at
    if at.end is not None:
        return rng.integers(0, at.end, at.shape)
    dtype = SCALARS[at.scalar].dtype
    if make is not None:
        values = np.asarray(make(rng, at.shape))
    elif at.scalar == "bool":
        values = rng.integers(0, 2, at.shape)
    elif at.scalar.startswith("f"):
        values = rng.standard_normal(at.shape)
    else:
        values = rng.integers(0, 10, at.shape)
    return values.astype(dtype) if at.shape else dtype.type(values)


def widened(given: Any) -> Any:
    """Floats converted to f64, and complex numbers to c128."""
    kind = given.dtype.kind if isinstance(given, np.ndarray | np.generic) else ""
    return given.astype(np.float64 if kind == "f" else np.complex128) if kind in ("f", "c") else given


def leaves(result: Any) -> list[Any]:
    """The arrays of a result, whose pairs may be nested."""
    if isinstance(result, tuple):
        return [leaf for part in result for leaf in leaves(part)]
    return [np.asarray(result)]


def positive(rng: np.random.Generator, shape: Any) -> Any:
    """Numbers from 0.5 to 1.5."""
    return rng.uniform(0.5, 1.5, shape)


def unit(rng: np.random.Generator, shape: Any) -> Any:
    """Numbers from 0 to 1."""
    return rng.uniform(0.0, 1.0, shape)


def anywhere(rng: np.random.Generator, shape: Any) -> Any:
    """Positions relative to a length, some of them outside."""
    return rng.uniform(-0.1, 1.1, shape)


def definite(rng: np.random.Generator, shape: Any) -> Any:
    """A symmetric, positive definite matrix."""
    values = rng.standard_normal(shape)
    return values @ values.T / shape[0] + np.eye(shape[0])


def diagonal(rng: np.random.Generator, shape: Any) -> Any:
    """A matrix with a dominant diagonal."""
    return rng.standard_normal(shape) / shape[0] + 2.0 * np.eye(shape[0])
