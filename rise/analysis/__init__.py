"""Analyses of terms: the conditions on their sizes, the elements that they write. Does not run terms."""
