"""What the picture of a spread group says: its parts, its lines, its columns."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

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


def floor(pods: int) -> str:
    """Name the line at the global minimum."""
    return pgettext("line in a picture", "minimum %(pods)s") % {"pods": grouped(pods)}


def ceiling(pods: int) -> str:
    """Name the line at the most pods that maxSkew allows in a domain."""
    return pgettext("line in a picture", "limit %(pods)s") % {"pods": grouped(pods)}


def column(domain: str, pods: int, next_pod: str) -> str:
    """Say of one domain what its column shows; ``next_pod``: whether the next pod is allowed in it."""
    return ngettext("%(domain)s: %(pods)s pod. %(next_pod)s.", "%(domain)s: %(pods)s pods. %(next_pod)s.", pods) % {
        "domain": domain,
        "pods": grouped(pods),
        "next_pod": next_pod,
    }


def pods_range(first: int, last: int) -> str:
    """Name the numbers of pods of one column."""
    if first == last:
        return grouped(first)
    return pgettext("from one number to another", "%(first)s–%(last)s") % {
        "first": grouped(first),
        "last": grouped(last),
    }


def axis(domain: str) -> str:
    """Say what columns of domains counted by their pods stand for; ``domain``: what one is called."""
    return _("Pods per %(domain)s") % {"domain": domain}


def bins_axis(domain: str, domains: str) -> str:
    """Say what the columns' places and heights stand for; words: what one domain is called, and what several are."""
    return _("Pods per %(domain)s; height: how many %(domains)s") % {"domain": domain, "domains": domains}


def some_domains(pods: str, domains: str) -> str:
    """Say how many domains have so many pods."""
    return pgettext("column of a picture", "%(pods)s pods: %(domains)s") % {"pods": pods, "domains": domains}


def not_drawn(domains: str, number: int) -> str:
    """Say how many domains without pods a picture leaves out."""
    return ngettext(
        "Not drawn: %(domains)s that does not count.", "Not drawn: %(domains)s that do not count.", number
    ) % {"domains": domains}
