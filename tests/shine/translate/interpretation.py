"""Low-level programs as texts, run by the interpreter and evaluated.

Independent of targets other than `interpret`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import rise
from rise.naturals import const
from rise.terms import DepApp, Expr
from rise.types import ArrayType, DepFunType, FunType, Type
from shine.imperative.nodes import Block, For, If, Procedure, Statement
from shine.imperative.text import write_block
from shine.kernel import make_kernel
from shine.translate import translate


def program(text: str) -> Expr:
    """The term of a text."""
    return rise.parse(text).main


def statements(block: Block) -> Iterator[Statement]:
    """All statements of a block, outer ones first."""
    for statement in block.statements:
        yield statement
        if isinstance(statement, For | If):
            yield from statements(statement.body)


def shown(procedure: Procedure | str) -> list[str]:
    """The lines of a procedure's body."""
    made = translate(program(procedure)) if isinstance(procedure, str) else procedure
    return [text.strip() for text, _ in write_block(made.body)]


def numbers(t: Type, seed: int = 0) -> Any:
    """Small integers in the shape of a type, so that no sum is rounded."""
    rng = np.random.default_rng(seed)
    shape: list[int] = []
    while isinstance(t, ArrayType):
        size = t.size.constant
        assert size is not None
        shape.append(size)
        t = t.element
    return rng.integers(-8, 8, shape).astype(np.float32)


def leaves(value: Any) -> list[Any]:
    """The arrays of a value."""
    return (
        [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else [np.asarray(value)]
    )


def agree(e: Expr, *arguments: Any, sizes: tuple[int, ...] = ()) -> None:
    """Assert that an interpreted program agrees with its meaning."""
    found = leaves(make_kernel(translate(e), "interpret")(*arguments))
    meant = e
    for size in sizes:
        meant = DepApp(meant, const(size))
    expected = leaves(rise.evaluate(meant, *arguments))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def agree_on_numbers(text: str, seed: int = 0) -> None:
    """`agree` for a program of arrays of floats whose sizes are numbers."""
    e = program(text)
    t = e.type
    arguments = []
    while isinstance(t, FunType):
        arguments.append(numbers(t.parameter, seed))
        t = t.result
    assert not isinstance(t, DepFunType)
    agree(e, *arguments)
