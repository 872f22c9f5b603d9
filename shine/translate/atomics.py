"""Translates reductions on a GPU level whose units combine their elements with the result atomically."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.naturals import Nat, const
from rise.primitives import PRIMITIVES, has_trait
from rise.terms import App, Bound, Lam, Primitive
from rise.types import ScalarType
from shine.imperative.errors import fail
from shine.imperative.nodes import AtomicUpdate
from shine.translate.core import Call, Operand, Term, Translation, Translator, read, write
from shine.translate.levels import level_of
from shine.translate.memory import place_at, reader_at
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import Reader, ScalarReader, element
from shine.translate.views import array_of

#: operations of atomic updates, in the order of the records
ATOMIC_OPERATIONS: Final = tuple(name for name in PRIMITIVES if has_trait(name, "atomic"))


def atomic_operation(function: Operand, path: Path) -> str:
    """The operation of an atomic update. Raises TranslationError for a function without one."""
    name = ""
    match function:
        case Term(Primitive(name)):
            pass
        case Term(Lam(_, _, Lam(_, _, App(App(Primitive(name), Bound(1)), Bound(0))))):
            pass
    if name in ATOMIC_OPERATIONS:
        return name
    *first, last = ATOMIC_OPERATIONS
    known = f"{', '.join(first)} or {last}"
    title = (
        f"expected {known}, which GPUs can do atomically, found {f'`{name}`' if name else 'another function'}"
    )
    fail(
        "atomic-operation",
        title,
        "store the blocks' results with toMem(Global), and reduce those",
        path.origin,
    )


def read_atomic(space: str) -> Callable[[Translator, Call], Task[Reader]]:
    """A loop over a level that updates one cell, which is initialised with the start value."""

    def read_loop(tr: Translator, call: Call) -> Task[Reader]:
        level = level_of(call)
        function, start, operand = call.operands
        name = atomic_operation(function, call.path)
        if not isinstance(call.type, ScalarType):
            title = f"expected a number for atomic updates, found {call.type}"
            fail("atomic-type", title, "use a reduction that is not atomic", call.path.origin)
        cells = tr.allocate(call.type, space, "total", call.path)
        ((total, _),) = cells
        tr.mutable.add(total.name)
        xs: Reader = yield read(tr, operand)
        yield write(tr, place_at(tr, call.type, cells, call.path), start)

        def step(i: Nat) -> Task[None]:
            x: Reader = yield element(xs, i)
            assert isinstance(x, ScalarReader), x
            tr.emit(AtomicUpdate(name, total, const(0), x.value, call.path.origin))

        size = array_of(call.parameters[2]).size
        yield tr.loop(level, size, "part", call.path, step)
        return reader_at(tr, call.type, cells, call.path)

    return read_loop


_FOLD: Final = "(read -> read -> write) -> b -> read -> read"
ATOMICS: Final = (
    Translation("reduceBlockAtomic", _FOLD, read=read_atomic("Global")),
    Translation("reduceThreadsAtomic", _FOLD, read=read_atomic("Shared")),
)
