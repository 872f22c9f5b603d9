"""Translations of reductions whose elements units of a GPU's level combine with the result, each when it has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from rise.naturals import Nat, const
from rise.terms import App, Bound, Lam, Primitive
from rise.text.nat_printer import show_nat
from rise.types import ScalarType
from shine.imperative import AtomicUpdate, Level, LevelName
from shine.translate.core import Call, Operand, Term, Translation, Translator, read, write
from shine.translate.errors import fail
from shine.translate.memory import place_at, reader_at
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import Reader, ScalarReader, element
from shine.translate.views import array_of, natural

Name: TypeAlias = Literal["add", "min", "max"]


def updated_by(function: Operand, path: Path) -> Name:
    """The operation of an update. Raises TranslationError for one that no update has."""
    name = ""
    match function:
        case Term(Primitive(name)):
            pass
        case Term(Lam(_, _, Lam(_, _, App(App(Primitive(name), Bound(1)), Bound(0))))):
            pass
    match name:
        case "add" | "min" | "max":
            return name
    title = f"expected add, min or max, which GPUs do undivided, found {f'`{name}`' if name else 'another function'}"
    fail("atomic-operation", title, "store what blocks find with toMem(Global), and reduce that", path.origin)


def read_atomic(level: LevelName, space: str) -> Callable[[Translator, Call], Task[Reader]]:
    """A loop over a level that updates one cell, which holds the start value before."""

    def read_loop(tr: Translator, call: Call) -> Task[Reader]:
        dimension = natural(call, 0)
        if dimension.constant is None or dimension.constant > 2:
            title = f"expected a dimension from 0 to 2, found {show_nat(dimension)}"
            fail("dimension", title, f"write `{call.name}(0, ...)`", call.path.origin)
        function, start, operand = call.operands
        name = updated_by(function, call.path)
        if not isinstance(call.type, ScalarType):
            title = f"expected numbers to update undivided, found {call.type}"
            fail("atomic-type", title, "reduce what lies in memory instead", call.path.origin)
        cells = tr.allocate(call.type, space, "total", call.path)
        ((total, _),) = cells
        tr.mutable.add(total.name)
        xs: Reader = yield read(tr, operand)
        yield write(tr, place_at(tr, call.type, cells, call.path), start)

        def one(i: Nat) -> Task[None]:
            x: Reader = yield element(xs, i)
            assert isinstance(x, ScalarReader), x
            tr.emit(AtomicUpdate(name, total, const(0), x.value, call.path.origin))

        size = array_of(call.parameters[2]).size
        yield tr.loop(Level(level, dimension.constant), size, "part", call.path, one)
        return reader_at(tr, call.type, cells, call.path)

    return read_loop


_FOLD: Final = "(read -> read -> write) -> b -> read -> read"
ATOMICS: Final = (
    Translation("reduceBlockAtomic", _FOLD, read=read_atomic("block", "Global"), is_level=True),
    Translation("reduceThreadsAtomic", _FOLD, read=read_atomic("threads", "Shared"), is_level=True),
)
