"""What files say of nodes."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext, pgettext_lazy

from clusters.wording.amounts import Unit

YES: Final = pgettext_lazy("cell of a file", "yes")
NO: Final = pgettext_lazy("cell of a file", "no")
UNKNOWN: Final = pgettext_lazy("cell of a file", "unknown")


def amounts_of(resource: str, unit: Unit) -> tuple[str, str, str]:
    """Name the columns of a resource: what is allocatable, requested and free, in the unit of the cells."""
    match unit:
        case Unit.MILLI_CPU:
            name = pgettext("resource with the unit of a column", "%(resource)s (milli-CPU)") % {"resource": resource}
        case Unit.BYTES:
            name = pgettext("resource with the unit of a column", "%(resource)s (bytes)") % {"resource": resource}
        case _:
            name = resource
    return (
        pgettext("column of a file", "%(resource)s allocatable") % {"resource": name},
        pgettext("column of a file", "%(resource)s requested") % {"resource": name},
        pgettext("column of a file", "%(resource)s free") % {"resource": name},
    )
