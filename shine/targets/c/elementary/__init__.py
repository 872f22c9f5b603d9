"""Elementary functions in C, which compilers vectorise, unlike calls of a library. Independent of programs.

All operations, including `fma`, are those of IEEE 754, rounded once and in this order, so that results are the same on
each processor (on one without fused instructions a library computes `fma`). There are no branches: a function computes
all cases and selects one. The numbers are made by tools/make_polynomials.py.

What has no function of f32 here is computed by that of f64 and rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary import angles, exponentials, logarithms
from shine.targets.c.elementary.angles import ANGLES
from shine.targets.c.elementary.error_function import ERROR_FUNCTION
from shine.targets.c.elementary.exponentials import EXPONENTIALS
from shine.targets.c.elementary.logarithms import LOGARITHMS
from shine.targets.c.elementary.piece import Piece, function
from shine.targets.c.elementary.powers import POWERS
from shine.targets.c.elementary.singles import SINGLES

_OWN: Final = {**EXPONENTIALS, **LOGARITHMS, **POWERS, **ANGLES, **ERROR_FUNCTION}


def _by_f64(name: str) -> Piece:
    """A function of f32 that is computed by one of f64."""
    double, single = f"{name}_f64", f"{name}_f32"
    names = _OWN[double].text.partition(f"{double}(")[2].partition(")")[0].replace("double ", "").split(", ")
    parameters = ", ".join(f"float {x}" for x in names)
    return function(
        f"float {single}({parameters}) {{ return (float){double}({', '.join(names)}); }}", double, units=0.51
    )


#: functions and tables by their names: `exp_f64` is the function `exp` of f64
ELEMENTARY: Final[Mapping[str, Piece]] = {
    **SINGLES,
    **exponentials.PARTS,
    **logarithms.PARTS,
    **angles.PARTS,
    **{
        f"{name}_f32": _by_f64(name)
        for name in (key.removesuffix("_f64") for key in _OWN if key.endswith("_f64"))
        if f"{name}_f32" not in {**SINGLES, **_OWN}
    },
    **_OWN,
}
