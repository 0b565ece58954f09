"""What others recorded about a pod, on its page: every cell observed and computed, and which attempt it is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Observation
from clusters.services.decisions.explain import explain_pod
from clusters.services.ingest.ingest import ingest_path
from tests.support.decision_cluster import ingested, node, objects, pod, text
from tests.support.recorded import PREFIX, log_lines, simulator_annotations, text_line

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def address(name: str = "plain", part: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/{part}"


def simulate(cluster: Cluster, folder: Path, *, changed: bool = False, attempts: int = 1, name: str = "plain") -> None:
    """Let the simulator have tried a pod; in the last attempt it may have seen two cells in another way."""
    explanation = explain_pod(cluster=cluster, namespace="shop", name=name)
    written = simulator_annotations(explanation.as_recorded(), explanation)
    history = [dict(written) for _ in range(attempts)]
    if changed:
        filters = json.loads(written[f"{PREFIX}filter-result"])
        filters["ash"]["NodeResourcesFit"] = "Insufficient <b>cpu</b>"
        scores = json.loads(written[f"{PREFIX}finalscore-result"])
        scores["birch"]["ImageLocality"] = "77"
        history[-1][f"{PREFIX}filter-result"] = json.dumps(filters)
        history[-1][f"{PREFIX}finalscore-result"] = json.dumps(scores)
    dumped = objects()
    tried = next(each for each in dumped if each["kind"] == "Pod" and each["metadata"]["name"] == name)
    tried["metadata"]["annotations"] = {**history[-1], f"{PREFIX}result-history": json.dumps(history)}
    path = folder / "simulated.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": dumped}))
    ingest_path(cluster=cluster, path=path)


def read_log(cluster: Cluster, folder: Path, lines: list[str]) -> None:
    path = folder / "scheduler.log"
    path.write_text("\n".join(lines))
    ingest_path(cluster=cluster, path=path)


def card(page: str) -> str:
    """Return the section's own text of a page's text."""
    return page.split(" Observed ", 2)[2].partition("Plugins Profile")[0]


def test_equal_cells_are_counted_and_stay_folded(signed_in_client: Client, cluster: Cluster, tmp_path: Path) -> None:
    simulate(cluster, tmp_path)

    shown = card(text(signed_in_client.get(address())))

    found = re.search(r"simulator recorded 1 attempt\. ([0-9]+) of \1 cells are equal\.", shown)
    assert found is not None
    assert int(found[1]) > 50
    assert "Computed from the present state, without this" in shown
    assert "Different (0)" in shown
    assert "All (6 nodes)" in shown
    assert "No node differs." in shown


def test_differing_cells_are_named_and_shown_side_by_side(
    signed_in_client: Client, cluster: Cluster, tmp_path: Path
) -> None:
    simulate(cluster, tmp_path, changed=True, attempts=3)

    answer = signed_in_client.get(address())
    shown = card(text(answer))

    assert re.search(
        r"recorded 3 attempts\. [0-9]+ of [0-9]+ cells are equal\. "
        r"2 differ: NodeResourcesFit on ash and ImageLocality on birch\.",
        shown,
    )
    assert "Insufficient <b>cpu</b> ≠ different from passed" in shown
    assert "Insufficient <b>" not in answer.text
    assert "77 (raw 0) ≠ different from 0 (raw 0)" in shown
    assert "Different (2)" in shown
    assert "cedar" not in shown.partition("Filters")[2]
    # Every attempt may be chosen; the first has nothing that differs.
    first = Observation.objects.get(attempt=1)
    part = text(signed_in_client.get(address(part=f"observed/{first.pk}/differing/")))
    assert " cells are equal." in part


def test_all_nodes_stand_in_pages(signed_in_client: Client, tmp_path: Path) -> None:
    documents = [*(node(f"n{number:03}", "west") for number in range(60)), pod("plain")]
    cluster = ingested(tmp_path, documents)
    explanation = explain_pod(cluster=cluster, namespace="shop", name="plain")
    read_log(cluster, tmp_path, log_lines(explanation.as_recorded(), explanation))
    pk = Observation.objects.get().pk

    last = text(signed_in_client.get(address(part=f"observed/{pk}/all/?page=3")))

    assert "Nodes 51 to 60 of 60" in last
    assert "n059" in last
    assert "n049" not in last
    assert "A log has scores and outcomes" in last


def test_log_of_an_unschedulable_pod_holds_messages_together(
    signed_in_client: Client, cluster: Cluster, tmp_path: Path
) -> None:
    explanation = explain_pod(cluster=cluster, namespace="shop", name="huge")
    read_log(cluster, tmp_path, log_lines(explanation.as_recorded(), explanation))

    shown = card(text(signed_in_client.get(address("huge"))))

    assert "kube-scheduler's log recorded 1 attempt. 1 of 1 cell is equal." in shown
    assert f"Message {explanation.message} = equal to {explanation.message}" in shown


def test_placed_pod_is_judged_as_if_pending(signed_in_client: Client, cluster: Cluster, tmp_path: Path) -> None:
    read_log(cluster, tmp_path, [text_line("Successfully bound pod to node", {"pod": "shop/web-1", "node": "gone"})])

    shown = card(text(signed_in_client.get(address("web-1"))))

    assert "without this pod" in shown
    assert "Chosen node gone ? not comparable with no such node now" in shown
    assert "0 of 1 cell is equal. 1 cannot be compared." in shown


def test_nodes_that_are_gone_have_no_page_to_link_to(
    signed_in_client: Client, cluster: Cluster, tmp_path: Path
) -> None:
    values = {"pod": "shop/plain", "plugin": "ImageLocality", "node": "gone/../<node>", "score": 1}
    read_log(cluster, tmp_path, [text_line("Plugin scored node for pod", values)])
    pk = Observation.objects.get().pk

    answer = signed_in_client.get(address(part=f"observed/{pk}/all/"))

    assert "gone/../&lt;node&gt;</th>" in answer.text


def test_what_is_not_there_is_not_found(signed_in_client: Client, cluster: Cluster, tmp_path: Path) -> None:
    simulate(cluster, tmp_path)
    pk = Observation.objects.get().pk

    for part in ["observed/999999/all/", "observed/{pk}/some/"]:
        assert signed_in_client.get(address(part=part.format(pk=pk))).status_code == 404
        # Another pod's attempt is not this one's.
        assert signed_in_client.get(address("huge", f"observed/{pk}/all/")).status_code == 404


def test_api_tells_the_latest_attempt(signed_in_client: Client, cluster: Cluster, tmp_path: Path) -> None:
    api = "/api/v1/clusters/shop/pods/shop/plain/explanation"
    assert signed_in_client.get(api).json()["observed"] is None
    simulate(cluster, tmp_path, changed=True, attempts=2)

    observed = signed_in_client.get(f"{api}?top=1").json()["observed"]

    assert {key: observed[key] for key in ("attempts", "source", "origin", "attempt", "observedAt")} == {
        "attempts": 2,
        "source": "simulator",
        "origin": "simulated.json",
        "attempt": 2,
        "observedAt": None,
    }
    assert observed["cells"]["differs"] == 2
    assert observed["cells"]["equal"] > 50
    assert observed["differences"] == [
        {
            "node": "ash",
            "about": "NodeResourcesFit",
            "observed": "Insufficient <b>cpu</b>",
            "computed": "passed",
        }
    ]
