"""Reads a built library's static shared arrays and the lines of its code. Depends on ELF."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from rise.records import dataclass
from shine.programs import call
from shine.simulator.text import FILE

SECTION: Final = b"sim_shared"
_SYMTAB: Final = 2
_ZONE = re.compile(r"(_ZZ.*?)\d\dsim_zone_\d")  # lengths of such names have two digits
_FRAME = re.compile(rf"(?:^|/){re.escape(FILE)}:(\d+)")


@dataclass(frozen=True, slots=True)
class StaticArray:
    """A `__shared__` array: the function that declares it ("" for none), its place in static shared memory."""

    function: str
    name: str
    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in global memory: its name, its address in a loaded library less that of `sim_kernel_count`."""

    name: str
    distance: int
    bytes: int


def variables(library: Path, names: Collection[str]) -> tuple[Variable, ...]:
    """The variables of these names, in the order of their addresses."""
    if not names:
        return ()
    image = library.read_bytes()
    symbols = list(_symbols(image, list(_sections(image))))
    base = next(value for name, _, value, _ in symbols if name == b"sim_kernel_count")
    found = {
        Variable(_names(text)[1], value - base, size)
        for name, _, value, size in symbols
        if size
        and any(one in (text := name.decode("ascii", "replace")) for one in names)  # most are others
        and _names(text)[1] in names
    }
    return tuple(sorted(found, key=lambda one: one.distance))


def guards_of_shared_arrays(library: Path) -> tuple[int, ...]:
    """Where a library notes that it has constructed shared arrays of classes, from `sim_kernel_count`.

    CUDA constructs none, and g++ emits a loop that does nothing.
    """
    image = library.read_bytes()
    symbols = list(_symbols(image, list(_sections(image))))
    base = next(value for name, _, value, _ in symbols if name == b"sim_kernel_count")
    arrays = {b"_ZGV" + name.removeprefix(b"_Z") for name, _, _, _ in symbols}
    kernels = b"10sim_launch"
    return tuple(value - base for name, _, value, _ in symbols if name in arrays and kernels not in name)


def static_arrays(library: Path) -> tuple[StaticArray, ...]:
    """The static shared arrays of a library, in the order of their offsets."""
    image = library.read_bytes()
    sections = list(_sections(image))
    shared = next((i for i, section in enumerate(sections) if section[0] == SECTION), None)
    if shared is None:
        return ()
    base = sections[shared][2]
    arrays = []
    for name, index, value, size in _symbols(image, sections):
        if index != shared or not size or b"sim_zone_" in name:
            continue
        function, array = _names(name.decode("ascii", "replace"))
        arrays.append(StaticArray(function, array, value - base, size))
    return tuple(sorted(arrays, key=lambda array: array.offset))


def contents_of(library: Path, names: Collection[str]) -> tuple[bytes, ...]:
    """What the sections of these names hold, such as `.text`, in the order of the file."""
    image = library.read_bytes()
    wanted = {name.encode() for name in names}
    return tuple(
        image[offset : offset + size] for name, _, _, offset, size, _ in _sections(image) if name in wanted
    )


