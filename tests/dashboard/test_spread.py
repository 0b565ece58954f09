from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from dashboard.lists.files import csv_file
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HTMX = {"HX-Request": "true"}
PLACES = {"a1": 5, "b1": 3}


def constraint(app: str, **fields: Any) -> dict[str, Any]:
    selector = {"matchLabels": {"app": app}}
    defaults = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
    return {**defaults, **fields}


def owned(document: dict[str, Any], app: str, **metadata: Any) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": app, "uid": app, "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner], **metadata}}


def spread(app: str, places: dict[str, int], **fields: Any) -> list[dict[str, Any]]:
    """Return pods of one workload with one constraint, so many on each node."""
    return [
        owned(
            pod(f"{app}-{on}-{number}", app=app, nodeName=on, topologySpreadConstraints=[constraint(app, **fields)]),
            app,
        )
        for on, count in places.items()
        for number in range(count)
    ]


def zones(*, tainted: bool = False) -> list[dict[str, Any]]:
    taints: dict[str, Any] = {"taints": [{"key": "gone", "effect": "NoSchedule"}]} if tainted else {}
    return [node("a1", "eu-central-1a"), node("b1", "eu-central-1b"), node("c1", "eu-central-1c", **taints)]


def detail(client: Client, address: str = "/clusters/shop/spread/") -> str:
    """Return the address of the first group of a list."""
    found = re.search(r'href="(/clusters/shop/spread/groups/[0-9a-f]+/)"', client.get(address).text)
    assert found
    return found[1]


def test_sentence_says_distribution_skew_and_where_the_next_pod_may_go(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES)])

    said = text(signed_in_client, "/clusters/shop/spread/")

    assert (
        "shop/checkout is spread 5–3–0 over 3 zones. Skew 5, maxSkew 1. The next pod is allowed in eu-central-1c only."
        in said
    )
    assert "4 over maxSkew" in said
    assert "Limit 1 = minimum 0 + maxSkew 1." in said


def test_domain_that_does_not_count_says_why(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(tainted=True), *spread("checkout", PLACES, nodeTaintsPolicy="Honor")])

    said = text(signed_in_client, detail(signed_in_client))

    assert (
        "shop/checkout is spread 5–3 over 2 zones. Skew 2, maxSkew 1. The next pod is allowed in eu-central-1b only."
        in said
    )
    assert "1 of 1 nodes have untolerated taints (Honor)" in said
    assert "Not counted" in said


def test_missing_domains_make_the_minimum_zero(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", {"a1": 2, "b1": 2, "c1": 2}, minDomains=4)])

    said = text(signed_in_client, detail(signed_in_client))

    assert "minDomains 4, 3 eligible domains: the global minimum is 0." in said
    assert "The next pod is allowed in no domain." in said
    assert "1 domain below minDomains" in said


def test_constraint_that_misses_its_own_pods_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    selector = {"matchLabels": {"app": "other"}}
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES, labelSelector=selector)])

    assert "Selector does not match its own pods" in text(signed_in_client, "/clusters/shop/spread/")


def test_constraint_without_domains_keeps_pods_waiting(tmp_path: Path, signed_in_client: Client) -> None:
    waiting = pod("alone", app="alone", topologySpreadConstraints=[constraint("alone", topologyKey="rack")])
    load(tmp_path, "shop", [*zones(), owned(waiting, "alone")])

    said = text(signed_in_client, "/clusters/shop/spread/")

    assert "shop/alone has no eligible domain for rack: its pods stay pending." in said
    assert "1 pending pod" in said
    assert "3 nodes without the label rack are in no domain." in text(signed_in_client, detail(signed_in_client))


def test_filter_hides_the_rest_and_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    even = spread("search", {"a1": 1, "b1": 1, "c1": 1}, topologyKey="kubernetes.io/hostname")
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES), *even])

    for query, left in [
        ("", ["checkout", "search"]),
        ("state=violated", ["checkout"]),
        ("state=kept", ["search"]),
        ("q=check", ["checkout"]),
        ("q=shop/sea", ["search"]),
        ("key=kubernetes.io/hostname", ["search"]),
        ("source=defaults", []),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=nowhere", []),
    ]:
        said = text(signed_in_client, f"/clusters/shop/spread/?{query}")
        assert re.findall(r"shop/(\w+) is", said) == left
        assert (f"{len(left)} of 2 groups shown. {2 - len(left)} hidden by: " in said) == (len(left) < 2)


def test_pods_of_a_group_can_be_narrowed_to_a_domain(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES)])
    address = detail(signed_in_client)

    every, some = (text(signed_in_client, address + query) for query in ("", "?domain=eu-central-1b"))

    assert every.count("checkout-a1-") == 5
    assert (some.count("checkout-a1-"), some.count("checkout-b1-")) == (0, 3)
    fragment = signed_in_client.get(address, headers=HTMX).text
    assert "<h1" not in fragment
    assert "checkout-a1-0" in fragment


