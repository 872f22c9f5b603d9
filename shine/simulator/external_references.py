"""Checks the external references of CUDA source: the simulator, mathematical functions and CUDA headers are allowed.

A text cannot declare a function of the C library and call it: unknown symbols in its object file are rejected before
anything is linked. Files outside of the folder of headers cannot be included, even if the compiler could read them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic
from shine.programs import call
from shine.simulator.compiler import INCLUDE, Compiler
from shine.simulator.model import SimulatorError
from shine.simulator.symbols import symbols_of
from shine.simulator.text import without_noise

# What compilers call by themselves: to copy and to fill, arithmetic that the processor lacks, tables of the linker.
_OF_COMPILERS: Final = re.compile(
    r"mem(?:cpy|move|set|cmp)|_GLOBAL_OFFSET_TABLE_|__(?:start|stop)_sim_shared"
    r"|__[a-z]+(?:[hbsdxt]f|[sdt]i|bitint)[a-z0-9]*"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\")", re.DOTALL)
_BLANK: Final = r"(?:[ \t]|\\\n)*"  # lines that are continued are one
_DIRECTIVE = re.compile(
    rf"^{_BLANK}(#|%:){_BLANK}(?=[a-z])((?:\w|\\\n)+)((?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE
)
_HEADER = re.compile(r"[<\"]([^>\"\n]+)[>\"]")
_DECLARED = re.compile(r'extern "C" [\w ]+?[ *](\w+)\([^)]*\);|\bSIM_(?:UNARY|BINARY)\((\w+)\)')


def check_needed(source: str, compiled: Path, runtime: Path, compiler: Compiler) -> None:
    """Raise SimulatorError if an object file needs functions that are neither in the runtime nor mathematical."""
    needed = symbols_of(compiled)[1] - symbols_of(runtime)[0] - _functions_of_mathematics()
    unknown = sorted(name for name in needed if not _OF_COMPILERS.fullmatch(name))
    if not unknown:
        return
    names = [_readable(name, compiler) for name in unknown]
    lines = tuple((_line_of(name, source), name) for name in names)
    described = ", ".join(f"`{name}`" + (f" on line {line}" if line else "") for line, name in lines)
    title = f"expected functions that the simulator supports, found {described}"
    hint = "define them in the text: a kernel has no functions of the operating system"
    raise SimulatorError(Diagnostic("unknown-function", title, hint=hint), lines)


def check_headers(source: str) -> None:
    """Raise SimulatorError if a text includes a file outside of the folder of headers, or what a macro names."""
    clean = without_noise(source)
    code = _COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), source)
    for match in _DIRECTIVE.finditer(code):
        if clean[match.start(1)] == " " or "include" not in match[2].replace("\\\n", ""):
            continue
        given = match[3].replace("\\\n", " ").strip()
        header = _HEADER.match(given)
        name = header[1] if header else given
        if header is None or name.startswith(("/", "~")) or ".." in name.split("/"):
            line = source.count("\n", 0, match.start(3)) + 1
            found = f"the path {name}" if header else f"`{name}`"
            title = f"expected a header of CUDA, found {found} on line {line}"
            hint = "put what the kernel needs into its file" if header else "name the header itself"
            raise SimulatorError(Diagnostic("unknown-header", title, hint=hint), ((line, title),))


@lru_cache(maxsize=1)
def _functions_of_mathematics() -> frozenset[str]:
    """The functions of libm that the headers declare, for float and double."""
    texts = [
        (INCLUDE / "simulator" / name).read_text(encoding="utf-8")
        for name in ("mathematics.h", "special_functions.h")
    ]
    names = {name for text in texts for pair in _DECLARED.findall(text) for name in pair if name}
    return frozenset(names | {f"{name}f" for name in names})


def _readable(name: str, compiler: Compiler) -> str:
    """The name of a function as it is written in the source."""
    if not name.startswith("_Z"):
        return name
    tool = call([compiler.path, "-print-prog-name=c++filt"]).stdout.strip() or "c++filt"
    return call([tool, name]).stdout.strip() or name


def _line_of(name: str, source: str) -> int:
    """The last line that calls the function, since the first may declare it; 0 if none does."""
    plain = re.split(r"[(<]", name)[0].split("::")[-1]
    clean = without_noise(source)
    operator = plain.removeprefix("operator ").rstrip("[]")
    used = rf"\b{re.escape(plain)}\s*[(<]" if operator == plain else rf"\b{re.escape(operator)}\b"
    calls = list(re.finditer(used, clean))
    return clean.count("\n", 0, calls[-1].start()) + 1 if calls else 0
