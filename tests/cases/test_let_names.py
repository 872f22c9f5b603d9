"""The names of `let` bindings occur in the golden texts of their programs, unless the value is not stored. Compiles
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import pytest

from strategies.parts.named_values import named_values
from tests.cases.stages import CASES, program
from tests.cases.texts import ENDINGS, golden

VIEW: Final = "a view, which is read through"
COMPUTED: Final = "computed where it is used, and stored nowhere"
INLINED: Final = "used once: substituted before the strategy decided to store it"
WINDOWS: Final = "stored as rows of windows, which have a name of their own"
IN_RESULT: Final = "stored in the memory of the result, under its name"
LIKE_A_RULES: Final = "a name that rules give, too, and that says nothing in a text"

#: names that do not occur in the texts, and why; for a case and a target, names that are missing in that text alone
NOT_PRINTED: Final[Mapping[tuple[str, ...], Mapping[str, str]]] = {
    ("acoustic",): {"w": VIEW},
    ("batch_norm",): {"variance": COMPUTED},
    ("bilateral",): {"w": VIEW},
    ("binomial",): {"once": COMPUTED},
    ("conjugate_gradient",): {"residuals": VIEW, "directions": VIEW},
    ("conjugate_gradient", "openmp"): {"images": IN_RESULT, "left": IN_RESULT},
    ("conv1d_layer",): {"windows": VIEW},
    ("conv2d_layer",): {"around": VIEW},
    ("determinants",): {"m": VIEW},
    ("game_of_life",): {"cells": VIEW},
    ("gray_scott",): {"w": VIEW},
    ("grey",): {"c": COMPUTED},
    ("haar",): {"pairs": VIEW},
    ("harris",): {"xx": WINDOWS, "xy": WINDOWS, "yy": WINDOWS},
    ("heat3d",): {"w": VIEW},
    ("integral_image",): {"rows": INLINED},
    ("kmeans_step",): {"sum": COMPUTED},
    ("lorenz", "openmp"): {"x": VIEW},
    ("lorenz",): {"y": VIEW, "z": VIEW},
    ("mandelbrot",): {"re": VIEW, "im": VIEW},
    ("random_walk", "openmp"): {"x": LIKE_A_RULES},
    ("rank_sort",): {"numbered": VIEW},
    ("sobel", "openmp"): {"x": COMPUTED, "y": COMPUTED},
    ("softmax", "cuda"): {"weights": COMPUTED},
    ("trsv", "openmp"): {"row": VIEW},
    ("unsharp",): {"once": COMPUTED},
    ("unsharp", "cuda"): {"soft": COMPUTED},
    ("warp",): {"below": COMPUTED},
}
WORD: Final = re.compile(r"[A-Za-z]\w*")


def missing(names: Iterable[str], text: str) -> set[str]:
    """The names that are neither a name in the text nor a sequence of whole words of one."""
    words = [f"_{word}_" for word in WORD.findall(re.sub(r"//.*", "", text))]
    return {name for name in names if not any(f"_{name}_" in word for word in words)}


def test_names_are_found_as_whole_words() -> None:
    text = "// gone\nfloat mean_of_n = best_1st + xs[i];"
    assert missing(["mean", "best", "of_n", "mea", "s", "gone"], text) == {"mea", "s", "gone"}


@pytest.mark.parametrize("target", ENDINGS)
def test_names_of_lets_are_in_the_texts(target: str) -> None:
    for case in CASES:
        names = [one.name for one in named_values(program(case)) if one.is_let]
        listed = [NOT_PRINTED.get(key, {}) for key in ((case.name,), (case.name, target))]
        text = golden(case.name, target).read_text(encoding="utf-8")
        assert missing(names, text) == {name for reasons in listed for name in reasons}, case.name
