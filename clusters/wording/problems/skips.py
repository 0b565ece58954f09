"""Words for what is skipped of a source, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.problems.skips import (
    BesideUsage,
    ContainerLogs,
    FoundAgain,
    HistoryNotAList,
    IncompleteLines,
    LargeResults,
    LinksInArchive,
    LogsAndAudits,
    LongHistory,
    LongLines,
    ManyAttempts,
    MayHoldSecrets,
    NodeNotMeasured,
    NodeNotMirrored,
    OlderVersion,
    OtherApiVersion,
    OtherFileName,
    OtherKind,
    OtherLines,
    OtherResult,
    PodNotMirrored,
    ResultNotAScore,
    ResultNotAText,
    ResultNotJson,
    ResultNotNamed,
    ResultNotNodes,
    SecondConfiguration,
    TooManyReasons,
    Unreadable,
    WithoutContent,
    WithoutKind,
)
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, problem_sentence, words

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

_FILES: Final = pgettext_lazy("what is skipped", "files")
_RESULTS: Final = gettext_lazy("results of a simulator")
# What a skip is of, where the reason does not name a kind of objects.
_THINGS: Final = {
    WithoutKind: pgettext_lazy("what is skipped", "documents"),
    WithoutContent: _FILES,
    LogsAndAudits: _FILES,
    LinksInArchive: pgettext_lazy("what is skipped", "links"),
    ContainerLogs: gettext_lazy("logs of containers"),
    TooManyReasons: pgettext_lazy("what is skipped", "other"),
    ManyAttempts: gettext_lazy("recorded attempts"),
    NodeNotMeasured: pgettext_lazy("what is skipped", "nodes"),
    NodeNotMirrored: gettext_lazy("summaries of kubelets"),
    PodNotMirrored: gettext_lazy("samples of pods"),
    LargeResults: _RESULTS,
    OtherResult: _RESULTS,
    HistoryNotAList: _RESULTS,
    LongHistory: _RESULTS,
    ResultNotJson: _RESULTS,
    ResultNotNamed: _RESULTS,
    ResultNotAText: _RESULTS,
    ResultNotAScore: _RESULTS,
    ResultNotNodes: _RESULTS,
    OtherLines: pgettext_lazy("what is skipped", "lines"),
    IncompleteLines: gettext_lazy("lines about attempts"),
    LongLines: gettext_lazy("long lines"),
}


def skipped_thing(reason: Problem) -> str:
    """Name what is skipped for a reason: a kind of objects, or files, lines, results. Empty for any other problem."""
    match reason:
        case OtherApiVersion():
            return f"{reason.of_kind} ({reason.api_version})"
        case MayHoldSecrets() | OtherKind() | SecondConfiguration() | OlderVersion() | FoundAgain() | BesideUsage():
            return reason.of_kind
        case Unreadable():
            return reason.of_kind or str(_FILES)
        case OtherFileName(extension=""):
            return _("files without an extension")
        case OtherFileName():
            return _("*%(extension)s files") % {"extension": reason.extension}
        case _:
            return str(_THINGS.get(type(reason), ""))


@words.register(Unreadable)
def unreadable(problem: Unreadable) -> Words:
    """Say what is wrong."""
    return Words(problem_sentence(problem.why), "")


@words.register(LinksInArchive)
def links_in_archive(problem: LinksInArchive) -> Words:
    """Say what becomes of links."""
    return Words(_("Links are not followed."), "")


@words.register(MayHoldSecrets)
def may_hold_secrets(problem: MayHoldSecrets) -> Words:
    """Say that objects of the kind are never read."""
    said = _("It may hold secrets and is never read.")
    return Words(said, "")


@words.register(OtherApiVersion)
def other_api_version(problem: OtherApiVersion) -> Words:
    """Say that the version is not read."""
    said = _("Its API version is not read.")
    return Words(said, "")


@words.register(NodeNotMeasured)
def node_not_measured(problem: NodeNotMeasured) -> Words:
    """Say that nothing is known of a node's usage."""
    said = _("kubectl top has no usage of them: their kubelet did not answer metrics-server.")
    return Words(said, "")


@words.register(NodeNotMirrored)
def node_not_mirrored(problem: NodeNotMirrored) -> Words:
    """Say that the nodes are not there."""
    return Words(_("The mirrored cluster has no such nodes."), "")


@words.register(PodNotMirrored)
def pod_not_mirrored(problem: PodNotMirrored) -> Words:
    """Say that it is not known whose pods they are."""
    said = _(
        "The mirrored cluster has no such pods, so their workload is not known: send a dump of the same time first."
    )
    return Words(said, "")


@words.register(BesideUsage)
def beside_usage(problem: BesideUsage) -> Words:
    """Say what makes a file one of usage."""
    said = _("The file begins with usage, and is read for usage alone: send the cluster's state first in its file.")
    return Words(said, "")


