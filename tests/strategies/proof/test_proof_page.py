"""The page of proofs has the verdicts of the prover."""

from pathlib import Path

from tests.strategies.proof.proof_page import page


def test_the_page_of_proofs_is_current() -> None:
    assert Path("docs/proofs.md").read_text(encoding="utf-8") == page(), (
        "run `python -m tests.strategies.proof.proof_page`, and see which verdicts changed"
    )
