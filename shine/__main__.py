"""`python -m shine`: the command `shine` where it is not installed. Knows nothing but its name."""

from shine.cli.main import app_main

app_main()
