"""Outlines of texts: loops, stores, values, prefetches and barriers, each with its names. Compiles nothing.

`of_stage` reads the text of `--stage imperative`, `of_text` that of a target. The two are equal except for what
printing adds: declarations, names for indices that repeat, memory for arrays, numbers of blocks and threads. A loop
over the units of a GPU may be printed as such a number, so that only other loops are compared.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Line(NamedTuple):
    """A kind of statement, what it writes or counts, and the names that its value reads, without repetitions."""

    kind: str
    name: str = ""
    reads: frozenset[str] = frozenset()


class Outline(NamedTuple):
    """The lines of a stage, the names that the program reads and writes, and the loops over units of each kernel."""

    lines: list[Line]
    values: frozenset[str]
    units: list[frozenset[str]]


WORD: Final = re.compile(r"[A-Za-z_]\w*")
LOOP: Final = re.compile(r"for (\w+) < .*? \((?:(seq|unroll|parallel|simd)\b(?: if .*)?|\w+ \d)\)")
DEFINED: Final = re.compile(r"(\w+) : [^=]*? = (.*)")
STORED: Final = re.compile(r"(\w+)\[.*?\] := (.*)")
#: lines of a stage without other contents: conditions and heads of kernels
HEADS: Final = ("if ", "kernel ", "foreign ")

C_CONSTANTS: Final = re.compile(
    r"(?:_Alignas\(\d+\) |__align__\(\d+\) |static )+const \w+ (\w+)\[\d+\] = \{.*"
)
C_FUNCTION: Final = re.compile(r'int \w+\(|extern "C" __global__')
C_LOOP: Final = re.compile(r"for \((?:const )?(?:long long|\w+) (\w+) = .*")
C_DEFINED: Final = re.compile(r"const (?:long long|unsigned \w+|signed char|vec<.*?>|\w+) (\w+) = (.*);")
C_STORED: Final = re.compile(r"(?:\*reinterpret_cast<.*?\*>\(&)?(\w+)(?:\[.*?\]\)?)? = (.*);")
C_PREFETCHED: Final = re.compile(r"__builtin_prefetch\(&(\w+)\[.*")
C_BARRIER: Final = re.compile(r"__sync(?:threads|warp)\(.*")
#: lines of a text that printing adds, or that declare pointers or variables without a value
C_ADDED: Final = re.compile(
    r"(?:if \(|[}{#]|return|give_memory\(|report\(|status = |int status|keep_scalar\(|//)"
    r"|(?:static |_Alignas\(\d+\) |__shared__ |__align__\(\d+\) )*"
    r"(?:long long|unsigned long long|unsigned \w+|signed char|vec<.*?>|\w+)(?: \w+(?:\[.*?\])?;| ?\* ?const )"
)


def of_stage(text: str) -> Outline:
    """The outline of a text of `--stage imperative`. Lines of unknown form are kept, with the kind `?`."""
    signature, *rest = text.splitlines()
    names, units, lines = set(re.findall(r"(\w+):", signature)), [set[str]()], list[tuple[str, str, str]]()
    for line in map(str.strip, rest):
        if line.startswith("kernel "):
            units.append(set())
        if found := LOOP.fullmatch(line):
            if found[2]:
                lines.append(("loop", found[1], ""))
            else:
                units[-1].add(found[1])
        elif found := re.match(r"new (\w+) : ", line):
            names.add(found[1])
        elif found := re.match(r"constants (\w+) : ", line):
            lines.append(("constants", found[1], ""))
            names.add(found[1])
        elif found := STORED.fullmatch(line):
            lines.append(("store", found[1], found[2]))
            names.add(found[1])
        elif found := DEFINED.fullmatch(line):
            lines.append(("value", found[1], found[2]))
            names.add(found[1])
        elif found := re.match(r"prefetch (\w+)", line):
            lines.append(("prefetch", found[1], ""))
        elif line.startswith("barrier "):
            lines.append(("barrier", "", ""))
        elif line and not line.startswith(HEADS):
            lines.append(("?", line, ""))
    values = frozenset(names)
    return Outline(
        [Line(kind, name, reads(value, values)) for kind, name, value in lines],
        values,
        [frozenset(one) for one in units],
    )


#: a store of a vector to registers, which are assigned one by one
ONE_BY_ONE: Final = re.compile(
    r"\{\n\s*const \S+ \d+> all_lanes = (?P<value>.*);\n\s*(?P<buffer>\w+)\[.*\] = all_lanes\.v\[0\];\n"
    r"(?:.*all_lanes\.v\[\d+\];\n)*\s*\}"
)


def of_text(text: str, stage: Outline) -> list[Line]:
    """The outline of a text in C or CUDA C++, from its functions for the program of a stage."""
    values, kernel, is_inside, found = stage.values, 0, False, list[Line]()
    for line in ONE_BY_ONE.sub(r"\g<buffer>[] = \g<value>;", text).splitlines():
        if C_FUNCTION.match(line):
            kernel, is_inside = kernel + line.startswith("extern"), not line.endswith("(")
        elif line == ") {":
            is_inside = True
        elif line == "}":
            is_inside = False
        elif is_inside and (said := _line(line.strip(), values, stage.units[kernel])) is not None:
            found.append(said)
    return found


def reads(value: str, values: frozenset[str]) -> frozenset[str]:
    """The names of arrays, numbers and values of a program in the text of a value; `.. 4 lanes` marks a vector."""
    return frozenset(WORD.findall(re.sub(r" \.\. \d+ lanes\b", "", value))) & values


def _line(line: str, values: frozenset[str], units: frozenset[str]) -> Line | None:
    """The outline of a line of a function; None for lines that printing adds."""
    if found := C_LOOP.fullmatch(line):
        return None if found[1] in units else Line("loop", found[1])
    if C_BARRIER.match(line):
        return Line("barrier")
    if found := C_PREFETCHED.fullmatch(line):
        return Line("prefetch", found[1])
    if found := C_DEFINED.fullmatch(line):
        is_new = found[1] in units or found[1] not in values or "_of_bits(" in found[2]
        return None if is_new else Line("value", found[1], reads(found[2], values))
    if found := C_CONSTANTS.match(line):
        return Line("constants", found[1])
    if C_ADDED.match(line):
        return None
    if found := C_STORED.fullmatch(line):
        return Line("store", found[1], reads(found[2], values))
    return Line("?", line)
