"""Foreign functions, which programs declare and call but do not define. Independent of program text and targets.

A program only declares `foreign blend : f32 -> f32 -> f32`. The caller of the program supplies the meaning and the
texts in C and CUDA as a `Foreign`. In terms, a foreign function is a free variable whose type is a function of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeGuard

import numpy as np

from rise.argument_checks import expected
from rise.arguments.mismatches import found_text, is_python_number
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.inference.scope import Scope
from rise.inference.types import read_type
from rise.meanings import Pointwise
from rise.primitives.record import PrimitiveRecord
from rise.records import dataclass
from rise.rounding import is_integral, round_number
from rise.scalars import ROLES, SCALARS
from rise.terms import Expr, Var
from rise.text.reader import read_type as read_type_text
from rise.text.type_printer import brief_type, show_type
from rise.types import ArrayType, FragmentType, FunType, ScalarType, Type
from rise.values import Leaf

FOREIGN: Final = "pass foreign=[rise.Foreign(name, type, meaning=..., c=..., cuda=...)]"


def signature_of(t: Type) -> tuple[ScalarType, ...] | None:
    """The parameters of a function of numbers, followed by its result; those of the numbers for a function that adds
    the product of two fragments to a third one, or that computes an array; None for other types.
    """
    if (array := array_of_code(t)) is not None:
        return (numbers_of(array), numbers_of(array))
    if (fragments := product_of_fragments(t)) is not None:
        numbers = tuple(one.element for one in fragments)
        return tuple(one for one in numbers if isinstance(one, ScalarType)) or None
    parameters: list[ScalarType] = []
    while isinstance(t, FunType) and isinstance(t.parameter, ScalarType):
        parameters.append(t.parameter)
        t = t.result
    return (*parameters, t) if parameters and isinstance(t, ScalarType) else None


def product_of_fragments(t: Type) -> tuple[FragmentType, ...] | None:
    """The two factors, the addend and the result of a function that adds a product of fragments; None for others."""
    fragments: list[FragmentType] = []
    while isinstance(t, FunType) and isinstance(t.parameter, FragmentType):
        fragments.append(t.parameter)
        t = t.result
    roles = tuple(one.role for one in fragments)
    is_product = roles == ROLES and t == fragments[-1]
    return (*fragments, fragments[-1]) if is_product else None


def array_of_code(t: Type) -> ArrayType | None:
    """The array that code computes, for the type of a function from a row or a matrix of numbers to the same; None for
    others.
    """
    is_same = isinstance(t, FunType) and t.parameter == t.result
    return t.result if isinstance(t, FunType) and is_same and is_matrix(t.result) else None


def is_matrix(t: Type) -> TypeGuard[ArrayType]:
    """A row or a matrix of numbers, of known sizes."""
    inner: Type = t
    rank = 0
    while isinstance(inner, ArrayType) and inner.size.constant is not None:
        inner, rank = inner.element, rank + 1
    return isinstance(inner, ScalarType) and rank in (1, 2)


def numbers_of(t: Type) -> ScalarType:
    """The type of the numbers of an array."""
    while isinstance(t, ArrayType):
        t = t.element
    assert isinstance(t, ScalarType), t
    return t


@dataclass(frozen=True, slots=True)
class Foreign:
    """A function of numbers that a program calls by `name`, a product of matrices in fragments, or code for an array.

    `type` is the type in the program's declaration, as a string or a type. `meaning` is a Python function of numpy
    scalars. `c` and `cuda` are texts that define a function of this name and everything that it needs: a `static
    inline` function of the types of `stdint.h`, `bool`, `_Float16`, `bf16`, `float` and `double`, and a `__device__`
    function of CUDA's types. Each is needed only if it is used. The function must be pure: equal arguments give equal
    results, and there are no side effects.

    The type of a product is `Fragment[m, k, n, a, AMatrix] -> Fragment[k, n, m, b, BMatrix] -> Fragment[m, n, k, c,
    Accum] -> Fragment[m, n, k, c, Accum]`, for the shape of an `mma.sync`. All lanes of a warp call it together: `cuda`
    defines `void name(c* sums, const a* left, const b* right)`, which adds to the numbers that the lane holds, in the
    order of the instruction.

    A function from a row or a matrix to the same, such as `4.8.f32 -> 4.8.f32`, returns its argument: its text is code
    that computes this array, instead of the loops of the program. `reads` are the types of the arrays in memory that it
    reads. The text defines `void name(to, stride, from, stride, ..)`, with a pointer for the result and for each of
    `reads` in this order, each followed by an `int`, the distance of rows; the numbers of a row are neighbours. If the
    program adds to the result, so does the code.

    >>> Foreign("blend", "f32 -> f32 -> f32", meaning=lambda x, y: (x + y) / 2)(np.float32(1), np.float32(2))
    np.float32(1.5)
    """

    name: str
    type: Type | str
    meaning: Callable[..., Any] | None = None
    c: str | None = None
    cuda: str | None = None
    reads: tuple[Type | str, ...] = ()

    def __post_init__(self) -> None:
        _check_parts(self)
        t = type_from(self.type)
        if signature_of(t) is None:
            raise RiseError(no_function(self.name, t))
        object.__setattr__(self, "type", t)
        reads = tuple(map(type_from, self.reads))
        for one in reads:
            if not is_matrix(one) or array_of_code(t) is None:
                title = f"expected rows or matrices of numbers that the code of an array reads, found {brief_type(one)}"
                hint = 'for example rise.Foreign("f", "4.4.f32 -> 4.4.f32", reads=("4.8.f32", "8.4.f32"))'
                raise RiseError(Diagnostic("foreign-code", title, hint=hint))
        object.__setattr__(self, "reads", reads)

    @property
    def signature(self) -> tuple[ScalarType, ...]:
        """The types of its parameters, followed by the type of its result."""
        assert isinstance(self.type, Type), self.type
        signature = signature_of(self.type)
        assert signature is not None, self.type
        return signature

    @property
    def product(self) -> tuple[FragmentType, ...] | None:
        """The fragments that it multiplies, adds and returns; None for a function of numbers."""
        assert isinstance(self.type, Type), self.type
        return product_of_fragments(self.type)

    @property
    def array(self) -> ArrayType | None:
        """The array that it computes; None for a function of numbers, and for a product of fragments."""
        assert isinstance(self.type, Type), self.type
        return array_of_code(self.type)

    @property
    def arrays_read(self) -> tuple[ArrayType, ...]:
        """The types of the arrays that code for an array reads."""
        return tuple(one for one in self.reads if isinstance(one, ArrayType))

    @property
    def text(self) -> str:
        """Its declaration in a program."""
        assert isinstance(self.type, Type), self.type
        return f"foreign {self.name} : {show_type(self.type)}"

    def __call__(self, *arguments: Any) -> Any:
        """Call the meaning on numpy scalars. Raises RiseError if there is none, or if its result has another type."""
        if self.product is not None:
            raise RiseError(_not_evaluated(self.name))
        if self.meaning is None:
            title = f"expected a meaning of the foreign function `{self.name}`, found none"
            raise RiseError(
                Diagnostic("foreign-meaning", title, hint="pass it: rise.Foreign(..., meaning=...)")
            )
        try:
            value = self.meaning(*arguments)
        except Exception as error:  # a user's function, so any exception is reported
            raised = f"{type(error).__name__}: {error}"
            given = ", ".join(map(str, arguments))
            title = f"expected a number from the meaning of `{self.name}` at ({given}), found {raised}"
            hint = "return a number for all arguments, as numpy's functions do"
            raise RiseError(Diagnostic("foreign-meaning", title, hint=hint)) from error
        return _number(self.name, self.signature[-1], value)


def type_from(written: Type | str) -> Type:
    """A type, which may be given as text."""
    return read_type(Scope(source=written), read_type_text(written)) if isinstance(written, str) else written


def _not_evaluated(name: str) -> Diagnostic:
    title = f"expected a function of numbers to evaluate, found `{name}` of fragments"
    return Diagnostic("foreign-meaning", title, hint='run it with target="cuda-sim"')


def _check_parts(function: Foreign) -> None:
    """Raise RiseError for the first field that does not have its documented type."""
    parts = {"name": (function.name, str), "c": (function.c, str | None), "cuda": (function.cuda, str | None)}
    for part, (value, kind) in parts.items():
        if not isinstance(value, kind):
            title = f"expected a string as `{part}` of a foreign function, found {found_text(value)}"
            hint = "`name` is the function's name, `c` and `cuda` are source texts that define it"
            raise RiseError(Diagnostic("foreign-code", title, hint=hint))
    if not isinstance(function.type, str | Type):
        title = f"expected the type of `{function.name}` as a program declares it, found {found_text(function.type)}"
        raise RiseError(Diagnostic("foreign-code", title, hint='write it as a string: "f32 -> f32"'))
    if function.meaning is not None and not callable(function.meaning):
        title = (
            f"expected a function as the meaning of `{function.name}`, found {found_text(function.meaning)}"
        )
        hint = "pass a Python function of numpy scalars: meaning=lambda x: ..."
        raise RiseError(Diagnostic("foreign-code", title, hint=hint))


def _number(name: str, expected_type: ScalarType, value: Any) -> Any:
    """A result as a scalar of the expected type: Python numbers are rounded, other values must have the type."""
    dtype = SCALARS[expected_type.name].dtype
    if isinstance(value, np.generic | np.ndarray) and value.dtype == dtype and value.ndim == 0:
        return np.asarray(value)[()]
    is_same_kind = isinstance(value, bool) == (dtype.kind == "b")
    if is_python_number(value) and is_same_kind and not (is_integral(dtype) and isinstance(value, float)):
        try:
            return round_number(value, dtype)[()]
        except OverflowError:
            pass
    title = f"expected {expected_type.name} from the meaning of `{name}`, found {found_text(value)}"
    hint = f"convert it: numpy.{dtype.name}(...); Python numbers are rounded"
    raise RiseError(Diagnostic("foreign-meaning", title, hint=hint))


def no_function(name: str, t: Type) -> Diagnostic:
    """The diagnostic for a declaration with a type that is not a function of numbers."""
    title = f"expected a function of numbers as the foreign `{name}`, found {brief_type(t)}"
    hint = f"write `foreign {name} : f32 -> f32`; functions of arrays are built from it with patterns"
    return Diagnostic("foreign-type", title, hint=hint)


def hint_of_code(functions: Iterable[Foreign]) -> str:
    """The hint of a mistake in a text that contains the code of these functions."""
    names = ", ".join(f"`{function.name}`" for function in functions)
    return f"the source contains foreign functions, {names}: check their code"


def foreign_functions(e: Expr, given: Iterable[Foreign]) -> dict[str, Foreign]:
    """The foreign functions that a term calls, by name, with the code that was passed for them.

    Raises RiseError if code is missing, passed twice, or of another type. Code for other functions is ignored.
    """
    known: dict[str, Foreign] = {}
    for function in expected(given, Iterable, "code of foreign functions", FOREIGN):
        if not isinstance(function, Foreign):
            title = f"expected a rise.Foreign, found a {type(function).__name__}"
            raise RiseError(Diagnostic("foreign-code", title, hint=FOREIGN))
        if function.name in known:
            title = f"code for the foreign function `{function.name}` is given twice"
            raise RiseError(Diagnostic("foreign-code", title, hint="remove one of them"))
        known[function.name] = function
    functions: dict[str, Foreign] = {}
    for variable in sorted((v for v in e.free if isinstance(v, Var)), key=lambda v: v.name):
        if signature_of(variable.type) is None:
            continue
        code = known.get(variable.name)
        if code is None:
            raise RiseError(_no_code(variable, known))
        if code.type != variable.type:
            assert isinstance(code.type, Type), code
            expected_type, found_type = brief_type(variable.type), brief_type(code.type)
            title = f"expected code of type {expected_type} for `{code.name}`, found {found_type}"
            hint = "give the code and the program's declaration the same type"
            raise RiseError(Diagnostic("foreign-type", title, hint=hint))
        functions[variable.name] = code
    return functions


def _no_code(variable: Var, known: Mapping[str, Foreign]) -> Diagnostic:
    title = f"`{variable.name}` is a foreign function, and no code for it is allowed"
    call = f'rise.Foreign("{variable.name}", "{show_type(variable.type)}", meaning=..., c=..., cuda=...)'
    hint = did_you_mean(variable.name, known) or f"pass its code: foreign=[{call}]"
    return Diagnostic("foreign-not-allowed", title, hint=hint)


def as_record(function: Foreign) -> PrimitiveRecord:
    """The record of a foreign function for evaluation, which applies it element by element."""

    def meaning(*arguments: Leaf) -> Leaf:
        if function.product is not None:
            raise RiseError(_not_evaluated(function.name))
        parts = np.broadcast_arrays(*arguments)
        results = np.empty(parts[0].shape, SCALARS[function.signature[-1].name].dtype)
        flat = results.reshape(-1)
        for index, values in enumerate(zip(*(part.reshape(-1) for part in parts), strict=True)):
            flat[index] = function(*values)
        return results

    text = function.text.partition(" : ")[2]
    if function.array is not None:
        return PrimitiveRecord(function.name, text, "low", function.text, lambda at, x: x)
    return PrimitiveRecord(function.name, text, "low", function.text, Pointwise(meaning))
