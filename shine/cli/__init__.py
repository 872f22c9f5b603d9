"""The command `shine`. May import everything, and nothing imports it."""
