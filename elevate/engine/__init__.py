"""The fast engine and the reference engine, its oracle: they run strategies on terms. Independent of languages."""
