"""What the words of scheduling mean, for somebody who knows pods and nodes and has never scheduled any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.lessons import Term

if TYPE_CHECKING:
    from collections.abc import Iterable


# Each with what it means.
TERMS: Final = {
    Term.ADMISSION_PLUGIN: (
        pgettext_lazy("term", "admission plugin"),
        gettext_lazy("A part of the API server that completes or refuses new objects."),
    ),
    Term.ALLOCATABLE: (
        pgettext_lazy("term", "allocatable"),
        gettext_lazy("What pods can request of a node."),
    ),
    Term.API_SERVER: (
        pgettext_lazy("term", "API server"),
        gettext_lazy("Checks and stores objects."),
    ),
    Term.AUTOSCALER: (
        pgettext_lazy("term", "autoscaler"),
        gettext_lazy("Adds nodes for unschedulable pods, and removes empty ones."),
    ),
    Term.BIN_PACKING: (
        pgettext_lazy("term", "bin packing"),
        gettext_lazy("Filling some nodes so that others stay empty."),
    ),
    Term.BUDGET: (
        pgettext_lazy("term", "PodDisruptionBudget"),
        gettext_lazy("How many pods of an application stay ready during evictions."),
    ),
    Term.CONDITION: (
        pgettext_lazy("term", "condition"),
        gettext_lazy("A recorded state of a node, such as Ready."),
    ),
    Term.CONTROL_PLANE: (
        pgettext_lazy("term", "control plane"),
        gettext_lazy("API server, kube-scheduler and controllers."),
    ),
    Term.CONTROLLER: (
        pgettext_lazy("term", "controller"),
        gettext_lazy("Creates and replaces pods, such as those of a Deployment."),
    ),
    Term.CORDON: (
        pgettext_lazy("term", "cordon"),
        gettext_lazy("To mark a node so that it rejects new pods."),
    ),
    Term.DAEMON_SET: (
        pgettext_lazy("term", "DaemonSet"),
        gettext_lazy("A workload with one pod on each node."),
    ),
    Term.DRAIN: (
        pgettext_lazy("term", "drain"),
        gettext_lazy("To cordon a node and evict its pods."),
    ),
    Term.EVICTION: (
        pgettext_lazy("term", "eviction"),
        gettext_lazy("Terminating a pod so that it leaves its node."),
    ),
    Term.EXTENDED_RESOURCE: (
        pgettext_lazy("term", "extended resource"),
        gettext_lazy("A resource counted in whole pieces, such as GPUs."),
    ),
    Term.FEASIBLE: (
        pgettext_lazy("term", "feasible"),
        gettext_lazy("Of a node: no filter rejects it."),
    ),
    Term.FILTER: (
        pgettext_lazy("term", "filter"),
        gettext_lazy("A check that can reject a node for a pod."),
    ),
    Term.GRACE_PERIOD: (
        pgettext_lazy("term", "grace period"),
        gettext_lazy("How long something waits before it acts."),
    ),
    Term.KUBELET: (
        pgettext_lazy("term", "kubelet"),
        gettext_lazy("Runs the pods of a node."),
    ),
    Term.LABEL: (
        pgettext_lazy("term", "label"),
        gettext_lazy("A key with a value, such as disk=ssd."),
    ),
    Term.LIMIT: (
        pgettext_lazy("term", "limit"),
        gettext_lazy("The most that a container may use."),
    ),
    Term.LIMIT_RANGE: (
        pgettext_lazy("term", "LimitRange"),
        gettext_lazy("Defaults and bounds of requests and limits in a namespace."),
    ),
    Term.NODE_AFFINITY: (
        pgettext_lazy("term", "node affinity"),
        gettext_lazy("Required or preferred labels of nodes."),
    ),
    Term.NODE_SELECTOR: (
        pgettext_lazy("term", "node selector"),
        gettext_lazy("The labels that a pod requires of its node."),
    ),
    Term.NOMINATED: (
        pgettext_lazy("term", "nominated node"),
        gettext_lazy("The node on which preemption makes room."),
    ),
    Term.OVERHEAD: (
        pgettext_lazy("term", "overhead"),
        gettext_lazy("What a pod needs beside its containers (RuntimeClass)."),
    ),
    Term.PENDING: (
        pgettext_lazy("term", "pending"),
        gettext_lazy("Of a pod: it has no node yet."),
    ),
    Term.PLUGIN: (
        pgettext_lazy("term", "plugin"),
        gettext_lazy("A part of kube-scheduler that filters or scores nodes."),
    ),
    Term.POD_AFFINITY: (
        pgettext_lazy("term", "pod affinity and anti-affinity"),
        gettext_lazy("Rules about other pods: near them or not."),
    ),
    Term.PREEMPTION: (
        pgettext_lazy("term", "preemption"),
        gettext_lazy("Removing pods of lower priority so that another fits."),
    ),
    Term.PRIORITY: (
        pgettext_lazy("term", "priority"),
        gettext_lazy("How important a pod is (PriorityClass)."),
    ),
    Term.PROFILE: (
        pgettext_lazy("term", "profile"),
        gettext_lazy("A named set of plugins, chosen by schedulerName."),
    ),
    Term.QOS_CLASS: (
        pgettext_lazy("term", "QoS class"),
        gettext_lazy("Guaranteed, Burstable or BestEffort, by requests and limits."),
    ),
    Term.QUEUE: (
        pgettext_lazy("term", "queue"),
        gettext_lazy("Pending pods in the order of their attempts."),
    ),
    Term.REPLICA: (
        pgettext_lazy("term", "replica"),
        gettext_lazy("One of the pods of a template."),
    ),
    Term.REQUEST: (
        pgettext_lazy("term", "request"),
        gettext_lazy("Resources kept for a pod on its node, whatever it uses."),
    ),
    Term.RESOURCE_CLAIM: (
        pgettext_lazy("term", "ResourceClaim"),
        gettext_lazy("Says which devices a pod needs."),
    ),
    Term.RESOURCE_QUOTA: (
        pgettext_lazy("term", "ResourceQuota"),
        gettext_lazy("Bounds what the pods of a namespace request together."),
    ),
    Term.SCHEDULING_GATE: (
        pgettext_lazy("term", "scheduling gate"),
        gettext_lazy("Keeps kube-scheduler from trying a pod until it is removed."),
    ),
    Term.SCORE: (
        pgettext_lazy("term", "score"),
        gettext_lazy("A plugin's points for a node, from 0 to 100."),
    ),
    Term.SKEW: (
        pgettext_lazy("term", "skew"),
        gettext_lazy("By how many pods a domain exceeds the emptiest."),
    ),
    Term.SPREAD_CONSTRAINT: (
        pgettext_lazy("term", "topology spread constraint"),
        gettext_lazy("How unevenly pods may be spread over topology domains."),
    ),
    Term.TAINT: (
        pgettext_lazy("term", "taint"),
        gettext_lazy("Keeps pods without a matching toleration off a node."),
    ),
    Term.TOLERATION: (
        pgettext_lazy("term", "toleration"),
        gettext_lazy("Names a taint that then does not keep the pod away."),
    ),
    Term.TOPOLOGY_DOMAIN: (
        pgettext_lazy("term", "topology domain"),
        gettext_lazy("Nodes with the same value of a label, such as a zone."),
    ),
    Term.VICTIM: (
        pgettext_lazy("term", "victim"),
        gettext_lazy("A pod that preemption removes."),
    ),
    Term.WEIGHT: (
        pgettext_lazy("term", "weight"),
        gettext_lazy("The number that points are multiplied by."),
    ),
    Term.ZONE: (
        pgettext_lazy("term", "zone"),
        gettext_lazy("Nodes that may fail together, such as a data centre's."),
    ),
}


def words_of_step(terms: Iterable[Term]) -> str:
    """Name the words that are explained beside a step."""
    return _("Words of this step: %(words)s") % {"words": ", ".join(str(TERMS[each][0]) for each in terms)}
