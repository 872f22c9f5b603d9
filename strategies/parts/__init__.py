"""Parts shared by complete strategies: nests, tiles, products, copies, windows. None lowers a program by itself."""
