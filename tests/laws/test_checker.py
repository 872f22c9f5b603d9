"""Law of the checker: its trusted core, on which every proof relies, stays small.

Only lines with code are counted, without imports, docstrings and comments. Depends on the files of the core, but not on
proofs.
"""

import ast
import io
import tokenize
from pathlib import Path
from typing import Final

from tests.laws.primitive_names import ROOT
from tests.laws.sources import parsed

CHECKER: Final = ROOT / "rise" / "checker"
#: the files that print and that propose what is then proved, and the one that only exports the names of the package
OUTSIDE: Final = ("__init__", "printer", "proposals", "single_steps", "elimination")
#: lines of code; decision 0027 aims at 1,200
MOST: Final = 1_741
_BLANK: Final = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def lines_of_code(text: str) -> int:
    """The number of lines with code, without imports and docstrings."""
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _BLANK
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(parsed(text)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant(str())):
                lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def core() -> list[Path]:
    return [file for file in sorted(CHECKER.glob("*.py")) if file.stem not in OUTSIDE]


def test_the_trusted_core_stays_small() -> None:
    counts = {file.stem: lines_of_code(file.read_text(encoding="utf-8")) for file in core()}
    assert sum(counts.values()) <= MOST, counts


def test_lines_of_code_are_counted() -> None:
    text = '"""Doc."""\n\nfrom a import (\n    b,\n)\n# why\nX = """a\nb"""\n\ndef f():\n    """Do."""\n    return X\n'
    assert lines_of_code(text) == 4


def test_the_decision_names_each_file_of_the_core() -> None:
    page = (ROOT / "docs" / "decisions" / "0027-proofs.md").read_text(encoding="utf-8")
    section = page.partition("## The trusted core")[2]
    assert all(f"`{file.stem}`" in section for file in core())
