"""The papers' traversals of RISE terms, in the lowest layer of strategies. Independent of rules."""
