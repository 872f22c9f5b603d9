"""`python -m shine`: the command `shine` where it is not installed. Knows nothing but its name."""

from shine.cli.start import main

main()
