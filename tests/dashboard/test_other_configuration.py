"""What would change under another configuration: presets, and an answer that begins with what ends elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.documents.titles import variant_title
from clusters.engine import SchedulerConfiguration
from clusters.models import Cluster, SimulationRun, Study
from clusters.services.ingest.configurations import set_feature_gates
from clusters.services.runs.working import work
from clusters.services.studies.asking import BUILT_IN, PRESETS, read_variants
from clusters.wording.runs import changes
from dashboard.presenters.runs.listing import kubernetes_of
from tests.clusters.test_workloads import zones
from tests.support.decision_cluster import pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

PAGE = "/clusters/shop/configuration/what-if/"


@pytest.fixture
def shop(tmp_path: Path) -> None:
    """Four nodes in three zones, and three pods without a controller, which no constraint spreads."""
    load(tmp_path, "shop", [*zones(), *(pod(f"alone-{on}", nodeName=on) for on in ("a1", "b1", "c1"))])


def asked(client: Client, **fields: str) -> list[SimulationRun]:
    response = client.post(PAGE, {"preset": "most-allocated", "pods": "all", "configuration": "", **fields})
    assert response.status_code == 302, response.status_code
    study = Study.objects.latest("pk")
    assert response["Location"] == f"/studies/{study.pk}/"
    return list(study.runs.order_by("pk"))


def test_bin_packing_moves_pods_together_and_the_answer_begins_with_them(shop: None, signed_in_client: Client) -> None:
    left, right = asked(signed_in_client)
    for run in (left, right):
        work(run.pk)

    study = signed_in_client.get(f"/studies/{left.study_id}/").text
    query = f"left={left.pk}&amp;right={right.pk}"
    assert f'hx-get="/simulations/compare/?{query}"' in study
    page = signed_in_client.get(f"/simulations/compare/?left={left.pk}&right={right.pk}").text
    assert "Right: Bin packing (MostAllocated)" in page
    nodes = [set(run.pods.values_list("node_name", flat=True)) for run in (left, right)]
    assert (len(nodes[0]), len(nodes[1])) == (3, 1)


def test_yours_is_the_present_configuration_edited(shop: None, signed_in_client: Client) -> None:
    assert "kind: KubeSchedulerConfiguration" in signed_in_client.get(f"{PAGE}?preset=configuration").text
    wrong = signed_in_client.post(PAGE, {"preset": "configuration", "pods": "all", "configuration": "kind: Pod"})
    assert wrong.status_code == 400
    edited = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nparallelism: 2\n"

    present, yours = asked(signed_in_client, preset="configuration", configuration=edited, pods="pending")

    assert present.spec["changes"] == yours.spec["changes"] == []
    assert yours.spec["configuration"]["parallelism"] == 2


def test_every_preset_has_a_name_and_changes_what_it_says() -> None:
    assert set(PRESETS) < set(BUILT_IN) == set(changes.BUILT_IN) - {"configuration"}
    found = {each.label: each.configuration for each in read_variants([{"kind": kind} for kind in PRESETS], None)}
    profiles = {kind: SchedulerConfiguration.from_dict(document or {}).profiles[0] for kind, document in found.items()}
    usual = SchedulerConfiguration.default().profiles[0]

    weights = {kind: profile.weights["PodTopologySpread"] for kind, profile in profiles.items()}
    assert (weights["spreading"], weights["zone-aware"]) == (10, 10)
    assert weights["most-allocated"] == weights["no-preemption"] == usual.weights["PodTopologySpread"] < 10
    assert usual.post_filter == ("DynamicResources", "DefaultPreemption")
    left_out = {kind for kind, profile in profiles.items() if "DefaultPreemption" not in profile.post_filter}
    assert left_out == {"no-preemption"}
    assert profiles["no-preemption"].post_filter == ("DynamicResources",)


@pytest.mark.parametrize("preset", sorted(set(PRESETS) & set(BUILT_IN)))
def test_a_simulation_under_a_preset_names_it_once(preset: str) -> None:
    assert variant_title(changes.preset_title(preset), preset) == changes.configuration_name(preset)
    assert variant_title(changes.preset_title(preset), "as-is") == f"{changes.preset_title(preset)}: As it is"


def test_two_runs_that_differ_only_in_their_version_say_so(shop: None, signed_in_client: Client) -> None:
    left, right = asked(signed_in_client, preset="as-is", kubernetes="v1.37")
    for run in (left, right):
        work(run.pk)

    assert (left.spec["kubernetes"], right.spec["kubernetes"]) == ("", "v1.37")
    assert left.spec["configuration"] == right.spec["configuration"]
    assert "As it is, Kubernetes 1.37" in text(signed_in_client, f"/studies/{left.study_id}/")
    page = signed_in_client.get(f"/simulations/compare/?left={left.pk}&right={right.pk}").text
    asked_differently = page[page.index('id="asked"') : page.index('id="numbers"')]
    assert re.search(r'<th scope="row">Kubernetes</th><td[^>]*>1\.34</td><td[^>]*>1\.37</td>', asked_differently)
    assert asked_differently.count('<th scope="row">') == 1


def test_the_present_configuration_on_the_present_version_is_nothing_else(shop: None, signed_in_client: Client) -> None:
    response = signed_in_client.post(PAGE, {"preset": "as-is", "pods": "all", "configuration": "", "kubernetes": ""})

    assert response.status_code == 400
    assert "Choose another configuration or version." in response.text
    assert not Study.objects.exists()


def test_a_run_on_another_version_has_the_default_gates_of_that_one(shop: None, signed_in_client: Client) -> None:
    Cluster.objects.filter(name="shop").update(kube_version="v1.36.1")
    set_feature_gates(cluster=Cluster.objects.get(name="shop"), settings="VolumeLimitScaling=true")

    left, right = asked(signed_in_client, preset="as-is", kubernetes="v1.37")

    assert left.spec["featureGates"] == {"VolumeLimitScaling": True}
    assert "featureGates" not in right.spec
    assert kubernetes_of(left.spec) == "1.36 with VolumeLimitScaling=true"
    assert kubernetes_of(right.spec) == "1.37"
