"""What the lenses of a cluster's map say."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import message, plural

REQUESTED = message("%(resource)s requested: %(requested)s of %(allocatable)s (%(share)s).")
LOADS = message("Bars: %(resource)s by pod.")
OF_NODE = message("%(requested)s of %(allocatable)s requested, %(share)s")
OVERCOMMITTED: Final = pgettext_lazy("nodes", "overcommitted")
NEARLY_FULL: Final = pgettext_lazy("nodes", "more than 90 % full")
PARTLY_FULL: Final = pgettext_lazy("nodes", "partly full")
NOTHING_REQUESTED: Final = pgettext_lazy("nodes", "nothing requested")
STATE: Final = pgettext_lazy("shade of the picture", "State")
NOT_LISTED: Final = pgettext_lazy("nodes", "filtered out")
USABLE = plural(
    "%(nodes)s of %(every)s node is Ready and schedulable.",
    "%(nodes)s of %(every)s nodes are Ready and schedulable.",
    by="every",
)
STRANDED = plural(
    "%(nodes)s of %(every)s node strands %(left)s.",
    "%(nodes)s of %(every)s nodes strand %(left)s.",
    by="every",
)
PENDING_POD = message("%(pod)s pending: %(cause)s")
ONE_PENDING_POD = message("%(pod)s, one of %(pods)s pods pending: %(cause)s")
IDLE = message("%(left)s idle, over 90 %% of %(used_up)s requested")
CLOSED: Final = pgettext_lazy("nodes", "accept no pods")
NOT_STRANDED: Final = pgettext_lazy("nodes", "nothing stranded")
OVER_MAX_SKEW: Final = pgettext_lazy("nodes", "over maxSkew")
WITHIN_MAX_SKEW: Final = pgettext_lazy("nodes", "within maxSkew")
CHANGED = plural(
    "In 24 h %(arrived)s pod arrived, %(left)s left.", "In 24 h %(arrived)s pods arrived, %(left)s left.", by="arrived"
)
ARRIVED_AND_LEFT = plural(
    "%(arrived)s pod arrived, %(left)s left", "%(arrived)s pods arrived, %(left)s left", by="arrived"
)
SCHEDULABLE_AGAIN: Final = pgettext_lazy("nodes", "schedulable again")
PODS_MOVED: Final = pgettext_lazy("nodes", "pods arrived or left")
UNCHANGED: Final = pgettext_lazy("nodes", "unchanged")
ADDED: Final = pgettext_lazy("nodes", "added")
FREE_OF = message("%(free)s of %(allocatable)s free")
SAMPLED = message("Newest sample: %(at)s.")
FREE = message("%(resource)s: %(free)s of %(total)s free.")
NONE_FREE: Final = pgettext_lazy("nodes by their devices", "none free")
SOME_FREE: Final = pgettext_lazy("nodes by their devices", "some free")
ALL_FREE: Final = pgettext_lazy("nodes by their devices", "all free")
NO_DEVICE: Final = pgettext_lazy("nodes by their devices", "no device")
ALL_DEVICES: Final = pgettext_lazy("choice", "All devices")
FEWEST_PODS: Final = pgettext_lazy("nodes", "fewest pods")
