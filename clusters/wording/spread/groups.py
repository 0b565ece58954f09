"""Groups of pods that one spread constraint counts together: how they are spread, and where the next pod is allowed."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.spreading import NamedBy
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

WITHOUT_CONTROLLER: Final = gettext_lazy("(pods without a controller)")

# The order of groups, one on every page and in reviews.
RANKING: Final = gettext_lazy("Sorted by the largest share of pods in one zone.")

# Badges beside a group.
NO_DOMAIN: Final = pgettext_lazy("badge of a spread group", "No eligible domain")
SELECTOR_MISSES: Final = pgettext_lazy("badge of a spread group", "Selector does not match its own pods")
NOT_OF_ALL: Final = pgettext_lazy("badge of a spread group", "Not all counted pods have this constraint")
DEFAULT_CONSTRAINT: Final = pgettext_lazy("badge of a spread group", "Default constraint")

SELECTOR_MISSES_REMARK: Final = gettext_lazy(
    "The selector does not match the pods that have it: a new pod changes no count."
)

# What names a domain that no node is in.
NAMED_BY: Final = {
    NamedBy.VOLUMES: gettext_lazy("PersistentVolumes"),
    NamedBy.CLASSES: gettext_lazy("StorageClasses"),
    NamedBy.PODS: gettext_lazy("the pods' node affinity"),
}


AND_OTHERS = plural(
    "%(workload)s and %(others)s other workload", "%(workload)s and %(others)s other workloads", by="others"
)


def no_domain(*, group: str, key: str, blocks: bool) -> str:
    """Say that no domain counts; ``blocks``: whether the pods are pending because of it."""
    if blocks:
        return _("%(group)s has no eligible domain for %(key)s: its pods stay pending.") % {
            "group": group,
            "key": key,
        }
    return _("%(group)s has no eligible domain for %(key)s: no node is preferred.") % {
        "group": group,
        "key": key,
    }


NO_PODS = message("%(group)s has no pods that count in %(domains)s.")
DISTRIBUTION = plural(
    "%(group)s is spread %(pods)s over %(domains)s.", "%(group)s are spread %(pods)s over %(domains)s.", by="workloads"
)
FULLEST = plural(
    "%(group)s: pods in %(held)s of %(domains)s, at most %(most)s pod in one.",
    "%(group)s: pods in %(held)s of %(domains)s, at most %(most)s pods in one.",
    by="most",
)
SKEW = message("Skew %(skew)s, maxSkew %(max_skew)s.")
ALLOWED_EVERYWHERE: Final = gettext_lazy("The next pod is allowed in every domain.")


def allowed_nowhere(*, blocks: bool) -> str:
    """Say that no domain stays within maxSkew with another pod."""
    if blocks:
        return _("The next pod is allowed in no domain.")
    return _("The next pod is allowed everywhere, and exceeds maxSkew.")


def allowed_in(domains: str, *, blocks: bool) -> str:
    """Name the domains that stay within maxSkew with another pod."""
    if blocks:
        return _("The next pod is allowed in %(domains)s only.") % {"domains": domains}
    return _("The next pod stays within maxSkew only in %(domains)s.") % {"domains": domains}


SOME_OF = message("%(some)s of %(domains)s", context="some of the domains")
OVER_MAX_SKEW = message("%(pods)s over maxSkew", context="badge of a spread group")
MISSING_DOMAINS = plural("%(domains)s domain below minDomains", "%(domains)s domains below minDomains", by="domains")
BELOW_MIN_DOMAINS = plural(
    "minDomains %(minimum)s, %(domains)s eligible domain: the global minimum is 0.",
    "minDomains %(minimum)s, %(domains)s eligible domains: the global minimum is 0.",
    by="domains",
)
DOMAINS_WITHOUT_NODES = message("%(domains)s without nodes", context="badge of a spread group")
WITHOUT_NODES = plural(
    "No node has %(key)s=%(values)s, which %(named_by)s name: not counted.",
    "No node has %(key)s with the values %(values)s, which %(named_by)s name: not counted.",
    by="number",
)
MINIMUM_WITH_NODES: Final = gettext_lazy("With nodes there the global minimum would be 0.")


def unlike_pods(pods: str, *, key: str, workloads: str, has_another: bool) -> str:
    """Name the workloads of counted pods that have another constraint for the key, or none."""
    values = {"pods": pods, "key": key, "workloads": workloads}
    if has_another:
        return _("Counts %(pods)s with another constraint for %(key)s: %(workloads)s.") % values
    return _("Counts %(pods)s without a constraint for %(key)s: %(workloads)s.") % values


UNCOUNTED = plural(
    "%(pods)s matching pod runs on a node not counted.",
    "%(pods)s matching pods run on nodes not counted.",
    by="pods",
)
WITHOUT_KEY = plural(
    "%(nodes)s node without the label %(key)s is in no domain.",
    "%(nodes)s nodes without the label %(key)s are in no domain.",
    by="nodes",
)
TERMINATING = plural(
    "%(pods)s terminating pod is not counted.", "%(pods)s terminating pods are not counted.", by="pods"
)


def worst_skew(*, workload: str, skew: int, max_skew: int, domains: str) -> str:
    """Say which workload exceeds its maxSkew the most; ``domains``: zones, nodes."""
    return _("Worst skew: %(workload)s, %(skew)s over %(domains)s, exceeds maxSkew %(max_skew)s.") % {
        "workload": workload,
        "skew": grouped(skew),
        "domains": domains,
        "max_skew": grouped(max_skew),
    }


def largest_skew(*, workload: str, skew: int, max_skew: int, domains: str) -> str:
    """Say which workload has the largest skew where none exceeds its maxSkew."""
    return _(
        "No workload exceeds its maxSkew. Worst: %(workload)s, skew %(skew)s over %(domains)s, maxSkew %(max_skew)s."
    ) % {"workload": workload, "skew": grouped(skew), "domains": domains, "max_skew": grouped(max_skew)}


LARGEST_SHARE = plural(
    "Most pods in one zone: %(group)s. %(zone)s runs %(pods)s of its %(of)s pod.",
    "Most pods in one zone: %(group)s. %(zone)s runs %(pods)s of its %(of)s pods.",
    by="of",
)
ZONE_LOSS = plural(
    "Losing %(zone)s takes %(pods)s of %(of)s pod.", "Losing %(zone)s takes %(pods)s of %(of)s pods.", by="of"
)
NODE_LOSS = plural(
    "Losing %(node)s (without a zone) takes %(pods)s of %(of)s pod.",
    "Losing %(node)s (without a zone) takes %(pods)s of %(of)s pods.",
    by="of",
)
