"""Prints atomic updates: CUDA's own functions, or a compare-and-swap loop. Independent of loops over threads."""

from __future__ import annotations

from typing import Final

from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.errors import fail
from shine.imperative.naturals_text import UNARY, Text
from shine.imperative.nodes import AtomicUpdate
from shine.targets.c.expressions import Place, element_text, value_text
from shine.targets.c.helpers import Helpers
from shine.targets.c.operations import operation_text

#: the types for which CUDA's own functions do what `docs/semantics.md` says
_BUILTIN: Final = {
    "add": frozenset(("i32", "u32", "u64", "f32", "f64")),
    "min": frozenset(("i32", "i64", "u32", "u64")),
    "max": frozenset(("i32", "i64", "u32", "u64")),
}
_WORDS: Final = {16: "u16", 32: "u32", 64: "u64"}  # types that atomicCAS takes


def atomic_text(statement: AtomicUpdate, place: Place) -> str:
    """Print an update, whose result is not used."""
    name, helpers = statement.name, place.context.helpers
    element = statement.value.type
    assert isinstance(element, ScalarType), f"an update of a vector: {statement!r}"
    target = element_text(statement.buffer, statement.index, place)
    value = value_text(statement.value, place)
    if element.name in _BUILTIN[name]:
        return f"atomic{name.capitalize()}(&{target}, {value.code});"
    if (name, element.name) == ("add", "i64"):
        u64 = helpers.element("u64")
        return f"atomicAdd(reinterpret_cast<{u64}*>(&{target}), ({u64}){value.at(UNARY)});"
    if SCALARS[element.name].bits not in _WORDS:
        fail(
            "atomic-type",
            f"expected numbers of 16, 32 or 64 bits to update atomically, found {element.name}",
            "cast to i32 first, or let each thread update its own elements",
            statement.origin,
        )
    return f"{_loop(name, element, helpers)}(&{target}, {value.code});"


def _loop(name: str, t: ScalarType, helpers: Helpers) -> str:
    """Define a function that repeats a compare-and-swap until no other thread has stored in between."""
    c = helpers.element(t.name)
    word = helpers.element(_WORDS[SCALARS[t.name].bits])
    seen = [Text("seen.value"), Text("a")]
    new = operation_text(name, [t, t], t, seen, helpers, str)
    return helpers.define(
        f"atomic_{name}_{t.name}",
        f"""void atomic_{name}_{t.name}({c}* place, {c} a) {{
  {word}* const word = reinterpret_cast<{word}*>(place);
  union {{ {word} bits; {c} value; }} seen, wanted;
  {word} found = atomicCAS(word, ({word})0, ({word})0);
  do {{
    seen.bits = found;
    wanted.value = {new.code};
    found = atomicCAS(word, seen.bits, wanted.bits);
  }} while (found != seen.bits);
}}""",
    )
