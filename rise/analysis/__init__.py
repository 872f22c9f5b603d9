"""Analyses of terms: the conditions on their sizes, the elements that they write. Runs nothing."""
