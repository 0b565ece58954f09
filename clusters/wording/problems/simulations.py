"""Words for what can be wrong with the order of a simulation or of a study, and with asking about one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.orders import (
    ClusterRemoved,
    ClusterUnread,
    FlowUnsolved,
    KindNotSimulated,
    LabelTwice,
    NestedTooDeeply,
    NoClusterNamed,
    NoEntries,
    NoPodOfWorkload,
    NoPodsAdded,
    NoSuchStep,
    NotAChange,
    NothingSimulated,
    NotItsApi,
    NotJson,
    NotOfBatch,
    NotOneWorkload,
    NotUtf8,
    OnlyOfBatch,
    SimulationUnfinished,
    StepWithoutAttempt,
    StoppedEarly,
    TooManyBytes,
    TooManyObjects,
    TooManyReplicas,
    WorkersEnded,
    WorkFailed,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, words

_CHANGE: Final = '{"change": "add-nodes", "count": 1, "cpu": "4", "memory": "16Gi"}'


@words.register(NoPodOfWorkload)
def no_pod_of_workload(problem: NoPodOfWorkload) -> Words:
    """Say what to give in place of a workload that has no pod."""
    said = _("%(workload)s has no pod that others could be placed like.") % {"workload": problem.workload}
    return Words(said, _("Write the requests of the pods, or their manifest."))


@words.register(NotJson)
def not_json(problem: NotJson) -> Words:
    """Say that it cannot be written as JSON."""
    said = _("It cannot be written as JSON: %(said)s.") % {"said": problem.said}
    return Words(said, _("Send plain maps, lists, texts and numbers."))


@words.register(NotUtf8)
def not_utf8(problem: NotUtf8) -> Words:
    """Say that a text is not UTF-8."""
    return Words(_("It is not UTF-8."), _("Save it as UTF-8."))


@words.register(TooManyBytes)
def too_many_bytes(problem: TooManyBytes) -> Words:
    """Say how large something is and may be."""
    said = ngettext("It has %(size)s byte.", "It has %(size)s bytes.", problem.size) % {"size": grouped(problem.size)}
    return Words(said, _("At most %(most)s are taken: split it into several.") % {"most": grouped(problem.most)})


@words.register(NestedTooDeeply)
def nested_too_deeply(problem: NestedTooDeeply) -> Words:
    """Say that a document has too many levels."""
    return Words(_("It is nested too deeply."), _("Write it with fewer levels."))


@words.register(NoEntries)
def no_entries(problem: NoEntries) -> Words:
    """Say that a list or map has no entries."""
    return Words(_("It has no entries."), _("Write one at least."))


# -- simulations -------------------------------------------------------------------------------------------------------


@words.register(NotAChange)
def not_a_change(problem: NotAChange) -> Words:
    """Say that it is no change."""
    said = _("%(found)s is not a change.") % {"found": problem.found}
    return Words(said, _("Write a map such as %(example)s.") % {"example": _CHANGE})


@words.register(KindNotSimulated)
def kind_not_simulated(problem: KindNotSimulated) -> Words:
    """Say that simulations do not read a kind."""
    said = _("Simulations do not read the kind %(found)s.") % {"found": problem.found}
    return Words(said, _("Write a workload, such as a Deployment."))


@words.register(OnlyOfBatch)
def only_of_batch(problem: OnlyOfBatch) -> Words:
    """Say that only the batch scheduler does it."""
    return Words(_("Only the batch scheduler does that."), _('Write "kind": "batch".'))


@words.register(NotOfBatch)
def not_of_batch(problem: NotOfBatch) -> Words:
    """Say that the batch scheduler does not sample nodes."""
    return Words(_("The batch scheduler looks at every node."), _("Write false."))


@words.register(NoClusterNamed)
def no_cluster_named(problem: NoClusterNamed) -> Words:
    """Say that no cluster is named."""
    return Words(_("No cluster is named."), _('Name one, or write "empty".'))


@words.register(ClusterUnread)
def cluster_unread(problem: ClusterUnread) -> Words:
    """Say that nothing of a cluster was read."""
    said = _("Nothing of %(cluster)s has been read yet.") % {"cluster": problem.cluster}
    return Words(said, _("Send a dump of it first."))


@words.register(ClusterRemoved)
def cluster_removed(problem: ClusterRemoved) -> Words:
    """Say that a cluster was removed."""
    return Words(_("%(cluster)s was removed.") % {"cluster": problem.cluster}, _("Choose another cluster."))


@words.register(NoSuchStep)
def no_such_step(problem: NoSuchStep) -> Words:
    """Say that a simulation has not got a step."""
    remedy = ngettext("It has %(steps)s step so far.", "It has %(steps)s steps so far.", problem.steps) % {
        "steps": grouped(problem.steps)
    }
    return Words(_("The simulation has no step %(step)s.") % {"step": grouped(problem.step)}, remedy)


@words.register(StepWithoutAttempt)
def step_without_attempt(problem: StepWithoutAttempt) -> Words:
    """Say that no pod was attempted at a step."""
    said = _("No pod was attempted at step %(step)s.") % {"step": grouped(problem.step)}
    return Words(said, _("Choose a step at which a pod was placed or unschedulable."))


@words.register(SimulationUnfinished)
def simulation_unfinished(problem: SimulationUnfinished) -> Words:
    """Say that a simulation is not done."""
    return Words(_("“%(title)s” is not done.") % {"title": problem.title}, _("Choose simulations that are done."))


@words.register(WorkersEnded)
def workers_ended(problem: WorkersEnded) -> Words:
    """Say how many workers ended over it."""
    said = ngettext(
        "%(workers)s worker ended while it worked on it.",
        "%(workers)s workers ended while they worked on it.",
        problem.workers,
    ) % {"workers": grouped(problem.workers)}
    return Words(said, _("Give workers more memory or make it smaller, and begin it again."))


@words.register(StoppedEarly)
def stopped_early(problem: StoppedEarly) -> Words:
    """Say that a simulation did not come to its end."""
    said = _("Simulation %(number)s did not run to its end.") % {"number": str(problem.number)}
    return Words(said, _("Look at its page."))


@words.register(WorkFailed)
def work_failed(problem: WorkFailed) -> Words:
    """Say that Berth failed."""
    return Words(_("Berth failed while it worked on this."), _("The worker's log says why."))


@words.register(FlowUnsolved)
def flow_unsolved(problem: FlowUnsolved) -> Words:
    """Quote the solver."""
    said = _(
        "The flow solver answered %(status)s: there are more pods than ways to place them, or numbers too large for it."
    ) % {"status": problem.status}
    return Words(said, _("Run it with fewer pods at a time, or pod by pod."))


# -- manifests ---------------------------------------------------------------------------------------------------------


@words.register(TooManyObjects)
def too_many_objects(problem: TooManyObjects) -> Words:
    """Say how many objects are taken."""
    said = ngettext("It holds more than %(most)s object.", "It holds more than %(most)s objects.", problem.most) % {
        "most": grouped(problem.most)
    }
    return Words(said, _("Split it into several simulations."))


@words.register(NothingSimulated)
def nothing_simulated(problem: NothingSimulated) -> Words:
    """Say that manifests hold no object that a simulation reads."""
    remedy = _("Write a %(kinds)s.") % {"kinds": alternatives(problem.known)}
    if not problem.kinds:
        return Words(_("It holds no object."), remedy)
    said = ngettext(
        "It holds nothing that a simulation reads: %(kinds)s objects are left out.",
        "It holds nothing that a simulation reads: objects of %(kinds)s are left out.",
        len(problem.kinds),
    ) % {"kinds": listed(problem.kinds)}
    return Words(said, remedy)


@words.register(NotItsApi)
def not_its_api(problem: NotItsApi) -> Words:
    """Say that a kind is not of an API version."""
    said = _("%(found)s is not the API of a %(kind)s.") % {"found": problem.found, "kind": problem.kind_of_object}
    return Words(said, _("Write %(known)s.") % {"known": alternatives(problem.known)})


@words.register(TooManyReplicas)
def too_many_replicas(problem: TooManyReplicas) -> Words:
    """Say how many replicas a workload may have."""
    said = ngettext("It is more than %(most)s pod.", "It is more than %(most)s pods.", problem.most) % {
        "most": grouped(problem.most)
    }
    return Words(said, _("Write fewer."))


# -- studies -----------------------------------------------------------------------------------------------------------


@words.register(NotOneWorkload)
def not_one_workload(problem: NotOneWorkload) -> Words:
    """Say how many workloads a text holds."""
    said = ngettext("It holds %(found)s workload.", "It holds %(found)s workloads.", problem.found) % {
        "found": grouped(problem.found)
    }
    return Words(said, _("Write one; a mix has an entry for each."))


@words.register(NoPodsAdded)
def no_pods_added(problem: NoPodsAdded) -> Words:
    """Say that no change adds pods."""
    return Words(_("No change adds pods that need nodes."), _("Add a workload."))


@words.register(LabelTwice)
def label_twice(problem: LabelTwice) -> Words:
    """Say that two configurations have one label."""
    return Words(_("%(found)s is there twice.") % {"found": problem.found}, _("Label each once."))
