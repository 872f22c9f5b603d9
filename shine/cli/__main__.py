"""`python -m shine.cli`: runs the command `shine` if it is not installed."""

from shine.cli.start import main

main()
