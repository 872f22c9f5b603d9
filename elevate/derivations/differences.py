"""Differences between the programs of a step, as text and HTML; derivations as pages. Independent of languages.

Terms are printed by a given function, whose text may have several lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from html import escape
from typing import Any, TypeAlias

from elevate.argument_checks import expected_term, expected_text
from elevate.derivations.derivation import Derivation, expected_derivation
from elevate.floats import FloatClass
from elevate.term import Path, Term, replaced, show_path, surroundings, within
from elevate.trace import Step, expected_step
from elevate.tracebacks import ends_at_the_users_line

Show: TypeAlias = Callable[[Any], str]
MAX_COMPARISONS = 40_000
"""The limit of the product of the word counts of two texts, above which words are not compared."""
CONTEXT_LINES = 2
"""How many unchanged lines are shown around a changed one."""
WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@ends_at_the_users_line
def text_difference(before: str, after: str) -> str:
    """The changed lines, marked with `-` and `+`, and a few unchanged lines around them."""
    old, new = (expected_text(text, "a text to compare").split("\n") for text in (before, after))
    lines = unified_diff(old, new, lineterm="", n=CONTEXT_LINES)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


@ends_at_the_users_line
def html_difference(before: str, after: str) -> tuple[str, str]:
    """Both texts as HTML, with words only in the first marked as deleted, words only in the second as inserted."""
    old, new = (WORDS.findall(expected_text(text, "a text to compare")) for text in (before, after))
    prefix = common_prefix_length(old, new)
    suffix = common_prefix_length(old[prefix:][::-1], new[prefix:][::-1])
    ends = len(old) - suffix, len(new) - suffix
    left, right = [escape("".join(old[:prefix]))], [escape("".join(new[:prefix]))]
    for kind, a, b, c, d in changes(old[prefix : ends[0]], new[prefix : ends[1]]):
        for pieces, side, tag in (
            (old[prefix + a : prefix + b], left, "del"),
            (new[prefix + c : prefix + d], right, "ins"),
        ):
            text = escape("".join(pieces))
            if text:
                side.append(text if kind == "equal" else f"<{tag}>{text}</{tag}>")
    end = escape("".join(old[ends[0] :]))
    return "".join([*left, end]), "".join([*right, end])


def common_prefix_length(left: list[str], right: list[str]) -> int:
    """How many words two texts have in common at their beginning."""
    pairs = zip(left, right, strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def changes(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """The edits between two texts that differ at both ends; one replacement of everything if they are long."""
    if len(old) * len(new) > MAX_COMPARISONS:
        return [("replace", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def sides(step: Step, program: Term, show: Show) -> tuple[str, str]:
    """The subterms at the place of a step, before and after it."""
    around = surroundings(expected_term(program), expected_step(step).path)
    return show(within(step.redex, around)), show(within(step.contractum, around))


@ends_at_the_users_line
def step_text(step: Step, program: Term, show: Show = repr) -> str:
    """A step in a program as text: rule, place, and the lines that changed."""
    both = sides(step, program, show)
    return f"{step.rule.name} at {show_path(step.path)}\n{text_difference(*both)}"


@ends_at_the_users_line
def step_html(step: Step, program: Term, show: Show = repr) -> str:
    """A step in a program as an HTML fragment: rule, place, both sides."""
    left, right = html_difference(*sides(step, program, show))
    return f"{_title(step, step.path)}<div class=sides><pre>{left}</pre><pre>{right}</pre></div>"


def _title(step: Step, path: Path) -> str:
    float_class = step.rule.float_class
    notes = "" if float_class is FloatClass.EXACT else f" <em>{escape(str(float_class))}</em>"
    equation = str(getattr(step.rule, "equation", ""))
    law = f"<code>{escape(equation)}</code>" if equation else ""
    return f"<h2>{escape(step.rule.name)} <small>at {show_path(path)}</small>{notes}</h2>{law}"


@ends_at_the_users_line
def derivation_html(
    derivation: Derivation[Any], title: str = "A derivation", show: Show = repr, programs: bool = True
) -> str:
    """A self-contained page that shows one step at a time: both sides, and with `programs` the changed lines.

    Arrow keys and buttons move between the steps. The page loads nothing.
    """
    sections = list(_sections(expected_derivation(derivation), show, programs))
    body = "\n".join(f"<section>{section}</section>" for section in sections)
    name = escape(title)
    return _PAGE.format(title=name, style=_STYLE, script=_SCRIPT, body=body)


def _sections(derivation: Derivation[Any], show: Show, programs: bool) -> Iterator[str]:
    program: Term = derivation.given
    before = show(program)
    yield f"<h2>The program</h2><pre>{escape(before)}</pre>"
    for step in derivation.steps:
        part = step_html(step, program, show)
        program = replaced(program, step.path, step.contractum)
        if not programs:
            yield part
            continue
        after = show(program)
        yield f"{part}<h3>in the program</h3><pre>{_marked(text_difference(before, after))}</pre>{_whole(after)}"
        before = after
    yield f"<h2>The result</h2><pre>{escape(show(program))}</pre>"


def _whole(text: str) -> str:
    return f"<details><summary>the program now</summary><pre>{escape(text)}</pre></details>"


def _marked(difference: str) -> str:
    tags = {"-": "del", "+": "ins"}
    lines: list[str] = []
    for line in difference.split("\n"):
        tag = tags.get(line[:1])
        lines.append(f"<{tag}>{escape(line)}</{tag}>" if tag else escape(line))
    return "\n".join(lines)


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
pre, code { font: 13px/1.45 ui-monospace, monospace; }
pre { background: #f6f6f4; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
del { background: #fdd; text-decoration: none; } ins { background: #dfd; text-decoration: none; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .7rem; } small, em { color: #777; font-weight: 400; }
section { display: none; } section.now { display: block; } nav { position: sticky; top: 0; background: #fff; }
"""
_SCRIPT = """
const steps = document.querySelectorAll("section");
const at = document.getElementById("at");
let now = 0;
function go(to) {
  now = Math.max(0, Math.min(steps.length - 1, to));
  steps.forEach((one, number) => one.classList.toggle("now", number === now));
  const last = steps.length - 1;
  at.textContent = now === 0 ? "the program" : now === last ? "the result" : "step " + now + " of " + (last - 1);
}
document.getElementById("previous").onclick = () => go(now - 1);
document.getElementById("next").onclick = () => go(now + 1);
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") go(now + 1);
  if (event.key === "ArrowLeft") go(now - 1);
});
go(0);
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>
<body><h1>{title}</h1>
<nav><button id="previous">previous</button> <button id="next">next</button> <span id="at">the program</span></nav>
{body}
<script>{script}</script></body></html>
"""
