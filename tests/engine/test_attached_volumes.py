"""What is attached to a node, against what NodeVolumeLimits counts there."""

from __future__ import annotations

from clusters.engine import Snapshot
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.plugins.node_volume_limits import DriverComparison, NodeVolumeLimits
from clusters.engine.volumes import DriverUse, drivers_on
from tests.engine.builders import a_node, a_pod
from tests.engine.storage_builders import a_claim, a_csi_node, a_volume, an_attachment, csi, uses

DRIVER, OTHER = "csi.example", "other.example"


def test_volumes_of_pods_and_other_attachments_count_by_driver_as_the_plugin_counts_them() -> None:
    claims = [a_claim(name, volume=f"pv-{name}") for name in ("a", "b", "c", "new")]
    volumes = [a_volume(f"pv-{name}", csi=csi(name, driver=DRIVER)) for name in ("a", "b", "c", "new", "idle")]
    objects = [
        a_node("n0"),
        a_node("n1"),
        a_csi_node("n0", {DRIVER: 5, OTHER: 2}),
        *claims,
        *volumes,
        a_pod("p", node="n0", volumes=[uses("a"), uses("b")]),
        # The same volume twice on a node counts once, and a missing claim is passed over.
        a_pod("q", node="n0", volumes=[uses("b"), uses("gone")]),
        a_pod("elsewhere", node="n1", volumes=[uses("c")]),
        an_attachment("pv-a", "n0"),
        an_attachment("pv-idle", "n0"),
    ]
    snapshot = Snapshot.from_objects(objects)
    plugin = NodeVolumeLimits(Context(snapshot, Pod(a_pod("asking", volumes=[uses("new")])), {}))

    assert drivers_on(snapshot, "n0") == [DriverUse(DRIVER, 2, 1, 5), DriverUse(OTHER, 0, 0, 2)]
    assert drivers_on(snapshot, "n1") == [DriverUse(DRIVER, 1, 0, None)]
    assert plugin.evidence(0) == (DriverComparison(DRIVER, attached=3, requested=1, limit=5),)
