"""Cases: programs in files, with a header that says how to compile them and what to run them on.

A header stands at the top of the file, one `// key: value` per line; it ends at the first line that is not a comment:

- `strategy: module:name`, and its parameters, `params: tile=32`
- `sizes: M=3 N=5; M=1 N=1`, the sizes to run at; a function of sizes is given by its values, `len=[2,0,3]`
- `symbolic: yes` if the program is compiled once for all sizes
- `inputs: random zeros`, kinds of values
- `type`, the type of the program

Independent of programs, values and targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final, TypeAlias

Numbers: TypeAlias = tuple[tuple[str, int], ...]
#: a function of sizes, by its first values
Sizes: TypeAlias = tuple[tuple[str, int | tuple[int, ...]], ...]

#: the keys of a header, and whether a case must have them
KEYS: Final[Mapping[str, bool]] = {
    "strategy": True,
    "params": False,
    "sizes": True,
    "symbolic": False,
    "inputs": True,
    "type": True,
}


class HeaderError(Exception):
    """A header without something that a case needs, or with something else."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program, how to compile it, and what to run it on."""

    name: str
    strategy: str
    params: Numbers
    sizes: tuple[Sizes, ...]
    is_symbolic: bool
    inputs: tuple[str, ...]
    type: str
    text: str

    def __str__(self) -> str:
        return self.name


def read_case(name: str, text: str) -> Case:
    """Parse the text of a file. Raises HeaderError with the line and what was expected there."""
    fields = read_fields(name, text)
    missing = [key for key, is_required in KEYS.items() if is_required and key not in fields]
    if missing:
        raise HeaderError(
            f"{name}: expected the key `{missing[0]}` in the header, found {', '.join(fields) or 'none'}"
        )
    module, colon, attribute = fields["strategy"].partition(":")
    if not (module and colon and attribute):
        raise HeaderError(f"{name}: expected a strategy as module:name, found `{fields['strategy']}`")
    if fields.get("symbolic", "no") not in ("yes", "no"):
        raise HeaderError(f"{name}: expected symbolic to be yes or no, found `{fields['symbolic']}`")
    sizes = tuple(read_sizes(name, each) for each in fields["sizes"].split(";"))
    for each in sizes:
        if [word for word, _ in each] != [word for word, _ in sizes[0]]:
            raise HeaderError(
                f"{name}: expected sizes for the same names each time, found `{fields['sizes']}`"
            )
    return Case(
        name=name,
        strategy=fields["strategy"],
        params=read_numbers(name, "params", fields["params"]) if "params" in fields else (),
        sizes=sizes,
        is_symbolic=fields.get("symbolic") == "yes",
        inputs=tuple(fields["inputs"].split()),
        type=fields["type"],
        text=text,
    )


def read_fields(name: str, text: str) -> dict[str, str]:
    """The unparsed values of the header, by their keys."""
    fields: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("//"):
            break
        key, colon, value = (part.strip() for part in line.removeprefix("//").partition(":"))
        if not colon or not value:
            raise HeaderError(f"{name}:{number}: expected `// key: value`, found `{line}`")
        if key not in KEYS:
            raise HeaderError(f"{name}:{number}: expected one of {', '.join(KEYS)}, found `{key}`")
        if key in fields:
            raise HeaderError(f"{name}:{number}: expected each key once, found `{key}` again")
        fields[key] = value
    return fields


def read_numbers(name: str, key: str, text: str) -> Numbers:
    """Parse `M=3 N=5`."""
    found = []
    for word, value in read_pairs(name, key, "NAME=NUMBER", text):
        if not value.isdecimal():
            raise HeaderError(f"{name}: expected {key} as NAME=NUMBER, found `{word}={value}`")
        found.append((word, int(value)))
    return tuple(found)


def read_sizes(name: str, text: str) -> Sizes:
    """Parse `N=3 len=[2,0,3]`."""
    found: list[tuple[str, int | tuple[int, ...]]] = []
    for word, value in read_pairs(name, "sizes", "NAME=NUMBER", text):
        values = value.removeprefix("[").removesuffix("]").split(",") if value != "[]" else []
        is_list = value.startswith("[") and value.endswith("]")
        if not all(each.isdecimal() for each in values) or not (is_list or value.isdecimal()):
            raise HeaderError(
                f"{name}: expected sizes as NAME=NUMBER or NAME=[NUMBER,...], found `{word}={value}`"
            )
        found.append((word, tuple(map(int, values)) if is_list else int(value)))
    return tuple(found)


def read_pairs(name: str, key: str, form: str, text: str) -> list[tuple[str, str]]:
    """Parse `NAME=VALUE NAME=VALUE`; each name must be unique."""
    found = []
    for item in text.split():
        word, equal, value = item.partition("=")
        if not (word.isidentifier() and equal):
            raise HeaderError(f"{name}: expected {key} as {form}, found `{item}`")
        found.append((word, value))
    if not found:
        raise HeaderError(f"{name}: expected {key} as {form}, found none")
    if len(dict(found)) != len(found):
        raise HeaderError(f"{name}: expected {key} to give each name once, found `{text.strip()}`")
    return found


def extent(sizes: Mapping[str, int | tuple[int, ...]]) -> int:
    """The product of the sizes; a function counts as the sum of its values."""
    return prod(value if isinstance(value, int) else sum(value) for value in sizes.values())
