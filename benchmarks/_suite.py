"""Reads a checkout of NPBench: its descriptions, functions and initial arrays, and the types that these arrays have.

Nothing of the suite is part of this project. Does not measure time; independent of compilers.

The sizes of arrays are named after two small runs of a benchmark's own `initialize`: an axis that is as long as a
parameter in both runs has that parameter's name, `M`, or a sum with it, `M + 1`; one that has the same length in both
is a number; any other gets a name of its own.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

#: from the smallest to the largest; the last one is that of the suite's paper
SIZES: Final = ("S", "M", "L", "paper")
#: the parameters of the two runs: where they begin, and their distance, for up to as many parameters; they are in the
#: order that they have at the smallest size, on which some benchmarks rely
_PROBES: Final = ((5, (17, 1), (19, 3)), (8, (5, 1), (6, 2)))
_FURTHEST: Final = 4
"""The largest difference between the length of an axis and a parameter."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A function of the suite with its description."""

    name: str
    folder: Path
    about: Mapping[str, Any]

    @property
    def function(self) -> Callable[..., Any]:
        """The function as numpy runs it."""
        found: Callable[..., Any] = getattr(self._module("_numpy"), self.about["func_name"])
        return found

    def variant(self, suffix: str) -> Callable[..., Any] | None:
        """The suite's version of the function for another tool, such as `numba_n`, or None if it has none."""
        if not (self.folder / f"{self.about['module_name']}_{suffix}.py").exists():
            return None
        return getattr(self._module(f"_{suffix}"), self.about["func_name"], None)

    def arguments(self, size: str) -> list[Any]:
        """The arguments of the function at a size, new ones in each call."""
        return self._arguments(self.about["parameters"][size])

    def types(self) -> dict[str, str]:
        """The type of each parameter, with names for sizes."""
        known: dict[str, Any] = dict(self.about["parameters"][SIZES[0]])
        counts = [name for name, value in known.items() if isinstance(value, int)]
        order = sorted(counts, key=lambda name: known[name])
        _, *lines = next(each for each in _PROBES if len(counts) <= each[0])
        runs = []
        for first, apart in lines:
            numbers = [first + apart * order.index(name) for name in counts]
            given = known | dict(zip(counts, numbers, strict=True))
            runs.append((given, self._arguments(given)))
        return self._typed(runs)

    def fixed_types(self, size: str) -> dict[str, str]:
        """The type of each parameter, with the numbers of a size."""
        given = dict(zip(self.parameters, self.arguments(size), strict=False))
        found: dict[str, str] = {}
        for name, value in given.items():
            if isinstance(value, np.ndarray):
                found[name] = ".".join([*map(str, value.shape), _scalar(value.dtype)])
            else:
                found[name] = _of_number(value)
        return found

    @property
    def parameters(self) -> list[str]:
        """The names of the function's parameters, except those with a default."""
        found = inspect.signature(self.function).parameters.values()
        return [each.name for each in found if each.default is each.empty]

    def _arguments(self, known: Mapping[str, Any]) -> list[Any]:
        values = dict(known)
        if "init" in self.about:
            init = self.about["init"]
            made = getattr(self._module(""), init["func_name"])(
                *(values[name] for name in init["input_args"])
            )
            values |= zip(init["output_args"], made if isinstance(made, tuple) else (made,), strict=True)
        given = [values[name] for name in self.about["input_args"]]
        defaults = [each.default for each in inspect.signature(self.function).parameters.values()][
            : len(given)
        ]
        kept = len(self.parameters)
        assert given[kept:] == defaults[kept:], f"{self.name}: other values than its defaults"
        return given[:kept]

    def _typed(self, runs: Sequence[tuple[Mapping[str, Any], list[Any]]]) -> dict[str, str]:
        names = self.parameters[: len(runs[0][1])]
        sizes: dict[str, tuple[int, ...]] = {}
        for name in runs[0][0]:
            if all(isinstance(known[name], int) for known, _ in runs):
                sizes[name] = tuple(known[name] for known, _ in runs)
        found: dict[str, str] = {}
        for position, name in enumerate(names):
            values = [arguments[position] for _, arguments in runs]
            if isinstance(values[0], np.ndarray):
                around = names[:position], names[position:]
                lengths = zip(*(value.shape for value in values), strict=True)
                axes = [
                    self._axis(f"{name}{place}", tuple(each), sizes, *around)
                    for place, each in enumerate(lengths)
                ]
                found[name] = ".".join([*axes, _scalar(values[0].dtype)])
            else:
                found[name] = _of_number(values[0])
                if isinstance(values[0], int):
                    sizes[name] = tuple(values)
        return found

    @staticmethod
    def _axis(
        otherwise: str,
        lengths: tuple[int, ...],
        sizes: dict[str, tuple[int, ...]],
        earlier: list[str],
        later: list[str],
    ) -> str:
        """The length of an axis: a number, a parameter's name, or a sum with it."""
        if len(set(lengths)) == 1:
            return str(lengths[0])
        for far in sorted(range(-_FURTHEST, _FURTHEST + 1), key=abs):
            for name, values in sizes.items():
                if tuple(value + far for value in values) == lengths:
                    is_known = name in earlier
                    shown = name if is_known else name[:1].upper() + name[1:] + "_" * (name in later)
                    return shown if far == 0 else f"({shown}{far:+d})".replace("+", " + ").replace("-", " - ")
        name = otherwise.replace("_", "").upper()
        sizes[name] = lengths
        return name

    def _module(self, suffix: str) -> ModuleType:
        return _loaded(self.folder / f"{self.about['module_name']}{suffix}.py")


@functools.cache
def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"suite_{path.stem}", path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def benchmarks(suite: Path) -> dict[str, Benchmark]:
    """The benchmarks of a checkout by name."""
    found = {}
    for path in sorted((suite / "bench_info").glob("*.json")):
        about = json.loads(path.read_text(encoding="utf-8"))["benchmark"]
        folder = suite / "npbench" / "benchmarks" / about["relative_path"]
        found[path.stem] = Benchmark(path.stem, folder, about)
    return found


def annotated(function: Callable[..., Any], types: Mapping[str, str]) -> Callable[..., Any]:
    """The function itself, with these types as its annotations."""
    function.__annotations__ = dict(types)
    return function


def ran(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
    """What a numpy function returns for copies of some arguments, and the positions of those that it changed."""
    own = copy.deepcopy(list(arguments))
    result = function(*own)
    changed = {
        position: new
        for position, (new, old) in enumerate(zip(own, arguments, strict=True))
        if isinstance(new, np.ndarray) and not np.array_equal(new, old, equal_nan=new.dtype.kind in "fc")
    }
    return result, changed


def _of_number(value: Any) -> str:
    if isinstance(value, int):
        return "nat"
    return _scalar(value.dtype) if isinstance(value, np.generic) else "f64"


def _scalar(dtype: np.dtype[Any]) -> str:
    kinds: Mapping[str, str] = {"f": "f", "i": "i", "u": "u", "c": "c"}
    return "bool" if dtype.kind == "b" else f"{kinds[dtype.kind]}{8 * dtype.itemsize}"


def leaves(result: Any) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays of a result, whose tuples may be nested."""
    if isinstance(result, tuple | list):
        for part in result:
            yield from leaves(part)
    else:
        yield np.asarray(result)
