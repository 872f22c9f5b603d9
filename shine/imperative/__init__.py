"""The imperative IR: nodes, text, traversals, indices, names. Knows no translation, no pass and no target."""
