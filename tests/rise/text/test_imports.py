"""Imports: the names that they provide, what hides what, and messages for wrong imports.

`tests/rise/text/snapshots/import_errors.txt` contains the rejected ones; the first file of each case is read. Run this
file as a program to rewrite the messages.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
from rise import RiseError, parse, parse_file
from rise.programs.program import library
from rise.text.libraries import library_names

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "import_errors.txt"
CASE: Final = re.compile(
    r"=== (?P<name>[^\n]*)\n(?P<files>.*?)\n---\n(?P<said>.*?)\n(?:\n(?==== )|\Z)", re.DOTALL
)
FILE: Final = re.compile(r"^@ (\S+)\n(.*?)(?=^@ |\Z)", re.DOTALL | re.MULTILINE)


def cases() -> dict[str, tuple[str, str]]:
    """Files and message of every case, by name."""
    return {one["name"]: (one["files"], one["said"]) for one in CASE.finditer(SNAPSHOTS.read_text("utf-8"))}


def write(folder: Path, files: str) -> Path:
    """Write the files of a case; returns the first of them."""
    found = [(folder / name, text) for name, text in FILE.findall(files + "\n")]
    for path, text in found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return found[0][0]


def refusal(path: Path) -> RiseError:
    try:
        program = parse_file(path)
    except RiseError as error:
        return error
    raise AssertionError(f"this was read: {dict(program)}")


@pytest.mark.parametrize("name", cases())
def test_messages(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, said = cases()[name]
    first = write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    error = refusal(Path(first.name))
    assert str(error) == said
    assert error.diagnostic.labels and error.diagnostic.hint
    assert (tmp_path / error.diagnostic.file).read_text("utf-8") == error.diagnostic.source


def value(text: str) -> object:
    return rise.evaluate(parse(text).main, np.array([3.0, 4.0]))


def test_a_library_is_imported_by_name() -> None:
    assert value("import linear_algebra\nfun(xs => nrm2(xs))") == 5.0
    assert value("import linear_algebra: dot\nval main = fun(xs => dot(xs, xs))") == 25.0


def test_own_definitions_hide_imported_ones() -> None:
    text = "import linear_algebra\nval dot = fun(xs, ys => 1.0)\nval main = fun(xs => dot(xs, xs) + nrm2(xs))"
    program = parse(text)
    assert list(program) == ["dot", "main"]
    assert rise.evaluate(program.main, np.array([3.0, 4.0], np.float32)) == 6.0


def test_an_own_definition_hides_an_import_even_before_it() -> None:
    text = "import linear_algebra\nval main = fun(xs => dot(xs, xs))\nval dot = fun(xs, ys => 1.0)"
    with pytest.raises(RiseError) as caught:
        parse(text)
    assert caught.value.diagnostic.code == "used-before"


def test_the_same_definition_may_come_twice() -> None:
    assert value("import linear_algebra\nimport linear_algebra: dot\nfun(xs => dot(xs, xs))") == 25.0


def test_only_named_definitions_are_imported() -> None:
    with pytest.raises(RiseError) as caught:
        parse("import linear_algebra: dot\nval main = fun(xs => nrm2(xs))")
    assert caught.value.diagnostic.code == "unknown-name"


def test_imports_of_files_next_to_a_program(tmp_path: Path) -> None:
    files = (
        "@ main.rise\nimport .a\nimport .deep.b\nimport linear_algebra: dot\nval main = fun(xs => f(g(dot(xs, xs))))\n"
        "@ a.rise\nimport .deep.b\nval f = fun(x => h(x) + 1.0)\n"
        "@ deep/b.rise\nimport .c: k\nval g = fun(x => k(x))\nval h = fun(x => x * 10.0)\n"
        "@ deep/c.rise\nval h = fun(x => x)\nval k = fun(x => x * 2.0)"
    )
    program = parse_file(write(tmp_path, files))
    assert list(program) == ["main"]
    assert rise.evaluate(program.main, np.array([3.0, 4.0])) == 501.0


def test_a_text_with_a_path_can_import_files(tmp_path: Path) -> None:
    (tmp_path / "a.rise").write_text("val f = fun(x => x + 1.0)", "utf-8")
    assert list(parse("import .a\nval main = fun(x => f(x))", str(tmp_path / "main.rise"))) == ["main"]


def test_imports_are_not_transitive(tmp_path: Path) -> None:
    (tmp_path / "a.rise").write_text("import linear_algebra\nval f = fun(xs => nrm2(xs))", "utf-8")
    with pytest.raises(RiseError) as caught:
        parse("import .a\nval main = fun(xs => nrm2(xs))", str(tmp_path / "main.rise"))
    assert caught.value.diagnostic.code == "unknown-name"


def test_a_long_chain_of_files(tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / f"f{number}.rise").write_text(f"import .f{number + 1}\nval x = 1", "utf-8")
    (tmp_path / "f1500.rise").write_text("val x = 1", "utf-8")
    assert list(parse_file(tmp_path / "f0.rise")) == ["x"]


def test_import_is_not_a_reserved_word() -> None:
    assert rise.show(parse("fun(import: i32 => import + import)").main)
    assert parse("val import = 1\nval main = import + 1")["import"].type == rise.parse_expr("1").type


def test_an_unknown_library_of_this_name() -> None:
    with pytest.raises(RiseError, match="did you mean `stencils`"):
        library("stencil")


def test_a_text_without_a_file_cannot_import_files() -> None:
    with pytest.raises(RiseError) as caught:
        parse("import .a\nval main = 1")
    assert str(caught.value) == (
        "error[unknown-import]: `.a` is a file next to the program, but the program is not a file\n"
        "  1 | import .a\n"
        "    |        ^^\n"
        "hint: read the program with `rise.parse_file(path)`, or give the text a path: `rise.parse(text, path)`"
    )


def test_libraries_are_sorted_by_name() -> None:
    assert library_names() == sorted(library_names())


if __name__ == "__main__":
    told = {}
    for case, (texts, _) in cases().items():
        with tempfile.TemporaryDirectory() as scratch:
            begun = write(Path(scratch), texts)
            os.chdir(scratch)
            told[case] = f"=== {case}\n{texts}\n---\n{refusal(Path(begun.name))}\n"
    SNAPSHOTS.write_text("\n".join(told.values()), "utf-8")
    sys.stdout.write("\n".join(told.values()))
