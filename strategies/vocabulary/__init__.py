"""The words of the papers for places in RISE terms, in the lowest layer of strategies. Knows no rule."""
