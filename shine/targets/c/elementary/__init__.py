"""Elementary functions in C that compilers vectorise, unlike library calls. Independent of programs.

All operations, including `fma`, are IEEE 754 operations, each rounded once, in the order of the text, so that results
are the same on every processor (without FMA instructions, a library function computes `fma`). There are no branches: a
function computes all cases and selects one. tools/make_polynomials.py computes the coefficients.
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
