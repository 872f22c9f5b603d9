"""The library as a whole: at every small size, by examples, overlaps of rules, and the page that lists it."""

from itertools import pairwise
from pathlib import Path

import pytest

from elevate import StrategyError
from strategies import EquationRule, RuleFamily, registry, rule
from strategies.equations.examples import TEXTS, example
from strategies.rules import fusion, movement, shapes
from strategies.rules import let_floating as selection
from strategies.testing import overlaps, undone
from strategies.testing.sweeps import sweep
from tests.examples import SAMPLED, some
from tests.strategies.rules.rule_page import ROWS, page

ENTRIES = {entry.name: entry for entry in registry.rules().values()}
PAGE = Path("docs/rules.md")


def law_of(name: str) -> EquationRule:
    found = ENTRIES[name].rule
    return found.rule if isinstance(found, RuleFamily) else found


EQUATIONS = [name for name in ENTRIES if law_of(name).by is None]
NOT_SWEPT = {
    "localToGlobal": "asks for a size that is no number",
    "longToGlobal": "asks for a size that is no number",
    "largeToGlobal": "asks for arrays that are larger than those of sweeps",
    "sharedToGlobal": "asks for a size that is no number",
    **dict.fromkeys(("tileProductRounded", "tileProductAddRounded"), "asks for factors of f32"),
    "fragmentLoop": "fragments have no numbers in them yet",
    "fragmentLoopNested": "fragments have no numbers in them yet",
    "depMapToDepMapSeq": "rows differ in length",
    "depMapToDepMapPar": "rows differ in length",
    "depMapToDepMapGlobal": "rows differ in length",
    "depMapToDepMapBlock": "rows differ in length",
    "depMapToDepMapThreads": "rows differ in length",
    "depMapToDepMapWarp": "rows differ in length",
    "depMapToDepMapLane": "rows differ in length",
    "dmatchMake": "a value's type depends on a number",
    "scatterAddTables": "no sweep makes indices of blocks",
    "swapReduceSeq": "asks for a function that accumulates",
    "nameProducts": "asks for two sums of products",
    **dict.fromkeys(("storeRows", "storeRowsBefore", "pairsApart"), "asks for a sum of products"),
    **dict.fromkeys(("symmetricRest", "symmetricBlocks"), "asks for a symmetric sum of products"),
    "mapFstWritten": "is a function, and no value",
    "mapSndWritten": "is a function, and no value",
    "copyAsynchronously": "is a function, and no value",
    "etaReduction": "is a function, and no value",
    "writeOut": "is a function, and no value",
    "isolateReduction": "is a function, and no value",
    "etaAbstraction": "asks for a function that is not written out",
    **dict.fromkeys(
        ("packOperand", "packConverted", "nameConverted", "viewsInOperands", "viewsInPairs", "partsOfFirst"),
        "asks for a part that a predicate finds",
    ),
    **dict.fromkeys(
        ("partsOfSecond", "nameFirst", "nameSecond", "nameMatrix", "nameSum", "nameSums"),
        "asks for a part that a predicate finds",
    ),
    **dict.fromkeys(
        ("nameArray", "nameLoad", "nameLoadedArray", "convertFirst", "convertSecond", "convertBefore"),
        "asks for a part that a predicate finds",
    ),
    **dict.fromkeys(("convertBeforeColumns", "nameUnconverted", "padConverted"), "asks for a conversion"),
    **dict.fromkeys(("startFromNone", "combineSteps"), "asks for a step that a predicate knows"),
    **dict.fromkeys(("separateDotHV", "separateDotVH"), "asks for a step that a predicate knows"),
    **dict.fromkeys(("symmetricRest", "symmetricBlocks"), "asks for a number that is symmetric in two rows"),
    "startAtZero": "asks for a converted number",
    **dict.fromkeys(
        ("partsOfRows", "partsBesideRows", "namePartsOfRows", "nameRowsOfNest", "nameColumnsOfNest"),
        "asks for a part that a predicate finds",
    ),
    **dict.fromkeys(
        ("nameLoop", "nameGenerated", "storeSplitRows"), "asks for a part that a predicate finds"
    ),
    "weightsAsProducts": "asks for weights that are known numbers",
    "padRepeated": "asks for a row of equal elements",
}
"""The rules that no sweep reaches; random instances test them."""