def symbols_of(file: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The names that an object file defines, and those that it needs from others."""
    image = file.read_bytes()
    defined: set[str] = set()
    needed: set[str] = set()
    for name, index, _, _ in _symbols(image, list(_sections(image))):
        if name:
            (defined if index else needed).add(name.decode("ascii", "replace"))
    return frozenset(defined), frozenset(needed)


def stray_sections(file: Path) -> tuple[str, ...]:
    """The sections of an object file that hold shared arrays of templates.

    gcc before 14 ignores the section of a variable in a template. Such variables have sections of their own, and the
    red zone that each declaration begins with tells the functions that have some.
    """
    image = file.read_bytes()
    sections = list(_sections(image))
    symbols = [
        (name.decode("ascii", "replace"), sections[index][0])
        for name, index, _, size in _symbols(image, sections)
        if size and 0 < index < len(sections) and sections[index][0] != SECTION
    ]
    functions = {match[1] for name, _ in symbols if (match := _ZONE.match(name)) and match[1]}
    found = {
        section.decode("ascii", "replace")
        for name, section in symbols
        if section.startswith((b".bss.", b".data.")) and any(name.startswith(prefix) for prefix in functions)
    }
    return tuple(sorted(found))


def bytes_in_memory(library: Path) -> int:
    """The bytes that a library takes in memory, with variables that its file does not hold; about as many."""
    return sum(section[4] for section in _sections(library.read_bytes()))


def _sections(image: bytes) -> Iterator[tuple[bytes, int, int, int, int, int]]:
    """Name, type, address, offset, size and link of every section."""
    table = struct.unpack_from("<Q", image, 40)[0]
    size, count, names = struct.unpack_from("<HHH", image, 58)
    rows = [struct.unpack_from("<IIQQQQI", image, table + i * size) for i in range(count)]
    strings = rows[names][4]
    for name, kind, _, address, offset, length, link in rows:
        yield _string(image, strings + name), kind, address, offset, length, link


def _symbols(
    image: bytes, sections: list[tuple[bytes, int, int, int, int, int]]
) -> Iterator[tuple[bytes, int, int, int]]:
    """Name, section, address and size of every symbol."""
    for _, kind, _, offset, length, link in sections:
        if kind == _SYMTAB:
            strings = sections[link][3]
            for name, _, _, index, value, size in struct.iter_unpack(
                "<IBBHQQ", image[offset : offset + length]
            ):
                yield _string(image, strings + name), index, value, size


def _string(image: bytes, offset: int) -> bytes:
    return image[offset : image.index(b"\0", offset)]


def _names(mangled: str) -> tuple[str, str]:
    """The function and the name of a variable, from its mangled name.

    >>> _names("_ZZ6matmulE4tile"), _names("_ZZ1fPfE1s_0"), _names("_ZL5table")
    (('matmul', 'tile'), ('f', 's'), ('', 'table'))
    >>> _names("_ZZN2m11fEPfE4tile")
    ('f', 'tile')
    """
    function = ""
    if start := re.match(r"_ZZN?(?=\d)", mangled):
        is_nested, mangled = start[0].endswith("N"), mangled[start.end() :]
        while match := re.match(r"\d+", mangled):
            end = match.end() + int(match[0])
            function, mangled = mangled[match.end() : end], mangled[end:]
            if not is_nested:
                break
    for match in re.finditer(r"\d+", mangled):
        # A length is followed by the name; only with the right digits does the name end at the end, or at a suffix.
        for digits in (match[0][i:] for i in range(len(match[0]))):
            name = mangled[match.end() : match.end() + int(digits)]
            rest = mangled[match.end() + int(digits) :]
            if len(name) == int(digits) and name and re.fullmatch(r"(_\d+|__\d+_)?(\.\d+)?", rest):
                return function, name
    return function, mangled


def lines_of_code(library: Path, offsets: Iterable[int], compiler: str) -> Mapping[int, int]:
    """The lines of the CUDA text for offsets of code in a library; 0 where the line is unknown."""
    addresses = sorted(set(offsets))
    tool = _line_tool(compiler)
    if not addresses or tool is None:
        return dict.fromkeys(addresses, 0)
    lines = dict.fromkeys(addresses, 0)
    address = -1
    for row in call([tool, "-a", "-i", "-e", library, *map(hex, addresses)]).stdout.split("\n"):
        if row.startswith("0x"):
            address = int(row, 16)
        elif (match := _FRAME.search(row)) and not lines.get(address, 1):
            lines[address] = int(match[1])
    return lines


@lru_cache(maxsize=8)
def _line_tool(compiler: str) -> str | None:
    """The program that maps addresses to lines: the compiler's own, or the system's."""
    names = ["addr2line", "llvm-addr2line"]
    names.insert(0, call([compiler, "-print-prog-name=addr2line"]).stdout.strip() or "addr2line")
    return next((path for path in map(shutil.which, names) if path), None)
