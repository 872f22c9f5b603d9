"""The automaton reads the same texts as lark with the same tables: the same trees with the same spans, and no other
texts.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import UnexpectedInput

from rise import RiseError
from rise.text import reader
from rise.text.automaton import Automaton, StoppedError
from rise.text.builder import Builder
from rise.text.parser import lark
from rise.text.tables import DATA, MEMO
from rise.text.trees import Syntax
from tests.growing.families import FAMILIES
from tests.growing.family import grown

ROOT = Path(__file__).resolve().parents[3]
AUTOMATON = Automaton(DATA, MEMO, Builder())
STARTS = {
    "expression": ("x", "(f . g)(x)", "  [0..n) // all", "1 +", ""),
    "equation": ("join (split n xs) = xs", "f x == y", "x"),
    "type": ("n.m.f32", "(n: nat) -> n..(i |-> i.f32)", "{t: num} -> t", "n."),
    "argument_type": ("2 * n", "f32", "ceil(n, 32) /^ 4", "*"),
    "fact": ("32 divides n", "n <= 4 * m", "n"),
}


def spans(tree: object) -> Iterator[object]:
    """All nodes with all their fields, including spans, in order."""
    stack = [tree]
    while stack:
        one = stack.pop()
        if isinstance(one, Syntax):
            yield type(one).__name__
            stack += [getattr(one, name) for name in reversed(one.__match_args__)]
        elif type(one) is tuple:
            stack += reversed(one)
        else:
            yield one


def read(text: str, start: str) -> list[object]:
    try:
        return list(spans(AUTOMATON.parse(text, start)))
    except RiseError as error:
        return [str(error)]
    except StoppedError:
        return ["stopped"]


def read_by_lark(text: str, start: str) -> list[object]:
    try:
        return list(spans(lark().parse(text, start)))
    except RiseError as error:
        return [str(error)]
    except UnexpectedInput:
        return ["stopped"]


def test_all_constructs_are_read_as_by_lark() -> None:
    texts = [grown(family, 3) for family in FAMILIES.values()]
    texts += [text[: len(text) * 2 // 3] for text in texts[::7]]
    texts += [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("rise/library/*.rise"))]
    found = [read(text, "program") for text in texts]
    assert [
        text for text, one in zip(texts, found, strict=True) if one != read_by_lark(text, "program")
    ] == []
    assert sum(one == ["stopped"] for one in found) > 20


@pytest.mark.parametrize("start", STARTS)
def test_all_starts_are_read_as_by_lark(start: str) -> None:
    found = [read(text, start) for text in STARTS[start]]
    assert found == [read_by_lark(text, start) for text in STARTS[start]]
    assert found[0] != ["stopped"] == found[-1]


def test_lark_is_not_used_for_texts_without_errors() -> None:
    lark.cache_clear()
    reader.read_program("val f = fun(x: f32 => x + 1.0)")
    assert lark.cache_info().currsize == 0
    with pytest.raises(RiseError):
        reader.read_program("val f = fun(x: f32 =>")
    assert lark.cache_info().currsize == 1


def test_programs_that_read_no_text_do_not_load_lark() -> None:
    subprocess.run([sys.executable, "-c", "import rise, sys; assert 'lark' not in sys.modules"], check=True)
