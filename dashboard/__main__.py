"""The command `berth`, in a checkout `manage.py`.

A setting that cannot be used ends it with one sentence and status 2.
"""

from __future__ import annotations

import gc
import os
import sys

from django.core.management import execute_from_command_line

from dashboard import __version__
from dashboard.env import SettingError


def main() -> None:
    """Run the command that the arguments name."""
    if sys.argv[1:] in (["--version"], ["version"]):
        # Django would tell its own.
        print(__version__)
        return
    # What a start makes stays, and so does what is read: to look through all of it for garbage as often as is usual
    # would take half of the time, and to do so once more at the end a tenth.
    gc.set_threshold(500_000)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    try:
        execute_from_command_line(sys.argv)
    except SettingError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
