"""Law of names: properties of several primitives are stated in their records, and not repeated in other lists.

Outside of `rise/primitives` no literal collection, no chain of comparisons and no `match` names two or more primitives,
except in the places in named_primitives.py, each with its reason. Independent of primitives.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.laws.named_primitives import LET_THROUGH
from tests.laws.primitive_names import ROOT, findings, idle, unexcused


def test_the_packages_name_primitives_only_in_their_records() -> None:
    found = findings(ROOT)
    assert unexcused(found, LET_THROUGH) == []
    assert idle(found, LET_THROUGH) == []
    assert all(reason.strip() for reason in LET_THROUGH.values())


BREAKS: Final = [
    'WRITABLE = frozenset({"split", "join"})',
    'WRITABLE = {"split", *("join", "zip")}',
    'LOOPS = ["mapSeq", "mapPar"]',
    'ROOTS = (("mapSeq", 2), ("mapPar", 2))',
    'COUNTS = {"map": 1, "reduce": 2}',
    'LOWER = {"high": "map", "low": "mapSeq"}',
    "COUNTS = dict(map=1, reduce=2)",
    'COUNTS = dict.fromkeys(["map", "reduce"], 1)',
    'NAMES = set(("map", "reduce")) - OTHERS',
    'NAMES = {"map"} | {"reduce"} | OTHERS',
    'NAMES = frozenset("map reduce scan".split())',
    'Name = Literal["add", "min"]',
    'maps = Applied("maps", ("map", "mapSeq"), 2)',
    """
class A:
    NAMES = ("map", "reduce")
""",
    """
def f(e):
    return e.root in (("fst", 1), ("snd", 1))
""",
    """
def f(name):
    return name == "map" or name == "reduce"
""",
    """
def f(name):
    return not (name != "map" and name != "reduce")
""",
    """
def f(e):
    return e.root == ("map", 2) or (e.root == ("reduce", 3) and e.loose)
""",
    """
def f(name):
    if name == "map":
        return 1
    elif name == "reduce":
        return 2
""",
    """
def f(name):
    if name == "map":
        return 1
    if name == "reduce":
        return 2
    return 3
""",
    """
def f(names):
    for name in names:
        if name == "map":
            continue
        if name == "scan":
            break
""",
    """
def f(name):
    return 1 if name == "map" else 2 if name == "reduce" else 3
""",
    """
def f(name):
    match name:
        case "map" | "reduce":
            return 1
""",
    """
def f(name):
    match name:
        case "map":
            return 1
        case "reduce":
            return 2
""",
    """
def f(e):
    match e:
        case App(Primitive("map"), function):
            return function
        case App(Primitive("mapSeq"), function):
            return function
""",
    """
def f(e):
    match e:
        case App(Primitive("fst" | "snd" as name), _):
            return name
""",
    """
convert = rule("map f xs = mapSeq f xs", by=_convert)

def other(e):
    return e.name in ("map", "mapSeq")
""",
    'FIRST = "map"\nOTHER = "reduce"\nNAMES = {FIRST, OTHER}',
    'NAMES = set("map,reduce".split(","))',
    'NAMES = set(["map"]).union(["reduce"])',
    'NAMES = re.compile("map|reduce|scan")',
    'TABLE = {}\nTABLE["map"] = 1\nTABLE["reduce"] = 2',
    'roots = applied_to("map", "reduce")',
    """
class Kind(Enum):
    FIRST = "map"
    SECOND = "reduce"
""",
    """
def f(name):
    return "map" == name or "reduce" == name
""",
    """
def f(name):
    return name in "map reduce"
""",
    """
def f(name):
    return name.startswith("map") or name.startswith("reduce")
""",
    """
def f(names):
    names.add("map")
    log(names)
    names.add("reduce")
""",
    """
def f(name):
    cost = 0
    if name == "map":
        cost = 1
    log(cost)
    if name == "reduce":
        cost = 2
    return cost
""",
    """
def f(name):
    if name != "map":
        if name != "reduce":
            return 1
""",
    """
def f(e):
    match e:
        case App(function) if function.name == "map":
            return 1
        case App(function) if function.name == "reduce":
            return 2
""",
    """
def f(name):
    try:
        if name == "map":
            return 1
        if name == "reduce":
            return 2
    finally:
        pass
""",
]
ALLOWED: Final = [
    'SPACES = ("Global", "Local")',
    'SOME = ("map", "no primitive")',
    '__all__ = ["map", "reduce"]',
    'mapFusion = rule("map f (map g xs) = map (f . g) xs", why="One loop.")',
    'isMap = where(isAppliedMap, roots=[("map", 2)])',
    'MAPS = (Translation("mapSeq", "a -> a"), Translation("mapPar", "a -> a"))',
    """
def f(e):
    return e.root == ("map", 2) and e.arg.root == ("split", 1)
""",
    """
def f(e, name):
    if e.root == ("map", 2):
        e = e.arg
    return name == "split"
""",
    """
def f(e):
    match e:
        case App(Primitive("idx"), App(Primitive("asVector"), xs)):
            return xs
""",
    """
def f(e):
    return apply(primitive_at("zip", ()), primitive_at("transpose", ()))
""",
    """
def _convert(e):
    match e.name:
        case "map" | "reduceSeq":
            return e

convert = rule("map f xs = xs, and alike", by=_convert, roots=(("map", 2), ("reduceSeq", 3)))
""",
    """
def _made(count):
    def make(e):
        return e.name in ("map", "reduce")
    return make

made = family("map f xs = xs", by=_made(2))
""",
    """
def f(e):
    if e.root == ("map", 2):
        e = e.arg
    if e.root == ("split", 1):
        e = e.arg
    return e
""",
    'FIRST = "map"\nOTHER = "reduce"',
    'raise_error("map reduces nothing here", "reduce")',
]


def plant(root: Path, text: str, file: str = "strategies/a.py") -> Path:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize("text", BREAKS)
def test_a_list_outside_of_the_records_is_found(tmp_path: Path, text: str) -> None:
    ((found,), place) = findings(plant(tmp_path, text)), "strategies/a.py"
    assert found.file == place
    assert unexcused([found], {}) == [str(found)]
    assert unexcused([found], {place: "for a reason"}) == unexcused([found], {found.place: "for one"}) == []


@pytest.mark.parametrize("text", ALLOWED)
def test_code_that_is_not_a_list_passes(tmp_path: Path, text: str) -> None:
    assert findings(plant(tmp_path, text)) == []


def test_records_and_generated_files_may_name_several_primitives(tmp_path: Path) -> None:
    plant(tmp_path, 'NAMES = ("map", "reduce")', "rise/primitives/patterns.py")
    plant(tmp_path, '# generated by tools/make.py\nNAMES = ("map", "reduce")', "rise/text/tables.py")
    assert findings(tmp_path) == []


def test_an_exception_that_is_not_needed_is_found(tmp_path: Path) -> None:
    found = findings(plant(tmp_path, 'NAMES = ("map", "reduce")'))
    assert idle(found, {"strategies/a.py:NAMES": "for a reason", "strategies/a.py": "for one"}) == []
    assert idle(found, {"strategies/a.py:OTHERS": "for a reason"}) != []
    assert idle(found, {"strategies/b.py": "for a reason"}) != []
