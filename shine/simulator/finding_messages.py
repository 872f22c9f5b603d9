"""Words each kind of finding, from its record and the names of arrays and lines. A function for each kind.

The kinds and the meanings of the fields of a record are those of `runtime/findings.h`. One subject: the texts of all
kinds, but for barriers, which share the names of accesses and spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from rise.records import dataclass
from shine.simulator.barrier_messages import (
    barrier_message,
    mask_message,
    mbarrier_wait,
    named_wait,
    operand_message,
)
from shine.simulator.model import Access, Finding, Index
from shine.simulator.records import FindingKind, FindingRecord

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
_FAULTS: Final = {
    b"division": "an integer is divided by zero",
    b"stack": "a thread's local variables take more than 256 KiB",
    b"instruction": "an illegal instruction",
    b"virtual": "a virtual function without a body is called",
    b"delete": "memory is freed, which no kernel can allocate",
    b"address": "an access to memory that belongs to no array",
    b"system": "a system call",
    b"memory": "there is no memory for the launch",
    b"order": "tracking the order of fences takes more than 1 GiB",
    b"copies": "more than 65536 copies of a block are in flight",
}
_BAD_COPIES: Final = {
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


class _Reported:
    """A record with the names of what it mentions."""

    def __init__(self, record: FindingRecord, context: Context, lines: Mapping[int, int]) -> None:
        self.record, self.context, self.lines = record, context, lines
        self.owner_rank, self.space = record.space >> _SPACE_BITS, record.space & ((1 << _SPACE_BITS) - 1)
        self.array, self.item = self._array()
        is_inside = self.item and self.array is not None and record.offset >= 0
        self.element = record.offset // self.item if is_inside else None

    def _array(self) -> tuple[str | None, int]:
        """The name of the array, and the number of bytes of an element, or 0 if unknown."""
        number, context = self.record.array, self.context
        names = {_STATIC: context.static_names, _DYNAMIC: context.dynamic_names}.get(self.space, ())
        if self.space == _GLOBAL and 0 <= number < len(context.regions):
            return context.regions[number]
        if self.space in (_STATIC, _DYNAMIC):
            return (names[number] if 0 <= number < len(names) else "dynamic shared memory"), 0
        return None, 0

    @property
    def place(self) -> str:
        """The place in memory, in the block of the thread."""
        if self.array is None:
            return _SPACES[self.space] if self.space else "memory that belongs to no array"
        if self.element is not None:
            return f"{self.array}[{self.element}]"
        space = "" if self.array == "dynamic shared memory" else f" ({_SPACES[self.space]})"
        return f"{self.array}{space} at byte {self.record.offset}"

    @property
    def where(self) -> str:
        """The place in memory, with the block that it belongs to if that is another one."""
        return f"{self.place} of the block with rank {self.owner_rank - 1}" if self.owner_rank else self.place

    def by_thread(self, description: str) -> Access:
        """What the thread of the record does."""
        record = self.record
        return self._access(description, record.place, record.thread, record.block)

    def by_other(self, description: str) -> Access:
        """What the other thread of the record does."""
        record = self.record
        return self._access(description, record.other_place, record.other_thread, record.other_block)

    def _access(self, description: str, place: int, thread: int, block: int) -> Access:
        in_block, in_grid = _index(thread, self.context.block), _index(block, self.context.grid)
        return Access(description, self.lines[place], in_block, in_grid)

    @property
    def first(self) -> Access:
        """The access of the thread of the record."""
        return self.by_thread(_ACCESSES[self.record.access])

    @property
    def second(self) -> Access:
        """The access of the other thread."""
        return self.by_other(_ACCESSES[self.record.other_access])

    @property
    def sized(self) -> str:
        """The access of the thread of the record, with its number of bytes."""
        return f"{self.record.size}-byte {self.first}" if self.record.size else str(self.first)

    @property
    def wait(self) -> Access:
        """The wait of the thread of the record."""
        return self.by_thread("wait")

    @property
    def others_wait(self) -> Access | None:
        """The wait of the other thread, if there is one."""
        return self.by_other("wait") if self.record.other_place else None

    @property
    def name(self) -> str:
        """The text of the record."""
        text: bytes = self.record.text
        return text.decode("utf-8", "replace")

    def finding(
        self, kind: str, message: str, first: Access | None = None, second: Access | None = None
    ) -> Finding:
        """The finding, with the place in memory if the record has one."""
        offset = None if self.array is None else self.record.offset
        return Finding(kind, message, self.array, offset, self.element, first or self.first, second)


def finding_of(record: FindingRecord, context: Context, lines: Mapping[int, int]) -> Finding:
    """The finding of a record; `lines` are those of the text for the record's places."""
    return MESSAGES[FindingKind(record.kind)](_Reported(record, context, lines))


