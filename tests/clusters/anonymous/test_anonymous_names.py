"""Under neutral names nothing is left of the names that somebody gave, and what they say of each other still is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters.anonymous import (
    ANNOTATIONS,
    API_VERSION,
    ATTRIBUTES,
    DRIVERS,
    KINDS,
    LABEL_KEYS,
    NAMES,
    PERCENTAGE,
    PLUGINS,
    QUANTITY,
    RESOURCE_DOMAINS,
    RESOURCES,
    TAINT_KEYS,
    TIME,
    VERSION,
    WORDS,
    NamesReadInPartsError,
    Noun,
    anonymised,
    rewritten_expression,
)
from tests.clusters.anonymous.anonymous_cases import demo, some_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAMED_MAPS = {
    "labels", "matchLabels", "nodeSelector", "allocatable", "capacity", "requests", "limits", "attributes", "selector",
    "annotations",
}  # fmt: skip
# A name has so many letters at least; what is shorter stands in many words by chance.
SHORTEST = 4
# Words of the API and of the neutral names themselves, which somebody's names hold, too.
EXCEPTED = {
    *(word.lower() for word in WORDS | NAMES | DRIVERS | PLUGINS),
    *(word.lower() for key in LABEL_KEYS | TAINT_KEYS | ANNOTATIONS
      for word in (key, *re.split(r"[/.]", key))),
    *RESOURCES, *RESOURCE_DOMAINS, *(word.lower() for word in ATTRIBUTES),
    *(noun.value for noun in Noun), "example", "kubernetes", "kubernetes.io",
    # Kinds, fields of maps that names stand in, and functions of expressions.
    *(kind.lower() for kind in KINDS), "anti", "attributes", "capacity", "compareto", "count", "equal", "exactly",
    "firstavailable", "isgreaterthan", "kube", "labels", "limits", "match", "matchexpressions", "matchlabels",
    "nodeselectorterms", "policy", "quantity", "requests", "scheduling", "semver", "template",
}  # fmt: skip


def texts(value: Any, key: str = "") -> Iterator[str]:
    """Yield every text of a document, and the keys that somebody chose."""
    if isinstance(value, dict):
        if key in NAMED_MAPS:
            yield from value
        for name, part in value.items():
            yield from texts(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part, key)
    elif isinstance(value, str):
        yield value


def given_names(documents: Iterable[dict[str, Any]]) -> set[str]:
    """Return the names and their parts that the documents hold, in small letters."""
    forms = (TIME, QUANTITY, PERCENTAGE, API_VERSION, VERSION)
    found = (text for document in documents for text in texts(document))
    whole = {text.lower() for text in found if not any(form.fullmatch(text) for form in forms)}
    words = whole | {word for text in whole for word in re.split(r"[^a-z0-9]+", text)}
    amount = re.compile(QUANTITY.pattern, re.IGNORECASE)
    return {word for word in words if len(word) >= SHORTEST and word not in EXCEPTED and not amount.fullmatch(word)}


def left(documents: list[dict[str, Any]], configuration: dict[str, Any] | None = None) -> set[str]:
    """Return which names are still there, inside whatever text."""
    names = anonymised(documents, configuration)
    written = "\n".join({text.lower() for text in texts([*names.objects, names.configuration])})
    # The longest first, so that no word is taken out of a longer one.
    words = "|".join(map(re.escape, sorted(EXCEPTED, key=len, reverse=True)))
    written = re.sub(rf"(?<![a-z0-9])(?:{words})(?![a-z])", "", written)
    return {name for name in given_names(documents) if name in written}


def test_no_name_of_the_demo_cluster_is_left() -> None:
    assert left(demo()) == set()


@pytest.mark.parametrize(("corpus", "every"), [("general", 50), ("wider", 40), ("dra", 15), ("examples", 6)])
def test_no_name_of_a_recorded_case_is_left(corpus: str, every: int) -> None:
    for case, objects, pods in some_cases(corpus, every):
        assert left([*objects, *pods], case.get("config")) == set(), case["name"]


def node(name: str, **labels: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


def pod(name: str, owner: str = "", kind: str = "StatefulSet", **spec: Any) -> dict[str, Any]:
    owners = [{"apiVersion": "apps/v1", "kind": kind, "name": owner, "controller": True}] if owner else []
    metadata = {"name": name, "namespace": "checkout", "ownerReferences": owners}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def names_of(*documents: dict[str, Any]) -> list[str]:
    return [each["metadata"]["name"] for each in anonymised(documents).objects]


def test_names_keep_their_order() -> None:
    given = [node(f"worker{number}") for number in range(12)]

    found = names_of(*given)

    assert found[0] == "node-01"
    assert sorted(range(12), key=lambda each: found[each]) == sorted(
        range(12), key=lambda each: given[each]["metadata"]["name"]
    )


def test_a_pod_of_a_replica_set_is_named_after_both() -> None:
    pods = [
        {**each, "metadata": {**each["metadata"], "labels": {"pod-template-hash": "7d9f"}}}
        for each in (
            pod("basket-7d9f-x2x", "basket-7d9f", "ReplicaSet"),
            pod("basket-7d9f-k9k", "basket-7d9f", "ReplicaSet"),
        )
    ]

    assert names_of(*pods) == ["app-1-h1-2", "app-1-h1-1"]


def test_neutral_names_begin_unlike_those_that_somebody_gave() -> None:
    """Of nodes that are called node-2 and node-7 none is node-1 or node-2 afterwards, as that is somebody's."""
    assert names_of(node("node-2"), node("node-7")) == ["node-a-1", "node-a-2"]


