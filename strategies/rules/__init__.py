"""The rules that come with rise-shine, by theme. Does not import them; import them from their modules."""
