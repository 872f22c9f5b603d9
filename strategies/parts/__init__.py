"""Parts that whole strategies share: nests, tiles, products, copies, windows. Lowers nothing by itself."""
