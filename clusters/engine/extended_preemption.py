"""Extenders in preemption: each may take candidates away, and change whom the others cost.

Upstream: ``callExtenders`` in ``framework/preemption/preemption.go`` and ``ProcessPreemption`` in
``pkg/scheduler/extender.go``, v1.34.1. An extender may also name pods and nodes that it was not asked about, as long as
the pods are on these nodes; whatever their priority.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusters.engine.candidates import Candidate, candidate_on
from clusters.engine.extending import CandidateChange, ExtenderCall, Silence, Verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.configuration import Extender
    from clusters.engine.extending import Extenders, NamedVictims, PreemptReply
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


@dataclass(slots=True)
class NarrowedCandidates:
    """What extenders leave of the candidates, by the order of their nodes; ``error`` ends preemption."""

    candidates: tuple[Candidate, ...]
    calls: list[ExtenderCall] = field(default_factory=list)
    error: str = ""


def narrow_by_extenders(
    extenders: Extenders,
    interested: Sequence[Extender],
    pod: Document,
    snapshot: Snapshot,
    candidates: tuple[Candidate, ...],
) -> NarrowedCandidates:
    """Ask extenders in turn about candidates, one at least; each is asked about what those before it left."""
    found = NarrowedCandidates(candidates)
    for extender in interested:
        if not extender.preempt_verb:
            continue
        asked = found.candidates
        reply = extenders.preempted(extender, pod, asked)
        if isinstance(reply, Silence):
            found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), silence=reply))
            continue
        left, error = _left(extender, reply, snapshot)
        if error:
            found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), error=error))
            if not extender.ignorable:
                found.error = error
                return found
            continue
        changes = tuple(_changes(asked, left))
        found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), len(left), changes=changes))
        found.candidates = tuple(left[row] for row in sorted(left))
        if not left:
            break
    return found


def _left(extender: Extender, reply: PreemptReply, snapshot: Snapshot) -> tuple[Mapping[int, Candidate], str]:
    """The candidates of a reply by row, and the error for which it does not count: the first by the nodes' names."""
    left: dict[int, Candidate] = {}
    without_victims = ""
    for named in sorted(reply.nodes, key=lambda each: each.node):
        row = snapshot.nodes.index.get(named.node)
        if row is None:
            return {}, f'nodeinfo not found for node name "{named.node}"'
        strange = _strange(named, row, snapshot)
        if strange is not None:
            return {}, (
                f"extender: {extender.address} claims to preempt pod (UID: &{{{strange}}}) on node: {named.node}, "
                "but the pod is not found on that node"
            )
        if named.victims:
            slots = [snapshot.pods.slot_of[victim.key] for victim in named.victims]
            left[row] = candidate_on(snapshot, row, slots, named.pdb_violations)
        elif not extender.ignorable:
            without_victims = without_victims or f'expected at least one victim pod on node "{named.node}"'
    return ({}, without_victims) if without_victims else (left, "")


def _strange(named: NamedVictims, row: int, snapshot: Snapshot) -> str | None:
    """The UID of the first victim that is not on the node; None where all are."""
    pods = snapshot.pods
    for victim in named.victims:
        slot = pods.slot_of.get(victim.key)
        if slot is None or pods.node[slot] != row:
            return victim.uid
    return None


def _changes(asked: Sequence[Candidate], left: Mapping[int, Candidate]) -> list[CandidateChange]:
    """What differs between the candidates that an extender was asked about and those that it answers, by node."""
    before = {candidate.node: candidate for candidate in asked}
    after = {candidate.node: candidate for candidate in left.values()}
    pairs = [CandidateChange(node, before.get(node), after.get(node)) for node in sorted({*before, *after})]
    return [pair for pair in pairs if pair.before != pair.after]
