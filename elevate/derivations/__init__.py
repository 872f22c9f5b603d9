"""Derivations: saved, replayed, compared, edited, explained. Searches for none."""
