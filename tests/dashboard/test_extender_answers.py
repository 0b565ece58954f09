"""A pod's page, the API and the terminal show what a listed extender answers, like a plugin's answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.core.management import call_command
from django.urls import reverse

from clusters.services.ingest.configurations import configure_from_text
from tests.support.decision_cluster import node, pod
from tests.support.extender import RunningExtender, running_extender
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def extender(settings: Settings) -> Iterator[RunningExtender]:
    with running_extender() as found:
        settings.BERTH_EXTENDER_HOSTS = ["127.0.0.1"]
        found.answers["filter"] = lambda asked: {
            "nodes": {"items": [each for each in asked["Nodes"]["items"] if each["metadata"]["name"] != "ash"]},
            "failedNodes": {"ash": "no licence left on ash"},
        }
        found.answers["rate"] = [{"host": "elm", "score": 10}]
        yield found


def configuration(extender: RunningExtender) -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [
            {
                "urlPrefix": extender.address,
                "filterVerb": "filter",
                "prioritizeVerb": "rate",
                "weight": 3,
                "httpTimeout": "10s",
            }
        ],
    }


def address(part: str = "") -> str:
    kwargs = {"cluster": "wood", "namespace": "shop", "name": "mine"}
    return reverse(f"decision-{part}" if part else "decision", kwargs=kwargs)


def objects() -> list[dict[str, Any]]:
    return [*(node(name, "zone-a") for name in ("ash", "elm", "oak")), pod("mine")]


def test_the_page_shows_answers(extender: RunningExtender, tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(tmp_path, "wood", objects())
    configure_from_text(cluster=cluster, text=json.dumps(configuration(extender)))

    words = text(signed_in_client, address())

    assert f"The extender {extender.address} keeps 2 of 3 nodes." in words
    assert f"The extender {extender.address} scores 1 of 2 nodes." in words
    assert "no licence left on ash" in words
    assert "Uncertain" not in words
    # Once for the filter and once for scores, whatever parts of the page are opened.
    assert "no licence left on ash" in text(signed_in_client, f"{address('why-not')}?node=ash")
    assert "elm is the best" in text(signed_in_client, f"{address('why-not')}?node=elm")
    assert [verb for verb, _ in extender.asked] == ["filter", "rate"]
    kwargs = {"cluster": "wood", "namespace": "shop", "name": "mine", "node": "elm", "plugin": extender.address}
    cell = text(signed_in_client, reverse("decision-cell", kwargs=kwargs))
    assert "10" in cell
    assert "300" in cell
    document = signed_in_client.get("/api/v1/clusters/wood/pods/shop/mine/explanation")
    assert document.status_code == 200
    assert "no licence left on ash" in document.text


def test_a_pod_that_an_extender_rejects_everywhere_cannot_be_scheduled(
    extender: RunningExtender, tmp_path: Path, signed_in_client: Client
) -> None:
    extender.answers["filter"] = {"failedAndUnresolvableNodes": dict.fromkeys(("ash", "elm"), "no licence left")}
    cluster = load(tmp_path, "wood", objects())
    configure_from_text(cluster=cluster, text=json.dumps(configuration(extender)))

    assert "0/3 nodes are available: 2 no licence left." in text(signed_in_client, address())
    for part in ("groups", "preemption"):
        assert signed_in_client.get(address(part)).status_code == 200
    assert signed_in_client.get(f"{address('why-not')}?node=oak").status_code == 200
    assert signed_in_client.get(f"{address('why-not')}?node=ash").status_code == 200


def test_addresses_of_hosts_that_are_not_listed_are_not_kept(
    extender: RunningExtender, tmp_path: Path, signed_in_client: Client, settings: Settings
) -> None:
    settings.BERTH_EXTENDER_HOSTS = []
    cluster = load(tmp_path, "wood", objects())
    configure_from_text(cluster=cluster, text=json.dumps(configuration(extender)))

    words = text(signed_in_client, address())

    assert extender.asked == []
    assert "Uncertain: an extender filters the nodes." in words
    assert "add its host to BERTH_EXTENDER_HOSTS" in words
    assert extender.host not in str(cluster.chosen_configuration)


def test_what_an_extender_changes_of_preemption_is_shown(
    extender: RunningExtender, tmp_path: Path, signed_in_client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    extender.answers["preempt"] = lambda asked: {
        "nodeNameToMetaVictims": {
            node: {"pods": [{"uid": "shop-other"}], "numPDBViolations": victims["NumPDBViolations"]}
            for node, victims in asked["NodeNameToVictims"].items()
            if node == "elm"
        }
    }
    asking = {"urlPrefix": extender.address, "preemptVerb": "preempt", "httpTimeout": "10s"}
    written = {**configuration(extender), "extenders": [asking]}
    found = [
        *(node(name, "zone-a") for name in ("ash", "elm")),
        pod("low", nodeName="ash", cpu="3", priority=0),
        pod("web", nodeName="elm", cpu="3", priority=1),
        pod("other", nodeName="elm", cpu="1", priority=50),
        pod("mine", cpu="3", priority=10),
    ]
    configure_from_text(cluster=load(tmp_path, "wood", found), text=json.dumps(written))
    keeps = f"The extender {extender.address} keeps 1 of 2 candidates for preemption. On 1 node it changes"
    leaves_out = f"Extender {extender.address} leaves the node out (victims: shop/low)."
    instead = f"Extender {extender.address}: victims shop/other instead of shop/web."

    words = text(signed_in_client, address())

    assert "May fit by preemption" in words
    for said in (keeps, leaves_out, instead, "Changes by extenders"):
        assert said in words
    assert [each["metadata"]["name"] for each in extender.asked[0][1]["NodeNameToVictims"]["elm"]["Pods"]] == ["web"]
    assert leaves_out in text(signed_in_client, address("preemption"))
    assert "leaves the node out." in text(signed_in_client, f"{address('why-not')}?node=ash")
    answered = signed_in_client.get("/api/v1/clusters/wood/pods/shop/mine/explanation").json()["explanation"]
    assert [each["node"] for each in answered["preemption"]["candidates"]] == ["elm"]
    ash, elm = answered["preemption"]["changes"]
    assert (ash["node"], ash["before"]["victims"], ash["after"]) == ("ash", ["shop/low"], None)
    assert (elm["extender"], elm["after"]["victims"]) == (extender.address, ["shop/other"])
    assert len(extender.asked) == 1

    dump, given = tmp_path / "dump.json", tmp_path / "scheduler.yaml"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": found}))
    given.write_text(yaml.safe_dump(written))
    with pytest.raises(SystemExit):
        call_command("explain", str(dump), "--pod", "shop/mine", "--config", str(given))
    printed = " ".join(capsys.readouterr().out.split())
    for said in (keeps, leaves_out, instead, "The scheduler would remove shop/other from elm."):
        assert said in printed


def test_the_terminal_asks_too(
    extender: RunningExtender, tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    dump, given = tmp_path / "dump.json", tmp_path / "scheduler.yaml"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
    given.write_text(yaml.safe_dump(configuration(extender)))

    def said() -> str:
        try:
            call_command("explain", str(dump), "--pod", "shop/mine", "--config", str(given))
        except SystemExit as ended:
            return f"{ended.code}: {' '.join(capsys.readouterr().out.split())}"
        return f"0: {' '.join(capsys.readouterr().out.split())}"

    answered = said()
    assert answered.startswith("0: ")
    assert "keeps 2 of 3 nodes" in answered
    assert "no licence left on ash" in answered
    settings.BERTH_EXTENDER_HOSTS = []
    unknown = said()
    assert unknown.startswith("3: ")
    assert f"the extender {extender.address} filters the nodes" in unknown
    assert "BERTH_EXTENDER_HOSTS" in unknown
