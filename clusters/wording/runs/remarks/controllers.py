"""What workload controllers do in a simulation, and what they would wait for in a cluster."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from clusters.engine.simulation import JobFailed, remarks
from clusters.engine.volumes import FORCE_DETACH_AFTER
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.problems import problem_sentence
from clusters.wording.runs.remarks.registry import remark_sentence


@remark_sentence.register(remarks.ScaledInProportion)
def scaled_in_proportion(remark: remarks.ScaledInProportion) -> str:
    """Say how the replicas are shared among the ReplicaSets of a rollout."""
    sizes = [
        _("%(name)s from %(before)s to %(after)s") % {"name": name, "before": grouped(before), "after": grouped(after)}
        for name, before, after in remark.sizes
    ]
    return _("%(workload)s is being rolled out; its ReplicaSets are scaled in proportion: %(sizes)s.") % {
        "workload": remark.workload,
        "sizes": listed(sizes),
    }


@remark_sentence.register(remarks.PodsAdopted)
def pods_adopted(remark: remarks.PodsAdopted) -> str:
    """Count the pods without a controller that a ReplicaSet adopts, and of those the ones that are too many."""
    adopted = ngettext(
        "%(replica_set)s adopts %(pods)s pod without a controller that its selector matches.",
        "%(replica_set)s adopts %(pods)s pods without a controller that its selector matches.",
        remark.pods,
    ) % {"replica_set": remark.replica_set, "pods": grouped(remark.pods)}
    if not remark.deleted:
        return adopted
    deleted = ngettext(
        "%(pods)s of them is deleted, as it wants fewer.",
        "%(pods)s of them are deleted, as it wants fewer.",
        remark.deleted,
    ) % {"pods": grouped(remark.deleted)}
    return f"{adopted} {deleted}"


@remark_sentence.register(remarks.OrdinalsWaitForNodes)
def ordinals_wait_for_nodes(remark: remarks.OrdinalsWaitForNodes) -> str:
    """Count the pods of StatefulSets whose replacements come later in a cluster."""
    return ngettext(
        "%(pods)s pod of a StatefulSet on unreachable nodes stays Terminating, and is replaced only once "
        "its object is gone. Here it is replaced when evicted.",
        "%(pods)s pods of StatefulSets on unreachable nodes stay Terminating, and are replaced only once "
        "their objects are gone. Here they are replaced when evicted.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


@remark_sentence.register(remarks.VolumesStayAttached)
def volumes_stay_attached(remark: remarks.VolumesStayAttached) -> str:
    """Count the pods whose replacements wait for a volume."""
    return ngettext(
        "%(pods)s pod on unreachable nodes has a volume that one node at a time can attach: its replacement does not "
        "run until the pod's object is gone and, %(seconds)s s later, the volume is detached by force.",
        "%(pods)s pods on unreachable nodes have volumes that one node at a time can attach: their replacements do not "
        "run until the pods' objects are gone and, %(seconds)s s later, the volumes are detached by force.",
        remark.pods,
    ) % {"pods": grouped(remark.pods), "seconds": grouped(FORCE_DETACH_AFTER)}


@remark_sentence.register(remarks.OrdinalsHeldBack)
def ordinals_held_back(remark: remarks.OrdinalsHeldBack) -> str:
    """Say for which pod a StatefulSet waits before it is scaled."""
    return _(
        "StatefulSet %(stateful_set)s (OrderedReady) is not scaled until %(pod)s is Running and Ready, "
        "which is assumed here."
    ) % {"stateful_set": remark.stateful_set, "pod": remark.pod}


@remark_sentence.register(remarks.RequestsSet)
def requests_set(remark: remarks.RequestsSet) -> str:
    """Say that pods get other requests without being moved."""
    return ngettext(
        "The requests of %(pods)s pod are set on the node that it is on, as if its rollout had ended there; "
        "quotas count what it requested before.",
        "The requests of %(pods)s pods are set on the nodes that they are on, as if their rollouts had ended there; "
        "quotas count what they requested before.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


@remark_sentence.register(remarks.OrdinalsNotCreated)
def ordinals_not_created(remark: remarks.OrdinalsNotCreated) -> str:
    """Say for which pod a StatefulSet waits at the end, and how many it has not created."""
    return ngettext(
        "%(pods)s pod of StatefulSet %(stateful_set)s (OrderedReady) is not created until %(pod)s is "
        "Running and Ready.",
        "%(pods)s pods of StatefulSet %(stateful_set)s (OrderedReady) are not created until %(pod)s is "
        "Running and Ready.",
        remark.pods,
    ) % {"pods": grouped(remark.pods), "stateful_set": remark.stateful_set, "pod": remark.pod}


@remark_sentence.register(remarks.JobFails)
def job_fails(remark: remarks.JobFails) -> str:
    """Say why a Job fails as nodes are lost, and how many of its pods are deleted for that."""
    failed = problem_sentence(JobFailed(remark.job, remark.reason, remark.limit))
    if not remark.pods:
        return failed
    deleted = ngettext(
        "%(pods)s other pod of it is deleted, and none is created.",
        "%(pods)s other pods of it are deleted, and none is created.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}
    return f"{failed} {deleted}"


@remark_sentence.register(remarks.JobIndexesFail)
def job_indexes_fail(remark: remarks.JobIndexesFail) -> str:
    """Say which indexes of a Job get no further pods."""
    return _("Of Job %(job)s the indexes %(indexes)s have failed and get no further pods.") % {
        "job": remark.job,
        "indexes": remark.indexes,
    }
