"""The bodies of kernels for PTX instructions that need more than operands: barriers in memory, copies, addresses."""

from __future__ import annotations

import re
from typing import Final

from benchmarks.gpu.instruction_statements import MEMORY, SHARED_OUT, Writer, own_memory
from shine.simulator.ptx_rows import Instruction

BY_BARRIER: Final = re.compile(r"mbarrier\.|cp\.async\.mbarrier\.")
_ASYNCHRONOUS: Final = re.compile(r"cp\.(?:reduce\.)?async\.bulk\.(?:shared|global)|st\.async|red\.async")
_ASYNCHRONOUS_STORE: Final = re.compile(r"st\.async|red\.async")
#: C++ for the address of a barrier in shared memory that 32 arrivals complete
_BARRIER: Final = (
    "__shared__ unsigned long long barrier;",
    "const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);",
    'if (lane == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(at) : "memory");',
    "__syncwarp();",
)
_ARRIVE: Final = 'asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(at) : "memory");'
_ASK: Final = (
    "__syncwarp(); unsigned over;",
    'asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"'
    ' : "=r"(over) : "r"(at) : "memory");',
    "out[0] = over;",
)


def barrier_kernel(row: Instruction) -> list[str] | None:
    """A kernel for one barrier in memory: whether its phase is complete after 32 arrivals. None for an instruction
    without a result.
    """
    words = row.mnemonic.split(".")
    name = words[1]
    to_cluster = ".shared::cluster" in row.mnemonic
    space = (
        "const unsigned long long there = (unsigned long long)&barrier;" if "[global]" in row.operands else ""
    )
    at, letter = ("there", "l") if space else ("at", "r")
    start = [*_BARRIER, space] if space else [*_BARRIER]
    memory = f':: "{letter}"({at}) : "memory");'
    if row.mnemonic.startswith("cp.async.mbarrier"):
        counted = [] if "noinc" in words else [_ARRIVE]
        copies = f'asm volatile("{row.mnemonic} [%0];" {memory}'
        return [*start, copies, 'asm volatile("cp.async.wait_all;" ::: "memory");', *counted, *_ASK]
    if name in ("arrive", "arrive_drop"):
        state = "_" if to_cluster else "s"
        operands = "".join(
            f", {1 if 'expect_tx' not in words else 16}" for one in row.operands if one == "u32"
        )
        return [
            *start,
            f'asm volatile("{{ .reg .b64 s; {row.mnemonic} {state}, [%0]{operands}; }}" {memory}',
            *_ASK,
        ]
    if name in ("expect_tx", "complete_tx"):
        before = 'asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 16;" :: "r"(at) : "memory");'
        its = f'asm volatile("{row.mnemonic} [%0], 16;" {memory}'
        return [
            *start,
            *([before, "__syncwarp();"] if name == "complete_tx" else []),
            its,
            "__syncwarp();",
            _ARRIVE,
            *_ASK,
        ]
    if name == "init":
        arrive = f'if (lane == 0) asm volatile("{row.mnemonic} [%0], 32;" {memory}'
        return [
            _BARRIER[0],
            _BARRIER[1],
            *([space] if space else []),
            arrive,
            "__syncwarp();",
            _ARRIVE,
            *_ASK,
        ]
    if name in ("test_wait", "try_wait"):
        which = ("0", "") if "parity" in words else ("%2", '"l"(state), ')
        hint = ", 100" if row.operands[-1] == "u32" and len(row.operands) > 3 else ""
        ask = (
            f'asm volatile("{{ .reg .pred p; {row.mnemonic} p, [%1], {which[0]}{hint}; selp.u32 %0, 1, 0, p; }}" : '
            f'"=r"(over) : "{letter}"({at}){", " + which[1][:-2] if which[1] else ""} : "memory");'
        )
        arrive = 'asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");'
        return [
            *start,
            "unsigned long long state; unsigned over;",
            arrive,
            "__syncwarp();",
            ask,
            ask,
            "out[0] = over;",
        ]
    if name == "pending_count":
        arrive = 'asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");'
        ask = f'asm volatile("{row.mnemonic} %0, %1;" : "=r"(count) : "l"(state));'
        return [
            *start,
            f"unsigned long long state; unsigned count = 0; if (lane == 0) {{ {arrive} {ask} }}",
            "out[0] = count;",
        ]
    return None


def special(row: Instruction) -> tuple[str, tuple[str, ...]] | None:
    """Kernels of instructions whose operands are more than bits."""
    if _ASYNCHRONOUS.match(row.mnemonic):
        return _moved(row)
    if row.mnemonic.startswith(("mapa", "getctarank")):
        return _at_rank(row)
    if BY_BARRIER.match(row.mnemonic):
        lines = barrier_kernel(row)
        return ("\n  ".join(lines), ("bits",)) if lines is not None else None
    if row.mnemonic.startswith("cp.async.c"):
        return _copy(row)
    if row.mnemonic == "elect.sync":
        lines = (
            "unsigned chosen, is;",
            'asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"',
            ' : "=r"(chosen), "=r"(is));',
            "out[0] = __popc(__ballot_sync(0xffffffffu, is)); out[1] = __ballot_sync(0xffffffffu, is) == 1u << chosen;",
        )
        return "\n  ".join(lines), ("bits", "bits")
    if row.mnemonic.startswith("cvta"):
        to, shared = ".to." in row.mnemonic, "shared" in row.mnemonic
        given = (
            "(unsigned long long)memory[lane]"
            if to and shared
            else "at_shared"
            if shared
            else "(unsigned long long)out"
        )
        space = ".shared" if to and shared else ".global" if to else ""
        lines_ = (
            *own_memory(["[global]", "[shared]"]),
            f"const unsigned long long given = {given}; unsigned long long loaded;",
            f'asm volatile("{{ .reg .u64 a; {row.mnemonic} a, %1; ld{space}.u64 %0, [a + 8]; }}"',
            ' : "=l"(loaded) : "l"(given) : "memory");',
            f"out[{MEMORY}] = loaded;",
        )
        return "\n  ".join(lines_), ("bits",) * (MEMORY + 1)
    return None


