"""What keeps a pod from every node: the one thing that, lifted alone, frees it, or the things that only do so together.

Of several the most realistic: what stands on nodes that are meant for the pod, then what is the least to change.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from clusters.engine.analysis.pins import lifts_pin

# NodeResourcesFit by name: requests are the one requirement that can be lowered instead of lifted.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, ResourceSubject, reason_of
from clusters.engine.registry import has_reasons_by_node
from clusters.engine.relaxing.effort import Effort
from clusters.engine.status import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation
    from clusters.engine.plugin import Constraint
    from clusters.engine.relaxing.relaxations import Lift
    from clusters.engine.status import Mask

# What nobody wants comes after all that somebody might.
UNWANTED: Final = max(Effort) + 1


class Rejected(NamedTuple):
    """Who rejects nodes, usually one plugin, and the reason; that of taints is empty: they differ from node to node.

    ``resource``: the one that is insufficient, or empty.
    """

    plugins: tuple[str, ...]
    reason: str
    resource: str = ""

    @classmethod
    def insufficient(cls, resource: str) -> Rejected:
        """Return the rejection for want of a resource."""
        return cls((NodeResourcesFit.name,), reason_of(resource), resource)


class Blame(NamedTuple):
    """What is to blame, and on how many nodes it is what the scheduler records.

    Where nothing frees the pod alone, ``plugins`` are those of a pair that does, or all that reject it where none is
    known; ``reasons`` are then those for want of ``resources``, if any.
    """

    plugins: tuple[str, ...]
    reasons: tuple[str, ...]
    resources: tuple[str, ...]
    nodes: int

    @classmethod
    def of(cls, rejected: Iterable[Rejected], nodes: int, plugins: tuple[str, ...] = ()) -> Blame:
        """Blame rejections; ``plugins`` where there are others beside those."""
        found = tuple(dict.fromkeys(rejected))
        return cls(
            plugins or tuple(dict.fromkeys(plugin for each in found for plugin in each.plugins)),
            tuple(each.reason for each in found if each.reason),
            tuple(each.resource for each in found if each.resource),
            nodes,
        )


def blamed(explanation: Explanation) -> Blame:
    """Find what is to blame for a pod that fits nowhere and for which no PreFilter ended the cycle."""
    movable, every = _recorded(explanation)
    freeing = _freeing(explanation, every)
    for rejected, nodes in movable.most_common():
        if rejected in freeing:
            return Blame.of((rejected,), nodes)
    alone = [rejected for rejected in every if rejected in freeing]
    if alone:
        chosen = min(alone, key=lambda rejected: (*freeing[rejected], -every[rejected]))
        return Blame.of((chosen,), every[chosen])
    if explanation.relaxations.together:
        short = [Rejected.insufficient(each.resource) for each in explanation.relaxations.together]
        return Blame.of(short, max(every[each] for each in short))
    return _together(explanation, every)


def single_lifts(explanation: Explanation) -> list[Lift]:
    """Return what is one change: a requirement, or a whole filter of which no single requirement is enough.

    Resources are told one by one, or as a reduction of several.
    """
    found = explanation.relaxations
    told = {*(lift.lifted[0].plugin for lift in found.singles), NodeResourcesFit.name}
    return [*found.singles, *(lift for lift in found.filters if lift.lifted[0].plugin not in told)]


def effort_of(explanation: Explanation, lift: Lift) -> int:
    """How hard a lift is; letting a DaemonSet's pod go to another node is what nobody wants."""
    return UNWANTED if lifts_pin(explanation, lift) else int(lift.effort)


