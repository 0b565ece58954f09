"""Feature gates decide which plugins there are and what they do."""

from __future__ import annotations

import pytest

from clusters.engine import ConfigurationError, SchedulerConfiguration, Snapshot, explain
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import a_node, a_pod


def test_a_gate_brings_a_plugin() -> None:
    off = RELEASES["1.35"]
    on = off.with_gates({Gate.NODE_DECLARED_FEATURES: True})

    assert "NodeDeclaredFeatures" not in SchedulerConfiguration.default(off).profiles[0].filter
    assert "NodeDeclaredFeatures" in SchedulerConfiguration.default(on).profiles[0].filter


def test_a_gate_that_the_minor_does_not_have_stays_off() -> None:
    assert not RELEASES["1.34"].with_gates({Gate.NODE_DECLARED_FEATURES: True}).enables(Gate.NODE_DECLARED_FEATURES)


def test_scoring_by_storage_has_a_shape_only_where_its_gate_is_on() -> None:
    arguments = {"shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]}
    profile = {"pluginConfig": [{"name": "VolumeBinding", "args": arguments}]}
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }

    SchedulerConfiguration.from_dict(document, RELEASES["1.37"])
    with pytest.raises(ConfigurationError) as raised:
        SchedulerConfiguration.from_dict(document, RELEASES["1.36"])

    assert raised.value.path == "profiles[0].pluginConfig[0].args.shape"


@pytest.mark.parametrize(
    ("minor", "pod", "feature"),
    [
        ("1.36", {"hostNetwork": True, "hostUsers": False}, "UserNamespacesHostNetworkSupport"),
        (
            "1.36",
            {"containers": [{"name": "a", "restartPolicyRules": [{"action": "RestartAllContainers"}]}]},
            "RestartAllContainersOnContainerExits",
        ),
        (
            "1.37",
            {"containers": [{"name": "a", "volumeMounts": [{"name": "v", "bindMountOptions": ["noexec"]}]}]},
            "VolumeBindMountOptions",
        ),
    ],
)
def test_a_pod_goes_where_the_kubelet_declares_what_it_needs(minor: str, pod: dict[str, object], feature: str) -> None:
    able = a_node("able")
    able["status"]["declaredFeatures"] = [feature]
    release = RELEASES[minor]
    wanted = a_pod()
    wanted["spec"].update(pod)
    snapshot = Snapshot.from_objects([able, a_node("plain")], release)

    found = explain(snapshot, wanted, SchedulerConfiguration.default(release).profiles[0])

    assert found.feasible == ["able"]
    rejection = found.verdict_of(snapshot.nodes.index["plain"])
    assert rejection is not None
    assert (rejection.plugin, rejection.status.reasons) == (
        "NodeDeclaredFeatures",
        ("node(s) didn't match Pod's required features",),
    )
