"""Where Python's values meet types: sizes as numbers, rows of different lengths, what does not fit. Knows no terms."""
