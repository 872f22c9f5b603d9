"""The symbolic values on which a program's function is run, with Python's operators and numpy's protocols.

One subject: a class with all methods that Python and numpy call. They call the operations in the other files of this
package. Independent of the decorator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import did_you_mean
from rise.dsl.terms import Term
from rise.embedding import numpy_functions as nf
from rise.embedding import rearrangements
from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.alternatives import BEFORE, instead
from rise.embedding.application import applied
from rise.embedding.array_likes import array_parameters, is_symbolic, leaves
from rise.embedding.cells import Cell, view_of
from rise.embedding.contractions import is_permutation, with_letters
from rise.embedding.conversions import Symbol, as_part, inner, is_by_data
from rise.embedding.creators import by_numpys_names, check_arguments
from rise.embedding.elementwise import elementwise, reinterpreted, with_elements
from rise.embedding.lengths import refuse_shapes, shape_text
from rise.embedding.numpy_definitions import METHODS_OF_UFUNCS, NUMPY_DEFINITIONS
from rise.embedding.operands import Operation, converted
from rise.embedding.places import or_source, refuse
from rise.embedding.spans import beside_mask, has_span, is_selection
from rise.embedding.stores import assign, shown, update
from rise.embedding.symbolic_sizes import SymbolicSize, size
from rise.embedding.trace import Part
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.naturals import const
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import F64, FunType, IndexType, PairType


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Value(Symbol):
    """A scalar, an array or a pair of the program that is being built."""

    __array_priority__ = 1000

    # numpy's protocols.

    def __array__(self, *arguments: Any, **named: Any) -> NoReturn:
        title = "expected a function that programs support, found one that reads the numbers of an array"
        refuse("unsupported", title, "call it before the program, and pass its results as arguments")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        inputs = tuple(array_of_list(given) if isinstance(given, list | tuple) else given for given in inputs)
        if any(isinstance(given, SpannedSymbol) for given in inputs):
            return NotImplemented
        if options.keys() == {"out"} and isinstance(options["out"][0], Value):
            [out] = options["out"]
            update(out.cell, self.__array_ufunc__(ufunc, method, *inputs).part)
            return out
        if (
            method == "__call__"
            and options.keys() == {"out", "where"}
            and isinstance(options["out"][0], Value)
        ):
            [out] = options["out"]
            chosen = np.where(options["where"], self.__array_ufunc__(ufunc, method, *inputs), out)
            update(out.cell, chosen.part)
            return out
        if method == "__call__" and not options:
            if name == "floor_divide":
                return _floor_divided(*inputs)
            if ufunc in NUMPY_DEFINITIONS:
                return NUMPY_DEFINITIONS[ufunc](*inputs)
            if name == "matmul":
                return _wrap(r.product(*_parts(inputs)))
            if name == "power":
                return _wrap(nf.raised(*_operands(inputs)))
            if name in op.UFUNCS:
                return _wrap(elementwise(op.UFUNCS[name], *map(_truths(op.UFUNCS[name]), _operands(inputs))))
        fold = r.FOLDS.get(name)
        if fold in (r.ALL, r.ANY) and method != "outer":
            inputs = (_wrap(r.is_true(_parts(inputs)[0])),)
        if method == "reduce" and fold is not None and options.keys() <= OPTIONS_OF_REDUCE:
            [xs] = _parts(inputs)
            given = {option: inner(value, xs.scope) for option, value in options.items()}
            return _wrap(nf.reduction(fold)(xs, **{"axis": 0, **given}))
        if method == "accumulate" and fold is not None and options.keys() <= {"axis"}:
            return _wrap(r.scanned(fold, r.widened(fold, _parts(inputs)[0]), options.get("axis", 0)))
        if method == "outer" and name in op.UFUNCS and all(getattr(one, "ndim", 0) == 1 for one in inputs):
            return _wrap(r.outer(op.UFUNCS[name], *_parts(inputs)))
        if method == "outer" and not options:
            return METHODS_OF_UFUNCS[method](ufunc, *inputs)
        shown = name if method == "__call__" else f"{name}.{method}"
        more = f" with {', '.join(options)}" if options else ""
        hint = instead(ufunc) or did_you_mean(name, op.UFUNCS)
        refuse("unsupported", f"programs do not support `np.{shown}`{more}", hint)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(kwargs.get("out"), Value):
            return _written(
                kwargs["out"],
                func(*args, **{name: given for name, given in kwargs.items() if name != "out"}),
            )
        for given in args:
            if isinstance(given, SpannedSymbol):
                return given.__array_function__(func, types, args, kwargs)
        selection = SELECTIONS.get(np.nonzero if func is np.where and len(args) == 1 and not kwargs else func)
        if selection is not None:
            return selection(*args, **kwargs)
        implementation = nf.FUNCTIONS.get(func)
        name = f"{func.__module__}.{func.__name__}".replace("numpy", "np", 1)
        if implementation is None:
            if func in NUMPY_DEFINITIONS:
                args, kwargs = by_numpys_names(func, NUMPY_DEFINITIONS[func], args, kwargs)
                check_arguments(NUMPY_DEFINITIONS[func], name, args, kwargs)
                args, kwargs = with_arrays(NUMPY_DEFINITIONS[func], args, kwargs)
                found = NUMPY_DEFINITIONS[func](*args, **kwargs)
                return found.made_by(func) if isinstance(found, SpannedSymbol) else found
            refuse("unsupported", f"programs do not support `{name}`", instead(func) or BEFORE)
        args, kwargs = by_numpys_names(func, implementation, args, kwargs)
        args = with_letters(args) if func is np.einsum else args
        check_arguments(implementation, name, args, kwargs)
        args, kwargs = with_arrays(implementation, args, kwargs)
        scope = self.part.scope
        named = {name: inner(argument, scope) for name, argument in kwargs.items()}
        given = [inner(argument, scope) for argument in args]
        if func is np.einsum and len(args) == 2 and args[1] is self and is_permutation(args[0]):
            return self._view(func, lambda base: implementation(args[0], base, **named))
        if func in nf.VIEWS and args and args[0] is self:
            return self._view(func, lambda base: implementation(base, *given[1:], **named))
        return _wrap(implementation(*given, **named))

    def _view(self, func: Callable[..., Any], view: Callable[[Part], Part]) -> Value:
        """What a numpy function that returns a view returns."""
        cell = view_of(self.cell, view, self.cell.is_contiguous and func in nf.RESHAPED)
        is_split = func is np.reshape and sh.is_split(self.cell.now.shape, cell.now.shape)
        if func in (np.reshape, np.ravel) and not self.cell.is_contiguous and not is_split:
            cell.since = f"`np.{func.__name__}`"
        return Value(cell)

    # Arithmetic.

    def __add__(self, other: Any) -> Any:
        return _binary(op.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(op.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(op.SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(op.SUB, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(op.MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(op.MUL, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary(op.DIV, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(op.DIV, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _floor_divided(self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _floor_divided(other, self)

    def __mod__(self, other: Any) -> Any:
        return _binary(op.MOD, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _binary(op.MOD, other, self)

    def __divmod__(self, other: Any) -> Any:
        return NUMPY_DEFINITIONS[np.divmod](self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return NUMPY_DEFINITIONS[np.divmod](other, self)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, SpannedSymbol):
            return NotImplemented
        return _wrap(nf.raised(*_operands((self, other))))

    def __rpow__(self, other: Any) -> Any:
        return _wrap(nf.raised(*_operands((other, self))))

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, SpannedSymbol):
            return NotImplemented
        return _wrap(r.product(*_parts((self, other))))

    def __rmatmul__(self, other: Any) -> Any:
        return _wrap(r.product(*_parts((other, self))))

    def __lt__(self, other: Any) -> Any:
        return _binary(op.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _binary(op.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _binary(op.GT, self, other)

    def __ge__(self, other: Any) -> Any:
        return _binary(op.GE, self, other)

    def __eq__(self, other: Any) -> Any:
        return _binary(op.EQ, self, other)

    def __ne__(self, other: Any) -> Any:
        return _binary(op.NE, self, other)

    __hash__ = object.__hash__

    def __and__(self, other: Any) -> Any:
        return _binary(op.AND, self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return _wrap(applied(other, [self.part]))
        return _binary(op.OR, self, other)

    def __ror__(self, other: Any) -> Any:
        return _binary(op.OR, other, self)

    def __xor__(self, other: Any) -> Any:
        return _binary(op.XOR, self, other)

    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> Any:
        return _binary(op.SHIFT_LEFT, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _binary(op.SHIFT_LEFT, other, self)

    def __rshift__(self, other: Any) -> Any:
        return _binary(op.SHIFT_RIGHT, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _binary(op.SHIFT_RIGHT, other, self)

    def __neg__(self) -> Any:
        return _wrap(elementwise(op.NEG, self.part))

    def __pos__(self) -> Any:
        return _wrap(self.part)

    def __abs__(self) -> Any:
        return _wrap(elementwise(op.ABS, self.part))

    def __invert__(self) -> Any:
        return _wrap(elementwise(op.NOT, self.part))

    # Arrays.

    def __getitem__(self, items: Any) -> Any:
        items = _with_entries(items)
        if is_by_data(items if isinstance(items, tuple) else (items,)):
            return self.by_data(items if isinstance(items, tuple) else (items,))
        given = self._items(items)
        if (masked := beside_mask(given)) is not None:
            return Value(shown(self.cell, masked[0])).spanned([masked[1]])
        return (
            self.spanned(given) if has_span(given) or is_selection(given) else Value(shown(self.cell, given))
        )

    def __setitem__(self, items: Any, value: Any) -> None:
        items = _with_entries(items)
        if is_by_data(items if isinstance(items, tuple) else (items,)):
            self.assign_by_data(items if isinstance(items, tuple) else (items,), value)
            return
        places = self._items(items)
        if isinstance(value, list | tuple) and not isinstance(self.part.element, PairType):
            value = array_of_list(value)
        if isinstance(value, SpannedSymbol) and (masked := beside_mask(places)) is not None:
            Value(shown(self.cell, masked[0])).assign_spanned([masked[1]], value)
            return
        if isinstance(value, SpannedSymbol) or has_span(places):
            self.assign_spanned(places, value)
            return
        given = value.cell if isinstance(value, Value) else inner(value, self.cell.trace.root)
        assign(self.cell, places, given)

    def spanned(self, items: list[Any]) -> Any:
        """A slice whose bounds change in a loop."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    def assign_spanned(self, items: list[Any], value: Any) -> None:
        """An assignment to a slice whose bounds change in a loop."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    def by_data(self, items: tuple[Any, ...]) -> Any:
        """A slice whose bounds depend on data."""
        raise AssertionError("rise.embedding.data_slices defines it")

    def assign_by_data(self, items: tuple[Any, ...], value: Any) -> None:
        """An assignment to a slice whose bounds depend on data."""
        raise AssertionError("rise.embedding.data_slices defines it")

    def nonzero(self) -> tuple[Any, ...]:
        """The indices along each axis of the elements that are not 0."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    def _items(self, items: Any) -> list[Any]:
        given = items if isinstance(items, tuple) else (items,)
        if (mask := _mask_of(given)) is not None:
            return [mask]
        if any(isinstance(item, SpannedSymbol) for item in given):
            title = "expected an index, found an unknown number of indices: elements of a mask, or a slice in a loop"
            refuse(
                "index", title, "use the mask itself, `x[m]`; or state how many: `nonzero(condition, size)`"
            )
        return [inner(_plain(item), self.cell.trace.root) for item in given]

    def __iter__(self) -> Iterator[Any]:
        part = self.part
        if isinstance(part.type, PairType):
            yield from (self.first, self.second)
            return
        size = part.shape[0].constant if part.shape else None
        if size is None:
            title = (
                f"expected a loop over a known number of elements, found a value of type {t.shown(part.type)}"
            )
            hint = "use array operations, or `map(f, x)`, `reduce(f, start, x)`, `scan`"
            refuse("symbolic-loop", title, or_source(hint))
        for position in range(size):
            yield self[position]

    def __len__(self) -> int:
        size = self.cell.now.shape[0].constant if self.cell.now.shape else None
        if size is None:
            refuse(
                "symbolic-size",
                "expected a known length, found a symbolic one",
                or_source("use `x.shape[0]`, which may be symbolic"),
            )
        return size

    def __contains__(self, item: object) -> NoReturn:
        refuse("symbolic-branch", "`in` needs a value that is not known yet", "use `np.any(x == item)`")

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it never returns
        title = "`if`, `while`, `and`, `or` and `not` need a truth value that is not known yet"
        hint = "choose with `np.where(condition, a, b)`; combine conditions with `&`, `|`, `~`"
        refuse("symbolic-branch", title, or_source(hint), f"this is of type {t.shown(self.part.type)}")

    def conj(self) -> Any:
        """The complex conjugates: `x.conj()`. As in numpy, a real array itself."""
        return np.conj(self) if self.dtype.kind == "c" else self

    conjugate = conj

    def __complex__(self) -> NoReturn:
        _no_number("complex", "astype")

    def __float__(self) -> NoReturn:
        _no_number("float", "astype")

    def __int__(self) -> NoReturn:
        _no_number("int", "astype")

    def __floor__(self) -> Any:
        return np.floor(self).astype("i64")

    def __ceil__(self) -> Any:
        return np.ceil(self).astype("i64")

    def __trunc__(self) -> Any:
        return np.trunc(self).astype("i64")

    def __round__(self, ndigits: int | None = None) -> Any:
        rounded = np.round(self, ndigits or 0)
        return rounded.astype("i64") if ndigits is None else rounded

    def __format__(self, form: str) -> str:
        if form:
            hint = 'print the result of a call of the program; `f"{x}"` shows the type'
            refuse("symbolic-branch", f"the format `{form}` needs a number that is not known yet", hint)
        return repr(self)

    def __index__(self) -> NoReturn:  # noqa: PLE0305  # it never returns
        hint = (
            "choose elements with `np.where`, and build arrays with `generate` instead of a loop over `range`"
        )
        refuse(
            "symbolic-loop", "expected a Python number, found a symbolic value, which is not known yet", hint
        )

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the axes: numbers or symbolic sizes."""
        return tuple(size(axis_size, self.cell.trace.root) for axis_size in self.cell.now.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.cell.now.shape)

    @property
    def size(self) -> Any:
        """The number of elements."""
        total = const(1)
        for axis_size in self.cell.now.shape:
            total = total * axis_size
        return size(total, self.cell.trace.root)

    def fill(self, value: Any) -> None:
        """Assign a number to all elements."""
        self[...] = value

    def sort(self, axis: int = -1) -> None:
        """Sort the array in place."""
        self[...] = np.sort(self, axis)

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """The number of bytes of all elements."""
        return self.size * self.itemsize

    def item(self, *places: Any) -> Any:
        """An element: at the given indices, at an index of the array in row-major order, or the only one."""
        flat = self if self.ndim == len(places) else self.reshape(-1)
        return flat[places or (0,)] if flat.ndim else flat

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements."""
        name = t.scalar_name(self.cell.now.element)
        return SCALARS[name].dtype if name else np.dtype(np.int64)

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order."""
        return Value(view_of(self.cell, nf.transpose))

    @property
    def real(self) -> Any:
        """The real parts; assignments to them are not supported."""
        return Value(view_of(self.cell, nf.real))

    @property
    def imag(self) -> Any:
        """The imaginary parts; assignments to them are not supported."""
        return Value(view_of(self.cell, nf.imaginary))

    @property
    def first(self) -> Any:
        """The first element of a pair, or of each pair of an array."""
        return _wrap(sh.component(self.part, 0))

    @property
    def second(self) -> Any:
        """The second element of a pair, or of each pair of an array."""
        return _wrap(sh.component(self.part, 1))

    @property
    def term(self) -> Term:
        """The term, for use with `rise.dsl`."""
        return Term(self.part.syntax)

    def astype(self, dtype: Any, *, copy: bool = True) -> Any:
        """The elements converted: `x.astype("f64")`; the array itself if there is nothing to convert or to `copy`."""
        element = nf.type_of(dtype)
        return self if not copy and element == self.cell.element else _wrap(with_elements(self.part, element))

    def view(self, dtype: Any = None) -> Any:
        """The bits of the elements as numbers of another type of the same width: `x.view(np.uint32)`."""
        element = self.cell.element if dtype is None else nf.type_of(dtype)
        if element == self.cell.element:
            return self[...]
        return Value(view_of(self.cell, lambda base: reinterpreted(base, element), self.cell.is_contiguous))

    def flatten(self) -> Any:
        """A copy with one axis."""
        return np.ravel(self).copy()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        method = METHODS.get(name)
        if method is None:
            known = {*METHODS, *dir(type(self))} & set(dir(np.ndarray))
            shown = sorted(attribute for attribute in known if not attribute.startswith("_"))
            hint = did_you_mean(name, shown) or f"it has {', '.join(shown)}"
            hint = f"write `np.{name}(x, ...)`" if _is_supported(getattr(np, name, None)) else hint
            refuse("unsupported", f"a symbolic value has no `{name}`", hint)
        return lambda *arguments, **named: self.__array_function__(method, (), (self, *arguments), named)

    def __call__(self, *arguments: Any) -> Any:
        if not isinstance(self.part.type, FunType):
            refuse(
                "type-mismatch",
                f"expected a function, found {t.shown(self.part.type)}",
                "take an element with `x[i]`",
            )
        return _wrap(applied(self.term, [as_part(argument, self.part.scope) for argument in arguments]))

    def __repr__(self) -> str:
        return f"<symbolic {t.shown(self.part.type)}>"


def wrap(part: Part) -> Value:
    """A value for the user."""
    return Value(Cell(part))


_wrap = wrap


def _no_number(name: str, instead: str) -> NoReturn:
    title = f"`{name}()` needs a number that is not known yet"
    refuse(
        "symbolic-branch",
        title,
        f"convert with `x.{instead}(...)`; instead of functions of `math`, use numpy's",
    )


def _is_supported(given: Any) -> bool:
    """Whether programs support a function of numpy."""
    return getattr(given, "__name__", "") in op.UFUNCS or any(
        given is one for one in (*nf.FUNCTIONS, *NUMPY_DEFINITIONS)
    )


def _operands(values: tuple[Any, ...]) -> list[Any]:
    scope = next(value.part.scope for value in values if isinstance(value, Value))
    return [inner(array_of_list(value) if _is_array(value) else value, scope) for value in values]


def _is_array(given: Any) -> bool:
    """Whether an operand is a list, or a tuple that is no shape."""
    return isinstance(given, list) or (
        isinstance(given, tuple) and not any(isinstance(one, SymbolicSize) for one in leaves(given))
    )


def _parts(values: tuple[Any, ...]) -> list[Part]:
    scope = next(value.part.scope for value in values if isinstance(value, Value))
    return [as_part(value, scope) for value in values]


def _truths(operation: Operation) -> Callable[[Any], Any]:
    """A function that prepares operands of an operation: for an operation on truth values, whether an operand differs
    from 0.
    """

    def truth(given: Any) -> Any:
        if operation.kind != "bool":
            return given
        if isinstance(given, int | float | complex):
            return bool(given)
        return (
            r.is_true(given)
            if isinstance(given, Part) and not isinstance(given.element, IndexType)
            else given
        )

    return truth


def _mask_of(items: tuple[Any, ...]) -> Part | None:
    """The mask, if the items are `np.nonzero(mask)`; otherwise None."""
    found = [one.chosen if isinstance(one, SpannedSymbol) else None for one in items]
    chosen = [one for one in found if one is not None]
    if len(chosen) < max(1, len(items)) or [axis for _, axis in chosen] != list(range(len(items))):
        return None
    mask = chosen[0][0]
    return mask if all(one is mask for one, _ in chosen) and len(mask.shape) == len(items) else None


def _with_entries(items: Any) -> Any:
    """The items in brackets with the elements of slices of indices, one after the other, unless these are a mask."""
    given = items if isinstance(items, tuple) else (items,)
    if not any(isinstance(item, SpannedSymbol) for item in given) or _mask_of(given) is not None:
        return items
    return tuple(
        item.entries if isinstance(item, SpannedSymbol) and item.dtype.kind in "iu" else item
        for item in given
    )


def _plain(item: Any) -> Any:
    """An index as a Python integer if it is a numpy integer."""
    is_integral = isinstance(item, np.ndarray | np.generic) and item.dtype.kind in "iu"
    return item.tolist() if is_integral else item


def _binary(operation: Operation, left: Any, right: Any) -> Any:
    if isinstance(left, SpannedSymbol) or isinstance(right, SpannedSymbol):
        return NotImplemented
    return wrap(elementwise(operation, *_operands((left, right))))


def with_arrays(function: Callable[..., Any], arguments: Any, named: Any) -> tuple[Any, Any]:
    """The arguments of a numpy function, or of its definition, with lists as arrays where it reads arrays."""
    return array_parameters(function).converted(array_of_list, tuple(arguments), named)


def array_of_list(given: list[Any] | tuple[Any, ...]) -> Any:
    """The array that `np.array` makes of a list; a value of the program if it contains one."""
    symbol = next(filter(is_symbolic, leaves(given)), None)
    if symbol is None:
        return np.asarray(given)
    scope = symbol.part.scope if isinstance(symbol, Symbol) else getattr(symbol, "weak", symbol).scope
    return _wrap(rearrangements.listed(inner(given, scope)))


def erf(x: Any) -> Any:
    """The error function. numpy has none; that of scipy is a ufunc."""
    operand = x.part if isinstance(x, Symbol) else converted(x.weak, F64, x.weak.scope)
    return _wrap(elementwise(op.UFUNCS["erf"], operand))


def _written(out: Value, result: Any) -> Value:
    """`out` after a result of the same shape is written to it."""
    if isinstance(result, Value) and result.part.shape != out.part.shape:
        shapes = result.part.shape, out.part.shape
        title = (
            f"`out`: expected an array of the shape {shape_text(shapes[0])}, found {shape_text(shapes[1])}"
        )
        refuse_shapes(*shapes, title, "assign the result instead, `x[...] = ...`, which repeats it")
    out[...] = result
    return out


def _floor_divided(left: Any, right: Any) -> Any:
    is_floating = any(
        isinstance(one, float) or getattr(getattr(one, "dtype", None), "kind", "") == "f"
        for one in (left, right)
    )
    return (
        NUMPY_DEFINITIONS[np.floor_divide](left, right) if is_floating else _binary(op.FLOOR_DIV, left, right)
    )


def _no_attribute(self: Value, name: str, value: Any) -> NoReturn:
    title = f"expected an assignment to a name or to elements, found one to the attribute `{name}`"
    refuse("assignment", title, "assign to elements, `x[:] = y`, or give the value a name")


def _in_place(operator: Callable[[Value, Any], Any]) -> Callable[[Value, Any], Any]:
    """`x += y` and similar operators: change an array in place; for a number, return a new one."""

    def method(self: Value, other: Any) -> Any:
        result = operator(self, other)
        if result is NotImplemented or not self.part.shape:
            return result
        update(self.cell, result.part)
        return self

    return method


setattr(Value, "__setattr__", _no_attribute)  # noqa: B010  # a frozen class has one that is no message
for _name in (
    "__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__",
    "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
):  # fmt: skip
    setattr(Value, _name.replace("__", "__i", 1), _in_place(getattr(Value, _name)))

#: the options of `reduce` of numpy's functions of elements
OPTIONS_OF_REDUCE: Final = frozenset(("axis", "dtype", "keepdims", "initial", "where"))
#: functions that select elements by a mask. `rise.embedding.spanned_values` fills it, to avoid an import cycle.
SELECTIONS: Final[dict[Any, Callable[..., Any]]] = {}
#: the numpy functions that are methods of arrays
METHODS: Final[Mapping[str, Any]] = {
    "sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "mean": np.mean, "var": np.var, "std": np.std,
    "all": np.all, "any": np.any, "dot": np.dot, "clip": np.clip, "cumsum": np.cumsum, "cumprod": np.cumprod,
    "reshape": np.reshape, "transpose": np.transpose, "swapaxes": np.swapaxes, "ravel": np.ravel,
    "squeeze": np.squeeze, "round": np.round, "copy": np.copy,
    "repeat": np.repeat, "take": np.take, "trace": np.trace, "diagonal": np.diagonal,
    "argmin": np.argmin, "argmax": np.argmax,
    "argsort": np.argsort, "argpartition": np.argpartition, "searchsorted": np.searchsorted,
}  # fmt: skip
