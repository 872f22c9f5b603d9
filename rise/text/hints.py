"""The wording of syntax errors: tokens, brackets, habits from other languages.

Independent of source text and of the parser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final

MAX_ALTERNATIVES: Final = 5

CLOSERS: Final[Mapping[str, str]] = {"(": ")", "[": "]", "{": "}"}
TERMINALS: Final[Mapping[str, str]] = {")": "RPAR", "]": "RSQB", "}": "RBRACE"}
RESERVED: Final = frozenset({"val", "fun", "if", "then", "else"})
SUFFIXES: Final = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64")
FOREIGN_SUFFIXES: Final[Mapping[str, str]] = {"f": "f32", "d": "f64", "h": "f16", "u": "u32", "l": "i64"}


def alternatives(terminals: Set[str]) -> list[str]:
    """The alternatives that the grammar accepts at a place, in words, likeliest first, from the names of terminals."""
    words = [word for name, word in _WORDS.items() if name in terminals]
    is_after_operand = bool(terminals & _OPERATORS)  # an operand precedes and may end here
    if not is_after_operand and "FUN" in terminals:
        words.append("an expression")
    elif not is_after_operand and {"NAME", "INT", "LPAR"} <= terminals:
        words.append("a type or a size")
    elif not is_after_operand and {"NAME", "LPAR"} <= terminals:
        words += ["a name", "`(`"]
    elif not is_after_operand:
        words += [word for name, word in _ATOMS.items() if name in terminals]
    if is_after_operand and "COMPARE" in terminals and "PLUS" not in terminals:
        words.append("a comparison")
    elif is_after_operand and terminals & _ARITHMETIC and "ARROW" not in terminals:
        words.append("an operator")
    elif is_after_operand:
        words += [word for name, word in _TYPE_OPERATORS.items() if name in terminals]
    if "an operator" in words and "`:`" in words:
        words.remove("`:`")
    if "$END" in terminals:
        words.append("the end of the text")
    return words[:MAX_ALTERNATIVES]


def phrase(words: Sequence[str]) -> str:
    """Words as one alternative.

    >>> phrase(["`,`", "`)`", "an operator"])
    '`,`, `)` or an operator'
    """
    *others, last = words or ["something else"]
    return f"{', '.join(others)} or {last}" if others else last


_WORDS: Final[Mapping[str, str]] = {
    "RPAR": "`)`",
    "RSQB": "`]`",
    "RBRACE": "`}`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "COMMA": "`,`",
    "FAT_ARROW": "`=>`",
    "MAPS_TO": "`|->`",
    "STARS": "`**`",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "WHERE": "`where`",
    "IN": "`in`",
    "DIVIDES": "`divides`",
    "VAL": "`val`",
}
_ATOMS: Final[Mapping[str, str]] = {
    "NAME": "a name",
    "INT": "a size",
    "LPAR": "`(`",
    "LBRACE": "`{`",
    "LSQB": "`[`",
}
_TYPE_OPERATORS: Final[Mapping[str, str]] = {"ARROW": "`->`", "DOT": "`.`", "RANGE": "`..`", "PIPE": "`|>`"}
_ARITHMETIC: Final = frozenset({"PIPE", "COMPOSE", "OR", "AND", "PLUS", "MINUS", "STAR", "CARET"})
_OPERATORS: Final = frozenset({"PIPE", "COMPOSE", "OR", "AND", "DOT", "RANGE", "ARROW", "DIVIDES"})

FUNCTION: Final = "functions are written `fun(x => ...)`"
DEFINITION: Final = "write a definition as `val f = fun(xs: N.f32 => ...)`"
METHOD: Final = "there are no methods: write `xs |> f`; `.` composes functions"
SLICE: Final = "write `xs |> idx(i)` for an element, `xs |> drop(n)` and `xs |> take(n)` for a slice"
LOOP: Final = "there are no loops: write `xs |> map(fun(x => ...))`, `reduce` or `iterate`"
GROUPS: Final = "parentheses group, as in `(x)`; braces hold types, as in `cast{f32}(x)`"
NAMED: Final = "arguments have no names: write them in order, as in `f(x, y)`; `==` compares"
PYTHON: Final = (
    "a function that is written for numpy is compiled by `shine.jit`, in Python; a RISE text imports RISE"
    " libraries, such as `import linear_algebra`"
)
IMPORTS: Final = (
    "`import linear_algebra` imports a library, `import .helpers` the file helpers.rise next to the program,"
    " `import .kernels.blur` the file kernels/blur.rise"
)
ARRAY_TYPE: Final = "the type of an array is written size first, with a dot in between: `N.f32`, `M.N.f32`"

#: types with brackets
BRACKETED: Final[Mapping[str, str]] = {
    "Array": "Array[n, t]",
    "vec": "vec[n, t]",
    "idx": "idx[n]",
    "Fragment": "Fragment[m, n, k, t, AMatrix | BMatrix | Accum]",
    "Wide": "Wide[t]",
}
TYPES: Final = "a type is a scalar, n.t, (s, t), idx[n], vec[n, t], or s -> t"

HINTS: Final[Mapping[str, str]] = {
    "\\": FUNCTION,
    "=>": FUNCTION,
    "->": "`->` belongs to types; " + FUNCTION,
    "..": "a range of indices is written in brackets, as in `[0..n)`",
    "|->": "a map of indices is written in parentheses, as in `n..(i |-> t)`",
    "then": "`then` and `else` belong to `if condition then a else b`",
    "else": "`then` and `else` belong to `if condition then a else b`",
    "in": "`in` ends the bindings of a block, as in `let x = e in result`; write another name for a value",
    ";": "nothing separates lines or definitions: remove `;`",
    "#": "comments begin with `//`",
    "/*": "comments begin with `//` and end with the line",
    '"': 'a string ends with `"` on the same line, and is a message of `typeHole` or `printType`',
    "'": "a name may end with `'`, not begin with it",
    "`": "names are written without quotes",
    "&": "`&&` is and",
    "|": "`|>` passes a value to a function, `||` is or",
    "~": "`!` is not, `-` negates",
    "!==": "`!=` compares",
    "<>": "`!=` compares",
    "=<": "`<=` compares",
    "===": "`==` compares",
    ":=": "definitions are written `val name = ...`",
    "+=": "there is no assignment: a function returns its result",
    "::": "a type follows one `:`",
    "**": "powers of numbers are written `pow(x, y)`, those of sizes `a ^ b`",
    "++": "`concat(xs, ys)` joins two arrays",
    "<|": "`x |> f` passes a value to a function",
    ">>=": "`f >> g` composes functions",
    "$": "`x |> f` passes a value to a function, and parentheses group",
    "@": "matrices are multiplied by `mm(a, b)`, after `import linear_algebra`; types are in braces, `cast{f32}(x)`",
    "?": "a conditional is written `if a then b else c`",
    ":": "a type may follow a whole expression; put it in parentheses elsewhere, as in `(x : f32)`",
}

LOOKALIKES: Final[Mapping[str, str]] = {
    "λ": "fun(x => ...)",
    "→": "->",
    "⇒": "=>",
    "↦": "|->",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "÷": "/",
    "∘": ".",
    "∧": "&&",
    "∨": "||",
    "¬": "!",
    "−": "-",
    "–": "-",
    "—": "-",
    "‘": "'",
    "’": "'",
    "′": "'",
    "…": "..",
    "，": ",",
    "（": "(",
    "）": ")",
    "：": ":",
    "；": "",
}
