"""Files with the code of foreign functions, which a person allows by name: Python, C and CUDA. Knows no command."""

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

PARTS: Final = ("meaning", "c", "cuda")
#: which part a file of texts has
SUFFIXES: Final[Mapping[str, str]] = {".c": "c", ".h": "c", ".cu": "cuda", ".cuh": "cuda"}


def is_code(file: str) -> bool:
    """Whether a file may have foreign code, by its name."""
    return Path(file).suffix in (".py", *SUFFIXES)


def allowed(files: Sequence[str], e: Expr) -> tuple[Foreign, ...]:
    """The code that files have for the foreign functions that a term calls.

    A Python file has it as `rise.Foreign` values; a C or CUDA text stands for each function that it names, and is of
    the type that the program declares. Raises RiseError where a file cannot be read or run, or two have the same part.
    """
    called = {one.name: one.type for one in e.free if isinstance(one, Var) and signature_of(one.type)}
    found: dict[str, Foreign] = {}
    for file in files:
        for one in _of_file(file, called):
            before = found.get(one.name)
            found[one.name] = one if before is None else _together(before, one, file)
    return tuple(found.values())


def _of_file(file: str, called: Mapping[str, Type]) -> list[Foreign]:
    suffix = Path(file).suffix
    if suffix == ".py":
        return _of_python(file)
    if suffix not in SUFFIXES:
        title = f"expected a file of foreign code, found {file}"
        hint = "its name ends in .py (values rise.Foreign), .c, or .cu"
        raise RiseError(Diagnostic("foreign-file", title, hint=hint))
    data = read_bytes(Path(file), file)
    if not data.strip():
        title = f"expected a text of foreign functions in {file}, found an empty file"
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
        title = f"{file} cannot be run: it ends the process, by exit({error.code!r})"
        hint = "let it define rise.Foreign values, and no more"
        raise RiseError(Diagnostic("foreign-file", title, hint=hint)) from error
    except Exception as error:  # whatever a person's file raises is told
        title = f"{file} cannot be run: {type(error).__name__}: {error}"
        raise RiseError(Diagnostic("foreign-file", title, hint="correct it")) from error
    return [value for value in values.values() if isinstance(value, Foreign)]


def _together(one: Foreign, other: Foreign, file: str) -> Foreign:
    """One function of the parts that two files have."""
    for part in PARTS:
        if getattr(one, part) is not None and getattr(other, part) is not None:
            what = "meaning" if part == "meaning" else f"{part.upper()} text"
            title = f"the {what} of the foreign function `{one.name}` is given twice, again in {file}"
            raise RiseError(Diagnostic("foreign-code", title, hint="allow one of the files only"))
    if one.type != other.type:
        title = f"expected code of type {one.type} for `{one.name}`, found {other.type} in {file}"
        raise RiseError(Diagnostic("foreign-type", title, hint="one of the two files is wrong"))
    given = {part: getattr(other, part) for part in PARTS if getattr(other, part) is not None}
    return replace(one, **given)
