"""The page of proofs has the verdicts of the prover."""

from pathlib import Path

from strategies import registry
from tests.examples import SAMPLED, some
from tests.strategies.proof.proof_page import page, rows_of
from tests.strategies.rules.proved_rules import verdicts


def test_the_page_of_proofs_is_current() -> None:
    """In `ci`, every sixteenth rule is proved again, and all others have a row; otherwise, all are proved again."""
    text = Path("docs/proofs.md").read_text(encoding="utf-8")
    entries = list(registry.rules().values())
    what = "run `python -m tests.strategies.proof.proof_page`, and see which verdicts changed"
    assert list(verdicts()) == [entry.name for entry in entries], what
    if not SAMPLED:
        assert text == page(), what
        return
    for entry in some(entries, 16):
        rows, _ = rows_of(entry)
        assert [line for line in text.splitlines() if line.startswith(f"| `{entry.name}` |")] == rows, what
