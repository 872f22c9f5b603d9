"""Reads RISE text into surface syntax. Independent of the grammar, names, kinds and types.

Every function raises RiseError, with one diagnostic, for a text that is not of its form. Time and memory are linear in
the text, and nothing recurses: 100,000 nested parentheses are read like any other text.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from rise.diagnostics import Diagnostic, Label, Lines, RiseError
from rise.forks import importing
from rise.text import syntax
from rise.text.trees import height, with_fields

MAX_EQUATION_HEIGHT: Final = 100
_BLANK: Final = re.compile(
    r"(?:[ \t\r\n\f]++|//[^\r\n]*+)*+"
)  # possessive, since backtracking could take very long
_COMMENT: Final = re.compile(r"[ \t\f]*// ?([^\r\n]*)")
_FOREIGN_MARKS: Final = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def read_program(text: str, file: str = "") -> syntax.Program:
    """Read definitions, or one expression. `file` is only shown in diagnostics.

    >>> read_program("val twice = fun(f, x => f(f(x)))").definitions[0].name
    'twice'
    """
    program = _read(text, "program", file)
    assert isinstance(program, syntax.Program), program
    return _with_docs(program, text)


def read_expression(text: str, file: str = "") -> syntax.Expr:
    """Read one expression.

    >>> read_expression("xs |> f")
    Apply(Name('f'), Name('xs'))
    """
    expression: syntax.Expr = _read(text, "expression", file)
    return expression


def read_equation(text: str, file: str = "") -> syntax.Equation:
    """Read a law, `left = right`. Those that are nested more than `MAX_EQUATION_HEIGHT` deep are refused: an equation
    is one idea, and what compiles equations recurses.

    >>> read_equation("join (split n xs) = xs").right
    Name('xs')
    """
    equation = _read(text, "equation", file)
    assert isinstance(equation, syntax.Equation), equation
    if height(equation) > MAX_EQUATION_HEIGHT:
        title = f"expected an equation that is nested at most {MAX_EQUATION_HEIGHT} deep, found {height(equation)}"
        hint = "state several equations, as rules that are applied one after the other"
        label = Label(equation.span.start, equation.span.end, "")
        raise RiseError(Diagnostic("equation-too-deep", title, (label,), hint, source=text, file=file))
    return equation


def read_type(text: str, file: str = "") -> syntax.Type:
    """Read a type, a kind or a size.

    >>> read_type("16.n.f16")
    ArrayType(TypeNat(16), ArrayType(TypeName('n'), TypeName('f16')))
    """
    type: syntax.Type = _read(text, "type", file)
    return type


def read_argument(text: str, file: str = "") -> syntax.Type:
    """Read the argument of an implicit parameter: a type, a space, or arithmetic on sizes.

    >>> read_argument("2 * n")
    TypeBinary('*', TypeNat(2), TypeName('n'))
    """
    argument: syntax.Type = _read(text, "argument_type", file)
    return argument


def read_fact(text: str, file: str = "") -> syntax.Fact:
    """Read a promise about sizes.

    >>> read_fact("32 divides n")
    Fact('divides', TypeNat(32), TypeName('n'))
    """
    fact: syntax.Fact = _read(text, "fact", file)
    return fact


def decode(data: bytes, file: str = "") -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises RiseError for other encodings, or an empty
    text.
    """
    for mark, name in _FOREIGN_MARKS.items():
        if data.startswith(mark):
            raise RiseError(Diagnostic("not-utf-8", f"expected UTF-8, found {name}", hint=_SAVE, file=file))
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        start = len(data[: error.start].decode("utf-8", "replace"))
        title = f"expected UTF-8, found the byte 0x{data[error.start]:02x}"
        decoded = data.decode("utf-8", "replace")
        label = Label(start, start + 1)
        raise RiseError(Diagnostic("not-utf-8", title, (label,), _SAVE, (), decoded, file)) from None
    position = text.find("\0")
    if position >= 0:
        hint = "pass a text file; this one seems to be binary"
        title = "expected text, found a NUL character"
        raise RiseError(
            Diagnostic("nul-character", title, (Label(position, position + 1),), hint, (), text, file)
        )
    if not text:
        raise RiseError(_empty("program", text, file))
    return text


@cache
def _parsing() -> ModuleType:
    """The parser, loaded when the first text is read, since many programs that import `rise` read none."""
    with importing():
        return import_module("rise.text.parser")


def _read(text: str, start: str, file: str) -> Any:
    if not isinstance(text, str):
        title = f"expected a string, found a {type(text).__name__}"
        raise RiseError(Diagnostic("no-text", title, hint="rise.parse_file(path) reads a file"))
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    try:
        return _parsing().parse(text, start)
    except RiseError as error:
        if _BLANK.fullmatch(text):
            raise RiseError(_empty(start, text, file)) from None
        raise RiseError(replace(error.diagnostic, source=text, file=file)) from None


def _empty(start: str, text: str, file: str) -> Diagnostic:
    start = start.replace("_", " ")
    article = "an" if start[0] in "aeiou" else "a"
    content = (
        "definitions, `val name = ...`, or one expression" if start == "program" else f"{article} {start}"
    )
    hint = f"write {content}"
    return Diagnostic("empty-text", f"expected {article} {start}, found nothing", (), hint, (), text, file)


def _with_docs(program: syntax.Program, text: str) -> syntax.Program:
    """The program with the comments above its definitions and synonyms, and at the head of the text, as `doc`."""
    if "//" not in text:
        return program
    lines = Lines(text)
    documented: list[syntax.Definition | syntax.Synonym] = []
    previous_line = -1  # the last line of the previous definition
    items: list[syntax.Definition | syntax.Synonym] = [*program.definitions, *program.synonyms]
    for item in sorted(items, key=lambda item: item.span.start):
        number = lines.line_of(item.span.start)
        doc: list[str] = []
        if not text[lines.starts[number] : item.span.start].strip():
            while number - 1 > previous_line:
                number -= 1
                comment = _COMMENT.fullmatch(text, lines.starts[number], lines.ends[number])
                if comment is None:
                    break
                doc.append(comment[1].rstrip())
        text_of_doc = "\n".join(reversed(doc))
        documented.append(with_fields(item, doc=text_of_doc))
        previous_line = lines.line_of(item.span.end)
    definitions = tuple(item for item in documented if isinstance(item, syntax.Definition))
    synonyms = tuple(item for item in documented if isinstance(item, syntax.Synonym))
    head = _head(program, lines, text)
    return with_fields(program, definitions=definitions, synonyms=synonyms, doc=head)


def _head(program: syntax.Program, lines: Lines, text: str) -> str:
    """The comment at the head of a text, unless it belongs to the first definition."""
    comments: list[str] = []
    first = lines.line_of(program.span.start)
    for start, end in zip(lines.starts[:first], lines.ends[:first], strict=True):
        comment = _COMMENT.fullmatch(text, start, end)
        if comment is None:
            return "\n".join(comments)
        comments.append(comment[1].rstrip())
    return "\n".join(comments) if program.imports else ""


_SAVE: Final = "save the file as UTF-8"
