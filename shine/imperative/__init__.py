"""The imperative IR: nodes, text, traversals, indices, names. Independent of translations, passes and targets."""
