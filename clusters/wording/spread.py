"""Spread constraints in words: domains, skew, and who is left out."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.spreading import HOSTNAME, ZONE, Exclusion, NamedBy, Source
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# -- What the domains of a topology key are called --------------------------------------------------------------------


_REGION: Final = "topology.kubernetes.io/region"
_SINGULAR: Final = {
    ZONE: pgettext_lazy("domain of a topology key", "zone"),
    _REGION: pgettext_lazy("domain of a topology key", "region"),
    HOSTNAME: pgettext_lazy("domain of a topology key", "node"),
}
_PLURAL: Final = {
    ZONE: pgettext_lazy("domains of a topology key", "zones"),
    _REGION: pgettext_lazy("domains of a topology key", "regions"),
    HOSTNAME: pgettext_lazy("domains of a topology key", "nodes"),
}


def domain_name(key: str) -> str:
    """Return what one domain of a topology key is called."""
    if key in _SINGULAR:
        return str(_SINGULAR[key])
    return pgettext("domain of a topology key", "value of %(key)s") % {"key": key}


def domains_name(key: str) -> str:
    """Return what the domains of a topology key are called."""
    if key in _PLURAL:
        return str(_PLURAL[key])
    return pgettext("domains of a topology key", "values of %(key)s") % {"key": key}


def counted_domains(key: str, number: int) -> str:
    """Count domains of a topology key."""
    if key == ZONE:
        return counts.ZONES(number=number)
    if key == _REGION:
        return ngettext("%(number)s region", "%(number)s regions", number) % {"number": grouped(number)}
    if key == HOSTNAME:
        return counts.NODES(number=number)
    return ngettext("%(number)s value of %(key)s", "%(number)s values of %(key)s", number) % {
        "number": grouped(number),
        "key": key,
    }


# -- The domains of a spread constraint -------------------------------------------------------------------------------


ALLOWED: Final = pgettext_lazy("next pod in a domain", "Allowed")
EXCEEDS: Final = pgettext_lazy("next pod in a domain", "Allowed; exceeds maxSkew")
NOT_ALLOWED: Final = pgettext_lazy("next pod in a domain", "Not allowed; exceeds maxSkew")
NOT_COUNTED: Final = pgettext_lazy("next pod in a domain", "Not counted")
EMPTY_VALUE: Final = gettext_lazy("(empty value)")
NO_CONTROLLER: Final = gettext_lazy("no controller")


OVER = message("%(pods)s over maxSkew", context="note beside a number of pods")


NOTE_NOT_COUNTED: Final = pgettext_lazy("note beside a number of pods", "not counted")


SCALE = message("Limit %(limit)s = minimum %(minimum)s + maxSkew %(max_skew)s.")


# -- A spread constraint field by field, and where it comes from ------------------------------------------------------


NAMESPACE: Final = pgettext_lazy("field of a spread group", "Namespace")
WORKLOADS: Final = pgettext_lazy("field of a spread group", "Workloads")
SELECTOR: Final = pgettext_lazy("field of a spread group", "Counts pods with")
SOURCE: Final = pgettext_lazy("field of a spread group", "Constraint from")
PODS: Final = pgettext_lazy("field of a spread group", "Pods that have it")
GLOBAL_MINIMUM: Final = pgettext_lazy("field of a spread group", "Global minimum")

SOURCES: Final = {
    Source.POD: gettext_lazy("the pods' own spec"),
    Source.SYSTEM: gettext_lazy("Kubernetes' defaults"),
    Source.LIST: gettext_lazy("the profile's defaults"),
}


def effect(action: str, *, blocks: bool) -> str:
    """Say what a constraint does with a pod that would exceed maxSkew; ``action``: its whenUnsatisfiable."""
    if blocks:
        return _("%(action)s: pods stay pending") % {"action": action}
    return _("%(action)s: a preference") % {"action": action}


PLACED_AND_PENDING = message("%(placed)s on nodes, %(pending)s pending")


# -- Why nodes of a domain do not count for a constraint --------------------------------------------------------------


_NODES: Final = {
    Exclusion.LABEL: message("%(nodes)s of %(total)s nodes lack a required label"),
    Exclusion.AFFINITY: message("%(nodes)s of %(total)s nodes do not match the node affinity (Honor)"),
    Exclusion.TAINTS: message("%(nodes)s of %(total)s nodes have untolerated taints (Honor)"),
}
_CELLS: Final = {
    Exclusion.LABEL: message("missing label: %(nodes)s", context="cell of a file"),
    Exclusion.AFFINITY: message("node affinity: %(nodes)s", context="cell of a file"),
    Exclusion.TAINTS: message("taints: %(nodes)s", context="cell of a file"),
}


def excluded_nodes(reason: Exclusion, nodes: int, total: int) -> str:
    """Say how many of a domain's nodes do not count for a constraint, and why."""
    return _NODES[reason](nodes=nodes, total=total)


def excluded_count(reason: Exclusion, nodes: int) -> str:
    """Write in a cell of a file how many of a domain's nodes do not count for a constraint, and why."""
    return _CELLS[reason](nodes=str(nodes))


# -- Groups of pods that one spread constraint counts together --------------------------------------------------------


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


WORST_SKEW = message("Worst skew: %(workload)s, %(skew)s over %(domains)s, exceeds maxSkew %(max_skew)s.")


LARGEST_SKEW = message(
    "No workload exceeds its maxSkew. Worst: %(workload)s, skew %(skew)s over %(domains)s, maxSkew %(max_skew)s."
)


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


# -- The filters of the pages about spreading -------------------------------------------------------------------------


TOPOLOGY_KEY: Final = pgettext_lazy("label of a filter", "Topology key")
SOURCE_FILTER: Final = pgettext_lazy("label of a filter", "Constraint from")

EXCEEDED: Final = pgettext_lazy("filter of spread groups", "Over maxSkew")
BLOCKING: Final = pgettext_lazy("filter of spread groups", "Over maxSkew, DoNotSchedule")
WITH_PENDING: Final = pgettext_lazy("filter of spread groups", "With pending pods")
WITHIN: Final = pgettext_lazy("filter of spread groups", "Within maxSkew")
FROM_PODS: Final = pgettext_lazy("filter of spread groups", "Pod spec")
FROM_DEFAULTS: Final = pgettext_lazy("filter of spread groups", "Defaults")


# -- What the picture of a spread group says --------------------------------------------------------------------------


TITLE: Final = gettext_lazy("Pods by domain")
POD: Final = pgettext_lazy("part of a picture", "Pod")
POD_OVER_MAX_SKEW: Final = pgettext_lazy("part of a picture", "Pod over maxSkew")
POD_NOT_COUNTED: Final = pgettext_lazy("part of a picture", "Pod in a domain that does not count")
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
    return grouped(first) if first == last else f"{grouped(first)}–{grouped(last)}"


AXIS = message("Pods per %(domain)s")
BINS_AXIS = message("Pods per %(domain)s; height: how many %(domains)s")
SOME_DOMAINS = message("%(pods)s pods: %(domains)s", context="column of a picture")
NOT_DRAWN = plural(
    "Not drawn: %(domains)s that does not count.", "Not drawn: %(domains)s that do not count.", by="number"
)
