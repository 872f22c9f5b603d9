"""Repeated calls of a kernel with the same argument types: contiguous arrays of known shapes, and numbers.

Independent of targets and messages.

A target that can run such calls faster than `shine.calling.boundary` gets a description of them and returns `Calls`.
All other calls go through the boundary, which reports errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol, runtime_checkable

from rise.arguments.leaves import Leaf, leaves_of, tree_of
from rise.arguments.libraries import NUMPY, are_plain, as_numpy, first_of, given_as, library_for, library_of
from rise.diagnostics import RiseError
from rise.records import dataclass
from shine.calling.boundary import Resolved
from shine.imperative.nodes import Procedure, Update

#: sizes that are passed as numbers, of which calls are remembered; beyond, all are forgotten
MAX_SIZES: Final = 64
#: the type of such a size: no truth value
ONLY_INTEGERS: Final = frozenset((int,))


class Calls(Protocol):
    """Runs the calls that it remembers."""

    def call(self, arguments: tuple[Any, ...], out: Any) -> Any:
        """The result, or None for a call that is unknown, does not fit, or fails."""
        ...

    def remember(
        self, axes: tuple[int, ...], sizes: tuple[int, ...], ends: tuple[int, ...], outputs: tuple[int, ...]
    ) -> None:
        """Remember what the axes of all given arrays, in order, determine: the sizes, for each input the exclusive
        bound of its indices or -1, and the axes of all results.
        """
        ...


@dataclass(frozen=True, slots=True)
class CallDescription:
    """The numbers and arrays that a kernel takes and returns, and the structure of its result: nested tuples of
    positions. `updates` are the inputs that it changes.
    """

    sizes: int
    inputs: tuple[Leaf, ...]
    outputs: tuple[Leaf, ...]
    tree: Any
    updates: tuple[Update, ...] = ()


@runtime_checkable
class Repeating(Protocol):
    """An executable that can run repeated calls quickly."""

    def repeated(self, description: CallDescription) -> Calls | None:
        """An empty record of the calls of its kernel; None if this machine does not support it."""
        ...


class RememberedCalls:
    """The calls of one kernel whose shapes were checked."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.find = calls.call

    def find_shared(self, arguments: tuple[Any, ...], out: Any) -> Any:
        """`find` for arrays of other libraries, which are read as numpy arrays. Also None for calls without such
        arrays, and if allocating the results in another way avoids copying them.
        """
        if are_plain((*arguments, out)):
            return None
        libraries = [library_of(one) for one in arguments]
        try:
            library = library_for(arguments, out) if out is not None else first_of(libraries)
            views = tuple(
                [
                    one if of is None or of is NUMPY else of.view("", one)
                    for one, of in zip(arguments, libraries, strict=True)
                ]
            )
            written = as_numpy("", out)
        except RiseError:
            return None
        if library.allocate is not None:
            given_bytes = sum([one.nbytes for one, of in zip(views, libraries, strict=True) if of])
            if given_bytes >= library.shared_bytes:
                return None
        result = self.find(views, written)
        return result if result is None else out if out is not None else given_as(library, result)

    def keep(self, passed: Sequence[Any], resolved: Resolved) -> None:
        """Remember a checked call with these numbers and arrays."""
        axes = tuple(size for value in passed for size in value.shape)
        ends = tuple(-1 if end is None else end for end in resolved.ends)
        outputs = tuple(size for shape in resolved.outputs for size in shape)
        self._calls.remember(axes, resolved.sizes, ends, outputs)


class CallsBySizes:
    """The calls of a kernel that takes sizes as numbers: for each combination of sizes, the calls with them."""

    def __init__(self, procedure: Procedure, make: Callable[[], Calls | None]) -> None:
        explicit = sorted(procedure.explicit, key=lambda entry: entry[0])
        self._places = tuple(position for position, _ in explicit)
        self._sizes = tuple(procedure.sizes.index(size) for _, size in explicit)
        count = len(procedure.given) + len(explicit)
        self._arrays = tuple(position for position in range(count) if position not in self._places)
        self._make, self._count = make, count
        self._calls: dict[tuple[int, ...], Calls] = {}

    def call(self, arguments: tuple[Any, ...], out: Any) -> Any:
        """See `Calls`."""
        if len(arguments) != self._count:
            return None
        key = tuple([arguments[place] for place in self._places])
        if not ONLY_INTEGERS.issuperset(map(type, key)):
            return None
        calls = self._calls.get(key)
        return None if calls is None else calls.call(tuple([arguments[place] for place in self._arrays]), out)

    def remember(
        self, axes: tuple[int, ...], sizes: tuple[int, ...], ends: tuple[int, ...], outputs: tuple[int, ...]
    ) -> None:
        """See `Calls`."""
        key = tuple(sizes[place] for place in self._sizes)
        calls = self._calls.get(key)
        if calls is None:
            if len(self._calls) >= MAX_SIZES:
                self._calls.clear()
            calls = self._make()
            if calls is None:
                return
            self._calls[key] = calls
        calls.remember(axes, sizes, ends, outputs)


def remembered_calls(procedure: Procedure, executable: object) -> RememberedCalls | None:
    """An empty record of calls. None for a kernel with arguments other than plain arrays and numbers, or that need
    checks other than those of types, shapes and index bounds, and for an executable that does not support it.
    """
    if not isinstance(executable, Repeating):
        return None
    inputs = [leaf for parameter in procedure.given for leaf in leaves_of(parameter.name, parameter.type)]
    outputs = leaves_of(procedure.output.name, procedure.output.type)
    checked = procedure.pairs or procedure.distinct or procedure.tables
    if len(inputs) != len(procedure.given) or checked or procedure.number is not None:
        return None
    if any(leaf.rows for leaf in (*inputs, *outputs)):
        return None
    tree = tree_of(procedure.output.type, list(range(len(outputs))))
    description = CallDescription(
        len(procedure.sizes), tuple(inputs), tuple(outputs), tree, procedure.updates
    )
    calls = executable.repeated(description)
    if calls is None or not procedure.explicit:
        return None if calls is None else RememberedCalls(calls)
    return RememberedCalls(CallsBySizes(procedure, partial(executable.repeated, description)))
