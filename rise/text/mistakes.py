"""Explains why the grammar rejects a text. Depends on the tokens of the grammar; does not build syntax.

Each function below recognises a common mistake, and explains it better than a list of tokens does; the first
that recognises its mistake is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from lark import Lark, Token, UnexpectedInput

from rise.diagnostics import Diagnostic, Label, did_you_mean, quoted
from rise.text.habits import habit_of
from rise.text.hints import (
    ARRAY_TYPE,
    CLOSERS,
    FOREIGN_SUFFIXES,
    FUNCTION,
    HINTS,
    IMPORTS,
    LOOKALIKES,
    PYTHON,
    RESERVED,
    SUFFIXES,
    TERMINALS,
    alternatives,
    phrase,
)
from rise.text.stops import Stop, label_of, stop_at

_DEFINITION: Final = re.compile(
    r"[ \t\f]*(?:(?P<word>let|def|var|const|define|auto)[ \t]+)?(?!(?:val|fun|if|then|else)\b)"
    r"(?P<name>[A-Za-z_][A-Za-z0-9_']*)[ \t]*(?::[^=]*)?"
)
_LET: Final = re.compile(r"\b(?:let|var|const|auto)[ \t]+(?P<name>[A-Za-z_][A-Za-z0-9_']*)\Z")
_PAIR_LET: Final = re.compile(r"\blet\s*\(\s*[A-Za-z_][\w']*\s*[,:][\s\w',:.()]*\)\Z")
#: the head of a function in the syntax of another language, up to the place where it stops being RISE
_FOREIGN_DEFINITION: Final = re.compile(
    r"(?:\A|\n)[ \t\f]*(?:def|define|fn|func|function)[ \t]+([A-Za-z_][\w']*)[ \t]*\([^=]*\Z"
)
_COMMENT_LAST: Final = re.compile(r"[^\s/][ \t]*//[^\n]*\s*\Z")
_IMPORT_AS: Final = re.compile(r"import[ \t]+[\w.]+[ \t]+as\b|from[ \t]+[\w.]+[ \t]+import\b")
_IMPORT: Final = re.compile(r"[ \t\f]*import(?![A-Za-z0-9_'])")
_STRAY: Final = "\\\"'#@$?~`;&|"
_POINT_LAST: Final = re.compile(r"[0-9]\.\Z")

Recognise = Callable[[Stop], Diagnostic | None]


def explain(parser: Lark, error: UnexpectedInput, text: str, kind: str) -> Diagnostic:
    """The diagnostic, without the source, for a text of this kind for which `parser` stopped with `error`."""
    stop = stop_at(parser, error, text, kind)
    for recognise in _MISTAKES:
        diagnostic = recognise(stop)
        if diagnostic is not None:
            return diagnostic
    return Diagnostic("syntax", _title(stop), stop.labels(), _hint(stop))


def _title(stop: Stop) -> str:
    """The title of the diagnostic: what was expected, and what was found."""
    if stop.is_foreign:
        return f"expected {'`:`' if stop.found == '::' else 'an operator'}, found {stop.name()}"
    return f"expected {phrase(alternatives(stop.accepts))}, found {stop.name()}"


def _hint(stop: Stop) -> str:
    """The hint: the next action, depending on the token found and its place."""
    found = stop.found
    if stop.word_before == "fun" and stop.expects("LPAR") and not stop.expects("NAME"):
        return FUNCTION
    if stop.opener == "" and stop.expects("WHERE"):
        return "a definition's parameters follow `=`, as in `val f = fun(x => ...)`"
    if stop.expects("FLOAT") and (
        found == "." or _POINT_LAST.search(stop.text, max(stop.before - 2, 0), stop.before)
    ):
        return "a number has digits on both sides of the decimal point, as in `1.0`"
    definition = _FOREIGN_DEFINITION.search(stop.text, 0, stop.before)
    if definition is not None:
        return f"write a definition as `val {definition[1]} = fun(xs: N.f32 => ...)`"
    habit = habit_of(stop)
    if habit:
        return habit
    match found:
        case "}" if stop.opener == "{" and stop.expects("COLON"):
            return "an implicit parameter has a kind, as in `{n: nat}`"
        case "]" if stop.last == ".." or (stop.opener == "[" and stop.expects("RPAR")):
            return "a range ends before its bound, as in `[0..n)`"
        case ")" | "]" | "}" if stop.last in CLOSERS:
            return "an application, a function and an array have at least one item"
        case ")" | "]" | "}" if stop.last == ",":
            return "remove the comma: nothing follows the last item"
        case "val" if stop.kind != "program":
            return "definitions belong in a program; this text is parsed as a single expression"
        case "+" | "*" | "/" | "%" | "/^" | "<" | "<=" | ">" | ">=" | "==" | "!=" if stop.expects("FUN"):
            return f"an operator as a function is written `({found})`"
        case "-" if stop.expects("INT") and not stop.expects("FUN"):
            return "a size is an integer >= 0"
        case "+" | "-" | "*" | "/" | "%" | "^" | "/^" if stop.expects("ARROW", "RANGE"):
            return "arithmetic on sizes is written in parentheses, as in `(2*n).t`"
        case "[" if stop.expects("ARROW") or not stop.expects("FUN", "COMPARE"):
            return ARRAY_TYPE
        case _ if stop.expects("ARROW") and re.fullmatch(r"[A-Za-z]\w*", found):
            return ARRAY_TYPE
        case "=>" if stop.expects("ARROW"):
            return "the type of a function is written with `->`"
        case "=>" if any(token.type == "IF" for token in stop.open):
            return "`>=` compares; `=>` belongs to `fun(x => ...)`"
        case "=" if _PAIR_LET.search(stop.text, 0, stop.before):
            return "a pattern of names is separated from `let`, with its type after it: `let (a, b): (s, t) = ...`"
        case "=" if stop.expects("COMPARE", "AND"):
            return "`==` compares; `=` belongs to `val name = ...`"
        case _:
            return HINTS.get(found, "")


def _foreign_number(stop: Stop) -> Diagnostic | None:
    """`1.0f`, `1e-3f`, `0x10`, `1_000`."""
    number = re.match(r"[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?", stop.found)
    if not number or not stop.expects("INT", "FLOAT", "TYPED") or number[0] == stop.found:
        return None
    suffix = stop.found[number.end() :]
    label = (stop.label(),)
    if re.fullmatch(r"[0-9]+(?:_[0-9]+)+", stop.found):
        title = f"expected a number, found {quoted(stop.found)}"
        return Diagnostic(
            "number", title, label, f"write {stop.found.replace('_', '')[:60]}: digits are not grouped"
        )
    if re.fullmatch(r"0[xX][0-9A-Fa-f]{1,200}|0[bB][01]{1,200}|0[oO][0-7]{1,200}", stop.found):
        title = f"expected a decimal number, found {quoted(stop.found)}"
        return Diagnostic("number", title, label, f"write {int(stop.found, 0)}")
    if not stop.expects("FLOAT"):
        title = f"expected a size, found {quoted(stop.found)}"
        return Diagnostic("number", title, label, "a size is written without a suffix")
    title = f"expected a number, found {quoted(stop.found)} with the suffix {quoted(suffix)}"
    meant = FOREIGN_SUFFIXES.get(suffix.lower())
    hint = f"write {quoted(number[0] + meant)}" if meant else did_you_mean(suffix, SUFFIXES)
    return Diagnostic("number-suffix", title, label, hint or f"the suffixes are {', '.join(SUFFIXES)}")


def _import(stop: Stop) -> Diagnostic | None:
    """`import a, b`, `import "a"`, `import ./a`, and texts that consist of imports."""
    line = max(stop.text.rfind("\n", 0, stop.before), stop.text.rfind("\r", 0, stop.before)) + 1
    if stop.kind != "program" or not _IMPORT.match(stop.text, line, stop.before) or stop.bracket is not None:
        return None
    if _IMPORT_AS.search(stop.text, line, stop.start + len(stop.found)):
        title = f"expected a definition or an expression after the imports, found {stop.name()}"
        return Diagnostic("import", title, (stop.label(),), PYTHON)
    if stop.is_at_end and stop.expects("NAME", "VAL"):
        title = f"expected a definition or an expression after the imports, found {stop.name()}"
        return Diagnostic("syntax", title, (stop.label(),), "write `val name = ...`")
    if stop.found == "," and not stop.expects("COMMA"):
        hint = "write an `import` for each; names of definitions follow `:`, as in `import a: f, g`"
        return Diagnostic("import", "expected one name to import, found `,`", (stop.label(),), hint)
    if stop.found[:1] == '"' or stop.found in ("'", "/", "<", ".", "..", "*"):
        title = f"expected the name of a library, found {stop.name()}"
        return Diagnostic("import", title, (stop.label(),), IMPORTS)
    return None


def _stray_character(stop: Stop) -> Diagnostic | None:
    """Characters that occur in no token."""
    found = stop.found
    if not found or (found.isascii() and found.isprintable() and found not in _STRAY):
        return None
    code_point = f"U+{ord(found):04X}"
    match found:
        case ";" if stop.expects("IN"):
            hint = "`in` follows a binding: write `let x = e in result`"
        case ";" if stop.expects("COMMA"):
            hint = "`,` separates arguments"
        case _ if found in LOOKALIKES:
            hint = f"write `{LOOKALIKES[found]}`, found {code_point}"
        case _ if found in HINTS:
            hint = HINTS[found]
        case _ if found.isspace():
            hint = f"write a space, found {code_point}"
        case _ if found.isalpha():
            hint = f"names are made of a-z, A-Z, 0-9, `_` and `'`, found {code_point}"
        case _:
            hint = f"{code_point} is not in the language: remove it"
    return Diagnostic("character", _title(stop), (stop.label(),), hint)


def _chained_comparison(stop: Stop) -> Diagnostic | None:
    """`a < b < c`."""
    before = next((token for token in reversed(stop.open) if token.type == "COMPARE"), None)
    if before is None or stop.found not in ("<", "<=", ">", ">=", "==", "!=") or stop.expects("COMPARE"):
        return None
    title = f"expected one comparison, found {stop.name()} after `{before.value}`"
    labels = (label_of(before, "the first comparison"), stop.label("the second"))
    hint = "write `a < b && b < c`"
    if before.value == "<" and stop.found == ">":
        hint = "types are given in braces, as in `cast{f32}(x)`"
    elif before.value == stop.found and before.end_pos == stop.start:
        hint = f"write `{'shiftLeft' if stop.found == '<' else 'shiftRight'}(x, n)`"
    return Diagnostic("chained-comparison", title, labels, hint)


def _missing_val(stop: Stop) -> Diagnostic | None:
    """`let x = 1`, `def f = ...`, `f = ...`."""
    if stop.found not in ("=", ":=") or stop.kind != "program" or stop.bracket is not None:
        return None
    line = max(stop.text.rfind("\n", 0, stop.start), stop.text.rfind("\r", 0, stop.start)) + 1
    definition = _DEFINITION.fullmatch(stop.text, line, stop.start)
    if definition is None:
        return None
    title = f"expected `val` before a definition, found {quoted(definition['word'] or definition['name'])}"
    hint = f"write {quoted('val ' + definition['name'] + ' = ...')}"
    if definition["word"] == "let":
        hint += " outside of expressions; within one, `let x = e in ...`"
    label = Label(
        definition.start("word") if definition["word"] else definition.start("name"), definition.end("name")
    )
    return Diagnostic("missing-val", title, (label,), hint)


def _inner_definition(stop: Stop) -> Diagnostic | None:
    """`let m = e` or `val m = e` inside an expression."""
    if stop.found == "val" and stop.bracket is not None and not stop.is_at_end:
        label, name = stop.label(), "x"
    elif stop.found == "=" and stop.expects("COMPARE", "AND"):
        binding = _LET.search(stop.text, max(stop.before - 200, 0), stop.before)
        if binding is None:
            return None
        label, name = Label(binding.start(), binding.end()), binding["name"]
    else:
        return None
    title = f"expected an expression, found {quoted(stop.text[label.start : label.end])}, which starts a definition"
    hint = f"inside an expression, write `let {name} = ... in ...`"
    return Diagnostic("inner-definition", title, (label,), hint)


def _reserved_word(stop: Stop) -> Diagnostic | None:
    """`fun(then => ...)`, `val if = ...`."""
    if stop.found not in RESERVED or not stop.expects("NAME") or stop.is_at_end or stop.expects("PLUS"):
        return None
    title = f"expected a name, found the reserved word {stop.name()}"
    return Diagnostic("reserved-word", title, (stop.label(),), f"write another name, such as `{stop.found}_`")


def _incomplete_if(stop: Stop) -> Diagnostic | None:
    """`if a then b` without an `else`."""
    missing = next((part for part in ("THEN", "ELSE") if stop.expects(part)), "")
    token = _last_without(missing, stop.open)
    if (
        not missing
        or token is None
        or not (stop.is_at_end or stop.found in (")", "]", "}", ",", "|>", "else"))
    ):
        return None
    title = f"expected `{missing.lower()}`, found {stop.name()}"
    labels = (label_of(token, f"this `if` has no `{missing.lower()}`"), stop.label())
    return Diagnostic(
        "incomplete-if", title, labels, "write `if condition then a else b`; `else` is required"
    )


def _let_without_in(stop: Stop) -> Diagnostic | None:
    """`let x = e` without an `in`."""
    token_of_let = next((token for token in reversed(stop.open) if token.type == "LET"), None)
    if not stop.expects("IN") or token_of_let is None:
        return None
    if not stop.is_at_end and stop.found not in (")", "]", "}", ",", "|>", "val", ";"):
        return None
    labels = (label_of(token_of_let, "this `let` has no `in`"), stop.label())
    hint = "write `let x = e in result`"
    if stop.bracket is None and stop.kind == "program":
        hint += "; a definition of the program is written `val x = e`"
    return Diagnostic("incomplete-let", f"expected `in`, found {stop.name()}", labels, hint)


def _bracket(stop: Stop) -> Diagnostic | None:
    """Closing brackets without an opening one or with the wrong one, and brackets that are never closed."""
    bracket = stop.bracket
    if stop.found in CLOSERS.values() and bracket is None:
        title = (
            f"expected {phrase(alternatives(stop.accepts))}, found {stop.name()} without its opening bracket"
        )
        return Diagnostic("unopened-bracket", title, (stop.label(),), f"remove {stop.name()}")
    if bracket is None or not stop.expects(TERMINALS[CLOSERS[bracket.value]]):
        return None
    closer = CLOSERS[bracket.value]
    if stop.found in CLOSERS.values():
        labels = (label_of(bracket, "opened here"), stop.label(f"`{closer}` closes `{bracket.value}`"))
        hint = f"write `{closer}`"
        return Diagnostic("bracket", f"expected `{closer}`, found {stop.name()}", labels, hint)
    if stop.is_at_end:
        labels = (label_of(bracket, "opened here"), Label(stop.before, stop.before, f"`{closer}` is missing"))
        title = f"expected `{closer}` to close `{bracket.value}`, found {stop.name()}"
        hint = f"write the missing `{closer}`"
        if _COMMENT_LAST.search(stop.text):
            hint += "; `//` begins a comment, and `x / y` divides integers"
        return Diagnostic("unclosed-bracket", title, labels, hint)
    return None


def _last_without(part: str, tokens: Sequence[Token]) -> Token | None:
    """The innermost `if` without the given part, `then` or `else`."""
    others = 0
    for token in reversed(tokens):
        if token.type == part:
            others += 1
        elif token.type == "IF" and not others:
            return token
        elif token.type == "IF":
            others -= 1
    return None


_MISTAKES: Final[Iterable[Recognise]] = (
    _import,
    _foreign_number,
    _stray_character,
    _chained_comparison,
    _missing_val,
    _inner_definition,
    _reserved_word,
    _incomplete_if,
    _let_without_in,
    _bracket,
)
