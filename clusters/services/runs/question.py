"""What a run was asked and how that went: the pods asked for, and apart from them those that others brought up.

The summary's ``origins`` are counted here once; `clusters.wording.runs.outcome` words them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.documents.stored_messages import read_message
from clusters.documents.values import read_uncertainty, value_document
from clusters.engine.admission.creation.problems import LimitRangeRefusal
from clusters.engine.conclusion import Conclusion, FailedComputation
from clusters.engine.objects import key_of
from clusters.engine.quotas.problems import QuotaExceeded, QuotaUnspecified
from clusters.engine.simulation import Origin
from clusters.engine.simulation.affected import newly_pending
from clusters.engine.simulation.verdict import Verdict
from clusters.models import RunPod
from clusters.services.runs.drains import kept_pods

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.simulation import Case
    from clusters.services.runs.pod_end import PodEnd

# Copies that controllers make during the run, of pods that were evicted or preempted.
SUCCESSORS: Final = "successors"
ORIGINS: Final = (Origin.ADDED.value, Origin.DISPLACED.value, SUCCESSORS, Origin.PENDING_BEFORE.value)
# Outcomes of pods that would run, and do not.
PENDING: Final = (RunPod.Outcome.UNSCHEDULABLE, RunPod.Outcome.GATED, RunPod.Outcome.NOT_COMPUTED)
_PLACED: Final = (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN, RunPod.Outcome.COMPLETED)
_EXAMPLES: Final = 20


class Placed(NamedTuple):
    """Of the pods that are to run: how many have a node, and how many only if what is not computed lets them."""

    certain: int
    uncertain: int
    wanted: int


def pending_of(pods: Mapping[str, int]) -> int:
    """Return how many pods a summary's ``pods`` tell of that would run, and do not."""
    # A summary that was stored earlier lacks the outcomes of later versions.
    return sum(pods.get(outcome.value, 0) for outcome in PENDING)


def origin_of(key: str, origins: Mapping[str, Origin]) -> str:
    """Return why a pod was to be placed, by those of the case's pods; any other was made during the run."""
    found = origins.get(key)
    return SUCCESSORS if found is None else found.value


def origins_of(case: Case) -> dict[str, Origin]:
    """Return why each pod of a case is wanted, by ``namespace/name``."""
    return {key_of(each.pod): each.origin for each in case.wanted}


def count_origins(ends: Mapping[str, PodEnd], origins: Mapping[str, Origin]) -> dict[str, dict[str, Any]]:
    """Return by origin how many pods there were, and how they ended.

    ``total`` = ``placed`` (those whose time was over after they ran, too) + ``uncertain`` (placed by all that is
    computed, or not computed at all) + ``pending`` + ``forbidden`` (not created) + ``gone`` (placed, and preempted or
    evicted later) + ``deleted`` (their Job failed). ``examples`` name the first pending ones, ``message`` says why the
    first one is.
    ``uncertainties``: the uncertain ones by what is not computed.
    """
    found: dict[str, dict[str, Any]] = {
        name: {
            "total": 0,
            "placed": 0,
            "uncertain": 0,
            "pending": 0,
            "forbidden": 0,
            "gone": 0,
            "deleted": 0,
            "examples": [],
            "message": "",
            "uncertainties": [],
        }
        for name in ORIGINS
    }
    alike: dict[tuple[str, tuple[Uncertainty, ...]], dict[str, Any]] = {}
    for key, end in ends.items():
        if key not in origins and not end.attempts and end.outcome is not RunPod.Outcome.FORBIDDEN:
            # A pod of the base that had to go, or was to.
            continue
        origin = origin_of(key, origins)
        counts = found[origin]
        counts["total"] += 1
        doubts = _doubts(end)
        if doubts:
            counts["uncertain"] += 1
            group = alike.get((origin, doubts))
            if group is None:
                why = [value_document(each) for each in doubts]
                group = alike[origin, doubts] = {"why": why, "pods": 0, "examples": []}
                counts["uncertainties"].append(group)
            group["pods"] += 1
            if len(group["examples"]) < _EXAMPLES:
                group["examples"].append(key)
        elif end.outcome in _PLACED:
            counts["placed"] += 1
        elif end.outcome in PENDING:
            counts["pending"] += 1
            counts["message"] = counts["message"] or end.message
            if len(counts["examples"]) < _EXAMPLES:
                counts["examples"].append(key)
        elif end.outcome is RunPod.Outcome.FORBIDDEN:
            counts["forbidden"] += 1
        elif end.outcome is RunPod.Outcome.DELETED:
            counts["deleted"] += 1
        else:
            counts["gone"] += 1
    return found


