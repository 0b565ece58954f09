"""What the node's page says of its kubelet, by its defaults and by a configuration that somebody gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.kubelet import RankGround, SettingsOrigin, Signal
from clusters.wording import nodes as words
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ASH = "/clusters/shop/nodes/ash/"
PRESSURE = f"{ASH}pressure/"
HEAD = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
CAPACITY = {"cpu": "4", "memory": "8Gi", "ephemeral-storage": "100Gi", "pods": "110"}


def ash(**allocatable: str) -> dict[str, Any]:
    found = node("ash", "north")
    found["status"]["capacity"] = CAPACITY
    found["status"]["allocatable"] = {**CAPACITY, "memory": "8092Mi", "ephemeral-storage": "90000000000", **allocatable}
    return found


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return load(tmp_path, "shop", [ash(cpu="3800m"), pod("web", nodeName="ash", status={"phase": "Running"})])


def given(client: Client, body: str, **fields: str) -> str:
    """Send a configuration as the form does, and return what the page at the address says."""
    sent = client.post(PRESSURE, {"kubelet": f"{HEAD}{body}", **fields})
    assert sent.status_code == 302
    return text(client, sent["Location"])


def test_a_configuration_of_the_dump_counts_until_another_is_given(tmp_path: Path, signed_in_client: Client) -> None:
    kubelet: dict[str, Any] = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
    kubelet |= {"evictionHard": {"memory.available": "500Mi"}, "systemReserved": {"cpu": "200m"}}
    load(tmp_path, "shop", [ash(cpu="3800m"), {**kubelet, "shutdownGracePeriod": "30s"}])

    said = text(signed_in_client, PRESSURE)
    assert "evicts at once at memory.available<500 MiB." in said
    assert str(words.ORIGINS[SettingsOrigin.EVERY_NODE]) in said
    assert "Off, as evictionHard does not name them: nodefs.available" in said
    assert str(words.AS_DEMANDED) in said
    assert str(words.ORIGINS[SettingsOrigin.EVERY_NODE]) in text(signed_in_client, f"{ASH}shutdown/")
    assert str(words.ORIGINS[SettingsOrigin.GIVEN]) in given(signed_in_client, "")

    load(
        tmp_path, "shop", [ash(), {**kubelet, "metadata": {"name": "ash"}, "evictionSoft": {"memory.available": "1Gi"}}]
    )
    response = signed_in_client.get(PRESSURE)
    assert response.status_code == 200
    assert "Invalid configuration" in response.text


def test_defaults_are_said_to_be_assumed_and_drawn(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, PRESSURE)

    assert "evicts at once at memory.available<100 MiB, nodefs.available<10 % and imagefs.available<15 %." in said
    assert str(words.ORIGINS[SettingsOrigin.DEFAULT]) in said
    assert "nodefs.available 10 GiB (10 %) hard: at once 10 GiB (10 %) DiskPressure" in said
    assert "allocatableMemory.available 100 MiB hard: at once 100 MiB MemoryPressure" in said
    # Collection begins above 84 % as 16 % less a byte counts as 15 %.
    assert "image removal from 84 %" in said
    assert 'id="fullness-scale"' in signed_in_client.get(PRESSURE).text


def test_given_configuration_counts_and_its_address_keeps_it(cluster: Cluster, signed_in_client: Client) -> None:
    said = given(
        signed_in_client,
        "evictionHard: {memory.available: 1Gi}\n"
        "evictionSoft: {nodefs.available: 20%}\n"
        "evictionSoftGracePeriod: {nodefs.available: 90s}\n"
        "evictionMinimumReclaim: {memory.available: 512Mi}\n"
        "imageGCHighThresholdPercent: 100\n"
        "evictionHart: {}\n",
    )

    assert "evicts at once at memory.available<1 GiB." in said
    assert "memory.available 1 GiB hard: at once 1.5 GiB MemoryPressure" in said
    assert "nodefs.available 20 GiB (20 %) soft: after 90 s 20 GiB (20 %) DiskPressure" in said
    assert words.IGNORED_FIELDS(names="evictionHart") in said
    # Nothing of it is stored.
    assert str(words.ORIGINS[SettingsOrigin.DEFAULT]) in text(signed_in_client, PRESSURE)


def test_configuration_with_which_no_kubelet_starts_is_refused_with_its_line(
    cluster: Cluster, signed_in_client: Client
) -> None:
    for body, said in [
        (
            "evictionSoft:\n  memory.available: 1Gi\n",
            "Invalid configuration, line 4: evictionSoft.memory.available There is no evictionSoftGracePeriod.memory",
        ),
        ("evictionHard: [\n", "Invalid configuration, line 4"),
        ("evictionHard: {memory.available: 1Gi, memory.available: 10%}\n", "memory.available"),
        ("kubeReserved: {gpu: '1'}\n", "Write cpu, memory, ephemeral-storage or pid."),
    ]:
        shown = given(signed_in_client, body)
        assert said in shown
        assert "Invalid configuration" in shown
        assert "hard: at once" not in shown


def test_long_configuration_is_answered_without_an_address(cluster: Cluster, signed_in_client: Client) -> None:
    # What hardly compresses does not fit into an address.
    unlike = "".join(f"# {number * 7919 % 1_000_003}\n" for number in range(4_000))
    fine = signed_in_client.post(PRESSURE, {"kubelet": f"{HEAD}{unlike}evictionHard: {{memory.available: 2Gi}}"})
    wrong = signed_in_client.post(PRESSURE, {"kubelet": f"{HEAD}{unlike}evictionHard: 5"})

    assert fine.status_code == 200
    assert "memory.available&lt;2" in fine.text
    assert wrong.status_code == 400


def test_damaged_address_says_so(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, f"{PRESSURE}?kubelet=xyz")

    assert "Give the configuration again below." in said
    assert signed_in_client.get(f"{PRESSURE}?layout=none").status_code == 200


# -- what is enforced ----------------------------------------------------------------------------------------------


def placed(name: str, **kinds: dict[str, str]) -> dict[str, Any]:
    found = pod(name, nodeName="ash", status={"phase": "Running"})
    found["spec"]["containers"] = [{"name": "main", "image": "web", "resources": kinds}]
    return found


def test_pod_says_what_is_enforced_for_it(tmp_path: Path, signed_in_client: Client) -> None:
    web = placed("web", requests={"cpu": "250m", "memory": "1Gi"}, limits={"cpu": "500m", "memory": "2Gi"})
    web["spec"]["containers"][0]["resources"]["limits"]["ephemeral-storage"] = "512Mi"
    web["spec"]["volumes"] = [{"name": "scratch", "emptyDir": {"sizeLimit": "1Gi"}}]
    load(tmp_path, "shop", [ash(), web])
    said = text(signed_in_client, "/clusters/shop/pods/shop/web/?at=now")

    assert "emptyDir sizeLimits count too: scratch 1 GiB." in said
    assert "whole pod 256 10 50 000 µs in 100 ms 2 GiB 512 MiB" in said
    assert (
        "main container 256 10, or 35 since runc 1.3.2 and crun 1.23 50 000 µs in 100 ms 2 GiB 512 MiB 875 "
        "1000 − 1000 × request / node memory."
    ) in said


def test_containers_are_killed_by_their_scores(tmp_path: Path, signed_in_client: Client) -> None:
    both = {"cpu": "1", "memory": "1Gi"}
    pods = [placed("safe", requests=both, limits=both), placed("some", requests={"memory": "4Gi"}), placed("bare")]
    load(tmp_path, "shop", [ash(), *pods])
    said = text(signed_in_client, f"{ASH}oom/")

    assert "main container shop/bare BestEffort 0 B 1 000" in said
    assert said.index("shop/some Burstable 4 GiB 500") < said.index("shop/safe Guaranteed 1 GiB −997")


# -- the order of evictions ----------------------------------------------------------------------------------------


def test_order_is_that_of_what_the_node_is_short_of(cluster: Cluster, signed_in_client: Client) -> None:
    pids = text(signed_in_client, f"{PRESSURE}?signal=pid.available")
    disk = text(signed_in_client, f"{PRESSURE}?signal=nodefs.available")
    split = text(signed_in_client, f"{PRESSURE}?signal=imagefs.available&layout=images-split")

    assert words.EVICTABLE(resource=words.SHORT_OF[Signal.PIDS], pods=1) in pids
    assert "Removed before any eviction" not in pids
    assert str(words.GROUNDS[RankGround.NOTHING_REQUESTED]) in disk
    assert str(words.NOTHING_COUNTED) in split
    assert words.RECLAIMS_FIRST(what="unused images") in split
    # On one file system that of images has no order of its own.
    assert "Memory limit" in text(signed_in_client, f"{PRESSURE}?signal=imagefs.available")


def test_soft_thresholds_give_pods_time(tmp_path: Path, signed_in_client: Client) -> None:
    web = placed("web")
    web["spec"]["terminationGracePeriodSeconds"] = 45
    load(tmp_path, "shop", [ash(), web])
    soft = "evictionSoft: {memory.available: 1Gi}\nevictionSoftGracePeriod: {memory.available: 1m}\n"

    assert words.SOFT_GRACE(most=0) in given(signed_in_client, soft)
    said = given(signed_in_client, f"{soft}evictionMaxPodGracePeriod: 60\n")
    assert words.SOFT_GRACE(most=60) in said
    assert "none none 45 s" in said


# -- graceful shutdown ---------------------------------------------------------------------------------------------

SHUTDOWN = f"{ASH}shutdown/"


def test_pods_are_terminated_by_priority_each_within_its_group(tmp_path: Path, signed_in_client: Client) -> None:
    slow, quick, critical = placed("slow"), placed("quick"), placed("dns")
    slow["spec"]["terminationGracePeriodSeconds"] = 120
    quick["spec"]["terminationGracePeriodSeconds"] = 5
    critical["spec"]["priority"] = 2_000_001_000
    load(tmp_path, "shop", [ash(), slow, quick, critical])
    body = f"{HEAD}shutdownGracePeriod: 40s\nshutdownGracePeriodCriticalPods: 10s\n"
    sent = signed_in_client.post(SHUTDOWN, {"kubelet": body})
    said = text(signed_in_client, sent["Location"])

    assert f"{words.TERMINATES(node='ash', pods=3, seconds=40)} {words.CUT(pods=2)}" in said
    assert words.GROUP(pods=2, priority=0) in said
    assert "shop/ slow 0 0 s 120 s 30 s shop/ quick 0 0 s 5 s 5 s shop/ dns 2 000 001 000 30 s 30 s 10 s" in said
    assert 'id="shutdown-timeline"' in signed_in_client.get(sent["Location"]).text


def test_wrong_shutdown_is_refused_with_its_field(cluster: Cluster, signed_in_client: Client) -> None:
    sent = signed_in_client.post(SHUTDOWN, {"kubelet": f"{HEAD}shutdownGracePeriod: 500ms\n"})

    assert "line 3: shutdownGracePeriod" in text(signed_in_client, sent["Location"])
