"""A stretch of the journal scheduled again, in words: what differs, what both came to, and what is not known."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.messages import plural
from clusters.wording.runs.moves import MovesWords

RECORDED: Final = pgettext_lazy("a stretch of the journal", "as recorded")
PENDING: Final = pgettext_lazy("how a pod ended", "pending")
PREEMPTED: Final = pgettext_lazy("how a pod ended", "preempted")
ALIKE: Final = pgettext_lazy("two decisions", "alike")
DIFFERS: Final = pgettext_lazy("two decisions", "differs")
UNCERTAIN: Final = pgettext_lazy("a decision", "uncertain")
SINCE: Final = gettext_lazy("From")
UNTIL: Final = gettext_lazy("Until")
ASSUMED: Final = gettext_lazy(
    "Pods that were deleted or finished go at that time, wherever they run in the replay. Victims of preemption go at "
    "once, and no controller replaces those that only the replay preempts. Among equally good nodes the recorded one "
    "is taken."
)
NONE_ELSEWHERE: Final = gettext_lazy("No pod is placed differently.")


SUMMARY = plural(
    "Of %(pods)s pod, %(same)s ended as recorded, %(elsewhere)s on another node; pending only in the replay: "
    "%(there)s, only as recorded: %(here)s; preempted in one of both: %(others)s.",
    "Of %(pods)s pods, %(same)s ended as recorded, %(elsewhere)s on another node; pending only in the replay: "
    "%(there)s, only as recorded: %(here)s; preempted in one of both: %(others)s.",
    by="pods",
)


def gone(pods: int) -> str:
    """Count the pods that are gone in the end on one side, and not on the other."""
    return pgettext("pods of a replay, or of what was recorded", "Preempted or gone here only: %(pods)s") % {
        "pods": counts.pods(pods)
    }


def of_replay() -> MovesWords:
    """Return the words for the maps of what was recorded and of the replay."""
    return MovesWords(
        differs=pgettext("nodes of the maps of a replay", "with pods that are placed differently on the other side"),
        alike=pgettext("nodes of the maps of a replay", "without such pods"),
        no_such_node=pgettext("nodes of the maps of a replay", "removed within this period"),
        figures=_(
            "The number on a node counts its pods that are placed differently: on the left in the replay, on the "
            "right as recorded."
        ),
        figure=_("Pods placed differently on the other side: {pods}"),
        absent=gone,
    )


SHARE = plural(
    "Under the cluster's own configuration %(alike)s of %(decisions)s decision comes out alike (%(percent)s %%).",
    "Under the cluster's own configuration %(alike)s of %(decisions)s decisions come out alike (%(percent)s %%).",
    by="decisions",
)


def preempted(*, here: int, there: int) -> str:
    """Count the pods that were preempted in both."""
    return _("Preempted pods: %(here)s as recorded, %(there)s in the replay.") % {
        "here": grouped(here),
        "there": grouped(there),
    }


def not_kept(pods: int) -> str:
    """Count the pods of which the journal does not know what they requested."""
    return ngettext(
        "%(pods)s pod is left out: it was deleted while pending, and the journal does not keep what it requested.",
        "%(pods)s pods are left out: they were deleted while pending, and the journal does not keep what they "
        "requested.",
        pods,
    ) % {"pods": grouped(pods)}


def other_schedulers(pods: int) -> str:
    """Count the pods that the configuration has no profile for."""
    return ngettext(
        "%(pods)s pod of another scheduler is left out; its requests count as free.",
        "%(pods)s pods of other schedulers are left out; their requests count as free.",
        pods,
    ) % {"pods": grouped(pods)}


def without_decision(pods: int) -> str:
    """Count the pods that came without a decision."""
    return ngettext(
        "%(pods)s pod without a recorded decision is left out; its requests count as free.",
        "%(pods)s pods without a recorded decision are left out; their requests count as free.",
        pods,
    ) % {"pods": grouped(pods)}


def late(pods: int) -> str:
    """Count the pods of which it is not known when they went."""
    return ngettext(
        "%(pods)s pod was found missing later; it may have gone earlier than in the replay.",
        "%(pods)s pods were found missing later; they may have gone earlier than in the replay.",
        pods,
    ) % {"pods": grouped(pods)}


def claims(pods: int) -> str:
    """Count the pods with claims, whose state of then is not known."""
    return ngettext(
        "%(pods)s pod has claims, taken as they are now, which may bind it to its present node.",
        "%(pods)s pods have claims, taken as they are now, which may bind them to their present nodes.",
        pods,
    ) % {"pods": grouped(pods)}


def uncertain(pods: int) -> str:
    """Count the pods that something not computed may keep from their nodes."""
    return ngettext(
        "%(pods)s pod is uncertain on its node: something that could reject it there is not computed.",
        "%(pods)s pods are uncertain on their nodes: something that could reject them there is not computed.",
        pods,
    ) % {"pods": grouped(pods)}


def not_computed(pods: int) -> str:
    """Count the pods of which the attempt failed."""
    return ngettext(
        "%(pods)s pod is left out: its attempt could not be computed.",
        "%(pods)s pods are left out: their attempts could not be computed.",
        pods,
    ) % {"pods": grouped(pods)}


def lost(pods: int) -> str:
    """Count the pods that were on a node when it was removed, in the replay alone."""
    return ngettext(
        "%(pods)s pod ran, in the replay alone, on a node that was removed: what became of it is not known, and it is "
        "gone from then on.",
        "%(pods)s pods ran, in the replay alone, on nodes that were removed: what became of them is not known, and "
        "they are gone from then on.",
        pods,
    ) % {"pods": grouped(pods)}


MORE_WORKLOADS = plural(
    "%(workloads)s more workload is not listed.", "%(workloads)s more workloads are not listed.", by="workloads"
)
