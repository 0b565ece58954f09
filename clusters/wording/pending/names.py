"""What keeps pods pending, named as rows and headings name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.analysis import Kind
from clusters.engine.registry import reads_amounts
from clusters.engine.resources import PODS
from clusters.engine.volumes import ClaimProblem
from clusters.wording import states
from clusters.wording.causes import cause_reason
from clusters.wording.pending import causes as words
from clusters.wording.plugins import wording_of
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from clusters.engine.analysis import Cause

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
    Kind.FITS: words.IN_QUEUE,
    Kind.PREEMPTS: words.PREEMPTION,
    Kind.NOMINATED: words.NOMINATED,
    Kind.VOLUME: words.VOLUME_PROVISIONING,
    Kind.NOT_EVALUATED: words.NOT_EVALUATED,
    Kind.EVALUATING: words.EVALUATING,
    Kind.NOT_COMPUTED: words.NOT_COMPUTED,
}
_CLAIMS: Final = {
    ClaimProblem.NOT_FOUND: words.CLAIM_NOT_FOUND,
    ClaimProblem.BEING_DELETED: words.CLAIM_DELETED,
    ClaimProblem.NOT_BOUND: words.CLAIM_NOT_BOUND,
}


def cause_name(cause: Cause) -> str:
    """Name what keeps pods pending, as `3 pods pending: …` ends and as a row shows it."""
    match cause.kind:
        case Kind.GATED if cause.plugins:
            return words.kept_out(cause.plugins[0])
        case Kind.GATED:
            return words.gates(cause.gates)
        case Kind.OTHER_SCHEDULER:
            return words.other_scheduler(cause.scheduler_name)
        case Kind.UNCERTAIN if cause.has_no_nodes:
            return str(words.NO_NODES)
        case Kind.ERROR:
            return words.error_of(", ".join(cause.plugins))
        case Kind.UNCERTAIN:
            return words.uncertain(cause_reason(cause))
        case Kind.UNSCHEDULABLE if isinstance(cause.claim_problem, ClaimProblem):
            known = _CLAIMS.get(cause.claim_problem)
            return words.volume(cause_reason(cause)) if known is None else str(known)
        case Kind.UNSCHEDULABLE:
            return _rejected(cause)
        case _:
            return str(_NAMES[cause.kind])


def _rejected(cause: Cause) -> str:
    if len(cause.plugins) > 1:
        return words.together(_several(cause))
    if lacking := _lacking(cause):
        return words.too_large(lacking) if cause.is_too_large else words.insufficient(lacking)
    plugin = ", ".join(cause.plugins)
    if not cause.reasons:
        # Of a pod that leaves a simulation unscheduled the plugins alone may be known.
        return plugin
    return wording_of(plugin).cause(cause.reasons) or words.of_plugin(plugin, ", ".join(cause.reasons))


def _lacking(cause: Cause) -> list[str]:
    """Name the resources whose lack a cause is; empty where it is something else."""
    return [] if PODS in cause.resources else list(map(resource_name, cause.resources))


def _several(cause: Cause) -> list[str]:
    """Name what frees pods only together."""
    lacking = _lacking(cause)
    return [
        words.insufficient(lacking) if lacking and reads_amounts(plugin) else wording_of(plugin).requires()
        for plugin in cause.plugins
    ]
