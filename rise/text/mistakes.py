"""What is wrong with a text that the grammar refuses, in words. Knows the grammar's tokens; builds nothing.

Each function below knows one mistake that people make, and says it better than a list of tokens; the first
that recognises its mistake speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from lark import Lark, Token, UnexpectedInput

from rise.diagnostics import Diagnostic, Label, did_you_mean, quoted
from rise.text.hints import (
    ARRAY_TYPE,
    CLOSERS,
    FOREIGN_SUFFIXES,
    FUNCTION,
    HINTS,
    IMPORTS,
    LOOKALIKES,
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
_PAIR_LET: Final = re.compile(r"\blet\s*\(\s*[A-Za-z_][\w']*\s*,[\s\w',()]*\)\Z")
_IMPORT: Final = re.compile(r"[ \t\f]*import(?![A-Za-z0-9_'])")
_STRAY: Final = "\\\"'#@$?~`;&|"
_POINT_LAST: Final = re.compile(r"[0-9]\.\Z")

Recognise = Callable[[Stop], Diagnostic | None]


def explain(parser: Lark, error: UnexpectedInput, text: str, kind: str) -> Diagnostic:
    """One diagnostic, without the source, for where `parser` stopped with `error` on a text of a kind."""
    stop = stop_at(parser, error, text, kind)
    for recognise in _MISTAKES:
        said = recognise(stop)
        if said is not None:
            return said
    return Diagnostic("syntax", _title(stop), stop.labels(), _hint(stop))


def _title(stop: Stop) -> str:
    """Expected before found."""
    if stop.is_foreign:
        return f"expected {'`:`' if stop.found == '::' else 'an operator'}, found {stop.name()}"
    return f"expected {phrase(alternatives(stop.accepts))}, found {stop.name()}"


def _hint(stop: Stop) -> str:
    """The next action, for what was found or for where it was found."""
    found = stop.found
    if stop.word_before == "fun" and stop.expects("LPAR") and not stop.expects("NAME"):
        return FUNCTION
    if stop.opener == "" and stop.expects("WHERE"):
        return "a definition's parameters follow `=`, as in `val f = fun(x => ...)`"
    if stop.expects("FLOAT") and (
        found == "." or _POINT_LAST.search(stop.text, max(stop.before - 2, 0), stop.before)
    ):
        return "a number with a point has digits on both sides, as in `1.0`"
    match found:
        case "," if stop.opener == "(" and stop.expects("RPAR") and not stop.expects("COMMA"):
            return "`f(a, b)` applies a function to two arguments; `pair(a, b)` makes a pair"
        case "}" if stop.opener == "{" and stop.expects("COLON"):
            return "an implicit parameter has a kind, as in `{n: nat}`"
        case "]" if stop.last == ".." or (stop.opener == "[" and stop.expects("RPAR")):
            return "a range ends before its bound, as in `[0..n)`"
        case ")" | "]" | "}" if stop.last in CLOSERS:
            return "an application, a function and an array have at least one item"
        case ")" | "]" | "}" if stop.last == ",":
            return "remove the comma: nothing follows the last item"
        case "val" if stop.kind != "program":
            return "definitions belong into a program; this is read alone"
        case "+" | "*" | "/" | "%" | "/^" | "<" | "<=" | ">" | ">=" | "==" | "!=" if stop.expects("FUN"):
            return f"an operator as a function is written `({found})`"
        case "-" if stop.expects("INT") and not stop.expects("FUN"):
            return "a size is an integer >= 0"
        case "+" | "-" | "*" | "/" | "%" | "^" | "/^" if stop.expects("ARROW", "RANGE"):
            return "arithmetic on sizes stands in parentheses, as in `(2*n).t`"
        case "[" if stop.expects("ARROW") or not stop.expects("FUN", "COMPARE"):
            return ARRAY_TYPE
        case _ if stop.expects("ARROW") and re.fullmatch(r"[A-Za-z]\w*", found):
            return ARRAY_TYPE
        case "=>" if stop.expects("ARROW"):
            return "the type of a function is written with `->`"
        case "=>" if any(one.type == "IF" for one in stop.open):
            return "`>=` compares; `=>` belongs to `fun(x => ...)`"
        case "=" if _PAIR_LET.search(stop.text, 0, stop.before):
            return "`let` gives one name: `let p = ...`, then `fst(p)` and `snd(p)`, or a function `fun(x, y => ...)`"
        case "=" if stop.expects("COMPARE", "AND"):
            return "`==` compares; `=` belongs to `val name = ...`"
        case _:
            return HINTS.get(found, "")


def _foreign_number(stop: Stop) -> Diagnostic | None:
    """`1.0f`, `0x10`, `1_000`."""
    found = re.match(r"[0-9][0-9.]*", stop.found)
    if not found or not stop.expects("INT", "FLOAT", "TYPED") or found[0] == stop.found:
        return None
    suffix = stop.found[found.end() :]
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
    hint = f"write {quoted(found[0] + meant)}" if meant else did_you_mean(suffix, SUFFIXES)
    return Diagnostic("number-suffix", title, label, hint or f"the suffixes are {', '.join(SUFFIXES)}")


def _import(stop: Stop) -> Diagnostic | None:
    """`import a, b`, `import "a"`, `import ./a`, imports and nothing else."""
    line = max(stop.text.rfind("\n", 0, stop.before), stop.text.rfind("\r", 0, stop.before)) + 1
    if stop.kind != "program" or not _IMPORT.match(stop.text, line, stop.before) or stop.bracket is not None:
        return None
    if stop.is_at_end and stop.expects("NAME", "VAL"):
        title = f"expected a definition or an expression after the imports, found {stop.name()}"
        return Diagnostic("syntax", title, (stop.label(),), "write `val name = ...`")
    if stop.found == "," and not stop.expects("COMMA"):
        hint = "write one `import` for each; after `:` names of definitions follow, as in `import a: f, g`"
        return Diagnostic("import", "expected one name to import, found `,`", (stop.label(),), hint)
    if stop.found[:1] == '"' or stop.found in ("'", "/", "<", ".", "..", "*"):
        title = f"expected the name of a library, found {stop.name()}"
        return Diagnostic("import", title, (stop.label(),), IMPORTS)
    return None


def _stray_character(stop: Stop) -> Diagnostic | None:
    """Characters that no token has."""
    found = stop.found
    if not found or (found.isascii() and found.isprintable() and found not in _STRAY):
        return None
    point = f"U+{ord(found):04X}"
    match found:
        case ";" if stop.expects("COMMA"):
            hint = "`,` separates arguments"
        case _ if found in LOOKALIKES:
            hint = f"write `{LOOKALIKES[found]}`, found {point}"
        case _ if found in HINTS:
            hint = HINTS[found]
        case _ if found.isspace():
            hint = f"write a space, found {point}"
        case _ if found.isalpha():
            hint = f"names are made of a-z, A-Z, 0-9, `_` and `'`, found {point}"
        case _:
            hint = f"{point} is not in the language: remove it"
    return Diagnostic("character", _title(stop), (stop.label(),), hint)


def _chained_comparison(stop: Stop) -> Diagnostic | None:
    """`a < b < c`."""
    before = next((one for one in reversed(stop.open) if one.type == "COMPARE"), None)
    if before is None or stop.found not in ("<", "<=", ">", ">=", "==", "!=") or stop.expects("COMPARE"):
        return None
    title = f"expected one comparison, found {stop.name()} after `{before.value}`"
    labels = (label_of(before, "compares once"), stop.label("and again"))
    is_type = before.value == "<" and stop.found == ">"
    hint = "types are given in braces, as in `cast{f32}(x)`" if is_type else "write `a < b && b < c`"
    return Diagnostic("chained-comparison", title, labels, hint)


def _missing_val(stop: Stop) -> Diagnostic | None:
    """`let x = 1`, `def f = ...`, `f = ...`."""
    if stop.found not in ("=", ":=") or stop.kind != "program" or stop.bracket is not None:
        return None
    line = max(stop.text.rfind("\n", 0, stop.start), stop.text.rfind("\r", 0, stop.start)) + 1
    found = _DEFINITION.fullmatch(stop.text, line, stop.start)
    if found is None:
        return None
    title = f"expected `val` before a definition, found {quoted(found['word'] or found['name'])}"
    hint = f"write {quoted('val ' + found['name'] + ' = ...')}"
    if found["word"] == "let":
        hint += " outside of expressions; within one, `let x = e in ...`"
    label = Label(found.start("word") if found["word"] else found.start("name"), found.end("name"))
    return Diagnostic("missing-val", title, (label,), hint)


def _inner_definition(stop: Stop) -> Diagnostic | None:
    """`let m = e` or `val m = e` inside of an expression."""
    if stop.found == "val" and stop.bracket is not None and not stop.is_at_end:
        found, name = stop.label(), "x"
    elif stop.found == "=" and stop.expects("COMPARE", "AND"):
        before = _LET.search(stop.text, max(stop.before - 200, 0), stop.before)
        if before is None:
            return None
        found, name = Label(before.start(), before.end()), before["name"]
    else:
        return None
    title = f"expected an expression, found {quoted(stop.text[found.start : found.end])}, which begins a definition"
    hint = f"within an expression a name is given by `let {name} = ... in ...`"
    return Diagnostic("inner-definition", title, (found,), hint)


def _reserved_word(stop: Stop) -> Diagnostic | None:
    """`fun(then => ...)`, `val if = ...`."""
    if stop.found not in RESERVED or not stop.expects("NAME") or stop.is_at_end or stop.expects("PLUS"):
        return None
    title = f"expected a name, found the reserved word {stop.name()}"
    return Diagnostic("reserved-word", title, (stop.label(),), f"write another name, such as `{stop.found}_`")


def _incomplete_if(stop: Stop) -> Diagnostic | None:
    """`if a then b` and no more."""
    missing = next((one for one in ("THEN", "ELSE") if stop.expects(one)), "")
    opened = _last_without(missing, stop.open)
    if (
        not missing
        or opened is None
        or not (stop.is_at_end or stop.found in (")", "]", "}", ",", "|>", "else"))
    ):
        return None
    title = f"expected `{missing.lower()}`, found {stop.name()}"
    labels = (label_of(opened, f"this `if` has no `{missing.lower()}`"), stop.label())
    return Diagnostic(
        "incomplete-if", title, labels, "write `if condition then a else b`; `else` is never left out"
    )


def _let_without_in(stop: Stop) -> Diagnostic | None:
    """`let x = e` and no more."""
    opened = next((one for one in reversed(stop.open) if one.type == "LET"), None)
    if not stop.expects("IN") or opened is None:
        return None
    if not stop.is_at_end and stop.found not in (")", "]", "}", ",", "|>", "val", ";"):
        return None
    labels = (label_of(opened, "this `let` has no `in`"), stop.label())
    hint = "write `let x = e in result`"
    if stop.bracket is None and stop.kind == "program":
        hint += "; a definition of the program is written `val x = e`"
    return Diagnostic("incomplete-let", f"expected `in`, found {stop.name()}", labels, hint)


def _bracket(stop: Stop) -> Diagnostic | None:
    """Brackets that close nothing, close another, or are never closed."""
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
        return Diagnostic("unclosed-bracket", title, labels, f"write the missing `{closer}`")
    return None


def _last_without(part: str, tokens: Sequence[Token]) -> Token | None:
    """The innermost `if` that lacks its `then` or `else`."""
    others = 0
    for one in reversed(tokens):
        if one.type == part:
            others += 1
        elif one.type == "IF" and not others:
            return one
        elif one.type == "IF":
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
