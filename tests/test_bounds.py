"""Nothing that a bound cuts is told as if it were the whole: of each bound it is written down what it does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

# It reads code and runs none.
pytestmark = pytest.mark.unmeasured

ROOT = Path(settings.BASE_DIR) / "clusters"
BOUND = re.compile(r"(^|_)(MOST|MAX)(_|$)|(^|_)EVALUATED$")

# What is said where a result is cut.
SAYS = {
    "engine/devices/allocation.py MAX_DEPTH": "uncertain: the search for devices is too costly",
    "engine/devices/allocation.py MAX_STEPS": "uncertain: the search for devices is too costly",
    "engine/devices/allocation.py MAX_STEPS_IN_ALL": "uncertain: the search for devices is too costly",
    "engine/devices/allocation.py MAX_STEPS_OF_SCHEDULER": "uncertain: kube-scheduler's own search may not end in time",
    "engine/devices/inventory.py MOST_TOGETHER": "uncertain: an expression is too costly",
    "engine/journal.py _MOST_SAMPLES": "the decision disagrees: another node scores higher in every sample tried",
    "engine/scheduling/groups/attempt.py MOST_CYCLES": "uncertain: preemption for the group is not computed",
    "engine/scheduling/groups/attempt.py MOST_MEMBERS": "uncertain: the attempt for the group is not computed",
    "engine/scheduling/groups/placements.py MOST_NODES_TRIED": "uncertain: the attempt for the group is not computed",
    "engine/scheduling/groups/placements.py MOST_PODS_TRIED": "uncertain: the attempt for the group is not computed",
    "engine/scheduling/relaxations.py _MOST": "no single change that was tried is enough",
    "engine/scheduling/searches.py MOST_SEARCHES": "which node is taken is not computed: too many different searches",
    "engine/simulation/comparison.py MOST_REASONS": "the decisions of the pod are not computed again",
    "engine/simulation/losses.py MOST_DISPLACED": "never reached: MOST_PLAYED leaves larger clusters out",
    "engine/simulation/losses.py MOST_LOSSES": "the worst of so many nodes, of so many kinds",
    "engine/simulation/measures.py MOST_PODS": "counting ended at so many; more may fit",
    "engine/simulation/measures.py _MOST_PODS": "at least so many more pods fit; more are not evaluated",
    "engine/simulation/node_counts.py MOST_NODES": "not even so many nodes are enough",
    "engine/simulation/node_counts.py MOST_PODS": "at least so many of the pods would fit",
    "engine/simulation/outcome.py MOST_TRIED": "what another attempt for the group comes to is not computed",
    "engine/upgrading/drains.py MOST_PAIRS": "so many pods are left out, or so many of so many nodes of a pool drained",
    "engine/upgrading/drains.py MOST_PODS": "so many of so many nodes of the pool are drained",
    "engine/upgrading/drains.py MOST_POOLS": "so many pools are left out",
    "engine/upgrading/subjects.py MOST_GROUPS": "so many groups are left out",
    "services/disruption.py MOST_PLACEMENTS": "the drain of the node is not computed",
    "services/disruption.py MOST_ROOM_SOUGHT": "room elsewhere is not looked for: too many pods",
    "services/evaluation.py MOST_SECONDS": "at least so many; the others are still evaluated by a worker",
    "services/evaluation.py MOST_BYTES": "the result is too large to be kept",
    "services/mirror/state.py MOST_COUNTED": "more than so many",
    "services/journal/judge.py _MOST_LATE": "not judged: too late",
    "services/journal/states.py _MOST_SHAPES": "the decision disagrees with the states that were looked at",
    "services/journal/states.py _MOST_SECONDS_AHEAD": "the decision disagrees with the states that were looked at",
    "services/journal/timeline.py _MOST_SEARCHES": "of the latest so many decisions",
    "services/pending/pods.py MOST_REFUSALS": "the cause is that of the list of pending pods",
    "services/pending/queue.py MOST_VICTIMS": "not evaluated: more names of victims are not held",
    "services/reports/capacity_samples.py MOST_NAMESPACES": "unknown of a namespace beyond the largest",
    "services/reports/sections/losses.py MOST_PODS": "at least so many more pods fit",
    "services/reports/sections/maintenance.py MOST_EVICTIONS": "no plan: more evictions than are planned",
    "services/reports/sections/maintenance.py MOST_PLACEMENTS": "so many nodes are not drained",
    "services/reports/sections/recommendations.py MOST_PODS": "recommendations are not evaluated",
    "services/reports/sections/history.py MOST_POINTS": "so many of so many samples are shown",
    "services/reports/subject.py MOST_PLACEMENTS": "at least so many nodes could be removed",
    "services/reports/subject.py MOST_PLAYED": "losses are not simulated with more pods",
    "services/runs/summary.py MOST_BESIDE": "of the other way of scheduling groups nothing is told",
    "services/workloads/growth.py MOST_UPDATED_PODS": "not computed: the update goes on",
    "services/workloads/listing.py MOST_PODS": "the indexes of a Job are known in part",
}
# Input beyond it is refused, or counted as left out.
REFUSES = {
    "engine/lessons/lesson.py": "MOST_COPIES",
    "engine/lessons/questions.py": "_MOST_GOALS",
    "engine/lessons/values.py": "_MOST_NODES _MOST_COPIES",
    "engine/sandbox.py": "MOST_ACTS",
    "engine/simulation/changes/change.py": "_MOST_OF_A_RESOURCE _MOST_LISTED _MOST_LABELS",
    "engine/simulation/changes/nodes.py": "_MOST_PODS",
    "engine/simulation/changes/workloads.py": "MOST_WORKLOADS",
    "engine/simulation/case.py": "MOST_CHANGES MOST_NODES MOST_REPLICAS MOST_WANTED",
    "services/decisions/explain.py": "MOST_BYTES",
    "services/disruption.py": "MOST_EVICTIONS",
    "services/files.py": "MOST_BYTES",
    "services/journal/replays.py": "MOST_DECISIONS MOST_NODE_MOMENTS",
    "services/lessons/reading.py": "MOST_FILES MOST_BYTES MOST_NODES MOST_PODS",
    "services/lessons/storing.py": "MOST_STORED",
    "services/reports/making.py": "MOST_KEPT MOST_KEEP_DAYS MOST_SCHEDULES",
    "services/reports/order.py": "MOST_TITLE MOST_NOTES_BYTES MOST_SHAPES MOST_DAYS _MOST_PRICE",
    "services/runs/spec.py": "MOST_BYTES MOST_DOCUMENTS MOST_JSON_BYTES _MOST_NOTES",
    "services/sandbox.py": "MOST_CHARACTERS MOST_BYTES",
    "services/studies/asking.py": "MOST_PARTS _MOST_IN_MIX MOST_VARIANTS",
    "services/workloads/growth.py": "MOST_PODS",
}
# So many are shown or named, the first ones; the numbers beside them are those of all.
SHOWN = {
    "engine/admission/plugins.py": "_MOST_NAMED",
    "engine/analysis/remedies.py": "_MOST_VOLUMES MOST _MOST_NODES _MOST_NAMED _MOST_CLASSES _MOST_ADDITIONS",
    "engine/lessons/asking.py": "_MOST_REJECTIONS",
    "engine/lessons/values.py": "_MOST_ALIKE",
    "engine/simulation/changes/change.py": "_MOST_NAMED",
    "engine/simulation/measures.py": "MOST_POINTS",
    "services/decisions/explain.py": "MOST_PROBLEMS _MOST_LOOKED_FOR",
    "services/files.py": "_MOST_NAMED",
    "services/journal/timeline.py": "_MOST MOST_CHANGES MOST_BYTES",
    "services/lessons/reading.py": "MOST_FAULTS",
    "services/mirror/state.py": "_MOST_WORDS",
    "services/reports/sections/capacity.py": "_MOST_TOLD _MOST_USERS",
    "services/reports/sections/recommendations.py": "MOST_MADE MOST_BUDGETS MOST_REMOVED",
    "services/reports/sections/history.py": "MOST_LISTED",
    "services/reports/sections/losses.py": "MOST_NAMED MOST_DOMAINS MOST_LOSSES",
    "services/reports/sections/maintenance.py": "MOST_DIFFERENCES",
    "services/runs/spec.py": "_MOST_REMARKS _MOST_KINDS",
    "services/disruption.py": "_MOST_LISTED",
    "services/runs/summary.py": "_MOST_LISTED _MOST_NODES",
}
# What is found is tried and true; that nothing is found is not told as that there is nothing.
LOOKED_FOR = {
    "engine/analysis/making_room.py": "_MOST_NODES _MOST_PODS _MOST_TRIED _MOST_ASKED _MOST_ROUNDS",
    "engine/analysis/remedies.py": "_MOST_TRIED",
    "engine/simulation/batch.py": "MOST_ARCS MOST_ROUNDS _MOST_NODES _MOST_VICTIMS _MOST_LOOKED_AT",
    "engine/simulation/node_counts.py": "MOST_SHAPES _MOST_ALONE MOST_GROUP_NODES MOST_GROUP_SHAPES MOST_EVALUATED",
    "services/pending/pods.py": "_MOST_ADDED",
    "services/reports/sections/recommendations.py": "MOST_BUDGETS_TRIED MOST_MAKINGS MOST_ADDED",
}
# What is not kept is computed again, and what does not go at once is done later.
COSTS = {
    "engine/columns.py": "_MOST _MOST_MOVEMENTS",
    "engine/devices/allocation.py": "_MOST_KINDS _MOST_ANSWERS",
    "engine/labels.py": "_MOST_SELECTIONS _MOST_NUMBERS",
    "engine/matching.py": "_MOST_MEANT",
    "engine/plugins/pod_topology_spread.py": "_MOST_ROWS",
    "engine/scheduling/searches.py": "MOST_SCORED",
    "engine/simulation/kinds.py": "_MOST_ADMITTED _MOST_ASKED _MOST_AHEAD _MOST_TOUCHED",
    "engine/snapshot.py": "_MOST_ALIKE",
    "engine/spreading/standing.py": "_MOST_FOLLOWED",
    "services/decisions/explain.py": "_MOST_REMEMBERED",
    "services/disruption.py": "MOST_AT_ONCE _MOST_ATTEMPTS",
    "services/ingest/ingest.py": "_MOST_OBJECTS_A_REVISION",
    "services/lanes.py": "_MOST_BEGUN",
    "services/lessons/library.py": "_MOST_KEPT",
    "services/mirror/snapshots.py": "_MOST_KEPT _MOST_ATTEMPTS",
    "services/mirror/state.py": "_MOST_KEPT",
    "services/runs/summary.py": "_MOST_KEPT",
    "services/upgrading.py": "MOST_AT_ONCE",
    "services/workloads/listing.py": "_MOST_MERGED",
    "services/watching/watcher.py": "_MOST_DOUBLINGS _MOST_HEARD _MOST_RESUMPTIONS",
}
# Kubernetes' own, and what arithmetic asks for.
RULES = {
    "engine/admission/objects.py": "_MOST _MOST_ALTERNATIVES _MOST_DEVICES _MOST_ADVANCED_DEVICES _PRIORITIES_MOST",
    "engine/admission/validation.py": "_MOST_MILLI",
    "engine/configuration/reading.py": "_MAX_DURATION",
    "engine/devices/inventory.py": "MAX_RESULTS",
    "engine/disruption/budgets.py": "MOST_DISRUPTED",
    "engine/kubelet/containers.py": "MOST_SHARES _MOST",
    "engine/lessons/lesson.py": "_SKEW_AT_MOST",
    "engine/lessons/situation.py": "_MOST_PODS",
    "engine/plugin.py": "MAX_NODE_SCORE",
    "engine/plugins/dynamic_resources.py": "MOST_ALTERNATIVES MAX_DEVICES",
    "engine/plugins/image_locality.py": "_MOST_PER_CONTAINER",
    "engine/quantity.py": "MAX_INT64 _MAX_LENGTH",
    "engine/quotas.py": "_MOST_DEVICES",
    "engine/resources.py": "_MOST_NANOS",
    "engine/scheduling/cycle.py": "MAX_EXTENDER_SCORE",
    "engine/scheduling/search.py": "MOST_PERCENTAGE _MOST_SWAPS _MOST_REPAIRS",
    "engine/scheduling/searches.py": "MOST _MOST_EVIDENCE",
    "engine/scoring.py": "MAX_NODE_SCORE",
    "engine/selectors.py": "MAX_NAME MAX_PREFIX _MAX_DIGITS",
    "engine/workloads/pods.py": "MAX_REPLICAS",
}


def bounds_of(source: str) -> set[str]:
    """The bounds that a module defines, by name."""
    found = set()
    for each in ast.parse(source).body:
        targets = (
            each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
        )
        named = [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
        found |= {name.id for name in named if BOUND.search(name.id)}
    return found


def test_of_each_bound_it_is_known_what_it_does() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()} {name}"
        for ring in ("engine", "services")
        for path in (ROOT / ring).rglob("*.py")
        for name in bounds_of(path.read_text(encoding="utf-8"))
    }
    others = [
        f"{path} {name}"
        for kind in (REFUSES, SHOWN, LOOKED_FOR, COSTS, RULES)
        for path, names in kind.items()
        for name in names.split()
    ]

    known = [*SAYS, *others]
    assert len(known) == len(set(known))
    assert found == set(known), "say on every surface where a result is cut, and here what is said"


@pytest.mark.parametrize(
    "source", ["MOST_PODS = 3", "_MOST: Final = 3", "_FEW, _MOST_NODES = 1, 2", "EVALUATED: int = 9"]
)
def test_a_bound_is_noticed(source: str) -> None:
    assert bounds_of(source)


@pytest.mark.parametrize("source", ["ALMOST = 3", "def most() -> int:\n    MOST = 1\n    return MOST"])
def test_what_is_none_is_not(source: str) -> None:
    assert not bounds_of(source)
