"""The verdict on one pod: its kind, its sentence, and everything that qualifies it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.analysis import absent_neighbours
from clusters.engine.devices import uses_devices
from clusters.engine.kubelet import (
    ClaimsNotBound,
    HeldByFinalizers,
    KubeletRejection,
    KubeletTermination,
    StuckDeletion,
    rejection_of,
    trouble_of,
)
from clusters.engine.spreading import PLUGIN as SPREADING
from clusters.problems.inputs import OtherGap
from clusters.wording import states
from clusters.wording.conclusions import doubts
from clusters.wording.decisions import context as words
from clusters.wording.decisions.placement import placement_sentence
from clusters.wording.decisions.verdict import pending_headline, pending_sentence, state_of, verdict_sentence
from clusters.wording.extenders import answer_sentences
from clusters.wording.pods import troubles as trouble_words
from dashboard.presenters.clusters.listing import Gap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Explanation, UnknownScheduler
    from clusters.engine.kubelet import PodTrouble
    from clusters.models import Pod

# So many pods on missing nodes are named.
_NAMED = 3
_FINISHED = ("Succeeded", "Failed")
_TROUBLED: Final = {
    HeldByFinalizers: states.TERMINATING,
    KubeletRejection: states.FAILED,
    KubeletTermination: states.FAILED,
    ClaimsNotBound: states.CANNOT_START,
    StuckDeletion: states.TERMINATING,
}
_TOKENS: Final = (
    (states.NO_NODES, "unknown"),
    (states.GATED, "unknown"),
    (states.SCHEDULER_ERROR, "rejected"),
    (states.UNCERTAIN, "uncertain"),
    (states.FITS, "fits"),
    (states.NOMINATED, "preemptible"),
    (states.FITS_BY_PREEMPTION, "preemptible"),
    (states.MAY_FIT_BY_PREEMPTION, "preemptible"),
    (states.UNSCHEDULABLE, "rejected"),
)

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
    trouble = trouble_of(pod.object, explanation.snapshot)
    if trouble is not None:
        kind, word = "rejected", str(_TROUBLED[type(trouble)])
        sentence, context = trouble_words.trouble_sentence(trouble), _beside_trouble(pod, explanation, trouble)
    else:
        kind, word = _kind(pod, explanation)
        sentence, context = _sentence(pod, explanation), _context(pod, explanation)
    return VerdictView(
        kind=kind,
        word=word,
        sentence=sentence,
        context=(*context, *answer_sentences(explanation)),
        unknowns=tuple(doubts(explanation)),
    )


def _beside_trouble(pod: Pod, explanation: Explanation, trouble: PodTrouble) -> Iterator[str]:
    """Say what to do about a pod that is in trouble on its node, and what the scheduler would decide of it."""
    yield trouble_words.trouble_remedy(trouble)
    if pod.phase in _FINISHED:
        yield words.finished(failed=pod.phase == "Failed")
    else:
        yield str(words.AS_OF_NOW)
    yield verdict_sentence(explanation)


def _kind(pod: Pod, explanation: Explanation) -> tuple[str, str]:
    if pod.node_name and pod.node_name not in explanation.snapshot.nodes.index:
        return "unknown", str(states.NODE_NOT_FOUND)
    if pod.node_name:
        return "chosen", str(states.OF_PHASE.get(pod.phase, states.SCHEDULED))
    state, _ = pending_headline(explanation)
    return _token(state), state


def judged(explanation: Explanation) -> tuple[str, str]:
    """Return the verdict on a pod that is to be scheduled: its token and its word."""
    state = state_of(explanation)
    return _token(state), state


def _token(state: str) -> str:
    return next(token for each, token in _TOKENS if str(each) == state)


def _sentence(pod: Pod, explanation: Explanation) -> str:
    if pod.node_name:
        return placement_sentence(explanation, pod.node_name, pod.phase)
    _, said = pending_headline(explanation)
    return said


def _context(pod: Pod, explanation: Explanation) -> Iterator[str]:
    status = pod.object.get("status") or {}
    reason, message = str(status.get("reason") or ""), str(status.get("message") or "")
    if pod.node_name and (reason or message):
        yield trouble_words.reported_status(reason, message)
    if pod.phase in _FINISHED:
        yield words.finished(failed=pod.phase == "Failed")
    elif explanation.pod.node_name:
        yield str(words.NAMES_ITS_NODE)
    elif pod.node_name:
        yield str(words.AS_OF_NOW)
    if pod.deleted_at is not None:
        yield str(words.BEING_DELETED)
    if not pod.node_name and pending_headline(explanation)[0] == str(states.NOMINATED):
        # What it waits for is the headline; why no node takes it as things are comes after that.
        yield pending_sentence(explanation)
    elif pod.nominated_node_name and not pod.node_name:
        yield words.nominated(pod.nominated_node_name, has_room=explanation.takes_nominated)


def unknown_scheduler(pod: Pod, error: UnknownScheduler) -> VerdictView:
    """Present a pod whose scheduler the configuration does not have."""
    said = words.other_scheduler(error.scheduler_name, pod.node_name)
    rejection = rejection_of(pod.object)
    if rejection is not None:
        told = trouble_words.trouble_sentence(rejection), trouble_words.trouble_remedy(rejection)
        return VerdictView("rejected", str(states.FAILED), told[0], (told[1], said), ())
    known = words.known_profiles(error.known)
    return VerdictView("unknown", str(states.OTHER_SCHEDULER), said, (known,), ())


def gaps_that_matter(gaps: Sequence[Gap], explanation: Explanation) -> list[Gap]:
    """Return what the mirror lacks and this pod's answer depends on."""
    untouched = _untouched(explanation)
    found = [gap for gap in gaps if gap.kind not in untouched and gap.kind != OtherGap.MISSING_NODE]
    absent = absent_neighbours(explanation) if len(found) < len(gaps) else []
    if absent:
        affects = words.absent_neighbours(absent)
        found += [Gap(gap.kind, gap.label, gap.why, affects) for gap in gaps if gap.kind == OtherGap.MISSING_NODE]
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
        _DEVICES: uses_devices(explanation.snapshot, pod),
    }
    return {kind for kinds, is_concerned in concerned.items() if not is_concerned for kind in kinds}
