"""More replicas of a workload: how many fit, where they are placed, and what decides that."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.admission import CreationRefusal, InvalidDefaults, LimitRangeRefusal
from clusters.engine.quotas import QuotaUncovered
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

NO_SAMPLE: Final = gettext_lazy("There is no pod of this workload to copy.")
STATIC_PODS: Final = gettext_lazy("The kubelet creates these pods from files on its node.")
_DAEMON_SET: Final = gettext_lazy(
    "A DaemonSet has no replicas to raise: it creates one pod for each node that its pods may run on."
)
HINT: Final = gettext_lazy("Pods like the newest one, placed one after another, without preemption.")
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
DEVICES: Final = gettext_lazy("Devices claimed by templates are not searched.")


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


MORE_FIT = plural("%(pods)s more fits.", "%(pods)s more fit.", by="pods")
AT_LEAST_MORE_FIT = plural("At least %(pods)s more fits.", "At least %(pods)s more fit.", by="pods")
NO_MORE_FITS: Final = gettext_lazy("Not one more fits.")
NEXT_MEETS = message("The next one does not: %(reasons)s.")
FIT_BADGE = message("%(fit)s of %(asked)s fit")
UNCERTAIN_BADGE = message("%(fit)s of %(asked)s uncertain")
PASS_COMPUTED = plural(
    "%(fit)s of %(asked)s passes every filter that is computed.",
    "%(fit)s of %(asked)s pass every filter that is computed.",
    by="fit",
)
ALL_FIT = plural("%(pods)s pod fits.", "All %(pods)s fit.", by="pods")
SOME_FIT = plural("%(fit)s of %(asked)s fits.", "%(fit)s of %(asked)s fit.", by="fit")
NONE_FITS = message("None of %(asked)s fits.")
NEXT_FAILS = message("Pod %(number)s does not fit.")
NEXT_FORBIDDEN = message("Pod %(number)s is not created.")
NONE_CREATED = plural(
    "%(pods)s pod is not created: the API server refuses it.",
    "None of %(pods)s pods is created: the API server refuses the first.",
    by="pods",
)


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
            return _("No ResourceQuota of namespace %(namespace)s covers it, which is required.") % {
                "namespace": refusal.namespace
            }
        case _quota:
            return _("ResourceQuota %(namespace)s/%(quota)s refuses it.") % {
                "namespace": refusal.namespace,
                "quota": refusal.quota,
            }


PLACED_ON = message("Placed on %(nodes)s.")
PLACED_IN = message("Placed %(zones)s.")
PODS_IN = message("%(pods)s in %(zone)s", context="pods placed in a zone")
PODS_WITHOUT_ZONE = message("%(pods)s on nodes without a zone", context="pods placed in a zone")
PODS_ELSEWHERE = message("%(pods)s elsewhere", context="pods placed in a zone")
MORE_NODES = plural("%(nodes)s more node with fewer new pods.", "%(nodes)s more nodes with fewer new pods.", by="nodes")
DECIDED_FOR = message("%(reason)s (%(pods)s)", context="what decides for a node")
PENDING_ALREADY = plural(
    "%(pods)s pod of it is pending already and is not placed first.",
    "%(pods)s pods of it are pending already and are not placed first.",
    by="pods",
)
UNKNOWN_ZONES = plural(
    "Each new pod would get %(volumes)s volume whose zone is not known beforehand, because its storage class "
    "provisions immediately or its claim is not mirrored; the pods are placed as if every node reached it.",
    "Each new pod would get %(volumes)s volumes whose zone is not known beforehand, because their storage class "
    "provisions immediately or their claim is not mirrored; the pods are placed as if every node reached them.",
    by="volumes",
)
WAITS_FOR = message("OrderedReady: no further pod is created until %(pod)s is Running and Ready.")
OWN_CLAIMS = plural(
    "Each new pod gets %(claims)s claim, like the newest pod's.",
    "Each new pod gets %(claims)s claims, like the newest pod's.",
    by="claims",
)
