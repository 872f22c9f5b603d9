"""The differences between C and similar languages. Independent of programs and meanings of operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from rise.records import dataclass
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import Text
from shine.targets.c.elementary.piece import Piece

Element: TypeAlias = Callable[[int], str]  # the text of an array's element at an offset


class Needs(Protocol):
    """Collects the headers, types and functions that a piece of source needs, by name."""

    headers: set[str]
    types: dict[str, str]

    def define(self, name: str, text: str) -> str:
        """Add a function with its text, and return its name."""

    def use(self, name: str) -> str:
        """Add the scalar function with this name, and return its name in the source."""

    def element(self, name: str) -> str:
        """Add a scalar type, and return its name in the source."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """How vectors are printed. `lane` is a format of a vector and a lane, `literal` of a type and its lanes.

    `load` and `store` take the type, whether the address is aligned to its size, and the elements; `aligned` lists the
    memory spaces whose arrays start at aligned addresses. `has_operators`: whether `+ - * /` work lane by lane.
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
    """A language: its types, the names of its functions, and how it differs from others.

    `counting` is the scalar type of sizes and indices; `function` is printed before a helper function, `failing` before
    one that runs on failure only, `before_loop` before a loop over lanes. `headers` are header files, by the names that
    `Needs` uses; `declared` are declarations of types that the language lacks; `builtin` are helper functions that the
    language has. `elementary` are functions that are implemented here instead of calling a library, by names such as
    `exp_f64`; `conversions` are functions from one type to another, and `instructions` those for which the machine has
    an instruction that the language's operators do not use. `storage` are the scalar types that are computed as
    f32, except for the operations named. `complex` is the format of a complex number: its type, its real part and its
    imaginary part. `fuses`: whether compilers may not round products before they add them. `wraps`: whether signed
    integers wrap. `reports`: whether a function that can fail takes a place to
    report it; else `on_failure` is the statement that it runs.
    """

    language: str
    types: Mapping[str, str]
    counting: str
    function: str
    failing: str
    before_loop: str
    headers: Mapping[str, str]
    declared: Mapping[str, str]
    builtin: Mapping[str, str]
    elementary: Mapping[str, Piece]
    conversions: Mapping[str, str]
    instructions: Mapping[str, str]
    storage: Mapping[str, frozenset[str]]
    complex: str
    fuses: bool
    wraps: bool
    reports: bool
    on_failure: str
    vectors: Vectors
    #: the least or greatest value of an integer type
    limit: Callable[[str, bool], str]
    #: a number of a floating-point type
    float_text: Callable[[float, str], Text]
    #: the value of another lane of the warp, given the value here and the lane
    exchange: Callable[[Text, Text, ScalarType | VectorType, Needs], Text] | None = None
