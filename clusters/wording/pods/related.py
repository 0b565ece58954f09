"""The objects around a pod: kinds, and the sentence that a picture of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE: Final = gettext_lazy("Related objects")
POD: Final = pgettext_lazy("kind of an object", "Pod")
NODE: Final = pgettext_lazy("kind of an object", "Node")
NOMINATED: Final = pgettext_lazy("kind of an object", "Nominated node")
BUDGET: Final = pgettext_lazy("kind of an object", "PodDisruptionBudget")
SERVICE: Final = pgettext_lazy("kind of an object", "Service")
POD_GROUP: Final = pgettext_lazy("kind of an object", "Pod group")
CLAIM: Final = pgettext_lazy("kind of an object", "PersistentVolumeClaim")
VOLUME: Final = pgettext_lazy("kind of an object", "PersistentVolume")
RESOURCE_CLAIM: Final = pgettext_lazy("kind of an object", "ResourceClaim")


def summary(pod: str, kinds: Sequence[str]) -> str:
    """Say how many objects are around a pod."""
    return ngettext(
        "%(pod)s and %(objects)s object around it.",
        "%(pod)s and %(objects)s objects around it.",
        len(kinds),
    ) % {"pod": pod, "objects": grouped(len(kinds))}


MORE = plural("%(objects)s more is not shown.", "%(objects)s more are not shown.", by="objects")
