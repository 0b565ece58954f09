"""Preemption from the victims' side: what one pending pod would remove, and what that means for one placed pod.

Upstream: ``plugins/defaultpreemption`` and ``framework/preemption`` v1.34.1. A pod is a victim only of pods of higher
priority; those that do not preempt (by their policy, or because the scheduler does not try them) threaten none.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from clusters.engine.scheduling.explanation import is_preemption_uncertain
from clusters.engine.scheduling.preemption import Ineligibility

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Explanation
    from clusters.engine.objects import Pod
    from clusters.engine.scheduling.cycle import Candidate
    from clusters.engine.snapshot import Snapshot


class PreemptionOutcome(enum.StrEnum):
    """What comes of preemption for a pending pod."""

    MAKES_ROOM = "makes-room"
    FITS = "fits"
    NOT_HELPFUL = "not-helpful"
    TERMINATING = "terminating"
    """Victims of an earlier preemption still terminate on the nominated node."""
    NEVER = "never"
    GATED = "gated"
    LOWEST = "lowest"
    """No placed pod has a lower priority."""
    NO_PLUGIN = "no-plugin"
    ERROR = "error"
    UNCERTAIN = "uncertain"
    """It fits as far as is computed, and what is not computed may reject it."""
    OTHER_SCHEDULER = "other-scheduler"
    NOT_EVALUATED = "not-evaluated"
    """More names of victims are not held."""
    EVALUATING = "evaluating"
    """A worker is at it."""
    NOT_COMPUTED = "not-computed"


class Preemptor(Struct, frozen=True):
    """What preemption would do for a pending pod of this ``priority``.

    ``candidates`` by node, with ``selected`` the one that the scheduler prefers; it tries ``sample`` or more of the
    ``potential_nodes``. ``node``: nominated, where victims of an earlier preemption terminate. ``is_uncertain``: what
    is not computed may keep the pod from its node all the same.
    """

    outcome: PreemptionOutcome
    priority: int
    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    selected: str = ""
    potential_nodes: int = 0
    sample: int = 0
    node: str = ""
    is_uncertain: bool = False

    @property
    def is_sampled(self) -> bool:
        """Whether the scheduler may try only some of the nodes, and so select another candidate."""
        return self.sample < self.potential_nodes

    @property
    def victims(self) -> int:
        """How many names of victims it holds."""
        return sum(len(candidate.victims) for candidate in self.candidates.values())


class Threat(enum.StrEnum):
    """What a pending pod's preemption means for one placed pod, the gravest first."""

    SELECTED = "selected"
    """The pod is a victim on the node that the scheduler would select."""
    CANDIDATE = "candidate"
    """The pod is a victim on another candidate node."""
    SPARED = "spared"
    """Its node is a candidate, and the pod may stay there."""
    OTHER_NODES = "other-nodes"
    """Only other nodes are candidates."""
    LEAVING = "leaving"
    """The pod terminates on the nominated node, as a victim of an earlier preemption."""
    PRIORITY = "priority"
    """The pending pod's priority is not higher."""
    NONE = "none"
    """The pending pod preempts none, for a reason of its own."""


def lowest_priority(snapshot: Snapshot) -> int | None:
    """The lowest priority of all placed pods; None where there are none."""
    pods = snapshot.pods
    placed = pods.priority[pods.node >= 0]
    return int(placed.min()) if len(placed) else None


def settled_outcome(pod: Pod, lowest: int | None) -> PreemptionOutcome | None:
    """What is known of a pending pod's preemption without looking at any node; None where a node has to be asked."""
    if pod.scheduling_gates:
        return PreemptionOutcome.GATED
    if lowest is None or pod.priority <= lowest:
        return PreemptionOutcome.LOWEST
    return None if pod.preempts else PreemptionOutcome.NEVER


def preemptor_of(explanation: Explanation) -> Preemptor:
    """What the explanation of a pending pod says of its preemption. Raises CostLimitError."""
    pod, found = explanation.pod, explanation.preemption
    is_uncertain = bool(explanation.uncertainties)
    outcome = settled_outcome(pod, lowest_priority(explanation.snapshot))
    if outcome is None:
        outcome = _outcome(explanation, is_uncertain=is_uncertain)
    if found is None or found.selected is None or outcome is not PreemptionOutcome.MAKES_ROOM:
        node = pod.nominated_node_name if outcome is PreemptionOutcome.TERMINATING else ""
        return Preemptor(outcome, pod.priority, node=node, is_uncertain=is_uncertain)
    return Preemptor(
        outcome,
        pod.priority,
        {candidate.node: candidate for candidate in found.candidates},
        found.selected.node,
        found.potential_nodes,
        found.sample,
        is_uncertain=is_preemption_uncertain(explanation),
    )


def _outcome(explanation: Explanation, *, is_uncertain: bool) -> PreemptionOutcome:
    found = explanation.preemption
    if explanation.error is not None or (found is not None and found.failed):
        return PreemptionOutcome.ERROR
    if explanation.fits:
        return PreemptionOutcome.UNCERTAIN if is_uncertain else PreemptionOutcome.FITS
    if found is None:
        return PreemptionOutcome.NO_PLUGIN
    if found.ineligible is Ineligibility.TERMINATING:
        return PreemptionOutcome.TERMINATING
    return PreemptionOutcome.NOT_HELPFUL if found.selected is None else PreemptionOutcome.MAKES_ROOM


def threat_to(preemptor: Preemptor, pod: str, *, node: str, priority: int, is_preempted: bool) -> Threat:
    """What a pending pod's preemption means for a pod (``namespace/name``) on a node.

    ``is_preempted``: the placed pod terminates because the scheduler preempted it.
    """
    if preemptor.priority <= priority:
        return Threat.PRIORITY
    if preemptor.outcome is PreemptionOutcome.TERMINATING and preemptor.node == node and is_preempted:
        return Threat.LEAVING
    if preemptor.outcome is not PreemptionOutcome.MAKES_ROOM:
        return Threat.NONE
    candidate = preemptor.candidates.get(node)
    if candidate is None:
        return Threat.OTHER_NODES
    if pod not in candidate.victims:
        return Threat.SPARED
    return Threat.SELECTED if preemptor.selected == node else Threat.CANDIDATE
