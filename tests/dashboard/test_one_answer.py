"""What several pages, the API and reviews say of one question is one answer: on the demo and on random clusters."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.demo import demo_objects
from clusters.demo.usage import demo_usage
from clusters.engine.disruption.drains import Outlook
from clusters.models import UsageHour
from clusters.services.disruption import DrainChoice, PlannedDrain, drains_of, plan_of
from clusters.services.usage.keeping import keep_usage
from clusters.wording import counts
from clusters.wording.amounts import at_most, cpu, size
from clusters.wording.drains import OUTLOOKS
from dashboard.presenters.drains.plan import asked_row, headline
from dashboard.presenters.nodes.page import drain_sentence
from tests.clusters.reports.review_cluster import reviewed, rows, section
from tests.dashboard.random_cluster import cluster_of
from tests.support.mirrored import load, load_demo, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]


class Surfaces:
    """The pages of a cluster as a reader sees them, its review, and what the API lists."""

    def __init__(self, client: Client, cluster: Cluster, objects: list[dict[str, Any]], folder: Path) -> None:
        self._client, self._name = client, cluster.name
        self.review = reviewed(cluster, "utilisation", "stranded", "maintenance", "usage", "pending", "trend")
        self.api = next(
            each for each in client.get("/api/v1/clusters/").json()["clusters"] if each["name"] == cluster.name
        )
        self._dump = folder / "terminal.json"
        self._dump.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        self.terminal: list[dict[str, Any]] = orjson.loads(self.explain(all_pending=True, output="json"))

    def explain(self, **options: Any) -> str:
        """Return what `manage.py explain` prints of the same objects."""
        said = io.StringIO()
        with suppress(SystemExit):
            call_command("explain", str(self._dump), stdout=said, stderr=io.StringIO(), **options)
        return said.getvalue()

    def json(self, path: str) -> Any:
        return self._client.get(f"/api/v1/clusters/{self._name}/{path}").json()

    def page(self, path: str) -> str:
        return text(self._client, f"/clusters/{self._name}/{path}")

    def csv(self, path: str) -> list[dict[str, str]]:
        content = b"".join(self._client.get(f"/clusters/{self._name}/{path}"))
        return list(csv.DictReader(io.StringIO(content.decode())))

    def csv_rows(self, path: str, of: str = "") -> int:
        """Count the rows of a file, or the different values of one of its columns."""
        found = self.csv(path)
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
    return {
        "pending pods": {
            "overview": surfaces.number("", r"(\d+) pods? (?:is|are) pending"),
            "pending": surfaces.number("pending/", r"(\d+) pending pods?\."),
            "queue": surfaces.number("pending/queue/", r"(\d+) pods? (?:is|are) pending"),
            "workloads": surfaces.number("workloads/", r"(\d+) pending pods? in \d+ workloads?"),
            "list of pods": surfaces.csv_rows("pods.csv?state=pending") + surfaces.csv_rows("pods.csv?state=gated"),
            "review": utilisation["pods"]["pending"],
            "review's causes": sum(row["pods"] for row in rows(surfaces.review, "pending", "causes")),
            "API": surfaces.api["pendingPods"],
            "terminal": len(surfaces.terminal),
        },
        "unschedulable pods": {
            "overview": surfaces.number("?lens=pending", r"(\d+) of \d+ pending pods? needs? a change"),
            "pending": surfaces.csv_rows("pending/pods.csv?kind=unschedulable"),
            "file of pending pods": sum(row["state"] == "Unschedulable" for row in surfaces.csv("pending/pods.csv")),
            "review": sum(
                row["pods"] for row in rows(surfaces.review, "pending", "causes") if row["kind"] == "unschedulable"
            ),
            "terminal": len(re.findall(r"\bUnschedulable:", surfaces.explain(all_pending=True))),
        },
        "drains that budgets block": {
            "overview": surfaces.number("?lens=drain", r"(\d+) of \d+ drains? blocked"),
            "budgets": surfaces.number("budgets/", r"Budgets block the drains? of (\d+) of"),
            "blocked drains": surfaces.csv_rows("budgets/blocked-drains.csv", of="node"),
            "review": len(rows(surfaces.review, "maintenance", "blocked_nodes")),
        },
        "drains that budgets block until they are changed": {
            "overview": surfaces.number("?lens=drain", r"(\d+) until changed"),
            "budgets": surfaces.number("budgets/", r"(\d+) until changed"),
            "drains": surfaces.number("drain/", r"Blocked until changed: (\d+)"),
            "review": maintenance["outlook"]["lasting"],
        },
        "nodes that can be drained": {
            "drains": surfaces.number("drain/", r"(\d+) of \d+ nodes? can be drained now\."),
            "list of drains": surfaces.csv_rows("drain/nodes.csv?state=now"),
            "review": maintenance["outlook"]["now"],
        },
        "drains without room": {
            "drains": surfaces.number("drain/", r"Replacements unschedulable: (\d+)"),
            "review": maintenance["outlook"]["room"],
        },
        "worst skew": {
            "spread": surfaces.words("spread/", r"Worst skew: ([^,]+, \d+ over \w+)"),
            "workloads": surfaces.words("workloads/", r"Worst skew: ([^,]+, \d+ over \w+)"),
        },
        "nodes with stranded capacity": {
            "summary": surfaces.number("", r"(\d+) nodes? strands? "),
            "card": surfaces.number("?lens=stranded", r"Stranded (?:Stranded|\w+) (\d+) of"),
            "review": section(surfaces.review, "stranded")["facts"]["nodes"],
        },
        **amounts(surfaces),
        **usage(surfaces),
    }


CPU_TEXT, SIZE_TEXT = r"([\d.]+ CPU)", r"([\d.]+ [KMGT]?i?B)"
# A resource, its columns of files, how it is written, and where pages say how much is requested, free and stranded.
RESOURCES = (
    (
        "cpu",
        "cpu (milli-CPU)",
        cpu,
        {
            "overview": rf"Pods request {CPU_TEXT} of",
            "usage": rf"Right-sized CPU {CPU_TEXT} of",
            "free": f"{CPU_TEXT} free;",
            "stranded": rf"{CPU_TEXT} on \d+ nodes?",
        },
    ),
    (
        "memory",
        "memory (bytes)",
        size,
        {
            "overview": rf"Pods request [^%]* %\) and {SIZE_TEXT} of",
            "usage": rf"Memory {SIZE_TEXT} of",
            "free": f"{SIZE_TEXT} free;",
            "stranded": rf"{SIZE_TEXT} of memory on \d+ nodes?",
        },
    ),
)


def amounts(surfaces: Surfaces) -> dict[str, dict[str, object]]:
    """What is requested of what there is, and what is free and stranded: of CPU, memory and pods."""
    facts, nodes = section(surfaces.review, "utilisation")["facts"], surfaces.csv("nodes/nodes.csv")
    trend, api = rows(surfaces.review, "trend", "samples")[-1], surfaces.json("usage")["usage"]
    of_usage = section(surfaces.review, "usage")["facts"]["usage"]
    stranded = section(surfaces.review, "stranded")["facts"]["resources"]
    left = {row["resource"]: row["left"] for row in rows(surfaces.review, "utilisation", "resources")}
    tables = {name: rows(surfaces.review, "utilisation", name) for name in ("zones", "pools", "namespaces", "qos")}
    found: dict[str, dict[str, object]] = {}
    for resource, column, write, said in RESOURCES:
        for measure in ("requested", "allocatable"):
            key = f"{resource}_{measure}"
            parts = {name: sum(row[key] for row in some) for name, some in tables.items() if key in some[0]}
            found[f"{resource} that is {measure}"] = {
                "review": write(facts["resources"][resource][measure]),
                "review's trend": write(trend[key]),
                "review's usage": write(of_usage[measure][resource]),
                "API's usage": write(api[measure][resource]),
                "list of nodes": write(sum(int(row[f"{column} {measure}"]) for row in nodes)),
                **{f"review by {name}": write(number) for name, number in parts.items()},
            }
        found[f"{resource} that is requested"] |= {
            "overview": surfaces.words("", said["overview"]),
            "usage": surfaces.words("usage/", said["usage"]),
        }
        found[f"{resource} that is free"] = {
            "free capacity": surfaces.words("nodes/free-capacity", said["free"]),
            "list of nodes": at_most(resource, sum(max(0, int(row[f"{column} free"])) for row in nodes)),
            "review": at_most(resource, left[resource]),
        }
        by_node = (row for row in rows(surfaces.review, "stranded", "stranded_nodes") if row["resource"] == resource)
        found[f"{resource} that is stranded"] = {
            "card": surfaces.words("?lens=stranded", said["stranded"]) or write(0),
            "review": write(stranded.get(resource, {"left": 0})["left"]),
            "review by node": write(sum(row["left"] for row in by_node)),
        }
    found["pods that are requested"] = {
        "review": facts["resources"]["pods"]["requested"],
        "review's pods": facts["pods"]["placed"],
        "review by namespaces": sum(row["pods"] for row in tables["namespaces"]),
        "review's trend": trend["pods"],
        "list of nodes": sum(int(row["pods requested"]) for row in nodes),
    }
    return found


def usage(surfaces: Surfaces) -> dict[str, dict[str, object]]:
    """What is used, and what recommended requests would change."""
    api, review = surfaces.json("usage?limit=1000")["usage"], section(surfaces.review, "usage")["facts"]["usage"]
    files = surfaces.csv("usage/usage.csv")
    freed = r"Recommended requests [^.]*?([\d.]+ CPU)"
    return {
        "workloads with usage": {
            "overview": surfaces.number("?lens=usage", r"of (\d+) workloads? requests? too much or too little"),
            "usage": surfaces.number("usage/", r"(\d+) workloads?\. Outline"),
            "API": api["total"],
            "file": len({(row["kind"], row["namespace"], row["workload"]) for row in files}),
            "review": review["workloads"],
        },
        "workloads without usage": {
            "usage": surfaces.number("usage/", r"(\d+) workloads? with pods"),
            "API": api["withoutSamples"],
            "review": review["without"],
        },
        "CPU that recommended requests free": {
            "overview": surfaces.words("?lens=usage", freed),
            "usage": surfaces.words("usage/", freed),
            "API": cpu(abs(api["freed"]["cpu"])),
            "API by workload": cpu(abs(sum(each["freed"]["cpu"] for each in api["workloads"]))),
            "review": cpu(abs(review["freed"]["cpu"])),
        },
        "CPU that pods use": {
            "usage": surfaces.words("usage/", r"Right-sized CPU .*? % ([\d.]+ CPU)"),
            "API": cpu(api["usedP95"]["cpu"]),
            "review": cpu(review["used"]["cpu"]),
        },
    }


def disagreements(found: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    return {question: said for question, said in found.items() if len(set(map(str, said.values()))) > 1}


def test_the_demo_has_one_answer_to_each_question(tmp_path: Path, signed_in_client: Client) -> None:
    found = answers(Surfaces(signed_in_client, load_demo(tmp_path), list(demo_objects()), tmp_path))

    assert disagreements(found) == {}
    assert all(set(said.values()) != {0} for said in found.values()), "the demo has something to say of each"


@pytest.mark.parametrize("seed", range(3))
def test_random_clusters_have_one_answer_to_each_question(tmp_path: Path, signed_in_client: Client, seed: int) -> None:
    objects = cluster_of(random.Random(seed))
    cluster = load(tmp_path, f"random-{seed}", objects)
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)

    assert disagreements(answers(Surfaces(signed_in_client, cluster, objects, tmp_path))) == {}


@pytest.mark.parametrize("seed", range(3))
def test_what_is_requested_of_a_node_is_the_same_wherever_it_stands(
    tmp_path: Path, signed_in_client: Client, seed: int
) -> None:
    objects = cluster_of(random.Random(seed))
    cluster = load(tmp_path, f"requested-{seed}", objects)
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)
    surfaces = Surfaces(signed_in_client, cluster, objects, tmp_path)
    listed, pods = surfaces.page("nodes/"), surfaces.csv("pods.csv")

    for row in surfaces.csv("nodes/nodes.csv"):
        of_cpu = f"{cpu(int(row['cpu (milli-CPU) requested']))} of {cpu(int(row['cpu (milli-CPU) allocatable']))}"
        here = [each for each in pods if each["node"] == row["node"] and each["phase"] not in ("Succeeded", "Failed")]
        assert len(here) == int(row["pods requested"])
        assert sum(int(each["CPU request (milli-CPU)"]) for each in here) == int(row["cpu (milli-CPU) requested"])
        assert re.search(rf"{row['node']} [^%]*?{re.escape(of_cpu)}", listed), (row["node"], of_cpu)
        page = surfaces.page(f"nodes/{row['node']}/")
        assert f"CPU {of_cpu}" in page
        for each in here:
            amount = cpu(int(each["CPU request (milli-CPU)"]))
            assert re.search(rf"{each['pod']} \w+ {re.escape(amount)}", page), (each["pod"], amount)
        assert here == [] or f"{of_cpu} requested" in surfaces.page(f"nodes/{row['node']}/usage/")


@pytest.mark.parametrize("seed", range(3))
def test_page_api_file_and_terminal_say_the_same_of_a_pending_pod(
    tmp_path: Path, signed_in_client: Client, seed: int
) -> None:
    objects = cluster_of(random.Random(seed))
    surfaces = Surfaces(signed_in_client, load(tmp_path, f"pending-{seed}", objects), objects, tmp_path)
    listed = {f"{row['namespace']}/{row['pod']}": row for row in surfaces.csv("pending/pods.csv")}
    printed = " ".join(surfaces.explain(all_pending=True).split())

    for told in surfaces.terminal:
        key, said = told["pod"], told["words"]["verdict"]
        api = surfaces.json(f"pods/{key}/explanation")
        feasible = {listed[key]["feasible nodes"], *(str(each["explanation"]["feasibleCount"]) for each in (told, api))}
        assert len(feasible) == 1, (key, feasible)
        assert api["words"]["verdict"] == said
        assert said in surfaces.page(f"pods/{key}/")
        assert said in " ".join(surfaces.explain(pod=key).split())
        assert key in printed


@pytest.mark.parametrize("seed", range(3))
def test_list_page_and_plan_of_a_node_say_the_same_of_its_drain(
    tmp_path: Path, signed_in_client: Client, seed: int
) -> None:
    cluster = load(tmp_path, f"drained-{seed}", cluster_of(random.Random(seed)))
    found = drains_of(cluster=cluster)

    for name, listed in found.nodes.items():
        made = plan_of(cluster=cluster, choice=DrainChoice(nodes=(name,)))
        assert isinstance(made, PlannedDrain)
        assert made.plan is not None
        blocked = {each.name: each.blockers for each in made.plan.blocked}
        outlook = listed.drain._replace(blockers=blocked.get(name, ())).outlook
        assert listed.drain.outlook is outlook, (name, listed.drain, blocked)
        assert drain_sentence(found, name) in text(signed_in_client, f"/clusters/{cluster.name}/nodes/{name}/")
        preview = text(signed_in_client, f"/clusters/{cluster.name}/nodes/{name}/drain/")
        assert headline(made.plan, made.workloads) in preview
        for asked in map(asked_row, made.plan.asked):
            assert f"{asked.namespace}/ {asked.name} {asked.answer} {asked.text}" in preview
    said = text(signed_in_client, f"/clusters/{cluster.name}/drain/")
    for outlook, nodes in Counter(each.drain.outlook for each in found.nodes.values()).items():
        if outlook is not Outlook.NOW:
            assert f"{OUTLOOKS[outlook]}: {counts.NODES(nodes)}" in said
