"""Programs: reading, specialising and evaluating them, with foreign functions. Knows no strategy."""
