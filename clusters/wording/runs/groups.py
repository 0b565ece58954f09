"""How the groups of pods of a simulation end: one word for each end, and a sentence for what keeps pods from nodes."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.group_states import GroupPhase
from clusters.engine.simulation import GroupEnd, GroupResult
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural
from clusters.wording.pod_groups.states import BASIC, GANG, PHASES

_ENDS: Final = {
    GroupEnd.PLACED: pgettext_lazy("how a group of pods ends", "Placed"),
    GroupEnd.PARTLY_PLACED: pgettext_lazy("how a group of pods ends", "Partly placed"),
    GroupEnd.TOO_FEW_PODS: PHASES[GroupPhase.WAITING_FOR_PODS],
    GroupEnd.NOT_FOUND: PHASES[GroupPhase.NOT_FOUND],
    GroupEnd.TOO_FEW_NODES: states.UNSCHEDULABLE,
    GroupEnd.NO_DOMAIN: states.UNSCHEDULABLE,
    GroupEnd.SEVERAL_DOMAINS: pgettext_lazy("how a group of pods ends", "In several domains"),
    GroupEnd.PREEMPTION: states.FITS_BY_PREEMPTION,
    GroupEnd.GATED: states.GATED,
    GroupEnd.ERROR: states.SCHEDULER_ERROR,
    GroupEnd.UNCERTAIN: states.UNCERTAIN,
}

TITLE: Final = gettext_lazy("Pod groups")
NO_ANSWER_BESIDE: Final = pgettext_lazy("answer of the other way to place pods", "not computed")
TWO_WAYS: Final = gettext_lazy(
    "Pod by pod is how kube-scheduler places pods. The batch scheduler places all pods at once and each gang whole or "
    "not at all; it preempts no pods and does not read the topology that a group names."
)


def end_word(end: GroupEnd) -> str:
    """Name how a group ends."""
    return str(_ENDS[end])


def policy_of(result: GroupResult) -> str:
    """Name the policy of a group; empty where no object says it."""
    if result.end is GroupEnd.NOT_FOUND:
        return ""
    return str(BASIC) if result.least is None else GANG(least=result.least)


def counted_of_group(result: GroupResult) -> str:
    """Count the pods of a group that have a node, where a heading says what is counted."""
    return pgettext("pods of a group", "%(placed)s of %(pods)s") % {
        "placed": grouped(result.placed),
        "pods": grouped(result.pods),
    }


END_WITH_SENTENCE = message("%(end)s: %(sentence)s", context="how a group of pods ends")


def group_sentence(result: GroupResult) -> str:
    """Say how a group ends, and what keeps pods of it from nodes."""
    match result.end:
        case GroupEnd.PLACED:
            return _placed(result)
        case GroupEnd.PARTLY_PLACED:
            return " ".join((_partly(result), *_refused(result)))
        case GroupEnd.TOO_FEW_PODS:
            return _too_few_pods(result)
        case GroupEnd.NOT_FOUND:
            return _("Pods name the group, and no such object is held: they stay out of the queue.")
        case GroupEnd.SEVERAL_DOMAINS:
            return _("Its pods are on nodes with several values of %(label)s; the group requires one.") % {
                "label": result.topology
            }
        case GroupEnd.PREEMPTION:
            return _PREEMPTION(victims=result.victims)
        case GroupEnd.GATED:
            return _("%(pod)s is kept out of the queue, and with it the whole group.") % {"pod": result.refused}
        case GroupEnd.ERROR:
            return _("Every attempt to schedule the group ends with an error: %(message)s.") % {
                "message": result.message
            }
        case GroupEnd.UNCERTAIN:
            return _("What another attempt for the group comes to is not computed.")
        case GroupEnd.NO_DOMAIN:
            return " ".join((_no_domain(result), *_refused(result)))
        case _:
            return " ".join((_too_few_nodes(result), *_refused(result)))


def _placed(result: GroupResult) -> str:
    if result.domain:
        return ngettext(
            "Its %(pods)s pod is placed where %(label)s is %(domain)s.",
            "All %(pods)s pods are placed where %(label)s is %(domain)s.",
            result.pods,
        ) % {"pods": grouped(result.pods), "label": result.topology, "domain": result.domain}
    return ngettext("Its %(pods)s pod is placed.", "All %(pods)s pods are placed.", result.pods) % {
        "pods": grouped(result.pods)
    }


def _partly(result: GroupResult) -> str:
    counts = {"placed": grouped(result.placed), "pods": grouped(result.pods), "least": grouped(result.least or 1)}
    if result.least is None:
        return (
            ngettext(
                "%(placed)s of %(pods)s pod is placed; with the policy basic each is scheduled when it can be.",
                "%(placed)s of %(pods)s pods are placed; with the policy basic each is scheduled when it can be.",
                result.pods,
            )
            % counts
        )
    return (
        ngettext(
            "%(placed)s of %(pods)s pod is placed, enough for minCount %(least)s.",
            "%(placed)s of %(pods)s pods are placed, enough for minCount %(least)s.",
            result.pods,
        )
        % counts
    )


def _too_few_pods(result: GroupResult) -> str:
    return ngettext(
        "%(pods)s of minCount %(least)s pod exists; its pods stay out of the queue until %(least)s exists.",
        "%(pods)s of minCount %(least)s pods exist; its pods stay out of the queue until %(least)s exist.",
        result.least or 0,
    ) % {"pods": grouped(result.pods), "least": grouped(result.least or 0)}


def _too_few_nodes(result: GroupResult) -> str:
    if result.least is None:
        return _("No pod of the group finds a node.")
    if not result.refused:
        # It was not tried once more: a flow says no more than how many it placed.
        return ngettext(
            "%(placed)s of minCount %(least)s pod is placed.",
            "%(placed)s of minCount %(least)s pods are placed.",
            result.least,
        ) % {"placed": grouped(result.placed), "least": grouped(result.least)}
    return ngettext(
        "%(found)s of minCount %(least)s pod has or finds a node.",
        "%(found)s of minCount %(least)s pods have or find a node.",
        result.least,
    ) % {"found": grouped(result.found), "least": grouped(result.least)}


def _no_domain(result: GroupResult) -> str:
    return ngettext(
        "No nodes with one value of %(label)s take %(least)s pod of the group.",
        "No nodes with one value of %(label)s take %(least)s pods of the group.",
        result.least or 1,
    ) % {"label": result.topology, "least": grouped(result.least or 1)}


def _refused(result: GroupResult) -> tuple[str, ...]:
    """The first pod that finds no node."""
    if not result.refused:
        return ()
    return (_("%(pod)s finds none: %(message)s") % {"pod": result.refused, "message": result.message},)


_PREEMPTION = plural(
    "It is placed once %(victims)s pod of lower priority is removed, which is not simulated for a group.",
    "It is placed once %(victims)s pods of lower priority are removed, which is not simulated for a group.",
    by="victims",
)
