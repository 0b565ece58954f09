"""A pod re-evaluated under another Kubernetes version, and two what-ifs that differ in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from tests.dashboard.test_what_if import address
from tests.support.decision_cluster import ingested, node, pod, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


@pytest.fixture(autouse=True)
def fresh_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def tainted(tmp_path: Path) -> Cluster:
    one = node("n1", "north", taints=[TAINT])
    version = {"nodeInfo": {"kubeletVersion": "v1.34.1"}}
    return ingested(tmp_path, [{**one, "status": {**one["status"], **version}}, pod("alone")])


def test_a_version_alone_is_judged_and_said(signed_in_client: Client, tainted: Cluster) -> None:
    response = signed_in_client.post(address("alone"), {"kubernetes": "v1.37"}, follow=True)

    assert response.redirect_chain == [(address("alone", "?kubernetes=v1.37"), 302)]
    page = text(response)
    assert "Left: Kubernetes 1.34; right: 1.37." in page
    assert "had untolerated taint {dedicated: gpu}" in page
    assert "had untolerated taint(s)" in page
    assert "no new claims to deallocate" in page
    assert '<option value="v1.37" selected>' in response.content.decode()


def test_two_what_ifs_can_differ_in_the_version_alone(signed_in_client: Client, tainted: Cluster) -> None:
    query = "?change=halve-requests&kubernetes=v1.37&left-change=halve-requests&left-kubernetes=v1.35"
    page = text(signed_in_client.get(address("alone", query)))
    assert "Left: Kubernetes 1.35; right: 1.37." in page

    query = "?change=tolerate-everything&kubernetes=v1.37&left-kubernetes=v1.35"
    page = text(signed_in_client.get(address("alone", query)))
    assert "Left: Kubernetes 1.35; right: 1.37." in page
    assert "nothing else differs" not in page


def test_the_cluster_s_own_version_is_no_change(signed_in_client: Client, tainted: Cluster) -> None:
    response = signed_in_client.post(address("alone"), {"kubernetes": "v1.34"}, follow=True)

    assert response.redirect_chain == [(address("alone"), 302)]


def test_a_configuration_is_read_as_the_version_that_is_chosen(signed_in_client: Client, tainted: Cluster) -> None:
    waits = "profiles: [{pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 90s}}]}]"
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    sent = {"configuration": head + waits}

    refused = signed_in_client.post(address("alone"), sent, follow=True)
    taken = signed_in_client.post(address("alone"), {**sent, "kubernetes": "v1.37"}, follow=True)

    assert "profiles[0].pluginConfig[0].args.bindingTimeout" in text(refused)
    assert "profiles[0].pluginConfig[0].args.bindingTimeout" not in text(taken)


def test_a_version_that_is_not_known_is_refused(signed_in_client: Client, tainted: Cluster) -> None:
    response = signed_in_client.get(address("alone", "?kubernetes=v1.99"))

    assert response.status_code == 400
    assert "Kubernetes “v1.99” is not known" in text(response)
