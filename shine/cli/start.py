"""Entry point of the installed command: makes Ctrl-C silent before anything else is loaded."""

import signal
import sys
from importlib import import_module

from shine.cli.interrupt import leave


def main() -> None:
    """Run the command with the arguments of the process, and exit."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # ignored under `nohup` and in some shell scripts
        signal.signal(signal.SIGINT, leave)
    try:
        import_module("shine.cli.main").app_main()
    except ImportError:
        foreign = import_module("rise.packages").foreign_packages()
        if not foreign:
            raise
        sys.exit(foreign)
