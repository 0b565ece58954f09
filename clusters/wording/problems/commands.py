"""Words for what can be wrong with how a command is called."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.orders import (
    CasesWithOthers,
    ChangeNotJson,
    ClusterNotIngested,
    DumpNotStored,
    ExcludesAllPending,
    LargeText,
    NodeNotInDump,
    NothingToRead,
    NotOnePending,
    PodNotInDump,
    ReplicasOfNothing,
    TextNotUtf8,
    TraceWithoutPods,
    UnknownOutput,
    Unwritable,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of
from clusters.wording.problems.registry import Words, words


@words.register(CasesWithOthers)
def cases_with_others(problem: CasesWithOthers) -> Words:
    """Say what --cases excludes."""
    said = _("--cases stands alone.")
    return Words(said, _("Name the dump, the pod and the configuration in the cases."))


@words.register(UnknownOutput)
def unknown_output(problem: UnknownOutput) -> Words:
    """Name the form."""
    said = _("-o %(found)s is not known.") % {"found": problem.found}
    return Words(said, _("Write -o table or -o json."))


@words.register(NothingToRead)
def nothing_to_read(problem: NothingToRead) -> Words:
    """Say what is missing."""
    said = _("There is nothing to read.")
    return Words(said, _("Name a dump, or recorded cases with --cases FILE."))


@words.register(ExcludesAllPending)
def excludes_all_pending(problem: ExcludesAllPending) -> Words:
    """Name both options."""
    said = _("%(option)s and --all-pending exclude each other.") % {"option": problem.option}
    return Words(said, _("Leave one out."))


@words.register(NodeNotInDump)
def node_not_in_dump(problem: NodeNotInDump) -> Words:
    """Name the node."""
    said = _("It holds no node %(node)s.") % {"node": problem.node}
    return Words(said, _("Write a node's whole name."))


@words.register(PodNotInDump)
def pod_not_in_dump(problem: PodNotInDump) -> Words:
    """Name the pod."""
    said = _("It holds no pod %(pod)s.") % {"pod": problem.pod}
    return Words(
        said, _other_pod(problem.others) if problem.others else _choose(problem.pending, problem.pending_count)
    )


@words.register(NotOnePending)
def not_one_pending(problem: NotOnePending) -> Words:
    """Count the pending pods."""
    said = _pending_pods(problem.pending_count)
    return Words(said, _choose(problem.pending, problem.pending_count))


@words.register(Unwritable)
def unwritable(problem: Unwritable) -> Words:
    """Say why a file cannot be written."""
    said = _("%(target)s cannot be written: %(reason)s.") % {"target": problem.target, "reason": problem.reason}
    return Words(said, _("Name another file with -o."))


@words.register(DumpNotStored)
def dump_not_stored(problem: DumpNotStored) -> Words:
    """Say what can be stored."""
    said = _("A run of a dump is not stored.")
    return Words(said, _("Ingest the dump first, and name its cluster."))


@words.register(ClusterNotIngested)
def cluster_not_ingested(problem: ClusterNotIngested) -> Words:
    """Name the cluster."""
    said = _("There is no cluster %(cluster)s that was read.") % {"cluster": problem.cluster}
    if not problem.known:
        return Words(said, _("Ingest a dump first, or name one with --dump."))
    return Words(said, _("Write %(known)s.") % {"known": alternatives(problem.known)})


@words.register(ReplicasOfNothing)
def replicas_of_nothing(problem: ReplicasOfNothing) -> Words:
    """Say what is missing."""
    said = _("--replicas is given without a manifest.")
    return Words(said, _("Name its file with --manifest, or leave --replicas out."))


@words.register(TraceWithoutPods)
def trace_without_pods(problem: TraceWithoutPods) -> Words:
    """Say what is missing."""
    said = _("--trace-nodes has no pods.")
    return Words(said, _("Name them with --trace."))


@words.register(ChangeNotJson)
def change_not_json(problem: ChangeNotJson) -> Words:
    """Say why a change cannot be read."""
    said = _("It is no JSON: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Write a change as JSON, or @ and a file of it."))


@words.register(TextNotUtf8)
def text_not_utf8(problem: TextNotUtf8) -> Words:
    """Say that the encoding is another."""
    said = _("It is not UTF-8.")
    return Words(said, _("Save it as UTF-8."))


@words.register(LargeText)
def large_text(problem: LargeText) -> Words:
    """Say how large it may be."""
    said = _("It has more than %(most)s bytes.") % {"most": grouped(problem.most)}
    return Words(said, _("Take a part of it."))


def _pending_pods(number: int) -> str:
    if not number:
        return _("No pod is pending.")
    return ngettext("%(number)s pod is pending.", "%(number)s pods are pending.", number) % {"number": grouped(number)}


def _other_pod(keys: tuple[str, ...]) -> str:
    return _("Write --pod with %(pods)s.") % {"pods": alternatives(keys)}


def _choose(pending: tuple[str, ...], number: int) -> str:
    if not number:
        return _("Name one of its pods with --pod NAMESPACE/NAME.")
    return _("Choose one with --pod, or see them all with --all-pending: %(pods)s.") % {
        "pods": first_of(pending, total=number, most=len(pending))
    }
