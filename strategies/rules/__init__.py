"""The rules that come with rise-shine, by theme. Import them from their modules; this package does not."""
