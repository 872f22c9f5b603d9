"""Turns tiles into fragments (GPGPU 2022, section 4): products on tensor cores, loops and epilogues over them."""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from rise.primitives import applied, with_trait
from rise.terms import App, Expr, Lam, spine
from rise.types import F32, ArrayType, Type, is_data
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.conversions import isConversion

LOADS = applied(with_trait("loads"))


def isLoad(e: Expr) -> bool:
    """A factor that is loaded into a fragment."""
    return e.root in LOADS


def isConvertedNumber(e: Expr) -> bool:
    """A converted number."""
    return isinstance(e, App) and isConversion(e.fun)


def isMoreThanLoad(e: Expr) -> bool:
    """A value other than a loaded factor."""
    return is_data(e.type) and not isLoad(e)


def isLoadedArray(e: Expr) -> bool:
    """A map that loads a fragment from each matrix of an array."""
    if e.root != ("map", 2):
        return False
    _, (function, _) = spine(e)
    return isinstance(function, Lam) and isLoad(function.body)


def isMoreThanLoadedArray(e: Expr) -> bool:
    """A value other than a map that loads fragments."""
    return is_data(e.type) and not isLoadedArray(e)


tileProduct = rule(
    "map (fun(a => map (fun(b =>"
    " reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) 0.0 (zip a b))) bTile)) aTile"
    " = asMatrix (tensorMatMulAdd (asFragmentA aTile) (asFragmentB (transpose bTile)) (generateFragment 0.0))",
    why="Compute a tile's product with one instruction of a warp (listing 4).",
    float_class=FloatClass.REASSOCIATING,
    names=("aTile", "bTile"),
)
tileProductAdd = rule(
    "map (fun(q => map (fun(r =>"
    " reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) (fst r) (zip (snd q) (snd r))))"
    " (zip (fst q) bTile))) (zip cTile aTile)"
    " = asMatrix (tensorMatMulAdd (asFragmentA aTile) (asFragmentB (transpose bTile)) (asFragmentAcc cTile))",
    why="Add a tile's product to a tile with one instruction of a warp.",
    float_class=FloatClass.REASSOCIATING,
    names=("aTile", "bTile", "cTile"),
)
_PLAIN: Final = (
    "map (fun(a => map (fun(b => reduceSeq (fun(acc, ab => acc + fst ab * snd ab)) 0.0 (zip a b))) bTile)) aTile"
    " = asMatrix (tensorMatMulAdd (asFragmentA aTile) (asFragmentB (transpose bTile)) (generateFragment 0.0))"
)
_ADD_PLAIN: Final = (
    "map (fun(q => map (fun(r =>"
    " reduceSeq (fun(acc, ab => acc + fst ab * snd ab)) (fst r) (zip (snd q) (snd r))))"
    " (zip (fst q) bTile))) (zip cTile aTile)"
    " = asMatrix (tensorMatMulAdd (asFragmentA aTile) (asFragmentB (transpose bTile)) (asFragmentAcc cTile))"
)


def isRounded(bindings: Bindings) -> bool:
    """Factors of f32, which tensor cores round to tf32"""
    t: Type = bindings.term("aTile").type
    while isinstance(t, ArrayType):
        t = t.element
    return t == F32


def isExact(bindings: Bindings) -> bool:
    """Factors of another type than f32, which tensor cores would round to tf32"""
    return not isRounded(bindings)


