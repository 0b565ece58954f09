"""PostgreSQL keeps no order of keys in JSON: what was read back must give the same run as what was sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from clusters.services.runs.cases import notes_of, prepared_on, simulation_of
from clusters.services.runs.results import RunResults
from clusters.services.runs.spec import Scheduler, Spec, read_spec
from tests.clusters.dumps import node, pod
from tests.clusters.runs.test_spec import BUDGET

SPREAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 30
  selector: {matchLabels: {app: web, tier: front}}
  template:
    metadata: {labels: {tier: front, app: web}}
    spec:
      priorityClassName: system-cluster-critical
      nodeSelector: {zone-like: a, b: c}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {matchLabels: {tier: front, app: web}}
      containers:
        - {name: main, image: "app:1", resources: {limits: {memory: 64Mi, cpu: 700m, zeta.io/x: 1, a.io/y: 1}}}
"""


def turned(value: Any) -> Any:
    """Return the same JSON with the keys of every map in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(each) for each in value] if isinstance(value, list) else value


def outcome(objects: Any, spec: Spec) -> tuple[list[Any], Any]:
    prepared = prepared_on(objects, spec)
    simulation = simulation_of(prepared.case, spec)
    results, steps = RunResults(prepared.case, simulation), []
    for step in simulation:
        results.take(step)
        steps.append(step)
    summary = results.summary(notes_of(spec, prepared, ""))
    return steps, orjson.loads(orjson.dumps(summary, option=orjson.OPT_SORT_KEYS))


@pytest.mark.parametrize("scheduler", [Scheduler(), Scheduler(samples=True), Scheduler("batch", reschedules=True)])
def test_the_order_of_keys_decides_nothing(scheduler: Scheduler) -> None:
    more = {"count": 3, "cpu": "6", "memory": "8Gi", "zones": ["a", "b"], "taints": []}
    own = {"resources": {"zeta.io/x": "9", "a.io/y": "7"}, "labels": {"zone-like": "a", "b": "c"}}
    spec = read_spec(
        {
            "base": {"kind": "cluster"},
            "seed": 3,
            "changes": [
                {"change": "add-nodes", **more, **own},
                {"change": "add-workload", "text": SPREAD + "---" + BUDGET},
                {"change": "label-nodes", "nodes": ["n1"], "labels": {"zone-like": "a", "b": None, "c": "d"}},
                {"change": "drain-nodes", "selector": "c=d"},
            ],
        }
    )
    spec = replace(spec, scheduler=scheduler)
    labels = {"topology.kubernetes.io/zone": "a", "b": "c", "aa": "1"}
    objects = [
        *(node(f"n{number}", metadata={"name": f"n{number}", "labels": labels}) for number in range(4)),
        *(pod(f"p{number}", on=f"n{number % 4}") for number in range(9)),
        pod("waiting"),
    ]
    kept = orjson.loads(orjson.dumps(objects))

    steps, summary = outcome(kept, spec)

    assert {step.outcome.value for step in steps} >= {"placed", "held", "unschedulable"}
    assert outcome(turned(kept), Spec.stored(turned(spec.as_dict()))) == (steps, summary)
