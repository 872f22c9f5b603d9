"""Mistakes of newcomers from other languages: the messages, and that the code in a hint is what one has to write.

`tests/rise/snapshots/newcomers.txt` has for each mistake the text, the message, and a text that does what was meant;
run this file as a program to rewrite the messages.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import rise
from rise import RiseError

CASES: Final = Path(__file__).parent / "snapshots" / "newcomers.txt"
CASE: Final = re.compile(
    r"=== (?P<name>[^\n]+)\n(?P<wrong>.+?)\n--- is refused\n(?P<said>.+?)\n--- is written\n(?P<right>.+?)\n"
    r"(?=\n===|\Z)",
    re.DOTALL,
)
FOUND: Final = {case["name"]: case for case in CASE.finditer(CASES.read_text(encoding="utf-8"))}
#: placeholders for other text in the code of a hint
ANY: Final = re.compile(r"\.\.\.|\b(?:[a-z]|xs|ys|start|condition|result|name|int)\b(?!\{)")
#: hints that ask for something to be removed, and those that are not code: the other words give the reason
IN_WORDS: Final = {
    "C: return": "the word is left out",
    "C: a block": "so are the braces",
    "Python: len": "there is nothing to write",
    "C: an assignment": "there is nothing to write",
}


def pieces(hint: str) -> list[str]:
    """The code in a hint."""
    return re.findall(r"`([^`]+)`", hint)


def is_used(code: str, text: str) -> bool:
    """Whether a text contains the code of a hint, with other text in place of its names."""
    parts = [re.escape(re.sub(r"\s+", "", part)) for part in ANY.split(code)]
    return re.search(".+?".join(parts), re.sub(r"\s+", "", text)) is not None


def test_there_are_many_mistakes() -> None:
    assert len(FOUND) == CASES.read_text(encoding="utf-8").count("=== ") >= 60
    assert IN_WORDS.keys() <= FOUND.keys()


def said_of(text: str) -> RiseError:
    """The message for a wrong text."""
    with pytest.raises(RiseError) as caught:
        rise.parse(text)
    return caught.value


@pytest.mark.parametrize("name", FOUND)
def test_the_code_in_a_hint_is_what_to_write(name: str) -> None:
    case = FOUND[name]
    diagnostic = said_of(case["wrong"]).diagnostic
    assert diagnostic.render() == case["said"]
    rise.parse(case["right"])
    hint = diagnostic.hint
    used = [code for code in pieces(hint) if is_used(code, case["right"])]
    assert used or name in IN_WORDS, f"nothing of this hint is in what is written: {hint}"


def test_code_of_a_hint_that_is_not_used_is_found() -> None:
    assert is_used("reduce(f, start)", "xs |> reduce(add, 0.0)")
    assert is_used("fun(x => ...)", "map(fun(y => y + 1.0))")
    assert not is_used("reduce(f, start)", "xs |> scan(add, 0.0)")
    assert not is_used("cast{f64}(x)", "cast{f32}(x)")


def write() -> None:
    """Write the messages of all cases."""
    parts = []
    for name, case in FOUND.items():
        said = said_of(case["wrong"]).diagnostic.render()
        parts.append(
            f"=== {name}\n{case['wrong']}\n--- is refused\n{said}\n--- is written\n{case['right']}\n"
        )
    CASES.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    write()
