"""Every part that says of pods that they fit: growth, roll-outs, drains, what a node would take, studies, lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.documents.values import packed_values, read_values
from clusters.engine.conclusion import AppliedQuota, FilteringExtender, ForeignPlugin, Uncertainty, UncomputedField
from clusters.engine.disruption.drains import Landing
from clusters.models import Study
from clusters.services import studies
from clusters.services.decisions.takers import takers_of
from clusters.services.runs.spec import read_spec
from clusters.services.studies.asking import work_on_part
from clusters.wording.drains import landing as landing_sentence
from clusters.wording.workloads import ROLLOUT
from dashboard.presenters.nodes import page as node_takers
from dashboard.presenters.runs.compare import part_view
from dashboard.presenters.workloads.changes import growth_view, update_view
from tests.clusters.dumps import pod
from tests.clusters.test_workloads import WEB, deployed, grown, updated, zones
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

QUOTA = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "few", "namespace": "shop", "uid": "few"},
    "spec": {"hard": {"pods": "9"}},
}
CLAIMS = [{"name": "gpu", "resourceClaimName": "gpu"}]
CLAIMED = "resource claims are not computed (DynamicResources)"
MANIFEST = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: main, image: api, resources: {requests: {cpu: "1"}}}]}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    return load(
        tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 2}), QUOTA, pod("device", resourceClaims=CLAIMS)]
    )


def test_more_replicas_come_to_be_as_long_as_a_quota_allows(shop: Cluster) -> None:
    # Nine pods are allowed, and five there; the quota has no status, so that they are counted.
    found, growth = grown(shop, WEB, 6)

    view = growth_view(found, found.states[WEB], growth)
    assert (view["verdict"], view["verdict_text"], len(growth.landings)) == ("rejected", "4 of 6 fit", 4)
    assert view["next_pod"] == 5
    assert view["message"] == (
        'pods "web-more-5" is forbidden: exceeded quota: few, requested: pods=1, used: pods=9, limited: pods=9'
    )
    assert view["refusal"] == (
        "ResourceQuota shop/few refuses it. Raise pods of ResourceQuota shop/few, or request less."
    )


def test_one_more_pod_that_a_quota_refuses_is_not_said_to_fit(tmp_path: Path, signed_in_client: Client) -> None:
    full = {**QUOTA, "status": {"hard": {"pods": "4"}, "used": {"pods": "4"}}}
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 2}), full])

    page = text(signed_in_client, "/clusters/shop/workloads/Deployment/shop/web/")

    assert "One more: ResourceQuota shop/few refuses it." in page
    assert "One more: Fits" not in page


def test_a_rollout_is_certain_where_a_quota_has_room_for_its_surge(shop: Cluster) -> None:
    assert update_view(updated(shop))["verdict"] == "fits"


def test_a_rollout_waits_for_old_pods_to_go_where_a_quota_refuses_its_surge(tmp_path: Path) -> None:
    full = {**QUOTA, "status": {"hard": {"pods": "4"}, "used": {"pods": "4"}}}
    cluster = load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 2}), full])

    view = update_view(updated(cluster))

    assert (view["verdict"], view["verdict_text"]) == ("fits", "Completes")
    assert view["is_delayed"]
    assert view["meanwhile"] == ROLLOUT(most=4, fewest=3)
    assert view["rounds"][0].pending == "0, and 1 not created"


def test_a_rollout_stalls_under_an_over_used_quota_with_the_message_of_the_api_server(tmp_path: Path) -> None:
    over = {**QUOTA, "status": {"hard": {"pods": "2"}, "used": {"pods": "4"}}}
    cluster = load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 2}), over])

    view = update_view(updated(cluster))

    assert (view["verdict"], view["verdict_text"]) == ("rejected", "Stalls")
    assert view["last"] is not None
    assert view["last"].uncreated == 2
    assert view["refusal"].startswith("ResourceQuota shop/few refuses it.")
    assert "exceeded quota: few, requested: pods=1, used: pods=3, limited: pods=2" in view["message"]


def test_a_node_takes_an_uncertain_pod_uncertainly(shop: Cluster) -> None:
    takers = takers_of(cluster=shop, node="a1")

    (view,) = map(node_takers.taker_view, takers.candidates)
    assert (view.verdict, view.verdict_text) == ("uncertain", "Uncertain")
    assert f"Uncertain: {CLAIMED}." in view.sentence
    said = node_takers.takers_sentence(takers, "a1")
    assert "0 of 1 pending pods fit on a1 now, evaluated independently. Uncertain: 1." in said


def test_headroom_ends_where_a_quota_does(shop: Cluster) -> None:
    asked = read_spec({"base": {"kind": "cluster"}})
    study = studies.create_headroom(
        cluster=shop, spec=asked, shapes=[{"mix": [{"text": MANIFEST}]}], title="", user=None
    )
    for part in study.parts.all():
        work_on_part(part.pk)

    part = study.parts.get()
    view = part_view(part, Study.Kind(study.kind))
    assert (part.result or {})["uncertainties"] == []
    # Nine pods are allowed, and five there.
    assert view.sentence == "4 more on 4 nodes."
    assert "exceeded quota: few, requested: pods=1, used: pods=9, limited: pods=9" in view.stop


@pytest.mark.parametrize(
    "each",
    [
        UncomputedField("DynamicResources", "spec.resourceClaims"),
        ForeignPlugin("Coscheduling"),
        FilteringExtender("http://extender.example", ("example.com/foo",), ignorable=True),
        AppliedQuota("shop", "few"),
    ],
)
def test_a_kept_plan_of_a_drain_knows_what_is_uncertain(each: Uncertainty) -> None:
    landing = Landing("n1", feasible=2, best=1, uncertain=(each,))

    assert read_values(packed_values(landing)) == landing
    assert landing_sentence(landing).startswith("The best of 2 feasible nodes. Uncertain: ")


def test_what_if_charges_the_quota(shop: Cluster, tmp_path: Path, signed_in_client: Client) -> None:
    full = {**QUOTA, "status": {"hard": {"pods": "5"}, "used": {"pods": "5"}}}
    load(tmp_path, "full", [*zones(), full, pod("there")])
    created = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "new", "namespace": "shop"}}
    body = {"pod": {**created, "spec": {"containers": [{"name": "main", "image": "app:1"}]}}}

    allowed, refused = (
        signed_in_client.post(f"/api/v1/clusters/{cluster}/explanation", body, content_type="application/json").json()
        for cluster in ("shop", "full")
    )

    assert (allowed["explanation"]["conclusion"], allowed["admission"]) == ("fits", [])
    (why,) = refused["admission"]
    assert why["what"] == (
        'pods "new" is forbidden: exceeded quota: few, requested: pods=1, used: pods=5, limited: pods=5'
    )
    # A pod that exists takes its own place again.
    edited = text(signed_in_client, "/clusters/full/pods/shop/there/what-if/?change=halve-requests")
    assert "exceeded quota" not in edited
