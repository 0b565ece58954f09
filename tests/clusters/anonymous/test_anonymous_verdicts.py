"""Under neutral names every verdict, score and victim is what it was."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.anonymous import Anonymous, anonymised
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import replay
from tests.clusters.anonymous.anonymous_cases import some_cases

pytestmark = pytest.mark.unmeasured

Answer = dict[str, Any]


def told(answer: Answer, names: Anonymous | None) -> Answer:
    """Reduce an answer to what does not depend on names, and to nodes and pods by their neutral names."""

    def node(name: str) -> str:
        return name if names is None else names.node(name)

    def pod(key: str) -> str:
        return key if names is None else names.pod(*key.split("/"))

    def status(found: Answer | None) -> Any:
        return found and (found.get("plugin"), found["code"], len(found.get("reasons") or ()))

    found = answer.get("preemption")
    return {
        "pod": pod(answer["pod"]),
        "feasible": sorted(map(node, answer["feasible"])),
        "best": sorted(map(node, answer["best"])),
        "chosen": answer.get("chosen") and node(answer["chosen"]),
        "PreFilter": {plugin: status(each) for plugin, each in answer["preFilter"].items()},
        "nodes": {
            node(name): {
                "filters": {plugin: status(each) for plugin, each in (cell.get("filters") or {}).items()},
                "verdict": status(cell.get("verdict")),
                "scores": cell.get("scores"),
                "total": cell.get("total"),
            }
            for name, cell in answer["nodes"].items()
        },
        "preemption": found
        and {
            "eligible": found["eligible"],
            "candidates": {
                node(each["node"]): (sorted(map(pod, each["victims"])), each["pdbViolations"])
                for each in found["candidates"]
            },
            "selected": found.get("selected") and node(found["selected"]["node"]),
        },
    }


def scheduler(document: dict[str, Any] | None) -> SchedulerConfiguration:
    return SchedulerConfiguration.from_dict(document) if document else SchedulerConfiguration.default()


# Recorded volumes and devices are rarer than the rest.
@pytest.mark.parametrize(("corpus", "every"), [("general", 20), ("wider", 12), ("dra", 5), ("examples", 2)])
def test_recorded_cases_are_answered_as_before(corpus: str, every: int) -> None:
    compared = 0
    for case, objects, pods in some_cases(corpus, every):
        names = anonymised([*objects, *pods], case.get("config"))
        own, asked = names.objects[: len(names.objects) - len(pods)], names.objects[len(names.objects) - len(pods) :]
        before = replay(Snapshot.from_objects(objects), pods, scheduler(case.get("config")))
        after = replay(Snapshot.from_objects(own), list(asked), scheduler(names.configuration))

        for one, other in zip(before, after, strict=True):
            assert told(one.as_recorded(), names) == told(other.as_recorded(), None), case["name"]
            compared += 1
    assert compared > 8
