"""Words for what can be wrong with the manifests and traces of a simulation, and what keeps its pods from nodes."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.simulation import (
    AwaitsOrdinal,
    EmptyCell,
    InvalidLabelSelector,
    JobFailed,
    JobHadEnded,
    JobIndexFailed,
    LeavesBeforeArrival,
    NegativeOrdinal,
    NoContainers,
    NoName,
    NoPodTemplate,
    NoReplicas,
    NoSpec,
    NotACellName,
    NotACellWord,
    NotGpuModels,
    PodGroupDoesNotFit,
    UncountableRequest,
)
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words
from clusters.wording.runs.failed_jobs import job_failed


@words.register(NoName)
def no_name(problem: NoName) -> Words:
    """Say that an object has no name."""
    return Words(_("The %(kind)s has no name.") % {"kind": problem.kind_of_object}, _("Write metadata.name."))


@words.register(NoSpec)
def no_spec(problem: NoSpec) -> Words:
    """Say that an object has no spec."""
    return Words(_("The %(kind)s has no spec.") % {"kind": problem.kind_of_object}, _("Write its spec."))


@words.register(NoPodTemplate)
def no_pod_template(problem: NoPodTemplate) -> Words:
    """Say that a workload has no pod template."""
    return Words(_("There is no pod template."), _("Write spec.template with the spec of the pods."))


@words.register(NoContainers)
def no_containers(problem: NoContainers) -> Words:
    """Say that a pod has no containers."""
    return Words(_("The pod has no containers."), _("Write one container at least."))


@words.register(NoReplicas)
def no_replicas(problem: NoReplicas) -> Words:
    """Say that an object has no replicas."""
    return Words(_("A %(kind)s has no replicas.") % {"kind": problem.kind_of_object}, _("Leave the field out."))


@words.register(NegativeOrdinal)
def negative_ordinal(problem: NegativeOrdinal) -> Words:
    """Say that a number is no ordinal."""
    return Words(_("%(found)s is not an ordinal.") % {"found": problem.found}, _("Write 0 or more."))


@words.register(UncountableRequest)
def uncountable_request(problem: UncountableRequest) -> Words:
    """Say that a request cannot be counted."""
    said = _("The pod requests less than 0 of %(resource)s, or more than the scheduler can count.") % {
        "resource": problem.resource
    }
    return Words(said, _("Write amounts such as 500m, 2 or 1.5Gi."))


@words.register(InvalidLabelSelector)
def invalid_label_selector(problem: InvalidLabelSelector) -> Words:
    """Repeat what the API server says of a selector."""
    remedy = _("Write matchLabels or matchExpressions with keys and values that labels can have.")
    return Words(problem.said, remedy)


@words.register(EmptyCell)
def empty_cell(problem: EmptyCell) -> Words:
    """Say that a cell is empty."""
    return Words(_("The cell is empty."), _("Write its value."))


@words.register(NotACellName)
def not_a_cell_name(problem: NotACellName) -> Words:
    """Say what a name in a trace is made of."""
    remedy = ngettext(
        "Write at most %(most)s lower-case letter, digit, “-” or “.”.",
        "Write at most %(most)s lower-case letters, digits, “-” and “.”.",
        problem.most,
    ) % {"most": grouped(problem.most)}
    return Words(_("%(found)s is not a name.") % {"found": problem.found}, remedy)


@words.register(NotACellWord)
def not_a_cell_word(problem: NotACellWord) -> Words:
    """Say what a word in a trace is made of."""
    remedy = ngettext("Write at most %(most)s letter.", "Write at most %(most)s letters.", problem.most) % {
        "most": grouped(problem.most)
    }
    return Words(_("%(found)s is not a word.") % {"found": problem.found}, remedy)


@words.register(NotGpuModels)
def not_gpu_models(problem: NotGpuModels) -> Words:
    """Say how GPU models are written."""
    said = _("%(found)s does not name GPU models.") % {"found": problem.found}
    return Words(said, _("Write such as T4 or V100M16|V100M32."))


@words.register(LeavesBeforeArrival)
def leaves_before_arrival(problem: LeavesBeforeArrival) -> Words:
    """Say that a pod leaves before it arrives."""
    said = _("%(deletion)s is before the creation_time, %(creation)s.") % {
        "deletion": problem.deletion_time,
        "creation": problem.creation_time,
    }
    return Words(said, _("Write the time at which the pod leaves, or leave the cell empty for one that stays."))


@words.register(AwaitsOrdinal)
def awaits_ordinal(problem: AwaitsOrdinal) -> Words:
    """Say for which pod of its own a StatefulSet waits before it creates the next."""
    said = _(
        "StatefulSet %(stateful_set)s has the podManagementPolicy OrderedReady: it creates this pod once %(pod)s is "
        "Running and Ready."
    ) % {"stateful_set": problem.stateful_set, "pod": problem.pod}
    return Words(said, _("Make room for %(pod)s first.") % {"pod": problem.pod})


@words.register(JobFailed)
def why_job_failed(problem: JobFailed) -> Words:
    """Say why a Job fails when it loses a pod, and how it would go on."""
    said = job_failed(problem.job, problem.reason, problem.limit)
    return Words(
        said, _("Let a rule of its podFailurePolicy ignore the condition DisruptionTarget, or raise its limits.")
    )


@words.register(JobIndexFailed)
def job_index_failed(problem: JobIndexFailed) -> Words:
    """Say why no pod is created for the index of one that a Job loses."""
    said = _("Index %(index)s of Job %(job)s has failed (backoffLimitPerIndex %(limit)s): it gets no further pod.") % {
        "index": problem.index,
        "job": problem.job,
        "limit": grouped(problem.limit),
    }
    return Words(
        said,
        _("Let a rule of its podFailurePolicy ignore the condition DisruptionTarget, or raise backoffLimitPerIndex."),
    )


@words.register(JobHadEnded)
def job_had_ended(problem: JobHadEnded) -> Words:
    """Say why an ended Job creates no pod."""
    return Words(_("Job %(job)s has ended: it creates no more pods.") % {"job": problem.job}, "")


@words.register(PodGroupDoesNotFit)
def pod_group_does_not_fit(problem: PodGroupDoesNotFit) -> Words:
    """Say how many pods of the group are needed together."""
    said = ngettext(
        "Pod group %(group)s does not fit: the %(missing)s pod that it still needs finds no node.",
        "Pod group %(group)s does not fit: fewer than the %(missing)s pods that it needs together find a node.",
        problem.missing,
    ) % {"group": problem.group, "missing": grouped(problem.missing)}
    return Words(said, "")
