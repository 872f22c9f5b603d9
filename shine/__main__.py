"""`python -m shine`: runs the command `shine` if it is not installed."""

from shine.cli.start import main

main()
