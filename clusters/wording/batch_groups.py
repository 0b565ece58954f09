"""Groups of other batch systems in words: their pods, who decides, what their system reports, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.batch_systems import BatchRemedy, Decider
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine.batch_groups import BatchGroupState

SYSTEM: Final = pgettext_lazy("batch system of a group of pods", "System")

_OF_NEEDED = plural(
    "%(pods)s of %(least)s pod exists, scheduled: %(scheduled)s.",
    "%(pods)s of %(least)s pods exist, scheduled: %(scheduled)s.",
    by="least",
)
_EXIST = plural(
    "%(pods)s pod exists, scheduled: %(scheduled)s.", "%(pods)s pods exist, scheduled: %(scheduled)s.", by="pods"
)
_ADMITTED_FIRST = message("%(system)s until it admits the group, then kube-scheduler")
_OWN_SCHEDULER = message("the scheduler %(scheduler)s, which is not computed")
_PLUGIN = message("kube-scheduler with the plugin %(plugin)s, which is not computed")
_KUBE_SCHEDULER: Final = pgettext_lazy("who decides", "kube-scheduler, each pod by itself")
_CONDITION = message("%(system)s reports %(condition)s (%(reason)s).")
_PHASE = message("%(system)s reports the phase %(phase)s.")
_REMEDIES: Final = {
    BatchRemedy.ACTIVATE: gettext_lazy("Set its spec.active to true."),
    BatchRemedy.RESUME: gettext_lazy("Set its spec.suspend to false."),
    BatchRemedy.START_QUEUE: gettext_lazy("Set the stopPolicy of its LocalQueue and ClusterQueue to None."),
    BatchRemedy.RAISE_QUOTA: gettext_lazy("Request less, or raise the quota of its ClusterQueue."),
}
_CREATE = plural(
    "Create %(missing)s more pod of the group, or use a smaller minMember.",
    "Create %(missing)s more pods of the group, or use a smaller minMember.",
    by="missing",
)
LINE = message("needed: %(least)s", context="line in a picture")


def name(state: BatchGroupState) -> str:
    """Name a group with its system, without its namespace."""
    return f"{state.system.noun} {state.shown}"


def sentence(state: BatchGroupState) -> str:
    """Say how many pods a group has, and how many it needs where that is known."""
    pods, scheduled = len(state.members), state.scheduled
    if not state.quorum:
        return _EXIST(pods=pods, scheduled=scheduled)
    return _OF_NEEDED(pods=pods, least=state.quorum, scheduled=scheduled)


def decided_by(state: BatchGroupState) -> str:
    """Say who decides about the pods of a group."""
    system = state.system
    match system.decider:
        case Decider.AFTER_ADMISSION:
            return _ADMITTED_FIRST(system=system.name)
        case Decider.OWN_SCHEDULER:
            return _OWN_SCHEDULER(scheduler=system.decided_by)
        case Decider.PLUGIN:
            return _PLUGIN(plugin=system.decided_by)
    return str(_KUBE_SCHEDULER)


def reported(state: BatchGroupState) -> tuple[str, str]:
    """Say what the system reports of a group, and quote its message; empty where it reports nothing."""
    system, told = state.system.name, state.told
    if told is not None:
        condition, reason = f"{told.get('type')}={told.get('status')}", told.get("reason") or "–"
        return _CONDITION(system=system, condition=condition, reason=str(reason)), str(told.get("message") or "")
    return (_PHASE(system=system, phase=state.reported_phase) if state.reported_phase else ""), ""


def remedy(state: BatchGroupState) -> str:
    """Say what helps, where the group's object says so for certain; empty otherwise."""
    found = state.remedy
    if found is None:
        return ""
    return _CREATE(missing=state.missing) if found is BatchRemedy.CREATE_PODS else str(_REMEDIES[found])


def cause(state: BatchGroupState, otherwise: str) -> str:
    """Name what keeps pods of a group pending: the reason that its system reports, or else what is found of them."""
    told = str((state.told or {}).get("reason") or "") or state.reported_phase or otherwise
    return f"{state.system.noun} {state.key.namespace}/{state.shown}: {told}"
