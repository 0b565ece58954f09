"""What is said of what a node and its pods use."""

from __future__ import annotations

from clusters.wording.messages import message, plural

CPU_USED = message("It uses %(used)s (%(share)s of allocatable); %(requested)s of %(allocatable)s are requested.")
MEMORY_USED = message(
    "It uses %(used)s of memory (%(share)s of allocatable); %(requested)s of %(allocatable)s are requested."
)
OVER_HOURS = plural(
    "Over %(hours)s hourly sample: CPU p95 %(cpu)s, memory at most %(memory)s.",
    "Over %(hours)s hourly samples: CPU p95 %(cpu)s, memory at most %(memory)s.",
    by="hours",
)
