"""Entry point of the installed command: makes Ctrl-C silent before anything else is loaded."""

import signal
from importlib import import_module

from shine.cli.interrupt import leave


def main() -> None:
    """Run the command with the arguments of the process, and exit."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # ignored under `nohup` and in some shell scripts
        signal.signal(signal.SIGINT, leave)
    import_module("shine.cli.main").app_main()
