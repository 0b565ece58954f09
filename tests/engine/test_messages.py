"""The scheduler's sentences, word for word."""

from __future__ import annotations

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.status import has_same_reasons, no_node_available, read_refusal
from tests.engine.builders import Document, a_node, a_pod, explanation_of

RULE = "requiredDuringSchedulingIgnoredDuringExecution"
TAINTED = "node(s) had untolerated taint(s)"
GOLD: Document = {"key": "gold", "effect": "NoSchedule"}


def by_name(*terms: tuple[str, ...]) -> Document:
    """Required affinity to nodes by name: of each term all names at once, of the terms any."""
    fields = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]} for name in term]}
        for term in terms
    ]
    return {"nodeAffinity": {RULE: {"nodeSelectorTerms": fields}}}


@pytest.mark.parametrize(
    ("nodes", "reasons", "pre_filter", "text"),
    [
        (3, {}, "", "0/3 nodes are available:"),
        (3, {"Too many pods": 3}, "", "0/3 nodes are available: 3 Too many pods."),
        # Sorted as text, counts included; what was never given is left out.
        (
            12,
            {"Insufficient memory": 2, "Too many pods": 10, "Insufficient cpu": 2, "never given": 0},
            "",
            "0/12 nodes are available: 10 Too many pods, 2 Insufficient cpu, 2 Insufficient memory.",
        ),
        (3, {"Too many pods": 3}, "no claim", "0/3 nodes are available: no claim."),
    ],
)
def test_reasons_are_counted_and_sorted(nodes: int, reasons: dict[str, int], pre_filter: str, text: str) -> None:
    assert no_node_available(nodes, reasons, pre_filter) == text


def test_every_reason_of_a_nodes_first_rejection_counts() -> None:
    """The taint comes before the resources in plugin order, so what the tainted node lacks is not mentioned."""
    cluster = (
        a_node("both", allocatable={"cpu": "1", "memory": "1"}),
        a_node("cpu", allocatable={"cpu": "1"}),
        a_node("tainted", allocatable={"cpu": "1"}, taints=[GOLD]),
    )

    assert explanation_of(a_pod(requests={"cpu": "2", "memory": "2"}), *cluster).fit_error == (
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint {gold: }, 2 Insufficient cpu."
    )


NO_ROOM_TO_MAKE = (
    "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
)


@pytest.mark.parametrize(
    ("affinity", "text", "added"),
    [
        # The cycle ends before DynamicResources is prepared, which then complains in its own way.
        pytest.param(
            by_name(("a", "b")),
            "0/3 nodes are available: pod affinity terms conflict.",
            "not found",
            id="no name at all",
        ),
        # Nodes that were not looked at name the plugin that left them out.
        pytest.param(
            by_name(("a",)),
            "0/3 nodes are available: 1 node(s) had untolerated taint {gold: }, "
            "2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
            NO_ROOM_TO_MAKE,
            id="one name",
        ),
        pytest.param(
            by_name(("gone",)),
            "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
            NO_ROOM_TO_MAKE,
            id="a name that no node has",
        ),
    ],
)
def test_nodes_that_are_asked_for_by_name(affinity: Document, text: str, added: str) -> None:
    nodes = (a_node("a", taints=[GOLD]), a_node("b"), a_node("c"))

    explanation = explanation_of(a_pod(affinity=affinity), *nodes)

    assert explanation.fit_error == text
    assert explanation.message == f"{text} {added}"


@pytest.mark.parametrize(
    ("plugins", "added"),
    [
        pytest.param({}, "no new claims to deallocate, preemption: {}", id="as shipped"),
        pytest.param(
            {"postFilter": {"disabled": [{"name": "DynamicResources"}]}}, "preemption: {}", id="without devices"
        ),
        pytest.param(
            {"postFilter": {"disabled": [{"name": "DefaultPreemption"}]}},
            "no new claims to deallocate",
            id="no preemption",
        ),
        pytest.param({"postFilter": {"disabled": [{"name": "*"}]}}, "", id="nothing"),
        pytest.param({"preFilter": {"disabled": [{"name": "DynamicResources"}]}}, "not found", id="unprepared"),
    ],
)
def test_every_post_filter_plugin_has_its_say(plugins: Document, added: str) -> None:
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": plugins}],
        }
    )
    snapshot = Snapshot.from_objects([a_node("a", taints=[GOLD])])
    preempting = "0/1 nodes are available: 1 Preemption is not helpful for scheduling."

    explanation = explain(snapshot, a_pod(), configuration.profiles[0])

    words = f"{explanation.fit_error} {added.format(preempting)}".rstrip()
    assert explanation.message == words


