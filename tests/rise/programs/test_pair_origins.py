"""Each part of a program without dependent pairs is traced to a part of the program with them that computes the
same.
"""

from collections.abc import Iterator

import pytest

import rise
from rise.nodes import postorder
from rise.programs.dependent_pairs import take_apart
from rise.programs.pair_origins import origin_before_apart
from rise.terms import Primitive
from rise.types import DepFunType, FunType
from tests.rise.programs.test_dependent_pairs import BOTH, CHOICE, SUM, TWICE

Path = tuple[int, ...]


def parts(e: rise.Expr) -> Iterator[tuple[Path, rise.Expr]]:
    waiting: list[tuple[Path, rise.Expr]] = [((), e)]
    while waiting:
        path, part = waiting.pop()
        yield path, part
        waiting += [((*path, place), child) for place, child in enumerate(part.children)]


def at(e: rise.Expr, path: Path) -> rise.Expr:
    for place in path:
        e = e.children[place]
    return e


def named(e: rise.Expr) -> set[str]:
    return {node.name for node in postorder(e) if isinstance(node, Primitive)}


@pytest.mark.parametrize("text", [SUM, TWICE, BOTH, CHOICE])
def test_a_value_comes_from_a_part_with_its_primitives(text: str) -> None:
    e = rise.parse(text).main
    for path, part in parts(take_apart(e).term):
        if not isinstance(part.type, FunType | DepFunType):
            assert named(part) <= named(at(e, origin_before_apart(e, path)))


def test_the_origin_is_the_smallest_part() -> None:
    e = rise.parse(TWICE).main
    found = [rise.show(at(e, origin_before_apart(e, path))) for path, _ in parts(take_apart(e).term)]
    assert found[0] == found[1] == rise.show(e), "the function of the pair"
    assert found[2] == "map(mul{f32}(2.0), %0)"
    assert {"mul{f32}(2.0)", "mul{f32}", "2.0"} <= set(found)
