"""`python -m shine.cli`: runs the command `shine` where it is not installed."""

from shine.cli.start import main

main()
