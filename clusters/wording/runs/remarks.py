"""What a simulation simplifies or leaves out of what it was asked: one sentence for each remark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.simulation import JobFailed, remarks
from clusters.engine.volumes import FORCE_DETACH_AFTER
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.problems import problem_sentence
from clusters.wording.releases import RELEASE_DIFFERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.simulation import Remark
    from clusters.wording.messages import Message

# By type; the placeholders are the remark's fields.
_SENTENCES: Final[Mapping[type[Remark], Message]] = {
    # The cluster and its scheduler.
    remarks.ReleaseDiffers: RELEASE_DIFFERS,
    remarks.UnknownPlugins: message("Pods are placed without %(plugins)s (not computed)."),
    remarks.ExtendersNotAsked: message("Pods are placed without the extenders %(addresses)s (not asked)."),
    remarks.PendingElsewhere: plural(
        "%(pods)s pending pod of another scheduler is left out.",
        "%(pods)s pending pods of other schedulers are left out.",
        by="pods",
    ),
    # Nodes.
    remarks.DaemonPodsAdded: message("Pods added by %(daemon_sets)s DaemonSets: %(pods)s."),
    remarks.DaemonPodsGone: message("Pods deleted by %(daemon_sets)s DaemonSets: %(pods)s."),
    remarks.DaemonSetRefused: message("The API server refuses the pods of DaemonSet %(daemon_set)s."),
    remarks.DrainedAsKubectl: message(
        "Nodes are drained as by kubectl drain --ignore-daemonsets --delete-emptydir-data, without --force."
    ),
    remarks.PodsLost: plural(
        "%(total)s pod is deleted and not recreated: %(pods)s.",
        "%(total)s pods are deleted and not recreated: %(pods)s.",
        by="total",
    ),
    remarks.NotRecreatedElsewhere: plural(
        "%(pods)s pod of scheduler %(scheduler)s loses its node and is left out.",
        "%(pods)s pods of scheduler %(scheduler)s lose their nodes and are left out.",
        by="pods",
    ),
    remarks.TaintToleratedForAWhile: plural(
        "%(pods)s pod tolerates the taint for a limited time; here it stays.",
        "%(pods)s pods tolerate the taint for a limited time; here they stay.",
        by="pods",
    ),
    # Workloads.
    remarks.KindLeftOut: message("%(kind_of_object)s %(name)s is left out: its kind is not read."),
    remarks.PodsReplaced: plural(
        "%(pods)s existing pod of %(workload)s is replaced.",
        "%(pods)s existing pods of %(workload)s are replaced.",
        by="pods",
    ),
    remarks.ScaledInProportion: message("The rollout of %(workload)s is scaled in proportion: %(sizes)s."),
    remarks.PodsAdopted: plural(
        "%(replica_set)s adopts %(pods)s pod and deletes %(deleted)s.",
        "%(replica_set)s adopts %(pods)s pods and deletes %(deleted)s.",
        by="pods",
    ),
    remarks.OrdinalsWaitForNodes: plural(
        "%(pods)s StatefulSet pod is replaced when evicted; a cluster waits until its object is gone.",
        "%(pods)s StatefulSet pods are replaced when evicted; a cluster waits until their objects are gone.",
        by="pods",
    ),
    remarks.VolumesStayAttached: plural(
        "%(pods)s replacement would wait for a volume of an unreachable node, detached %(seconds)s s after the pod is "
        "gone.",
        "%(pods)s replacements would wait for volumes of unreachable nodes, detached %(seconds)s s after the pod is "
        "gone.",
        by="pods",
    ),
    remarks.OrdinalsHeldBack: message(
        "StatefulSet %(stateful_set)s (OrderedReady) waits until %(pod)s is Ready, assumed here."
    ),
    remarks.RequestsSet: plural(
        "%(pods)s pod gets its requests in place; quotas count the old ones.",
        "%(pods)s pods get their requests in place; quotas count the old ones.",
        by="pods",
    ),
    remarks.OrdinalsNotCreated: plural(
        "%(pods)s pod of StatefulSet %(stateful_set)s (OrderedReady) is not created until %(pod)s is Ready.",
        "%(pods)s pods of StatefulSet %(stateful_set)s (OrderedReady) are not created until %(pod)s is Ready.",
        by="pods",
    ),
    remarks.JobIndexesFail: message("Indexes %(indexes)s of Job %(job)s have failed."),
    remarks.StayWhereTheyAre: plural(
        "%(pods)s pod of another scheduler stays on its node.",
        "%(pods)s pods of other schedulers stay on their nodes.",
        by="pods",
    ),
    remarks.NoEligibleNode: message("No node is eligible for %(workload)s."),
    remarks.JobSuspended: message("%(job)s is suspended and has no pods."),
    remarks.JobInParts: message("%(job)s runs %(pods)s of %(completions)s pods at a time."),
    remarks.NodeNameIgnored: message("spec.nodeName of %(workload)s is ignored."),
    remarks.ClaimsIgnored: message("Pods are placed without the claims %(volumes)s, provisioned at once, anywhere."),
    remarks.ImmediateVolumes: plural(
        "%(pods)s new pod with volumes provisioned at once, anywhere: not computed.",
        "%(pods)s new pods with volumes provisioned at once, anywhere: not computed.",
        by="pods",
    ),
    remarks.TemplatedResourceClaims: plural(
        "%(pods)s new pod with resource claims from templates: not computed.",
        "%(pods)s new pods with resource claims from templates: not computed.",
        by="pods",
    ),
    remarks.PrioritiesKept: message("Existing pods keep their priority."),
    # Manifests.
    remarks.KindNotRead: message("%(kind_of_object)s objects are left out: the scheduler does not read them."),
    remarks.CustomKindNotRead: message(
        "%(kind_of_object)s objects (%(api_version)s) are left out, and pods that their controllers would create."
    ),
    # The flow.
    remarks.TakenBack: plural(
        "%(plugin)s rejected the flow's node of %(pods)s pod, placed anew.",
        "%(plugin)s rejected the flow's nodes of %(pods)s pods, placed anew.",
        by="pods",
    ),
    remarks.WaitForVictims: plural(
        "%(preemptors)s pod preempts and is attempted again at once; kube-scheduler would wait up to %(seconds)s s "
        "(%(pod)s on %(node)s, victims: %(victims)s).",
        "%(preemptors)s pods preempt and are attempted again at once; kube-scheduler would wait up to %(seconds)s s "
        "(%(pod)s on %(node)s, victims: %(victims)s).",
        by="preemptors",
    ),
    # Traces.
    remarks.ColumnMissing: message("No column %(column)s."),
    remarks.FractionalGpus: plural(
        "%(pods)s pod requests part of a GPU, counted as a whole.",
        "%(pods)s pods request part of a GPU, counted as a whole.",
        by="pods",
    ),
}
_NOT_READ: Final[Mapping[str, Message]] = {
    remarks.WhyNotRead.MAKES_PODS: message("%(kind_of_object)s objects are left out with their pods."),
    remarks.WhyNotRead.IGNORED: message("%(kind_of_object)s objects are left out, as if there were none."),
    remarks.WhyNotRead.AUTOSCALER: message(
        "%(kind_of_object)s objects are left out: workloads keep their manifests' replicas."
    ),
    remarks.WhyNotRead.NODE: message("%(kind_of_object)s objects are left out: use the change add-nodes."),
    remarks.WhyNotRead.NO_SHAPE: message(
        "%(kind_of_object)s objects are left out: only Pods and workloads are shapes."
    ),
}
_WITHOUT_COLUMN: Final[Mapping[str, Message]] = {
    "gpu": message("No column gpu: no node has GPUs."),
    "model": message("No column model: no node has a GPU model."),
    "num_gpu": message("No column num_gpu: no pod requests GPUs."),
    "gpu_milli": message("No column gpu_milli: each pod requests whole GPUs."),
    "gpu_spec": message("No column gpu_spec: each pod runs on any GPU model."),
    "creation_time": message("No column creation_time: all pods arrive at once."),
    "deletion_time": message("No column deletion_time: no pod leaves."),
}
_VICTIMS_GO_AT_ONCE: Final = plural(
    "%(preemptors)s pod preempts others; its victims terminate at once.",
    "%(preemptors)s pods preempt others; their victims terminate at once.",
    by="preemptors",
)
_ADOPTED: Final = plural("%(replica_set)s adopts %(pods)s pod.", "%(replica_set)s adopts %(pods)s pods.", by="pods")
_PODS_DELETED: Final = plural(
    "%(problem)s %(pods)s other pod of it is deleted.", "%(problem)s %(pods)s other pods of it are deleted.", by="pods"
)


def remark_sentence(remark: Remark) -> str:
    """Say a remark in words. Raises KeyError for a type that has none."""
    match remark:
        case remarks.JobFails():
            failed = problem_sentence(JobFailed(remark.job, remark.reason, remark.limit))
            return _PODS_DELETED(problem=failed, pods=remark.pods) if remark.pods else failed
        case remarks.KindNotRead(because=because) if because in _NOT_READ:
            template = _NOT_READ[because]
        case remarks.ColumnMissing(column=column) if column in _WITHOUT_COLUMN:
            template = _WITHOUT_COLUMN[column]
        case remarks.PodsAdopted(deleted=0):
            template = _ADOPTED
        case remarks.WaitForVictims(seconds=0):
            template = _VICTIMS_GO_AT_ONCE
        case _:
            template = _SENTENCES[type(remark)]
    return template(**{name: _shown(remark, name) for name in template.values})


def _shown(remark: Remark, name: str) -> str | int:
    value: Any = (
        FORCE_DETACH_AFTER
        if isinstance(remark, remarks.VolumesStayAttached) and name == "seconds"
        else getattr(remark, name)
    )
    match remark:
        case remarks.PodsLost() if name == "pods":
            return first_of(value, total=remark.total, most=len(value))
        case remarks.ScaledInProportion() if name == "sizes":
            return listed(f"{replica_set}: {before} → {after}" for replica_set, before, after in value)
    return listed(value) if isinstance(value, tuple) else value
