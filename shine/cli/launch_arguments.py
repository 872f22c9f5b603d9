"""Parses launch arguments on the command line: numbers, generated arrays, arrays in files.

Random numbers are those of `shine run`. Depends on a kernel's parameters, but not on launches.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.scalars import SCALARS
from shine.calling.storage import NO_ROOM
from shine.cli.inputs import read_array
from shine.cli.options import number_of
from shine.front.random_inputs import random_numbers
from shine.simulator import SimulatorError, TensorMap, im2col_map, tensor_map
from shine.simulator.text import KernelText, signature

#: the forms of an argument, for `--help`
FORMS: Final = (
    "1000, 0.5, true, i64:5, zeros:f32:1024, ones:f16:64x64, range:i32:100, random:f32:1024, a.npy, or a "
    "tensor map, map:32x8,swizzle=128:a.npy; "
    "NAME=... names it"
)
_EXAMPLE: Final = "for example --arg zeros:f32:1024, --arg random:f32:64x64, --arg a.npy or --arg 1000"
_MAKERS: Final = ("zeros", "ones", "range", "random")
_MAPS: Final = ("map", "pixels")
_EXAMPLE_OF_MAP: Final = (
    "for example map:32x8,swizzle=128:zeros:f32:64x96, with the innermost dimension first"
)
_NAMED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def read_arguments(kernel: KernelText, written: Sequence[str], seed: int) -> list[Any]:
    """The arguments of a kernel, in order. Arguments without a name are assigned to the parameters that are not named.

    Raises RiseError for an argument that cannot be read, a wrong name, and a wrong number of arguments.
    """
    names = [parameter.name for parameter in kernel.parameters]
    generator = np.random.default_rng(seed)
    given: dict[str, Any] = {}
    unnamed: list[str] = []
    for word in written:
        named = _NAMED.fullmatch(word)
        if named is None:
            unnamed.append(word)
            continue
        if named[1] not in names:
            hint = did_you_mean(named[1], names) or f"it is {signature(kernel)}"
            _refuse("unknown-name", f"kernel `{kernel.name}` has no parameter `{named[1]}`", hint)
        if named[1] in given:
            _refuse(
                "argument-count", f"expected one argument for `{named[1]}`, found two", "omit one of them"
            )
        given[named[1]] = _value(named[1], named[2], generator)
    free = [name for name in names if name not in given]
    if len(free) != len(unnamed):
        title = f"kernel `{kernel.name}`: expected {len(names)} arguments, found {len(written)}"
        _refuse("argument-count", title, f"it is {signature(kernel)}: {_EXAMPLE}")
    given |= {name: _value(name, word, generator) for name, word in zip(free, unnamed, strict=True)}
    return [given[name] for name in names]


def _value(name: str, text: str, generator: np.random.Generator) -> Any:
    maker, *rest = text.split(":")
    if maker in _MAPS:
        return _map(name, text, generator)
    if text.endswith(".npy"):
        array = read_array(text)
        return array[()] if array.ndim == 0 else np.ascontiguousarray(array)
    if maker in _MAKERS:
        if len(rest) != 2:
            _refuse(
                "argument-type",
                f"`{name}`: expected {maker}:TYPE:SHAPE, found {text}",
                f"for example {maker}:f32:1024",
            )
        return _made(name, maker, _dtype(name, rest[0]), _shape(name, rest[1]), generator)
    if len(rest) == 1:
        number = number_of(rest[0]) if rest[0] not in ("true", "false") else rest[0] == "true"
        if number is not None:
            return _typed(name, _dtype(name, maker), number)
    elif not rest:
        number = number_of(text) if text not in ("true", "false") else text == "true"
        if number is not None:
            return number
    _refuse("argument-type", f"`{name}`: expected a number, an array or a .npy file, found {text}", _EXAMPLE)


def _map(name: str, text: str, generator: np.random.Generator) -> TensorMap:
    """A tensor map: `map:BOX,swizzle=128,steps=1x2:ARRAY`, or of pixels, with corners `lower` and `upper`."""
    maker, _, rest = text.partition(":")
    description, _, written = rest.partition(":")
    box, *options = description.split(",")
    array = _value(name, written, generator) if written else None
    if not isinstance(array, np.ndarray):
        _refuse(
            "argument-type",
            f"`{name}`: expected a box and an array after {maker}, found {text}",
            _EXAMPLE_OF_MAP,
        )
    allowed = ("swizzle", "steps", *(("lower", "upper") if maker == "pixels" else ()))
    given: dict[str, tuple[int, ...]] = {}
    for option in options:
        key, _, numbers = option.partition("=")
        if key not in allowed:
            hint = did_you_mean(key, allowed) or f"there are {', '.join(allowed)}"
            _refuse("argument-type", f"`{name}`: expected an option of the map, found {option}", hint)
        given[key] = _numbers(name, numbers)
    sizes = _numbers(name, box)
    swizzle = given.get("swizzle", (0,))[0]
    try:
        if maker == "map":
            return tensor_map(array, sizes, swizzle=swizzle, element_strides=given.get("steps"))
        if len(sizes) != 2:
            _refuse("argument-type", f"`{name}`: expected channels and pixels, found {box}", _EXAMPLE_OF_MAP)
        none = (0,) * (array.ndim - 2)
        channels, pixels = sizes
        return im2col_map(
            array,
            channels,
            pixels,
            given.get("lower", none),
            given.get("upper", none),
            swizzle=swizzle,
            element_strides=given.get("steps"),
        )
    except SimulatorError as error:
        raise RiseError(replace(error.diagnostic, title=f"`{name}`: {error.diagnostic.title}")) from None


def _numbers(name: str, text: str) -> tuple[int, ...]:
    if re.fullmatch(r"-?\d{1,9}(?:x-?\d{1,9})*", text):
        return tuple(map(int, text.split("x")))
    _refuse("argument-type", f"`{name}`: expected numbers as 32x8, found `{text}`", _EXAMPLE_OF_MAP)


def _made(
    name: str, maker: str, dtype: np.dtype[Any], shape: tuple[int, ...], generator: np.random.Generator
) -> Any:
    try:
        match maker:
            case "zeros":
                return np.zeros(shape, dtype)
            case "ones":
                return np.ones(shape, dtype)
            case "range":
                return np.arange(int(np.prod(shape, dtype=object))).astype(dtype).reshape(shape)
            case _:
                return random_numbers(dtype, shape, generator)
    except (*NO_ROOM, OverflowError):
        shape_text = "x".join(map(str, shape))
        _refuse(
            "out-of-memory",
            f"`{name}`: there is no memory for an array of {shape_text} elements",
            "choose a smaller one",
        )


def _typed(name: str, dtype: np.dtype[Any], number: Any) -> Any:
    fits = isinstance(number, bool) if dtype.kind == "b" else True
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        fits = isinstance(number, int) and ends.min <= number <= ends.max
    if not fits:
        _refuse(
            "argument-type", f"`{name}`: expected a number of type {dtype.name}, found {number}", _EXAMPLE
        )
    return dtype.type(number)


def _dtype(name: str, text: str) -> np.dtype[Any]:
    if text in SCALARS:
        return np.dtype(SCALARS[text].dtype)
    hint = did_you_mean(text, SCALARS) or f"there are {', '.join(SCALARS)}"
    _refuse("argument-type", f"`{name}`: expected a type of numbers, found `{text}`", hint)


def _shape(name: str, text: str) -> tuple[int, ...]:
    if re.fullmatch(r"\d{1,18}(?:x\d{1,18})*", text):
        return tuple(map(int, text.split("x")))
    _refuse("argument-type", f"`{name}`: expected a shape, found `{text}`", "for example 1024 or 64x64")


def _refuse(code: str, title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic(code, title, hint=hint)) from None
