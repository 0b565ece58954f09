"""The maps of two simulations with the pods that ended elsewhere: what stands on them, and the list of workloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _, ngettext, pgettext

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable


class MovesWords(NamedTuple):
    """What the two maps call their nodes, their numbers, and the pods that one side has not got in the end."""

    differs: str
    alike: str
    no_such_node: str
    figures: str
    figure: str
    absent: Callable[[int], str]


LEFT_TITLE = message("Left: %(title)s")
RIGHT_TITLE = message("Right: %(title)s")


def pending(pods: int) -> str:
    """Count the pods that are pending in one simulation and not in the other."""
    return pgettext("pods of one simulation", "Pending here only: %(pods)s") % {"pods": counts.pods(pods)}


def absent(pods: int) -> str:
    """Count the pods that one simulation has not got in the end, and the other has."""
    return pgettext("pods of one simulation", "Not here in the end: %(pods)s") % {"pods": counts.pods(pods)}


def of_simulations() -> MovesWords:
    """Return the words for two simulations."""
    return MovesWords(
        differs=pgettext("nodes of the maps of two simulations", "with pods that are placed differently in the other"),
        alike=pgettext("nodes of the maps of two simulations", "without such pods"),
        no_such_node=pgettext("nodes of the maps of two simulations", "not in this simulation"),
        figures=_("The number on a node counts its pods that are placed differently in the other simulation."),
        figure=_("Pods placed differently in the other simulation: {pods}"),
        absent=absent,
    )


def summary(*, moved: int, left_pending: int, right_pending: int) -> str:
    """Say the picture: how many pods ended elsewhere, and how many of them are pending on one side only."""
    said = [
        ngettext(
            "Two maps of the same nodes: %(pods)s pod is placed differently on the right.",
            "Two maps of the same nodes: %(pods)s pods are placed differently on the right.",
            moved,
        )
        % {"pods": grouped(moved)}
    ]
    if left_pending or right_pending:
        said.append(
            _("Pending on the left only: %(left)s; on the right only: %(right)s.")
            % {"left": grouped(left_pending), "right": grouped(right_pending)}
        )
    return " ".join(said)


def all_workloads(pods: int) -> str:
    """Offer the pods of all workloads."""
    return pgettext("choice of a workload", "All workloads: %(pods)s") % {"pods": counts.pods(pods)}


def more_workloads(workloads: int, pods: int) -> str:
    """Count the workloads that the list does not name, and their pods."""
    return ngettext(
        "%(workloads)s more workload with %(pods)s", "%(workloads)s more workloads with %(pods)s", workloads
    ) % {"workloads": grouped(workloads), "pods": counts.pods(pods)}
