"""The page `docs/proofs.md`: what is proved of each rule of the library.

`python -m tests.strategies.proof.proof_page` writes it again. A rule that loses its proof changes the page.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from elevate import StrategyError
from strategies import EquationRule, RuleFamily, registry
from strategies.proof import Verdict, prove


def page() -> str:
    """The text of the page."""
    sections: list[str] = []
    count: Counter[str] = Counter()
    module = ""
    for entry in registry.rules().values():
        if entry.address.partition(":")[0] != module:
            module = entry.address.partition(":")[0]
            sections += [
                "",
                f"## {module}",
                "",
                "| rule | verdict | inverse | rests on | laws | demands | open |",
            ]
            sections.append("|---|---|---|---|---|---|---|")
        forward, backward = prove(entry.rule), inverse(entry.rule)
        is_by_function = (
            entry.rule.rule.by is not None if isinstance(entry.rule, RuleFamily) else entry.rule.by
        )
        for number, verdict in enumerate(forward):
            back = backward[number] if number < len(backward) else None
            count["functions" if is_by_function else "proved" if verdict.is_proved else "open"] += 1
            count["proved inverses" if back and back.is_proved else "other inverses" if back else ""] += 1
            sections.append(row(entry.name, verdict, back, bool(is_by_function)))
    summary = (
        f"Of {count['proved'] + count['open']} equations {count['proved']} are proved, and of "
        f"{count['proved inverses'] + count['other inverses']} inverses {count['proved inverses']}. "
        f"{count['functions']} rules are computed by functions: they have no equation to be proved."
    )
    return "\n".join([HEAD, summary, *sections]) + "\n"


def inverse(rule: EquationRule | RuleFamily) -> tuple[Verdict, ...]:
    """The verdicts on a rule's inverse; none if it has none."""
    try:
        return prove(rule.inv)
    except StrategyError:
        return ()


def row(name: str, verdict: Verdict, back: Verdict | None, is_by_function: bool) -> str:
    """A row of the table."""
    cells = [
        f"`{name}`",
        "by a function" if is_by_function else "proved" if verdict.is_proved else "open",
        "" if back is None else "proved" if back.is_proved else "open",
        ", ".join(dict.fromkeys((*verdict.uses, *(back.uses if back else ())))),
        verdict.laws or (back.laws if back else ""),
        ", ".join(f"`{one}`" for one in verdict.demands),
        "" if is_by_function else shown(verdict, back),
    ]
    return f"| {' | '.join(cells)} |"


def shown(verdict: Verdict, back: Verdict | None) -> str:
    """Why it is open, in a cell of a table."""
    return (verdict.reason or (back.reason if back else "")).replace("|", "\\|").replace("\n", " ")


HEAD = """# Proofs of the rules

What is proved of each rule in [rules.md](rules.md), for all sizes, types and inputs: that the right side computes what
the left side does, and demands nothing of sizes that the left side or the rule does not. *Laws* are those that the
rule's conditions or its float class allow to assume, in one of several cases. Rules that are open are tested, as all
others. [rules.md](rules.md#proving-a-rule) says what a proof means and how to prove rules of your own. This page is
written by `python -m tests.strategies.proof.proof_page`.
"""

if __name__ == "__main__":
    Path("docs/proofs.md").write_text(page(), encoding="utf-8")
