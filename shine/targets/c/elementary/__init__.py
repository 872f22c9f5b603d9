"""Elementary functions in C, which compilers vectorise, unlike calls of a library. Independent of programs.

All operations, including `fma`, are those of IEEE 754, rounded once and in this order, so that results are the same on
each processor (on one without fused instructions a library computes `fma`). There are no branches: a function computes
all cases and selects one. The numbers are made by tools/make_polynomials.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary import (
    angles,
    angles_f32,
    exponentials,
    hyperbolics_f32,
    logarithms,
    singles,
)
from shine.targets.c.elementary.error_function import ERROR_FUNCTION
from shine.targets.c.elementary.piece import Piece
from shine.targets.c.elementary.powers import POWERS

#: functions and tables by their names: `exp_f64` is the function `exp` of f64
ELEMENTARY: Final[Mapping[str, Piece]] = {
    **singles.PARTS,
    **exponentials.PARTS,
    **logarithms.PARTS,
    **angles.PARTS,
    **angles_f32.PARTS,
    **singles.SINGLES,
    **exponentials.EXPONENTIALS,
    **logarithms.LOGARITHMS,
    **POWERS,
    **angles.ANGLES,
    **angles_f32.ANGLES_F32,
    **hyperbolics_f32.HYPERBOLICS_F32,
    **ERROR_FUNCTION,
}
