"""Our packing compared with the offsets of parameters in a cubin: the device reads them where we put them.

Skipped if no CUDA compiler is installed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from rise.naturals import const, nat
from rise.types import ScalarType
from shine.imperative.nodes import Buffer
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.module import Argument, PointerArgument, ScalarArgument, SizeArgument
from shine.targets.cuda.packed_arguments import format_of
from tests import required_tools
from tests.shine.procedures import F32, size

PARAMETER = 0x17  # EIATTR_KPARAM_INFO
LONG = 4  # EIFMT_SVAL: two bytes of length, then that many
TYPES = {
    "bool": "bool",
    "i8": "signed char",
    "i16": "short",
    "i32": "int",
    "i64": "long long",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned",
    "u64": "unsigned long long",
    "f16": "__half",
    "bf16": "__nv_bfloat16",
    "f32": "float",
    "f64": "double",
}


def sections(image: bytes) -> Iterator[tuple[str, bytes]]:
    """The sections of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", image, 40)
    entry, count, names_at = struct.unpack_from("<HHH", image, 58)
    headers = [struct.unpack_from("<IIQQQQ", image, table + entry * i) for i in range(count)]
    names = image[headers[names_at][4] :][: headers[names_at][5]]
    for name, _, _, _, offset, length in headers:
        yield names[name:].partition(b"\0")[0].decode(), image[offset : offset + length]


def offsets(image: bytes, kernel: str) -> list[int]:
    """The offsets of a kernel's parameters, in their order."""
    info = dict(sections(image))[f".nv.info.{kernel}"]
    found: dict[int, int] = {}
    at = 0
    while at < len(info):
        form, attribute, length = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == LONG:
            if attribute == PARAMETER:
                _, ordinal, offset = struct.unpack_from("<IHH", info, at)
                found[ordinal] = offset
            at += length
    return [found[ordinal] for ordinal in sorted(found)]


def places(arguments: list[Argument]) -> list[int]:
    """The offsets at which our packing puts the arguments: those of the bytes that change with each of them."""
    layout = format_of(arguments)
    zeros = [0] * len(arguments)
    found = []
    for at in range(len(arguments)):
        one = layout.pack(*zeros[:at], 1, *zeros[at + 1 :])
        changed = next(i for i, byte in enumerate(one) if byte)
        wide = struct.calcsize(layout.format[1 + at])
        found.append(changed // wide * wide)
    return found


def arguments_around(odd: str) -> tuple[list[Argument], list[str]]:
    """Arguments of all types, each behind one of the type `odd`, and their types in CUDA."""
    n = size("n")
    arguments: list[Argument] = []
    types: list[str] = []
    for name in sorted(TYPES):
        for one in (odd, name):
            arguments.append(
                ScalarArgument(Buffer("a", ScalarType(one), const(1), "Global", ()), ScalarType(one))
            )
            types.append(TYPES[one])
    arguments += [
        SizeArgument(n, 32),
        SizeArgument(n, 64),
        PointerArgument(Buffer("x", F32, nat(n), "Global", ()), True),
    ]
    return arguments, [*types, "int", "long long", "float*"]


def kernel(name: str, types: list[str]) -> str:
    """A kernel that reads all its parameters."""
    parameters = ", ".join(f"{one} p{at}" for at, one in enumerate(types))
    uses = " + ".join(f"float(p{at})" for at in range(len(types) - 1))
    return f'extern "C" __global__ void {name}({parameters}) {{ *p{len(types) - 1} = {uses}; }}\n'


@required_tools.needs_cuda_compiler()
def test_parameters_have_the_offsets_of_the_cubin() -> None:
    taken = {f"all_{odd}": arguments_around(odd) for odd in ("bool", "i8", "bf16", "f16", "u32")}
    kernels = "".join(kernel(name, types) for name, (_, types) in taken.items())
    text = f"#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n{kernels}"
    image = compile_text(text, "sm_80", list(taken)).image
    for name, (arguments, _) in taken.items():
        assert offsets(image, name) == places(arguments), name
