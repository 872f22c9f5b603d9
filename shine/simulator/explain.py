"""Findings of the runtime in words. Knows its records, and where code and arrays have their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shine.simulator.model import Access, Finding, Index
from shine.simulator.records import FindingRecord
from shine.simulator.symbols import lines_of_code

_LINE_MARK: Final = 1 << 31
_ACCESSES: Final = ("access", "read", "write", "atomic operation", "copy")
_SPACES: Final = (
    "memory",
    "shared memory",
    "shared memory",
    "global memory",
    "another thread's local memory",
)
_STATIC, _DYNAMIC, _GLOBAL = 1, 2, 3
_FAULTS: Final = {
    b"division": "an integer is divided by zero",
    b"stack": "a thread's local variables take more than 256 KiB",
    b"instruction": "an instruction that cannot be run",
    b"address": "an access to memory that is no array's",
    b"memory": "there is no memory for the launch",
    b"copies": "more than 65536 copies of a block are on their way",
}
_BAD_COPIES: Final = {
    b"bytes": "expected a copy of 4, 8 or 16 bytes, and no more zeros, found one of {}",
    b"to": "expected a copy to shared memory, found global memory",
    b"from": "expected a copy from global memory, found shared memory",
}


@dataclass(frozen=True, slots=True)
class Context:
    """What gives places and arrays their names."""

    library: Path
    compiler: str
    grid: Index
    block: Index
    static_names: tuple[str, ...]
    dynamic_names: tuple[str, ...]
    regions: tuple[tuple[str, int], ...]


def explain(records: Sequence[FindingRecord], context: Context) -> tuple[Finding, ...]:
    """Each finding once for its kind, array and lines, in the order they were found."""
    codes = [p - 1 for one in records for p in (one.place, one.other_place) if p and not p & _LINE_MARK]
    lines = lines_of_code(context.library, codes, context.compiler)
    kept: dict[tuple[object, ...], Finding] = {}
    for record in records:
        finding = _finding(record, context, dict(lines))
        kept.setdefault((finding.kind, finding.array, frozenset(finding.lines)), finding)
    racing = {(one.array, line) for one in kept.values() if one.kind == "race" for line in one.lines}
    touched = {(one.array, frozenset(one.lines)) for one in kept.values() if one.kind == "in-flight"}
    copying = {
        (one.array, one.second.line) for one in kept.values() if one.kind == "in-flight" and one.second
    }

    def follows(one: Finding) -> bool:
        """Whether another mistake is the cause: what a race lets a thread read before it is written, and what comes of
        a copy that nobody waits for.
        """
        match one.kind:
            case "uninitialised":
                return (one.array, one.lines[0]) in racing
            case "race":
                return (one.array, frozenset(one.lines)) in touched
            case "not-waited":
                return (one.array, one.lines[0]) in copying
            case _:
                return False

    return tuple(one for one in kept.values() if not follows(one))


def _finding(one: FindingRecord, context: Context, lines: dict[int, int]) -> Finding:
    def access(what: str, place: int, thread: int, block: int) -> Access:
        line = place & ~_LINE_MARK if place & _LINE_MARK else lines.get(place - 1, 0)
        return Access(what, line, _index(thread, context.block), _index(block, context.grid))

    array, item = _array(one, context)
    element = one.offset // item if item and array is not None and one.offset >= 0 else None
    where = _where(one, array, element)
    first = access(_ACCESSES[one.access], one.place, one.thread, one.block)
    second: Access | None = None
    sized = f"{one.size}-byte {first}" if one.size else str(first)
    wait = access("wait", one.place, one.thread, one.block)
    others_wait = access("wait", one.other_place, one.other_thread, one.other_block)
    offset: int | None = one.offset if array is not None else None
    match one.kind:
        case 0:
            second = access(_ACCESSES[one.other_access], one.other_place, one.other_thread, one.other_block)
            kind, message = "race", f"{where}: {sized} is not ordered after the {second}"
        case 1:
            extent = f", which has {one.number} bytes" if array is not None else ""
            if one.space == _DYNAMIC and one.array < 0 and one.number == 0:
                extent = ", where no array lies"
            kind, message = "out-of-bounds", f"{where}{extent}: {sized}"
        case 2:
            kind, message = "misaligned", f"{where}: {first} is not aligned to {one.number} bytes"
        case 3:
            kind, message = "uninitialised", f"{where}: {sized} before any write of this block"
        case 4:
            first, offset = wait, None
            kind = "divergent-barrier"
            if one.text == b"warp":
                second = others_wait
                message = f"lanes of a warp meet at different operations: {first}, {second}"
            elif one.other_place:
                second = others_wait
                message = f"threads of a block are at different __syncthreads(): {first}, {second}"
            else:
                second = access("end", 0, one.other_thread, one.other_block)
                message = (
                    f"{one.number} threads are at __syncthreads(), {one.other_number} have ended: {first}, "
                    f"while thread {second.thread} has ended"
                )
        case 5:
            first, kind, offset = wait, "deadlock", None
            both = (
                f"{one.number} threads wait at __syncthreads() and {one.other_number} for lanes of their warp"
            )
            message = f"no thread can go on, {both}: {first}"
            if one.other_place:
                second = others_wait
                message += f", {second}"
        case 6:
            kind, message = "read-only", f"{where} must not be written: {sized}"
        case 7:
            first, kind, offset = wait, "bad-mask", None
            second = others_wait if one.other_place else None
            message = f"{_mask_message(one)}: {first}" + (f", {second}" if second else "")
        case 8:
            kind, offset = "budget", None
            limit = f"{one.number} steps" if one.text == b"steps" else "the processor time given"
            first = access("step", one.place, one.thread, one.block)
            message = f"the kernel has not ended after {limit}: {first}"
        case 9:
            kind, offset = "fault", None
            first = access("step", one.place, one.thread, one.block)
            message = f"{_FAULTS.get(one.text, 'a fault')}: {first}"
        case 10:
            first, kind, offset = access("__trap()", one.place, one.thread, one.block), "trap", None
            message = f"the kernel stops itself: {first}"
        case 11:
            kind, offset = "out-of-bounds", None
            name = one.text.decode("utf-8", "replace").strip("'")
            message = f"index {one.number} is outside of an array of type {name}: {first}"
        case 12:
            kind, offset = "bad-stride", None
            message = (
                f"expected a leading dimension that is a multiple of {one.offset} bytes, "
                f"found {one.number} elements of {one.other_number} bytes: {first}"
            )
        case 14:
            second = access(_ACCESSES[one.other_access], one.other_place, one.other_thread, one.other_block)
            kind, message = "in-flight", f"{where}: {_in_flight(one, first, second)}"
        case 15:
            kind = "not-waited"
            message = f"{where}: the {sized} is never waited for: commit and wait before the thread ends"
        case 16:
            kind, offset, first = "bad-copy", None, access("copy", one.place, one.thread, one.block)
            message = f"{_BAD_COPIES[one.text].format(one.number)}: {first}"
        case _:
            kind, offset = "divergent-barrier", None
            first, second = wait, access("wait", one.place, one.other_thread, one.other_block)
            message = f"lanes give a matrix instruction different operands: {first}, {second}"
    return Finding(kind, message, array, offset, element if offset is not None else None, first, second)


def _in_flight(one: FindingRecord, first: Access, second: Access) -> str:
    if one.text == b"source":
        return f"the {second} changes what the {first} still reads: write behind the wait"
    return (
        f"{one.size}-byte {first} while the {second} is on its way: commit and wait before, "
        "and for other threads before a barrier"
    )


def _mask_message(one: FindingRecord) -> str:
    mask = f"{one.number & 0xFFFFFFFF:#010x}"
    match one.text:
        case b"own":
            return f"the mask {mask} lacks the lane that gives it"
        case b"matrix":
            return (
                f"a matrix instruction needs all lanes of its warp, lanes {mask} have ended or do not exist"
            )
        case b"width":
            return f"expected a shuffle's width of 1, 2, 4, 8, 16 or 32, found {one.number}"
        case _:
            return f"lanes of a warp give different masks, {mask} and {one.other_number & 0xFFFFFFFF:#010x}"


def _array(one: FindingRecord, context: Context) -> tuple[str | None, int]:
    """The name of the array, and the bytes of an element where they are known."""
    names = {_STATIC: context.static_names, _DYNAMIC: context.dynamic_names}.get(one.space, ())
    if one.space == _GLOBAL and 0 <= one.array < len(context.regions):
        return context.regions[one.array]
    if one.space in (_STATIC, _DYNAMIC):
        return (names[one.array] if 0 <= one.array < len(names) else "dynamic shared memory"), 0
    return None, 0


def _where(one: FindingRecord, array: str | None, element: int | None) -> str:
    if array is None:
        return _SPACES[one.space] if one.space else "memory that is no array's"
    if element is not None:
        return f"{array}[{element}]"
    space = "" if array == "dynamic shared memory" else f" ({_SPACES[one.space]})"
    return f"{array}{space} at byte {one.offset}"


def _index(number: int, sizes: Index) -> Index:
    return number % sizes[0], number // sizes[0] % sizes[1], number // sizes[0] // sizes[1]
