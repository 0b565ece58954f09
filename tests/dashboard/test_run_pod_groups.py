"""The page, the terminal and the API of a simulation that has groups of pods."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.engine.simulation.batch import BatchSimulation
from clusters.services.runs import summary as service
from clusters.services.runs.spec import read_spec
from dashboard.presenters.runs.summary import pod_groups
from tests.dashboard.test_runs import done
from tests.support.mirrored import load, text
from tests.support.simulating import simulated_on
from tests.support.training import training_objects

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

GATES = {"GenericWorkload": True}
PENDING: dict[str, Any] = {"base": {"kind": "cluster"}, "changes": []}
ADDED = {"change": "add-nodes", "count": 1, "cpu": "6", "memory": "32Gi"}


def groups_of(scheduler: dict[str, Any] | None = None, *changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The groups in the summary of a run on the cluster, by name."""
    spec = read_spec({**PENDING, "changes": list(changes), "scheduler": scheduler or {"kind": "pods"}})
    found = simulated_on(training_objects(), spec, kube_version="v1.37.2", gates=GATES)
    return {each["group"]: each for each in found.summary["pod_groups"]}


def test_each_group_has_the_answer_of_both_ways() -> None:
    by_pods, by_batch = groups_of(), groups_of({"kind": "batch", "gangs": "pod-group"})

    # What runs already is not part of the simulation.
    assert list(by_pods) == ["ml/llama", "ml/sweep", "ml/urgent"] == list(by_batch)
    assert {name: each["end"] for name, each in by_pods.items()} == {
        "ml/llama": "too-few-nodes",
        "ml/sweep": "too-few-pods",
        "ml/urgent": "preemption",
    }
    for name, each in by_pods.items():
        other = by_batch[name]
        assert (each["way"], other["way"]) == ("pods", "batch")
        assert other["beside"]["end"] == each["end"]
        assert each["beside"] == {key: value for key, value in other.items() if key not in ("way", "beside")}


def test_a_large_run_is_not_simulated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_BESIDE", 9)

    found = groups_of()

    assert {each["beside"] for each in found.values()} == {None}
    assert {
        way.counted for each in pod_groups({"pod_groups": list(found.values())}, None) for way in each.ways[1:]
    } == {"not computed"}


def test_what_fails_beside_a_run_costs_the_run_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(BatchSimulation, "_try_all", fail)

    assert {each["beside"] for each in groups_of().values()} == {None}


def test_the_page_shows_both_ways_and_leads_to_the_pod_in_the_way(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", training_objects())
    run = done(signed_in_client, {**ADDED, "cpu": "4"})

    html = signed_in_client.get(f"/simulations/{run.pk}/").text
    said = text(signed_in_client, f"/simulations/{run.pk}/")

    (card,) = re.findall(r'id="pod-groups".*?</table>', html, re.DOTALL)
    assert "2 of minCount 3 pods exist" in said
    assert re.search(r"3 of minCount 4 pods have or find a node\. ml/llama-\d finds none: 0/5 nodes", said)
    assert re.search(rf'href="/simulations/{run.pk}/pods/ml/llama-\d/"', card)


def test_programs_read_groups_with_words(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", training_objects())
    run = done(signed_in_client)

    found = signed_in_client.get(f"/api/v1/runs/{run.pk}/fits").json()["podGroups"]

    sweep = next(each for each in found if each["group"] == "ml/sweep")
    assert (sweep["state"], sweep["end"], sweep["beside"]["state"]) == (
        "Waiting for pods", "too-few-pods", "Waiting for pods",
    )  # fmt: skip
    assert sweep["sentence"].startswith("2 of minCount 3 pods exist")


@pytest.mark.parametrize("scheduler", [[], ["--batch", "--gangs"]])
def test_the_terminal_has_a_line_for_each_group(
    tmp_path: Path, scheduler: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    dump = tmp_path / "dump.json"
    dump.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": training_objects()}))
    out = io.StringIO()

    call_command("simulate", "--dump", str(dump), *scheduler, stdout=out)

    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    head = lines.index("Pod groups")
    assert lines[head + 1] == "pod group placed pod by pod by the batch scheduler how it ends"
    assert lines[head + 2].startswith("ml/llama 0 of 4 0 of 4 Unschedulable: ")
    assert lines[head + 3].startswith("ml/sweep 0 of 2 0 of 2 Waiting for pods: 2 of minCount 3 pods exist")
