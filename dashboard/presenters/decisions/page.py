"""The verdict on one pod: its kind, its sentence, and everything that qualifies it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.adapters.gaps import MISSING_NODE
from clusters.engine.analysis.absences import absent_neighbours
from clusters.engine.conclusion import Conclusion
from clusters.engine.spreading.constraints import PLUGIN as SPREADING
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import conclusion_word, doubts
from dashboard.presenters import wording
from dashboard.presenters.clusters.listing import Gap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation, UnknownScheduler
    from clusters.models import Pod

# So many pods on missing nodes are named.
_NAMED = 3
_FINISHED = ("Succeeded", "Failed")

# Kinds that scheduling reads for the same purpose.
_OWNERS = ("Service", "ReplicationController", "ReplicaSet", "StatefulSet")
_STORAGE = ("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode")
_DEVICES = ("ResourceClaim", "ResourceSlice", "DeviceClass")


@dataclass(frozen=True, slots=True)
class VerdictView:
    """`kind` is a word of the verdict tokens, `word` stands beside its shape; `context` says how it was judged."""

    kind: str
    word: str
    sentence: str
    context: tuple[str, ...]
    unknowns: tuple[str, ...]


def verdict(pod: Pod, explanation: Explanation) -> VerdictView:
    """Present the verdict on a pod."""
    kind, word = _kind(pod, explanation)
    return VerdictView(
        kind=kind,
        word=word,
        sentence=_sentence(pod, explanation),
        context=tuple(_context(pod, explanation)),
        unknowns=tuple(doubts(explanation)),
    )


def _kind(pod: Pod, explanation: Explanation) -> tuple[str, str]:
    if pod.node_name and pod.node_name not in explanation.snapshot.nodes.index:
        return "unknown", "Its node is missing"
    if pod.node_name:
        return "chosen", "Finished" if pod.phase in _FINISHED else "Placed"
    return judged(explanation)


def judged(explanation: Explanation) -> tuple[str, str]:
    """Return the verdict on a pod that is to be placed: its token and its word."""
    if not explanation.node_count:
        return "unknown", "Nodes are missing"
    if not explanation.gates.ok:
        return "unknown", "Gated"
    if explanation.error is not None:
        return "rejected", "Ends in an error"
    if explanation.conclusion is Conclusion.UNCERTAIN:
        return "uncertain", conclusion_word(explanation.conclusion)
    if explanation.fits:
        return "fits", conclusion_word(explanation.conclusion)
    preemption = explanation.preemption
    if preemption is not None and preemption.candidates:
        return "preemptible", "May fit by preemption" if explanation.uncertainties else "Fits only by preemption"
    return "rejected", "Cannot be scheduled"


def _sentence(pod: Pod, explanation: Explanation) -> str:
    if pod.node_name:
        return wording.placement(explanation, pod.node_name, pod.phase)
    return judgement(explanation)


def judgement(explanation: Explanation) -> str:
    """Say where a pod that is to be placed fits, or why nowhere."""
    if not explanation.gates.ok:
        gates = wording.listed(explanation.pod.scheduling_gates)
        without = _lowered(explanation)
        return f"Waits for {gates}: the scheduler does not look at a pod with scheduling gates. Without them: {without}"
    return wording.fits_or_not(explanation)


def _lowered(explanation: Explanation) -> str:
    sentence = wording.fits_or_not(explanation)
    return f"{sentence[0].lower()}{sentence[1:]}"


def _context(pod: Pod, explanation: Explanation) -> list[str]:
    said = []
    if pod.phase in _FINISHED:
        ended = "failed" if pod.phase == "Failed" else "succeeded"
        said.append(f"The pod has {ended} and holds no room; judged as if it started anew.")
    elif explanation.pod.node_name:
        said.append(
            "A pod that names its node does not pass the scheduler; what the scheduler would say is told all the same."
        )
    elif pod.node_name:
        said.append("Judged as of now and without itself; when it was placed, the cluster looked different.")
    if pod.deleted_at is not None:
        said.append("The pod is being deleted.")
    if pod.nominated_node_name and not pod.node_name:
        said.append(
            f"The scheduler has nominated {pod.nominated_node_name} for it: "
            + (
                "that node takes it now, and is taken without a look at the others."
                if explanation.takes_nominated
                else "it waits for pods of lower priority to leave that node."
            )
        )
    return said


def unknown_scheduler(pod: Pod, error: UnknownScheduler) -> VerdictView:
    """Present a pod whose scheduler the configuration does not have."""
    placed = f"It is placed on {pod.node_name}. " if pod.node_name else ""
    profiles = f"the profile{'s' * (len(error.known) > 1)} {wording.listed(error.known)}"
    return VerdictView(
        kind="unknown",
        word="Another scheduler",
        sentence=f"{placed}{error.scheduler_name} places this pod, and how it decides is not known here.",
        context=(f"The configuration of this cluster has {profiles}.",),
        unknowns=(),
    )


def gaps_that_matter(gaps: Sequence[Gap], explanation: Explanation) -> list[Gap]:
    """Return what the mirror lacks and this pod's answer depends on."""
    untouched = _untouched(explanation)
    found = [gap for gap in gaps if gap.kind not in untouched and gap.kind != MISSING_NODE]
    absent = absent_neighbours(explanation) if len(found) < len(gaps) else []
    if absent:
        shown = absent if len(absent) <= _NAMED else [*absent[:_NAMED], f"{grouped(len(absent) - _NAMED)} more"]
        counts = "counts" if len(absent) == 1 else "count"
        affects = f"{wording.listed(shown)} {counts} for this pod's spreading or affinity, but nobody knows where."
        found += [Gap(gap.kind, gap.why, affects) for gap in gaps if gap.kind == MISSING_NODE]
    return found


def _untouched(explanation: Explanation) -> set[str]:
    """Return the kinds that make no difference for this pod; the others concern every pod."""
    pod, preemption = explanation.pod, explanation.preemption
    affinity = pod.affinity
    terms = (*affinity.required, *affinity.required_anti, *affinity.preferred, *affinity.preferred_anti)
    concerned = {
        ("Namespace",): any(term.namespace_selector is not None for term in terms),
        ("PriorityClass",): preemption is not None and "priority" not in pod.spec,
        ("PodDisruptionBudget",): preemption is not None and bool(preemption.candidates),
        ("RuntimeClass",): bool(pod.spec.get("runtimeClassName")),
        _OWNERS: SPREADING in explanation.profile.score and not pod.spec.get("topologySpreadConstraints"),
        _STORAGE: any("persistentVolumeClaim" in volume or "ephemeral" in volume for volume in pod.volumes),
        _DEVICES: bool(pod.spec.get("resourceClaims")),
    }
    return {kind for kinds, is_concerned in concerned.items() if not is_concerned for kind in kinds}
