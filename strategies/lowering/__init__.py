"""Where loops and memory stand, by read and write position. Chooses no tiles and no target."""
