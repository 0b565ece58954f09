"""What a simulation simplifies or leaves out of what it was asked, but for what workload controllers do."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.simulation import remarks
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.releases import RELEASE_DIFFERS
from clusters.wording.runs.remarks.registry import remark_sentence

_WITHOUT_COLUMN: Final = {
    "gpu": gettext_lazy("The trace has no column gpu: no node has GPUs."),
    "model": gettext_lazy("The trace has no column model: no node has a GPU model."),
    "num_gpu": gettext_lazy("The trace has no column num_gpu: no pod requests GPUs."),
    "gpu_milli": gettext_lazy("The trace has no column gpu_milli: each pod requests whole GPUs."),
    "gpu_spec": gettext_lazy("The trace has no column gpu_spec: each pod runs on any GPU model."),
    "creation_time": gettext_lazy("The trace has no column creation_time: all pods arrive at the beginning."),
    "deletion_time": gettext_lazy("The trace has no column deletion_time: no pod leaves."),
}


# -- the cluster and its scheduler -------------------------------------------------------------------------------------


@remark_sentence.register(remarks.ReleaseDiffers)
def of_another_release(remark: remarks.ReleaseDiffers) -> str:
    """Say that the cluster runs another Kubernetes minor."""
    return RELEASE_DIFFERS(minor=remark.minor, answered_as=remark.answered_as)


@remark_sentence.register(remarks.UnknownPlugins)
def unknown_plugins(remark: remarks.UnknownPlugins) -> str:
    """Name the plugins that are not computed."""
    return ngettext(
        "The plugin %(plugins)s is not computed; pods are placed without it.",
        "The plugins %(plugins)s are not computed; pods are placed without them.",
        len(remark.plugins),
    ) % {"plugins": listed(remark.plugins)}


@remark_sentence.register(remarks.ExtendersNotAsked)
def extenders_not_asked(remark: remarks.ExtendersNotAsked) -> str:
    """Name the extenders that are not asked."""
    return ngettext(
        "The extender %(addresses)s is not asked; pods are placed without it.",
        "The extenders %(addresses)s are not asked; pods are placed without them.",
        len(remark.addresses),
    ) % {"addresses": listed(remark.addresses)}


@remark_sentence.register(remarks.PendingElsewhere)
def pending_elsewhere(remark: remarks.PendingElsewhere) -> str:
    """Count the pending pods of other schedulers."""
    return ngettext(
        "%(pods)s pending pod of another scheduler is left out.",
        "%(pods)s pending pods of other schedulers are left out.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


# -- nodes -------------------------------------------------------------------------------------------------------------


@remark_sentence.register(remarks.DaemonPodsAdded)
def daemon_pods_added(remark: remarks.DaemonPodsAdded) -> str:
    """Count the pods that DaemonSets get on nodes that are new to them."""
    return ngettext(
        "%(pods)s of %(daemon_sets)s DaemonSet are created on nodes that it did not run on.",
        "%(pods)s of %(daemon_sets)s DaemonSets are created on nodes that they did not run on.",
        remark.daemon_sets,
    ) % {"pods": counts.pods(remark.pods), "daemon_sets": grouped(remark.daemon_sets)}


@remark_sentence.register(remarks.DaemonPodsGone)
def daemon_pods_gone(remark: remarks.DaemonPodsGone) -> str:
    """Count the pods that DaemonSets delete."""
    return ngettext(
        "%(pods)s of %(daemon_sets)s DaemonSet are deleted on nodes that it runs on no longer.",
        "%(pods)s of %(daemon_sets)s DaemonSets are deleted on nodes that they run on no longer.",
        remark.daemon_sets,
    ) % {"pods": counts.pods(remark.pods), "daemon_sets": grouped(remark.daemon_sets)}


@remark_sentence.register(remarks.DaemonSetRefused)
def daemon_set_refused(remark: remarks.DaemonSetRefused) -> str:
    """Name the DaemonSet."""
    return _("DaemonSet %(name)s creates no pods: the API server refuses them.") % {"name": remark.daemon_set}


@remark_sentence.register(remarks.DrainedAsKubectl)
def drained_as_kubectl(remark: remarks.DrainedAsKubectl) -> str:
    """Say with which flags nodes are drained."""
    return _("Nodes are drained as by kubectl drain --ignore-daemonsets --delete-emptydir-data, without --force.")


@remark_sentence.register(remarks.PodsLost)
def pods_lost(remark: remarks.PodsLost) -> str:
    """Name pods that no controller recreates."""
    return ngettext(
        "%(total)s pod that no controller recreates is deleted: %(pods)s.",
        "%(total)s pods that no controller recreates are deleted: %(pods)s.",
        remark.total,
    ) % {"total": grouped(remark.total), "pods": first_of(remark.pods, total=remark.total, most=len(remark.pods))}


@remark_sentence.register(remarks.NotRecreatedElsewhere)
def not_recreated_elsewhere(remark: remarks.NotRecreatedElsewhere) -> str:
    """Count the pods of another scheduler that lose their node."""
    return ngettext(
        "%(pods)s pod of the scheduler %(scheduler)s loses its node and is left out.",
        "%(pods)s pods of the scheduler %(scheduler)s lose their nodes and are left out.",
        remark.pods,
    ) % {"pods": grouped(remark.pods), "scheduler": remark.scheduler}


@remark_sentence.register(remarks.TaintToleratedForAWhile)
def taint_tolerated_for_a_while(remark: remarks.TaintToleratedForAWhile) -> str:
    """Count the pods that would be evicted by a taint some time later."""
    return ngettext(
        "%(pods)s pod tolerates the taint for a limited time; in the simulation it stays.",
        "%(pods)s pods tolerate the taint for a limited time; in the simulation they stay.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


# -- workloads ---------------------------------------------------------------------------------------------------------


@remark_sentence.register(remarks.KindLeftOut)
def kind_left_out(remark: remarks.KindLeftOut) -> str:
    """Say that an object is not read."""
    return _("%(kind)s %(name)s is left out: simulations do not read this kind.") % {
        "kind": remark.kind_of_object,
        "name": remark.name,
    }


@remark_sentence.register(remarks.PodsReplaced)
def pods_replaced(remark: remarks.PodsReplaced) -> str:
    """Count the pods that a manifest replaces."""
    return ngettext(
        "%(workload)s is there already: its %(pods)s pod is replaced.",
        "%(workload)s is there already: its %(pods)s pods are replaced.",
        remark.pods,
    ) % {"workload": remark.workload, "pods": grouped(remark.pods)}


@remark_sentence.register(remarks.StayWhereTheyAre)
def stay_where_they_are(remark: remarks.StayWhereTheyAre) -> str:
    """Count the pods of other schedulers that keep their nodes."""
    return ngettext(
        "%(pods)s pod of another scheduler stays on its node.",
        "%(pods)s pods of other schedulers stay on their nodes.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


@remark_sentence.register(remarks.NoEligibleNode)
def no_eligible_node(remark: remarks.NoEligibleNode) -> str:
    """Say that a DaemonSet has no pods."""
    return _("No node is eligible for the pods of %(workload)s.") % {"workload": remark.workload}


@remark_sentence.register(remarks.JobSuspended)
def job_suspended(remark: remarks.JobSuspended) -> str:
    """Say that a Job has no pods."""
    return _("%(job)s is suspended and has no pods.") % {"job": remark.job}


@remark_sentence.register(remarks.JobInParts)
def job_in_parts(remark: remarks.JobInParts) -> str:
    """Say how many pods of a Job run at a time."""
    return ngettext(
        "%(pods)s of %(completions)s pod of %(job)s run at a time.",
        "%(pods)s of %(completions)s pods of %(job)s run at a time.",
        remark.completions,
    ) % {"pods": grouped(remark.pods), "completions": grouped(remark.completions), "job": remark.job}


@remark_sentence.register(remarks.NodeNameIgnored)
def node_name_ignored(remark: remarks.NodeNameIgnored) -> str:
    """Say that the node of a manifest is not kept."""
    return _("%(workload)s has spec.nodeName, which is ignored: the scheduler places its pods.") % {
        "workload": remark.workload
    }


@remark_sentence.register(remarks.ClaimsIgnored)
def claims_ignored(remark: remarks.ClaimsIgnored) -> str:
    """Name the claims that say nothing of where a pod can run."""
    return ngettext(
        "The claim %(volumes)s would be provisioned at once, wherever its provisioner decides; pods are "
        "placed without it.",
        "The claims %(volumes)s would be provisioned at once, wherever their provisioners decide; pods "
        "are placed without them.",
        len(remark.volumes),
    ) % {"volumes": listed(remark.volumes)}


@remark_sentence.register(remarks.ImmediateVolumes)
def immediate_volumes(remark: remarks.ImmediateVolumes) -> str:
    """Count the pods whose new volumes are not computed."""
    return ngettext(
        "%(pods)s new pod would get volumes at once, wherever a provisioner decides, which is not computed.",
        "%(pods)s new pods would get volumes at once, wherever a provisioner decides, which is not computed.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


@remark_sentence.register(remarks.TemplatedResourceClaims)
def templated_resource_claims(remark: remarks.TemplatedResourceClaims) -> str:
    """Count the pods whose new resource claims are not computed."""
    return ngettext(
        "%(pods)s new pod would get resource claims from templates, which are not computed.",
        "%(pods)s new pods would get resource claims from templates, which are not computed.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}


@remark_sentence.register(remarks.PrioritiesKept)
def priorities_kept(remark: remarks.PrioritiesKept) -> str:
    """Say that a priority class does not change existing pods."""
    return _("Existing pods keep the priority that they were admitted with.")


# -- manifests ---------------------------------------------------------------------------------------------------------


@remark_sentence.register(remarks.KindNotRead)
def kind_not_read(remark: remarks.KindNotRead) -> str:
    """Say why objects of a kind are left out of manifests."""
    kind = remark.kind_of_object
    match remark.because:
        case remarks.WhyNotRead.MAKES_PODS:
            return _("%(kind)s objects are left out: their pods are not simulated.") % {"kind": kind}
        case remarks.WhyNotRead.IGNORED:
            return _("%(kind)s objects are left out: pods are placed as if there were none.") % {"kind": kind}
        case remarks.WhyNotRead.AUTOSCALER:
            return _("%(kind)s objects are left out: workloads have their manifests' replicas.") % {"kind": kind}
        case remarks.WhyNotRead.NODE:
            return _("%(kind)s objects are left out: add nodes with the change add-nodes.") % {"kind": kind}
        case remarks.WhyNotRead.NO_SHAPE:
            return _("%(kind)s objects are left out: only Pods and workloads are shapes.") % {"kind": kind}
        case _other:
            return _("%(kind)s objects are left out: the scheduler does not read them.") % {"kind": kind}


@remark_sentence.register(remarks.CustomKindNotRead)
def custom_kind_not_read(remark: remarks.CustomKindNotRead) -> str:
    """Say that objects of a custom resource are left out of manifests."""
    return _(
        "%(kind)s objects (%(version)s) are left out: pods that their controllers would create are not simulated."
    ) % {"kind": remark.kind_of_object, "version": remark.api_version}


# -- the flow ----------------------------------------------------------------------------------------------------------


@remark_sentence.register(remarks.TakenBack)
def taken_back(remark: remarks.TakenBack) -> str:
    """Count the pods for which a plugin rejected the nodes that the flow had chosen."""
    return ngettext(
        "%(plugin)s rejected the node that the flow had chosen for %(pods)s pod, which was placed anew.",
        "%(plugin)s rejected the nodes that the flow had chosen for %(pods)s pods, which were placed anew.",
        remark.pods,
    ) % {"plugin": remark.plugin, "pods": grouped(remark.pods)}


@remark_sentence.register(remarks.WaitForVictims)
def wait_for_victims(remark: remarks.WaitForVictims) -> str:
    """Say that preemptors are placed at once, and which of them would wait longest."""
    if not remark.seconds:
        return ngettext(
            "%(preemptors)s pod preempts others; its victims terminate at once.",
            "%(preemptors)s pods preempt others; their victims terminate at once.",
            remark.preemptors,
        ) % {"preemptors": grouped(remark.preemptors)}
    counted = ngettext(
        "%(preemptors)s pod preempts and is attempted again at once; kube-scheduler waits for victims.",
        "%(preemptors)s pods preempt and are attempted again at once; kube-scheduler waits for victims.",
        remark.preemptors,
    ) % {"preemptors": grouped(remark.preemptors)}
    longest = ngettext(
        "The longest wait is up to %(seconds)s s, of %(pod)s on %(node)s for %(victims)s victim to terminate.",
        "The longest wait is up to %(seconds)s s, of %(pod)s on %(node)s for %(victims)s victims to terminate.",
        remark.victims,
    ) % {
        "seconds": grouped(remark.seconds),
        "pod": remark.pod,
        "node": remark.node,
        "victims": grouped(remark.victims),
    }
    return f"{counted} {longest}"


# -- traces ------------------------------------------------------------------------------------------------------------


@remark_sentence.register(remarks.ColumnMissing)
def column_missing(remark: remarks.ColumnMissing) -> str:
    """Say what a trace's missing column means."""
    known = _WITHOUT_COLUMN.get(remark.column)
    return str(known) if known else _("The trace has no column %(column)s.") % {"column": remark.column}


@remark_sentence.register(remarks.FractionalGpus)
def fractional_gpus(remark: remarks.FractionalGpus) -> str:
    """Count the pods of a trace that request a part of a GPU."""
    return ngettext(
        "%(pods)s pod of the trace requests a part of a GPU, which counts as a whole one.",
        "%(pods)s pods of the trace request a part of a GPU, which counts as a whole one.",
        remark.pods,
    ) % {"pods": grouped(remark.pods)}
