"""Inference: from syntax to typed terms. `definitions` is the way in; `solver` knows types, `draft` terms."""
