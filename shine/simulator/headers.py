"""Precompiles the headers that a program begins with, for gcc. Independent of what headers declare.

Parsing headers takes up to half of the time of building a small program, and precompiling them takes longer than
building one, so they are precompiled for the second program that begins with them. If gcc cannot use the precompiled
header, it reads the text of the headers, so programs do not depend on it.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from shine.cache import digest, is_whole, stored, use
from shine.simulator.compiler import INCLUDE, Compiler, runtime_sources

_NAME: Final = "headers.h"
#: lines that may stand before and between the headers: no other directive, and no code
_BLANK = re.compile(r"\s*(?://[^\\]*|#line .*)?")
_INCLUDED = re.compile(r"\s*#\s*include\s*[<\"]([^>\"]+)[>\"]\s*(?://[^\\]*)?")


def leading_headers(unit: str) -> tuple[str, ...]:
    """The simulator's headers that a translation unit includes before anything else.

    >>> leading_headers('#include <mma.h>\\n// products\\n#include "math.h"\\n#define N 4\\n#include <limits>')
    ('mma.h', 'math.h')
    """
    names = []
    for line in unit.split("\n"):
        included = _INCLUDED.fullmatch(line)
        if included is not None and (INCLUDE / included[1]).is_file():
            names.append(included[1])
        elif _BLANK.fullmatch(line) is None:
            break
    return tuple(names)


def precompiled(
    names: tuple[str, ...], flags: tuple[str, ...], compiler: Compiler, cache: Path
) -> Path | None:
    """The precompiled form of these headers, included in this order under these flags, which is built once per cache.

    Returns None for clang, whose precompiled headers have other rules, for headers that do not compile, and when a
    cache is first asked for these headers: then it only notes their names.
    """
    if compiler.is_clang or not names:
        return None
    text = _text_of(names)
    key = digest(text, *flags, compiler.identity, runtime_sources())
    entry = cache / f"cuda-sim-headers-{key}.gch"
    note = cache / f"cuda-sim-headers-{key}.json"

    def make(folder: Path) -> Path:
        header, built = folder / _NAME, folder / f"{_NAME}.gch"
        header.write_text(text, encoding="utf-8")
        status, _ = compiler.run(folder, *flags, "-I", INCLUDE, "-x", "c++-header", header, "-o", built)
        if status or not built.is_file():
            raise _DoesNotCompile
        return built

    def make_note(folder: Path) -> Path:
        file = folder / note.name
        file.write_text(json.dumps(names), encoding="utf-8")
        return file

    if _is_known(entry):
        return entry
    if stored(note) is None:
        use(note, make_note, Path)
        return None
    try:
        return use(entry, make, Path)
    except _DoesNotCompile:
        return None


def use_precompiled(names: tuple[str, ...], built: Path, folder: Path) -> tuple[str | Path, ...]:
    """The options of gcc for a unit that begins with these headers; `folder` is for files beside the unit."""
    header = folder / _NAME
    header.write_text(_text_of(names), encoding="utf-8")
    (folder / f"{_NAME}.gch").symlink_to(built)
    return ("-include", header)


class _DoesNotCompile(Exception):
    """Headers do not compile, or the compiler writes nothing; compiling a unit with them shows which one, and
    the line.
    """


def _text_of(names: tuple[str, ...]) -> str:
    return "".join(f'#include "{name}"\n' for name in names)


def _is_known(entry: Path) -> bool:
    """Whether this process has already checked that an entry is complete; entries are too large to check for each
    program.
    """
    try:
        facts = entry.stat()
    except OSError:
        return False
    return _is_whole(entry, facts.st_ino, facts.st_size)


@lru_cache(maxsize=256)
def _is_whole(entry: Path, inode: int, size: int) -> bool:
    """`is_whole` for the file that has this inode."""
    return is_whole(entry)