def test_address_of_a_group_outlives_its_pods(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES)])
    address = detail(signed_in_client)
    load(tmp_path, "shop", [*zones(), *spread("checkout", {"c1": 2})])

    assert "shop/checkout is spread 2–0–0 over 3 zones" in text(signed_in_client, address)


def test_matrix_counts_workloads_by_zone(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES), pod("alone", nodeName="c1"), pod("waits")])

    said = text(signed_in_client, "/clusters/shop/spread/workloads/")

    assert "eu-central-1a eu-central-1b eu-central-1c" in said
    assert "shop/ checkout StatefulSet 5 3 0 8 0 5" in said
    assert "shop/ no controller 0 0 1 1 1 1" in said


def test_files_hold_what_the_filter_lets_through(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES), *spread("search", {"a1": 1, "b1": 1, "c1": 1})])

    def rows(address: str) -> list[dict[str, str]]:
        response = signed_in_client.get(address)
        return list(csv.DictReader(io.StringIO(response.text)))

    (group,) = rows("/clusters/shop/spread/groups.csv?state=violated")
    domains = rows(f"{detail(signed_in_client)}domains.csv")

    assert (group["workloads"], group["skew"], group["over max skew"]) == ("shop/checkout", "5", "4")
    assert [(row["domain"], row["pods"], row["allowed"]) for row in domains] == [
        ("eu-central-1a", "5", "no"),
        ("eu-central-1b", "3", "no"),
        ("eu-central-1c", "0", "yes"),
    ]
    assert [row["workload"] for row in rows("/clusters/shop/spread/workloads.csv")] == ["checkout", "search"]


def test_the_file_of_domains_says_why_nodes_do_not_count(tmp_path: Path, signed_in_client: Client) -> None:
    honoured = spread("checkout", {"a1": 1, "b1": 1}, nodeTaintsPolicy="Honor")
    load(tmp_path, "shop", [*zones(tainted=True), *honoured])

    response = signed_in_client.get(f"{detail(signed_in_client)}domains.csv")

    rows = csv.DictReader(io.StringIO(response.text))
    assert {row["domain"]: (row["nodes counted"], row["nodes not counted"]) for row in rows} == {
        "eu-central-1a": ("1", ""),
        "eu-central-1b": ("1", ""),
        "eu-central-1c": ("0", "taints: 1"),
    }


def test_texts_that_would_be_formulas_are_harmless_in_files() -> None:
    written = csv_file("x", ["what"], [["=HYPERLINK(1)"], ["@a"], ["-b"], ["c-d"], [-1]]).text

    assert written.splitlines() == ["what", "'=HYPERLINK(1)", "'@a", "'-b", "c-d", "-1"]


def test_unreadable_constraint_is_named(tmp_path: Path, signed_in_client: Client) -> None:
    broken = {"matchExpressions": [{"key": "app", "operator": "Near"}]}
    load(tmp_path, "shop", [*zones(), *spread("checkout", {"a1": 1}, labelSelector=broken)])

    said = text(signed_in_client, "/clusters/shop/spread/")

    assert "Constraints that Kubernetes would refuse" in said
    assert "shop/checkout, 1 pod: " in said


def test_zone_without_nodes_is_named_and_what_it_would_change(tmp_path: Path, signed_in_client: Client) -> None:
    terms = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["eu-central-1d"]}]}]
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "data", "uid": "data"},
        "spec": {"capacity": {"storage": "1Gi"}, "nodeAffinity": {"required": {"nodeSelectorTerms": terms}}},
    }
    load(tmp_path, "shop", [*zones(), volume, *spread("checkout", {"a1": 2, "b1": 2, "c1": 2})])

    assert "1 zone without nodes" in text(signed_in_client, "/clusters/shop/spread/")
    said = text(signed_in_client, detail(signed_in_client))
    assert (
        f"No node has {ZONE}=eu-central-1d, which PersistentVolumes name: not counted. "
        "With nodes there the global minimum would be 0."
    ) in said


def test_counted_pods_with_another_constraint_are_named(tmp_path: Path, signed_in_client: Client) -> None:
    other = [
        owned(pod(f"canary-{each}", app="checkout", nodeName="c1", topologySpreadConstraints=theirs), f"canary-{each}")
        for each, theirs in (("a", [constraint("checkout", maxSkew=3)]), ("b", []))
    ]
    load(tmp_path, "shop", [*zones(), *spread("checkout", PLACES), *other])

    assert "Not all counted pods have this constraint" in text(signed_in_client, "/clusters/shop/spread/")
    said = text(signed_in_client, detail(signed_in_client))
    assert f"Counts 1 pod without a constraint for {ZONE}: shop/canary-b." in said
    assert f" with another constraint for {ZONE}: shop/" in said
