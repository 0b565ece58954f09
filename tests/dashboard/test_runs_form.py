"""The form from which simulations are put together: what it adds, refuses, keeps and tells."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from clusters.models import SimulationRun
from dashboard.forms.runs.settings import packed, unpacked
from dashboard.forms.runs.workloads import workload_of
from dashboard.presenters.runs.listing import simulate_url
from tests.dashboard.test_runs import LOST, MORE, NEW, done, ordered
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIKE_GHOST = {"change": "add-nodes", "count": 1, "like": "ghost"}
UNBUDGETED = {"change": "remove-budget", "namespace": "shop", "name": "web"}
MANIFEST = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: main, image: api, resources: {requests: {cpu: 100m}}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
"""


def built(response: Any) -> list[dict[str, Any]]:
    """Return the changes that a form carries."""
    (state,) = re.findall(r'name="changes" value="([\w-]*)"', response.text)
    return unpacked(state)


def test_each_small_form_adds_its_change(shop: Cluster, signed_in_client: Client) -> None:
    for name, fields, entry, words in [
        (
            "scale",
            {"workload": "Deployment shop/web", "count": "40", "how": "more"},
            MORE,
            "Add 40 replicas to Deployment",
        ),
        ("lose-zone", {"zone": "b", "how": "gone"}, LOST, "Lose zone b: nodes removed"),
        (
            "drain-nodes",
            {"nodes": "a1, b1"},
            {"change": "drain-nodes", "nodes": ["a1", "b1"]},
            "Drain nodes: a1 and b1",
        ),
        (
            "fail-nodes",
            {"nodes": "a1", "how": "not-ready"},
            {"change": "fail-nodes", "nodes": ["a1"], "how": "not-ready"},
            "Nodes become NotReady: a1",
        ),
        ("remove-nodes", {"zone": "c"}, {"change": "remove-nodes", "zone": "c"}, "Remove nodes: zone c"),
        (
            "cordon",
            {"what": "uncordon", "selector": "pool=spot"},
            {"change": "uncordon", "selector": "pool=spot"},
            "Uncordon nodes: pool=spot",
        ),
        (
            "taint-nodes",
            {"nodes": "a1", "taints": "team=x:NoSchedule old-"},
            {
                "change": "taint-nodes",
                "nodes": ["a1"],
                "taints": [{"key": "team", "effect": "NoSchedule", "value": "x"}],
                "remove": ["old"],
            },
            "Taint a1: team=x:NoSchedule, old-",
        ),
        (
            "label-nodes",
            {"nodes": "a1", "labels": "pool=spot, old-"},
            {"change": "label-nodes", "nodes": ["a1"], "labels": {"pool": "spot", "old": None}},
            "Label a1: pool=spot, old-",
        ),
        (
            "add-nodes",
            {"count": "3", "cpu": "8", "memory": "32Gi", "zones": "a, b"},
            {"change": "add-nodes", "count": 3, "cpu": "8", "memory": "32Gi", "zones": ["a", "b"]},
            "Add 3 nodes of 8 CPU, 32Gi in a and b",
        ),
        (
            "remove-budget",
            {"budget": "shop/web"},
            {"change": "remove-budget", "namespace": "shop", "name": "web"},
            "Remove disruption budget shop/web",
        ),
    ]:
        sent = {f"{name}-{field}": value for field, value in fields.items()}
        response = signed_in_client.post(NEW, {"changes": packed([LOST]), "add": name, **sent})
        assert built(response) == [LOST, entry]
        assert words in re.sub(r"\s+", " ", response.text)


def test_changes_are_removed_and_words_of_other_forms_stay(shop: Cluster, signed_in_client: Client) -> None:
    sent = {"changes": packed([MORE, LOST]), "take_out": "0", "scale-workload": "Deployment shop/half-written"}

    response = signed_in_client.post(NEW, sent)

    assert built(response) == [LOST]
    assert response.status_code == 200
    assert 'value="Deployment shop/half-written"' in response.text


def test_a_manifest_adds_what_is_simulated_and_says_what_is_not(shop: Cluster, signed_in_client: Client) -> None:
    response = signed_in_client.post(NEW, {"changes": "", "add": "manifest", "manifest-manifest": MANIFEST})

    (change,) = built(response)
    assert (change["change"], change["manifest"]["metadata"]["name"]) == ("add-workload", "api")
    assert "Add Deployment shop/api" in response.text
    assert "Partly simulated" in response.text


def test_a_trace_travels_in_the_form(shop: Cluster, signed_in_client: Client) -> None:
    rows = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
    )
    pods = SimpleUploadedFile("pods.csv", f"{rows}\np-1,1000,1024,0,0,,LS,Running,0,10,0\n".encode())
    broken = SimpleUploadedFile("pods.csv", f"{rows}\np-1,many,1024,0,0,,LS,Running,0,10,0\n".encode())

    taken = signed_in_client.post(NEW, {"changes": "", "add": "trace", "trace-pods": pods})
    refused = signed_in_client.post(NEW, {"changes": "", "add": "trace", "trace-pods": broken})

    (change,) = built(taken)
    assert (change["change"], len(change["pods"])) == ("trace", 1)
    assert "Replay a trace: 1 pod" in taken.text
    assert refused.status_code == 400
    assert "pods.csv" in refused.text


@pytest.mark.parametrize("given", ["Deployment shop/web", "Deployment/shop/web", "  Deployment  shop/web "])
def test_a_workload_is_written_as_a_row_or_as_an_address_has_it(given: str) -> None:
    assert workload_of(given, ()) == ("Deployment", "shop", "web")


