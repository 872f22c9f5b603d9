"""Saves, replays, compares, edits and explains derivations. Does not search for derivations."""
