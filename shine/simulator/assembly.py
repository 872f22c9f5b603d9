"""Inline assembly in CUDA texts: found, and refused where it has instructions. Knows no instruction.

A statement is replaced by an assertion of the compiler that fails, so that one in a branch of the preprocessor that is
not taken is no mistake. Empty statements, which only order accesses, stay. What is not recognised here (a label of a
declaration, a keyword made by the preprocessor) the compiler refuses, since `vocabulary.h` poisons the keywords.
"""

from __future__ import annotations

import re
from typing import Final

from shine.simulator.text import closing, without_noise

#: begins the message of the assertion that replaces a statement
UNKNOWN: Final = "unknown instruction: "
_STATEMENT = re.compile(r"\b(?:asm|__asm__|__asm)\b(?:\s*\b(?:volatile|__volatile__|goto|inline)\b)*\s*\(")
_STATEMENT_WORD: Final = re.compile(r"\s*(?:(?:if|for|while|else|do|switch|case|default)\b|#)")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
_RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
_ESCAPES: Final = {r"\n": "\n", r"\t": "\t", r"\r": "", r"\"": '"', r"\\": "\\"}


def replace_assembly(source: str) -> str:
    """The text with its inline assembly replaced; lines keep their numbers.

    >>> replace_assembly('{ asm volatile("" ::: "memory"); asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); }')
    '{ SIM_ORDER("" ::: "memory"); []{ static_assert(false, "unknown instruction: ex2.approx.f32"); }(); }'
    """
    clean = without_noise(source)
    parts, end = [], 0
    for match in _STATEMENT.finditer(clean):
        before = re.split(r"[;{}]", clean[: match.start()])[-1]
        in_statement = _STATEMENT_WORD.match(before) is not None
        is_label = re.search(r"[\w)]\s*$", before) is not None and not in_statement
        is_outside = not in_statement and clean.count("{", 0, match.start()) <= clean.count(
            "}", 0, match.start()
        )
        if match.start() < end or is_label or is_outside:
            continue
        stop = closing(clean, match.end())
        instruction = first_instruction(_template(source[match.end() : stop], clean[match.end() : stop]))
        parts.append(source[end : match.start()])
        if instruction is None:
            parts.append("SIM_ORDER(")
            end = match.end()
            continue
        statement = source[match.start() : stop]
        ends = re.findall(r"\\?\n", statement)  # of a macro's lines, too
        quoted = re.sub(r'["\\]', "", instruction)
        parts.append(f'[]{{ static_assert(false, "{UNKNOWN}{quoted}"{"".join(ends)}); }}()')
        end = stop + 1
    return "".join([*parts, source[end:]])


def _template(statement: str, clean: str) -> str:
    """The instructions of a statement: the literals before its first colon, joined."""
    before = len(clean.split(":")[0]) if not _RAW.search(statement) else len(statement)
    raw = _RAW.search(statement)
    if raw:
        return raw[2]
    text = "".join(_LITERAL.findall(statement[:before]))
    return re.sub(r"\\.", lambda escape: _ESCAPES.get(escape[0], ""), text)


def first_instruction(template: str) -> str | None:
    """The mnemonic of the first instruction of an assembly text, else its first directive, if it has one.

    >>> first_instruction("{ .reg .pred p; setp.ne.b32 p, %0, 0; }"), first_instruction("// nothing")
    ('setp.ne.b32', None)
    >>> first_instruction("@p bra DONE;"), first_instruction("DONE: ret;")
    ('bra', 'ret')
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", template, flags=re.DOTALL)
    statements = (
        re.sub(r"^\s*(?:[\w$%]+:(?!:)\s*)?(?:@!?[\w%]+\s+)?", "", statement).split()
        for statement in re.split(r"[;\n{}]", text)
    )
    words = [statement[0] for statement in statements if statement]
    return next((word for word in words if not word.startswith(".")), words[0] if words else None)
