"""Resources and amounts of them in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.resources import CPU
from clusters.wording import amounts
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


def resource_name(resource: str) -> str:
    """Name a resource as a sentence does: `CPU`."""
    return "CPU" if resource == CPU else resource


def resource_names(resources: Iterable[str]) -> str:
    """Name resources as a sentence does: `CPU and memory`."""
    return listed([resource_name(each) for each in dict.fromkeys(resources)])


def resource_amount(resource: str, amount: int) -> str:
    """Write an amount in base units with its resource: `1.5 CPU`, `2 GiB of memory`, `3 of example.com/gpu`."""
    return _named(resource, amounts.quantity(resource, amount))


def request_up_to(resource: str, amount: int) -> str:
    """Write an amount that somebody may request, which is never rounded up, with its resource."""
    return _named(resource, amounts.at_most(resource, amount))


def _named(resource: str, written: str) -> str:
    if resource == CPU:
        return written
    return _("%(amount)s of %(resource)s") % {"amount": written, "resource": resource}
