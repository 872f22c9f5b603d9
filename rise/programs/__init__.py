"""Programs: reading, specialising and evaluating them, with foreign functions. Independent of strategies."""
