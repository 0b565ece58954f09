"""A live cluster is explained and judged by the configuration that its operator gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from clusters.models import Cluster
from clusters.services.explain import configuration_of
from tests.support.mirrored import text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

PACKING = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: packing
    pluginConfig:
      - name: NodeResourcesFit
        args:
          scoringStrategy:
            type: MostAllocated
            resources: [{name: cpu, weight: 1}]
    plugins:
      score:
        disabled: [{name: ImageLocality}]
"""


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.objects.create(name="prod", source=Cluster.Source.LIVE, kubeconfig="/nowhere", context="here")


def address() -> str:
    return reverse("cluster-configuration", kwargs={"cluster": "prod"})


def schedulers(cluster: Cluster) -> list[str]:
    cluster.refresh_from_db()
    return [profile.scheduler_name for profile in configuration_of(cluster).profiles]


def test_defaults_are_assumed_and_said(cluster: Cluster, admin_client: Client) -> None:
    words = text(admin_client, address())

    assert "by kube-scheduler’s defaults" in words
    assert "default-scheduler" in words
    assert "TaintToleration (3)" in words


def test_a_configuration_is_taken_shown_and_left_again(cluster: Cluster, admin_client: Client) -> None:
    assert admin_client.post(address(), {"text": PACKING}).status_code == 302
    assert schedulers(cluster) == ["packing"]
    words = text(admin_client, address())
    assert "packing" in words
    assert "MostAllocated" in words
    assert "ImageLocality (1)" not in words

    admin_client.post(address(), {"default": "1"})
    assert schedulers(cluster) == ["default-scheduler"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("kind: [", "line"),
        ("", "Paste the configuration"),
        ("a: 1\n---\nb: 2", "It holds 2 documents."),
        ("apiVersion: v1\nkind: Pod", "KubeSchedulerConfiguration"),
        (PACKING.replace("MostAllocated", "Densest"), "scoringStrategy"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(
    cluster: Cluster, admin_client: Client, written: str, said: str
) -> None:
    response = admin_client.post(address(), {"text": written})

    assert response.status_code == 400
    assert said in response.text
    assert schedulers(cluster) == ["default-scheduler"]


def test_who_may_not_add_clusters_may_look_only(cluster: Cluster, client: Client, django_user_model: type) -> None:
    client.force_login(django_user_model.objects.create_user("reader", password="x"))  # type: ignore[attr-defined]

    assert "Whoever may add clusters may change it." in text(client, address())
    assert client.post(address(), {"text": PACKING}).status_code == 403
    assert schedulers(cluster) == ["default-scheduler"]


def test_dumps_bring_their_own(admin_client: Client) -> None:
    Cluster.objects.create(name="prod")

    assert admin_client.get(address()).status_code == 404


def test_the_terminal_does_the_same(cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scheduler.yaml"
    path.write_text(PACKING)
    call_command("configure", "prod", str(path))
    assert schedulers(cluster) == ["packing"]
    assert "the profiles packing" in capsys.readouterr().out

    path.write_text(PACKING.replace("MostAllocated", "Densest"))
    with pytest.raises(SystemExit) as ended:
        call_command("configure", "prod", str(path))
    assert ended.value.code == 2
    assert "scheduler.yaml" in capsys.readouterr().err
    assert schedulers(cluster) == ["packing"]

    call_command("configure", "prod", "--default")
    assert schedulers(cluster) == ["default-scheduler"]
    with pytest.raises(CommandError, match="no live cluster other"):
        call_command("configure", "other", "--default")
