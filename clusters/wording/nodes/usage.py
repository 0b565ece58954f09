"""What is said of what a node and its pods use."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def cpu_used(*, used: str, share: str, requested: str, allocatable: str) -> str:
    """Say how much CPU a node uses."""
    return _("It uses %(used)s (%(share)s of allocatable); %(requested)s of %(allocatable)s are requested.") % {
        "used": used,
        "share": share,
        "requested": requested,
        "allocatable": allocatable,
    }


def memory_used(*, used: str, share: str, requested: str, allocatable: str) -> str:
    """Say how much memory a node uses."""
    return _(
        "It uses %(used)s of memory (%(share)s of allocatable); %(requested)s of %(allocatable)s are requested."
    ) % {"used": used, "share": share, "requested": requested, "allocatable": allocatable}


def over_hours(*, hours: int, cpu: str, memory: str) -> str:
    """Say what a node used over all samples."""
    return ngettext(
        "Over %(hours)s hourly sample: CPU p95 %(cpu)s, memory at most %(memory)s.",
        "Over %(hours)s hourly samples: CPU p95 %(cpu)s, memory at most %(memory)s.",
        hours,
    ) % {"hours": grouped(hours), "cpu": cpu, "memory": memory}
