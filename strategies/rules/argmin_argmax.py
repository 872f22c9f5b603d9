"""Argmin and argmax: reductions of pairs of an index and a number."""

from __future__ import annotations

from elevate import Rule
from strategies.equations.matcher import Bindings
from strategies.equations.rule import RuleFamily, family, rule

_START = "(pair (0 : idx[1+n]) (idx (0 : idx[1+n]) xs)) (zip (generate (fun(i => i))) xs)"

argminAsReduce = rule(
    f"argmin (xs : (1+n).t) = fst (reduce lesserPair {_START})",
    why="Keep the index of the least number so far.",
)
argmaxAsReduce = rule(
    f"argmax (xs : (1+n).t) = fst (reduce greaterPair {_START})",
    why="Keep the index of the greatest number so far.",
)

#: the greatest number of type i64, used instead of the index of elements that are not searched for
_NONE = "(9223372036854775807 : i64)"


def _search(index_of_best: str, best: str, why: str) -> Rule:
    """A search for the least index of a number that equals the best one, or of a NaN, if the best one is NaN."""
    found = f"if (eq (snd p) best || ne (snd p) (snd p)) then indexAsInt (fst p) else {_NONE}"
    index = f"reduce min {_NONE} (map (fun(p => {found})) (zip (generate (fun(i => i))) ys))"
    start = "idx (0 : idx[1+n]) ys"
    return rule(
        f"{index_of_best} = (fun(ys => (fun(best => toIndex ({index})) ({best} ({start}) ys)))) xs",
        why=why,
    )


argminAsSearch = _search(
    "argmin (xs : (1+n).t)",
    "reduce min",
    "Find the least number, then its index, both with vector instructions.",
)
argmaxAsSearch = _search(
    "argmax (xs : (1+n).t)",
    "reduce max",
    "Find the greatest number, then its index, both with vector instructions.",
)


def hasShortIndices(bindings: Bindings) -> bool:
    """A known size, less than 2^31, so that all indices are numbers of type i32"""
    size = bindings.size("n").constant
    return size is not None and size < 1 << 31


#: the greatest number of type i32, used instead of the index of elements that are not searched for, in arrays whose
#: indices are less
_NONE_OF_32_BITS = "(2147483647 : i32)"


def _narrow_search(index_of_best: str, best: str, why: str) -> RuleFamily:
    """A search, with 32-bit indices, for the least index of a number that equals the best one, or of a NaN, if the best
    one is NaN.

    Arrays of at most k elements, and those with indices of more than 31 bits, are searched by `argmin` or `argmax`
    itself.
    """

    def least_index(condition: str) -> str:
        found = f"if {condition} then cast{{i32}}(indexAsInt (fst p)) else {_NONE_OF_32_BITS}"
        index = f"reduce min {_NONE_OF_32_BITS} (map (fun(p => {found})) (zip (generate (fun(i => i))) ys))"
        return f"toIndex (cast{{i64}}({index}))"

    last = "indexAsInt (fromEnd (0 : idx[1+n]))"
    is_searched = f"indexAsInt (natAsIndex(k) : idx[k+1]) <= {last} && {last} < (2147483647 : i64)"
    start = "idx (0 : idx[1+n]) ys"
    index = f"if eq best best then {least_index('eq (snd p) best')} else {least_index('ne (snd p) (snd p)')}"
    search = f"(fun(best => {index}) ({best} ({start}) ys))"
    return family(
        f"{index_of_best} (xs : (1+n).t)"
        f" = (fun(ys => if {is_searched} then {search} else {index_of_best} ys)) xs",
        parameters=("k",),
        why=why,
    )


argminAsNarrowSearch = _narrow_search(
    "argmin",
    "reduce min",
    "Find the least number, then its index in 32 bits, both with vector instructions.",
)
argmaxAsNarrowSearch = _narrow_search(
    "argmax",
    "reduce max",
    "Find the greatest number, then its index in 32 bits, both with vector instructions.",
)


def _by_size(name: str) -> RuleFamily:
    """Two copies of a search, the first one for arrays of at most k elements."""
    is_short = "indexAsInt (fromEnd (0 : idx[1+n])) < indexAsInt (natAsIndex(k) : idx[k+1])"
    return family(
        f"{name} (xs : (1+n).t) = if {is_short} then {name} xs else {name} xs",
        parameters=("k",),
        why="Choose at run time between two ways to search a row: for at most k elements, and for more.",
    )


def _short_search(index_of_best: str, best: str, why: str) -> Rule:
    """As `_search`, in an array of a known size, with 32-bit indices."""
    found = (
        "if (eq (snd p) best || ne (snd p) (snd p)) then cast{i32}(indexAsInt (fst p))"
        f" else {_NONE_OF_32_BITS}"
    )
    index = f"reduce min {_NONE_OF_32_BITS} (map (fun(p => {found})) (zip (generate (fun(i => i))) ys))"
    start = "idx (0 : idx[1+n]) ys"
    return rule(
        f"{index_of_best} (xs : (1+n).t)"
        f" = (fun(ys => (fun(best => toIndex (cast{{i64}}({index}))) ({best} ({start}) ys)))) xs",
        why=why,
        where=hasShortIndices,
    )


argminAsShortSearch = _short_search(
    "argmin", "reduce min", "Find the least number of a short array, then its index in 32 bits."
)
argmaxAsShortSearch = _short_search(
    "argmax", "reduce max", "Find the greatest number of a short array, then its index in 32 bits."
)
argminBySize = _by_size("argmin")
argmaxBySize = _by_size("argmax")

_CHOICE = "fun(a, b => if fst b {} fst a then b else a)"


def _skip(step: str, key: str, best: str, stays: str, why: str) -> Rule:
    """Skips blocks whose best number is no better than the best so far, since they change nothing."""
    return rule(
        f"reduce ({step}) acc xs = if (reduce {best} ({key} acc) (map {key} xs)) {stays} {key} acc"
        f" then acc else reduceSeq ({step}) acc xs",
        why=why,
        names=("acc",),
    )


_WHY = "Find the {} number alone, with vector instructions, and its index only if it is a new one."
skipUnlessGreater = _skip(_CHOICE.format(">"), "fst", "max", "<=", _WHY.format("greatest"))
skipUnlessLess = _skip(_CHOICE.format("<"), "fst", "min", ">=", _WHY.format("least"))
skipUnlessGreaterPair = _skip("greaterPair", "snd", "max", "<=", _WHY.format("greatest"))
skipUnlessLesserPair = _skip("lesserPair", "snd", "min", ">=", _WHY.format("least"))


_WHY_SEARCH = "Search a block only if its best number is a new one, and apart from earlier blocks."
skipOrSearchGreatest = rule(
    "reduce greaterPair acc (xs : (1+n).(idx[m], t))"
    " = if (reduce max (snd acc) (map snd xs)) <= snd acc then acc"
    " else greaterPair acc (idx (argmax (map snd xs)) xs)",
    why=_WHY_SEARCH,
    names=("acc",),
)
skipOrSearchLeast = rule(
    "reduce lesserPair acc (xs : (1+n).(idx[m], t))"
    " = if (reduce min (snd acc) (map snd xs)) >= snd acc then acc"
    " else lesserPair acc (idx (argmin (map snd xs)) xs)",
    why=_WHY_SEARCH,
    names=("acc",),
)
