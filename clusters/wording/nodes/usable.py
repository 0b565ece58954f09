"""Free capacity by the shape of pods that can still use it, and why the rest is of no use."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.engine.nodes import Unusable
from clusters.engine.resources import CPU, MEMORY
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

TITLE: Final = gettext_lazy("Free capacity, and which pods can still use it")
NOT_COMPUTED: Final = gettext_lazy("What nodes have free cannot be computed.")
CURVE: Final = gettext_lazy("How many more pods fit, by what each requests")
OF: Final = {
    CPU: gettext_lazy("Free CPU, and how much of it each shape can use"),
    MEMORY: gettext_lazy("Free memory, and how much of it each shape can use"),
}
USABLE: Final = pgettext_lazy("part of free capacity", "usable")
MORE_PODS: Final = pgettext_lazy("line in a picture", "more pods")
PODS: Final = pgettext_lazy("unit of a picture", "pods")
SHAPE: Final = pgettext_lazy("column", "Each pod requests")
_WHY: Final = {
    Unusable.CLOSED: pgettext_lazy("part of free capacity", "on nodes that accept no pods"),
    Unusable.TAINTED: pgettext_lazy("part of free capacity", "on tainted nodes"),
    Unusable.POD_LIMIT: pgettext_lazy("part of free capacity", "node pod limit reached"),
    Unusable.REMAINDER: pgettext_lazy("part of free capacity", "less than one pod requests"),
}
_LACK: Final = {
    CPU: pgettext_lazy("part of free capacity", "insufficient memory beside it"),
    MEMORY: pgettext_lazy("part of free capacity", "insufficient CPU beside it"),
}
ASSUMED: Final = gettext_lazy(
    "By requests, pod limits and taints alone; memory per CPU as the cluster's pods request. "
    "Headroom counts with every filter."
)


def why(reason: Unusable, resource: str) -> str:
    """Say why a shape cannot use what is free of a resource."""
    return str(_LACK[resource] if reason is Unusable.OTHER_RESOURCE else _WHY[reason])


def shape(cpu: str, memory: str) -> str:
    """Name a shape by its requests."""
    return pgettext("what a pod requests", "%(cpu)s, %(memory)s") % {"cpu": cpu, "memory": memory}


FIT = plural("%(pods)s more fits", "%(pods)s more fit", by="pods")
AT_END = plural("%(pods)s pod of %(cpu)s", "%(pods)s pods of %(cpu)s", by="pods")
SUMMARY = message("%(free)s free; pods of %(shape)s can use %(usable)s of it (%(share)s).")


def curve(*, small: str, many: int, large: str, few: int) -> str:
    """Say how many of the smallest and of the largest shape fit."""
    return _("%(many)s more of %(small)s fit, and %(few)s of %(large)s.") % {
        "many": grouped(many),
        "small": small,
        "few": grouped(few),
        "large": large,
    }
