"""What differs between C and the languages that are written like it. Knows no programs and no operations' meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import Text

Element: TypeAlias = Callable[[int], str]  # the text of an array's element, so many elements further on


class Needs(Protocol):
    """What a piece of text needs of the source around it: headers, types, and functions, by name."""

    headers: set[str]
    types: dict[str, str]

    def define(self, name: str, text: str) -> str:
        """Add a function whose text is at hand; its name."""

    def use(self, name: str) -> str:
        """Add the scalar function of a name; what it is called."""

    def element(self, name: str) -> str:
        """Add a scalar type; what it is called."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """How vectors are written. `lane` and `literal` are formats: of a vector and a lane, of a type and its lanes.

    `load` and `store` take the type, whether the address is a multiple of its size, and the elements; `aligned` are
    the spaces whose arrays start at such addresses. `has_operators`: whether `+ - * /` work lane by lane.
    """

    name: Callable[[VectorType, Needs], str]
    lane: str
    literal: str
    has_operators: bool
    aligned: frozenset[str]
    load: Callable[[VectorType, bool, Element, Needs], Text]
    store: Callable[[VectorType, bool, Element, Text, Needs], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A language: its types, its names of functions, and what it does in its own way.

    `counting` is the scalar type of sizes and indices; `function` stands before a helper function, `before_loop` before
    a loop over lanes. `headers` are the files that declare a thing, by the name under which `Needs` asks for it;
    `declared` the declarations of types that the language lacks; `builtin` helper functions that the language has.
    `elementary` are functions of f32 that are written out, each with what it needs; `conversions` functions from a type
    to another.
    `storage` are the scalar types that are computed on as f32, but for the operations named. `wraps`: whether signed
    integers wrap. `reports`: whether what can fail takes where to report that; else `on_failure` is what it does.
    """

    language: str
    types: Mapping[str, str]
    counting: str
    function: str
    before_loop: str
    headers: Mapping[str, str]
    declared: Mapping[str, str]
    builtin: Mapping[str, str]
    elementary: Mapping[str, Mapping[str, str]]
    conversions: Mapping[str, str]
    storage: Mapping[str, frozenset[str]]
    wraps: bool
    reports: bool
    on_failure: str
    vectors: Vectors
    #: the least or greatest value of an integer type
    limit: Callable[[str, bool], str]
    #: a number of a floating-point type
    float_text: Callable[[float, str], Text]
    #: an input that another lane of the warp has: the value here, the lane
    exchange: Callable[[Text, Text, ScalarType | VectorType, Needs], Text] | None = None
