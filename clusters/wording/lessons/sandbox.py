"""What the sandbox beside the lessons says: what was done in it, what kube-scheduler did, and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.sandbox import ActKind, PodAttempt
from clusters.engine.simulation import Outcome
from clusters.wording import counts
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.states import UNSCHEDULABLE

if TYPE_CHECKING:
    from collections.abc import Sequence


PLACED_BEFORE: Final = gettext_lazy("It had its node before. Below: as if it were pending now.")
AT_THE_ATTEMPT: Final = gettext_lazy("Below is the cluster as it was at that attempt.")
TITLE: Final = gettext_lazy("Sandbox")
NOTHING_TO_TRY: Final = gettext_lazy(
    "There is no pod that kube-scheduler would try now. Add a workload, or change the cluster."
)
NOTHING_CHANGED: Final = gettext_lazy("Nothing changed: the cluster is like that already.")
NOTHING_TO_UNDO: Final = gettext_lazy("There is nothing to undo.")
NO_DECISION: Final = gettext_lazy("There is no decision about this pod here.")
NO_LINK: Final = gettext_lazy("There is no such link. Ask its owner for another one.")
CHANGED_ELSEWHERE: Final = gettext_lazy("Your sandbox was changed in another window. Try again.")
NO_TEXT: Final = gettext_lazy("The text holds no object. Write a manifest, or remove the object.")
UNKNOWN_ACT: Final = gettext_lazy("The sandbox does not know this act. Reload the page.")

# The clusters to begin with, by their names: what each is called, and what it is for.
STARTS: Final = {
    "three-zones": (
        gettext_lazy("Three zones"),
        gettext_lazy("Six nodes, a DaemonSet, spread pods, and one too large"),
    ),
    "tainted-nodes": (
        gettext_lazy("Tainted nodes"),
        gettext_lazy("Database and spot nodes, and one pod without toleration"),
    ),
    "gpu-nodes": (
        gettext_lazy("GPU nodes"),
        gettext_lazy("Two tainted GPU nodes, and pods that request GPUs"),
    ),
    "full-cluster": (
        gettext_lazy("Full cluster"),
        gettext_lazy("No free CPU: pods of high priority preempt others"),
    ),
    "empty": (gettext_lazy("Empty"), gettext_lazy("No nodes and no pods")),
}

# -- what was done -----------------------------------------------------------------------------------------------------


_DONE: Final = {
    ActKind.ADDED: message("%(subject)s added"),
    ActKind.EDITED: message("%(name)s edited"),
    ActKind.REMOVED: message("%(name)s removed"),
    ActKind.DUPLICATED: message("%(subject)s added like another node"),
    ActKind.CORDONED: message("%(subject)s cordoned"),
    ActKind.UNCORDONED: message("%(subject)s uncordoned"),
    ActKind.FAILED: message("%(subject)s not ready"),
    ActKind.RECOVERED: message("%(subject)s ready again"),
    ActKind.EVICTED: message("Pods of %(subject)s evicted by its taints"),
    ActKind.SCHEDULED: message("Scheduled up to %(subject)s"),
    ActKind.STARTED: message("Another cluster to begin with: %(subject)s"),
    ActKind.UPLOADED: message("Cluster of the file %(subject)s"),
    ActKind.COPIED: message("Copy of the sandbox of %(subject)s"),
    ActKind.RESET: message("The cluster was reset"),
}


def done(kind: ActKind, subject: str) -> str:
    """Say what somebody did; the subject is the name of an object, of a file or of a user."""
    named = STARTS[subject][0] if kind is ActKind.STARTED else subject
    return _DONE[kind](**dict.fromkeys(_DONE[kind].values, named))


OBJECTS_ADDED = plural("%(number)s object", "%(number)s objects", by="number")


# -- what kube-scheduler did -------------------------------------------------------------------------------------------


def attempt_sentence(attempt: PodAttempt) -> str:
    """Say what came of an attempt to schedule a pod."""
    if attempt.outcome is Outcome.PLACED:
        return _("Scheduled to %(node)s") % {"node": attempt.node}
    if attempt.outcome is Outcome.NOT_COMPUTED:
        return _("Not computed: %(error)s") % {"error": attempt.message}
    if attempt.node and attempt.victims:
        return ngettext(
            "Nominated for %(node)s; %(victims)s is preempted",
            "Nominated for %(node)s; %(victims)s are preempted",
            len(attempt.victims),
        ) % {"node": attempt.node, "victims": first_of(attempt.victims, most=3)}
    if attempt.node:
        return _("Nominated for %(node)s") % {"node": attempt.node}
    return str(UNSCHEDULABLE)


def not_created(pods: Sequence[str], reason: str) -> str:
    """Say which pods the API server refused to create, and why the first of them."""
    return ngettext(
        "%(pods)s is not created. %(reason)s", "%(pods)s are not created. The first one: %(reason)s", len(pods)
    ) % {"pods": first_of(pods, most=3), "reason": reason}


# -- shared ------------------------------------------------------------------------------------------------------------


def described(*, nodes: int, pods: int) -> str:
    """Say how large a shared cluster is."""
    return listed((counts.NODES(number=nodes), counts.PODS(number=pods)))


TOO_MANY_LINKS = plural(
    "You have %(number)s link. Withdraw it first.",
    "You have %(number)s links. Withdraw one first.",
    by="number",
)


NAME: Final = gettext_lazy("Name")
BAD_NAME: Final = gettext_lazy("Names have lower-case letters, digits and dashes, such as web-1.")
NAMESPACE: Final = gettext_lazy("Namespace")
ZONE: Final = gettext_lazy("Zone")
ZONE_HINT: Final = gettext_lazy("Leave it empty for a node without a zone.")
CPU: Final = gettext_lazy("CPU")
MEMORY: Final = gettext_lazy("Memory")
PODS: Final = gettext_lazy("Pods")
GPUS: Final = gettext_lazy("GPUs")
LABELS: Final = gettext_lazy("Labels")
LABELS_HINT: Final = gettext_lazy("Such as pool=spot, disk=ssd")
TAINT_KEY: Final = gettext_lazy("Key of a taint")
TAINT_VALUE: Final = gettext_lazy("Value of the taint")
TAINT_EFFECT: Final = gettext_lazy("Effect of the taint")

KIND: Final = gettext_lazy("Template")
REPLICAS: Final = gettext_lazy("Replicas")
PRIORITY: Final = gettext_lazy("Priority")
PRIORITY_HINT: Final = gettext_lazy("Pods of higher priority go first, and may preempt others.")
NODE_SELECTOR: Final = gettext_lazy("Node selector")
ZONES: Final = gettext_lazy("Only in zones")
ZONES_HINT: Final = gettext_lazy("Node affinity, such as zone-a, zone-b. Leave it empty for all.")
TOLERATES: Final = gettext_lazy("Tolerates")
NO_TOLERATION: Final = gettext_lazy("no taint")
SPREAD: Final = gettext_lazy("Topology spread")
APART: Final = gettext_lazy("Pod anti-affinity")
NEAR: Final = gettext_lazy("In the zone of pods with the label app")
NEAR_HINT: Final = gettext_lazy("Pod affinity: the name of another workload.")
AVAILABLE: Final = gettext_lazy("Available at least (budget)")
AVAILABLE_HINT: Final = gettext_lazy("0 for no PodDisruptionBudget.")

KINDS: Final = {
    "Deployment": gettext_lazy("Deployment: replicas"),
    "DaemonSet": gettext_lazy("DaemonSet: a pod on each node"),
    "Pod": gettext_lazy("Pod: one that nothing recreates"),
}
SPREADS: Final = {
    "": pgettext_lazy("topology spread", "none"),
    "zones": gettext_lazy("over zones (DoNotSchedule)"),
    "zones-preferred": gettext_lazy("over zones (ScheduleAnyway)"),
    "nodes": gettext_lazy("over nodes (DoNotSchedule)"),
}
APARTS: Final = {
    "": pgettext_lazy("pod anti-affinity", "none"),
    "nodes": gettext_lazy("required: one pod a node"),
    "nodes-preferred": gettext_lazy("preferred: one pod a node"),
    "zones": gettext_lazy("required: one pod a zone"),
}


NOT_LABELS = message("%(found)s is no label. Write key=value, and commas between several.")


EFFECT_WITHOUT_KEY: Final = gettext_lazy("The taint has no key. Write one, or leave value and effect.")
KEY_WITHOUT_EFFECT: Final = gettext_lazy("Choose the effect of the taint.")
