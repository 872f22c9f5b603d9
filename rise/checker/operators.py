"""Claims about operations, as data. Independent of proofs."""

from __future__ import annotations

from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class Operator:
    """An operation, by the name of its primitive or input, with the laws that are claimed for it.

    - `neutral`: the input or the number that is neutral on both sides; None if there is none.
    - `commutes`: `a + b = b + a`.
    - `idempotent`: `a + b + a = a + b`.
    - `associates`: `a + (b + c) = (a + b) + c`. The result of an operation without this law may have another type than
      its operands.
    - `restarts`: the input i from which folds may start again: i is neutral on the right, and the operation associates,
      for all a and b that are results of folds from i, and for every c. It need not associate for other values.
    - `over`: another operation over which this one distributes; its neutral element z gives `a * z = z * a = z`.
    """

    name: str
    neutral: str | int | None = None
    commutes: bool = False
    idempotent: bool = False
    associates: bool = True
    restarts: str | None = None
    over: str | None = None

    def __str__(self) -> str:
        laws = ["associative"] if self.associates else []
        laws += ["commutative"] if self.commutes else []
        laws += ["idempotent"] if self.idempotent else []
        start = f" with neutral element {self.neutral}" if self.neutral is not None else ""
        after = f" on values that folds from {self.restarts} give" if self.restarts is not None else ""
        over = f", and distributes over {self.over}" if self.over is not None else ""
        return f"{self.name} is {' and '.join(laws)}{start}{after}{over}"
