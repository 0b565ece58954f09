#!/usr/bin/env python3
"""Django's entry point; a setting that cannot be used ends it with one sentence and status 2."""

from __future__ import annotations

import gc
import os
import sys

from django.core.management import execute_from_command_line

from dashboard.env import SettingError

if __name__ == "__main__":
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
