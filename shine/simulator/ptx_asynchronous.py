"""PTX instructions that do not complete at once: barriers in shared memory, bulk copies, and fences of their proxy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shine.simulator.ptx_rows import Instruction, row

_SPACES: Final = (("", "[global]"), (".shared", "[shared]"), (".shared::cluster", "[shared]"))
_SCOPES: Final = ("cta", "cluster")
#: the types of each reduction by a bulk copy, and the number that the runtime gives to them
_NUMBERS: Final = {
    "f16": "HALF",
    "bf16": "BFLOAT16",
    "f32": "FLOAT",
    "f64": "DOUBLE",
    "u32": "UNSIGNED32",
    "b32": "UNSIGNED32",
    "s32": "INT32",
    "u64": "UNSIGNED64",
    "b64": "UNSIGNED64",
    "s64": "INT64",
}
_REDUCTIONS: Final = (
    *(("add", "ADDS", t) for t in ("u32", "s32", "u64", "f32", "f64")),
    *(("add.noftz", "ADDS", t) for t in ("f16", "bf16")),
    *(
        (name, operation, t)
        for name, operation in (("min", "TAKES_LEAST"), ("max", "TAKES_GREATEST"))
        for t in ("u32", "s32", "u64", "s64", "f16", "bf16")
    ),
    *(
        (name, operation, t)
        for name, operation in (("and", "ANDS"), ("or", "ORS"), ("xor", "XORS"))
        for t in ("b32", "b64")
    ),
    ("inc", "COUNTS_UP", "u32"),
    ("dec", "COUNTS_DOWN", "u32"),
)
#: those in shared memory: of integers of 32 bits, and sums of 64
_WITHIN_SHARED: Final = tuple(
    (name, meaning, t)
    for name, meaning, t in _REDUCTIONS
    if t in ("u32", "s32", "b32") or (name, t) == ("add", "u64")
)
#: those of tensors, whose types are their maps'
_OF_TENSORS: Final = {name.split(".")[0]: meaning for name, meaning, _ in _REDUCTIONS}
_CACHED: Final = (("", ""), (".L2::cache_hint", " u64"))
_BYTES: Final = ".mbarrier::complete_tx::bytes"


def asynchronous() -> Iterator[Instruction]:
    """All rows; `.shared::cta` is written as `.shared`."""
    yield from _mbarriers()
    yield from _bulk()
    yield from _tensors()
    yield from _stores()
    for space, proxies in (
        ("", "ALL"),
        (".global", "GLOBAL"),
        (".shared", "SHARED"),
        (".shared::cluster", "SHARED"),
    ):
        both = "simulator::OF_SHARED | simulator::OF_BARRIERS"
        said = both if proxies == "SHARED" else f"simulator::OF_{proxies}"
        yield row(f"fence.proxy.async{space}", "", f"fence_proxy<({said})>", since=90)
    yield row("fence.mbarrier_init.release.cluster", "", "fence_proxy<simulator::OF_BARRIERS>", since=90)


def _mbarriers() -> Iterator[Instruction]:
    for space, at in _SPACES:
        # Of another block a thread may arrive at the barrier, and expect bytes; it gets no state.
        is_remote = space == ".shared::cluster"
        state = "_" if is_remote else "=b64"
        if not is_remote:
            yield row(f"mbarrier.init{space}.b64", f"{at} u32", "mbarrier_init", True, 80)
            yield row(f"mbarrier.inval{space}.b64", at, "mbarrier_inval", True, 80)
        for order in ("", *(f".{sem}.{scope}" for sem in ("release", "relaxed") for scope in _SCOPES)):
            since = 90 if order else 80
            releases = "false" if "relaxed" in order else "true"
            for name, drops in (("arrive", "false"), ("arrive_drop", "true")):
                function = f"mbarrier_arrive<{releases}, {drops}>"
                mnemonic = f"mbarrier.{name}{order}{space}.b64"
                yield row(mnemonic, f"{state} {at}", function, True, since)
                yield row(mnemonic, f"{state} {at} u32", function, True, 90)
                expecting = f"mbarrier_arrive_expect<{releases}, {drops}>"
                yield row(
                    f"mbarrier.{name}.expect_tx{order}{space}.b64", f"{state} {at} u32", expecting, True, 90
                )
        for order in ("", *(f".relaxed.{scope}" for scope in _SCOPES)):
            yield row(f"mbarrier.expect_tx{order}{space}.b64", f"{at} u32", "mbarrier_expect", True, 90)
            yield row(f"mbarrier.complete_tx{order}{space}.b64", f"{at} u32", "mbarrier_complete", True, 90)
        if is_remote:
            continue
        for order in ("", *(f".{sem}.{scope}" for sem in ("acquire", "relaxed") for scope in _SCOPES)):
            acquires = "false" if "relaxed" in order else "true"
            for parity, which in (("", "b64"), (".parity", "u32")):
                by = "true" if parity else "false"
                test = f"mbarrier.test_wait{parity}{order}{space}.b64"
                wait = f"mbarrier.try_wait{parity}{order}{space}.b64"
                since = 90 if order else 80
                yield row(test, f"=pred {at} {which}", f"mbarrier_test<{by}, {acquires}, false>", True, since)
                for hint in ("", " u32"):
                    function = f"mbarrier_test<{by}, {acquires}, true>"
                    yield row(wait, f"=pred {at} {which}{hint}", function, True, 90)
        for counts, suffix in (("true", ""), ("false", ".noinc")):
            function = f"mbarrier_arrive_by_copies<{counts}>"
            yield row(f"cp.async.mbarrier.arrive{suffix}{space}.b64", at, function, True, 80)
    yield row("mbarrier.pending_count.b64", "=u32 b64", "pending_of", since=80)


def _bulk() -> Iterator[Instruction]:
    plain = "<simulator::COPIES, 0>"
    for cached, policy in _CACHED:
        for target in ("shared::cluster", "shared"):
            name = f"cp.async.bulk.{target}.global{_BYTES}{cached}"
            operands = f"[shared] [global] u32 [shared]{policy}"
            yield row(name, operands, f"bulk_into_shared{plain}", True, 90)
        name = f"cp.async.bulk.shared::cluster.global{_BYTES}.multicast::cluster{cached}"
        yield row(name, f"[shared] [global] u32 [shared] b16{policy}", "bulk_multicast", True, 90)
        name = f"cp.async.bulk.global.shared.bulk_group{cached}"
        yield row(name, f"[global] [shared] u32{policy}", f"bulk_into_global{plain}", True, 90)
        for operation, meaning, t in _REDUCTIONS:
            function = f"<simulator::{meaning}, simulator::{_NUMBERS[t]}>"
            name = f"cp.reduce.async.bulk.global.shared.bulk_group{cached}.{operation}.{t}"
            yield row(name, f"[global] [shared] u32{policy}", f"bulk_into_global{function}", True, 90)
    name = f"cp.async.bulk.shared::cluster.shared{_BYTES}"
    yield row(name, "[shared] [shared] u32 [shared]", f"bulk_within_shared{plain}", True, 90)
    for operation, meaning, t in _WITHIN_SHARED:
        function = f"<simulator::{meaning}, simulator::{_NUMBERS[t]}>"
        name = f"cp.reduce.async.bulk.shared::cluster.shared{_BYTES}.{operation}.{t}"
        yield row(name, "[shared] [shared] u32 [shared]", f"bulk_within_shared{function}", True, 90)
    yield row("cp.async.bulk.prefetch.L2.global", "[global] u32", "nothing", since=90)
    yield row("cp.async.bulk.commit_group", "", "bulk_commit", since=90)
    yield row("cp.async.bulk.wait_group", "imm", "bulk_wait<false>", since=90)
    yield row("cp.async.bulk.wait_group.read", "imm", "bulk_wait<true>", since=90)


def _tensors() -> Iterator[Instruction]:
    for rank in range(1, 6):
        tensor = f"[tensor]*{rank}"
        for tile in ("", ".tile"):
            for cached, policy in _CACHED:
                for target in ("shared::cluster", "shared"):
                    name = f"cp.async.bulk.tensor.{rank}d.{target}.global{tile}{_BYTES}{cached}"
                    operands = f"[shared] {tensor} [shared]{policy}"
                    yield row(name, operands, "bulk_tile_into_shared", True, 90)
                name = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global{tile}{_BYTES}.multicast::cluster{cached}"
                yield row(name, f"[shared] {tensor} [shared] b16{policy}", "bulk_tile_multicast", True, 90)
                name = f"cp.async.bulk.tensor.{rank}d.global.shared{tile}.bulk_group{cached}"
                function = "bulk_tile_into_global<simulator::COPIES>"
                yield row(name, f"{tensor} [shared]{policy}", function, True, 90)
                for operation, meaning in _OF_TENSORS.items():
                    name = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared.{operation}{tile}.bulk_group{cached}"
                    function = f"bulk_tile_into_global<simulator::{meaning}>"
                    yield row(name, f"{tensor} [shared]{policy}", function, True, 90)
            name = f"cp.async.bulk.prefetch.tensor.{rank}d.L2.global{tile}"
            yield row(name, tensor, "nothing", since=90)
    yield row("prefetch.tensormap", "[global]", "nothing", since=90)
    for rank in range(3, 6):
        tensor, offsets = f"[tensor]*{rank}", f"b16*{rank - 2}"
        start, end = f"cp.async.bulk.tensor.{rank}d", "im2col_no_offs.bulk_group"
        for cached, policy in _CACHED:
            name = f"{start}.shared::cluster.global.im2col{_BYTES}{cached}"
            yield row(
                name, f"[shared] {tensor} [shared] {offsets}{policy}", "bulk_pixels_into_shared", True, 90
            )
            name = f"{start}.shared::cluster.global.im2col{_BYTES}.multicast::cluster{cached}"
            operands = f"[shared] {tensor} [shared] {offsets} b16{policy}"
            yield row(name, operands, "bulk_pixels_multicast", True, 90)
            name = f"{start}.global.shared.{end}{cached}"
            function = "bulk_pixels_into_global<simulator::COPIES>"
            yield row(name, f"{tensor} [shared]{policy}", function, True, 90)
            for operation, meaning in _OF_TENSORS.items():
                name = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared.{operation}.{end}{cached}"
                function = f"bulk_pixels_into_global<simulator::{meaning}>"
                yield row(name, f"{tensor} [shared]{policy}", function, True, 90)


def _stores() -> Iterator[Instruction]:
    for weak in ("", ".weak"):
        for t in ("b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"):
            for count in (1, 2, 4):
                if count * int(t[1:]) > 128:
                    continue
                vector, times = (f".v{count}", f"*{count}") if count > 1 else ("", "")
                name = f"st.async{weak}.shared::cluster{_BYTES}{vector}.{t}"
                yield row(name, f"[shared] {t}{times} [shared]", "store_async", True, 90)
    for operation, meaning, t in _WITHIN_SHARED:
        function = f"reduce_async<simulator::{meaning}, simulator::{_NUMBERS[t]}>"
        name = f"red.async.relaxed.cluster.shared::cluster{_BYTES}.{operation}.{t}"
        yield row(name, f"[shared] {t} [shared]", function, True, 90)
