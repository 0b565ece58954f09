"""Words for why a dump, a log or a configuration was not taken."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import (
    BerthStopped,
    ClusterDeleted,
    ClusterIsLive,
    InvalidClusterName,
    LargeConfiguration,
    LaterDumpTaken,
    LogBeforeDump,
    NoNodesAndPods,
    NotAConfiguration,
    NotOneDocument,
    NoWorkerTold,
    ReadingFailed,
    ReadingKilled,
    ReadingOutOfMemory,
    ReadingTakesLong,
    ReadingTakesMemory,
    SeveralConfigurations,
    WorkerStopped,
)
from clusters.wording.amounts import decimal, grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.problems.registry import Words, words


@words.register(NoNodesAndPods)
def no_nodes_and_pods(problem: NoNodesAndPods) -> Words:
    """Say what is missing."""
    said = (
        _("It holds %(kinds)s, but neither nodes nor pods.") % {"kinds": listed(problem.held)}
        if problem.held
        else _("It holds neither nodes nor pods.")
    )
    return Words(said, _("Take it with kubectl get nodes,pods,... -A -o json; docs/ingest.md has the whole command."))


@words.register(LogBeforeDump)
def log_before_dump(problem: LogBeforeDump) -> Words:
    """Say what comes first."""
    said = _("This is a scheduler's log, and nothing of its cluster has been read yet.")
    return Words(said, _("Send a dump of the cluster first, and then the log to that cluster."))


@words.register(ClusterIsLive)
def cluster_is_live(problem: ClusterIsLive) -> Words:
    """Name the cluster."""
    said = _("%(cluster)s is followed live.") % {"cluster": problem.cluster}
    return Words(said, _("Give the dump's cluster another name."))


@words.register(LaterDumpTaken)
def later_dump_taken(problem: LaterDumpTaken) -> Words:
    """Say which dump holds."""
    said = _("A dump that was sent later has been taken already.")
    return Words(said, _("The cluster is what the later one says: send this one again if it is the newer."))


@words.register(ClusterDeleted)
def cluster_deleted(problem: ClusterDeleted) -> Words:
    """Name the cluster."""
    said = _("The cluster %(cluster)s was deleted meanwhile.") % {"cluster": problem.cluster}
    return Words(said, _("Send the dump as a new cluster's."))


@words.register(InvalidClusterName)
def invalid_cluster_name(problem: InvalidClusterName) -> Words:
    """Say what names may be."""
    said = _("%(found)s cannot be a cluster's name.") % {"found": problem.found}
    return Words(
        said, _("Use at most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit.")
    )


@words.register(NotAConfiguration)
def not_a_configuration(problem: NotAConfiguration) -> Words:
    """Say what was expected."""
    said = _("It is %(found)s.") % {"found": problem.found} if problem.found else _("It is something else.")
    return Words(said, _("Write a %(wanted)s.") % {"wanted": problem.wanted})


@words.register(SeveralConfigurations)
def several_configurations(problem: SeveralConfigurations) -> Words:
    """Say where they are."""
    said = _("It holds %(number)s different configurations: %(places)s.") % {
        "number": grouped(problem.number),
        "places": first_of(problem.places, total=problem.number),
    }
    return Words(said, _("Keep the %(wanted)s that is meant.") % {"wanted": problem.wanted})


@words.register(NotOneDocument)
def not_one_document(problem: NotOneDocument) -> Words:
    """Count the documents."""
    said = (
        _("It is empty.")
        if not problem.found
        else _("It holds %(found)s documents.") % {"found": grouped(problem.found)}
    )
    return Words(said, _("Write one %(wanted)s.") % {"wanted": problem.wanted})


@words.register(LargeConfiguration)
def large_configuration(problem: LargeConfiguration) -> Words:
    """Say how large it is and may be."""
    said = _("It has %(found)s bytes.") % {"found": grouped(problem.found)}
    return Words(said, _("A configuration has at most %(most)s.") % {"most": grouped(problem.most)})


@words.register(WorkerStopped)
def worker_stopped(problem: WorkerStopped) -> Words:
    """Say that the worker is gone."""
    said = _("The worker stopped before it was done.")
    return Words(said, _("Send the file again."))


@words.register(BerthStopped)
def berth_stopped(problem: BerthStopped) -> Words:
    """Say that Berth was stopped."""
    said = _("Berth was stopped before it was done.")
    return Words(said, _("Send the file again."))


@words.register(NoWorkerTold)
def no_worker_told(problem: NoWorkerTold) -> Words:
    """Say that no worker knows of it."""
    said = _("The file arrived, but Redis is unavailable, so no worker could be told.")
    return Words(said, _("Start Redis, or ask whoever runs this Berth to; then send the file again."))


@words.register(ReadingTakesLong)
def reading_takes_long(problem: ReadingTakesLong) -> Words:
    """Say how long it may take."""
    said = _("Reading it takes longer than %(minutes)s minutes.") % {"minutes": decimal(problem.minutes)}
    return Words(said, _("Dump fewer kinds or namespaces, or raise BERTH_INGEST_MINUTES."))


@words.register(ReadingTakesMemory)
def reading_takes_memory(problem: ReadingTakesMemory) -> Words:
    """Say how much memory it may take."""
    said = _("Reading it takes more than the %(most_mib)s MiB of memory that it may take.") % {
        "most_mib": grouped(problem.most_mib)
    }
    return Words(said, _("Dump fewer kinds or namespaces, or raise BERTH_INGEST_MEMORY_MIB."))


@words.register(ReadingKilled)
def reading_killed(problem: ReadingKilled) -> Words:
    """Name the signal."""
    said = _("The process that read it was ended by %(signal)s.") % {"signal": problem.signal}
    return Words(said, _("Upload it again. The log of the worker's machine may say what ended it."))


@words.register(ReadingOutOfMemory)
def reading_out_of_memory(problem: ReadingOutOfMemory) -> Words:
    """Say who ended it."""
    said = _("The kernel ended the process that read it, because the worker's machine or container ran out of memory.")
    return Words(said, _("Give it more memory, lower BERTH_INGEST_MEMORY_MIB, or dump fewer kinds or namespaces."))


@words.register(ReadingFailed)
def reading_failed(problem: ReadingFailed) -> Words:
    """Say that Berth failed."""
    said = _("Berth failed while it read this.")
    return Words(said, _("The worker's log says why."))
