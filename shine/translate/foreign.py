"""Translates calls of foreign functions. Independent of targets and of what the functions compute."""

from __future__ import annotations

from collections.abc import Iterable

from rise.programs.foreign import Foreign
from shine.imperative.nodes import Operation
from shine.translate.core import Call, Translation, Translator, read
from shine.translate.fragments import write_product
from shine.translate.memory import nested
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import Place, Reader


def translations_of(functions: Iterable[Foreign]) -> dict[str, Translation]:
    """The translations of foreign functions, by name."""
    return {function.name: _translation(function) for function in functions}


def _translation(function: Foreign) -> Translation:
    if function.product is not None:
        return _product(function)

    def read_call(tr: Translator, call: Call) -> Task[Reader]:
        arguments = []
        for operand in call.operands:
            argument: Reader = yield read(tr, operand)
            arguments.append(as_scalar(argument))
        values = tuple(argument.value for argument in arguments)
        depth = 1 + max(argument.depth for argument in arguments)
        value = Operation(f"foreign {function.name}", values, function.signature[-1], function)
        return nested(tr, value, depth, call.path)

    return Translation(function.name, " -> ".join("read" for _ in function.signature), read=read_call)


def _product(function: Foreign) -> Translation:
    """Add the product of two fragments to a third one."""

    def write_call(tr: Translator, call: Call, place: Place) -> Task[None]:
        yield from write_product(tr, call, place, function)

    return Translation(function.name, "read -> read -> read -> write", write=write_call)
