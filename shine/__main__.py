"""`python -m shine`: runs the command `shine` where it is not installed."""

from shine.cli.start import main

main()