def _index(number: int, sizes: Index) -> Index:
    return number % sizes[0], number // sizes[0] % sizes[1], number // sizes[0] // sizes[1]


def _and(second: Access | None) -> str:
    return "" if second is None else f", {second}"


def _race(its: _Reported) -> Finding:
    message = f"{its.where}: {its.sized} is not ordered after the {its.second}"
    return its.finding("race", message, second=its.second)


def _out_of_bounds(its: _Reported) -> Finding:
    record, where = its.record, its.where
    extent = f", which has {record.number} bytes" if its.array is not None else ""
    if its.space == _DYNAMIC and record.array < 0 and record.number == 0:
        extent = ", where there is no array"
    if record.text == b"mapped":
        where = "memory of this block, through a pointer that another block of the cluster has mapped"
        extent = ", which is not simulated (map it in the block that uses it)"
    if record.text == b"shared":
        where, extent = f"address {record.number:#x} of shared memory", ", where there is no array"
    return its.finding("out-of-bounds", f"{where}{extent}: {its.sized}")


def _bad_index(its: _Reported) -> Finding:
    array = its.name.strip("'")
    message = f"index {its.record.number} is outside of an array of type {array}: {its.first}"
    return its.finding("out-of-bounds", message)


def _misaligned(its: _Reported) -> Finding:
    message = f"{its.where}: {its.first} is not aligned to {its.record.number} bytes"
    return its.finding("misaligned", message)


def _uninitialised(its: _Reported) -> Finding:
    message = f"{its.where}: {its.sized} before any write of this block"
    if its.name.startswith("variable "):
        message = f"results depend on the {its.name}, which is read before it is written: {its.first}"
    elif its.space == _LOCAL:
        message = f"a {its.name} is read where nothing was written to it: {its.sized}"
    return its.finding("uninitialised", message)


def _read_only(its: _Reported) -> Finding:
    return its.finding("read-only", f"{its.where} must not be written: {its.sized}")


def _stale(its: _Reported) -> Finding:
    names = (*its.context.static_names, *its.context.dynamic_names)  # numbered together
    owner = its.record.other_number
    other = f"`{names[owner]}`" if 0 <= owner < len(names) else "dynamic shared memory"
    message = f"{its.where}: {its.sized}, but {other}, which shares these bytes, has been written since: {its.second}"
    return its.finding("stale", message, second=its.second)


def _lifetime(its: _Reported) -> Finding:
    owner = _index(its.record.other_block, its.context.grid)
    if its.record.text == b"unknown-end":
        first = its.by_thread("access")
        message = (
            f"block {owner} may end before the {first} to its shared memory: "
            "synchronise the cluster before it ends"
        )
        return its.finding("lifetime", message, first)
    if its.record.text == b"ended":
        message = f"{its.place} of block {owner}, which has ended: {its.sized}"
    else:
        message = f"{its.place} of block {owner}, which may not have begun: {its.sized}; synchronise the cluster before"
    return its.finding("lifetime", message)


def _in_flight(its: _Reported) -> Finding:
    first, second, size = its.first, its.second, its.record.size
    if its.record.text == b"wgmma":
        message = (
            f"{size}-byte {first} of a register of the wgmma at line {second.line}: wait for its group before"
        )
        return its.finding("in-flight", message, second=second)
    elif its.record.text == b"source":
        message = f"the {second} changes what the {first} still reads: write after the wait"
    else:
        message = (
            f"{size}-byte {first} while the {second} is in flight: commit and wait before it, "
            "and for other threads before a barrier"
        )
    return its.finding("in-flight", f"{its.where}: {message}", second=second)


def _not_waited(its: _Reported) -> Finding:
    hint = _NOT_WAITED_HINTS.get(its.record.text, "commit and wait before the thread ends")
    if its.record.text == b"wgmma":
        product = its.by_thread("product")
        return its.finding("not-waited", f"the {product} is never waited for: {hint}", product)
    return its.finding("not-waited", f"{its.where}: the {its.sized} is never waited for: {hint}")


def _bad_copy(its: _Reported) -> Finding:
    copy = its.by_thread("copy")
    return its.finding("bad-copy", f"{_BAD_COPIES[its.record.text].format(its.record.number)}: {copy}", copy)


def _no_proxy_fence(its: _Reported) -> Finding:
    message = f"{its.where}: no fence.proxy.async after the {its.second} lets the {its.first} see it"
    return its.finding("proxy", message, second=its.second)


