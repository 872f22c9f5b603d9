"""Loops in the output of nvdisasm: which is the innermost one, and what is in it."""

from __future__ import annotations

from typing import Final

import pytest

from shine.targets.cuda import sass

#: a loop over tiles with a loop over steps and one of copies in it; and another kernel
LISTING: Final = """\
.text.other:
.L_x_9:
        /*0000*/                   HMMA.16816.F32 R4, R4, R8, R4 ;
        /*0010*/                   BRA `(.L_x_9) ;
.text.kernel:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_3:
        /*0010*/                   LDG.E.128 R4, [R2.64] ;
.L_x_1:
        /*0020*/                   HMMA.16816.F32 R4, R4, R8, R4 ;
        /*0030*/                   HMMA.16816.F32 R4, R4, R8, R4 ;
        /*0040*/                   IADD3 R2, R2, 0x1, RZ ;
        /*0050*/              @!P0 BRA `(.L_x_1) ;
.L_x_2:
        /*0060*/                   LDGSTS.E.BYPASS.128 [R2], [R4.64] ;
        /*0070*/               @P1 BRA `(.L_x_2) ;
        /*0080*/                   HMMA.16816.F32 R4, R4, R8, R4 ;
        /*0090*/               @P2 BRA `(.L_x_3) ;
        /*00a0*/                   EXIT ;
.L_x_4:
        /*00b0*/                   BRA `(.L_x_4);
"""


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sass, "_disassembled", lambda image: LISTING)


def test_the_innermost_loop_with_most_of_an_operation() -> None:
    loop = sass.innermost_loop(b"", "kernel", "HMMA")
    assert dict(loop) == {"HMMA.16816.F32": 2, "IADD3": 1, "BRA": 1}
    assert dict(sass.innermost_loop(b"", "kernel", "LDGSTS")) == {"LDGSTS.E.BYPASS.128": 1, "BRA": 1}
    assert dict(sass.innermost_loop(b"", "other", "HMMA")) == {"HMMA.16816.F32": 1, "BRA": 1}


def test_there_may_be_no_such_loop() -> None:
    """The last jump, to itself, is what ends a text."""
    assert not sass.innermost_loop(b"", "kernel", "HGMMA")
    assert not sass.innermost_loop(b"", "absent", "HMMA")
