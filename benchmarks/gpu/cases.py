"""The programs and matrix products that are timed on a device, with references. Independent of devices.

A program is added to `programs.py`, a product to `products.py`: nothing else has to be changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.gpu.model import Case, Kernel, Product
from benchmarks.gpu.products import PRODUCTS
from benchmarks.gpu.programs import by_default, by_tensor_cores

__all__ = ["Case", "Kernel", "Product", "cases", "products"]


def cases() -> Iterable[Case]:
    """All programs, those for tensor cores first, in case time runs out."""
    return (*by_tensor_cores("cuda"), *by_default("cuda"))


def products() -> Iterable[Product]:
    """All products, the most informative first, in case time runs out."""
    return PRODUCTS
