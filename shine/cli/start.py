"""Where the installed command begins: Ctrl-C is silent from here on, while all the rest is being loaded, too."""

import signal
from importlib import import_module

from shine.cli.interrupt import leave


def main() -> None:
    """Run the command with the arguments of the process, and end it."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as `nohup` and shell scripts want it
        signal.signal(signal.SIGINT, leave)
    import_module("shine.cli.main").app_main()
