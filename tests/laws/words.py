"""Subjects that users look for by names of numpy: how texts and Python programs express them, and which programs
measure them.
"""

from __future__ import annotations

from typing import Final

from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A subject.

    - `text`: the primitives and definitions of libraries that express it.
    - `python`: names of numpy, with `np.`, and of `rise.embedding`; in brackets, other notation.
    - `rows`: the programs of `cases/idioms` that measure it.
    """

    subject: str
    text: tuple[str, ...]
    python: tuple[str, ...]
    rows: tuple[str, ...]


def _word(subject: str, text: str, python: str, rows: str) -> Word:
    return Word(subject, tuple(text.split()), tuple(python.split("; ")), tuple(rows.split()))


WORDS: Final = (
    _word(
        "indices that are checked",
        "toIndexChecked toIndexFromEitherEnd",
        "`x[i]`; np.take",
        "checked_indices",
    ),
    _word(
        "indices that are clamped or wrap",
        "toIndex toIndexWrapped",
        "np.take; np.choose",
        "clamped_indices wrapping_indices",
    ),
    _word(
        "histograms",
        "scatterAdd scatterAddRows",
        "np.bincount; np.histogram; np.add.at",
        "histogram_of_bytes weighted_counts histogram_of_range scattered_rows",
    ),
    _word(
        "scattering",
        "scatter scatterMax scatterMin scatterWith",
        "np.maximum.at; np.minimum.at; np.put_along_axis; `x[i] = y`",
        "scattered_maxima assigned_at_indices",
    ),
    _word(
        "sorting", "sort argsort", "np.sort; np.argsort; np.lexsort", "sorted_line sorted_rows order_of_line"
    ),
    _word("the greatest few", "argsort take", "top_k; np.partition", "three_greatest five_largest"),
    _word(
        "searching sorted arrays",
        "partitionPoint",
        "np.searchsorted; np.digitize; np.interp",
        "placed_in_bins",
    ),
    _word(
        "cumulative sums",
        "scan runningSum",
        "np.cumsum; np.cumprod",
        "running_sum running_sum_rows running_sum_columns",
    ),
    _word(
        "scans by any function",
        "scan scanSeq",
        "np.maximum.accumulate; scan; fold",
        "running_maximum scan_of_another_type",
    ),
    _word(
        "elements that satisfy a condition",
        "compress filter toCount",
        "compress; flatnonzero; np.nonzero; np.where; `x[m]`",
        "kept_and_count places_of_positive",
    ),
    _word("loops that end by a condition", "iterateWhile", "`while`", "iterated_while"),
    _word(
        "sizes as numbers", "cast natAsIndex indexAsInt", "`x.shape[0]`; `len(x)`; np.size", "size_as_number"
    ),
    _word("tuples", "pair fst snd", "`a, b, c = p`", "two_updates whole_parts"),
    _word("the type of sums", "cast Wide", "np.sum; `dtype=`", "sum_of_type"),
    _word(
        "complex numbers",
        "complex realPart imagPart conj",
        "np.real; np.imag; np.conjugate; np.angle",
        "power_of_signal mandelbrot1",
    ),
    _word(
        "gathers at computed places",
        "gather idx",
        "`x[i, j]`; np.take_along_axis",
        "nearest_pixels bilinear_warp",
    ),
    _word(
        "borders",
        "padCst padClamp padMirror padSymmetric padCircular",
        "np.pad",
        "reflected_border wrapped_border border",
    ),
    _word(
        "windows",
        "slide windows1D",
        "np.lib.stride_tricks.sliding_window_view; slide",
        "windows rows_of_windows",
    ),
    _word(
        "truth values as numbers",
        "select cast",
        "`x * mask`; np.count_nonzero",
        "times_mask positive_in_rows not_zero",
    ),
    _word(
        "numbers in a row",
        "generate identity lower upper",
        "np.arange; np.eye; np.tril; np.triu",
        "numbered triangles",
    ),
    _word("assignment to parts", "concat", "`x[1:-1] = y`", "slice_assigned"),
    _word("numbers of Python beside arrays", "cast", "`u + 1`; np.astype", "weak_number"),
    _word("convolutions", "slide convolve3x3", "np.convolve; np.correlate", "convolved"),
    _word("averages", "mean", "np.mean; np.average", "weighted_average mean_of_line"),
    _word(
        "covariances",
        "covariance correlation variance",
        "np.cov; np.corrcoef; np.var",
        "covariances correlations",
    ),
    _word("medians", "sort", "np.median; np.quantile; np.percentile", "median_of_line medians"),
    _word("differences", "slide", "np.gradient; np.diff", "slopes"),
    _word("grids", "generate", "np.meshgrid; np.indices; generate", "mesh"),
    _word("diagonals", "diagonal trace", "np.diagonal; np.trace; np.diag", "traces"),
    _word(
        "extremes",
        "min max greatest least argmin argmax",
        "np.ptp; np.max; np.argmax",
        "extent max_and_place",
    ),
    _word(
        "products of all pairs", "outer", "np.outer; np.kron; np.subtract.outer", "kronecker row_plus_column"
    ),
    _word("lengths", "hypot nrm2", "np.hypot; np.linalg.norm", "lengths"),
)
