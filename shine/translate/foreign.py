"""Translates calls of foreign functions. Independent of targets and of what the functions compute."""

from __future__ import annotations

from collections.abc import Iterable

from rise.naturals import NatVar, const
from rise.programs.foreign import Foreign
from shine.imperative.accesses import accesses
from shine.imperative.nodes import Block, For, Operation, Statement
from shine.translate.core import Call, Translation, Translator, read, write
from shine.translate.fragments import write_product
from shine.translate.memory import nested
from shine.translate.next_parts import buffers_of
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import Place, Reader


def translations_of(functions: Iterable[Foreign]) -> dict[str, Translation]:
    """The translations of foreign functions, by name."""
    return {function.name: _translation(function) for function in functions}


def _translation(function: Foreign) -> Translation:
    if function.product is not None:
        return _product(function)
    if function.array is not None:
        return _code(function)

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


def _code(function: Foreign) -> Translation:
    """Mark the statements that store an array as what the function does; copies that are made before stay before."""

    def write_code(tr: Translator, call: Call, place: Place) -> Task[None]:
        start = tr.position
        yield write(tr, place, call.last)
        names: frozenset[str] = yield buffers_of(place, call.type)
        index = NatVar(tr.names.fresh("call"), const(1))

        def marked(block: Block) -> Block:
            first = next(at for at, one in enumerate(block.statements) if _stores(one, names))
            before, body = block.statements[:first], Block(block.statements[first:])
            loop = For(index, const(1), "seq", body, call.path.origin, code=function)
            return Block((*before, loop))

        tr.revise(start, marked)

    return Translation(function.name, "write -> write", write=write_code)


def _stores(statement: Statement, names: frozenset[str]) -> bool:
    """Whether a statement stores to a buffer of one of these names."""
    return any(access.is_store and access.buffer.name in names for access in accesses(Block((statement,))))
