"""The words of the papers for places in RISE terms, in the lowest layer of strategies. Independent of rules."""
