"""Parsing the output of compilers, assemblers and disassemblers: messages, places, resources, instructions."""

from __future__ import annotations

import pytest

from rise.diagnostics import RiseError
from shine.targets.cuda import sass
from shine.targets.cuda.messages import Complaint, place_of_kernel, places_of, read_complaints
from shine.targets.cuda.resources import Resources, read_resources

LOG = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'e' for 'sm_80'
ptxas info    : Function properties for e
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 9.503 ms
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Function properties for called
    24 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 48 bytes cumulative stack size, 4096 bytes smem, 372 bytes cmem[0]
"""


def test_resources_are_read_from_the_log() -> None:
    assert read_resources(LOG) == {
        "e": Resources(registers=8),
        "k": Resources(64, shared=4096, local=48, spill_stores=8, spill_loads=8, stack=40, barriers=1),
    }
    assert read_resources("nothing of the kind\n") == {}


PTX = """.version 9.0
.file 1 "/some/where/kernel.cu"
.file 2 "/some/where/include/crt/mma.hpp"
{
.loc 1 5 3
mov.u32 %r1, %tid.x;
.loc 2 91 4, function_name $L__info0, inlined_at 1 7 5
wmma.load;
.loc 2 12 1
ret;
}"""


def test_lines_of_assembly_are_traced_to_lines_of_the_text() -> None:
    assert places_of(PTX) == [0, 0, 0, 0, 5, 5, 7, 7, 7, 7, 7]


def test_messages_have_places_and_severities() -> None:
    text = "a;\n    int b = c;\n"
    log = "\n".join(
        (
            'kernel.cu(2): error: identifier "c" is undefined',
            "      int b = c;",
            "              ^",
            "",
            "/x/kernel.cu(1): warning #68-D: integer conversion",
            "/x/include/mma.hpp(40): error: no such thing",
            '          detected during instantiation of "f" at line 2 of kernel.cu',
            "ptxas kernel.ptx, line 6; error   : Rounding is wrong",
            "ptxas fatal   : Ptx assembly aborted due to errors",
            "ptxas info    : (C7517) warpgroup.wait is injected in around line 8 by compiler",
            "ptxas info    : Used 8 registers",
            "ptxas warning : stack size is not known",
            "nvcc fatal   : Unsupported gpu architecture",
            '2 errors detected in the compilation of "kernel.cu".',
        )
    )
    asked: list[int] = []

    def assembly() -> str:
        asked.append(1)
        return PTX

    assert read_complaints(log, text, assembly) == (
        Complaint(2, 13, 'identifier "c" is undefined'),
        Complaint(1, 0, "integer conversion", "warning"),
        Complaint(2, 0, "mma.hpp:40: no such thing"),
        Complaint(5, 0, "Rounding is wrong"),
        Complaint(0, 0, "Ptx assembly aborted due to errors"),
        Complaint(7, 0, "(C7517) warpgroup.wait is injected in around line 8 by compiler"),
        Complaint(0, 0, "stack size is not known", "warning"),
        Complaint(0, 0, "Unsupported gpu architecture"),
    )
    assert asked == [1]
    assert read_complaints("ptxas info    : Used 8 registers", text, assembly) == () and asked == [1]


DEFINITIONS = """extern "C" __global__ void declared(float* a);
extern "C" __global__ void __launch_bounds__(256)
scale(float* __restrict__ out, float by) { out[0] = by; tile(out); }
extern "C" __global__ void halve(float* x) { x[0] *= 0.5f; }
"""


def test_a_kernel_is_found_by_its_definition() -> None:
    assert place_of_kernel("scale", DEFINITIONS) == (3, 1)
    assert place_of_kernel("halve", DEFINITIONS) == (4, 28)
    assert place_of_kernel("tile", DEFINITIONS) == (0, 0)


def test_without_a_disassembler_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sass, "find_program", lambda _: None)
    monkeypatch.setattr(sass, "find_spec", lambda _: None)
    with pytest.raises(RiseError) as error:
        sass.instructions(b"", "k")
    assert error.value.diagnostic.code == "no-disassembler"
    assert "nvdisasm" in error.value.diagnostic.title and "[sass]" in error.value.diagnostic.hint


def test_instructions_are_counted_with_their_modifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = """  .section .text.k,"ax",@progbits
.text.k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
        /*0020*/             @UP1 ULDC.64 UR4, c[0x0][0x118] ;
        /*0030*/                   LDG.E.128.CONSTANT R8, desc[UR4][R2.64+0x10] ;
.L_x_0:
        /*0040*/                   BRA `(.L_x_0);
.text.other:
        /*0000*/                   EXIT ;
"""
    monkeypatch.setattr(sass, "_disassembled", lambda _: shown)
    counts = sass.instructions(b"", "k")
    assert counts == {"LDC": 1, "LDG.E.128.CONSTANT": 2, "ULDC.64": 1, "BRA": 1}
    assert sass.widths(counts, "LDG") == {16: 2}
