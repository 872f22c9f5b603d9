"""The interface of primitives' meanings: their context, and how they request calls of functions.

Independent of primitives.

A meaning is a function of `at` and the arguments (see Note [Batches] in `rise.values`). One that takes
functions is a generator, or returns the generator of `at.map` and the like: it yields `at.call(f, x)` and is
sent the value, so that a call of a program's function is never a Python call. `return at.call(f, x)` is a
tail call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import const
from rise.records import dataclass
from rise.values import Data, Leaf, collect, element, map_leaves, poison, refuse_rank, spread, stack

Function: TypeAlias = Any  # a function of the program; meanings do not look into it
Steps: TypeAlias = "Generator[Call | Force, Any, Data]"

_MAX_CHUNK_ELEMENTS: Final = 1 << 18  # that a fold computes at once
_MAX_ACCUMULATED_ELEMENTS: Final = 64  # of a batch; up to here, numpy's accumulation is faster than a loop


@dataclass(frozen=True, slots=True)
class Context:
    """The sizes of the batch for which a value is evaluated at once, the innermost map's first.

    `active`, if given, is False for elements whose result is not used: they cause no errors.
    """

    batch: tuple[int, ...] = ()
    active: Leaf | None = None

    @property
    def depth(self) -> int:
        """The number of batch axes."""
        return len(self.batch)

    def over(self, size: int) -> Context:
        """The context inside another map."""
        refuse_rank(len(self.batch) + 1)
        return Context((size, *self.batch), self.active)

    def where(self, condition: Leaf) -> Context:
        """Only the elements for which the condition holds."""
        active = condition if self.active is None else self.active & condition
        return Context(self.batch, active)


@dataclass(frozen=True, slots=True)
class Call:
    """A request to apply a function to arguments; naturals are dependent arguments."""

    function: Function
    arguments: tuple[Any, ...]
    context: Context


@dataclass(frozen=True, slots=True)
class Force:
    """A request to evaluate an argument that was passed by name."""

    argument: Any
    context: Context


@dataclass(frozen=True, slots=True)
class ByName:
    """A meaning that takes its arguments unevaluated, and may `at.force` them."""

    meaning: Callable[..., Any]

    def __call__(self, at: At, *arguments: Any) -> Any:
        return self.meaning(at, *arguments)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """A meaning on scalars and vectors that is a numpy function. A fold may accumulate with it.

    `of_complex` replaces it on complex numbers, if numpy's results there depend on the machine.
    """

    ufunc: np.ufunc
    commutes: bool = False
    of_complex: Callable[..., Leaf] | None = None

    def __call__(self, at: At, *arguments: Leaf) -> Leaf:
        if self.of_complex is not None and arguments[0].dtype.kind == "c":
            return self.of_complex(*arguments)
        result: Leaf = self.ufunc(*arguments)
        return result


@dataclass(frozen=True, slots=True)
class Pointwise:
    """A meaning on scalars and vectors that is a Python function of arrays of them."""

    function: Callable[..., Leaf]

    def __call__(self, at: At, *arguments: Leaf) -> Leaf:
        return self.function(*arguments)


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A function `acc => x => ufunc(acc, inner(x))`; without `inner`, the numpy function itself."""

    ufunc: np.ufunc
    inner: Function | None


class SomeOfEachError(RiseError):
    """Raised if elements of an array choose different dependent pairs."""


