"""What the words of scheduling mean, for somebody who knows pods and nodes and has never scheduled any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.lessons import Term
from clusters.wording.lists import side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable


# Each with what it means.
TERMS: Final = {
    Term.ADMISSION_PLUGIN: (
        pgettext_lazy("term", "admission plugin"),
        gettext_lazy("A part of the API server that completes or refuses objects on creation."),
    ),
    Term.ALLOCATABLE: (
        pgettext_lazy("term", "allocatable"),
        gettext_lazy("What pods can request of a node: its capacity less the system's."),
    ),
    Term.API_SERVER: (
        pgettext_lazy("term", "API server"),
        gettext_lazy("The part of Kubernetes that checks and stores objects."),
    ),
    Term.AUTOSCALER: (
        pgettext_lazy("term", "autoscaler"),
        gettext_lazy("A program that adds nodes for unschedulable pods, and removes empty ones."),
    ),
    Term.BIN_PACKING: (
        pgettext_lazy("term", "bin packing"),
        gettext_lazy("Filling some nodes before others, so that the others stay empty."),
    ),
    Term.BUDGET: (
        pgettext_lazy("term", "PodDisruptionBudget"),
        gettext_lazy("An object that says how many pods of an application stay ready during evictions."),
    ),
    Term.CONDITION: (
        pgettext_lazy("term", "condition"),
        gettext_lazy("A state of a node that Kubernetes records, such as Ready or MemoryPressure."),
    ),
    Term.CONTROL_PLANE: (
        pgettext_lazy("term", "control plane"),
        gettext_lazy("The programs that run a cluster: API server, kube-scheduler, controllers."),
    ),
    Term.CONTROLLER: (
        pgettext_lazy("term", "controller"),
        gettext_lazy("A program that creates and replaces pods, for a Deployment or StatefulSet for instance."),
    ),
    Term.CORDON: (
        pgettext_lazy("term", "cordon"),
        gettext_lazy("To mark a node as unschedulable: its pods keep running, new ones are rejected."),
    ),
    Term.DAEMON_SET: (
        pgettext_lazy("term", "DaemonSet"),
        gettext_lazy("A workload with one pod on each node, such as a log collector."),
    ),
    Term.DRAIN: (
        pgettext_lazy("term", "drain"),
        gettext_lazy("To empty a node: it is cordoned, then its pods are evicted."),
    ),
    Term.EVICTION: (
        pgettext_lazy("term", "eviction"),
        gettext_lazy("Terminating a pod on purpose so that it leaves its node."),
    ),
    Term.EXTENDED_RESOURCE: (
        pgettext_lazy("term", "extended resource"),
        gettext_lazy("A resource added to nodes and counted in whole pieces, such as GPUs."),
    ),
    Term.FEASIBLE: (
        pgettext_lazy("term", "feasible"),
        gettext_lazy("Of a node: no filter rejects it."),
    ),
    Term.FILTER: (
        pgettext_lazy("term", "filter"),
        gettext_lazy("A check of each node for a pod. A no rejects the node."),
    ),
    Term.GRACE_PERIOD: (
        pgettext_lazy("term", "grace period"),
        gettext_lazy("How long something waits before it acts, such as a pod before it is killed."),
    ),
    Term.KUBELET: (
        pgettext_lazy("term", "kubelet"),
        gettext_lazy("The program that runs a node's pods."),
    ),
    Term.LABEL: (
        pgettext_lazy("term", "label"),
        gettext_lazy("A key with a value on an object, such as disk=ssd."),
    ),
    Term.LIMIT: (
        pgettext_lazy("term", "limit"),
        gettext_lazy("The most that a container may use of a resource."),
    ),
    Term.LIMIT_RANGE: (
        pgettext_lazy("term", "LimitRange"),
        gettext_lazy("An object with default, least and greatest requests and limits of a namespace."),
    ),
    Term.NODE_AFFINITY: (
        pgettext_lazy("term", "node affinity"),
        gettext_lazy("Rules of a pod about labels of nodes: required ones reject, preferred ones score."),
    ),
    Term.NODE_SELECTOR: (
        pgettext_lazy("term", "node selector"),
        gettext_lazy("The labels that a pod requires of its node."),
    ),
    Term.NOMINATED: (
        pgettext_lazy("term", "nominated node"),
        gettext_lazy("The node on which preemption makes room for a pod."),
    ),
    Term.OVERHEAD: (
        pgettext_lazy("term", "overhead"),
        gettext_lazy("Resources that a pod needs beside its containers, by its RuntimeClass."),
    ),
    Term.PENDING: (
        pgettext_lazy("term", "pending"),
        gettext_lazy("Of a pod: it has no node yet."),
    ),
    Term.PLUGIN: (
        pgettext_lazy("term", "plugin"),
        gettext_lazy("A part of kube-scheduler that filters nodes, scores them, or both."),
    ),
    Term.POD_AFFINITY: (
        pgettext_lazy("term", "pod affinity and anti-affinity"),
        gettext_lazy("Rules of a pod about other pods: near them (affinity) or not (anti-affinity)."),
    ),
    Term.PREEMPTION: (
        pgettext_lazy("term", "preemption"),
        gettext_lazy("Removing pods of a lower priority from a node, so that a pod fits there."),
    ),
    Term.PRIORITY: (
        pgettext_lazy("term", "priority"),
        gettext_lazy("How important a pod is: a number from the PriorityClass that it names."),
    ),
    Term.PROFILE: (
        pgettext_lazy("term", "profile"),
        gettext_lazy("A named set of plugins with settings; a pod chooses it by schedulerName."),
    ),
    Term.QOS_CLASS: (
        pgettext_lazy("term", "QoS class"),
        gettext_lazy("Guaranteed, Burstable or BestEffort, by a pod's requests and limits."),
    ),
    Term.QUEUE: (
        pgettext_lazy("term", "queue"),
        gettext_lazy("The pending pods in the order in which kube-scheduler tries them."),
    ),
    Term.REPLICA: (
        pgettext_lazy("term", "replica"),
        gettext_lazy("One of the pods that are made of the same template."),
    ),
    Term.REQUEST: (
        pgettext_lazy("term", "request"),
        gettext_lazy("How much CPU, memory or other resources are kept for a pod on its node, whatever it uses."),
    ),
    Term.RESOURCE_CLAIM: (
        pgettext_lazy("term", "ResourceClaim"),
        gettext_lazy("An object that says which devices a pod needs; ResourceSlices list those of nodes."),
    ),
    Term.RESOURCE_QUOTA: (
        pgettext_lazy("term", "ResourceQuota"),
        gettext_lazy("An object that bounds what the pods of a namespace request together."),
    ),
    Term.SCHEDULING_GATE: (
        pgettext_lazy("term", "scheduling gate"),
        gettext_lazy("An entry of a pod that keeps kube-scheduler from trying the pod until the entry is removed."),
    ),
    Term.SCORE: (
        pgettext_lazy("term", "score"),
        gettext_lazy("Points from 0 to 100 that a plugin gives a feasible node."),
    ),
    Term.SKEW: (
        pgettext_lazy("term", "skew"),
        gettext_lazy("By how many pods a topology domain exceeds the emptiest."),
    ),
    Term.SPREAD_CONSTRAINT: (
        pgettext_lazy("term", "topology spread constraint"),
        gettext_lazy("A rule: how unevenly pods may be spread over topology domains, such as zones."),
    ),
    Term.TAINT: (
        pgettext_lazy("term", "taint"),
        gettext_lazy("A mark on a node that keeps away pods without a matching toleration."),
    ),
    Term.TOLERATION: (
        pgettext_lazy("term", "toleration"),
        gettext_lazy("An entry in a pod's spec that names a taint; that taint then does not keep the pod away."),
    ),
    Term.TOPOLOGY_DOMAIN: (
        pgettext_lazy("term", "topology domain"),
        gettext_lazy("The nodes that have the same value of a label, such as those of one zone."),
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
        gettext_lazy("Nodes that may fail together, such as those of one data centre."),
    ),
}


def words_of_step(terms: Iterable[Term]) -> str:
    """Name the words that are explained beside a step."""
    return _("Words of this step: %(words)s") % {"words": side_by_side(str(TERMS[each][0]) for each in terms)}
