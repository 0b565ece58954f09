"""More replicas of a workload: how many fit, where they are placed, and what decides that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.admission import InvalidDefaults, LimitRangeRefusal
from clusters.engine.quotas import QuotaUncovered
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from clusters.engine.admission import CreationRefusal

NO_SAMPLE: Final = gettext_lazy("The mirror has no pod of this workload that more could be copied from.")
STATIC_PODS: Final = gettext_lazy("The kubelet creates these pods from files on its node; no scheduler places them.")
_DAEMON_SET: Final = gettext_lazy(
    "A DaemonSet has no replicas to raise: its controller creates one pod for each node that its pods may run on."
)
HINT: Final = gettext_lazy(
    "Pods like the newest one, placed one after another by the scheduler's rules, without preemption."
)
HINT_JOB: Final = gettext_lazy("As if the parallelism were raised by that number.")
HINT_BARE: Final = gettext_lazy("Copies of the pod, which has no controller.")
HINT_STATEFUL_SET: Final = gettext_lazy("Pods with the next ordinals, each with claims of its own.")

# The form.
MORE_PODS: Final = pgettext_lazy("label of a field", "more pods")
NO_WHOLE_NUMBER: Final = gettext_lazy("Write a whole number of pods.")
TOO_FEW: Final = gettext_lazy("Write 1 or more.")
_TOO_MANY: Final = gettext_lazy("At most %(most)s are tried at once: they are placed one after another.")

# What decides for a node.
ONLY_NODE: Final = pgettext_lazy("what decides for a node", "the only feasible node")
EQUAL_SCORES: Final = pgettext_lazy("what decides for a node", "equal scores")

TRIED_BY_WORKER: Final = gettext_lazy("A worker tries the others; the page shows the result once it is there.")
WOULD_PREEMPT: Final = gettext_lazy(
    "The scheduler would preempt pods for it; nothing is preempted here, so it counts as one that does not fit."
)
DEVICES: Final = gettext_lazy(
    "Devices that are claimed by templates are not looked for: their claims are made afterwards."
)


def daemon_set(desired: int | None) -> str:
    """Say why a DaemonSet is not scaled, and how many pods it has to have where that is known."""
    if desired is None:
        return str(_DAEMON_SET)
    wanted = ngettext("%(pods)s pod is desired now.", "%(pods)s pods are desired now.", desired) % {
        "pods": grouped(desired)
    }
    return " ".join((str(_DAEMON_SET), wanted))


def too_many(most: int) -> str:
    """Say how many pods can be tried at once."""
    return str(_TOO_MANY) % {"most": grouped(most)}


def more_fit(pods: int) -> str:
    """Say how many more pods fit."""
    return ngettext("%(pods)s more fits.", "%(pods)s more fit.", pods) % {"pods": grouped(pods)}


def at_least_more_fit(pods: int) -> str:
    """Say how many more pods fit where more were not tried."""
    return ngettext("At least %(pods)s more fits.", "At least %(pods)s more fit.", pods) % {"pods": grouped(pods)}


def no_more_fits() -> str:
    """Say that not even one more pod fits."""
    return _("Not one more fits.")


def next_meets(reasons: str) -> str:
    """Say why nodes reject the pod after those that fit."""
    return _("The next one does not: %(reasons)s.") % {"reasons": reasons}


def fit_badge(fit: str, asked: int) -> str:
    """Count the pods that fit."""
    return _("%(fit)s of %(asked)s fit") % {"fit": fit, "asked": grouped(asked)}


def uncertain_badge(fit: int, asked: int) -> str:
    """Count the pods of which it is uncertain whether they fit."""
    return _("%(fit)s of %(asked)s uncertain") % {"fit": grouped(fit), "asked": grouped(asked)}


def pass_computed(fit: int, asked: int) -> str:
    """Say how many pods pass every filter that is computed."""
    return ngettext(
        "%(fit)s of %(asked)s passes every filter that is computed.",
        "%(fit)s of %(asked)s pass every filter that is computed.",
        fit,
    ) % {"fit": grouped(fit), "asked": grouped(asked)}


def all_fit(pods: int) -> str:
    """Say that every pod fits."""
    return ngettext("%(pods)s pod fits.", "All %(pods)s fit.", pods) % {"pods": grouped(pods)}


def some_fit(fit: int, asked: int) -> str:
    """Say how many pods fit."""
    return ngettext("%(fit)s of %(asked)s fits.", "%(fit)s of %(asked)s fit.", fit) % {
        "fit": grouped(fit),
        "asked": grouped(asked),
    }


def none_fits(asked: int) -> str:
    """Say that not one pod fits."""
    return _("None of %(asked)s fits.") % {"asked": grouped(asked)}


def next_fails(number: int) -> str:
    """Say which pod is the first that does not fit."""
    return _("Pod %(number)s does not fit.") % {"number": grouped(number)}


def next_forbidden(number: int) -> str:
    """Say which pod is the first that the API server refuses."""
    return _("Pod %(number)s is not created.") % {"number": grouped(number)}


def none_created(pods: int) -> str:
    """Say that the API server refuses the first pod already."""
    return ngettext(
        "%(pods)s pod is not created: the API server refuses it.",
        "None of %(pods)s pods is created: the API server refuses the first.",
        pods,
    ) % {"pods": grouped(pods)}


def refused_by(refusal: CreationRefusal) -> str:
    """Name what refuses a pod."""
    match refusal:
        case LimitRangeRefusal():
            return _("LimitRange %(namespace)s/%(limit_range)s refuses it.") % {
                "namespace": refusal.namespace,
                "limit_range": refusal.limit_range,
            }
        case InvalidDefaults():
            return _("It is invalid with the defaults of the LimitRanges of namespace %(namespace)s.") % {
                "namespace": refusal.namespace
            }
        case QuotaUncovered():
            return _("No ResourceQuota of namespace %(namespace)s covers it, which the API server requires.") % {
                "namespace": refusal.namespace
            }
        case _quota:
            return _("ResourceQuota %(namespace)s/%(quota)s refuses it.") % {
                "namespace": refusal.namespace,
                "quota": refusal.quota,
            }


def placed_on(nodes: str) -> str:
    """Say on how many nodes pods are placed."""
    return _("Placed on %(nodes)s.") % {"nodes": nodes}


def placed_in(zones: str) -> str:
    """Say in which zones pods are placed; ``zones``: each with its number of pods."""
    return _("Placed %(zones)s.") % {"zones": zones}


def pods_in(zone: str, pods: int) -> str:
    """Count pods that are placed in a zone."""
    return pgettext("pods placed in a zone", "%(pods)s in %(zone)s") % {"pods": grouped(pods), "zone": zone}


def pods_without_zone(pods: int) -> str:
    """Count pods that are placed on nodes without a zone."""
    return pgettext("pods placed in a zone", "%(pods)s on nodes without a zone") % {"pods": grouped(pods)}


def pods_elsewhere(pods: int) -> str:
    """Count pods that are placed in zones that are not named."""
    return pgettext("pods placed in a zone", "%(pods)s elsewhere") % {"pods": grouped(pods)}


def more_nodes(nodes: int) -> str:
    """Count nodes that a table leaves out."""
    return ngettext("%(nodes)s more node with fewer new pods.", "%(nodes)s more nodes with fewer new pods.", nodes) % {
        "nodes": grouped(nodes)
    }


def decided_for(reason: str, pods: int) -> str:
    """Write what decides for a node, and for how many pods."""
    return pgettext("what decides for a node", "%(reason)s (%(pods)s)") % {"reason": reason, "pods": grouped(pods)}


def pending_already(pods: int) -> str:
    """Say that pods of the workload are pending already."""
    return ngettext(
        "%(pods)s pod of it is pending already and is not placed first.",
        "%(pods)s pods of it are pending already and are not placed first.",
        pods,
    ) % {"pods": grouped(pods)}


def unknown_zones(volumes: int) -> str:
    """Say of how many volumes of each new pod the zone is not known."""
    return ngettext(
        "Each new pod would get %(volumes)s volume whose zone is not known beforehand, because its storage class "
        "provisions immediately or its claim is not mirrored; the pods are placed as if every node reached it.",
        "Each new pod would get %(volumes)s volumes whose zone is not known beforehand, because their storage class "
        "provisions immediately or their claim is not mirrored; the pods are placed as if every node reached them.",
        volumes,
    ) % {"volumes": grouped(volumes)}


def waits_for(pod: str) -> str:
    """Say for which pod a StatefulSet waits before it creates another one."""
    return _(
        "Its podManagementPolicy is OrderedReady: no further pod is created until %(pod)s is Running and Ready."
    ) % {"pod": pod}


def own_claims(claims: int) -> str:
    """Say that each new pod gets claims of its own."""
    return ngettext(
        "Each new pod gets %(claims)s claim of its own, like that of the newest pod.",
        "Each new pod gets %(claims)s claims of its own, like those of the newest pod.",
        claims,
    ) % {"claims": grouped(claims)}