@pytest.mark.parametrize("name", some(EQUATIONS, 40))
def test_a_rule_has_instances_at_small_sizes(name: str) -> None:  # `check` tests all rules at all of them
    assert (sweep(ENTRIES[name].rule) > 0) == (name not in NOT_SWEPT)


PUBLISHED = "split k (slide u s (xs : (s * (k * m - 1) + u).e)) = map (slide u s) (slide (k + u - s) k xs)"
unordered = rule("join (map transpose xs) = join xs", why="Wrong where rows and columns are not alike.")


def test_a_sweep_finds_the_size_at_which_a_rule_is_wrong() -> None:
    with pytest.raises(StrategyError, match=r"unordered changes what a program computes where"):
        sweep(unordered)


def test_the_slide_rule_as_published_has_no_type() -> None:
    with pytest.raises(Exception, match=r"in the equation of the rule at .*test_rule_library\.py:"):
        rule(PUBLISHED, why="Wrong for every step but 1: as it was published.")


def test_every_rule_has_an_example() -> None:
    for name, entry in ENTRIES.items():
        shown = example(entry.rule)
        assert shown is not None, name
        assert shown.before.type == shown.after.type, name
        assert shown.before != shown.after, name
        assert not (shown.after.free - shown.before.free), name


def test_texts_of_examples_belong_to_rules() -> None:
    assert TEXTS.keys() <= ENTRIES.keys()


CIRCLES = {
    ("mapFission", "mapFusion"),
    ("mapLastFission", "mapFusion"),
    ("reduceMapFission", "reduceSeqMapFusion"),
    ("interchange", "columnsFirst"),
    ("columnsFirst", "interchange"),
    ("transposeTwice", "transposeTranspose"),
    ("splitOfJoin", "splitJoinCancel"),
    ("idAfter", "removeId"),
    ("removeId", "idAfter"),
    ("mapIdentity", "copy"),
    ("copy", "mapIdentity"),
    ("vectorizeAfter", "asScalarAsVector"),
    ("vectorizeAlignedAfter", "asScalarAsVectorAligned"),
    ("joinSplitArray", "joinSplit"),
    ("isolateReduction", "betaReduction"),
    ("packOperand", "betaReduction"),
    ("nameFirst", "betaReduction"),
    ("etaReduction", "writeOut"),
    ("writeOut", "etaReduction"),
    ("etaAbstraction", "etaReduction"),
    ("mapSelect", "selectCall"),
    ("takeSelect", "selectCall"),
    ("dropSelect", "selectCall"),
}
"""Pairs that do not terminate in one `normalize`: a strategy has only one rule of each pair."""


def test_rules_that_undo_each_other_are_known() -> None:
    known = {name for pair in CIRCLES for name in pair}
    rules = (entry.rule for name, entry in ENTRIES.items() if not SAMPLED or name.rpartition(":")[2] in known)
    assert {(_base(a), _base(b)) for a, b in undone(rules)} >= CIRCLES


def _base(law: EquationRule) -> str:
    return law.name.partition("(")[0]


def test_overlaps_at_the_root_and_inside() -> None:
    found = overlaps([fusion.mapFusion, movement.splitJoin, movement.joinSplit, shapes.joinJoin])
    said = {(_base(one.outer), _base(one.inner), one.path) for one in found}
    assert ("mapFusion", "splitJoin", ()) in said
    assert ("mapFusion", "mapFusion", (1,)) in said
    assert ("mapFusion", "mapFusion", ()) not in said
    assert ("joinJoin", "joinSplit", ()) not in said
    assert ("joinJoin", "joinJoin", (1,)) in said
    assert str(found[0])


def test_overlaps_of_rules_by_a_function_are_unknown() -> None:
    assert overlaps([selection.betaPair, shapes.idAfter]) == ()


def test_the_page_of_rules_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "python -m tests.strategies.rules.rule_page regenerates it"
    )


def test_the_page_names_only_existing_rules() -> None:
    for row in ROWS:
        for name in row.ours:
            assert name.removesuffix(".inv") in ENTRIES, row
            if name.endswith(".inv"):
                assert law_of(name.removesuffix(".inv")).inv
        assert row.ours or row.note, row


def test_rows_are_grouped_by_theme() -> None:
    themes = [row.theme for row in ROWS]
    assert len(set(themes)) == 1 + sum(a != b for a, b in pairwise(themes))
