"""Groups of pods that one spread constraint counts together: how they are spread, and where the next pod is allowed."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.spreading import NamedBy
from clusters.wording.amounts import grouped

WITHOUT_CONTROLLER: Final = gettext_lazy("(pods without a controller)")

# The order of groups, one on every page and in reviews.
RANKING: Final = gettext_lazy("Sorted by the largest share of pods in one zone.")

# Badges beside a group.
NO_DOMAIN: Final = pgettext_lazy("badge of a spread group", "No eligible domain")
SELECTOR_MISSES: Final = pgettext_lazy("badge of a spread group", "Selector does not match its own pods")
NOT_OF_ALL: Final = pgettext_lazy("badge of a spread group", "Not all counted pods have this constraint")
DEFAULT_CONSTRAINT: Final = pgettext_lazy("badge of a spread group", "Default constraint")

SELECTOR_MISSES_REMARK: Final = gettext_lazy(
    "The constraint's selector does not match the pods that have it: a new pod changes no count, and is allowed in the "
    "fullest domain as in any other."
)

# What names a domain that no node is in.
NAMED_BY: Final = {
    NamedBy.VOLUMES: gettext_lazy("PersistentVolumes"),
    NamedBy.CLASSES: gettext_lazy("StorageClasses"),
    NamedBy.PODS: gettext_lazy("the pods' node affinity"),
}


def and_others(workload: str, others: int) -> str:
    """Name a group by one of its workloads and the number of the others."""
    return ngettext(
        "%(workload)s and %(others)s other workload", "%(workload)s and %(others)s other workloads", others
    ) % {"workload": workload, "others": grouped(others)}


def no_domain(*, group: str, key: str, blocks: bool) -> str:
    """Say that no domain counts; ``blocks``: whether the pods are pending because of it."""
    if blocks:
        return _("%(group)s has no eligible domain for %(key)s: its pods stay pending until there is one.") % {
            "group": group,
            "key": key,
        }
    return _("%(group)s has no eligible domain for %(key)s: the constraint prefers no node.") % {
        "group": group,
        "key": key,
    }


def no_pods(*, group: str, domains: str) -> str:
    """Say that no pod counts in any domain."""
    return _("%(group)s has no pods that count in %(domains)s.") % {"group": group, "domains": domains}


def distribution(*, group: str, workloads: int, pods: str, domains: str) -> str:
    """Say how many pods each domain has; ``pods``: one number for each, such as 5–3–0."""
    return ngettext(
        "%(group)s is spread %(pods)s over %(domains)s.", "%(group)s are spread %(pods)s over %(domains)s.", workloads
    ) % {"group": group, "pods": pods, "domains": domains}


def fullest(*, group: str, held: int, domains: str, most: int) -> str:
    """Say how many of many domains have pods, and how many the fullest has."""
    return ngettext(
        "%(group)s: pods in %(held)s of %(domains)s, at most %(most)s pod in one.",
        "%(group)s: pods in %(held)s of %(domains)s, at most %(most)s pods in one.",
        most,
    ) % {"group": group, "held": grouped(held), "domains": domains, "most": grouped(most)}


def skew(*, skew: int, max_skew: int) -> str:
    """Say how uneven that is, and how uneven it is allowed to be."""
    return _("Skew %(skew)s, maxSkew %(max_skew)s.") % {"skew": grouped(skew), "max_skew": grouped(max_skew)}


def allowed_everywhere() -> str:
    """Say that every domain stays within maxSkew with another pod."""
    return _("The next pod is allowed in every domain.")


def allowed_nowhere(*, blocks: bool) -> str:
    """Say that no domain stays within maxSkew with another pod."""
    if blocks:
        return _("The next pod is allowed in no domain.")
    return _("The next pod is allowed in every domain, and exceeds maxSkew in each.")


def allowed_in(domains: str, *, blocks: bool) -> str:
    """Name the domains that stay within maxSkew with another pod."""
    if blocks:
        return _("The next pod is allowed in %(domains)s only.") % {"domains": domains}
    return _("The next pod is allowed in every domain, but stays within maxSkew only in %(domains)s.") % {
        "domains": domains
    }


def some_of(some: int, domains: str) -> str:
    """Count some of a number of domains."""
    return pgettext("some of the domains", "%(some)s of %(domains)s") % {"some": grouped(some), "domains": domains}


def over_max_skew(pods: int) -> str:
    """Say by how much a group exceeds maxSkew."""
    return pgettext("badge of a spread group", "%(pods)s over maxSkew") % {"pods": grouped(pods)}


def missing_domains(domains: int) -> str:
    """Say how many domains there are too few for minDomains."""
    return ngettext("%(domains)s domain below minDomains", "%(domains)s domains below minDomains", domains) % {
        "domains": grouped(domains)
    }


def below_min_domains(*, minimum: int, domains: int) -> str:
    """Say what follows from too few domains."""
    return ngettext(
        "minDomains is %(minimum)s and %(domains)s domain is eligible, so the global minimum is 0.",
        "minDomains is %(minimum)s and %(domains)s domains are eligible, so the global minimum is 0.",
        domains,
    ) % {"minimum": grouped(minimum), "domains": grouped(domains)}


def domains_without_nodes(domains: str) -> str:
    """Count domains that no node is in."""
    return pgettext("badge of a spread group", "%(domains)s without nodes") % {"domains": domains}


def without_nodes(values: str, *, number: int, key: str, named_by: str) -> str:
    """Name domains that no node is in, and what names them."""
    return ngettext(
        "No node has %(key)s=%(values)s, so the constraint does not count this domain. It is named by %(named_by)s.",
        "No node has %(key)s with the values %(values)s, so the constraint does not count these domains. They are "
        "named by %(named_by)s.",
        number,
    ) % {"values": values, "key": key, "named_by": named_by}


def minimum_with_nodes(minimum: int) -> str:
    """Say what would follow from nodes in a domain that has none."""
    return _("With nodes there the global minimum would be 0, not %(minimum)s.") % {"minimum": grouped(minimum)}


def unlike_pods(pods: str, *, key: str, workloads: str, has_another: bool) -> str:
    """Name the workloads of counted pods that have another constraint for the key, or none."""
    values = {"pods": pods, "key": key, "workloads": workloads}
    if has_another:
        return _("Counts %(pods)s with another constraint for %(key)s: %(workloads)s.") % values
    return _("Counts %(pods)s without a constraint for %(key)s in the spec: %(workloads)s.") % values


def uncounted(pods: int) -> str:
    """Say how many matching pods are not counted because of their nodes."""
    return ngettext(
        "%(pods)s matching pod runs on a node that does not count.",
        "%(pods)s matching pods run on nodes that do not count.",
        pods,
    ) % {"pods": grouped(pods)}


def without_key(nodes: int, key: str) -> str:
    """Say how many nodes are in no domain."""
    return ngettext(
        "%(nodes)s node does not have the label %(key)s and is in no domain.",
        "%(nodes)s nodes do not have the label %(key)s and are in no domain.",
        nodes,
    ) % {"nodes": grouped(nodes), "key": key}


def terminating(pods: int) -> str:
    """Say how many pods are not counted because they are being deleted."""
    return ngettext(
        "%(pods)s pod is being deleted and not counted.", "%(pods)s pods are being deleted and not counted.", pods
    ) % {"pods": grouped(pods)}


def worst_skew(*, workload: str, skew: int, max_skew: int, domains: str) -> str:
    """Say which workload exceeds its maxSkew the most; ``domains``: zones, nodes."""
    return _("Worst skew: %(workload)s, %(skew)s over %(domains)s, which exceeds maxSkew %(max_skew)s.") % {
        "workload": workload,
        "skew": grouped(skew),
        "domains": domains,
        "max_skew": grouped(max_skew),
    }


def largest_skew(*, workload: str, skew: int, max_skew: int, domains: str) -> str:
    """Say which workload has the largest skew where none exceeds its maxSkew."""
    return _(
        "No workload exceeds its maxSkew. Worst skew: %(workload)s, %(skew)s over %(domains)s, with "
        "maxSkew %(max_skew)s."
    ) % {"workload": workload, "skew": grouped(skew), "domains": domains, "max_skew": grouped(max_skew)}


def largest_share(group: str, *, zone: str, pods: int, of: int) -> str:
    """Say which group runs the largest part of its pods in one zone."""
    return ngettext(
        "Most pods in one zone: %(group)s. %(zone)s runs %(pods)s of its %(of)s pod.",
        "Most pods in one zone: %(group)s. %(zone)s runs %(pods)s of its %(of)s pods.",
        of,
    ) % {"group": group, "zone": zone, "pods": grouped(pods), "of": grouped(of)}


def zone_loss(zone: str, *, pods: int, of: int) -> str:
    """Say what the loss of a zone takes."""
    return ngettext(
        "Losing %(zone)s takes %(pods)s of %(of)s pod.", "Losing %(zone)s takes %(pods)s of %(of)s pods.", of
    ) % {"zone": zone, "pods": grouped(pods), "of": grouped(of)}


def node_loss(node: str, *, pods: int, of: int) -> str:
    """Say what the loss of a node takes that is in no zone."""
    return ngettext(
        "Losing %(node)s, a node without a zone, takes %(pods)s of %(of)s pod.",
        "Losing %(node)s, a node without a zone, takes %(pods)s of %(of)s pods.",
        of,
    ) % {"node": node, "pods": grouped(pods), "of": grouped(of)}
