"""`shine show --stage passes` and `--stage imperative`: what each pass changed, and the final program.

`snapshots/passes.txt` has the output; run this file as a program to rewrite it.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.commands import EXAMPLES, shine
from tests.examples import in_whole, some

SNAPSHOT = Path(__file__).parent / "snapshots" / "passes.txt"
#: one program for each target, small enough to read
SHOWN = (
    ("examples/conv2d.rise", "--size", "H=3", "W=5"),
    ("examples/conv2d.rise", "-O", "borders=false", "pragmas=false", "prefetch=false"),
    ("examples/dot.rise", "--target", "cuda", "--strategy", "strategies.sequential:sequential"),
    ("examples/dot.rise", "--target", "interpret"),
)
CONV2D = EXAMPLES / "conv2d.rise"


def shown() -> str:
    """Each command, and its output."""
    texts = []
    for words in SHOWN:
        said = shine("show", EXAMPLES.parent / words[0], *words[1:], "--stage", "passes")
        assert said.status == 0, said
        texts.append(f"$ shine show {' '.join(words)} --stage passes\n{said.out}")
    return "\n".join(texts)


def test_the_output_is_the_snapshot() -> None:
    assert shown() == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    some([("openmp",), ("openmp", "-O", "prefetch=false"), ("cuda",), ("interpret",)], 2),
    ids=" ".join,
)
def test_the_result_of_the_last_pass_is_the_stage_imperative(words: tuple[str, ...]) -> None:
    words = ("show", str(CONV2D), "--target", *words, "--json", "--stage")
    passes = shine(*words, "passes").facts["passes"]
    texts = [one["text"] for one in passes if one["runs"]]
    assert texts[-1] == shine(*words, "imperative").facts["text"]
    changed = [one["changes"] for one in passes if one["runs"]]
    assert changed[1:] == [a != b for a, b in pairwise(texts)]


def test_a_pass_that_is_switched_off_is_shown_as_such() -> None:
    words = ("show", CONV2D, "--stage", "passes", "-O", "prefetch=false")
    off = [one["name"] for one in shine(*words, "--json").facts["passes"] if not one["runs"]]
    assert {"prefetch", "prefetch_rows"} <= set(off)
    assert shine(*words).out.count("It is switched off.") == len(off)


@in_whole("test_the_output_is_the_snapshot")
def test_kernels_are_shown_before_they_have_warps() -> None:
    """Passes before `choose_launch` see loops over warps whose number is not chosen yet."""
    said = shine("show", EXAMPLES / "dot.rise", "--target", "cuda", "--stage", "passes")
    assert said.status == 0 and "(warp 0)" in said.out


if __name__ == "__main__":
    SNAPSHOT.write_text(shown(), encoding="utf-8")