@words.register(OtherKind)
def other_kind(problem: OtherKind) -> Words:
    """Say that the kind has no part in scheduling."""
    said = _("Scheduling does not read this kind.")
    return Words(said, "")


@words.register(SecondConfiguration)
def second_configuration(problem: SecondConfiguration) -> Words:
    """Say that another configuration was found before."""
    said = _("Another configuration was found before it.")
    return Words(said, "")


@words.register(OlderVersion)
def older_version(problem: OlderVersion) -> Words:
    """Say which version is kept."""
    said = _("Found in several versions; the newest is kept.")
    return Words(said, "")


@words.register(FoundAgain)
def found_again(problem: FoundAgain) -> Words:
    """Say that the object was found before."""
    said = _("Found more than once.")
    return Words(said, "")


@words.register(WithoutKind)
def without_kind(problem: WithoutKind) -> Words:
    """Say what the documents lack."""
    said = _("They have no kind.")
    return Words(said, "")


@words.register(WithoutContent)
def without_content(problem: WithoutContent) -> Words:
    """Say that the files are empty."""
    said = _("They are empty.")
    return Words(said, "")


@words.register(LogsAndAudits)
def logs_and_audits(problem: LogsAndAudits) -> Words:
    """Say that logs are never read."""
    said = _("Logs and audit records are never read.")
    return Words(said, "")


@words.register(OtherFileName)
def other_file_name(problem: OtherFileName) -> Words:
    """Say that the names are those of other formats."""
    said = _("By name they are neither JSON nor YAML.")
    return Words(said, "")


@words.register(ContainerLogs)
def container_logs(problem: ContainerLogs) -> Words:
    """Say that logs are never read."""
    said = _("Logs of containers are never read.")
    return Words(said, "")


@words.register(TooManyReasons)
def too_many_reasons(problem: TooManyReasons) -> Words:
    """Say that there are more reasons than are listed."""
    said = _("There are more reasons than are listed.")
    return Words(said, "")


@words.register(ManyAttempts)
def many_attempts(problem: ManyAttempts) -> Words:
    """Say that no more attempts are kept."""
    said = _("There are more than are kept of one source.")
    return Words(said, "")


@words.register(LargeResults)
def large_results(problem: LargeResults) -> Words:
    """Say that the results are too large."""
    said = _("They are larger than any API server takes.")
    return Words(said, "")


@words.register(OtherResult)
def other_result(problem: OtherResult) -> Words:
    """Say that such results are not compared."""
    said = _("Results of this kind are not compared.")
    return Words(said, "")


@words.register(HistoryNotAList)
def history_not_a_list(problem: HistoryNotAList) -> Words:
    """Say what a history is."""
    said = _("%(result)s is not a list in JSON.") % {"result": problem.result}
    return Words(said, "")


@words.register(LongHistory)
def long_history(problem: LongHistory) -> Words:
    """Say how many attempts of a history are kept."""
    said = ngettext(
        "%(result)s holds more than %(most)s attempt; the latest is kept.",
        "%(result)s holds more than %(most)s attempts; the latest are kept.",
        problem.most,
    ) % {"result": problem.result, "most": grouped(problem.most)}
    return Words(said, "")


@words.register(ResultNotJson)
def result_not_json(problem: ResultNotJson) -> Words:
    """Name the result."""
    said = _("%(result)s is not JSON.") % {"result": problem.result}
    return Words(said, "")


@words.register(ResultNotNamed)
def result_not_named(problem: ResultNotNamed) -> Words:
    """Name the result."""
    said = _("%(result)s is not a map by name.") % {"result": problem.result}
    return Words(said, "")


@words.register(ResultNotAText)
def result_not_a_text(problem: ResultNotAText) -> Words:
    """Name the result."""
    said = _("%(result)s has something else where a text is expected.") % {"result": problem.result}
    return Words(said, "")


@words.register(ResultNotAScore)
def result_not_a_score(problem: ResultNotAScore) -> Words:
    """Quote what should be a score."""
    said = _("%(result)s: %(found)s is not a score.") % {"result": problem.result, "found": problem.found}
    return Words(said, "")


@words.register(ResultNotNodes)
def result_not_nodes(problem: ResultNotNodes) -> Words:
    """Name the result."""
    said = _("%(result)s has something else where a list of nodes is expected.") % {"result": problem.result}
    return Words(said, "")


@words.register(OtherLines)
def other_lines(problem: OtherLines) -> Words:
    """Say that the lines are about something else."""
    said = _("They are not about an attempt.")
    return Words(said, "")


@words.register(IncompleteLines)
def incomplete_lines(problem: IncompleteLines) -> Words:
    """Say what the lines lack."""
    said = _("They lack the pod, the node or the number.")
    return Words(said, "")


@words.register(LongLines)
def long_lines(problem: LongLines) -> Words:
    """Say that the lines are too long."""
    said = _("They are longer than any line that a scheduler writes.")
    return Words(said, "")