def test_a_cluster_without_nodes_has_a_sentence_of_its_own() -> None:
    explanation = explanation_of(a_pod())

    assert explanation.message == "no nodes available to schedule pods"
    assert explanation.preemption is None
    assert explanation.groups == []


def test_a_pod_that_fits_has_no_message() -> None:
    explanation = explanation_of(a_pod(), a_node("n"))

    assert (explanation.fit_error, explanation.message) == (None, None)


@pytest.mark.parametrize(
    ("message", "reasons"),
    [
        (
            (
                "0/3 nodes are available: 3 cannot allocate all claims. still not schedulable, preemption: 0/3 nodes "
                "are available: 3 Preemption is not helpful for scheduling."
            ),
            {"cannot allocate all claims": 3},
        ),
        (
            "0/2 nodes are available: 2 cannot allocate all claims. deallocation of ResourceClaim completed.",
            {"cannot allocate all claims": 2},
        ),
        (
            "0/5 nodes are available: 1 PodToleratesNodeTaints, 4 PodExceedsFreeCPU.",
            {"Insufficient cpu": 4, TAINTED: 1},
        ),
        (
            (
                "No nodes are available that match all of the following predicates:: Insufficient cpu (3), "
                "MatchNodeSelector (2)."
            ),
            {"Insufficient cpu": 3, "node(s) didn't match Pod's node affinity/selector": 2},
        ),
        (
            (
                "pod (web-1) failed to fit in any node\nfit failure summary on nodes : PodExceedsFreeMemory (1), "
                "PodExceedsFreeCPU (2)"
            ),
            {"Insufficient memory": 1, "Insufficient cpu": 2},
        ),
        ("Failed for reason PodExceedsFreeCPU and possibly others", {"Insufficient cpu": 1}),
    ],
)
def test_a_refusal_is_read_in_any_form_that_schedulers_have_written(message: str, reasons: dict[str, int]) -> None:
    found = read_refusal(message)

    assert found is not None
    assert found.reasons == reasons


@pytest.mark.parametrize("digits", [10, 5000])
def test_a_number_that_no_cluster_has_is_no_number_of_nodes(digits: int) -> None:
    number = "9" * digits
    today = read_refusal(f"0/3 nodes are available: {number} Too many pods, 2 Insufficient cpu.")
    earlier = f"No nodes are available that match all of the predicates: Insufficient cpu ({number})."
    old = read_refusal(earlier)

    assert today is not None
    assert old is not None
    assert today.reasons == {"Insufficient cpu": 2}
    assert not old.reasons
    assert not has_same_reasons(earlier, "0/2 nodes are available: 2 Insufficient cpu.")


def test_words_of_another_scheduler_are_no_refusal() -> None:
    assert read_refusal("3/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable") is None


@pytest.mark.parametrize(
    ("message", "is_same"),
    [
        ("Failed for reason PodExceedsFreeCPU and possibly others", True),
        ("Failed for reason PodExceedsFreeMemory and possibly others", False),
        (
            (
                "No nodes are available that match all of the predicates: PodExceedsFreeCPU (2), "
                "PodToleratesNodeTaints (3)."
            ),
            True,
        ),
        ("No nodes are available that match all of the predicates: PodExceedsFreeCPU (2).", False),
        ("3/3 tasks in gang unschedulable", False),
    ],
)
def test_a_message_of_an_earlier_form_is_compared_by_its_reasons(message: str, is_same: bool) -> None:
    refusal = (
        "0/5 nodes are available: 1 node(s) had untolerated taint {a: }, 2 Insufficient cpu, 2 node(s) had untolerated "
        "taint {b: }."
    )

    assert has_same_reasons(message, refusal) is is_same
