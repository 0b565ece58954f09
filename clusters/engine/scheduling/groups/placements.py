"""Placements of a group of pods: the nodes of one topology domain.

Only these are filtered; what plugins find out beforehand is about the whole cluster.

Upstream: ``plugins/topologyaware``, ``plugins/podgrouppodscount``, ``NodeResourcesFit``'s ``ScorePlacement`` and
``podGroupSchedulingPlacementAlgorithm`` of v1.36.3 and v1.37.2. Domains are tried in no order there: which of those
that do not take the group is told of is chance, here it is that of the first node; any of equally good ones is taken.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.configuration import NodeResourcesFitArgs
from clusters.engine.plugin import MAX_NODE_SCORE

# NodeResourcesFit by name: it alone scores placements by what their nodes have.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, placement_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.scheduling.groups.runs import Branch, Composite, Group, Run
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index


# Of very many nodes in all placements so many percent of these are looked for at least.
LEAST_PERCENTAGE: Final = 5
# Nodes times domains: each pod is tried on the nodes of each domain.
MOST_NODES_TRIED: Final = 20_000
# So many pods times domains: each is a cycle of its own.
MOST_PODS_TRIED: Final = 10_000


class UnknownDomainError(Exception):
    """Pods of the group run where no domain, or not one alone, can be told; the message is the scheduler's."""


class UncertainDomainError(Exception):
    """It depends on the order in which pods are looked at whether their domain can be told."""


def domains_of(
    snapshot: Snapshot, key: str, rows: Index | None = None, among: str | None = None
) -> Mapping[str, Index]:
    """Those of all nodes or of ``rows`` that have a label, by its value and in the order of their first nodes.

    ``among``: of this value alone.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for row in range(len(snapshot.nodes)) if rows is None else rows.tolist():
        value = snapshot.nodes.nodes[row].labels.get(key)
        # From 1.38 on an empty value is taken for a mistake, and no domain.
        is_domain = value or (value is not None and not snapshot.release.rules.says_what_groups_lack)
        if value is not None and is_domain and among in (None, value):
            found[value].append(row)
    return {value: np.array(rows, np.intp) for value, rows in found.items()}


def domain_of(snapshot: Snapshot, key: str, nodes: Iterable[str]) -> str | None:
    """The domain that all these nodes are in; empty without any, None where they have none or several."""
    found = {snapshot.nodes.nodes[snapshot.nodes.index[name]].labels.get(key) for name in nodes}
    if not found:
        return ""
    (domain, *others) = found
    return None if others else domain


def required_domain(group: Group | Composite, snapshot: Snapshot, key: str) -> str | None:
    """The domain of the pods that run; None where none does. Raises UnknownDomainError and UncertainDomainError."""
    is_domain = not snapshot.release.rules.says_what_groups_lack
    found: dict[str, None] = {}
    for pod in group.bound:
        labels = snapshot.nodes.nodes[snapshot.nodes.index[pod.node_name]].labels
        if key not in labels:
            raise UnknownDomainError(f"no topology domain found for pod {pod.key}")
        if not labels[key] and not is_domain:
            raise UnknownDomainError(f"empty topology domain found for pod {pod.key}")
        found[labels[key]] = None
    if len(found) == 2 and "" in found:
        raise UncertainDomainError
    if len(found) > 1:
        first, second, *_ = sorted(found)
        both = f"{first}, {second}" if is_domain else f'"{first}", "{second}"'
        raise UnknownDomainError(f"more than 1 domain found for pod group: {both}")
    return next(iter(found), None)


def score_placements(profile: Profile, snapshot: Snapshot, runs: Sequence[Run | Branch]) -> bool:
    """Score the placements that take the group; False where no pod was placed in any of them, which is an error."""
    most = max(run.found for run in runs)
    if not most:
        return False
    arguments = profile.args[NodeResourcesFit.name]
    assert isinstance(arguments, NodeResourcesFitArgs)  # noqa: S101 - the arguments of this plugin
    weight = profile.weights.get(NodeResourcesFit.name, 0)
    for run in runs:
        assert run.rows is not None  # noqa: S101 - there is one placement of all nodes, or one of each domain
        pods = [each.pod for each in run.assigned]
        packed = placement_score(snapshot, run.rows, pods, arguments.scoring_strategy.resources)
        run.score = run.found * MAX_NODE_SCORE // most + weight * packed
    return True
