"""In which unit amounts of a resource are kept, after it was read from a quantity."""

from __future__ import annotations

import enum

from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY


class Unit(enum.StrEnum):
    """The unit in which amounts of a resource are kept."""

    MILLI_CPU = "milli-cpu"
    BYTES = "bytes"
    COUNT = "count"


def resource_unit(resource: str) -> Unit:
    """Return the unit in which amounts of a resource are kept."""
    if resource == CPU:
        return Unit.MILLI_CPU
    if resource in (MEMORY, EPHEMERAL_STORAGE) or resource.startswith(HUGE_PAGES):
        return Unit.BYTES
    return Unit.COUNT
