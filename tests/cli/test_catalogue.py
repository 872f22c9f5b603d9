"""`shine list`: what is shown of each rule, strategy and definition, and which ones words select. Depends on a few
rules by name.
"""

from pathlib import Path
from unittest.mock import patch

from shine.cli import catalogue
from tests.cli.commands import shine
from tests.examples import in_whole


def test_a_rule_is_shown_with_its_equation_class_and_example() -> None:
    said = shine("list", "rules", "mapFusion").out
    assert "map f (map g xs) = map (f . g) xs" in said
    assert "strategies.rules.fusion, exact, mapFusion.inv" in said
    assert "xs |> map(g) |> map(f)" in said
    assert "= xs |> map(fun(x => f(g(x))))" in said
    assert said.startswith("Fusion and fission")


def test_words_select_rules() -> None:
    found = [one["name"] for one in shine("list", "rules", "slide", "tile", "--json").facts["rules"]]
    assert "slideOverlap" in found and "mapFusion" not in found
    assert shine("list", "primitives", "transpose").out.startswith("Shapes\ntranspose")


@in_whole("tests/strategies/rules/test_rule_library.py::test_every_rule_has_an_example")
def test_every_rule_has_an_example_before_and_after() -> None:
    rules = shine("list", "rules", "--json").facts["rules"]
    assert len(rules) > 300
    assert all(one["example"]["before"] and one["example"]["after"] and one["theme"] for one in rules)
    assert {one["float_class"] for one in rules} >= {"exact", "contracting", "reassociating"}
    assert any(one["inverse"] for one in rules)


def test_a_word_without_matches_is_reported() -> None:
    said = shine("list", "rules", "mapFusoin")
    assert said.status == 1
    assert said.err.startswith("error[nothing-listed]")
    assert "mapFusion" in said.err


def test_a_library_definition_is_shown_with_its_type_and_comment() -> None:
    said = shine("list", "library", "softmax").out
    assert said.startswith("import statistics")
    assert "The exponentials divided by their sum: positive weights that add up to 1." in said
    assert "n.t -> n.t" in said
    found = shine("list", "library", "linear_algebra", "--json").facts["library"]
    assert {"mm", "gemv"} <= {one["name"] for one in found}
    assert {one["theme"] for one in found} == {"import linear_algebra"}


def test_the_definitions_of_a_file_are_shown_with_their_comments(tmp_path: Path) -> None:
    file = tmp_path / "pictures.rise"
    file.write_text("""// About pictures.

// Grey values.
type Image[H, W] = H.W.f32
// Each value,
// twice.
val brighter = fun(image: Image[H, W] => image |> map(map(mul(2))))
val plain = fun(image: Image[H, W] => image)
""")
    said = shine("list", "definitions", str(file)).out
    assert said.startswith("pictures.rise  About pictures.")
    assert "Grey values." in said and "type Image[H, W] = H.W.f32" in said
    assert "Each value, twice." in said and "{H: nat} -> {W: nat} -> H.W.f32 -> H.W.f32" in said
    found = shine("list", "definitions", str(file), "plain", "--json").facts["definitions"]
    assert [(one["name"], one["doc"]) for one in found] == [("plain", "")]


def test_definitions_that_cannot_be_listed_are_reported(tmp_path: Path) -> None:
    without = shine("list", "definitions")
    assert without.status == 1 and "shine list definitions FILE" in without.err
    missing = shine("list", "definitions", str(tmp_path / "none.rise"))
    assert missing.status == 1 and missing.err.startswith("error[file]")


def test_every_strategy_is_listed_with_a_description_by_the_module_that_defines_it() -> None:
    strategies = shine("list", "strategies", "--json").facts["strategies"]
    assert [entry["address"] for entry in strategies if not is_sentence(entry["doc"])] == []


def is_sentence(text: str) -> bool:
    """Whether a text consists of complete sentences on one line."""
    return text.endswith(".") and not text[0].islower() and "\n" not in text and text.count("`") % 2 == 0


def test_an_inverse_is_listed_with_its_rule() -> None:
    assert shine("list", "rules", "mapFusion.inv").out == shine("list", "rules", "mapFusion").out


def test_only_rules_that_are_shown_are_compiled() -> None:
    with patch.object(catalogue, "inverse_of", side_effect=catalogue.inverse_of) as compiled:
        shown = shine("list", "rules", "mapFusion", "--json").facts["rules"]
    assert compiled.call_count == len(shown) < 20
    assert "mapFusion.inv" in {one["inverse"] for one in shown}
