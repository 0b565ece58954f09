"""What several pages, the API and reviews say of one question is one answer: on the demo and on random clusters."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.disruption.drain_nodes import Outlook
from clusters.services.disruption.drain_store import StoredPlan
from clusters.services.disruption.drains import DrainChoice, drains_of, plan_of
from clusters.wording.drains.page import with_outlook
from dashboard.presenters.nodes.drain import drain_sentence
from tests.clusters.reports.review_cluster import reviewed, rows, section
from tests.dashboard.test_nodes import controlled
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load, load_demo, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
STARTING = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}


class Surfaces:
    """The pages of a cluster as a reader sees them, its review, and what the API lists."""

    def __init__(self, client: Client, cluster: Cluster) -> None:
        self._client, self._name = client, cluster.name
        self.review = reviewed(cluster, "utilisation", "stranded", "maintenance")
        self.api = next(
            each for each in client.get("/api/v1/clusters/").json()["clusters"] if each["name"] == cluster.name
        )

    def page(self, path: str) -> str:
        return text(self._client, f"/clusters/{self._name}/{path}")

    def csv_rows(self, path: str, of: str = "") -> int:
        """Count the rows of a file, or the different values of one of its columns."""
        content = b"".join(self._client.get(f"/clusters/{self._name}/{path}"))
        found = list(csv.DictReader(io.StringIO(content.decode())))
        return len({row[of] for row in found}) if of else len(found)

    def number(self, path: str, pattern: str) -> int:
        """Return the number that a page says, 0 where it says nothing of the kind."""
        found = re.search(pattern, self.page(path))
        return int(re.sub(r"\D", "", found[1])) if found else 0

    def words(self, path: str, pattern: str) -> str:
        found = re.search(pattern, self.page(path))
        return found[1] if found else ""


def answers(surfaces: Surfaces) -> dict[str, dict[str, object]]:
    """Ask every surface that answers a question for its answer."""
    maintenance = section(surfaces.review, "maintenance")["facts"]
    utilisation = section(surfaces.review, "utilisation")["facts"]
    cpu = utilisation["resources"]["cpu"]
    return {
        "pending pods": {
            "overview": surfaces.number("", r"(\d+) pods? (?:is|are) pending"),
            "pending": surfaces.number("pending/", r"(\d+) pending pods?\."),
            "queue": surfaces.number("pending/queue/", r"(\d+) pods? (?:is|are) pending"),
            "workloads": surfaces.number("workloads/", r"(\d+) pods? of \d+ workloads? (?:is|are) pending"),
            "list of pods": surfaces.csv_rows("pods.csv?state=pending") + surfaces.csv_rows("pods.csv?state=gated"),
            "review": utilisation["pods"]["pending"],
            "API": surfaces.api["pendingPods"],
        },
        "drains that budgets block": {
            "overview": surfaces.number("", r"(\d+) of \d+ nodes? whose drain budgets block"),
            "budgets": surfaces.number("budgets/", r"Budgets block the drains? of (\d+) of"),
            "blocked drains": surfaces.csv_rows("budgets/blocked-drains.csv", of="node"),
            "review": len(rows(surfaces.review, "maintenance", "blocked_nodes")),
        },
        "drains that budgets block until they are changed": {
            "overview": surfaces.number("", r"Until a budget is changed: (\d+)"),
            "budgets": surfaces.number("budgets/", r"(\d+) until a budget is changed"),
            "drains": surfaces.number("drain/", r"(\d+) nodes? (?:is|are) blocked until a budget is changed\."),
            "review": maintenance["outlook"]["lasting"],
        },
        "nodes that can be drained": {
            "drains": surfaces.number("drain/", r"(\d+) of \d+ nodes? can be drained now\."),
            "list of drains": surfaces.csv_rows("drain/nodes.csv?state=now"),
            "review": maintenance["outlook"]["now"],
        },
        "drains without room": {
            "drains": surfaces.number("drain/", r"Replacements of (\d+) nodes? would be unschedulable\."),
            "review": maintenance["outlook"]["room"],
        },
        "worst skew": {
            "spread": surfaces.words("spread/", r"Worst skew: ([^,]+, \d+ over \w+)"),
            "workloads": surfaces.words("workloads/", r"Worst skew: ([^,]+, \d+ over \w+)"),
        },
        "nodes with stranded capacity": {
            "summary": surfaces.number("", r"(\d+) nodes? strands? "),
            "card": surfaces.number("", r"Stranded (?:Stranded|\w+) (\d+) of"),
            "review": section(surfaces.review, "stranded")["facts"]["nodes"],
        },
        "CPU that is requested": {
            "overview": surfaces.words("", r"([\d.]+) CPU of [\d.]+ CPU"),
            "review": f"{cpu['requested'] / 1000:.3f}".rstrip("0").rstrip("."),
        },
    }


def disagreements(found: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    return {question: said for question, said in found.items() if len(set(map(str, said.values()))) > 1}


def test_the_demo_has_one_answer_to_each_question(tmp_path: Path, signed_in_client: Client) -> None:
    found = answers(Surfaces(signed_in_client, load_demo(tmp_path)))

    assert disagreements(found) == {}
    assert all(set(said.values()) != {0} for said in found.values()), "the demo has something to say of each"


@pytest.mark.parametrize("seed", range(5))
def test_random_clusters_have_one_answer_to_each_question(tmp_path: Path, signed_in_client: Client, seed: int) -> None:
    cluster = load(tmp_path, f"random-{seed}", cluster_of(random.Random(seed)))

    assert disagreements(answers(Surfaces(signed_in_client, cluster))) == {}


@pytest.mark.parametrize("seed", range(5))
def test_list_page_and_plan_of_a_node_say_the_same_of_its_drain(
    tmp_path: Path, signed_in_client: Client, seed: int
) -> None:
    cluster = load(tmp_path, f"drained-{seed}", cluster_of(random.Random(seed)))
    found = drains_of(cluster=cluster)

    for name, listed in found.nodes.items():
        made = plan_of(cluster=cluster, choice=DrainChoice(nodes=(name,)))
        assert isinstance(made, StoredPlan)
        assert made.plan is not None
        blocked = {each.name: each.blockers for each in made.plan.blocked}
        outlook = replace(listed.drain, blockers=blocked.get(name, ())).outlook
        assert listed.drain.outlook is outlook, (name, listed.drain, blocked)
        assert drain_sentence(found, name) in text(signed_in_client, f"/clusters/{cluster.name}/nodes/{name}/")
    said = text(signed_in_client, f"/clusters/{cluster.name}/drain/")
    for outlook, nodes in Counter(each.drain.outlook for each in found.nodes.values()).items():
        if outlook is not Outlook.NOW:
            assert with_outlook(outlook, nodes) in said


def cluster_of(chance: random.Random) -> list[dict[str, Any]]:
    """Make nodes, workloads with constraints and budgets of all kinds, pods without controllers and pending ones."""
    nodes = [node(f"n{number}", chance.choice("abc"), cpu=chance.choice("248")) for number in range(9)]
    objects: list[dict[str, Any]] = [*nodes]
    for app in ("web", "api", "jobs", "cache"):
        constraint = {
            "topologyKey": ZONE,
            "maxSkew": chance.randint(1, 2),
            "whenUnsatisfiable": chance.choice(("DoNotSchedule", "ScheduleAnyway")),
            "labelSelector": {"matchLabels": {"app": app}},
        }
        replicas = chance.randint(1, 7)
        states = []
        for number in range(replicas):
            spec: dict[str, Any] = {"cpu": chance.choice(("250m", "500m", "1500m")), "app": app}
            if app != "jobs":
                spec["topologySpreadConstraints"] = [constraint]
            states.append(chance.choices((READY, STARTING, None), (7, 1, 1))[0])
            if states[-1] is not None:
                spec |= {"nodeName": chance.choice(nodes)["metadata"]["name"], "status": states[-1]}
            made = pod(f"{app}-{number}", **spec)
            objects.append(made if app == "cache" and chance.random() < 0.3 else controlled(made, "ReplicaSet", app))
        owner = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"namespace": "shop", "name": app, "uid": app},
        }
        objects.append({**owner, "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": app}}}})
        healthy = states.count(READY)
        for name in (app, f"{app}-2")[: chance.choice((0, 1, 1, 1, 2))]:
            desired = chance.randint(1, replicas)
            status = {"expectedPods": replicas, "currentHealthy": healthy, "desiredHealthy": desired}
            objects.append(
                {
                    "apiVersion": "policy/v1",
                    "kind": "PodDisruptionBudget",
                    "metadata": {"name": name, "namespace": "shop", "uid": f"budget-{name}"},
                    "spec": {"selector": {"matchLabels": {"app": app}}, "minAvailable": desired},
                    "status": {**status, "disruptionsAllowed": max(0, healthy - desired)},
                }
            )
    return objects
