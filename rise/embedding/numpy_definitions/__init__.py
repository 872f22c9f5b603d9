"""numpy's functions as Python functions on arrays, which become parts of programs like functions of users.

Independent of terms: the functions compute the same on numpy arrays.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.embedding.numpy_definitions import (
    algebra,
    arrangements,
    elementwise,
    eliminations,
    factorizations,
    float_parts,
    indices,
    loops,
    math_functions,
    orders,
    sequences,
    sets,
    statistics,
    ufuncs,
)

#: the methods of numpy's binary functions, by name; the function is their first argument
METHODS_OF_UFUNCS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "reduce": ufuncs.reduce,
        "accumulate": ufuncs.accumulate,
        "reduceat": ufuncs.reduceat,
        "outer": ufuncs.outer,
    }
)
#: a function made by `np.vectorize`
VECTORIZED: Final[Callable[..., Any]] = loops.vectorized
#: `a[items] = value` if items are arrays of indices
PUT: Final[Callable[..., Any]] = loops.put
#: `np.c_[items]` and `np.r_[items]`, applied to a tuple of items
JOINED: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {np.c_: arrangements.columns_joined, np.r_: arrangements.rows_joined}
)
#: `np.mgrid[slices]` and `np.ogrid[slices]`, applied to a tuple of slices
GRIDS: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {np.mgrid: arrangements.full_grid, np.ogrid: arrangements.open_grid}
)
#: definitions of functions of Python's module `math`
MATH_DEFINITIONS: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {
        math.dist: math_functions.dist,
        math.gcd: math_functions.gcd,
        math.hypot: math_functions.hypot,
        math.isclose: math_functions.isclose,
        math.isqrt: math_functions.isqrt,
        math.lcm: math_functions.lcm,
        math.log: math_functions.log,
        math.remainder: math_functions.remainder,
    }
)
#: the definitions, by the numpy functions that they define
NUMPY_DEFINITIONS: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {
        np.add.at: loops.add_at,
        np.allclose: statistics.allclose,
        np.append: arrangements.append,
        np.apply_along_axis: loops.apply_along_axis,
        np.array_equal: statistics.array_equal,
        np.astype: arrangements.astype,
        np.atleast_1d: arrangements.atleast_1d,
        np.atleast_2d: arrangements.atleast_2d,
        np.atleast_3d: arrangements.atleast_3d,
        np.average: statistics.average,
        np.bartlett: sequences.bartlett,
        np.bincount: loops.bincount,
        np.bitwise_count: elementwise.bitwise_count,
        np.blackman: sequences.blackman,
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
        np.diag_indices: indices.diag_indices,
        np.diag_indices_from: indices.diag_indices_from,
        np.diagflat: arrangements.diagflat,
        np.digitize: orders.digitize,
        np.divmod: elementwise.divmod_,
        np.dsplit: arrangements.dsplit,
        np.dstack: arrangements.dstack,
        np.ediff1d: arrangements.ediff1d,
        np.copyto: arrangements.copyto,
        np.fill_diagonal: arrangements.fill_diagonal,
        np.put: arrangements.put,
        np.putmask: arrangements.putmask,
        np.fix: elementwise.fix,
        np.float_power: elementwise.float_power,
        np.floor_divide: elementwise.floor_divide,
        np.fmax: elementwise.fmax,
        np.fmin: elementwise.fmin,
        np.frexp: float_parts.frexp,
        np.fromfunction: indices.fromfunction,
        np.gcd: elementwise.gcd,
        np.geomspace: sequences.geomspace,
        np.gradient: statistics.gradient,
        np.hamming: sequences.hamming,
        np.hanning: sequences.hanning,
        np.heaviside: elementwise.heaviside,
        np.histogram: loops.histogram,
        np.hsplit: arrangements.hsplit,
        np.indices: indices.indices,
        np.insert: arrangements.insert,
        np.interp: orders.interp,
        np.intersect1d: sets.intersect1d,
        np.isclose: statistics.isclose,
        np.iscomplex: elementwise.iscomplex,
        np.isin: statistics.isin,
        np.isneginf: elementwise.isneginf,
        np.isposinf: elementwise.isposinf,
        np.isreal: elementwise.isreal,
        np.ix_: indices.ix_,
        np.kron: algebra.kron,
        np.lcm: elementwise.lcm,
        np.ldexp: float_parts.ldexp,
        np.linalg.cholesky: factorizations.cholesky,
        np.linalg.det: eliminations.determinant,
        np.linalg.inv: eliminations.inverse,
        np.linalg.matrix_power: algebra.matrix_power,
        np.linalg.slogdet: eliminations.slogdet,
        np.linalg.solve: eliminations.solve,
        np.logaddexp: elementwise.logaddexp,
        np.logaddexp2: elementwise.logaddexp2,
        np.logspace: sequences.logspace,
        np.matrix_transpose: arrangements.matrix_transpose,
        np.matvec: algebra.matvec,
        np.maximum.at: loops.maximum_at,
        np.median: orders.median,
        np.meshgrid: arrangements.meshgrid,
        np.minimum.at: loops.minimum_at,
        np.modf: elementwise.modf,
        np.nan_to_num: elementwise.nan_to_num,
        np.nanargmax: statistics.nanargmax,
        np.nanargmin: statistics.nanargmin,
        np.nancumprod: statistics.nancumprod,
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
        np.ndim: arrangements.ndim,
        np.nextafter: float_parts.nextafter,
        np.percentile: orders.percentile,
        np.piecewise: elementwise.piecewise,
        np.polyadd: algebra.polyadd,
        np.polyder: algebra.polyder,
        np.polyfit: algebra.polyfit,
        np.polyint: algebra.polyint,
        np.polymul: algebra.polymul,
        np.polyval: algebra.polyval,
        np.ptp: statistics.ptp,
        np.put_along_axis: loops.put_along_axis,
        np.quantile: orders.quantile,
        np.rad2deg: elementwise.degrees,
        np.ravel_multi_index: arrangements.ravel_multi_index,
        np.rot90: arrangements.rot90,
        np.select: arrangements.select,
        np.setdiff1d: sets.setdiff1d,
        np.shape: arrangements.shape,
        np.signbit: elementwise.signbit,
        np.sinc: elementwise.sinc,
        np.size: arrangements.size,
        np.spacing: float_parts.spacing,
        np.split: arrangements.split,
        np.tensordot: algebra.tensordot,
        np.tile: arrangements.tile,
        np.trapezoid: statistics.trapezoid,
        np.tril_indices: indices.tril_indices,
        np.tril_indices_from: indices.tril_indices_from,
        np.triu_indices: indices.triu_indices,
        np.triu_indices_from: indices.triu_indices_from,
        np.trim_zeros: arrangements.trim_zeros,
        np.union1d: sets.union1d,
        np.unique: sets.unique,
        np.unpackbits: arrangements.unpackbits,
        np.unravel_index: arrangements.unravel_index,
        np.unstack: arrangements.unstack,
        np.unwrap: statistics.unwrap,
        np.vander: algebra.vander,
        np.vecdot: algebra.vecdot,
        np.vecmat: algebra.vecmat,
        np.vsplit: arrangements.vsplit,
    }
)
