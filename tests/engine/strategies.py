"""Clusters for property tests: those of the corpus, and small random ones whose objects come and go."""

from __future__ import annotations

from typing import Any, cast

import orjson
from hypothesis import strategies as st

from tests.engine.oracle import Case, written_cases

Document = dict[str, Any]

NODE_NAMES = ("n0", "n1", "n2", "n3", "n4")
POD_NAMES = tuple(f"p{number}" for number in range(12))
APPS = ("web", "db", "batch")
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"


def corpus_cases() -> st.SearchStrategy[Case]:
    """Any case of the random corpus."""
    written = written_cases("general")
    return st.sampled_from(sorted(written)).map(lambda name: cast("Case", orjson.loads(written[name])))


@st.composite
def nodes(draw: st.DrawFn) -> Document:
    """A node that may lack a zone, carry a taint, be cordoned or hold an image."""
    name = draw(st.sampled_from(NODE_NAMES))
    labels = {HOST: name}
    if draw(st.booleans()):
        labels[ZONE] = draw(st.sampled_from(("a", "b")))
    taint = {"key": "dedicated", "value": "x", "effect": draw(st.sampled_from(("NoSchedule", "PreferNoSchedule")))}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": [taint] if draw(st.booleans()) else [], "unschedulable": draw(st.booleans())},
        "status": {
            "allocatable": {
                "cpu": draw(st.sampled_from(("2", "4000m"))),
                "memory": "8Gi",
                "pods": "5",
                **draw(st.sampled_from(({}, {"example.com/gpu": "2"}))),
            },
            "images": draw(st.sampled_from(([], [{"names": ["app:1"], "sizeBytes": 300_000_000}]))),
        },
    }


def _affinity(draw: st.DrawFn) -> Document:
    term = {
        "labelSelector": {"matchLabels": {"app": draw(st.sampled_from(APPS))}},
        "topologyKey": draw(st.sampled_from((ZONE, HOST))),
    }
    kind = draw(st.sampled_from(("podAffinity", "podAntiAffinity")))
    if draw(st.booleans()):
        return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return {kind: {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 10, "podAffinityTerm": term}]}}


def _spreading(draw: st.DrawFn, app: str) -> Document:
    """Fields of a pod's spec that decide which nodes its spreading counts."""
    spec: Document = {}
    if draw(st.booleans()):
        spec["topologySpreadConstraints"] = [
            {
                "maxSkew": draw(st.sampled_from((1, 2))),
                "topologyKey": draw(st.sampled_from((ZONE, HOST))),
                "whenUnsatisfiable": draw(st.sampled_from(("DoNotSchedule", "ScheduleAnyway"))),
                "labelSelector": {"matchLabels": {"app": draw(st.sampled_from((app, "web")))}},
                "nodeTaintsPolicy": draw(st.sampled_from(("Honor", "Ignore"))),
                "nodeAffinityPolicy": draw(st.sampled_from(("Honor", "Ignore"))),
                **draw(st.sampled_from(({}, {"minDomains": 2}, {"matchLabelKeys": ["pod-template-hash"]}))),
            }
            for _ in range(draw(st.integers(1, 2)))
        ]
    if draw(st.integers(0, 3)) == 0:
        spec["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    if draw(st.integers(0, 3)) == 0:
        spec["nodeSelector"] = {ZONE: draw(st.sampled_from(("a", "b")))}
    if draw(st.integers(0, 3)) == 0:
        expression = {"key": HOST, "operator": "NotIn", "values": [draw(st.sampled_from(NODE_NAMES))]}
        rule = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": rule}}
    return spec


def _made_by(draw: st.DrawFn, app: str) -> Document:
    """Metadata of a pod that a ReplicaSet, a StatefulSet, a DaemonSet, a Job or nobody controls."""
    kind = draw(st.sampled_from(("ReplicaSet", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", None)))
    if kind is None:
        return {"labels": {"app": app}}
    version = "batch/v1" if kind == "Job" else "apps/v1"
    if kind != "ReplicaSet":
        owner = {"apiVersion": version, "kind": kind, "name": app, "uid": f"{kind}-{app}", "controller": True}
        return {"labels": {"app": app}, "ownerReferences": [owner]}
    template = draw(st.sampled_from(("5f", "6c")))
    name = f"{app}-{template}"
    owner = {"apiVersion": version, "kind": kind, "name": name, "uid": f"{kind}-{name}", "controller": True}
    return {"labels": {"app": app, "pod-template-hash": template}, "ownerReferences": [owner]}


@st.composite
def pods(draw: st.DrawFn, *, placed: bool) -> Document:
    """A pod with requests, and perhaps ports, affinity, spreading; placed ones are bound, nominated or finished."""
    spec: Document = {
        "containers": [
            {
                "name": "c",
                "image": "app:1",
                "resources": {"requests": draw(st.sampled_from(({}, {"cpu": "500m"}, {"cpu": "1", "memory": "1Gi"})))},
                "ports": draw(st.sampled_from(([], [{"containerPort": 80, "hostPort": 80}]))),
            }
        ],
        "priority": draw(st.sampled_from((0, 10, 100))),
    }
    app = draw(st.sampled_from(APPS))
    if draw(st.booleans()):
        spec["affinity"] = _affinity(draw)
    spreading = _spreading(draw, app)
    spec = {**spec, **spreading, "affinity": {**spec.get("affinity", {}), **spreading.get("affinity", {})}}
    metadata: Document = {"name": draw(st.sampled_from(POD_NAMES)), "namespace": "shop", **_made_by(draw, app)}
    status: Document = {}
    if placed:
        metadata["uid"] = metadata["name"]
        if draw(st.integers(0, 3)):
            spec["nodeName"] = draw(st.sampled_from((*NODE_NAMES, "gone")))
        else:
            status["nominatedNodeName"] = draw(st.sampled_from(NODE_NAMES))
        status["phase"] = draw(st.sampled_from(("Running", "Running", "Running", "Pending", "Succeeded")))
        status["conditions"] = [{"type": "Ready", "status": draw(st.sampled_from(("True", "True", "False")))}]
        if draw(st.integers(0, 4)) == 0:
            metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    else:
        metadata["name"] = "incoming"
    return {"kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, Document]:
    """A change of a snapshot: ``upsert`` or ``delete``, with the object."""
    document = draw(st.one_of(nodes(), pods(placed=True), pods(placed=True)))
    return draw(st.sampled_from(("upsert", "upsert", "delete"))), document
