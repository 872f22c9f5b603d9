"""Readable names of temporaries and variables, derived from their contents.

A copy is named after the array whose elements it holds, `b_tile`. A value without a name in the program is named after
the variable to which it is finally copied, or otherwise after its computation: `sum`, `is_less`. If two visible
declarations would share a name, suffixes distinguish them: `sum_of_lane` is what one lane holds, `sum_by_lane16`
has one sum for each of 16 lanes. Names are suggestions, which printers make unique. Independent of axes and syntax.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from rise.naturals import Nat, NatVar, nat
from rise.primitives import PRIMITIVES
from rise.types import BOOL, FragmentType
from shine.imperative.name_conflicts import meeting
from shine.imperative.names import UNNAMED, parted, plain
from shine.imperative.nodes import (
    Assign,
    Block,
    Buffer,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    For,
    Guarded,
    Index,
    Level,
    Load,
    Local,
    Operation,
    Value,
)
from shine.imperative.operands import ELEMENT, declared_in, tell_apart
from shine.imperative.temporaries import (
    CHOSEN,
    MOVES,
    Flows,
    Temporary,
    directions_of,
    filling_units,
    first_found,
    flows_of,
    goals_of,
    leaves_of,
    origins_of,
    purposes_of,
    reaches_of,
    source_of,
    temporaries_of,
)
from shine.imperative.walk import body_of, everything, values

#: names that differ from those of the operations
Named: TypeAlias = NatVar | Buffer | Local
Names: TypeAlias = Mapping[Named, str]
#: the names that rules give to the state of a loop
ACCUMULATOR: Final = "acc"
#: the name of a sum of constants
COUNT: Final = "count"
PLURALS: Final = {"minus": "minuses", "minimum": "minima", "maximum": "maxima", "all": "all", "any": "any"}
UNITS: Final = {"global": "thread", "threads": "thread", "block": "block", "warp": "warp", "lane": "lane"}


def contents_names(
    body: Block, given: Iterable[Buffer], temporaries: Sequence[Buffer], loop_names: Names
) -> dict[Named, str]:
    """The names of the temporaries and variables of a body, given the names of loops; `given` are the arrays of the
    caller, and `temporaries` are allocated outside of the body.
    """
    found: dict[Named, str] = {one: plain(one.name) for one in given}
    kept = temporaries_of(body, temporaries)
    found |= _buffer_names(body, kept, set(found), loop_names)
    said: dict[Named, str] = {one: parted(one.name)[0] for one in _program_named(body)}
    program = declared_in(body, temporaries)
    found |= tell_apart(program, {**said, **found}, Buffer)
    sides = _sides(body)
    for statement, _ in everything(body):
        match statement:
            case Define(local, Exchange(buffer=buffer, lane=lane)):
                at = "" if lane.constant is None else str(lane.constant)
                found[local] = f"other{at}_{found.get(buffer, plain(buffer.name))}"
            case Define(local, Load() as load) if parted(local.name)[0] in (
                *UNNAMED,
                plain(load.buffer.name),
            ):
                found[local] = sides[local] + found.get(load.buffer, plain(load.buffer.name))
            case Define(local, value):
                found[local] = _variable_name(local.name, value, found)
            case DefineIndex(index, Load(buffer)) if parted(index.name)[0] in UNNAMED:
                side = sides.get(index, "").replace(ELEMENT, "")
                found[index] = f"{side}{found.get(buffer, plain(buffer.name))}_entry"
            case DefineIndex(index, value):
                found[index] = _variable_name(index.name, _tested(value), found)
            case _:
                pass
    for statement, _ in everything(body):
        match statement:
            case Assign(buffer=buffer, value=Local(name) as local) if parted(name)[0] == "updated":
                found[local] = f"next_{found.get(buffer, plain(buffer.name))}"
            case _:
                pass
    return found | tell_apart(program, found, Local | Buffer)


def _program_named(body: Block) -> list[Local]:
    """The variables that have names in the program."""
    return [
        one.local
        for one, _ in everything(body)
        if isinstance(one, Define) and parted(one.local.name)[0] not in UNNAMED
    ]


def _sides(body: Block) -> dict[Named, str]:
    """For variables of a block that loads two elements of an array, whether they hold the left or the right one."""
    found: dict[Named, str] = {}
    for block in (body, *(inner for one, _ in everything(body) if (inner := body_of(one)) is not None)):
        by_buffer: dict[Buffer, list[tuple[Named, Nat]]] = {}
        for statement in block.statements:
            match statement:
                case Define(key, Load(buffer, index)) | DefineIndex(key, Load(buffer, index)):
                    by_buffer.setdefault(buffer, []).append((key, index))
                case _:
                    pass
        for several in by_buffer.values():
            match several:
                case [(one, at), (other, at_other)] if far := (at_other - at).constant:
                    found |= {one: "left_" if far > 0 else "right_", other: "right_" if far > 0 else "left_"}
                case _:
                    found |= {one: ELEMENT for one, _ in several}
    return found


def _tested(value: Value) -> Value:
    """The truth value that a number, 1 or 0, encodes."""
    match value:
        case Operation("select", (test, Index(), Index())):
            return test
        case _:
            return value


def _variable_name(name: str, value: Value, found: Names) -> str:
    """The name of a variable with a given value."""
    base, part = parted(name)
    if base not in UNNAMED:
        return base + part
    return _says(value, found) or base + part


def _says(value: Value, found: Names) -> str:
    """A short description of a value; empty if there is none."""
    match value:
        case Operation(name, (inner, *_)) if name in MOVES:
            return _subject(inner, found)
        case Operation(name, (left, Constant(0))) if word := _result(name, at_zero=True):
            return _of(left, word, found)
        case Operation(name, (left, _), type=t) if t == BOOL != left.type:
            return _of(left, _result(name), found)
        case Operation(name, (inner,)):
            subject, word = _subject(inner, found), _result(name)
            return f"{word}_{subject}" if word and subject else word
        case Operation(name):
            return _result(name)
        case Guarded(_, inner, Constant() | Load() | Local()) if _subject(inner, found):
            return f"padded_{_subject(inner, found)}"
        case Load(buffer):
            return f"{found.get(buffer, plain(buffer.name))}_entry"
        case _:
            return ""


def _result(name: str, at_zero: bool = False) -> str:
    """The name of an operation's result; if `at_zero`, of a comparison with 0."""
    record = PRIMITIVES.get(name)
    if record is None:
        return ""
    return record.result_at_zero if at_zero else record.result


