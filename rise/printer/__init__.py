"""Prints terms in their canonical form. Knows primitives by their notation, and no rules."""