def group_refusals(ends: Mapping[str, PodEnd]) -> list[dict[str, Any]]:
    """Return the pods that the API server refused, by what refused them and for which resources, in the order of the
    first; its message is quoted.
    """
    alike: dict[tuple[Any, ...], dict[str, Any]] = {}
    for key, end in ends.items():
        why = end.refusal
        if why is None:
            continue
        named = {
            "namespace": why.namespace,
            "quota": why.quota if isinstance(why, QuotaExceeded | QuotaUnspecified) else "",
            "limit_range": why.limit_range if isinstance(why, LimitRangeRefusal) else "",
            "resources": why.resources,
        }
        start = {**named, "kind": why.kind, "message": why.message, "pods": 0, "examples": []}
        group = alike.setdefault((why.kind, *named.values()), start)
        group["pods"] += 1
        if len(group["examples"]) < _EXAMPLES:
            group["examples"].append(key)
    return list(alike.values())


def newly_pending_of(ends: Mapping[str, PodEnd], origins: Mapping[str, Origin]) -> tuple[str, ...]:
    """Return the pods that are pending at the end of a run because of what it asks."""
    return newly_pending((key for key, end in ends.items() if end.outcome in PENDING and not _doubts(end)), origins)


class PendingAfter(NamedTuple):
    """How many pods are without a node at the end of a run: ``newly`` because of what it asks, and as ``before``."""

    newly: int
    before: int


def pending_after(origins: Mapping[str, Mapping[str, Any]]) -> PendingAfter:
    """Return how many pods are pending at the end; the one number that every page, review and answer tells of a run."""
    left = {name: int(counts["pending"]) for name, counts in origins.items()}
    before = left.pop(Origin.PENDING_BEFORE.value, 0)
    return PendingAfter(sum(left.values()), before)


def forbidden_after(origins: Mapping[str, Mapping[str, Any]]) -> int:
    """Return how many pods the API server refused; runs of earlier releases did not ask it."""
    return sum(int(counts.get("forbidden", 0)) for counts in origins.values())


def _doubts(end: PodEnd) -> tuple[Uncertainty, ...]:
    """Return why it is not known whether a pod has a node; nothing where it is."""
    if end.failed:
        return (FailedComputation(end.failed),)
    return end.uncertain if end.outcome in _PLACED else ()


def placed_of(summary: Mapping[str, Any]) -> Placed:
    """Return how many of a run's pods were placed; runs of before knew of no uncertain ones."""
    pods = summary["pods"]
    certain, uncertain = pods["placed"] + pods["completed"], pods.get("uncertain", 0)
    wanted = certain + uncertain + pending_of(pods) + pods.get("forbidden", 0)
    return Placed(certain, uncertain, wanted)


def verdict(summary: Mapping[str, Any], *, even_pending: bool) -> Verdict:
    """Return whether what was asked fits; pods that were pending before count only where they are asked for, too.

    A drain that does not get to its end is asked for and not done, whether or not every pod has a node.
    """
    origins = summary["origins"]
    counted = [name for name in ORIGINS if even_pending or name != Origin.PENDING_BEFORE]
    failed = [origins[name] for name in counted if origins[name]["pending"]]
    groups = uncertain_groups(summary, counted)
    uncertain = [key for each in groups for key in each["examples"]][:_EXAMPLES]
    whys = list(dict.fromkeys(read_uncertainty(each) for group in groups for each in group["why"]))
    has_pods = any(origins[name]["total"] for name in counted)
    if failed:
        pending = [key for each in failed for key in each["examples"]][:_EXAMPLES]
        said = read_message(failed[0]["message"])
        forbidden = [key for each in summary.get("refusals") or () for key in each["examples"]][:_EXAMPLES]
        found = Verdict(Conclusion.UNSCHEDULABLE, pending, uncertain, whys, has_pods, said.text, problem=said.problem)
        return found._replace(forbidden=forbidden)
    refusals = summary.get("refusals") or ()
    if refusals:
        forbidden = [key for each in refusals for key in each["examples"]][:_EXAMPLES]
        message = refusals[0]["message"]
        return Verdict(Conclusion.UNSCHEDULABLE, [], uncertain, whys, has_pods, message=message, forbidden=forbidden)
    kept = kept_pods(summary)
    if kept:
        return Verdict(Conclusion.UNSCHEDULABLE, [], uncertain, whys, has_pods, kept=kept)
    if groups:
        doubts = tuple(map(read_uncertainty, groups[0]["why"]))
        return Verdict(Conclusion.UNCERTAIN, [], uncertain, whys, has_pods, doubts=doubts)
    return Verdict(Conclusion.FITS, [], [], [], has_pods)


def uncertain_groups(summary: Mapping[str, Any], origins: Iterable[str] = ORIGINS) -> list[dict[str, Any]]:
    """Return the pods of these origins that are uncertain, those that are so for the same together."""
    return [group for name in origins for group in summary["origins"][name]["uncertainties"]]
