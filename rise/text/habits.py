"""Constructs of other languages in a rejected text, each with its equivalent in RISE.

Independent of the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from rise.text.hints import DEFINITION, FUNCTION, GROUPS, HINTS, LOOP, METHOD, NAMED, SLICE
from rise.text.stops import Stop

MAX_LOOKED_BACK: Final = 2000  # that are read before a stop
#: the head of a C function
_C_FUNCTION: Final = re.compile(
    r"(?:\A|\n)[ \t\f]*(?:(?:static|inline|const|unsigned|__global__|__kernel|extern)[ \t]+)*"
    r"(?:void|float|double|int|long|bool|char|auto|size_t)[ \t*]+([A-Za-z_]\w*)[ \t]*\([^=]*\Z"
)
#: `f(x, y) = ...`, as in mathematics and in Halide, and `main xs = ...`
_EQUATION: Final = re.compile(
    r"(?:\A|\n)[ \t\f]*(?:entry[ \t]+)?([a-z_]\w*)[ \t]*(\([\w ,]*\)|[a-z]\w*)[ \t]*\Z"
)
#: `Var x, y;`, as in Halide
_DECLARATION: Final = re.compile(r"(?:\A|\n)[ \t\f]*(?:Var|Func|Expr|Buffer)\b[^\n]*\Z")
#: `-- words`, as in Haskell and Futhark, before a stop in the same line or at the next
_COMMENT: Final = re.compile(r"--[^\n]*\n?\s*\Z")
_LAMBDA: Final = re.compile(r"\blambda\b[^:\n]*:[^\n]*\Z")
_FOR: Final = re.compile(r"\b(?:for|while)\b[^\n]*\Z")
_NAMED_ARGUMENT: Final = re.compile(r"[(,]\s*[A-Za-z_]\w*\s*\Z")
_METHOD_CALL: Final = re.compile(r"\w\.[A-Za-z_]\w*\(\Z")
_SUBSCRIPT: Final = re.compile(r"\w\[[^\[\]]*\Z")


def habit_of(stop: Stop) -> str:
    """The hint for a construct of another language, recognised by the text around a stop; empty if there is none."""
    before = stop.text[max(stop.before - MAX_LOOKED_BACK, 0) : stop.before]
    return next((hint for is_seen, hint in _HABITS if is_seen(stop, before)), "")


def _defines_as_in_c(stop: Stop, before: str) -> bool:
    """`float f(float x) {`."""
    return _C_FUNCTION.search(before) is not None


def _is_lambda(stop: Stop, before: str) -> bool:
    """`lambda x: x + 1`."""
    return _LAMBDA.search(before) is not None


def _is_equation(stop: Stop, before: str) -> bool:
    """`f(x, y) = ...`."""
    return (
        stop.found == "="
        and stop.kind == "program"
        and not stop.opener
        and _EQUATION.search(before) is not None
    )


def _declares(stop: Stop, before: str) -> bool:
    """`Var x, y;`."""
    return stop.found in (",", ";") and _DECLARATION.search(before) is not None


def _is_comment(stop: Stop, before: str) -> bool:
    """`-- words`."""
    return _COMMENT.search(before) is not None


def _names_argument(stop: Stop, before: str) -> bool:
    """`sum(a, axis=0)`."""
    return stop.found == "=" and _NAMED_ARGUMENT.search(before) is not None


def _calls_method(stop: Stop, before: str) -> bool:
    """`xs.sum()`."""
    return stop.found == ")" and _METHOD_CALL.search(before) is not None


def _is_loop(stop: Stop, before: str) -> bool:
    """`for x in xs`, `for (i = 0; ...`."""
    return stop.found in ("in", ";", "=", "<") and _FOR.search(before) is not None


def _is_block(stop: Stop, before: str) -> bool:
    """`{ xs }`."""
    return stop.found == "{" and stop.expects("FUN") and not stop.expects("COMPARE")


def _is_operator_alone(stop: Stop, before: str) -> bool:
    """`reduce(+, 0.0)`."""
    return stop.found in (",", ")") and re.search(r"[(,]\s*[-+*/%<>=!&|]{1,2}\s*\Z", before) is not None


def _is_slice(stop: Stop, before: str) -> bool:
    """`xs[1:]`, `a[:, 0]`."""
    return stop.opener == "[" and stop.found in (":", "]", ",") and _SUBSCRIPT.search(before) is not None


_HABITS: Final[Sequence[tuple[Callable[[Stop, str], bool], str]]] = (
    (_defines_as_in_c, DEFINITION),
    (_is_lambda, FUNCTION),
    (_is_equation, DEFINITION),
    (_declares, DEFINITION),
    (_is_comment, HINTS["#"]),
    (_names_argument, NAMED),
    (_calls_method, METHOD),
    (_is_loop, LOOP),
    (_is_block, GROUPS),
    (_is_slice, SLICE),
    (_is_operator_alone, "an operator as a function is written in parentheses: `(+)`, or by its name: `add`"),
)
