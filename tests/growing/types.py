"""Growing types, nested and repeated: pairs, arrays, arrows, binders; synonyms are in programs.py.

Independent of readers.
"""

from typing import Final

from tests.growing.family import Family, each

TYPES: Final[dict[str, Family]] = {
    "pairs right": ("fun(x: ", each("(f32, "), "f32", each(")"), " => x)"),
    "pairs left": ("fun(x: ", each("("), "f32", each(", f32)"), " => x)"),
    "arrays": ("fun(x: ", each("8."), "f32 => x)"),
    "arrays N": ("fun(x: ", each("N."), "f32 => x)"),
    "arrays names": ("fun(x: ", each("N{i}."), "f32 => x)"),
    "arrays brackets": ("fun(x: ", each("Array[8, "), "f32", each("]"), " => x)"),
    "vectors": ("fun(x: ", each("vec[4, "), "f32", each("]"), " => x)"),
    "dep arrays": ("fun(x: ", each("4..(i |-> "), "f32", each(")"), " => x)"),
    "dep arrays i": ("fun(x: ", each("4..(i |-> (i+1)."), "f32", each(")"), " => x)"),
    "dep arrays names": ("fun(x: ", each("4..(i{i} |-> (i{i}+1)."), "f32", each(")"), " => x)"),
    "dep pairs": ("fun(x: ", each("(n: nat ** "), "n.f32", each(")"), " => x)"),
    "dep pairs used": ("fun(x: ", each("(n: nat ** n."), "f32", each(")"), " => x)"),
    "arrows": ("fun(x: ", each("f32 -> "), "f32 => x)"),
    "arrows left": ("fun(x: ", each("("), "f32", each(" -> f32)"), " => x)"),
    "explicit arrows": ("fun(x: ", each("(n: nat) -> "), "n.f32 => x)"),
    "explicit arrows names": ("fun(x: ", each("(n{i}: nat) -> "), "n0.f32 => x)"),
    "explicit arrows used": ("fun(x: ", each("(n{i}: nat) -> n{i}.f32 -> "), "n0.f32 => x)"),
    "implicit arrows": ("fun(x: ", each("{t: data} -> "), "t => x)"),
    "implicit arrows used": ("fun(x: ", each("{t{i}: data} -> t{i} -> "), "f32 => x)"),
    "fragments": ("fun(x: ", each("Fragment[16, 16, 16, "), "f16", each(", A]"), " => x)"),
    "parentheses": ("fun(x: ", each("("), "f32", each(")"), " => x)"),
    "index nested": ("fun(x: ", each("idx["), "4", each("]"), " => x)"),
    "function sizes": ("fun(x: ", each("(f32 -> "), "f32", each(")"), " => x)"),
    "pairs of names": ("fun(", each("x{i}", ", "), " => ", each("pair(x{i}, "), "x0", each(")"), ")"),
    "names of types": (
        "fun(",
        each("{t{i}: data}", ", "),
        ", x: ",
        each("(t{i}, "),
        "f32",
        each(")"),
        " => x)",
    ),
    "kinds": ("fun({t: (", each("num + ord", " + "), ")}, x: t => x)"),
}