def _of(value: Value, says: str, found: Names) -> str:
    """The name of a value's source, followed by a word about the value."""
    subject = _subject(value, found)
    return f"{subject}_{says}" if subject else says


def _subject(value: Value, found: Names) -> str:
    """The name of the source that a value is read from."""
    match value:
        case Local() as local:
            return found.get(local, plain(local.name))
        case Load(buffer):
            return found.get(buffer, plain(buffer.name))
        case _:
            return ""


def _buffer_names(
    body: Block, kept: Mapping[Buffer, Temporary], given: set[Named], loop_names: Names
) -> dict[Named, str]:
    """The names of temporaries: after the array whose elements they hold, or otherwise after their contents."""
    is_on_gpu = any(isinstance(one, For) and isinstance(one.kind, Level) for one, _ in everything(body))
    simple: dict[Buffer, tuple[str, str]] = {}
    copies: dict[Buffer, tuple[str, str]] = {}
    flows = flows_of(body, kept)
    goals, leaves = goals_of(body, kept, flows), leaves_of(kept)
    origins, held = origins_of(kept, given), _held(kept, goals, leaves)
    for buffer in kept:
        origin = origins.get(buffer)
        if origin is not None:
            in_registers = buffer.space == "Local" and is_on_gpu
            is_fragment = isinstance(buffer.element, FragmentType)
            kind = "fragment" if is_fragment else "registers" if in_registers else "tile"
            copies[buffer] = (f"{origin.name}_{kind}", "")
        else:
            simple[buffer] = (held[buffer], parted(buffer.name)[1])
    owners = _owners(simple, kept, flows, loop_names)
    counts = {one: _count(kept[one], one) if owners[one].startswith("_by") else "" for one in simple}
    reaches = reaches_of(body, kept)
    _pass_on_counts(simple, flows)
    simple = _accumulators_apart(simple, kept)
    for words in (purposes_of(body, kept, flows), owners, counts, reaches):
        simple = _told_apart(simple, kept, words)
    for words in (_owners(copies, kept, (), loop_names), directions_of(kept)):
        copies = _told_apart(copies, kept, words)
    return {one: name + part for one, (name, part) in (*copies.items(), *simple.items())}


def _told_apart(
    names: Mapping[Buffer, tuple[str, str]], kept: Mapping[Buffer, Temporary], words: Mapping[Buffer, str]
) -> dict[Buffer, tuple[str, str]]:
    """The names, with words appended if these distinguish temporaries."""
    clashing = _clashing(names, kept, words)
    return {
        one: (name + (words[one] if one in clashing else ""), part) for one, (name, part) in names.items()
    }


def _pass_on_counts(names: dict[Buffer, tuple[str, str]], flows: Flows) -> None:
    """Give sums of counts the names of counts."""
    changed = True
    while changed:
        changed = False
        for source, target in flows:
            word, part = names.get(target, ("", ""))
            if (
                word.removesuffix("s") == _result("add")
                and names.get(source, ("",))[0].removesuffix("s") == COUNT
            ):
                names[target] = (word.replace(_result("add"), COUNT), part)
                changed = True


def _clashing(
    names: Mapping[Buffer, tuple[str, str]],
    kept: Mapping[Buffer, Temporary],
    words: Mapping[Buffer, str],
) -> set[Buffer]:
    """The temporaries that share a name with a simultaneously visible one, if the words distinguish any of them."""
    alike: dict[str, list[Buffer]] = {}
    for buffer, name in names.items():
        alike.setdefault("".join(name), []).append(buffer)
    found: set[Buffer] = set()
    for several in alike.values():
        met = meeting({one: [_scope(kept[one])] for one in several}).things
        if len({words[one] for one in met}) > 1:
            found |= met.keys()
    return found


