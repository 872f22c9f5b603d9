"""The page `docs/rules.md`: which rules of the papers correspond to which of ours, and all rules with their equations.

`python -m tests.strategies.rules.rule_page` rewrites it, and adds new rules to the list of their addresses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from elevate import StrategyError
from strategies import EquationRule, RuleFamily, registry
from strategies.equations.rule import sentence
from strategies.saved_derivations import known_rules


class Row(NamedTuple):
    """A rule of ELEVATE, Shine or Lift, the corresponding rule here, and a remark."""

    theme: str
    original: str
    ours: tuple[str, ...]
    note: str = ""


def _rows(theme: str, *rows: tuple[str, str] | tuple[str, str, str]) -> list[Row]:
    return [Row(theme, row[0], tuple(row[1].split()), row[2] if len(row) > 2 else "") for row in rows]


ROWS = [
    *_rows(
        "Functions",
        (
            "betaReduction, gentleBetaReduction",
            "betaReduction gentleBeta callAtSize betaPair callInside sizeInside callFunction",
        ),
        ("etaReduction, etaAbstraction", "etaReduction writeOut etaAbstraction etaAbstractionFold"),
        ("fst, snd of a pair", "fstPair sndPair pairEta mapFstWritten mapSndWritten"),
        ("idx of makeArray", "idxMakeArray idxGenerate idxMap idxZip"),
        ("makeArray, select hoists", "mapMakeArray mapGenerate mapSelect selectCall takeSelect dropSelect"),
    ),
    *_rows(
        "Maps and reductions",
        ("splitJoin(n)", "splitJoin splitJoin.inv splitJoinPadded splitJoinEmpty"),
        ("splitJoin2(n)", "joinSplitArray joinSplit", "split and join cancel, in both orders"),
        (
            "splitJoin1M to splitJoin6M",
            "splitJoin",
            "below maps by a traversal such as `fmap`, instead of copies of the rule",
        ),
        ("mapFusion", "mapFusion mapFission mapFusion.inv"),
        ("mapLastFission", "mapLastFission mapFission"),
        ("mapFirstFission", "mapFirstFission"),
        ("mapFullFission", "mapLastFission", "`normalize(mapLastFission)`"),
        ("reduceMapFusion, fuseReduceMap", "reduceMapFusion reduceSeqMapFusion"),
        ("reduceMapFission", "reduceMapFission reduceSeqMapFusion.inv"),
        (
            "blockedReduce(n)",
            "blockedReduce splitReduceSeq reduceParts splitReduce stripReduce",
            "requires an associative operation and its neutral element, which the original does not",
        ),
        ("liftReduce", "liftReduce liftReduceSeq", "inputs of pairs and arrays too: the functions are any"),
        ("interchange of reductions", "sinkReduceSeq swapReduceSeq"),
    ),
    *_rows(
        "Split, join, transpose",
        ("idAfter, liftId, idToCopy", "idAfter liftId idToCopy removeId"),
        ("createTransposePair, removeTransposePair", "createTransposePair transposeTranspose transposeTwice"),
        ("`**f >> T` and `T >> **f`", "transposeMapMap transposeMapMap.inv transposeMapInner"),
        ("transposeAroundMapMap, and 1M to 5M", "transposeAround columnsFirst", "deeper by a traversal"),
        ("`*f >> S` and `S >> **f`", "splitMap splitMap.inv"),
        ("`J >> *f` and `**f >> J`", "mapJoin mapJoin.inv joinBatch"),
        ("`T >> S`", "transposeBeforeSplit"),
        ("`T >> *S`", "transposeBeforeMapSplit"),
        ("`*S >> T`", "mapSplitBeforeTranspose"),
        ("`J >> T`", "joinBeforeTranspose"),
        ("`T >> *J`", "transposeBeforeMapJoin"),
        ("`*T >> J`", "mapTransposeBeforeJoin"),
        ("`*J >> T`", "mapJoinBeforeTranspose"),
        ("`J >> J` and `*J >> J`", "joinJoin joinJoin.inv"),
        ("`S >> J`, `J >> S`", "joinSplit splitJoinCancel splitOfJoin", "the original cancels neither"),
    ),
    *_rows(
        "Windows",
        (
            "slideBeforeSplit",
            "splitSlide",
            "of any step: a tile is (t - 1) s + u long; the original's is right for s = 1 only",
        ),
        ("slideBeforeSlide", "slideBeforeSlide"),
        ("slideBeforeMap", "slideMap slideMap.inv"),
        (
            "slideOverlap(u)",
            "slideOverlap",
            "tiles of t windows: (u - n) % m = 0 and (len - u) % v = 0 hold by its sizes",
        ),
        ("takeBeforeSlide, dropBeforeSlide", "takeSlide dropSlide"),
        ("takeInSlide, dropInSlide", "takeInSlide dropInSlide"),
        ("padEmptyBeforeSlide", "padEmptySlide"),
        ("slide of transposed", "transposeWindows transposeWindowsMapped transposeSlides slideFission"),
        (
            "separateDotHV, separateDotVH",
            "separateDotHV separateDotVH",
            "the program states that its weights are products",
        ),
        ("separateSumHV, separateSumVH", "separateSumHV separateSumVH"),
        (
            "circularBuffer, rotateValues",
            "slideToCircularBuffer slideToRotateValues bufferMap rotateMap slideToLineBuffer",
        ),
    ),
    *_rows(
        "Zips, takes, pads",
        (
            "zipSame, zipSwap, zipRotateLeft, zipRotateRight",
            "zipSame zipAgain zipSwap zipRotateLeft zipRotateRight",
        ),
        ("mapOutsideZip, mapOutsidePair", "mapOutsideZip zipMapFst zipMapSnd mapOutsidePair"),
        ("slideInsideZip, slideOutsideZip", "slideInsideZip slideOutsideZip"),
        ("unzipZip", "unzipZip zipUnzip mapFstZip mapSndZip narrowZip"),
        ("splitBeforeZip, transposeBeforeZip", "splitZip transposeZip zipBroadcast"),
        ("takeBeforeMap, dropBeforeMap", "mapTake mapTake.inv mapDrop mapDrop.inv"),
        ("takeBeforeJoin, dropBeforeJoin", "takeBeforeJoin dropBeforeJoin"),
        ("takeOutsideZip, takeInsideZip and of drop", "takeZip takeZip.inv dropZip dropZip.inv"),
        ("take, drop of select", "takeSelect dropSelect"),
        ("take, drop of transpose", "takeTranspose dropTranspose"),
        (
            "pad past map, zip, transpose",
            "padMap padZip padTranspose padConstantMap padConstantZip padEmptyMap padEmptyZip padEmptyTranspose",
        ),
        ("takeAll, dropNothing, padNothing", "takeAll padNothing padCstNothing padEmptyNothing"),
    ),
    *_rows(
        "Vectors",
        ("vectorize(n)", "vectorizeAfter vectorOperation"),
        ("vectorize.after, alignedAfter", "vectorizeAfter vectorizeAlignedAfter"),
        ("vectorize.roundUpAfter", "vectorizeRoundUpAfter", "fails under its own name"),
        ("vectorize.beforeMap, beforeMapReduce, beforeMapDot", "vectorOperation liftReduceSeq stripReduce"),
        (
            "`asScalar >> asVector`",
            "asVectorAsScalar asVectorAlignedAsScalar asScalarAsVector asScalarAsVectorAligned",
        ),
        ("asScalarOutsideZip", "asScalarOutsideZip", "of a zip; the original matches a pair and never fires"),
        (
            "alignSlide, mapAfterShuffle",
            "vectorsOfWindows",
            "windows of numbers from windows of two vectors; the shuffle is `drop` and `take` of their numbers",
        ),
    ),
    *_rows(
        "Lowering",
        ("mapSeq, mapSeqUnroll, mapPar", "mapToMapSeq mapToMapSeqUnroll mapToMapPar"),
        ("mapSeqCompute, mapParCompute", "mapToMapSeq mapToMapPar", "`where(isComputed) >> mapToMapSeq`"),
        (
            "mapGlobal and other levels",
            "mapToMapGlobal mapToMapBlock mapToMapThreads mapToMapWarp mapToMapLane",
        ),
        ("mapStream, iterateStream", "mapToMapStream mapToIterateStream"),
        ("reduceSeq, reduceSeqUnroll", "reduceToReduceSeq reduceSeqToUnroll scanToScanSeq"),
        ("toMem after and before", "toMemLocal toMemShared toMemGlobal callToLet letToCall"),
        ("copyAfterReduce, copyAfterGenerate, copyAfterReduceInit", "copy"),
        ("storeInMemory(what, how)", "packOperand packConverted", "a strategy, not a rule"),
        (
            "subexpressionElimination(find)",
            "isolateReduction nameFirst nameSecond nameWhole nameLoad nameLoadedArray nameSum nameSums",
        ),
        ("tile, reorder(perm), interchange", "interchange interchangeDependent", "strategies, not rules"),
    ),
]


def page() -> str:
    """The text of the page."""
    lines = [HEAD, "## Rules of the papers", ""]
    theme = ""
    for row in ROWS:
        if row.theme != theme:
            theme = row.theme
            lines += ["", f"### {theme}", "| there | here | |", "|---|---|---|"]
        ours = ", ".join(f"`{name}`" for name in row.ours) or "none"
        lines.append(f"| {row.original} | {ours} | {row.note} |")
    lines += ["", "## All rules", ""]
    module = ""
    for entry in registry.rules().values():
        if entry.address.partition(":")[0] != module:
            module = entry.address.partition(":")[0]
            said = next(one.__doc__ or "" for one in registry.RULE_MODULES if one.__name__ == module)
            lines += ["", f"### {module}", said.splitlines()[0], ""]
        called = f"{entry.name}({', '.join(entry.parameters)})" if entry.parameters else entry.name
        lines.append(f"- `{called}` ({entry.float_class}{_inverse(entry)}): {entry.why}")
        lines.append("  " + ", also ".join(f"`{one}`" for one in _equations(entry)))
        lines += [f"  - {one}" for one in _predicates(entry)]
    return "\n".join(lines) + "\n"


def _equations(entry: registry.RuleEntry) -> tuple[str, ...]:
    law = _law(entry)
    return (law.equation, *law.also)


def _predicates(entry: registry.RuleEntry) -> list[str]:
    """The conditions on the terms that metavariables stand for."""
    return [f"`{name}`: {sentence(asked)}" for name, asked in _law(entry).of]


def _law(entry: registry.RuleEntry) -> EquationRule:
    return entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule


def _inverse(entry: registry.RuleEntry) -> str:
    try:
        return f", `{entry.rule.inv}`"
    except StrategyError:
        return ""


HEAD = """# Rules
Every rule is an equation, applied from left to right; `.inv` applies it from right to left. This page shows how to
write, test and prove a rule, and then lists the [rules of the papers](#rules-of-the-papers) and [all
rules](#all-rules) of the library. It is generated by `python -m tests.strategies.rules.rule_page`.

## Writing a rule
```python
from elevate import FloatClass
from strategies import family, rule

mapFusion = rule("map f (map g xs) = map (f . g) xs", why="Walk the array once.")
blocks = family(
    "map f (xs : (m * t).e) = join (map (map f) (split t xs))",
    parameters=("t",),
    why="Cut a loop into blocks of t.",
)
```

A name that is not a primitive is a metavariable, which matches any term; so are the size and the type in
`(xs : n.t)`. Both sides must have the same type. The right side uses only names of the left side; sizes that it chooses
are the `parameters` of a family, and `compute=` computes others. `where=` takes conditions on what the metavariables
match. A rule that changes rounding must state this: `float_class=` is exact if it is omitted, else contracting,
reassociating or approximate. [strategies.md](strategies.md) has the details.

## Testing a rule
`check` evaluates both sides at all small sizes and on random instances, including the edge cases of every type:

```python
from strategies.testing import check

check(mapFusion)
check(blocks)
```

For a wrong rule, `check` reports a counterexample with named sizes, and a snippet that reproduces it. It also fails if
it could not exercise the rule.

Programs with a redex are drawn for tests of your own, by [Hypothesis](https://hypothesis.readthedocs.io). A failed test
prints the program before and after the step, and the arguments:

```python
import numpy as np
from hypothesis import given
from strategies.testing import redex


@given(redex(mapFusion))
def test_fusion_changes_no_bit(found):
    before, after = (rise.evaluate(e, *found.arguments) for e in (found.program, found.contracted))
    assert np.array_equal(before, after, equal_nan=True)
```

With `pytest_plugins = ["strategies.pytest_plugin"]` in the `conftest.py` at the root, pytest collects the rules of
files that match a pattern in its configuration, `rise_rules = *_rules.py`: each rule is a test, which proves it, or
else tests it with `check`.

## Proving a rule
`prove` proves that a rule holds for all sizes, all types and all inputs:

```python
from strategies.proof import prove

assert prove(mapFusion)[0].is_proved
assert prove(blocks)[0].is_proved
wrong = rule("transpose (map (map f) xs) = map (map f) xs", why="It is wrong.")
assert not prove(wrong)[0].is_proved
```

`shine prove FILE.py` does both for the rules in a file: it proves them, and tests those that it cannot prove. There is
one verdict for each equation of a rule. *Proved* means three things:

1. both sides have the same type;
2. the right side computes the same as the left side wherever the latter is specified; elements that the left side
   leaves unspecified may be anything. Errors of scalar functions, such as a division by zero, are not compared;
3. the right side has no requirements on sizes that the left side does not have, except that a parameter of a family is
   not 0, and requirements that the rule states: `demands=("t divides n",)`. An array of `m * t` elements on the left
   side, as in `blocks`, is not such a requirement: the equation is about these sizes. `check` refutes a rule whose
   right side violates a requirement that is not stated, at sizes at which the left side is valid.

*Not proved* means only that the proof stopped at the reported place; the rule may nevertheless hold. The prover
understands views, maps, reductions and scans. About numbers and functions it knows that operations such as `add`
commute and, for a reassociating rule, the laws that the rule's conditions ensure:
`@ensures((Operator("f", neutral="i", commutes=True),))` of `strategies.equations.laws` on a predicate states that
where it holds, f is associative and commutative, and i is its neutral element. `Form("f", "fun(a, z => a + g z)")`
states of which form the term of f is; g is any term. The verdict lists the laws that the
proof needs. A rule that is computed by a function (`by=`) has no equation that could be proved.

Laws of numbers, such as `x * 1.0 = x`, hold at some types only. With `scalars=True`, an equation that is not proved
for all types is tried at each scalar type of its numbers: by Z3, if it is installed (`pip install
'rise-shine[prove]'`), and by all numbers of types of at most 16 bits. The verdict names the types, and for a wrong law,
code that evaluates both sides on numbers that show it:

```python
halved = rule("(x : i8) * 2 = x + x", why="It wraps.")
assert prove(halved, scalars=True)[0].types == ("i8",)
rounded = rule("(x : i8) / 2 * 2 = x", why="It is wrong.")
assert "rise.evaluate" in prove(rounded, scalars=True)[0].counterexample
```

`shine prove` does so. [Decision 0027](decisions/0027-proofs.md) has the reasons and the lemmas, and
[proofs.md](proofs.md) the verdict on each rule of the library.

`shine list rules` shows the library with an example of each rule, `shine list rules --proofs` with verdicts, and `shine
list rules transpose` only rules that mention a word. The float class of a rule is given in parentheses below.
"""

#: the addresses of the rules of this and all earlier versions, which saved derivations may name
ADDRESSES: Final = Path(__file__).resolve().parents[2] / "data" / "derivations" / "addresses.txt"


def addresses() -> set[str]:
    """The addresses in the list."""
    return set(ADDRESSES.read_text(encoding="utf-8").split())


if __name__ == "__main__":
    Path("docs/rules.md").write_text(page(), encoding="utf-8")
    ADDRESSES.write_text(
        "".join(f"{one}\n" for one in sorted(addresses() | known_rules().keys())), encoding="utf-8"
    )
