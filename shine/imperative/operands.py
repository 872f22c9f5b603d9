"""The operands of values, which distinguish names that would otherwise be shared: `product_from_dy` and
`product_from_dz`.

Independent of syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from types import UnionType
from typing import Final, TypeAlias

from rise.naturals import NatVar
from rise.records import dataclass
from shine.imperative.name_conflicts import Meetings, meeting
from shine.imperative.names import parted
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Define,
    DefineIndex,
    Exchange,
    If,
    Load,
    Local,
    Value,
)
from shine.imperative.omitted_variables import repeats, used_once
from shine.imperative.walk import body_of, values

Named: TypeAlias = NatVar | Buffer | Local
#: the positions of the statements around a declaration, and of the declaration, outermost first
Path: TypeAlias = tuple[int, ...]

#: a counter in a name
_COUNTED: Final = re.compile(r"_\d+(_|$)")
#: the prefix of the name of an array's only element that a block loads
ELEMENT: Final = "this_"
MAX_NAME_CHARACTERS: Final = 40
MAX_WORDS: Final = 2  # appended to a name
MAX_DEPTH: Final = 10  # of computations between a value and the operand that distinguishes it


@dataclass(slots=True)
class Declared:
    """The places where a variable or an array is declared, the values stored there, and the conditions."""

    paths: list[Path] = field(default_factory=list)
    stored: list[Value] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)


def tell_apart(
    program: Declarations, names: Mapping[Named, str], movable: type | UnionType
) -> dict[Named, str]:
    """New names for those declarations of the type `movable` that are visible at the same time and share a name, if one
    is computed from operands that the others do not have, or under another condition.
    """
    changed: dict[Named, str] = {}
    alike: dict[str, list[Named]] = {}
    for key in program.declared:
        if key in names and isinstance(key, movable):
            alike.setdefault(names[key], []).append(key)
    for several in (each for each in alike.values() if len(each) > 1):
        blocks = {one: [path[:-1] for path in program.declared[one].paths] for one in several}
        for one, words in _words(meeting(blocks), program, names).items():
            base, part = parted(names[one])
            new = f"{base}{words}{part}"
            if len(new) <= MAX_NAME_CHARACTERS:
                changed[one] = new
    return changed


@dataclass(slots=True)
class Declarations:
    """The variables and temporaries that a text declares, and the values of the variables that it omits."""

    declared: dict[Named, Declared] = field(default_factory=dict)
    omitted: dict[Local, Value] = field(default_factory=dict)
    parts: dict[object, tuple[Named, ...]] = field(default_factory=dict)
    _reads: dict[Named, tuple[Named, ...]] = field(default_factory=dict)

    def operands(self, keys: Iterable[Named]) -> dict[Named, None]:
        """The variables and arrays that are read to compute these, except these; a caller's array is its own
        operand.
        """
        read: dict[Named, None] = {}
        for key in keys:
            parts = self._parts_of(key)
            for part in parts:
                if part in self.declared:
                    read |= dict.fromkeys(one for one in self._read_for(part) if one not in parts)
                else:
                    read[part] = None
        return read

    def _parts_of(self, key: Named) -> tuple[Named, ...]:
        """The arrays that contain the parts of the same value as this one; only itself for other declarations."""
        return self.parts.get(_value_of(key), (key,)) if isinstance(key, Buffer) else (key,)

    def words(self, keys: Iterable[Named], names: Mapping[Named, str], name: str) -> list[str]:
        """The names of operands that add information to this name; a part of a temporary has the name of the whole."""
        own = parted(name)[0]
        found = [
            parted(names[key])[0] if len(self._parts_of(key)) > 1 else names[key].removeprefix(ELEMENT)
            for key in keys
            if key in names
        ]
        return [
            word
            for word in found
            if not (_COUNTED.search(word) or own.startswith(word) or word.startswith(own) or "_from_" in word)
        ]

    def _read_for(self, key: Named) -> tuple[Named, ...]:
        """What is read to compute a declaration. Cached, since it is needed at each depth, and for all of its
        readers.
        """
        if key not in self._reads:
            self._reads[key] = tuple(dict.fromkeys(self._read(self.declared[key].stored)))
        return self._reads[key]

    def _read(self, stored: Iterable[Value]) -> Iterator[Named]:
        waiting = list(reversed(list(stored)))
        while waiting:
            for part in values(waiting.pop()):
                match part:
                    case Load(buffer=buffer) | Exchange(buffer=buffer):
                        yield buffer
                    case Local() if part in self.omitted:
                        waiting.append(self.omitted[part])
                    case Local():
                        yield part
                    case _:
                        pass


def declared_in(body: Block, temporaries: Iterable[Buffer] = ()) -> Declarations:
    """The declarations in a body, and of the temporaries around it."""
    program = Declarations({buffer: Declared([(0,)]) for buffer in temporaries})
    once, repeated = used_once(body), repeats(body)
    waiting: list[tuple[Block, Path, tuple[Condition, ...]]] = [(body, (), ())]
    stores: list[tuple[Assign, tuple[Condition, ...]]] = []
    while waiting:
        block, path, around = waiting.pop()
        for at, statement in enumerate(block.statements):
            here = (*path, at)
            match statement:
                case Define(local, value) if statement in once or local in repeated:
                    program.omitted[local] = value
                case Define(value=value) | DefineIndex(value=value):
                    key = statement.local if isinstance(statement, Define) else statement.name
                    known = program.declared.setdefault(key, Declared())
                    known.paths.append(here)
                    known.stored.append(value)
                case Allocate(buffer):
                    program.declared.setdefault(buffer, Declared()).paths.append(here)
                case Assign():
                    stores.append((statement, around))
                case _:
                    pass
            inner = body_of(statement)
            if inner is not None:
                inside = (*around, statement.condition) if isinstance(statement, If) else around
                waiting.append((inner, here, inside))
    for store, around in stores:
        if store.buffer in program.declared:
            program.declared[store.buffer].stored.append(store.value)
            program.declared[store.buffer].conditions += around
    for part in program.declared:
        if isinstance(part, Buffer) and parted(part.name)[1]:
            whole = _value_of(part)
            program.parts[whole] = (*program.parts.get(whole, ()), part)
    return program


def _value_of(buffer: Buffer) -> object:
    """A key that the arrays with the parts of the same value share."""
    return buffer.origin, parted(buffer.name)[0]


def _words(met: Meetings[Named], program: Declarations, names: Mapping[Named, str]) -> dict[Named, str]:
    """Suffixes for variables and arrays that share a name with visible ones: words that distinguish most of them."""
    tested = {one: list(_tested(program.declared[one].conditions, names)) for one in met.things}
    best = {one: f"_if_{word}" for one, word in _distinct(tested, met).items()}
    fewest = _alike(best, met)
    read = {one: program.operands([one]) for one in met.things}
    for _ in range(MAX_DEPTH):
        if not fewest or not any(read.values()):
            break
        said = {key: program.words(keys, names, names[key]) for key, keys in read.items()}
        words = {key: f"_from_{word}" for key, word in _distinct(said, met).items()}
        alike = _alike(words, met)
        if alike < fewest:
            best, fewest = words, alike
        read = {key: program.operands(keys) for key, keys in read.items()}
    return best


def _distinct(said: Mapping[Named, Sequence[str]], met: Meetings[Named]) -> dict[Named, str]:
    """For each declaration, the first of its words that no conflicting one has; or all of its words, if they are few
    and no conflicting one has the same.
    """
    found: dict[Named, str] = {}
    words = met.shared(said)
    alike = met.shared({one: [frozenset(own)] for one, own in said.items()})
    for key, own in said.items():
        place = met.things[key]
        free = [word for word in own if words[place][word] == 1]
        few = list(dict.fromkeys(own))
        if free:
            found[key] = free[0]
        elif 0 < len(few) <= MAX_WORDS and alike[place][frozenset(few)] == 1:
            found[key] = "_".join(few)
    return found


def _alike(words: Mapping[Named, str], met: Meetings[Named]) -> int:
    """The number of declarations that would share a name with a conflicting one."""
    shared = met.shared({one: [words.get(one)] for one in met.things})
    return sum(shared[place][words.get(one)] > 1 for one, place in met.things.items())


def _tested(conditions: Iterable[Condition], names: Mapping[Named, str]) -> Iterator[str]:
    """The names of the truth values that conditions test."""
    for condition in conditions:
        for low, high in condition.below:
            for one in (low.free | high.free) & names.keys():
                yield names[one]
