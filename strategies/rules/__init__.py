"""The rules that come with rise-shine, by theme. Knows none of them: they are imported from their modules."""
