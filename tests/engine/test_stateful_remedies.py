"""A StatefulSet that waits for a pod, while the pod waits for the StatefulSet: what ends that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.analysis import (
    DeleteStaying,
    HeldTemplate,
    Realism,
    ReplaceOutdated,
    advice,
    circumstances,
    remedies_of,
)
from clusters.wording.remedies import remedy_sentence
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_volume

if TYPE_CHECKING:
    from clusters.engine import Explanation

NEWEST, EARLIER = "web-2", "web-1"


def stateful_set(replicas: int = 3, *, template: Document | None = None, update: str = NEWEST, **spec: Any) -> Document:
    own = {"containers": [{"name": "c"}], **(template or {})}
    return {
        "kind": "StatefulSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": replicas, "template": {"metadata": {"labels": {"app": "web"}}, "spec": own}, **spec},
        "status": {"updateRevision": update},
    }


def ordinal(number: int, revision: str = EARLIER, node: str = "", **spec: Any) -> Document:
    pod = a_pod(f"web-{number}", node=node, **spec)
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    labels = {
        "app": "web",
        "controller-revision-hash": revision,
        "statefulset.kubernetes.io/pod-name": f"web-{number}",
    }
    conditions = [{"type": "Ready", "status": "True"}] if node else []
    status = {"phase": "Running" if node else "Pending", "conditions": conditions}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner], "labels": labels}, "status": status}


def small(name: str, **fields: Any) -> Document:
    return a_node(name, allocatable={"cpu": "4", "pods": "9"}, **fields)


GONE: dict[str, Any] = {"nodeSelector": {ZONE: "gone"}}
FULL: dict[str, Any] = {"requests": {"cpu": "3"}}
FULL_TEMPLATE = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]}


def found(explanation: Explanation) -> list[ReplaceOutdated | DeleteStaying]:
    return [each for each in remedies_of(explanation) if isinstance(each, ReplaceOutdated | DeleteStaying)]


# -- a revision that is no longer wanted -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "is_held"),
    [
        ({}, True),
        ({"podManagementPolicy": "OrderedReady"}, True),
        # The update deletes it by itself.
        ({"podManagementPolicy": "Parallel"}, False),
        ({"podManagementPolicy": "Parallel", "updateStrategy": {"type": "OnDelete"}}, True),
    ],
)
def test_a_pod_of_an_earlier_template_is_deleted_by_hand_where_nobody_else_does(
    spec: dict[str, Any], is_held: bool
) -> None:
    explanation = explanation_of(ordinal(2, **GONE), a_node("n"), a_node("m"), stateful_set(**spec))

    is_on_delete = "updateStrategy" in spec
    named = [ReplaceOutdated("default", "web", "web-2", is_on_delete, None, 2)] if is_held else []
    assert found(explanation) == named
    assert circumstances(explanation) == []
    if is_held:
        assert next(each.realism for each in advice(explanation) if each.ways) is Realism.UNBLOCK


def test_a_pod_that_would_not_fit_by_the_template_either_is_not_deleted() -> None:
    still = stateful_set(template=GONE)

    assert found(explanation_of(ordinal(2, **GONE), a_node("n"), still)) == []


def test_the_claims_of_the_pod_count_for_the_one_that_replaces_it() -> None:
    """The template no longer names zone a, and the volume is in zone b, where there is a node, or in c."""
    claims = [{"metadata": {"name": "data"}, "spec": {"storageClassName": "standard"}}]

    def gained(zone: str) -> list[Any]:
        term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
        volume = a_volume("pv", claim="data-web-2")
        volume = {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}
        claim = a_claim("data-web-2", volume="pv")
        pod = ordinal(2, nodeSelector={ZONE: "a"}, volumes=[_uses("data-web-2")])
        cluster = (a_node("n", zone="a"), a_node("m", zone="b"), claim, volume)
        return found(explanation_of(pod, *cluster, stateful_set(volumeClaimTemplates=claims)))

    assert gained("b") == [ReplaceOutdated("default", "web", "web-2", False, None, 1)]
    assert gained("c") == []


def _uses(claim: str) -> Document:
    return {"name": "data", "persistentVolumeClaim": {"claimName": claim}}


@pytest.mark.parametrize(("start", "partition", "lower_to"), [(0, 2, 1), (0, 1, None), (1, 1, 0), (1, 0, None)])
def test_a_pod_below_the_partition_is_made_of_the_earlier_template_again(
    start: int, partition: int, lower_to: int | None
) -> None:
    update = {"type": "RollingUpdate", "rollingUpdate": {"partition": partition}}
    owner = stateful_set(updateStrategy=update, ordinals={"start": start})

    assert found(explanation_of(ordinal(1, **GONE), a_node("n"), owner)) == [
        ReplaceOutdated("default", "web", "web-1", False, lower_to, 1)
    ]


def test_a_pod_of_the_template_as_it_is_is_told_what_a_change_needs() -> None:
    pod = ordinal(2, NEWEST, **GONE)

    ordered = explanation_of(pod, a_node("n"), stateful_set(template=GONE))
    on_delete = explanation_of(pod, a_node("n"), stateful_set(template=GONE, updateStrategy={"type": "OnDelete"}))
    parallel = explanation_of(pod, a_node("n"), stateful_set(template=GONE, podManagementPolicy="Parallel"))

    assert circumstances(ordered) == [HeldTemplate("default", "web", False)]
    assert circumstances(on_delete) == [HeldTemplate("default", "web", True)]
    assert circumstances(parallel) == []
    assert found(ordered) == found(on_delete) == found(parallel) == []


def test_a_change_of_the_template_that_does_not_help_is_not_explained() -> None:
    """Neither a pod nor a template changes where a volume is."""
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["b"]}]}
    volume = a_volume("pv", claim="data-web-2")
    volume = {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}
    pod = ordinal(2, NEWEST, volumes=[_uses("data-web-2")])

    cluster = (a_node("n", zone="a"), a_claim("data-web-2", volume="pv"), volume, stateful_set())

    assert circumstances(explanation_of(pod, *cluster)) == []


# -- pods of the same StatefulSet that hold what it needs --------------------------------------------------------------


@pytest.mark.parametrize(("policy", "is_deadlock"), [("OrderedReady", True), ("Parallel", False)])
def test_a_pod_that_goes_with_the_scale_waits_for_the_one_that_needs_its_room(policy: str, is_deadlock: bool) -> None:
    owner = stateful_set(2, podManagementPolicy=policy, template=FULL_TEMPLATE)
    pods = (ordinal(1, NEWEST, "n", **FULL), ordinal(2, NEWEST, "m", **FULL))

    explanation = explanation_of(ordinal(0, NEWEST, **FULL), small("n"), small("m"), *pods, owner)

    assert found(explanation) == ([DeleteStaying("default", "web", ("default/web-2",), True)] if is_deadlock else [])


def test_a_pod_that_goes_with_the_scale_and_is_not_in_the_way_is_not_named() -> None:
    explanation = explanation_of(
        ordinal(0, NEWEST, **GONE), small("n"), ordinal(2, NEWEST, "n", **FULL), stateful_set(2, template=GONE)
    )

    assert found(explanation) == []


@pytest.mark.parametrize(
    ("spec", "is_deadlock"),
    [
        ({}, True),
        ({"podManagementPolicy": "Parallel"}, True),
        ({"updateStrategy": {"rollingUpdate": {"partition": 1}}}, False),
        # The update goes on to the one that is in the way, where the minor counts maxUnavailable.
        ({"podManagementPolicy": "Parallel", "updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}, False),
    ],
)
def test_an_earlier_pod_on_the_only_node_that_the_later_ordinal_can_use(
    spec: dict[str, Any], is_deadlock: bool
) -> None:
    """The new pod is tied to node n, where web-0 is, which fits on m as well once it is made anew."""
    claim: dict[str, Any] = {"volumes": [_uses("data-web-1")]}
    term = {"matchExpressions": [{"key": HOSTNAME, "operator": "In", "values": ["n"]}]}
    volume = a_volume("pv", claim="data-web-1")
    volume = {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}
    cluster = (small("n"), small("m"), a_claim("data-web-1", volume="pv"), volume)

    explanation = explanation_of(
        ordinal(1, NEWEST, **FULL, **claim),
        *cluster,
        ordinal(0, EARLIER, "n", **FULL),
        stateful_set(2, template=FULL_TEMPLATE, **spec),
    )

    assert found(explanation) == ([DeleteStaying("default", "web", ("default/web-0",), False)] if is_deadlock else [])


def test_an_earlier_pod_whose_successor_would_have_no_room_is_not_deleted() -> None:
    explanation = explanation_of(
        ordinal(1, NEWEST, **FULL),
        small("n"),
        ordinal(0, EARLIER, "n", **FULL),
        stateful_set(2, template=FULL_TEMPLATE),
    )

    assert found(explanation) == []


@pytest.mark.parametrize(
    ("remedy", "said"),
    [
        (
            ReplaceOutdated("shop", "web", "web-2", False, None, 1),
            "replaces no pod before this one is Ready (OrderedReady).",
        ),
        (
            ReplaceOutdated("shop", "web", "web-2", True, None, 2),
            "only pods that somebody deletes (OnDelete). The pod of ",
        ),
        (
            ReplaceOutdated("shop", "web", "web-2", False, 2, 2),
            "Set the partition of StatefulSet shop/web to 2 and delete ",
        ),
        (DeleteStaying("shop", "web", ("shop/web-3",), True), "deletes it only once this pod is Ready (OrderedReady)."),
        (DeleteStaying("shop", "web", ("shop/web-0", "shop/web-1"), False), "of an earlier revision, which hold what "),
    ],
)
def test_what_ends_the_deadlock_in_words(remedy: ReplaceOutdated | DeleteStaying, said: str) -> None:
    assert said in remedy_sentence(remedy)
