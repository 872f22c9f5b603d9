"""Type inference: from syntax to typed terms. `definitions` is the entry point; `solver` knows types, `draft` terms."""
