"""Free names in equations: metavariables are single letters, or declared; names that look like primitives are
rejected.
"""

import pytest

import rise
from elevate import Success, topDown
from rise.diagnostics import RiseError
from strategies import RuleFamily, family, registry, rule
from strategies.equations.names import check_names, edits, library_definitions
from strategies.equations.rule import check_declared

REFUSED = {
    "reduce add i (reverse xs) = reduce add i xs": ("reverse", "`reversed`"),
    "map f (mpa g xs) = map g (mpa f xs)": ("mpa", "`map`"),
    "mpa f xs = mapSeq f xs": ("mpa", "`map`"),
    "map f (dot xs) = xs": ("dot", "`dot` of `linear_algebra`"),
    "map foobar xs = xs": ("foobar", 'names=("foobar",)'),
    "split size xs = split size xs": ("size", 'names=("size",)'),
    "map f (xs : n.elem) = xs": ("elem", 'names=("elem",)'),
    "fun(x => map f element) = fun(x => element)": ("element", "names="),
}


@pytest.mark.parametrize("equation", REFUSED)
def test_a_name_that_is_not_a_metavariable_is_rejected(equation: str) -> None:
    name, hint = REFUSED[equation]
    with pytest.raises(RiseError) as caught:
        rule(equation, why="A typo.")
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "unknown-name"
    assert f"found `{name}`" in diagnostic.title
    (label,) = diagnostic.labels
    assert diagnostic.source[label.start : label.end] == name
    assert hint in diagnostic.hint
    assert any("test_names.py:" in note for note in diagnostic.notes)


@pytest.mark.parametrize(
    "equation",
    [
        "map f (map g xs) = map (f . g) xs",
        "fun(x : any1 => (f x : any2)) = f",
        "fun(element => f element) = f",
        "f[fst p] = f[fst p]",
        "map f2 (map g (xs1 : n.t)) = map (f2 . g) xs1",
        "map f (elements : n.t) = map f elements",
        "toMem Global xs = toMem Global xs",
        "if c then true else false = c",
        "depMap f (xs : n..(i |-> (i + 1).f32)) = depMap f xs",
        "if c then inf else nan = c",
    ],
)
def test_metavariables_and_declared_names_stay_free(equation: str) -> None:
    check_names(equation)


def test_longer_names_must_be_declared() -> None:
    rows = rule("map f (map g rows) = map (f . g) rows", why="Declared.", names=("rows",))
    assert isinstance(topDown(rows)(rise.parse("fun(xs: 8.f32 => map(exp, map(sqrt, xs)))").main), Success)
    assert rule("map f items = mapSeq f items", why="A condition.", of={"items": lambda e: True})
    cut = family("map f xs = join (map (map f) (split size xs))", parameters=("size",), why="A parameter.")
    assert isinstance(cut, RuleFamily)


def test_every_rule_of_the_library_declares_its_names() -> None:
    for entry in registry.rules().values():
        one = entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule
        if one.by is None:
            check_declared(one)


def test_edit_distances_are_exact_up_to_two() -> None:
    assert [edits("map", other) for other in ("map", "mpa", "maps", "mop", "m", "join")] == [0, 1, 1, 1, 2, 3]
    assert library_definitions()["reversed"] == "stencils"
