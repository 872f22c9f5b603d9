"""The two compiled forms of a combinator are next to each other, in the files that the decision lists."""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
ENGINE: Final = ROOT / "elevate" / "engine"
(DECISION,) = (ROOT / "docs" / "decisions").glob("0023-*.md")
FORM: Final = re.compile(r"(\w+)_(call|start)")
#: other orders of children, whose direct forms are derived from the deferred ones
DEFERRED_ONLY: Final = "child_orders.py"


def forms(folder: Path) -> dict[str, list[str]]:
    """The names of the top-level functions that are compiled forms, in order, for each file."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        names = [one.name for one in body if isinstance(one, ast.FunctionDef) and FORM.fullmatch(one.name)]
        if names and path.name != DEFERRED_ONLY:
            found[path.name] = names
    return found


def apart(found: Mapping[str, Sequence[str]]) -> list[str]:
    """The combinators whose forms are in two files, or separated by a form of a combinator that has both."""
    places = {name: (file, at) for file, names in found.items() for at, name in enumerate(names)}
    both = {name.removesuffix("_call") for name in places if name.removesuffix("_call") + "_start" in places}
    wrong: list[str] = []
    for name in sorted(both):
        (file, direct), (other, deferred) = places[f"{name}_call"], places[f"{name}_start"]
        between = found[file][direct + 1 : deferred]
        if file != other or deferred < direct or any(FORM.sub(r"\1", one) in both for one in between):
            wrong.append(name)
    return wrong


def test_the_forms_of_a_combinator_are_next_to_each_other() -> None:
    found = forms(ENGINE)
    assert sum(map(len, found.values())) > 20
    assert apart(found) == []
    assert set(found) == set(
        re.findall(r"^\| `(\w+\.py)` \|", DECISION.read_text(encoding="utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize(
    "found",
    [
        {"a.py": ["all_call"], "b.py": ["all_start"]},
        {"a.py": ["all_start", "all_call"]},
        {"a.py": ["all_call", "one_call", "one_start", "all_start"]},
    ],
)
def test_separated_forms_are_found(found: dict[str, list[str]]) -> None:
    assert "all" in apart(found)


def test_a_variant_of_a_direct_form_may_be_in_between() -> None:
    assert apart({"a.py": ["seq_call", "guarded_seq_call", "seq_start"], "b.py": ["skip_start"]}) == []
