"""A copy of a cluster in which nodes are drained, and every step can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.devices.claim_lifecycle import release
from clusters.engine.disruption.drain import ephemeral_claims
from clusters.engine.failure import Failure, attempt
from clusters.engine.matching.taints import Taint
from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.placement import place

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.failure import Note
    from clusters.engine.objects import Document, Node
    from clusters.engine.snapshot import Snapshot

# What the node controller adds to a node that is cordoned.
_CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
# Whether lower pods could be preempted is dear to find out, so it is asked of the first pods without a place only.
PREEMPTIONS = 20


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a replacement goes: a node, or empty with the scheduler's ``message``.

    ``feasible``: how many nodes would take it, of which ``best`` are equally good and the first was taken. ``victims``:
    nodes where it would fit if lower pods were preempted, None where that was not looked at. ``scheduler``: another one
    that places it, nobody knows where; ``is_gated``: scheduling gates hold it back. ``failed``: the error's reference
    where that could not be computed, and ``message`` is the error. ``uncertain``: what could reject it on its node and
    is not computed.
    """

    node: str
    message: str = ""
    feasible: int = 0
    best: int = 0
    victims: int | None = None
    scheduler: str = ""
    is_gated: bool = False
    failed: str = ""
    uncertain: tuple[Uncertainty, ...] = ()


class DrainWorld:
    """A cluster that is being drained; the snapshot that it starts from stays as it is."""

    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        *,
        preemptions: int = PREEMPTIONS,
        note: Note | None = None,
    ) -> None:
        self.snapshot = snapshot.copy()
        self._origin = snapshot
        self.placements = 0
        self._configuration = configuration
        self._undo: list[Callable[[], object]] = []
        self._preemptions_left = preemptions
        self._note = note

    def cordon(self, name: str) -> None:
        """Let no new pod go to a node, and not even those that tolerate only its other taints."""
        node = self._node(name)
        taints = node.taints if _CORDONED in node.taints else (*node.taints, _CORDONED)
        self._change(replace(node, unschedulable=True, taints=taints))

    def uncordon(self, name: str) -> None:
        """Let pods go to a node again; its other taints stay."""
        node = self._node(name)
        taints = tuple(taint for taint in node.taints if taint.key != _CORDONED.key)
        self._change(replace(node, unschedulable=False, taints=taints))

    def reopen(self, name: str) -> None:
        """Let a node be as it was before all draining."""
        self._change(self._origin.nodes.nodes[self._origin.nodes.index[name]])

    def remove(self, pod: Document) -> None:
        """Take a pod away."""
        self.snapshot.delete(pod)
        self._undo.append(lambda: self.snapshot.upsert(pod))
        self._undo += [partial(self.snapshot.upsert, claim) for claim in release(self.snapshot, Pod(pod))]

    def hold(self, pod: Document, node: str) -> None:
        """Put a pod that is not there on a node, whatever else would suit it."""
        self.snapshot.assume(pod, node)
        self._undo.append(lambda: self.snapshot.delete(pod))

    def place(self, pod: Document) -> Landing:
        """Put a new pod where the scheduler would; nobody is preempted."""
        self.placements += 1
        for claim in ephemeral_claims(pod):
            # A StatefulSet's pod has the name of the one before it, and so has its claim.
            before = self.snapshot.object(claim["kind"], name_of(claim), namespace_of(claim))
            self.snapshot.upsert(claim)
            undo = partial(self.snapshot.delete, claim) if before is None else partial(self.snapshot.upsert, before)
            self._undo.append(undo)
        landing = attempt(lambda: self._placed(pod))
        if isinstance(landing, Failure):
            if self._note is not None:
                self._note(f"The place of {key_of(pod)}", landing)
            return Landing("", landing.error, failed=landing.reference)
        if landing.node:
            self._undo.append(lambda: self.snapshot.delete(pod))
        return landing

    def _placed(self, pod: Document) -> Landing:
        landing = Landing("")
        try:
            for placement in place(self.snapshot, [pod], self._configuration):
                landing = self._landing(placement.node, placement.explanation)
                self._undo += [partial(self.snapshot.upsert, claim) for claim in placement.reserved.before]
                self._undo += [partial(self.snapshot.delete, claim) for claim in placement.reserved.made]
        except UnknownScheduler as error:
            return Landing("", scheduler=error.scheduler_name)
        return landing

    def keep(self) -> None:
        """Let everything so far stand; it can no longer be taken back."""
        self._undo.clear()

    def mark(self) -> int:
        """The present moment, to come back to."""
        return len(self._undo)

    def back_to(self, mark: int) -> None:
        """Take every step since a mark back, the last one first."""
        while len(self._undo) > mark:
            self._undo.pop()()

    def _node(self, name: str) -> Node:
        return self.snapshot.nodes.nodes[self.snapshot.nodes.index[name]]

    def _change(self, node: Node) -> None:
        before, nodes = self._node(node.name), self.snapshot.nodes
        nodes.replace(nodes.index[node.name], node)
        self._undo.append(lambda: nodes.replace(nodes.index[before.name], before))

    def _landing(self, node: str, explanation: Explanation) -> Landing:
        cycle = explanation.cycle
        if node:
            uncertain = explanation.uncertainties
            return Landing(node, feasible=len(cycle.feasible), best=len(cycle.choices), uncertain=uncertain)
        if not explanation.gates.ok:
            return Landing("", is_gated=True)
        victims = None
        if self._preemptions_left:
            self._preemptions_left -= 1
            preemption = explanation.preemption
            victims = 0 if preemption is None else len(preemption.candidates)
        return Landing("", explanation.refusal or "", victims=victims)
