"""Terms as text: the one canonical form. Knows primitives by their notation, and no rules."""
