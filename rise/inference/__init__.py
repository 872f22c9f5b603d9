"""Type inference: from syntax to typed terms. `definitions` is the entry point; `solver` unifies types, `draft` builds
terms.
"""
