"""Strategies that complete strategies share: nests, tiles, products, copies, windows. None lowers by itself."""