def test_numbers_that_a_requirement_compares_stay() -> None:
    wanted = {"matchExpressions": [{"key": "cores", "operator": "Gt", "values": ["8"]}]}
    rule = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [wanted]}}

    own, other = anonymised(
        [node("Gaia", cores="16", rack="17"), pod("basket", affinity={"nodeAffinity": rule})]
    ).objects

    assert sorted(own["metadata"]["labels"].values()) == ["16", "value-1"]
    terms = other["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert terms[0]["matchExpressions"][0]["values"] == ["8"]


def test_what_quotes_names_is_left_out() -> None:
    told = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3: node Gaia is full"}
    quoting = {**pod("basket"), "status": {"phase": "Pending", "conditions": [told]}}
    quoting["metadata"]["annotations"] = {"team/config": '{"node": "Gaia"}'}

    (found,) = anonymised([quoting]).objects

    assert "Gaia" not in json.dumps(found)
    assert found["status"]["conditions"][0]["reason"] == "Unschedulable"


def test_expressions_are_rewritten_word_by_word() -> None:
    def rename(text: str, *, is_attribute: bool) -> str:
        return f"<{text}>" if is_attribute else f"[{text}]"

    given = """device.attributes["gpu.acme.io"].model in ['a100'] && device.driver == "x" || semver("1.2.0") == 'y'"""

    assert rewritten_expression(given, rename) == (
        """device.attributes["[gpu.acme.io]"].<model> in ['[a100]'] && device.driver == "[x]" """
        """|| semver("1.2.0") == '[y]'"""
    )


@pytest.mark.parametrize("function", ["startsWith", "matches", "lowerAscii"])
def test_an_expression_that_reads_parts_of_names_is_refused(function: str) -> None:
    with pytest.raises(NamesReadInPartsError) as caught:
        rewritten_expression(f'device.driver.{function}("gpu")', lambda text, *, is_attribute: text)

    assert caught.value.problem.function == function  # type: ignore[attr-defined]


def test_what_devices_take_of_their_node_stays_and_their_names_go() -> None:
    device = {
        "name": "gpu-0",
        "attributes": {"acme-links": {"strings": ["acme-left", "acme-right"]}},
        "capacity": {"acme-cores": {"value": "4"}},
        "nodeAllocatableResources": {"cpu": {"mapping": {"capacityKey": "acme-cores", "capacityMultiplier": "2"}}},
    }
    offered = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "acme-slice"},
        "spec": {"driver": "acme.example.com", "pool": {"name": "acme"}, "devices": [device]},
    }
    status = {"resourceClaimName": "acme-claim", "mapping": [{"name": "cpu", "quantity": "2"}]}
    web = {**pod("acme-web"), "status": {"nodeAllocatableResourceClaimStatuses": [status]}}

    slice_found, pod_found = anonymised([offered, web]).objects

    (found,) = slice_found["spec"]["devices"]
    assert "acme" not in json.dumps([slice_found, pod_found])
    assert found["nodeAllocatableResources"]["cpu"]["mapping"]["capacityKey"] in found["capacity"]
    (kept,) = pod_found["status"]["nodeAllocatableResourceClaimStatuses"]
    assert kept["mapping"] == [{"name": "cpu", "quantity": "2"}]
