"""Passes over procedures between translation and printing, one per file. Knows no target."""
