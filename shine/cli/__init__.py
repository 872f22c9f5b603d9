"""The front door: the command `shine`. Sees everything, and nothing imports it."""
