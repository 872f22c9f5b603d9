"""Runs programs on every executor and compares the results with the evaluator's. Independent of programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar
from unittest.mock import patch

import numpy as np

import elevate
import rise
import shine
import strategies
from shine.targets.openmp.loader import PrintedKernel
from tests.cli.machines import without_compiler
from tests.examples import SAMPLED
from tests.shine.translate.interpretation import leaves

T = TypeVar("T")
U = TypeVar("U")

#: a strategy that lowers any program, for each target
LOWERINGS: Final = {
    "interpret": "strategies.sequential:sequential",
    "openmp": "strategies.openmp:parallel",
    "cuda-sim": "strategies.gpu:blocksAndThreads",
}
ON_A_PROCESSOR: Final = ("interpret", "openmp")
ON_A_GPU: Final = ("interpret", "cuda-sim")


def in_turn(cases: Iterable[T], targets: Sequence[U] = tuple(LOWERINGS)) -> list[tuple[T, U]]:  # type: ignore[assignment]  # U is str if targets are omitted
    """Cases with targets, which run them in turn; in `whole` and `soak`, each target runs all of them.

    The turns shift by one after each round, so that a parameter with as many values does not always have one target. Of
    few cases, the interpreter runs all besides, so that each target runs several.
    """
    found = list(cases)
    turns = [target for target in targets if target != "interpret" or len(found) >= 2 * len(targets)]
    return [
        (case, target)
        for number, case in enumerate(found)
        for target in targets
        if not SAMPLED or target not in turns or target == turns[(number + number // len(turns)) % len(turns)]
    ]


def compiled(text: str, target: str, lower: bool = False) -> shine.Kernel:
    """The kernel of a low-level program, or of one that is lowered first; with checks if the target has them."""
    e = rise.parse(text).main
    if lower:
        result = strategies.load(LOWERINGS[target])(e)
        assert isinstance(result, elevate.Success), result
        e = result.program
    return shine.compile(e, target=target, **({} if target == "interpret" else {"check": True}))


class _Printed(Exception):
    """Ends the compilation of a kernel whose text is complete."""


def text_of(program: str | rise.Expr, target: str = "openmp", **options: Any) -> str:
    """The C or CUDA of a program that is lowered as by `shine.compile`, without building it."""
    found: list[str] = []

    def load(kernel: PrintedKernel) -> None:
        found.append(kernel.source.text)
        raise _Printed

    main = rise.parse(program).main if isinstance(program, str) else program
    with patch.object(PrintedKernel, "load", load), without_compiler(), suppress(_Printed):
        return shine.compile(main, target=target, **options).source
    return found[0]


def agree(
    text: str, *arguments: Any, targets: tuple[str, ...] = ON_A_PROCESSOR, lower: bool = False, **given: Any
) -> None:
    """Assert that a program agrees with its meaning on the targets."""
    expected = leaves(rise.evaluate(rise.parse(text).main, *arguments, **given))
    for target in targets:
        found = leaves(compiled(text, target, lower)(*arguments, **given))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype, target
            np.testing.assert_array_equal(one, other, err_msg=target)


def agree_lowered(text: str, *arguments: Any, **given: Any) -> None:
    """Assert that a program, lowered by each target's strategy, agrees with its meaning."""
    agree(text, *arguments, targets=tuple(LOWERINGS), lower=True, **given)