def _recorded(explanation: Explanation) -> tuple[Counter[Rejected], Counter[Rejected]]:
    """Count the nodes by what the scheduler records: those that a removal of pods could open, and all.

    Nodes that no removal of pods could open (by the scheduler's own distinction, of any filter, also one that it would
    not have come to) are not meant for the pod.
    """
    movable: Counter[Rejected] = Counter()
    every: Counter[Rejected] = Counter()
    cycle = explanation.cycle
    # Of a pod that names a node that is gone none is looked at; what left them out is all that there is to say.
    asked = cycle.considered if cycle.considered.any() else cycle.rejected_by >= 0
    openable = asked & ~_hopeless(explanation)
    resources = {reason_of(resource): resource for resource in _requested(explanation)}
    times = np.bincount(cycle.rejected_by[asked], minlength=len(cycle.rejections))
    opened = np.bincount(cycle.rejected_by[openable], minlength=len(cycle.rejections))
    for rejection, number, movables in zip(cycle.rejections, times.tolist(), opened.tolist(), strict=True):
        reasons = rejection.status.reasons or (str(rejection.status.code),)
        keys = [_rejected(rejection.plugins, reason, resources) for reason in reasons]
        if number:
            every.update(dict.fromkeys(keys, number))
        if movables and rejection.status.code is Code.UNSCHEDULABLE:
            movable.update(dict.fromkeys(keys, movables))
    return movable, every


def _requested(explanation: Explanation) -> list[str]:
    """Return the resources that are compared of the pod, its place among the pods of a node included."""
    plugin = explanation.cycle.plugins.get(NodeResourcesFit.name)
    subjects = [] if plugin is None else [each.subject for each in plugin.constraints()]
    return [subject.resource for subject in subjects if isinstance(subject, ResourceSubject)]


def _rejected(plugins: tuple[str, ...], reason: str, resources: Mapping[str, str]) -> Rejected:
    if plugins == (NodeResourcesFit.name,):
        return Rejected(plugins, reason, resources.get(reason, ""))
    return Rejected(plugins, "" if any(map(has_reasons_by_node, plugins)) else reason)


def _hopeless(explanation: Explanation) -> Mask:
    """Shape (N,): the nodes that some filter rejects for a reason which no removal of pods resolves."""
    hopeless = np.zeros(explanation.node_count, np.bool_)
    for outcome in explanation.cycle.filters.values():
        if outcome.index is not None:
            unresolvable = [status.code is Code.UNRESOLVABLE for status in outcome.statuses]
            hopeless |= np.array(unresolvable, np.bool_)[outcome.index]
    return hopeless


def _freeing(explanation: Explanation, every: Iterable[Rejected]) -> dict[Rejected, tuple[int, int]]:
    """What frees the pod alone: how hard that is, and how many nodes it gains, negated."""
    found = explanation.relaxations
    ranks: dict[Rejected, tuple[int, int]] = {}

    def note(rejected: Rejected, effort: int, gained: int) -> None:
        rank = effort, -gained
        ranks[rejected] = min(ranks.get(rejected, rank), rank)

    for lift in single_lifts(explanation):
        for rejected in _of(lift.lifted[0], every):
            note(rejected, effort_of(explanation, lift), lift.gained)
    for reduction in found.reductions:
        # Less is asked for sooner than the control plane's nodes are used, whatever these would gain.
        note(Rejected.insufficient(reduction.resource), int(Effort.SYSTEM), explanation.node_count + 1)
    return ranks


def _of(constraint: Constraint, every: Iterable[Rejected]) -> list[Rejected]:
    if isinstance(constraint.subject, ResourceSubject):
        return [Rejected.insufficient(constraint.subject.resource)]
    return [rejected for rejected in every if rejected.plugins == (constraint.plugin,)]


def _together(explanation: Explanation, every: Counter[Rejected]) -> Blame:
    """Blame what frees the pod only together: the easiest pair, or else everything that rejects it."""
    pairs = sorted(explanation.relaxations.pairs, key=lambda lift: (effort_of(explanation, lift), -lift.gained))
    if pairs:
        lifted = pairs[0].lifted
        plugins = [each.plugin for each in lifted]
        subjects = [each.subject for each in lifted]
        short = [Rejected.insufficient(each.resource) for each in subjects if isinstance(each, ResourceSubject)]
    else:
        plugins = [plugin for rejected, _ in every.most_common() for plugin in rejected.plugins]
        short = [rejected for rejected in every if rejected.resource]
    named = tuple(dict.fromkeys(plugins))
    recorded = Counter({rejected: nodes for rejected, nodes in every.items() if set(rejected.plugins) <= set(named)})
    if len(named) == 1 and recorded:
        ((rejected, nodes),) = recorded.most_common(1)
        return Blame.of((rejected,), nodes)
    return Blame.of(short, recorded.total(), named)