class At:
    """The context that is passed to a meaning: its parameters by name (`at.n`), the batch, and ways to continue."""

    __slots__ = ("context", "find_accumulation", "parameters")

    def __init__(
        self,
        parameters: Mapping[str, Any],
        context: Context,
        find_accumulation: Callable[[Function], Accumulation | None],
    ) -> None:
        self.parameters = parameters
        self.context = context
        self.find_accumulation = find_accumulation

    def __getattr__(self, name: str) -> Any:
        try:
            return self.parameters[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def depth(self) -> int:
        """The number of batch axes."""
        return len(self.context.batch)

    def call(self, function: Function, *arguments: Any) -> Call:
        """Apply a function in the same batch; an int is a natural, a dependent argument."""
        return Call(function, tuple(const(a) if type(a) is int else a for a in arguments), self.context)

    def force(self, argument: Any, where: Leaf | None = None) -> Force:
        """Evaluate an argument that was passed by name, for some elements only."""
        return Force(argument, self.context if where is None else self.context.where(where))

    def check(self, wrong: Leaf, code: str, title: str, hint: str) -> None:
        """Raise RiseError if `wrong` holds for an element whose result is used."""
        if self.used(wrong) is not None:
            raise RiseError(Diagnostic(code, title, hint=hint))

    def used(self, wrong: Leaf) -> Leaf | None:
        """Where `wrong` holds for an element whose result is used; None if there is no such element."""
        if not np.any(wrong) or 0 in self.context.batch:
            return None
        used = wrong if self.context.active is None else wrong & self.context.active
        return used if np.any(used) else None

    def map(self, function: Function, size: int, *arrays: Data) -> Steps:
        """Apply a function to all elements of arrays at once."""
        elements = tuple(spread(xs, self.depth) for xs in arrays)
        result = yield Call(function, elements, self.context.over(size))
        return collect(result, size, self.depth)

    def fold(self, function: Function, start: Data, xs: Data, size: int) -> Steps:
        """`function(...(function(start, x_0), ...), x_n-1)`, each step rounding as written."""
        accumulation = self._accumulation(function, start)
        if accumulation is not None:
            acc = start
            step = self._chunk(size)
            for first in range(0, size, step):
                ys = yield from self._inner(accumulation, xs, first, min(first + step, size))
                acc = _accumulate(accumulation.ufunc, acc, ys, self.context.batch)
            return acc
        for index in range(size):
            start = yield self.call(function, start, element(xs, index))
        return start

    def scan(self, function: Function, start: Data, xs: Data, size: int) -> Steps:
        """All intermediate values of `fold`, without the start."""
        accumulation = self._accumulation(function, start)
        if size == 0:
            return map_leaves(lambda leaf: np.empty((0, *leaf.shape), leaf.dtype), start)
        if accumulation is not None:
            ys = yield from self._inner(accumulation, xs, 0, size)
            return map_leaves(lambda s, y: _prefixes(accumulation.ufunc, s, y), start, ys)
        prefixes: list[Data] = []
        for index in range(size):
            start = yield self.call(function, start, element(xs, index))
            prefixes.append(start)
        return stack(prefixes)

    def _accumulation(self, function: Function, start: Data) -> Accumulation | None:
        """The function as a numpy accumulation; None if it is not one, and on complex numbers (see `Elementwise`)."""
        is_complex = isinstance(start, np.ndarray | np.generic) and start.dtype.kind == "c"
        return None if is_complex else self.find_accumulation(function)

    def _chunk(self, size: int) -> int:
        return max(
            1, min(size, _MAX_CHUNK_ELEMENTS // max(1, int(np.prod(self.context.batch, dtype=object))))
        )

    def _inner(self, accumulation: Accumulation, xs: Data, first: int, last: int) -> Steps:
        part = map_leaves(lambda leaf: leaf[first:last], xs)
        if accumulation.inner is None:
            return part
        return (yield from self.map(accumulation.inner, last - first, part))


def per_leaf(meaning: Callable[..., Leaf]) -> Callable[..., Data]:
    """The meaning on arrays of pairs, given the meaning on arrays of scalars; for views of one argument."""
    return lambda at, xs: map_leaves(lambda leaf: meaning(at, leaf), xs)


def unspecified_like(leaf: Leaf, size: int) -> Leaf:
    """An array of `size` unspecified elements with the shape of a given array's elements."""
    return poison((size, *leaf.shape[1:]), leaf.dtype)


def bug(fact: str) -> NoReturn:
    """Fail because of a broken invariant."""
    raise AssertionError(fact)


def _accumulate(ufunc: np.ufunc, start: Data, ys: Data, batch: tuple[int, ...]) -> Data:
    def accumulated(s: Leaf, y: Leaf) -> Leaf:
        if max(s.size, y[0].size) <= _MAX_ACCUMULATED_ELEMENTS:
            return np.asarray(_prefixes(ufunc, s, y)[-1])
        for row in y:
            s = ufunc(s, row)
        return s

    return map_leaves(accumulated, start, ys)


def _prefixes(ufunc: np.ufunc, start: Leaf, ys: Leaf) -> Leaf:
    trailing = np.broadcast_shapes(start.shape, ys.shape[1:])
    inputs = np.empty((len(ys) + 1, *trailing), ys.dtype)
    inputs[0] = start
    inputs[1:] = ys
    result: Leaf = ufunc.accumulate(inputs, axis=0, dtype=ys.dtype)[1:]
    return result
