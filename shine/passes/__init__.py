"""Passes over procedures between translation and printing, one per file. Independent of targets."""
