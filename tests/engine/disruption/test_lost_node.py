"""What becomes of a pod, its replacement and its volumes once its node fails."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption import LostNodeStep, NodeFault, fault_outlooks, fault_removals, lost_node_events
from clusters.engine.objects import Pod
from clusters.engine.volumes import ExclusiveVolume, exclusive_volumes
from tests.engine.builders import a_node, a_pod
from tests.engine.disruption.test_node_faults import DAEMON, USUAL
from tests.engine.storage_builders import a_claim, a_csi_node, a_volume, csi, uses

ROOM = [a_node(f"a{number}", zone="a") for number in range(4)]


def pod(kind: str = "", **spec: Any) -> dict[str, Any]:
    made = a_pod("web-0", node="a0", **{"tolerations": USUAL, **spec})
    if kind:
        made["metadata"]["ownerReferences"] = [{"kind": kind, "name": "web", "uid": "web", "controller": True}]
    return made


def events(made: dict[str, Any], fault: NodeFault, *volumes: ExclusiveVolume) -> list[tuple[LostNodeStep, int | None]]:
    removals = fault_removals(fault_outlooks(Snapshot.from_objects(ROOM), "a0", "1.34"), made["spec"]["tolerations"])
    removal = next(each for each in removals if each.outlook.fault is fault)
    return [(event.step, event.at) for event in lost_node_events(removal, Pod(made), volumes)]


STEP = LostNodeStep
DATA = ExclusiveVolume("data", "csi.example", ("ReadWriteOnce",))


def test_e59_a_silent_node_is_unknown_first_and_loses_its_pods_five_minutes_later() -> None:
    """The documentation's 40 seconds are of releases before 1.32; since then it is 50."""
    assert events(pod("ReplicaSet"), NodeFault.UNREACHABLE) == [
        (STEP.SILENT, 0),
        (STEP.UNKNOWN, 50),
        (STEP.TAINTED, 50),
        (STEP.DELETED, 350),
        (STEP.REPLACED, 350),
        (STEP.STAYS_TERMINATING, None),
        (STEP.OUT_OF_SERVICE, None),
    ]
    before = fault_outlooks(Snapshot.from_objects(ROOM), "a0", "1.31")[0]
    assert (before.grace, before.tainted_after) == (40, 40)


def test_a_stateful_sets_replacement_waits_until_the_object_is_gone_and_the_volume_for_the_force_detach() -> None:
    found = dict(events(pod("StatefulSet"), NodeFault.UNREACHABLE, DATA))

    assert found[STEP.REPLACED_ONCE_GONE] is None
    assert STEP.REPLACED not in found
    assert {STEP.VOLUMES_ATTACHED, STEP.FORCE_DETACHED, STEP.OUT_OF_SERVICE} <= set(found)


def test_a_kubelet_that_still_works_ends_the_pod_after_its_grace_period() -> None:
    found = dict(events(pod("StatefulSet", terminationGracePeriodSeconds=10), NodeFault.NOT_READY, DATA))

    assert found[STEP.DELETED] == 300
    assert found[STEP.ENDS] == found[STEP.REPLACED_ONCE_GONE] == found[STEP.VOLUMES_DETACHED] == 310
    assert STEP.STAYS_TERMINATING not in found
    assert dict(events(pod(), NodeFault.NOT_READY))[STEP.ENDS] == 330, "30 s where the pod says nothing"


@pytest.mark.parametrize("fault", list(NodeFault))
def test_a_daemon_sets_pod_stays(fault: NodeFault) -> None:
    steps = [step for step, _ in events(pod("DaemonSet", tolerations=DAEMON), fault)]

    assert steps[-1] is STEP.KEPT
    assert STEP.DELETED not in steps


def test_volumes_that_one_node_alone_can_attach() -> None:
    claims = {"own": ["ReadWriteOnce"], "one": ["ReadWriteOncePod"], "shared": ["ReadWriteMany"], "none": []}
    objects = [
        document
        for name, modes in claims.items()
        for document in (a_claim(name, volume=f"pv-{name}"), a_volume(f"pv-{name}", modes=modes, csi=csi(name)))
    ]
    unattached = {"kind": "CSIDriver", "metadata": {"name": "nfs.example"}, "spec": {"attachRequired": False}}
    extra = [
        a_claim("files", volume="pv-files"),
        a_volume("pv-files", csi=csi("files", "nfs.example")),
        a_claim("local", volume="pv-local"),
        a_volume("pv-local", local={"path": "/d"}),
        a_claim("unbound"),
        unattached,
    ]
    made = a_pod("web-0", node="a0", volumes=[uses(name) for name in (*claims, "files", "local", "unbound", "absent")])
    snapshot = Snapshot.from_objects([*ROOM, a_csi_node("a0"), *objects, *extra, made])

    found = exclusive_volumes(snapshot, Pod(made))

    assert [(each.claim, each.driver) for each in found] == [("own", "csi.example"), ("one", "csi.example")]