def _scope(known: Temporary) -> tuple[int, ...]:
    """The loops around an allocation, without loops over units, which are not scopes in printed code."""
    return tuple(id(loop) for loop in known.loops if not isinstance(loop.kind, Level))


def _owners(
    temporaries: Iterable[Buffer], kept: Mapping[Buffer, Temporary], flows: Flows, loop_names: Names
) -> dict[Buffer, str]:
    """The owner of each temporary; a temporary that is computed step by step from another one has the same owner."""
    found = {
        buffer: "" if parted(buffer.name)[0] == CHOSEN else _owner(kept[buffer], buffer, loop_names)
        for buffer in temporaries
    }
    growing = {target for source, target in flows if source is target}
    chains = {target: source for source, target in flows if target not in growing}
    done: set[Buffer] = set()
    for buffer in list(found):
        seen = {buffer}
        first = buffer
        while parted(buffer.name)[0] != CHOSEN and first not in done:
            source = chains.get(first)
            if source is None or source in seen or not found.get(source, "").startswith("_by"):
                break
            first = source
            seen.add(first)
        found[buffer] = found[first]
        done.add(buffer)
    return found


def _held(
    kept: Mapping[Buffer, Temporary],
    goals: Mapping[Buffer, set[str]],
    leaves: Mapping[Buffer, frozenset[Buffer]],
) -> dict[Buffer, str]:
    """The contents of each temporary that is not a copy of an argument."""
    goals_of_all = {
        several: {
            one if len(several) == 1 else parted(one)[0] for leaf in several for one in goals.get(leaf, ())
        }
        for several in dict.fromkeys(leaves.values())
    }

    def said(buffer: Buffer) -> tuple[str, str] | None:
        """The singular and plural names of the numbers that a buffer stores; None if nothing names them."""
        here = parted(buffer.name)[0]
        goal = goals_of_all[leaves[buffer]] - {ACCUMULATOR}
        is_unnamed = here in UNNAMED or (here == ACCUMULATOR and buffer.size.constant == 1)
        if is_unnamed and len(goal) == 1:
            (one,) = goal
            return one, one
        if here not in UNNAMED:
            return here, here
        return _computed_in(kept[buffer])

    def following(buffer: Buffer) -> Buffer | None:
        source = source_of(kept[buffer])
        return source if source in kept else None

    found = first_found(kept, following, said)
    return {one: found[one][one.size.constant != 1] if one in found else parted(one.name)[0] for one in kept}


def _computed_in(known: Temporary) -> tuple[str, str] | None:
    """The singular and plural names of the results of the only operation that computes a temporary's contents."""
    words = {
        COUNT if _is_count(store.value) else _result(store.value.name)
        for store, _, _ in known.stores
        if isinstance(store.value, Operation) and store.value.name != "select"
    } - {""}
    words = {COUNT} if words == {COUNT, _result("add")} else words  # counts of parts are added up
    if len(words) == 1:
        (word,) = words
        return word, PLURALS.get(word, f"{word}s")
    return None


def _accumulators_apart(
    names: Mapping[Buffer, tuple[str, str]], kept: Mapping[Buffer, Temporary]
) -> dict[Buffer, tuple[str, str]]:
    """The names, where accumulators that are visible together are named after what they accumulate, if that differs."""
    results = {
        one: words[one.size.constant != 1] if (words := _computed_in(kept[one])) else name
        for one, (name, _) in names.items()
        if name == ACCUMULATOR
    }
    clashing = _clashing({one: names[one] for one in results}, kept, results)
    return {one: (results[one] if one in clashing else name, part) for one, (name, part) in names.items()}


def _is_count(value: Value) -> bool:
    """Whether a value is a count, which grows by one, or by one if a condition holds."""
    match value:
        case Operation("add", (Load(), added)):
            return all(isinstance(one, Constant | Guarded) for one in values(added))
        case _:
            return False


def _owner(known: Temporary, buffer: Buffer, loop_names: Names) -> str:
    """The owner of a temporary: the iteration of the loop in which it is allocated, or each unit that fills it."""
    outside = len(known.loops)
    for store, loops, _ in reversed(known.stores):
        moving = filling_units(store, loops[outside:], buffer)
        if moving:
            unit = moving[-1].kind
            assert isinstance(unit, Level)
            return f"_by_{UNITS[unit.name]}"
    if not known.loops:
        return ""
    units = [one.kind for one in known.loops if isinstance(one.kind, Level)]
    if units:
        return f"_of_{UNITS[units[-1].name]}"
    index = known.loops[-1].index
    return f"_of_{loop_names.get(index, plain(index.name))}"


def _count(known: Temporary, buffer: Buffer) -> str:
    """The number of units that fill a temporary."""
    outside = len(known.loops)
    for store, loops, conditions in reversed(known.stores):
        units = filling_units(store, loops[outside:], buffer)
        if units:
            ends = [end for one in conditions for index, end in one.below if index == nat(units[-1].index)]
            counts = [end.constant for end in (units[-1].count, *ends) if end.constant is not None]
            return str(min(counts)) if counts else ""
    return "1"
