"""`dataclass` for all packages that depend on RISE: methods are generated when the first object is created.

The standard decorator compiles the text of each method, which takes about half a millisecond for a class, and a process
never uses most of the classes that it imports. This decorator behaves like the standard one, and type checkers treat it
as that one. Independent of particular classes.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: Any = None, /, **options: Any) -> Any:
        """`dataclasses.dataclass`; with `slots=True`, methods are generated later.

        >>> @dataclass(frozen=True, slots=True)
        ... class Point:
        ...     '''A place.'''
        ...
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, 0), Point.__match_args__
        (Point(x=1, y=0), True, ('x', 'y'))
        """
        if cls is None:
            return lambda given: dataclass(given, **options)
        is_plain = options.get("slots") and options.keys() <= _OPTIONS and cls.__doc__ is not None
        if not is_plain or not _GENERATED.isdisjoint(cls.__dict__) or not _are_plain(cls):
            return dataclasses.dataclass(cls, **options)
        return _with_slots(cls, options)


_OPTIONS: Final = frozenset(("frozen", "slots", "eq", "repr"))
_GENERATED: Final = frozenset(("__init__", "__setattr__", "__delattr__", "__getstate__", "__setstate__"))
_METHODS: Final = (
    "__repr__",
    "__eq__",
    "__hash__",
    "__dataclass_params__",
    "__dataclass_fields__",
    "__init__",
)
_SPECIAL: Final = (
    "ClassVar",
    "typing.ClassVar",
    "InitVar",
    "dataclasses.InitVar",
    "KW_ONLY",
    "dataclasses.KW_ONLY",
)


def _are_plain(cls: type) -> bool:
    """Whether all annotations declare fields that are parameters."""
    own = inspect.get_annotations(cls)
    return all(isinstance(text, str) and not text.startswith(_SPECIAL) for text in own.values())


def _with_slots(cls: type, options: dict[str, Any]) -> type:
    """The class with slots. When its first object is created, it gets the methods of a twin from the standard
    decorator.
    """
    contents = dict(cls.__dict__)
    contents.pop("__dict__", None)
    contents.pop("__weakref__", None)
    twins = dict(contents)
    names = tuple(inspect.get_annotations(cls))
    defaults = {name: contents.pop(name) for name in names if name in contents}
    inherited = {slot for base in cls.__mro__[1:-1] for slot in _slots_of(base)}
    before = [name for base in cls.__mro__[-1:0:-1] for name in getattr(base, "__match_args__", ())]
    left_out = {name for name, one in defaults.items() if isinstance(one, dataclasses.Field) and not one.init}
    contents["__slots__"] = tuple(name for name in names if name not in inherited)
    contents.setdefault(
        "__match_args__", tuple(name for name in dict.fromkeys((*before, *names)) if name not in left_out)
    )

    def completed() -> None:
        twin = type(cls)(cls.__name__, cls.__bases__, {**twins, "__qualname__": cls.__qualname__})
        generated = dict(vars(dataclasses.dataclass(twin, init=not options.get("frozen"), **options)))
        if options.get("frozen"):
            generated["__dataclass_params__"].init = True
            generated["__init__"] = _initialiser(made, dataclasses.fields(twin))
        for name in _METHODS:  # `__init__` comes last, so that other threads that see it find all others
            if name in generated:
                setattr(made, name, generated[name])

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        completed()
        made.__init__(self, *arguments, **named)  # type: ignore[misc]  # it is another one now

    contents["__init__"] = __init__
    contents["__dataclass_fields__"] = _Fields(completed)
    if options.get("frozen"):
        contents |= {"__setattr__": _refuse_assignment, "__delattr__": _refuse_deletion}
        contents |= {"__getstate__": _state, "__setstate__": _set_state}
    made = type(cls)(cls.__name__, cls.__bases__, contents)
    made.__qualname__ = cls.__qualname__
    return made


class _Factory:
    """The default of a parameter whose field has a factory, with the `repr` of the standard one."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY: Final = _Factory()


def _initialiser(made: type, fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """The `__init__` of a frozen class: like the standard one, but it sets slots by their descriptors, which takes two
    thirds of the time of `object.__setattr__`.
    """
    values: dict[str, Any] = {"_FACTORY": _FACTORY}
    parameters, body = ["self"], []
    for field in fields:
        name = field.name
        values[f"_set_{name}"] = getattr(made, name).__set__
        has_factory = field.default_factory is not dataclasses.MISSING
        values[f"_default_{name}"] = field.default_factory if has_factory else field.default
        value = name
        if not field.init:
            if not has_factory and field.default is dataclasses.MISSING:
                continue
            value = f"_default_{name}" + ("()" if has_factory else "")
        elif has_factory:
            parameters.append(f"{name}=_FACTORY")
            value = f"_default_{name}() if {name} is _FACTORY else {name}"
        else:
            is_required = field.default is dataclasses.MISSING
            parameters.append(name if is_required else f"{name}=_default_{name}")
        body.append(f" _set_{name}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    # setters and defaults are variables of an enclosing function, which are faster to read than globals
    inner = "\n".join(
        [f" def __init__({', '.join(parameters)}):", *(f" {line}" for line in body or [" pass"])]
    )
    found: dict[str, Any] = {}
    exec(f"def outer({', '.join(values)}):\n{inner}\n return __init__", {}, found)
    __init__ = found["outer"](**values)
    __init__.__qualname__ = f"{made.__qualname__}.__init__"
    __init__.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return __init__


def _slots_of(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


class _Fields:
    """The fields of a class without objects so far: reading them completes the class."""

    def __init__(self, completed: Any) -> None:
        self._completed = completed

    def __get__(self, instance: Any, owner: type) -> Any:
        self._completed()
        return getattr(owner, "__dataclass_fields__")  # noqa: B009  # type checkers know none


def _refuse_assignment(self: Any, name: str, value: object) -> None:
    if _is_refused(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_deletion(self: Any, name: str) -> None:
    if _is_refused(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_refused(self: Any, name: str) -> bool:
    """Whether an attribute cannot be changed: as in the standard class, this applies to fields and to all other
    attributes, except in a subclass that is not a dataclass.
    """
    return "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=False):
        object.__setattr__(self, name, value)
