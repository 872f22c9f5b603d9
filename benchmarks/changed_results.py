"""Changed results of derivations that the checker takes for right ones.

Each result of a case by the default strategy for processors is changed in a few places, and checked against the
program. What is checked is evaluated, too. `--quick` tries a few cases, and writes nothing.
"""

from __future__ import annotations

import time
from collections import Counter

import _root  # noqa: F401  # before `tests` is imported
from _measure import load, machine
from _report import Table, is_quick, report

from strategies.testing.rows import difference
from tests.strategies import corpus
from tests.strategies.proof.changed_terms import changes, is_checked

MOST = 12  # changes of a result
ONE_IN = 20  # cases, for `--quick`
WAYS = ("refused", "checked, same results", "checked, other results")
NOTE = (
    "A refused result need not be wrong. Results were compared at the small sizes of the cases, on many inputs. "
    "`checked, other results` would be an error of the checker."
)


def main() -> None:
    """Try all cases, and report."""
    quick = is_quick("which changed results are checked")
    before, start = load(), time.process_time()
    found: dict[str, Counter[str]] = {}
    for name in corpus.NAMES[:: ONE_IN if quick else 1]:
        for one in changes(name, MOST):
            way = WAYS[0]
            if is_checked(one):
                is_same = difference(*one.at_small_sizes(), one.float_class)[1] is None
                way = WAYS[1] if is_same else WAYS[2]
            found.setdefault(one.kind, Counter())[way] += 1
    total = sum(found.values(), Counter[str]())
    rows = [
        (kind, str(counts.total()), *(str(counts[way]) for way in WAYS))
        for kind, counts in (*sorted(found.items()), ("all", total))
    ]
    title = f"Changed results: {total[WAYS[2]]} of {total.total()} are checked although they compute something else"
    about = f"{time.process_time() - start:.0f} s; load: {before:.1f} before, {load():.1f} after"
    report(
        "changed_results",
        [Table(title, ("change", "results", *WAYS), tuple(rows), NOTE)],
        machine(),
        about,
        quick,
    )


if __name__ == "__main__":
    main()
