"""Checks the arguments of node constructors against the annotations of their fields.

Independent of particular nodes. Most fields are checked only after a constructor failed, so that creating nodes is
fast.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from rise.diagnostics import Diagnostic, RiseError, described
from rise.tracebacks import OWN

#: the exceptions that a constructor raises for wrong fields
BROKEN: Final = (AttributeError, TypeError, ValueError, AssertionError)
#: modules whose functions pass fields on to constructors
_BETWEEN: Final = frozenset(
    f"rise.{name}" for name in ("nodes", "binary_nodes", "terms", "types", "naturals")
)
_WORDS: Final = {
    "Expr": "a term",
    "Type": "a type",
    "Nat": "a natural",
    "Space": "a space",
    "SizeFunction": "a function of sizes",
    "Fact": "a fact",
    "NoneType": "None",
    "int": "an int",
    "bytes": "bytes",
}
_HINTS: Final = {
    "Expr": "`rise.parse_expr(text)` reads a term, `rise.dsl` builds one, and `program.main` is the term of a program",
    "Type": "`e.type` is the type of a term e; the classes of types are in `rise.types`",
    "Nat": '`rise.naturals.nat(4)` is a natural, and `rise.naturals.var("N")` is one by name',
    "Fact": '`rise.assume(e, "4 divides n")` states a fact about the sizes of a term',
}
_BUILD: Final = "`rise.dsl.build` infers types, and inserts what is implicit"


@cache
def kinds_of(cls: Hashable) -> tuple[tuple[type, ...], ...]:
    """For each field of a class of nodes, the classes of its values; `tuple` allows any items."""
    return tuple(_classes(hint) for hint in _hints(cls))


def refuse(cls: Any, fields: tuple[Any, ...], error: BaseException) -> None:
    """Raise a RiseError about the fields for which a constructor failed, if code outside of these packages passed them.

    Returns if the fields are as annotated and fit each other, or if these packages passed them: that is not a user's
    mistake.
    """
    if _is_called_by_us():
        return
    names = cls.FIELDS
    signature = f"{cls.__name__}({', '.join(names)})"
    if len(fields) != len(names):
        title = f"expected {len(names)} fields, {signature}, found {len(fields)}"
        hint = f"write {signature}, with each field in its place"
        raise RiseError(Diagnostic("wrong-field", title, hint=hint))
    for name, written, classes, given in zip(names, _hints(cls), kinds_of(cls), fields, strict=True):
        items = _item_classes(written)
        within = given if items and isinstance(given, tuple) else ()
        wrong = [one for one in within if not isinstance(one, items)] or [given]
        if len(wrong) > 1 or wrong[0] is not given or not isinstance(given, classes):
            what = f"a tuple, each item {_worded(items)}," if items else _worded(classes)
            title = f"expected {what} as `{name}` of {signature}, found {described(wrong[0])}"
            kind = (items or classes)[0].__name__
            action = _HINTS.get(kind) or _HINTS.get(cls.__name__) or f"pass {what.rstrip(',')}"
            raise RiseError(Diagnostic("wrong-field", title, hint=action))
    if isinstance(error, AssertionError) and error.args:
        title, _, action = str(error).partition("\n")
        raise RiseError(Diagnostic("ill-typed", title, hint=action or _BUILD))


@cache
def _hints(cls: Hashable) -> tuple[Any, ...]:
    """The types that the fields of a class are annotated with."""
    found = get_type_hints(cls)
    return tuple(found[name] for name in cls.FIELDS)  # type: ignore[attr-defined]  # a class of nodes


def _classes(hint: Any) -> tuple[type, ...]:
    """The classes of the values of an annotation; for a tuple, `tuple`."""
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return tuple(one for part in get_args(hint) for one in _classes(part))
    return (object if hint is Hashable else get_origin(hint) or hint,)


def _item_classes(hint: Any) -> tuple[type, ...]:
    """The classes of the items of a tuple; empty if they are not classes, or if it is not a tuple."""
    items = get_args(hint) if get_origin(hint) is tuple else ()
    return _classes(items[0]) if items[1:] == (...,) else ()


def _worded(kinds: tuple[type, ...]) -> str:
    words = list(
        dict.fromkeys(_WORDS.get(kind.__name__, f"a {kind.__name__}") for kind in kinds if _is_shown(kind))
    )
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _is_shown(kind: type) -> bool:
    """Whether messages name a class; they do not name variables that a binder or inference creates."""
    return not kind.__name__.endswith(("Bound", "Meta"))


def _is_called_by_us() -> bool:
    """Whether the code that called a constructor is in these packages, apart from code that only passes fields on."""
    frame = sys._getframe(1)
    constructors = 0
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        constructors += frame.f_code.co_name == "__new__"
        if constructors > 1:
            return True
        if module != __name__ and module not in _BETWEEN:
            return module.partition(".")[0] in OWN
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return False