def _divergent_barrier(its: _Reported) -> Finding:
    record, second = its.record, its.by_other("wait")
    if record.text == b"warp":
        message = f"lanes of a warp meet at different operations: {its.wait}, {second}"
    elif record.other_place:
        message = f"threads of a block are at different __syncthreads(): {its.wait}, {second}"
    else:
        second = its.by_other("end")
        message = (
            f"{record.number} threads are at __syncthreads(), {record.other_number} have ended: {its.wait}, "
            f"while thread {second.thread} has ended"
        )
    return its.finding("divergent-barrier", message, its.wait, second)


def _divergent_arguments(its: _Reported) -> Finding:
    record = its.record
    second = its._access("wait", record.place, record.other_thread, record.other_block)
    message = f"lanes pass different operands to a matrix instruction: {its.wait}, {second}"
    return its.finding("divergent-barrier", message, its.wait, second)


def _deadlock(its: _Reported) -> Finding:
    record = its.record
    match record.text:
        case b"mbarrier":
            waits = mbarrier_wait(record)
        case b"looks":
            blocks = "1 block" if record.number == 1 else f"{record.number} blocks"
            waits = f"all threads of {blocks} that do not wait at barriers poll memory that no thread changes"
        case b"named":
            waits = named_wait(record)
        case b"cluster":
            waits = "threads wait at the barrier of their cluster, which others have not reached"
        case _:
            waits = f"{record.number} threads wait at __syncthreads() and {record.other_number} for lanes of their warp"
    message = f"no thread can continue, {waits}: {its.wait}{_and(its.others_wait)}"
    if record.text == b"looks" and record.other_number:
        message += f"; further blocks start only when others end, for {record.other_number} threads at a time"
    return its.finding("deadlock", message, its.wait, its.others_wait)


def _bad_mask(its: _Reported) -> Finding:
    message = f"{mask_message(its.record)}: {its.wait}{_and(its.others_wait)}"
    return its.finding("bad-mask", message, its.wait, its.others_wait)


def _bad_barrier(its: _Reported) -> Finding:
    message = f"{barrier_message(its.record)}: {its.wait}{_and(its.others_wait)}"
    return its.finding("bad-barrier", message, its.wait, its.others_wait)


def _bad_operand(its: _Reported) -> Finding:
    instruction = its.by_thread("instruction")
    return its.finding("bad-operand", f"{operand_message(its.record)}: {instruction}", instruction)


def _bad_stride(its: _Reported) -> Finding:
    record = its.record
    if record.size:
        expected = f"expected a leading dimension of at least {record.size} elements, found {record.number}"
    else:
        expected = (
            f"expected a leading dimension that is a multiple of {record.offset} bytes, "
            f"found {record.number} elements of {record.other_number} bytes"
        )
    return its.finding("bad-stride", f"{expected}: {its.first}")


def _budget(its: _Reported) -> Finding:
    counted = its.record.text.decode() if its.record.text in (b"steps", b"switches") else ""
    limit = f"{its.record.number} {counted}" if counted else "the processor time given"
    step = its.by_thread("step")
    return its.finding("budget", f"the kernel has not ended after {limit}: {step}", step)


def _fault(its: _Reported) -> Finding:
    step = its.by_thread("step")
    return its.finding("fault", f"{_FAULTS.get(its.record.text, 'a fault')}: {step}", step)


def _trap(its: _Reported) -> Finding:
    if its.record.text:
        first = its.by_thread("assert")
        return its.finding("assertion", f"`{its.name}` is false: {first}", first)
    first = its.by_thread("__trap()")
    return its.finding("trap", f"the kernel traps: {first}", first)


MESSAGES: Final[Mapping[FindingKind, Callable[[_Reported], Finding]]] = {
    FindingKind.RACE: _race,
    FindingKind.OUT_OF_BOUNDS: _out_of_bounds,
    FindingKind.MISALIGNED: _misaligned,
    FindingKind.UNINITIALISED: _uninitialised,
    FindingKind.DIVERGENT_BARRIER: _divergent_barrier,
    FindingKind.DEADLOCK: _deadlock,
    FindingKind.READ_ONLY: _read_only,
    FindingKind.BAD_MASK: _bad_mask,
    FindingKind.BUDGET: _budget,
    FindingKind.FAULT: _fault,
    FindingKind.TRAP: _trap,
    FindingKind.BAD_INDEX: _bad_index,
    FindingKind.BAD_STRIDE: _bad_stride,
    FindingKind.DIVERGENT_ARGUMENTS: _divergent_arguments,
    FindingKind.IN_FLIGHT: _in_flight,
    FindingKind.NOT_WAITED: _not_waited,
    FindingKind.BAD_COPY: _bad_copy,
    FindingKind.BAD_BARRIER: _bad_barrier,
    FindingKind.NO_PROXY_FENCE: _no_proxy_fence,
    FindingKind.BAD_OPERAND: _bad_operand,
    FindingKind.LIFETIME: _lifetime,
    FindingKind.STALE: _stale,
}
