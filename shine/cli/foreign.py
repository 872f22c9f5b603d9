"""Reads the code of foreign functions from files that --allow-foreign names: Python, C, CUDA.

Independent of commands.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.programs.foreign import Foreign, signature_of
from rise.terms import Expr, Var
from rise.text.libraries import read_bytes
from rise.text.reader import decode
from rise.types import Type
from shine.cli.words import SUFFIXES

PARTS: Final = ("meaning", "c", "cuda")


def allowed(files: Sequence[str], e: Expr) -> tuple[Foreign, ...]:
    """The code that files provide for the foreign functions that a term calls.

    A Python file provides `rise.Foreign` values; a C or CUDA file provides each function that it defines, with the type
    that the program declares. Raises RiseError if a file cannot be read or run, or if two files provide the same part.
    """
    called = {v.name: v.type for v in e.free if isinstance(v, Var) and signature_of(v.type)}
    functions: dict[str, Foreign] = {}
    for file in files:
        for function in _of_file(file, called):
            previous = functions.get(function.name)
            functions[function.name] = function if previous is None else _merged(previous, function, file)
    return tuple(functions.values())


def _of_file(file: str, called: Mapping[str, Type]) -> list[Foreign]:
    suffix = Path(file).suffix
    if suffix == ".py":
        return _of_python(file)
    if suffix not in SUFFIXES:
        title = f"expected a file of foreign code, found {file}"
        hint = "use a .py file with rise.Foreign values, or a .c or .cu file"
        raise RiseError(Diagnostic("foreign-file", title, hint=hint))
    data = read_bytes(Path(file), file)
    if not data.strip():
        title = f"expected foreign functions in {file}, found an empty file"
        raise RiseError(Diagnostic("foreign-file", title, hint="write the functions that the program calls"))
    text = decode(data, file)
    names = sorted(name for name in called if re.search(rf"\b{re.escape(name)}\s*\(", text))
    in_c, in_cuda = (text if SUFFIXES[suffix] == part else None for part in ("c", "cuda"))
    return [Foreign(name, called[name], None, in_c, in_cuda) for name in names]


def _of_python(file: str) -> list[Foreign]:
    read_bytes(Path(file), file)
    try:
        values = runpy.run_path(file)
    except RiseError:
        raise
    except SystemExit as error:
        title = f"{file} cannot be run: it calls exit({error.code!r})"
        hint = "let it define rise.Foreign values only"
        raise RiseError(Diagnostic("foreign-file", title, hint=hint)) from error
    except Exception as error:  # a user's file may raise anything
        title = f"{file} cannot be run: {type(error).__name__}: {error}"
        raise RiseError(Diagnostic("foreign-file", title, hint="correct it")) from error
    return [value for value in values.values() if isinstance(value, Foreign)]


def _merged(first: Foreign, second: Foreign, file: str) -> Foreign:
    """A foreign function with the parts that two files provide."""
    for part in PARTS:
        if getattr(first, part) is not None and getattr(second, part) is not None:
            part_text = "meaning" if part == "meaning" else f"{part.upper()} text"
            title = f"the {part_text} of the foreign function `{first.name}` is given twice, again in {file}"
            raise RiseError(Diagnostic("foreign-code", title, hint="allow only one of the files"))
    if first.type != second.type:
        title = f"expected code of type {first.type} for `{first.name}`, found {second.type} in {file}"
        raise RiseError(Diagnostic("foreign-type", title, hint="correct the type in one of the two files"))
    parts = {part: getattr(second, part) for part in PARTS if getattr(second, part) is not None}
    return replace(first, **parts)
