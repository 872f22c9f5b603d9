"""Finds inline assembly in CUDA source, and replaces it with calls of the simulator's functions.

Independent of instructions.

Assembly that cannot be replaced becomes a failing `static_assert`, so that it is no error in code that the preprocessor
removes. Empty statements, which only order accesses, stay without their operands. Assembly that is not recognised here
(the label of a declaration, a keyword made by the preprocessor) is rejected by the compiler, since `vocabulary.h`
poisons the keywords.
"""

from __future__ import annotations

import re
from typing import Final

from shine.simulator.ptx_operands import CONSTRAINTS, WRONG, BadAssembly, Operand
from shine.simulator.ptx_statements import statement_text
from shine.simulator.text import closing, without_noise

_STATEMENT = re.compile(r"\b(?:asm|__asm__|__asm)\b(?:\s*\b(?:volatile|__volatile__|goto|inline)\b)*\s*\(")
_STATEMENT_WORD: Final = re.compile(r"\s*(?:(?:if|for|while|else|do|switch|case|default)\b|#)")
_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:\\.|[^"\\])*)"', re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|\n|.)", re.DOTALL)
_ESCAPES: Final = {r"\n": "\n", r"\t": "\t", r"\r": "", r"\"": '"', "\\\\": "\\"}
#: for a statement without instructions: its operands have no register here, and `f` would be another kind
_ORDER: Final = 'SIM_ORDER("" ::: "memory")'
_OPERAND = re.compile(r"([=+]?)(&?)(\w)")


def replace_assembly(source: str) -> str:
    """The text with its inline assembly replaced; lines keep their numbers.

    >>> replace_assembly('{ asm volatile("" ::: "memory"); asm("brkpt;"); }')
    '{ SIM_ORDER("" ::: "memory"); []{ static_assert(false, "unknown instruction: brkpt"); }(); }'
    >>> replace_assembly('{ asm volatile("" : "+f"(sums[i]) :: "memory"); }')
    '{ SIM_ORDER("" ::: "memory"); }'
    """
    clean = without_noise(source)
    parts, end = [], 0
    for match in _STATEMENT.finditer(clean):
        before = re.split(r"[;{}]", clean[: match.start()])[-1]
        in_statement = _STATEMENT_WORD.match(before) is not None or _ends_loop_head(clean[: match.start()])
        is_label = re.search(r"[\w)]\s*$", before) is not None and not in_statement
        is_outside = not in_statement and clean.count("{", 0, match.start()) <= clean.count(
            "}", 0, match.start()
        )
        if match.start() < end or is_label or is_outside:
            continue
        stop = closing(clean, match.end())
        statement = source[match.start() : stop]
        parts.append(source[end : match.start()])
        end = stop + 1
        ends = "".join(re.findall(r"\\?\n", statement))  # of a macro's lines, too
        try:
            replaced = _replaced(source[match.end() : stop], clean[match.end() : stop])
        except BadAssembly as bad:
            message = re.sub(r"[\"\\\s]+", " ", str(bad))
            replaced = f'[]{{ static_assert(false, "{message}"); }}()'
        if replaced is None:
            parts.append("SIM_ORDER(")
            end = match.end()
        else:
            parts.append(replaced + ends)
    return "".join([*parts, source[end:]])


def _ends_loop_head(clean: str) -> bool:
    """Whether a text ends with the parentheses of a `for`, which have semicolons.

    >>> _ends_loop_head("f(); for (int i = 0; i < g(1); i++) "), _ends_loop_head("int f(int x) ")
    (True, False)
    """
    head = clean.rstrip()
    depth = 0
    for position in range(len(head) - 1, -1, -1) if head.endswith(")") else ():
        depth += (head[position] == ")") - (head[position] == "(")
        if depth == 0:
            return re.search(r"\bfor\s*$", head[:position]) is not None
    return False


def _replaced(statement: str, clean: str) -> str | None:
    """The C++ of a statement, given what is in its parentheses; None if it is empty and has no operands.
    Raises BadAssembly.
    """
    (template, its_clean), *sections = _sections(statement, clean)
    text = "".join(
        one[2] if one[2] is not None else _unescaped(one[3])
        for one in _LITERAL.finditer(template)
        if one[0][0] != "/"
    )
    others = re.sub(r"\bR\b|[\s\\]", "", its_clean)
    if others:
        raise BadAssembly(f"{WRONG}expected literals as the text, found `{others[:40]}`")
    if not re.sub(r"//[^\n]*|/\*.*?\*/|[\s;{}]", "", text, flags=re.DOTALL):
        return None if not any(one.strip() for one, _ in sections[:2]) else _ORDER
    operands = [
        _operand(part, is_output=number == 0)
        for number, (section, clean_section) in enumerate(sections[:2])
        for part in _split(section, clean_section, ",")
        if part.strip(" \t\n\\")
    ]
    # Without colons there are no operands, and a single `%` begins a special register.
    return statement_text(text.replace("%%", "%") if sections else text, operands)


def _sections(statement: str, clean: str) -> list[tuple[str, str]]:
    """The sections of a statement between colons, each with its clean form."""
    sections, start = [], 0
    for section in _split(statement, clean, ":"):
        sections.append((section, clean[start : start + len(section)]))
        start += len(section) + 1
    return sections


def _split(text: str, clean: str, separator: str) -> list[str]:
    """Split a text where its clean form has the separator outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(clean):
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def _operand(text: str, is_output: bool) -> Operand:
    literal = _LITERAL.search(text)
    expression = text[literal.end() :].strip(" \t\n\\") if literal else ""
    constraint = _OPERAND.fullmatch(literal[3] or "") if literal else None
    if constraint is None or not expression.startswith("(") or (bool(constraint[1]) != is_output):
        found = " ".join(text.split())[:40]
        raise BadAssembly(f"{WRONG}expected operands like =r(x) and r(x), found `{found}`")
    if constraint[3] not in CONSTRAINTS or (is_output and constraint[3] == "n"):
        known = ", ".join(CONSTRAINTS)
        raise BadAssembly(f"{WRONG}expected one of the constraints {known}, found `{constraint[3]}`")
    plain = re.sub(r"\\?\n", " ", _COMMENT.sub(" ", expression))
    return Operand(constraint[3], plain, not is_output or constraint[1] == "+", is_output)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[0], ""), text)
