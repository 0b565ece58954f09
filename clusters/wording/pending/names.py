"""What keeps pods pending, named as rows and headings name it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.analysis import Cause, Kind
from clusters.engine.registry import reads_amounts
from clusters.engine.resources import PODS
from clusters.engine.volumes import ClaimProblem
from clusters.wording import states
from clusters.wording.causes import cause_reason
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins import wording_of
from clusters.wording.plugins.reasons import named_as_cause
from clusters.wording.resources import resource_name

KIND_WORDS: Final = {
    Kind.UNSCHEDULABLE: states.UNSCHEDULABLE,
    Kind.FITS: states.SCHEDULABLE,
    Kind.PREEMPTS: states.FITS_BY_PREEMPTION,
    Kind.NOMINATED: states.NOMINATED,
    Kind.VOLUME: states.WAITS_FOR_VOLUME,
    Kind.GATED: states.GATED,
    Kind.OTHER_SCHEDULER: states.OTHER_SCHEDULER,
    Kind.ERROR: states.SCHEDULER_ERROR,
    Kind.UNCERTAIN: states.UNCERTAIN,
    Kind.NOT_EVALUATED: states.NOT_EVALUATED,
    Kind.EVALUATING: states.EVALUATING,
    Kind.NOT_COMPUTED: states.NOT_COMPUTED,
}
_NAMES: Final = {
    Kind.FITS: gettext_lazy("schedulable, in the queue"),
    Kind.PREEMPTS: gettext_lazy("preemption possible"),
    Kind.NOMINATED: gettext_lazy("nominated, waiting for victims to terminate"),
    Kind.VOLUME: gettext_lazy("volume being provisioned"),
    Kind.NOT_EVALUATED: gettext_lazy("not evaluated here"),
    Kind.EVALUATING: gettext_lazy("still being evaluated"),
    Kind.NOT_COMPUTED: gettext_lazy("could not be computed"),
}
_CLAIMS: Final = {
    ClaimProblem.NOT_FOUND: gettext_lazy("PersistentVolumeClaim not found"),
    ClaimProblem.BEING_DELETED: gettext_lazy("PersistentVolumeClaim being deleted"),
    ClaimProblem.NOT_BOUND: gettext_lazy("PersistentVolumeClaim not bound"),
}
_NO_NODES: Final = gettext_lazy("no nodes mirrored")
_INSUFFICIENT = message("insufficient %(resources)s")
# Whatever runs there.
_TOO_LARGE = message("insufficient %(resources)s, larger than any node")
_TOGETHER = message("%(causes)s together")
_GATES = plural("scheduling gate %(names)s", "scheduling gates %(names)s", by="number")
_KEPT_OUT = message("kept out of the queue by %(plugin)s")
_OTHER_SCHEDULER = message("scheduler %(name)s")
_ERROR = message("error of %(plugin)s")
_UNCERTAIN = message("uncertain: %(why)s")
# Of reasons that have no names of their own.
_VOLUME = message("volume: %(reason)s")
_OF_PLUGIN = message("%(plugin)s: %(reason)s")


def cause_name(cause: Cause) -> str:
    """Name what keeps pods pending, as `3 pods pending: …` ends and as a row shows it."""
    match cause.kind:
        case Kind.GATED if cause.plugins:
            return _KEPT_OUT(plugin=cause.plugins[0])
        case Kind.GATED:
            return _GATES(number=len(cause.gates), names=", ".join(cause.gates))
        case Kind.OTHER_SCHEDULER:
            return _OTHER_SCHEDULER(name=cause.scheduler_name)
        case Kind.UNCERTAIN if cause.has_no_nodes:
            return str(_NO_NODES)
        case Kind.ERROR:
            return _ERROR(plugin=", ".join(cause.plugins))
        case Kind.UNCERTAIN:
            return _UNCERTAIN(why=cause_reason(cause))
        case Kind.UNSCHEDULABLE if isinstance(cause.claim_problem, ClaimProblem):
            known = _CLAIMS.get(cause.claim_problem)
            return _VOLUME(reason=cause_reason(cause)) if known is None else str(known)
        case Kind.UNSCHEDULABLE:
            return _rejected(cause)
        case _:
            return str(_NAMES[cause.kind])


def _rejected(cause: Cause) -> str:
    if len(cause.plugins) > 1:
        return _TOGETHER(causes=listed(_several(cause)))
    if lacking := _lacking(cause):
        return (_TOO_LARGE if cause.is_too_large else _INSUFFICIENT)(resources=listed(lacking))
    plugin = ", ".join(cause.plugins)
    if not cause.reasons:
        # Of a pod that leaves a simulation unscheduled the plugins alone may be known.
        return plugin
    return named_as_cause(cause.reasons) or _OF_PLUGIN(plugin=plugin, reason=cause.quoted)


def _lacking(cause: Cause) -> list[str]:
    """Name the resources whose lack a cause is; empty where it is something else."""
    return [] if PODS in cause.resources else list(map(resource_name, cause.resources))


def _several(cause: Cause) -> list[str]:
    """Name what frees pods only together."""
    lacking = _lacking(cause)
    return [
        _INSUFFICIENT(resources=listed(lacking)) if lacking and reads_amounts(plugin) else wording_of(plugin).requires()
        for plugin in cause.plugins
    ]
