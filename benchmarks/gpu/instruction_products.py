"""The bodies of kernels for products of warpgroups (`wgmma.mma_async`), with small whole numbers in shared memory.

Each block has another swizzle, so the descriptors differ from block to block. Bytes of the factors are read where a
descriptor points to, whatever they mean there: a wrong decoding reads other numbers.
"""

from __future__ import annotations

import re
from typing import Final

from benchmarks.gpu.instruction_operands import DIGITS, LANES, SLOTS
from shine.simulator.ptx_rows import Instruction

#: threads of a warpgroup
THREADS: Final = 128
#: the only architecture that has them
ARCH: Final = "sm_90a"
_LEFT: Final = 8192  # bytes of the left factor, and of both; the second right one begins later than the first
_LATER: Final = 2048
_BOTH: Final = _LEFT + 32768 + _LATER
#: of the block's swizzle: the distances of the two kinds of neighbouring pieces, in bytes
_DISTANCES: Final = (
    "const int swizzle = blockIdx.x & 3;",
    "const unsigned leading = swizzle == 0 ? 256 : 2048;",
    "const unsigned stride = swizzle == 0 ? 128 : 2048 >> swizzle;",
)
_NAME = re.compile(r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)((?:\.satfinite)?)\.(\w+)\.(\w+)\.(\w+)")


def product_of_warpgroup(row: Instruction) -> tuple[str, tuple[str, ...]] | None:
    """The body of the kernel of a product, and the kinds of the words of each thread; None for other instructions.

    It multiplies twice into the same sums, the second time with another right factor and, where the instruction can,
    with factors across the depth and a change of sign.
    """
    found = _NAME.fullmatch(row.mnemonic)
    if found is None:
        return None
    sums, left, right = found[4], found[5], found[6]
    count = int(row.operands[0].partition("*")[2])
    register, letter, zero = {
        "f32": ("float", "f", "0.0f"),
        "f16": ("unsigned", "r", "0u"),
        "s32": ("int", "r", "0"),
    }[sums]
    from_registers = "b32*4" in row.operands
    statements = [_statement(row, count, letter, again, from_registers) for again in (False, True)]
    to_bits = "__float_as_uint" if sums == "f32" else "(unsigned)"
    lines = [
        f"__shared__ __align__(1024) unsigned long long memory[{_BOTH // 8}];",
        f"for (int i = lane; i < {_BOTH // 8}; i += {THREADS}) "
        f"memory[i] = i < {_LEFT // 8} ? {_word(left)} : {_word(right)};",
        'asm volatile("fence.proxy.async;" ::: "memory");',
        "__syncthreads();",
        *_DISTANCES,
        "const unsigned at = (unsigned)__cvta_generic_to_shared(memory);",
        "const unsigned long long where = (unsigned long long)(leading >> 4) << 16"
        " | (unsigned long long)(stride >> 4) << 32 | (unsigned long long)swizzle << 62;",
        f"const unsigned long long left = (at & 0x3ffff) >> 4 | where, right = (at + {_LEFT} & 0x3ffff) >> 4 | where;",
        f"{register} d[{count}];",
        f"for (int i = 0; i < {count}; i++) d[i] = {zero};",
        *(
            [f"unsigned a[4]; for (int i = 0; i < 4; i++) a[i] = (unsigned){_word(left, 'lane * 4 + i')};"]
            * from_registers
        ),
        # Compilers would load registers after the fence, and add another one.
        f'for (int i = 0; i < {count}; i++) asm volatile("" : "+{letter}"(d[i]) :: "memory");',
        *(['for (int i = 0; i < 4; i++) asm volatile("" : "+r"(a[i]) :: "memory");'] * from_registers),
        'asm volatile("wgmma.fence.sync.aligned;" ::: "memory");',
        *statements,
        'asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");',
        'asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");',
        f"for (int i = 0; i < {count}; i++) out[i] = {to_bits}(d[i]);",
    ]
    kind = {"f32": "f32", "f16": "f16", "s32": "bits"}[sums]
    return "\n  ".join(lines), (kind,) * count


def _word(number: str, index: str = "i") -> str:
    """A word of numbers of a type, of those that a block reads."""
    source = number if number in DIGITS else "bits"
    return f"{source}_of_block[({index}) % {SLOTS * LANES}]"


def _statement(row: Instruction, count: int, letter: str, again: bool, from_registers: bool) -> str:
    """The instruction with all of its operands; `again` for the second time."""
    registers = ", ".join(f"%{i}" for i in range(count))
    a = f"{{{', '.join(f'%{count + i}' for i in range(4))}}}" if from_registers else f"%{count}"
    after = count + (4 if from_registers else 1)
    immediates = sum(one == "imm" for one in row.operands)
    signs = ["1", "-1" if again else "1"] if immediates >= 2 else []
    across = [str(int(again))] * (immediates - len(signs))
    operands = ", ".join((f"{{{registers}}}", a, f"%{after}", "p", *signs, *across))
    outs = ", ".join(f'"+{letter}"(d[{i}])' for i in range(count))
    lefts = ", ".join(f'"r"(a[{i}])' for i in range(4)) if from_registers else '"l"(left)'
    text = f"{{ .reg .pred p; setp.ne.u32 p, %{after + 1}, 0; {row.mnemonic} {operands}; }}"
    return f'asm volatile("{text}" : {outs} : {lefts}, "l"(right{f" + {_LATER >> 4}" * again}), "r"({int(again)}));'
