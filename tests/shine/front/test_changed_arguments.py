"""`shine.jit` changes the arrays that a function assigns to, as numpy does, in place where no overwritten element is
read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from rise import RiseError
from shine import jit
from shine.front.jit import Jitted
from shine.imperative import updates
from tests import required_tools
from tests.examples import some
from tests.rise.embedding.test_random_loops import function_of

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

X, Y, Z, IMAGE = (
    np.random.default_rng(seed).random(shape) for seed, shape in enumerate((40, 40, 40, (9, 37)))
)
#: the ways in which a call can be passed an array
LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "whole": np.copy,
    "every second": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
}


def shifted_sum(x, y):
    y[1:-1] += x[2:]


def both(x, y):
    y[1:-1] += x[2:]
    x[0] = 1.0
    return y, x.sum()


def steps(x, y):
    for _ in range(10):
        y[1:-1] = 0.3 * (x[2:] + x[:-2])
        x[1:-1] = 0.3 * (y[2:] + y[:-2])


def relaxed(x):
    for i in range(1, len(x) - 1):
        x[i] = 0.5 * (x[i - 1] + x[i + 1])


def masked(x):
    x[x > 0.5] = 0.0


def borders(image, x):
    image[:, 0] += x[: image.shape[0]]
    image[0] *= 2.0
    image[-1, 1:3] = 0.0


def every_second(x, y):
    x[::2] = y[::2]
    x[1::2] *= 0.5


def checkered(image):
    image[::2, ::2] = 0.0


def periodic_rows(image):
    image[0] = image[-2]
    image[-1] = image[1]


def periodic_columns(image):
    image[:, 0] = image[:, -2]
    image[:, -1] = image[:, 1]


def exchanged_columns(image):
    image[:, 0], image[:, 1] = image[:, 1].copy(), image[:, 0].copy()


def mirrored_columns(image):
    image[:, 0] = image[:, 2]
    image[:, -1] = image[:, -3]


def a_corner(image):
    image[0] = image[-2]
    image[:, 0] = image[:, -2]


def scaled(a, x, y):
    y += a * x


def element(x, i):
    x[i] += 1.0
    return x.sum()


def exchanged(x, y):
    x, y[:] = y * 1.0, x
    return x


def in_another(x, y):
    shifted_sum(x, y)
    return y.max()


def reversed_(x):
    x[:] = x[::-1]


def moved(x):
    x[1:] = x[:-1]


def sorted_(x):
    x.sort()


def softmax(image):
    image -= image.max(axis=1, keepdims=True)
    np.exp(image, out=image)
    image /= image.sum(axis=1, keepdims=True)


def in_tree(model, rate):
    model["weights"] -= rate * model["weights"]
    model["bias"][:2] = 0.0


#: functions that change elements in place, and others, for which the new values are copied
IN_PLACE: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    shifted_sum: (X, Y),
    steps: (X, Y),
    relaxed: (X,),
    masked: (X,),
    borders: (IMAGE, X),
    every_second: (X, Y),
    checkered: (IMAGE,),
    periodic_rows: (IMAGE,),
    periodic_columns: (IMAGE,),
    exchanged_columns: (IMAGE,),
    mirrored_columns: (IMAGE,),
    a_corner: (IMAGE,),
    scaled: (2.5, X, Y),
    element: (X, 3),
    exchanged: (X, Y),
    in_another: (X, Y),
}
COPIED: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    reversed_: (X,),
    moved: (X,),
    sorted_: (X,),
    softmax: (IMAGE,),
}
OTHERS: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    both: (X, Y),
    in_tree: ({"weights": X, "bias": Y}, 0.25),
}
CASES: Final = IN_PLACE | COPIED | OTHERS


def given(argument: Any, layout: Callable[[Any], Any]) -> Any:
    if isinstance(argument, dict):
        return {name: layout(one) for name, one in argument.items()}
    return layout(argument) if isinstance(argument, np.ndarray) else argument


def arrays_of(arguments: Any) -> list[Any]:
    nested = (one.values() if isinstance(one, dict) else (one,) for one in arguments)
    return [array for arrays in nested for array in arrays]


def agrees(
    jitted: Jitted, function: Callable[..., Any], arguments: Any, layout: Callable[[Any], Any]
) -> None:
    wanted, found = ([given(one, layout) for one in arguments] for _ in range(2))
    with np.errstate(all="ignore"):
        result = function(*wanted)
    returned = jitted(*found)
    for one, other in zip(arrays_of(wanted), arrays_of(found), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-9)
    results = [] if result is None else result if isinstance(result, tuple) else [result]
    for one, other in zip(results, returned if isinstance(returned, tuple) else [returned], strict=False):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-9)


def are_in_place(jitted: Jitted, arguments: Any) -> list[bool]:
    lowered = jitted.lower(*(given(one, np.copy) for one in arguments))
    return [update.in_place for update in lowered.kernel.procedure.updates]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_a_call_changes_what_the_function_changes(function: Callable[..., Any]) -> None:
    jitted = jit(function, threads=1)
    for layout in (*LAYOUTS.values(), np.copy):  # at the end, a call like an earlier one
        agrees(jitted, function, CASES[function], layout)


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda f: f.__name__)
def test_elements_are_changed_in_place(function: Callable[..., Any]) -> None:
    assert all(are_in_place(jit(function, threads=1), IN_PLACE[function]))


@pytest.mark.parametrize("function", COPIED, ids=lambda f: f.__name__)
def test_new_values_are_copied_where_old_ones_are_read_later(function: Callable[..., Any]) -> None:
    assert not any(are_in_place(jit(function, threads=1), COPIED[function]))


@pytest.mark.parametrize("target", ["interpret", "cuda-sim"])
def test_other_targets_copy_the_new_values(target: str) -> None:
    agrees(jit(both, target=target), both, CASES[both], np.copy)


def test_a_result_that_is_a_parameter_is_the_array_of_the_caller() -> None:
    x, y = X.copy(), Y.copy()
    found, _ = jit(both)(x, y)
    assert found is y
    assert jit(relaxed)(x) is x  # where numpy returns None


def test_out_takes_the_new_values_and_the_argument_stays() -> None:
    for function in (relaxed, reversed_):
        x, out, wanted = X.copy(), np.empty_like(X), X.copy()
        function(wanted)
        assert jit(function)(x, out=out) is out
        np.testing.assert_allclose(out, wanted)
        assert np.array_equal(x, X)


def test_a_kernel_that_fails_does_not_run_again() -> None:
    @jit
    def counted(x, at):
        for k in range(len(at)):
            x[at[k]] += 1.0

    x, at = np.zeros(4), np.array([1, 1, 9])
    counted(x, np.array([0, 0, 0]))
    for turn in (1, 2):
        with pytest.raises(RiseError, match="found 9"):
            counted(x, at)
        assert x.tolist() == [
            3 + turn,
            2 * turn,
            0,
            0,
        ]  # an index that is not there counts as 0, until the error


class Assignments:
    """The text of a function that assigns to slices of its parameters."""

    SLICES: Final = ("1:-1", "2:", ":-2")

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rank = self.random.choice((1, 1, 2))
        self.names = "xyz"[: self.random.choice((2, 2, 3))]

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def slices(self) -> str:
        return ", ".join(self.pick(*self.SLICES) for _ in range(self.rank))

    def value(self, depth: int = 2) -> str:
        kind = self.random.random()
        if depth == 0 or kind < 0.4:
            return f"{self.pick(*self.names)}[{self.slices()}]"
        if kind < 0.5:
            return self.pick("2.0", "0.5", "-1.0")
        return f"({self.value(depth - 1)} {self.pick(*'+-*')} {self.value(depth - 1)})"

    def statement(self, indent: str) -> list[str]:
        name, kind = self.pick(*self.names), self.random.random()
        if kind < 0.5:
            return [f"{indent}{name}[{self.slices()}] {self.pick('=', '+=', '*=')} {self.value()}"]
        if kind < 0.65 and len(indent) == 4:
            count = self.pick("3", "n")
            return [f"{indent}for t in range({count}):", *self.statement(indent + "    ")]
        if kind < 0.75:
            row = f"{self.pick(*self.names)}[{self.pick('0', '-1', '2')}]"
            return [f"{indent}{name}[{self.pick('0', '-1', '1')}] {self.pick('=', '+=')} {row}"]
        if kind < 0.85:
            return [f"{indent}{name}[:] = {name}[::-1]"]
        if kind < 0.95:
            return [f"{indent}{name}[{name} > 0.5] = {self.pick('0.0', '1.0')}"]
        return [f"{indent}{name} /= 1 + abs({name}).max()"]

    def text(self) -> str:
        lines = [f"def f({', '.join(self.names)}, n):"]
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement("    ")
        if self.random.random() < 0.4:
            lines += [f"    return {self.pick(*self.names)}.sum()"]
        return "\n".join([*lines, ""])


@pytest.mark.parametrize("seed", some(range(60), 6))
def test_random_assignments_change_what_they_change_in_python(seed: int) -> None:
    made = Assignments(seed)
    function = function_of(made.text())
    function.__annotations__ = {}
    rng, jitted = np.random.default_rng(seed), jit(function, threads=1)
    for sizes in ((7, 5), (40, 35), (40, 35)):
        arguments = [rng.random(sizes[: made.rank]) for _ in made.names]
        agrees(jitted, function, (*arguments, 2), np.copy)


def test_updates_in_place_that_are_not_allowed_would_be_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(updates, "may_share", lambda *_: True)
    with pytest.raises(AssertionError):
        agrees(jit(moved, cache=str(tmp_path)), moved, COPIED[moved], np.copy)


def mirrored_triangle(image):
    i, j = np.triu_indices(7, 1)
    image[i, j] = image[j, i]


def permuted(x):
    x[np.arange(20)[::-1] * 2] = x[:20]
    x[[4, 2, 0]] = x[:3]


def beside_numbers(image):
    image[[0, 1, 2, 3, 4, 5, 6, 7, 8], 1] = np.arange(9.0)
    image[1, [2, 3, 5]] = image[2, :3]


@pytest.mark.parametrize(
    ("function", "given"),
    [(mirrored_triangle, IMAGE), (permuted, X), (beside_numbers, IMAGE)],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_elements_at_known_indices_change(function: Callable[..., Any], given: Any) -> None:
    """All are read before any changes; many of them are assigned in a loop, not one after the other."""
    agrees(jit(function, threads=1), function, (given,), np.copy)
