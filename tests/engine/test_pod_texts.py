"""A snapshot that is built of pods as JSON is the one that is built of the same pods as documents."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.columns import _COLUMNS
from clusters.engine.pod_texts import read
from tests.engine.strategies import NODE_NAMES, Document, nodes, pods

TIMES = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:01.250000Z")
PARTS: tuple[tuple[str, Document], ...] = (
    ("spec", {}),
    ("spec", {"volumes": [{"name": "token-a"}]}),
    ("spec", {"volumes": [{"name": "token-b"}]}),
    ("spec", {"volumes": [{"name": "data-a", "persistentVolumeClaim": {"claimName": "data"}}]}),
    ("spec", {"volumes": [{"name": "data-b", "persistentVolumeClaim": {"claimName": "data"}}]}),
    ("spec", {"schedulingGroup": {"podGroupName": "gang"}}),
    ("spec", {"nodeSelector": {"nodeName": "n1", "name": "n1"}}),
    ("metadata", {"finalizers": ["example.com/kept"]}),
    ("metadata", {"labels": {"name": "p1", "startTime": "x"}}),
    ("metadata", {"labels": {"name": "p2", "startTime": "x"}}),
    ("metadata", {"namespace": None}),
)


@st.composite
def placed(draw: st.DrawFn) -> Document:
    """A pod with what each has of its own: times of its conditions and containers, and of its start."""
    pod = draw(pods(placed=True))
    field, part = draw(st.sampled_from(PARTS))
    status: Document = {**pod["status"]}
    for condition in status["conditions"]:
        condition["lastTransitionTime"] = draw(st.sampled_from(TIMES))
    state = draw(st.sampled_from(("running", "terminated")))
    status["containerStatuses"] = [{"name": "c", "state": {state: {"startedAt": draw(st.sampled_from(TIMES))}}}]
    if draw(st.booleans()):
        status["startTime"] = draw(st.sampled_from(TIMES))
    return {**pod, "status": status, field: {**pod[field], **part}}


@settings(max_examples=60, deadline=None)
@given(
    cluster=st.lists(nodes(), max_size=5),
    makings=st.lists(placed(), max_size=6),
    copies=st.lists(st.tuples(st.integers(0, 5), st.sampled_from((*NODE_NAMES, "gone", ""))), max_size=12),
    spaces=st.sampled_from(((",", ":"), (", ", ": "))),
)
def test_pods_as_json_are_the_same_pods(
    cluster: list[Document], makings: list[Document], copies: list[tuple[int, str]], spaces: tuple[str, str]
) -> None:
    alike = [
        {
            **making,
            "metadata": {**making["metadata"], "name": f"copy-{number}", "uid": f"copy-{number}"},
            "spec": {**making["spec"], "nodeName": node},
        }
        for number, (place, node) in enumerate(copies)
        for making in makings[place : place + 1]
    ]
    found = {pod["metadata"]["name"]: pod for pod in [*makings, *alike]}.values()
    documents = Snapshot.from_objects([*cluster, *found])
    texts = Snapshot.from_objects(cluster, pods=(read(json.dumps(pod, separators=spaces)) for pod in found))

    assert texts.content() == documents.content()
    for column, _, _ in _COLUMNS:
        np.testing.assert_array_equal(getattr(texts.pods, column), getattr(documents.pods, column), column)
    assert texts.pods.owner_uids == documents.pods.owner_uids


def a_text(**own: Any) -> str:
    """A pod of a Deployment, with what is its own."""
    at = own.get("at", TIMES[0])
    return json.dumps(
        {
            "kind": "Pod",
            "metadata": {"name": own.get("name", "a"), "namespace": "shop", "creationTimestamp": at, "uid": f"{own}"},
            "spec": {
                "nodeName": own.get("node", "n1"),
                "containers": [{"name": own.get("container", "main")}],
                "volumes": [{"name": f"token-{at}"}, {"name": "files", "configMap": {}}],
            },
            "status": {
                "startTime": at,
                "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": at}],
                "containerStatuses": [{"name": "main", "state": {"running": {"startedAt": at}}}],
            },
        }
    )


@pytest.mark.parametrize(
    ("own", "is_alike"),
    [({"name": "b"}, True), ({"node": "n2"}, True), ({"at": TIMES[1]}, True), ({"container": "b"}, False)],
)
def test_pods_of_one_making_are_alike(own: dict[str, str], is_alike: bool) -> None:
    assert (read(a_text(**own)).rest == read(a_text()).rest) == is_alike
    pod = read(a_text())
    assert (pod.key, pod.node, pod.start) == ("shop/a", "n1", 20260101000000)
