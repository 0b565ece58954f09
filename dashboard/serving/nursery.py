"""What the processes of an installation are forked from: loaded once, it is memory that all of them share.

Imported by Python's fork server alone, a process that `dashboard.serving.forks` has started.
"""

from __future__ import annotations

import gc
import os

import django

from dashboard.operations import tether

# Like each process it is in a session of its own, so that a Ctrl-C reaches the supervisor alone, whose end is its end.
os.setsid()
tether.die_with(os.getppid())
django.setup()

# What needs Django's apps to be there.
import dashboard.routing  # noqa: E402
import dashboard.tasks  # noqa: E402, F401

# A collection in any of the processes would write to what they share.
gc.collect()
gc.freeze()