def _moved(row: Instruction) -> tuple[str, tuple[str, ...]]:
    """A bulk copy or an asynchronous store of the first 16 bytes of each lane's memory or of its registers."""
    writer = Writer(row)
    t, vector = row.mnemonic.split(".")[-1], re.search(r"\.v(\d)", row.mnemonic)
    stored = _ASYNCHRONOUS_STORE.match(row.mnemonic) is not None
    size = int(t[1:]) // 8 * int(vector[1] if vector else 1) if stored else 16
    to_global = row.operands[0] == "[global]"
    spaces = iter(("$target", "$source") if not stored else ("$target",))
    letters = {"[shared]": "r", "[global]": "l"}
    places = {"[shared]": "at_shared", "[global]": "at_global"}
    texts: list[str] = []
    for number, one in enumerate(row.operands):
        if one[0] != "[":
            is_register = stored and number == 1
            texts.append(writer.operand(number, one) if is_register else str(size))
        elif number == len(row.operands) - 1 and not to_global:
            texts.append("[$barrier_at]")
            writer.inputs.append(("barrier_at", "r"))
        else:
            name = next(spaces)[1:]
            own = places[one] + (
                " + 16" if one == "[shared]" and name == "target" and row.operands[1] == "[shared]" else ""
            )
            writer.before.append(f"const auto {name} = {own};")
            writer.inputs.append((name, letters[one]))
            texts.append(f"[${name}]")
    # Without a state space, the shared window of the block is meant.
    mnemonic = re.sub(r"\.shared(?!::)", ".shared::cta", row.mnemonic)
    statement = f"{mnemonic} {', '.join(texts)};"
    for number, (name, _) in sorted(enumerate(writer.inputs), reverse=True, key=lambda one: one[0]):
        statement = re.sub(rf"\${name}\b", f"%{number}", statement)
    ins = ", ".join(f'"{how}"({name})' for name, how in writer.inputs)
    lines = [
        *own_memory(["[global]", "[shared]"]),
        *_BARRIER,
        "const unsigned barrier_at = at; unsigned over = 0;",
        *writer.before,
        'asm volatile("fence.proxy.async;" ::: "memory");',
    ]
    if not to_global:
        lines.append(
            f'asm volatile("{{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], {size}; }}"'
            ' :: "r"(at) : "memory");'
        )
    lines.append(f'asm volatile("{{ {statement} }}" :: {ins} : "memory");')
    if to_global:
        lines.append('asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");')
        kind = t if t in ("f16", "bf16", "f32", "f64") else "bits"
        return "\n  ".join(lines), (kind,) * 2 + ("bits",) * (MEMORY - 2)
    lines += [f"while (!over) {{ {_ASK[1]} }}", *SHARED_OUT]
    return "\n  ".join(lines), ("bits",) * MEMORY


def _at_rank(row: Instruction) -> tuple[str, tuple[str, ...]]:
    """The place of a lane's memory in the only block of a cluster, and the rank of its address."""
    is_address = "shared" in row.mnemonic
    wide = "u64" in row.operands[1]
    given = "at_shared" if is_address else "(unsigned long long)memory[lane]"
    letter, c = ("l", "unsigned long long") if wide else ("r", "unsigned")
    lines = [*own_memory(["[shared]"]), f"const {c} given = {given};"]
    if row.mnemonic.startswith("getctarank"):
        lines += [
            "unsigned rank;",
            f'asm volatile("{row.mnemonic} %0, %1;" : "=r"(rank) : "{letter}"(given));',
            "out[0] = rank;",
        ]
        return "\n  ".join(lines), ("bits",)
    space = ".shared::cluster" if is_address else ""
    lines += [
        "unsigned long long loaded;",
        f'asm volatile("{{ .reg .{row.operands[1]} a; {row.mnemonic} a, %1, 0; ld{space}.u64 %0, [a + 8]; }}"'
        f' : "=l"(loaded) : "{letter}"(given) : "memory");',
        "out[0] = loaded;",
    ]
    return "\n  ".join(lines), ("bits",)


def _copy(row: Instruction) -> tuple[str, tuple[str, ...]]:
    """A copy from the lane's memory among the results to its shared memory."""
    size = 16 if ".cg." in row.mnemonic else 4
    bytes_read = f", {size // 2 if size == 16 else 3}" if row.operands[-1] == "u32" else ""
    lines = (
        *own_memory(["[global]", "[shared]"]),
        "__threadfence_block();",
        f'asm volatile("{row.mnemonic} [%0], [%1], {size}{bytes_read};"',
        ' :: "r"(at_shared), "l"(at_global + 2) : "memory");',
        'asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");',
        *SHARED_OUT,
    )
    return "\n  ".join(lines), ("bits",) * MEMORY
