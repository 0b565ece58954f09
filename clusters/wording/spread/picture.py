"""What the picture of a spread group says: its parts, its lines, its columns."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

TITLE: Final = gettext_lazy("Pods by domain")
PODS: Final = pgettext_lazy("part of a picture", "Pod")
OVER: Final = pgettext_lazy("part of a picture", "Pod over maxSkew")
NOT_COUNTED: Final = pgettext_lazy("part of a picture", "Pod in a domain that does not count")
NEXT_ALLOWED: Final = pgettext_lazy("part of a picture", "The next pod is allowed")
NEXT_WITHIN: Final = pgettext_lazy("part of a picture", "The next pod stays within maxSkew")
NEXT_POD: Final = pgettext_lazy("column", "The next pod")
DOMAIN_NOT_ALLOWED: Final = pgettext_lazy("part of a picture", "The next pod is not allowed")
DOMAIN_EXCEEDS: Final = pgettext_lazy("part of a picture", "The next pod exceeds maxSkew")
DOMAIN_NOT_COUNTED: Final = pgettext_lazy("part of a picture", "Does not count")


FLOOR = message("minimum %(pods)s", context="line in a picture")
CEILING = message("limit %(pods)s", context="line in a picture")
COLUMN = plural("%(domain)s: %(pods)s pod. %(next_pod)s.", "%(domain)s: %(pods)s pods. %(next_pod)s.", by="pods")


def pods_range(first: int, last: int) -> str:
    """Name the numbers of pods of one column."""
    if first == last:
        return grouped(first)
    return pgettext("from one number to another", "%(first)s–%(last)s") % {
        "first": grouped(first),
        "last": grouped(last),
    }


AXIS = message("Pods per %(domain)s")
BINS_AXIS = message("Pods per %(domain)s; height: how many %(domains)s")
SOME_DOMAINS = message("%(pods)s pods: %(domains)s", context="column of a picture")
NOT_DRAWN = plural(
    "Not drawn: %(domains)s that does not count.", "Not drawn: %(domains)s that do not count.", by="number"
)
