"""How many more nodes like one that there is let a whole group of pods in, tried and not guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.group_cycle import attempt_group
from clusters.engine.podgroups.held import held_groups

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.group_attempt import GroupAttempt
    from clusters.engine.objects import Pod
    from clusters.engine.simulation.one_more import MoreNodes

# So many nodes are added, and so many shapes of them are tried.
MOST_NODES: Final = 16
MOST_SHAPES: Final = 6
# Nodes times pods that all attempts together may evaluate.
MOST_EVALUATED: Final = 500_000


@dataclass(frozen=True, slots=True)
class NodesForGroup:
    """So many new ``nodes`` like the one named ``like``, of the same ``pool`` (empty where nodes do not say).

    With them ``found`` pods of the group have a node or find one, of which ``gained`` find none without, and the group
    is scheduled.
    """

    like: str
    pool: str
    nodes: int
    found: int
    gained: int


def nodes_for_group(more: MoreNodes, pod: Pod, profile: Profile, refused: GroupAttempt) -> NodesForGroup | None:
    """Return the fewest nodes of one shape that let the group of a pod in, the smallest of those that do.

    ``refused``: the attempt without them, which is no success. None where no number up to MOST_NODES does it, or where
    more would have to be evaluated than MOST_EVALUATED.
    """
    helping = list(more.each[:MOST_SHAPES])
    pods = max(1, len(refused.members))
    left = MOST_EVALUATED
    terms = held_groups(refused.snapshot).terms_of(refused.key)
    # In one domain of several a node may help although the first domain has as few pods as before.
    has_domains = terms is not None and bool(terms.topology_keys)
    for number in range(1, MOST_NODES + 1):
        for each in list(helping):
            snapshot = more.with_several(each.like, number)
            left -= len(snapshot.nodes) * pods
            if left < 0:
                return None
            found = attempt_group(snapshot, pod, profile, settles=True)
            if found is None or found.is_open:
                helping.remove(each)
            elif found.verdict is GroupVerdict.SCHEDULED:
                return NodesForGroup(each.like, each.pool, number, found.found, found.found - refused.found)
            elif found.found <= refused.found and not has_domains:
                helping.remove(each)
        if not helping:
            return None
    return None
