"""PTX instructions with memory orders and scopes: loads, stores, atomic operations and reductions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shine.simulator.ptx_rows import C_TYPES, STORED_TYPES, Instruction, row

_SPACES: Final = (
    ("", "[global]"),
    (".global", "[global]"),
    (".shared", "[shared]"),
    (".shared::cluster", "[shared]"),
)
_SCOPES: Final = {"cta": "OF_BLOCK", "cluster": "OF_DEVICE", "gpu": "OF_DEVICE", "sys": "OF_DEVICE"}
_ORDERS: Final = {
    "relaxed": "0",
    "acquire": "simulator::ACQUIRES",
    "release": "simulator::RELEASES",
    "acq_rel": "simulator::ACQUIRES | simulator::RELEASES",
}
#: the types of each operation, and its name in the runtime's headers
_OPERATIONS: Final = (
    *(("add", "Added", t) for t in ("u32", "s32", "u64", "f32", "f64")),
    *(
        (name, kind, t)
        for name, kind in (("min", "Least"), ("max", "Greatest"))
        for t in ("u32", "s32", "u64", "s64")
    ),
    *(
        (name, kind, t)
        for name, kind in (("and", "BitsOfBoth"), ("or", "BitsOfAny"), ("xor", "BitsOfOne"))
        for t in ("b32", "b64")
    ),
    *((name, kind, "u32") for name, kind in (("inc", "CountedUp"), ("dec", "CountedDown"))),
)


def orders() -> Iterator[Instruction]:
    """All rows. An operation without an order is relaxed; one without a scope has device scope."""
    for space, at in _SPACES:
        for scope, its_scope in _SCOPES.items():
            for order in ("relaxed", "acquire"):
                yield from _loads(space, at, (order, scope), f"simulator::{its_scope}, {_ORDERS[order]}")
            for order in ("relaxed", "release"):
                yield from _stores(space, at, (order, scope), f"simulator::{its_scope}, {_ORDERS[order]}")
        for order in ("", *_ORDERS):
            for scope in ("", *_SCOPES):
                words = "".join(f".{word}" for word in (order, scope) if word)
                how = f"simulator::{_SCOPES.get(scope, 'OF_DEVICE')}, {_ORDERS.get(order, '0')}"
                yield from _atomic(f"{words}{space}", at, how)


def _loads(space: str, at: str, words: tuple[str, str], how: str) -> Iterator[Instruction]:
    order = ".".join(words)
    for t in STORED_TYPES:
        for name in _either(f"ld.{order}{space}.{t}", f"ld{space}.{order}.{t}"):
            yield row(name, f">{t} {at}", f"ordered_load<{C_TYPES[t]}, {how}>", True, 70)


def _stores(space: str, at: str, words: tuple[str, str], how: str) -> Iterator[Instruction]:
    order = ".".join(words)
    for t in STORED_TYPES:
        for name in _either(f"st.{order}{space}.{t}", f"st{space}.{order}.{t}"):
            yield row(name, f"{at} <{t}", f"ordered_store<{C_TYPES[t]}, {how}>", True, 70)


def _either(first: str, second: str) -> tuple[str, ...]:
    """The order and the space may be written in either order; without a space, both names are the same."""
    return (first,) if first == second else (first, second)


def _atomic(after: str, at: str, how: str) -> Iterator[Instruction]:
    for name, kind, t in _OPERATIONS:
        which = f"<{C_TYPES[t]}, simulator::ptx::{kind}, {how}>"
        yield row(f"atom{after}.{name}.{t}", f"={t} {at} {t}", f"ordered_update{which}", True)
        if "acq" not in after:
            yield row(f"red{after}.{name}.{t}", f"{at} {t}", f"ordered_reduction{which}", True)
    for t in ("b32", "b64"):
        function = f"ordered_exchange<{C_TYPES[t]}, {how}>"
        yield row(f"atom{after}.exch.{t}", f"={t} {at} {t}", function, True)
    for t in ("b16", "b32", "b64"):
        yield row(f"atom{after}.cas.{t}", f"={t} {at} {t} {t}", f"ordered_cas<{C_TYPES[t]}, {how}>", True)
