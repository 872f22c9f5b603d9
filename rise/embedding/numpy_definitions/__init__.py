"""numpy's functions as Python functions on arrays, which become parts of programs as the user's own do.

Knows no terms: they compute the same on numpy's arrays.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.embedding.numpy_definitions import (
    algebra,
    arrangements,
    elementwise,
    loops,
    orders,
    statistics,
    ufuncs,
)

#: the methods of numpy's functions of two numbers, by name; the function is their first argument
METHODS_OF_UFUNCS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {"reduce": ufuncs.reduce, "accumulate": ufuncs.accumulate, "outer": ufuncs.outer}
)
#: `a[items] = value` where items are arrays of indices
PUT: Final[Callable[..., Any]] = loops.put
#: `np.c_[items]` and `np.r_[items]`, of a tuple of items
JOINED: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {np.c_: arrangements.columns_joined, np.r_: arrangements.rows_joined}
)
#: by what they stand for
NUMPY_DEFINITIONS: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {
        np.add.at: loops.add_at,
        np.allclose: statistics.allclose,
        np.append: arrangements.append,
        np.apply_along_axis: loops.apply_along_axis,
        np.array_equal: statistics.array_equal,
        np.atleast_1d: arrangements.atleast_1d,
        np.atleast_2d: arrangements.atleast_2d,
        np.average: statistics.average,
        np.bincount: loops.bincount,
        np.bitwise_count: elementwise.bitwise_count,
        np.block: arrangements.block,
        np.broadcast_arrays: arrangements.broadcast_arrays,
        np.column_stack: arrangements.column_stack,
        np.convolve: algebra.convolve,
        np.copysign: elementwise.copysign,
        np.corrcoef: statistics.corrcoef,
        np.correlate: algebra.correlate,
        np.count_nonzero: statistics.count_nonzero,
        np.cross: algebra.cross,
        np.degrees: elementwise.degrees,
        np.delete: arrangements.delete,
        np.diag: arrangements.diag,
        np.diagflat: arrangements.diagflat,
        np.digitize: orders.digitize,
        np.divmod: elementwise.divmod_,
        np.dstack: arrangements.dstack,
        np.ediff1d: arrangements.ediff1d,
        np.fill_diagonal: arrangements.fill_diagonal,
        np.fix: elementwise.fix,
        np.float_power: elementwise.float_power,
        np.floor_divide: elementwise.floor_divide,
        np.fmax: elementwise.fmax,
        np.fmin: elementwise.fmin,
        np.gcd: elementwise.gcd,
        np.gradient: statistics.gradient,
        np.heaviside: elementwise.heaviside,
        np.histogram: loops.histogram,
        np.hsplit: arrangements.hsplit,
        np.insert: arrangements.insert,
        np.interp: orders.interp,
        np.isclose: statistics.isclose,
        np.isin: statistics.isin,
        np.kron: algebra.kron,
        np.lcm: elementwise.lcm,
        np.linalg.cholesky: loops.cholesky,
        np.linalg.det: loops.determinant,
        np.linalg.inv: loops.inverse,
        np.linalg.matrix_power: algebra.matrix_power,
        np.linalg.slogdet: loops.slogdet,
        np.linalg.solve: loops.solve,
        np.logaddexp: elementwise.logaddexp,
        np.matvec: algebra.matvec,
        np.maximum.at: loops.maximum_at,
        np.median: orders.median,
        np.meshgrid: arrangements.meshgrid,
        np.minimum.at: loops.minimum_at,
        np.modf: elementwise.modf,
        np.nan_to_num: elementwise.nan_to_num,
        np.nanargmax: statistics.nanargmax,
        np.nanargmin: statistics.nanargmin,
        np.nancumsum: statistics.nancumsum,
        np.nanmax: statistics.nanmax,
        np.nanmean: statistics.nanmean,
        np.nanmedian: orders.nanmedian,
        np.nanmin: statistics.nanmin,
        np.nanpercentile: orders.nanpercentile,
        np.nanprod: statistics.nanprod,
        np.nanquantile: orders.nanquantile,
        np.nanstd: statistics.nanstd,
        np.nansum: statistics.nansum,
        np.nanvar: statistics.nanvar,
        np.percentile: orders.percentile,
        np.piecewise: elementwise.piecewise,
        np.polyval: algebra.polyval,
        np.ptp: statistics.ptp,
        np.put_along_axis: loops.put_along_axis,
        np.quantile: orders.quantile,
        np.rad2deg: elementwise.degrees,
        np.ravel_multi_index: arrangements.ravel_multi_index,
        np.rot90: arrangements.rot90,
        np.select: arrangements.select,
        np.signbit: elementwise.signbit,
        np.sinc: elementwise.sinc,
        np.split: arrangements.split,
        np.tensordot: algebra.tensordot,
        np.tile: arrangements.tile,
        np.trapezoid: statistics.trapezoid,
        np.unpackbits: arrangements.unpackbits,
        np.unravel_index: arrangements.unravel_index,
        np.unwrap: statistics.unwrap,
        np.vander: algebra.vander,
        np.vecdot: algebra.vecdot,
        np.vecmat: algebra.vecmat,
        np.vsplit: arrangements.vsplit,
    }
)
