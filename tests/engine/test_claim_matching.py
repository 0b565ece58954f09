"""Volumes handed out to claims on all nodes at once are those that a plain loop over one node's volumes hands out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.selectors import LabelSelector
from clusters.engine.volumes import ClaimMatching, StorageTopology, VolumeOffer
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node

# Enough nodes for volumes of one zone to be handed out otherwise than those of one node.
NODES = 150


def only(key: str, *values: str) -> Document:
    return {
        "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": key, "operator": "In", "values": values}]}]}
    }


reaches = st.sampled_from(
    (
        None,
        only(ZONE, "a"),
        only(ZONE, "b"),
        only(HOSTNAME, "n000"),
        only(HOSTNAME, "n000", "n001"),
        only(HOSTNAME, "n149"),
    )
)
labels = st.sampled_from(({}, {"tier": "fast"}))


@st.composite
def volumes(draw: st.DrawFn) -> Document:
    spec: Document = {
        "storageClassName": "local",
        "capacity": {"storage": f"{draw(st.integers(1, 4))}Gi"},
        "accessModes": draw(st.sampled_from((["ReadWriteOnce"], ["ReadWriteOnce", "ReadOnlyMany"]))),
        "volumeMode": draw(st.sampled_from(("Filesystem", "Filesystem", "Block"))),
    }
    reach = draw(reaches)
    if reach is not None:
        spec["nodeAffinity"] = reach
    if draw(st.integers(0, 3)) == 0:
        name = draw(st.sampled_from(("c0", "c1")))
        spec["claimRef"] = {"namespace": "default", "name": name, **draw(st.sampled_from(({}, {"uid": "uid-c0"})))}
    return {
        "kind": "PersistentVolume",
        "metadata": {"name": f"v{draw(st.integers(0, 30)):02}", "labels": draw(labels)},
        "spec": spec,
        "status": {"phase": draw(st.sampled_from(("Available", "Available", "Bound")))},
    }


@st.composite
def claims(draw: st.DrawFn, number: int) -> Document:
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": f"c{number}", "namespace": "default", "uid": f"uid-c{number}"},
        "spec": {
            "storageClassName": "local",
            "accessModes": draw(st.sampled_from((["ReadWriteOnce"], ["ReadOnlyMany"]))),
            "resources": {"requests": {"storage": f"{draw(st.integers(1, 3))}Gi"}},
            **draw(st.sampled_from(({}, {}, {"selector": {"matchLabels": {"tier": "fast"}}}))),
        },
    }


def naive(node: Document, claim: Document, known: list[Document], taken: set[str]) -> str | None:
    """FindMatchingVolume for one node: the reserved volume, or else the smallest that will do."""
    wanted, names = claim["spec"], node["metadata"]["labels"]
    size = int(wanted["resources"]["requests"]["storage"].removesuffix("Gi"))

    def held(volume: Document) -> int:
        return int(volume["spec"]["capacity"]["storage"].removesuffix("Gi"))

    def reaches_node(volume: Document) -> bool:
        required = volume["spec"].get("nodeAffinity")
        if required is None:
            return True
        rule = required["required"]["nodeSelectorTerms"][0]["matchExpressions"][0]
        return names.get(rule["key"]) in rule["values"]

    ordered = sorted(known, key=lambda volume: (held(volume), volume["metadata"]["name"]))
    suiting = [each for each in ordered if held(each) >= size and each["spec"]["volumeMode"] == "Filesystem"]
    for volume in suiting:
        reference, name = volume["spec"].get("claimRef"), volume["metadata"]["name"]
        if reference is None or reference["name"] != claim["metadata"]["name"] or name in taken:
            continue
        if reference.get("uid") in (None, claim["metadata"]["uid"]):
            return name if reaches_node(volume) else None
    for volume in suiting:
        spec, name = volume["spec"], volume["metadata"]["name"]
        if "claimRef" in spec or volume["status"]["phase"] != "Available" or name in taken:
            continue
        if "selector" in wanted and not LabelSelector.from_dict(wanted["selector"]).matches(
            volume["metadata"]["labels"]
        ):
            continue
        if set(wanted["accessModes"]) <= set(spec["accessModes"]) and reaches_node(volume):
            return str(name)
    return None


@settings(max_examples=60, deadline=None)
@given(
    known=st.lists(volumes(), max_size=14, unique_by=lambda each: each["metadata"]["name"]),
    asked=st.tuples(*(claims(number) for number in range(4))),
    shunned=st.sets(st.sampled_from((0, 1, 149))),
)
def test_each_node_gets_what_it_would_get_alone(
    known: list[Document], asked: tuple[Document, ...], shunned: set[int]
) -> None:
    nodes = [a_node(f"n{number:03}", zone="a" if number < NODES // 2 else "b") for number in range(NODES)]
    snapshot = Snapshot.from_objects([*nodes, *known])
    matching = ClaimMatching(VolumeOffer(snapshot, StorageTopology(snapshot.nodes)))
    asking = np.array([row not in shunned for row in range(NODES)])
    found = [matching.match(claim, asking) for claim in asked]

    for row in (0, 1, 2, NODES // 2, 149):
        taken: set[str] = set()
        for claim, match in zip(asked, found, strict=True):
            expected = naive(nodes[row], claim, known, taken) if asking[row] else None
            volume = match.at(row)
            assert (volume and volume["metadata"]["name"]) == expected
            taken |= {expected} if expected else set()
