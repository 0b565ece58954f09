"""How the groups of pods of a simulation end: one word for each end, and a sentence for what keeps pods from nodes."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.group_states import GroupPhase
from clusters.engine.simulation import GroupEnd, GroupResult
from clusters.wording import states
from clusters.wording.messages import message, plural
from clusters.wording.pod_groups import BASIC, GANG, PHASES

_ENDS: Final = {
    GroupEnd.PLACED: pgettext_lazy("pod group", "Placed"),
    GroupEnd.PARTLY_PLACED: pgettext_lazy("pod group", "Partly placed"),
    GroupEnd.TOO_FEW_PODS: PHASES[GroupPhase.WAITING_FOR_PODS],
    GroupEnd.NOT_FOUND: PHASES[GroupPhase.NOT_FOUND],
    GroupEnd.TOO_FEW_NODES: states.UNSCHEDULABLE,
    GroupEnd.NO_DOMAIN: states.UNSCHEDULABLE,
    GroupEnd.SEVERAL_DOMAINS: pgettext_lazy("pod group", "In several domains"),
    GroupEnd.PREEMPTION: states.FITS_BY_PREEMPTION,
    GroupEnd.GATED: states.GATED,
    GroupEnd.ERROR: states.SCHEDULER_ERROR,
    GroupEnd.UNCERTAIN: states.UNCERTAIN,
}
TITLE: Final = gettext_lazy("Pod groups")
NO_ANSWER_BESIDE: Final = pgettext_lazy("answer", "not computed")
_SENTENCES: Final = {
    GroupEnd.PLACED: message("%(placed)s of %(pods)s pods are placed."),
    GroupEnd.PARTLY_PLACED: message("%(placed)s of %(pods)s pods are placed."),
    GroupEnd.TOO_FEW_PODS: plural(
        "%(pods)s of minCount %(least)s pod exists; it stays out of the queue.",
        "%(pods)s of minCount %(least)s pods exist; they stay out of the queue.",
        by="least",
    ),
    GroupEnd.NOT_FOUND: message("No such group: its pods stay out of the queue."),
    GroupEnd.SEVERAL_DOMAINS: message("Its pods have several values of %(topology)s, not one."),
    GroupEnd.PREEMPTION: plural(
        "Fits once %(victims)s pod of lower priority is removed (not simulated).",
        "Fits once %(victims)s pods of lower priority are removed (not simulated).",
        by="victims",
    ),
    GroupEnd.GATED: message("%(refused)s keeps the group out of the queue."),
    GroupEnd.ERROR: message("Every attempt ends with an error: %(message)s."),
    GroupEnd.UNCERTAIN: message("Another attempt is not computed."),
    GroupEnd.NO_DOMAIN: plural(
        "No nodes with one value of %(topology)s take %(least)s pod.",
        "No nodes with one value of %(topology)s take %(least)s pods.",
        by="least",
    ),
    GroupEnd.TOO_FEW_NODES: message("%(found)s of minCount %(least)s pods have or find a node."),
}
_PLACED_IN: Final = message("%(placed)s of %(pods)s pods are placed where %(topology)s is %(domain)s.")
_ENOUGH: Final = message("%(placed)s of %(pods)s pods are placed, minCount %(least)s.")
_NO_POD: Final = message("No pod of the group finds a node.")
# It was not tried once more: a flow says no more than how many it placed.
_PLACED_OF_LEAST: Final = message("%(placed)s of minCount %(least)s pods are placed.")
_FINDS_NONE: Final = message("%(sentence)s %(pod)s finds none: %(message)s")


def end_word(end: GroupEnd) -> str:
    """Name how a group ends."""
    return str(_ENDS[end])


def policy_of(result: GroupResult) -> str:
    """Name the policy of a group; empty where no object says it."""
    if result.end is GroupEnd.NOT_FOUND:
        return ""
    return str(BASIC) if result.least is None else GANG(least=result.least)


def group_sentence(result: GroupResult) -> str:
    """Say how a group ends, and what keeps pods of it from nodes."""
    template = _SENTENCES[result.end]
    match result.end:
        case GroupEnd.PLACED if result.domain:
            template = _PLACED_IN
        case GroupEnd.PARTLY_PLACED if result.least is not None:
            template = _ENOUGH
        case GroupEnd.TOO_FEW_NODES if result.least is None:
            template = _NO_POD
        case GroupEnd.TOO_FEW_NODES if not result.refused:
            template = _PLACED_OF_LEAST
    values = {name: getattr(result, name) for name in template.values}
    if "least" in values:
        values["least"] = result.least or 1
    said = template(**values)
    if result.refused and result.end in (GroupEnd.PARTLY_PLACED, GroupEnd.NO_DOMAIN, GroupEnd.TOO_FEW_NODES):
        return _FINDS_NONE(sentence=said, pod=result.refused, message=result.message)
    return said