tileProductPlain = rule(
    _PLAIN,
    why="Compute a tile's product whose sums have the type of its factors with one instruction.",
    float_class=FloatClass.REASSOCIATING,
    names=("aTile", "bTile"),
    where=isExact,
)
tileProductAddPlain = rule(
    _ADD_PLAIN,
    why="Add a product to a tile of the factors' type with one instruction.",
    float_class=FloatClass.REASSOCIATING,
    names=("aTile", "bTile", "cTile"),
    where=isExact,
)
tileProductRounded = rule(
    _PLAIN,
    why="Compute a tile's product of f32 with one instruction, which rounds factors to tf32, to 11 significant bits.",
    float_class=FloatClass.APPROXIMATE,
    names=("aTile", "bTile"),
    where=isRounded,
)
tileProductAddRounded = rule(
    _ADD_PLAIN,
    why="Add a product of f32 to a tile with one instruction, which rounds the factors to tf32.",
    float_class=FloatClass.APPROXIMATE,
    names=("aTile", "bTile", "cTile"),
    where=isRounded,
)
startAtZero = rule(
    "reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) i xs"
    " = i + reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) 0.0 xs",
    why="Add a converted number at the end: fragments start with values loaded from memory without conversion.",
    float_class=FloatClass.REASSOCIATING,
    of={"i": isConvertedNumber},
)
fragmentLoop = rule(
    "reduceSeq (fun(tile, x => asMatrix (f (asFragmentAcc tile)))) i xs"
    " = asMatrix (reduceSeq (fun(fragment, x => f fragment)) (asFragmentAcc i) xs)",
    why="Keep the accumulator in its fragment from one step of the loop to the next.",
)
fragmentLoopNested = rule(
    "reduceSeq (fun(tile, x => asMatrix (reduceSeq g (asFragmentAcc tile) (ys)))) i xs"
    " = asMatrix (reduceSeq (fun(fragment, x => reduceSeq g fragment (ys))) (asFragmentAcc i) xs)",
    why="Keep the accumulator in its fragment from one step of an outer loop to the next.",
)
constantFragment = rule(
    "asFragmentAcc (map (fun(x => map (fun(y => c)) ys)) xs) = generateFragment c",
    why="Fill a fragment with a constant, without a matrix of it.",
)
mapFragmentOut = rule(
    "map (fun(row => map f row)) (asMatrix a) = asMatrix (mapFragment f a)",
    why="Process the elements where they are, in registers.",
)
zipFragmentOut = rule(
    "map (fun(p => map (fun(q => f)) (zip (fst p) (snd p)))) (zip (asMatrix a) c)"
    " = asMatrix (zipFragment (fun(x, y => (fun(q => f)) (pair x y))) a (asFragmentAcc c))",
    why="Combine a result with another matrix in registers: alpha * ab + beta * c.",
)
besideColumn = rule(
    "map (fun(p => map (fun(x => f)) (fst p))) (zip xs v)"
    " = map (fun(p => map (fun(q => (fun(p, x => f)) (pair (fst p) (snd q)) (fst q)))"
    " (zip (fst p) (generate (fun(i => snd p)))))) (zip xs v)",
    why="Pair each element of a row with the number that belongs to the row.",
)
repeatColumn = rule(
    "map (fun(p => map f (zip (fst p) (generate (fun(i => snd p)))))) (zip (asMatrix a) v)"
    " = map (fun(r => map f (zip (fst r) (snd r)))) (zip (asMatrix a) (transpose (generate (fun(i => v)))))",
    why="Repeat a vector with a number for each row as a matrix, to combine it with a result in registers.",
)
besideRow = rule(
    "map (fun(p => map (fun(q => f)) (ys))) xs"
    " = map (fun(row => map (fun(pq => (fun(p, q => f)) (fst pq) (snd pq))) row))"
    " (map (fun(p => zip (generate (fun(i => p))) (ys))) xs)",
    why="Pair each element with everything that its function reads, so that elements can be reordered.",
)
#: `rows` lines, in parts of `width` columns, as an array of the parts that each lane works on
_OF_LANES = (
    "join (map (fun(x => transpose x)) (transpose"
    " (map (fun(x => map (fun(row => split width row)) x)) (split rows xs))))"
)
inLanes = family(
    "map (fun(row => map f row)) xs"
    " = join (map (fun(x => map (fun(row => join row)) x)) (transpose (map (fun(x => transpose x)) (split lanes"
    f" (map (fun(lane => map (fun(part => map f part)) lane)) ({_OF_LANES}))))))",
    parameters=("rows", "lanes", "width"),
    why="Let each lane work on `width` adjacent elements of the lines g, g + rows, g + 2 * rows, and so on.",
)
storeTogether = family(
    "map f (xs : v.s)"
    " = asScalar (mapSeqUnroll (fun(x => x)) (asVectorAligned v (toMem(Local, mapSeqUnroll f xs))))",
    parameters=("v",),
    why="Compute adjacent elements one by one, and store them together.",
)
nameLoad = rule(
    "f[e] = (fun(factor => f[factor])) e",
    why="Name a factor that is loaded in a loop, so that it can be loaded before the loop.",
    of={"f": isMoreThanLoad, "e": isLoad},
)
nameLoadedArray = rule(
    "f[e] = (fun(factors => f[factors])) (e : n.t)",
    why="Name the factors that a nest of loops loads, so that each is loaded once.",
    of={"f": isMoreThanLoadedArray, "e": isLoadedArray},
)
