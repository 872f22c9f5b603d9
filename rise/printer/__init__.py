"""Prints terms in their canonical form. Depends on primitives by their notation, but not on rules."""
