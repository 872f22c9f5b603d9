"""The fast engine and its oracle: how a strategy is run on a term. Knows no language."""
