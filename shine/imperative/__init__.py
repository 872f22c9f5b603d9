"""The imperative IR: nodes, text, walks, indices, names. Knows no translation, no pass and no target."""
