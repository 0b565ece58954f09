"""In which order nodes are searched, and where the next search begins, when a search ends early."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.columns import zone_key
from clusters.engine.simulation import Case, Outcome, Simulation, Wanted
from tests.engine.builders import a_node, a_pod

OLD = "failure-domain.beta.kubernetes.io"
NEW = "topology.kubernetes.io"


def test_the_old_labels_of_a_zone_go_first() -> None:
    both = {f"{OLD}/region": "r", f"{OLD}/zone": "old", f"{NEW}/zone": "new", f"{NEW}/region": "s"}

    assert zone_key(both) == ("r", "old")
    assert zone_key({f"{OLD}/zone": "", f"{NEW}/zone": "new", f"{NEW}/region": "s"}) == ("s", "")
    assert zone_key({f"{NEW}/zone": "new"}) == ("", "new")
    assert zone_key({}) == ("", "")


def test_the_next_search_begins_after_the_nodes_of_one_in_vain_as_well() -> None:
    """A pod that is meant for one node is tried there alone, and so is one with a nominated node that fits."""
    names = [f"n{number:03d}" for number in range(200)]
    old = [{"key": "old", "effect": "PreferNoSchedule"}]
    nodes = [a_node(each, taints=() if each in ("n000", "n100") else old) for each in names]
    name = {"key": "metadata.name", "operator": "In", "values": ["n007"]}
    affinity = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [name]}]}
        }
    }
    pods = [
        a_pod("pinned", requests={"cpu": "100"}, affinity=affinity, priority=2),
        a_pod("nominated", nominated="n190", priority=1),
        *(a_pod(f"p{number}") for number in range(3)),
    ]
    case = Case(
        Snapshot.from_objects(nodes), SchedulerConfiguration.default(), [Wanted(pod) for pod in pods], samples=True
    )
    steps = list(Simulation(case))

    assert [(step.outcome, step.looked_at) for step in steps[:2]] == [(Outcome.UNSCHEDULABLE, 1), (Outcome.PLACED, 1)]
    assert steps[1].node == "n190"
    # One hundred nodes each time, from the second one on, and of those the one that is not disliked.
    assert [(step.looked_at, step.node) for step in steps[2:]] == [(100, "n100"), (100, "n000"), (100, "n100")]