KNOWN = ("Deployment shop/web", "StatefulSet shop/db", "Deployment ml/db", "Job ml/db")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("shop/web", ("Deployment", "shop", "web")),
        ("web", ("Deployment", "shop", "web")),
        (" shop/db ", ("StatefulSet", "shop", "db")),
        ("Job ml/db", ("Job", "ml", "db")),
        ("Job other/web", ("Job", "other", "web")),
    ],
)
def test_a_workload_needs_no_kind_where_only_one_is_called_so(given: str, found: tuple[str, str, str]) -> None:
    assert workload_of(given, KNOWN) == found


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("ml/db", "Write Deployment ml/db or Job ml/db."),
        ("db", "Write StatefulSet shop/db, Deployment ml/db or Job ml/db."),
        ("shop/we", "There is no shop/we.*Write .* shop/web"),
        ("nothing/like-it", "There is no nothing/like-it.']"),
        ("op/web", "There is no op/web."),
        ("", "is not like"),
        ("shop web", "is not like"),
        ("Deployment shop web", "is not like"),
        ("Deployment shop/", "is not like"),
        ("Deployment/shop/web/more", "is not like"),
    ],
)
def test_what_is_no_workload_is_refused(given: str, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        workload_of(given, KNOWN)


def test_what_is_wrong_is_said_where_it_is(shop: Cluster, signed_in_client: Client) -> None:
    for sent, problem in [
        ({"add": "scale"}, "This field is required."),
        ({"add": "scale", "scale-workload": "ghost", "scale-count": "3"}, "There is no ghost."),
        ({"add": "lose-zone", "lose-zone-zone": "z"}, "There is no zone z, only a, b, c."),
        ({"add": "taint-nodes", "taint-nodes-nodes": "a1", "taint-nodes-taints": "x"}, "“x” is not key=value:Effect"),
        ({"add": "manifest", "manifest-manifest": "kind: [unclosed"}, "id_manifest-manifest"),
        ({"start": "1", "changes": packed([{"change": "drain-nodes", "nodes": ["ghost"]}])}, "No such nodes: ghost."),
        ({"start": "1", "changes": packed([{**MORE, "name": "ghost"}])}, "There is no Deployment shop/ghost."),
        ({"start": "1", "changes": packed([LIKE_GHOST])}, "No such nodes: ghost."),
        ({"start": "1", "changes": packed([UNBUDGETED])}, "There is no budget shop/web."),
        ({"start": "1", "base": "empty", "changes": packed([MORE])}, "There is no Deployment shop/web."),
        ({"start": "1", "configuration": "profiles: 3"}, "profiles"),
        ({"start": "1", "changes": "%%%"}, "The changes are damaged or too large. Start over."),
        ({"start": "1", "seed": "-1"}, "Write 0 or more."),
    ]:
        response = signed_in_client.post(NEW, {"changes": "", "seed": "0", **sent})
        assert response.status_code == 400
        assert problem in response.text
        assert not SimulationRun.objects.exists()


def test_what_earlier_changes_add_is_there_for_later_ones(shop: Cluster, signed_in_client: Client) -> None:
    form = signed_in_client.post(NEW, {"changes": "", "add": "manifest", "manifest-manifest": MANIFEST})
    more = {**MORE, "name": "api"}
    like = {"change": "add-nodes", "count": 1, "prefix": "new", "cpu": "4", "memory": "8Gi"}
    cordon = {"change": "cordon", "nodes": ["new-1"]}

    run = ordered(signed_in_client, *built(form), more, like, cordon)

    assert [each["change"] for each in run.spec["changes"]] == ["add-workload", "scale", "add-nodes", "cordon"]


def test_what_a_manifest_leaves_out_is_told_of_its_run(shop: Cluster, signed_in_client: Client) -> None:
    sent = {"changes": "", "add": "manifest", "manifest-manifest": MANIFEST}
    form = signed_in_client.post(NEW, sent)
    notes = [unescape(note) for note in re.findall(r'name="note" value="([^"]*)"', form.text)]

    run = done(signed_in_client, *built(form), note=notes)

    assert run.spec["notes"] == [{"kind": "KindNotRead", "kindOfObject": "ConfigMap", "because": "no-say"}]
    said = "ConfigMap objects are left out: the scheduler does not read them."
    assert said in text(signed_in_client, f"/simulations/{run.pk}/")
    assert 'name="note"' in signed_in_client.get(f"{NEW}?run={run.pk}").text
    without = signed_in_client.post(NEW, {"changes": packed(built(form)), "note": notes, "take_out": "0"})
    assert 'name="note"' not in without.text


def test_a_filled_form_is_not_forgotten_at_the_start(shop: Cluster, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, **{"lose-zone-zone": "b", "lose-zone-how": "unreachable", "scheduler": "batch"})

    assert run.spec["changes"] == [{**LOST, "how": "unreachable"}]
    assert run.spec["scheduler"]["kind"] == "batch"
    assert run.title == "Lose zone b: nodes unreachable"


def test_links_and_earlier_runs_fill_the_form(shop: Cluster, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE, seed="7")

    assert built(signed_in_client.get(simulate_url("shop", MORE, LOST))) == [MORE, LOST]
    again = signed_in_client.get(f"{NEW}?run={run.pk}")
    assert built(again) == [MORE]
    assert 'name="seed" value="7"' in again.text
    assert signed_in_client.get(f"{NEW}?change=oops").status_code == 400
