"""Translates the steps of argmin and argmax: one of two pairs, by their second components. Independent of loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.types import PairType, ScalarType
from shine.imperative.nodes import Operation
from shine.translate.core import Call, Translation, Translator, read
from shine.translate.scalars import as_scalar, select
from shine.translate.trampoline import Task, done
from shine.translate.values import Reader, ScalarReader, half

_BOOL: Final = ScalarType("bool")


def read_better(stays: str) -> Callable[[Translator, Call], Task[Reader]]:
    """The second pair, unless the number of the first pair is better according to the comparison `stays`, or is NaN."""

    def read_pair(tr: Translator, call: Call) -> Task[Reader]:
        assert isinstance(call.type, PairType), call
        pairs: list[Reader] = []
        numbers: list[Reader] = []
        for operand in call.operands:
            pair: Reader = yield read(tr, operand)
            number: Reader = yield half(pair, 1)
            pairs.append(pair)
            numbers.append(number)
        a, b = (tr.define(as_scalar(number).value, "number", call.path) for number in numbers)
        compared = Operation("not", (Operation(stays, (a, b), _BOOL),), _BOOL)
        replaces = Operation("and", (Operation("eq", (a, a), _BOOL), compared), _BOOL)
        choice = ScalarReader(tr.define(replaces, "choice", call.path))
        first, second = pairs
        better: Reader = yield select(
            tr, call.type, choice, lambda: done(second), lambda: done(first), call.path
        )
        return better

    return read_pair


SELECTIONS: Final = (
    Translation("lesserPair", "read -> read -> read", read=read_better("le")),
    Translation("greaterPair", "read -> read -> read", read=read_better("ge")),
)
