"""Explains the findings of the runtime, from its records and the names of arrays and lines of code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rise.records import dataclass
from shine.simulator.explain_barriers import barrier_message, mbarrier_wait, named_wait, operand_message
from shine.simulator.model import Access, Finding, Index
from shine.simulator.records import FindingRecord
from shine.simulator.symbols import lines_of_code

_LINE_MARK: Final = 1 << 31
_ACCESSES: Final = (
    "access",
    "read",
    "write",
    "atomic operation",
    "copy",
    "volatile read",
    "volatile write",
    "atomic read",
)
_SPACES: Final = (
    "memory",
    "shared memory",
    "shared memory",
    "global memory",
    "another thread's local memory",
)
_STATIC, _DYNAMIC, _GLOBAL, _LOCAL = 1, 2, 3, 4
_SPACE_BITS: Final = 8  # above them, of shared memory of another block of the cluster, its rank + 1
_LIFETIME: Final = 20
_FAULT_MESSAGES: Final = {
    b"division": "an integer is divided by zero",
    b"stack": "a thread's local variables take more than 256 KiB",
    b"instruction": "an illegal instruction",
    b"address": "an access to memory that belongs to no array",
    b"system": "a system call",
    b"memory": "there is no memory for the launch",
    b"order": "tracking the order of fences takes more than 1 GiB",
    b"copies": "more than 65536 copies of a block are in flight",
}
_BAD_COPY_MESSAGES: Final = {
    b"barrier-of-another": "expected the mbarrier of a copy in the block that it writes to, found it in another",
    b"columns": "expected a map of boxes (`tensor_map`), found one of pixels",
    b"box": "expected a map of pixels (`im2col_map`), found one of boxes",
    b"mask": "expected a mask of blocks of the cluster, at least one, found {:#x}",
    b"bytes": "expected a copy of 4, 8 or 16 bytes, and no more zeros, found one of {}",
    b"to": "expected a copy to shared memory, found global memory",
    b"from": "expected a copy from global memory, found shared memory",
    b"from-shared": "expected a copy from shared memory, found global memory",
    b"to-global": "expected a copy to global memory, found shared memory",
    b"bulk-bytes": "expected a bulk copy of a multiple of 16 bytes, found one of {}",
    b"map": "expected a tensor map, as made by `shine.simulator.tensor_map`, found other bytes",
    b"rank": "expected as many coordinates as the map has dimensions, {}, found others",
}
_NOT_WAITED_HINTS: Final = {
    b"bulk": "commit and wait (`.read` is enough) before the thread ends",
    b"wgmma": "commit it and wait before the thread ends",
    b"mbarrier": "wait for its mbarrier before the block ends",
}


@dataclass(frozen=True, slots=True)
class Context:
    """The names and sizes needed to describe places and arrays."""

    library: Path
    compiler: str
    grid: Index
    block: Index
    static_names: tuple[str, ...]
    dynamic_names: tuple[str, ...]
    regions: tuple[tuple[str, int], ...]


def explain(records: Sequence[FindingRecord], context: Context) -> tuple[Finding, ...]:
    """Findings in order, without repeats of the same kind, array and lines, or consequences of other findings."""
    places = (place for record in records for place in (record.place, record.other_place))
    lines = lines_of_places(places, context.library, context.compiler)
    findings: dict[tuple[object, ...], Finding] = {}
    for record in records:
        finding = _finding(record, context, lines)
        findings.setdefault((finding.kind, finding.array, frozenset(finding.lines)), finding)
    racing_lines = {
        (finding.array, line)
        for finding in findings.values()
        if finding.kind == "race"
        for line in finding.lines
    }
    in_flight_lines = {
        (finding.array, frozenset(finding.lines))
        for finding in findings.values()
        if finding.kind == "in-flight"
    }
    waited_copies = {
        (finding.array, finding.second.line)
        for finding in findings.values()
        if finding.kind == "in-flight" and finding.second
    }

    def follows(finding: Finding) -> bool:
        """Whether another finding is the cause: for uninitialised and stale reads that follow from a race, and for
        consequences of a copy that no thread waits for.
        """
        match finding.kind:
            case "uninitialised" | "stale":
                return (finding.array, finding.lines[0]) in racing_lines
            case "race":
                return (finding.array, frozenset(finding.lines)) in in_flight_lines
            case "not-waited":
                return (finding.array, finding.lines[0]) in waited_copies
            case _:
                return False

    return tuple(finding for finding in findings.values() if not follows(finding))


def lines_of_places(places: Iterable[int], library: Path, compiler: str) -> Mapping[int, int]:
    """The lines of the text for places in the runtime's records, which are marked lines or offsets of code; 0 if
    unknown.
    """
    known = set(places)
    codes = [place - 1 for place in known if place and not place & _LINE_MARK]
    lines = lines_of_code(library, codes, compiler)
    return {place: place & ~_LINE_MARK if place & _LINE_MARK else lines.get(place - 1, 0) for place in known}


def _finding(record: FindingRecord, context: Context, lines: Mapping[int, int]) -> Finding:
    def access(description: str, place: int, thread: int, block: int) -> Access:
        return Access(description, lines[place], _index(thread, context.block), _index(block, context.grid))

    owner_rank, record.space = record.space >> _SPACE_BITS, record.space & ((1 << _SPACE_BITS) - 1)
    array, item = _array(record, context)
    element = record.offset // item if item and array is not None and record.offset >= 0 else None
    where = _where(record, array, element)
    if owner_rank and record.kind != _LIFETIME:
        where += f" of the block with rank {owner_rank - 1}"
    first = access(_ACCESSES[record.access], record.place, record.thread, record.block)
    second: Access | None = None
    sized = f"{record.size}-byte {first}" if record.size else str(first)
    wait = access("wait", record.place, record.thread, record.block)
    others_wait = access("wait", record.other_place, record.other_thread, record.other_block)
    offset: int | None = record.offset if array is not None else None
    match record.kind:
        case 0:
            second = access(
                _ACCESSES[record.other_access], record.other_place, record.other_thread, record.other_block
            )
            kind, message = "race", f"{where}: {sized} is not ordered after the {second}"
        case 1:
            extent = f", which has {record.number} bytes" if array is not None else ""
            if record.space == _DYNAMIC and record.array < 0 and record.number == 0:
                extent = ", where there is no array"
            if record.text == b"mapped":
                where = "memory of this block, through a pointer that another block of the cluster has mapped"
                extent = ", which is not simulated (map it in the block that uses it)"
            if record.text == b"shared":
                where, extent = f"address {record.number:#x} of shared memory", ", where there is no array"
            kind, message = "out-of-bounds", f"{where}{extent}: {sized}"
        case 2:
            kind, message = "misaligned", f"{where}: {first} is not aligned to {record.number} bytes"
        case 3:
            kind, message = "uninitialised", f"{where}: {sized} before any write of this block"
            if record.space == _LOCAL:
                holder = "a fragment" if record.text == b"fragment" else "a local array"
                message = f"{holder} is read where nothing was written to it: {sized}"
        case 4:
            first, offset = wait, None
            kind = "divergent-barrier"
            if record.text == b"warp":
                second = others_wait
                message = f"lanes of a warp meet at different operations: {first}, {second}"
            elif record.other_place:
                second = others_wait
                message = f"threads of a block are at different __syncthreads(): {first}, {second}"
            else:
                second = access("end", 0, record.other_thread, record.other_block)
                message = (
                    f"{record.number} threads are at __syncthreads(), {record.other_number} have ended: {first}, "
                    f"while thread {second.thread} has ended"
                )
        case 5:
            first, kind, offset = wait, "deadlock", None
            if record.text == b"mbarrier":
                second = others_wait if record.other_place else None
                message = f"no thread can continue, {mbarrier_wait(record)}: {first}"
                message += f", {second}" if second else ""
                return Finding(kind, message, None, None, None, first, second)
            if record.text == b"looks":
                second = others_wait if record.other_place else None
                message = _endless_wait(record, first, second)
                return Finding(kind, message, None, None, None, first, second)
            both = f"{record.number} threads wait at __syncthreads() and {record.other_number} for lanes of their warp"
            if record.text == b"named":
                both = named_wait(record)
            if record.text == b"cluster":
                both = "threads wait at the barrier of their cluster, which others have not reached"
            message = f"no thread can continue, {both}: {first}"
            if record.other_place:
                second = others_wait
                message += f", {second}"
        case 6:
            kind, message = "read-only", f"{where} must not be written: {sized}"
        case 7:
            first, kind, offset = wait, "bad-mask", None
            second = others_wait if record.other_place else None
            message = f"{_mask_message(record)}: {first}" + (f", {second}" if second else "")
        case 8:
            kind, offset = "budget", None
            counted = record.text.decode() if record.text in (b"steps", b"switches") else ""
            limit = f"{record.number} {counted}" if counted else "the processor time given"
            first = access("step", record.place, record.thread, record.block)
            message = f"the kernel has not ended after {limit}: {first}"
        case 9:
            kind, offset = "fault", None
            first = access("step", record.place, record.thread, record.block)
            message = f"{_FAULT_MESSAGES.get(record.text, 'a fault')}: {first}"
        case 10 if record.text:
            first, kind, offset = (
                access("assert", record.place, record.thread, record.block),
                "assertion",
                None,
            )
            message = f"`{record.text.decode('utf-8', 'replace')}` is false: {first}"
        case 10:
            first, kind, offset = access("__trap()", record.place, record.thread, record.block), "trap", None
            message = f"the kernel traps: {first}"
        case 11:
            kind, offset = "out-of-bounds", None
            name = record.text.decode("utf-8", "replace").strip("'")
            message = f"index {record.number} is outside of an array of type {name}: {first}"
        case 12:
            kind, offset = "bad-stride", None
            message = (
                f"expected a leading dimension of at least {record.size} elements, found {record.number}: {first}"
                if record.size
                else f"expected a leading dimension that is a multiple of {record.offset} bytes, "
                f"found {record.number} elements of {record.other_number} bytes: {first}"
            )
        case 14:
            second = access(
                _ACCESSES[record.other_access], record.other_place, record.other_thread, record.other_block
            )
            kind, message = "in-flight", f"{where}: {_in_flight(record, first, second)}"
        case 15:
            kind = "not-waited"
            hint = _NOT_WAITED_HINTS.get(record.text, "commit and wait before the thread ends")
            message = f"{where}: the {sized} is never waited for: {hint}"
            if record.text == b"wgmma":
                first = access("product", record.place, record.thread, record.block)
                message = f"the {first} is never waited for: {hint}"
        case 16:
            kind, offset, first = "bad-copy", None, access("copy", record.place, record.thread, record.block)
            message = f"{_BAD_COPY_MESSAGES[record.text].format(record.number)}: {first}"
        case 17:
            kind, offset, first = "bad-barrier", None, wait
            second = others_wait if record.other_place else None
            message = f"{barrier_message(record)}: {first}" + (f", {second}" if second else "")
        case 18:
            second = access(
                _ACCESSES[record.other_access], record.other_place, record.other_thread, record.other_block
            )
            kind = "proxy"
            message = f"{where}: no fence.proxy.async after the {second} lets the {first} see it"
        case 21:
            second = access(
                _ACCESSES[record.other_access], record.other_place, record.other_thread, record.other_block
            )
            kind, other = "stale", _array_of_owner(record.other_number, context)
            message = (
                f"{where}: {sized}, but {other}, which shares these bytes, has been written since: {second}"
            )
        case 20:
            kind = "lifetime"
            owner = access("", 0, 0, record.other_block).block
            if record.text == b"unknown-end":
                first = access("access", record.place, record.thread, record.block)
                message = (
                    f"block {owner} may end before the {first} to its shared memory: "
                    "synchronise the cluster before it ends"
                )
            elif record.text == b"ended":
                message = f"{where} of block {owner}, which has ended: {sized}"
            else:
                message = f"{where} of block {owner}, which may not have begun: {sized}; synchronise the cluster before"
        case 19:
            first = access("instruction", record.place, record.thread, record.block)
            kind, offset, message = "bad-operand", None, f"{operand_message(record)}: {first}"
        case _:
            kind, offset = "divergent-barrier", None
            first, second = wait, access("wait", record.place, record.other_thread, record.other_block)
            message = f"lanes pass different operands to a matrix instruction: {first}, {second}"
    return Finding(kind, message, array, offset, element if offset is not None else None, first, second)


def _in_flight(record: FindingRecord, first: Access, second: Access) -> str:
    if record.text == b"wgmma":
        return f"{record.size}-byte {first} of a register of the wgmma at line {second.line}: wait for its group before"
    if record.text == b"source":
        return f"the {second} changes what the {first} still reads: write after the wait"
    return (
        f"{record.size}-byte {first} while the {second} is in flight: commit and wait before it, "
        "and for other threads before a barrier"
    )


def _endless_wait(record: FindingRecord, first: Access, second: Access | None) -> str:
    blocks = "1 block" if record.number == 1 else f"{record.number} blocks"
    also = f", {second}" if second else ""
    most = f"; further blocks start only when others end, for {record.other_number} threads at a time"
    return (
        f"no thread can continue, all threads of {blocks} that do not wait at barriers poll memory "
        f"that no thread changes: {first}{also}{most if record.other_number else ''}"
    )


def _mask_message(record: FindingRecord) -> str:
    mask = f"{record.number & 0xFFFFFFFF:#010x}"
    match record.text:
        case b"own":
            return f"the mask {mask} does not contain the lane that passes it"
        case b"matrix":
            return f"a matrix instruction needs all lanes of its warp, but lanes {mask} have ended or do not exist"
        case b"ended":
            ended = f"{record.other_number & 0xFFFFFFFF:#010x}"
            return f"the mask {mask} names lanes {ended}, which have exited"
        case b"source":
            lane = record.other_number
            return f"a lane reads from lane {lane}, which the mask {mask} does not contain, and results depend on it"
        case b"width":
            return f"expected a shuffle's width of 1, 2, 4, 8, 16 or 32, found {record.number}"
        case _:
            return (
                f"lanes of a warp pass different masks, {mask} and {record.other_number & 0xFFFFFFFF:#010x}"
            )


def _array(record: FindingRecord, context: Context) -> tuple[str | None, int]:
    """The name of the array, and the number of bytes of an element, or 0 if unknown."""
    names = {_STATIC: context.static_names, _DYNAMIC: context.dynamic_names}.get(record.space, ())
    if record.space == _GLOBAL and 0 <= record.array < len(context.regions):
        return context.regions[record.array]
    if record.space in (_STATIC, _DYNAMIC):
        return (names[record.array] if 0 <= record.array < len(names) else "dynamic shared memory"), 0
    return None, 0


def _array_of_owner(owner: int, context: Context) -> str:
    """The name of a shared array, from its number among the static arrays and the others after them."""
    names = (*context.static_names, *context.dynamic_names)
    return f"`{names[owner]}`" if 0 <= owner < len(names) else "dynamic shared memory"


def _where(record: FindingRecord, array: str | None, element: int | None) -> str:
    if array is None:
        return _SPACES[record.space] if record.space else "memory that belongs to no array"
    if element is not None:
        return f"{array}[{element}]"
    space = "" if array == "dynamic shared memory" else f" ({_SPACES[record.space]})"
    return f"{array}{space} at byte {record.offset}"


def _index(number: int, sizes: Index) -> Index:
    return number % sizes[0], number // sizes[0] % sizes[1], number // sizes[0] // sizes[1]
