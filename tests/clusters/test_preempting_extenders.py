"""Extenders with a preemptVerb narrow the candidates for preemption and change their victims, asked over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters import extenders as adapter
from clusters.adapters.extenders import HttpExtenders
from clusters.documents.writing import explanation_document
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion
from clusters.engine.scheduling import Preemption, Silence, is_preemption_uncertain
from clusters.wording.conclusions import answer_sentences, doubts
from clusters.wording.decisions.attempt import change_sentences, headline, on_node, outcome
from clusters.wording.decisions.verdict import verdict_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.support.extender import Held, RunningExtender, running_extender

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_django import Settings


FOO = "example.com/foo"
NODES = [a_node(name, allocatable={"cpu": "4"}) for name in ("a", "b", "c")]
# On each node one of the pods of priority 0 has to go; on a that breaks no budget, on b and c neither.
PODS = [
    a_pod("a-1", node="a", requests={"cpu": "3"}),
    a_pod("a-2", node="a", requests={"cpu": "1"}, priority=3),
    a_pod("a-high", node="a", priority=99),
    a_pod("b-1", node="b", requests={"cpu": "4"}, priority=1),
    a_pod("c-1", node="c", requests={"cpu": "4"}, priority=2),
]
INCOMING = a_pod("incoming", requests={"cpu": "3"}, priority=10)


@pytest.fixture
def extender(settings: Settings) -> Iterator[RunningExtender]:
    with running_extender() as found:
        settings.BERTH_EXTENDER_HOSTS = [found.host]
        yield found


def asked(
    *extenders: dict[str, Any], pod: Document = INCOMING, held: Sequence[Document] = PODS, is_asking: bool = True
) -> Explanation:
    versioned = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": list(extenders),
    }
    (profile,) = SchedulerConfiguration.from_dict(versioned).profiles
    snapshot = Snapshot.from_objects([*NODES, *PODS])
    return explain(snapshot, pod, profile, extenders=HttpExtenders(Held(NODES, held)) if is_asking else None)


def preempting(extender: RunningExtender, **fields: Any) -> dict[str, Any]:
    return {
        "urlPrefix": extender.address,
        "preemptVerb": "preempt",
        "nodeCacheCapable": True,
        "httpTimeout": "10s",
        **fields,
    }


def named(violations: int = 0, **nodes: Sequence[str]) -> dict[str, Any]:
    """An ExtenderPreemptionResult."""
    return {
        "NodeNameToMetaVictims": {
            node: {"Pods": [{"UID": f"uid-{name}"} for name in names], "NumPDBViolations": violations}
            for node, names in nodes.items()
        }
    }


def preemption_of(explanation: Explanation) -> Preemption:
    assert explanation.preemption is not None
    return explanation.preemption


def costs(explanation: Explanation) -> dict[str, tuple[str, ...]]:
    return {
        each.node: tuple(key.removeprefix("default/") for key in each.victims)
        for each in preemption_of(explanation).candidates
    }


def test_uids_of_victims_are_sent_to_an_extender_with_a_cache(extender: RunningExtender) -> None:
    extender.answers["preempt"] = named(a=["a-1"], b=["b-1"], c=["c-1"])

    explanation = asked(preempting(extender))

    ((verb, arguments),) = extender.asked
    assert verb == "preempt"
    assert arguments["Pod"]["metadata"]["name"] == "incoming"
    assert arguments["NodeNameToVictims"] is None
    assert arguments["NodeNameToMetaVictims"] == {
        node: {"Pods": [{"UID": uid}], "NumPDBViolations": 0}
        for node, uid in (("a", "uid-a-1"), ("b", "uid-b-1"), ("c", "uid-c-1"))
    }
    assert costs(explanation) == {"a": ("a-1",), "b": ("b-1",), "c": ("c-1",)}
    assert preemption_of(explanation).candidates == preemption_of(asked()).candidates
    assert explanation.message == asked().message
    assert doubts(explanation) == []
    assert not is_preemption_uncertain(explanation)
    assert [*answer_sentences(explanation)] == [
        f"The extender {extender.address} keeps 3 of 3 candidates for preemption."
    ]


def test_pods_are_sent_to_an_extender_without_a_cache_which_answers_with_uids(extender: RunningExtender) -> None:
    extender.answers["preempt"] = {"nodeNameToMetaVictims": {"b": {"pods": [{"uid": "uid-b-1"}]}}}

    explanation = asked(preempting(extender, nodeCacheCapable=False))

    ((_, arguments),) = extender.asked
    assert arguments["NodeNameToMetaVictims"] is None
    sent = arguments["NodeNameToVictims"]["b"]
    assert sent["NumPDBViolations"] == 0
    assert sent["Pods"] == [PODS[3]]
    assert costs(explanation) == {"b": ("b-1",)}


def test_candidates_that_an_extender_leaves_out_are_not_selected(extender: RunningExtender) -> None:
    extender.answers["preempt"] = named(b=["b-1"], c=["c-1"])
    assert preemption_of(asked()).selected.node == "a"  # type: ignore[union-attr]

    explanation = asked(preempting(extender))

    found = preemption_of(explanation)
    assert found.selected is not None
    assert found.selected.node == "b"
    assert explanation.conclusion is Conclusion.UNSCHEDULABLE
    assert "keeps 2 of 3 candidates for preemption." in " ".join(answer_sentences(explanation))
    assert [*change_sentences(found)] == [
        ("a", f"Extender {extender.address} leaves the node out (victims: default/a-1).")
    ]
    assert on_node(explanation, 0) == (
        f"Removing 1 pod of lower priority from a makes room. The extender {extender.address} leaves the node out."
    )
    document = explanation_document(explanation)
    assert document.preemption is not None
    (change,) = document.preemption.changes  # type: ignore[misc]
    assert (change.node, change.extender, change.after) == ("a", extender.address, None)
    assert change.before is not None
    assert change.before.victims == ("default/a-1",)


def test_an_extender_may_change_victims_and_violations_and_name_other_pods_and_nodes(
    extender: RunningExtender,
) -> None:
    extender.answers["preempt"] = {
        "NodeNameToMetaVictims": {
            **named(a=["a-high", "a-1"])["NodeNameToMetaVictims"],
            **named(2, b=["b-1"])["NodeNameToMetaVictims"],
            **named(1, c=["c-1"])["NodeNameToMetaVictims"],
        }
    }

    explanation = asked(preempting(extender))

    found = preemption_of(explanation)
    assert costs(explanation) == {"a": ("a-high", "a-1"), "b": ("b-1",), "c": ("c-1",)}
    # Its numbers count: a violates none, whatever the priority of the first.
    assert found.selected is not None
    assert (found.selected.node, found.selected.priorities) == ("a", (99, 0))
    assert {each.node: each.pdb_violations for each in found.candidates} == {"a": 0, "b": 2, "c": 1}
    assert [*change_sentences(found)] == [
        (
            "a",
            f"Extender {extender.address}: victims default/a-high and default/a-1 instead of default/a-1.",
        ),
        ("b", f"Extender {extender.address}: 2 violated disruption budgets instead of 0."),
        ("c", f"Extender {extender.address}: 1 violated disruption budget instead of 0."),
    ]
    assert headline(found).startswith(f"The extender {extender.address} has 2 pods removed from a.")
    assert verdict_sentence(explanation).startswith(
        f"May fit by preemption: the extender {extender.address} has 2 pods removed from a."
    )
    assert on_node(explanation, 0).startswith(f"The extender {extender.address} has 2 pods removed from a.")


def test_an_extender_may_add_a_node(extender: RunningExtender) -> None:
    extender.answers["first"] = named(b=["b-1"])
    extender.answers["second"] = named(b=["b-1"], c=["c-1"])

    explanation = asked(
        preempting(extender, preemptVerb="first"),
        {**preempting(extender, preemptVerb="second"), "urlPrefix": f"{extender.address}/"},
    )

    assert [[*arguments["NodeNameToMetaVictims"]] for _, arguments in extender.asked] == [["a", "b", "c"], ["b"]]
    assert costs(explanation) == {"b": ("b-1",), "c": ("c-1",)}
    assert [*answer_sentences(explanation)] == [
        f"The extender {extender.address} keeps 1 of 3 candidates for preemption.",
        f"The extender {extender.address}/ keeps 1 of 1 candidate for preemption. It adds 1 node.",
    ]


@pytest.mark.parametrize("answer", [None, {}, {"NodeNameToMetaVictims": None}, {"NodeNameToMetaVictims": {}}])
def test_an_empty_answer_ends_preemption(extender: RunningExtender, answer: Any) -> None:
    extender.answers |= {"preempt": answer, "never": named(a=["a-1"])}

    explanation = asked(preempting(extender), preempting(extender, preemptVerb="never"))

    assert [verb for verb, _ in extender.asked] == ["preempt"]
    assert preemption_of(explanation).candidates == ()
    assert str(explanation.message).endswith(" preemption: no candidate node for preemption")
    assert headline(preemption_of(explanation)) == (
        "No pod is preempted: extenders leave out all 3 nodes where that makes room."
    )
    assert "extenders prevent preemption" in outcome(explanation)
    assert len([*change_sentences(preemption_of(explanation))]) == 3


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param(named(a=["a-1"], z=["a-1"]), 'nodeinfo not found for node name "z"', id="unknown node"),
        pytest.param(
            named(a=["a-1"], b=["a-1"]),
            "extender: {address} claims to preempt pod (UID: &{{uid-a-1}}) on node: b, but the pod is not found on "
            "that node",
            id="pod of another node",
        ),
        pytest.param(
            {"NodeNameToMetaVictims": {"a": {"Pods": [{}]}}},
            "extender: {address} claims to preempt pod (UID: &{{}}) on node: a, but the pod is not found on that node",
            id="no UID",
        ),
        pytest.param(named(a=[], b=["b-1"]), 'expected at least one victim pod on node "a"', id="no victim"),
    ],
)
def test_an_answer_that_the_scheduler_cannot_use_ends_preemption(
    extender: RunningExtender, answer: Any, error: str
) -> None:
    extender.answers["preempt"] = answer

    explanation = asked(preempting(extender))

    message = error.format(address=extender.address)
    assert preemption_of(explanation).candidates == ()
    assert explanation.message == f"{explanation.fit_error} preemption: {message}"
    assert [*answer_sentences(explanation)] == [f"The extender {extender.address} on preemption, unusable: {message}"]
    assert headline(preemption_of(explanation)) == (
        f"No pod is preempted: the answer of the extender {extender.address} is unusable."
    )
    assert "makes room" in on_node(explanation, 1)
    assert "is unusable" in on_node(explanation, 1)


def test_answers_of_ignorable_extenders_that_cannot_be_used_are_skipped(extender: RunningExtender) -> None:
    extender.answers |= {"strange": named(z=["a-1"]), "preempt": named(a=[], b=["b-1"])}

    explanation = asked(
        preempting(extender, preemptVerb="strange", ignorable=True), preempting(extender, ignorable=True)
    )

    # The first does not count; of the second the node without victims does not.
    assert [[*arguments["NodeNameToMetaVictims"]] for _, arguments in extender.asked] == [["a", "b", "c"]] * 2
    assert costs(explanation) == {"b": ("b-1",)}
    first, second = answer_sentences(explanation)
    assert first.startswith(f"The extender {extender.address} on preemption (ignored)")
    assert "keeps 1 of 3" in second


def test_nobody_is_asked_about_a_pod_that_fits_or_that_preemption_does_not_help(extender: RunningExtender) -> None:
    extender.answers["preempt"] = named(a=["a-1"])

    assert asked(preempting(extender), pod=a_pod("small")).fits
    assert not asked(preempting(extender), pod=a_pod("low", requests={"cpu": "3"}, priority=-1)).fits
    assert not asked(preempting(extender), pod=a_pod("huge", requests={"cpu": "99"}, priority=10)).fits
    assert extender.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        b"{",
        ["a"],
        {"NodeNameToMetaVictims": ["a"]},
        {"NodeNameToMetaVictims": {"a": None}},
        {"NodeNameToMetaVictims": {"a": {"Pods": "a-1"}}},
        {"NodeNameToMetaVictims": {"a": {"Pods": [None]}}},
        {"NodeNameToMetaVictims": {"a": {"Pods": [{"UID": 1}]}}},
        {"NodeNameToMetaVictims": {"a": {"Pods": [], "NumPDBViolations": "1"}}},
        {"NodeNameToMetaVictims": {"a": {"Pods": [], "NumPDBViolations": True}}},
        {"NodeNameToMetaVictims": {"a": {"Pods": [], "NumPDBViolations": 2**63}}},
    ],
)
def test_an_answer_that_is_none_leaves_preemption_uncertain(extender: RunningExtender, answer: Any) -> None:
    extender.answers["preempt"] = answer

    explanation = asked(preempting(extender))

    assert [call.silence for call in preemption_of(explanation).calls] == [Silence.UNREADABLE]
    assert len(costs(explanation)) == 3
    assert is_preemption_uncertain(explanation)
    assert verdict_sentence(explanation).startswith("May fit by preemption")
    assert doubts(explanation) == [
        f"the extender {extender.address} may preempt other pods.",
        "Its answer is no extender's.",
    ]


def test_whom_nobody_lists_is_not_asked_and_preemption_stays_uncertain(
    extender: RunningExtender, settings: Settings
) -> None:
    settings.BERTH_EXTENDER_HOSTS = []

    explanation = asked(preempting(extender))

    assert extender.asked == []
    assert any("BERTH_EXTENDER_HOSTS" in each for each in doubts(explanation))
    assert is_preemption_uncertain(explanation)


def test_where_nobody_asks_preemption_stays_uncertain(extender: RunningExtender) -> None:
    explanation = asked(preempting(extender), is_asking=False)

    assert doubts(explanation) == [f"the extender {extender.address} may preempt other pods."]
    assert is_preemption_uncertain(explanation)


def test_victims_without_uids_cannot_be_asked_about(extender: RunningExtender) -> None:
    without = [{**each, "metadata": {**each["metadata"], "uid": ""}} for each in PODS]

    for held in (without, PODS[:1]):
        explanation = asked(preempting(extender), held=held)
        assert [call.silence for call in preemption_of(explanation).calls] == [Silence.UNIDENTIFIED]
        assert any("UID" in each for each in doubts(explanation))
    assert extender.asked == []


def test_not_more_victims_are_sent_than_it_may_take(extender: RunningExtender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "MOST_VICTIMS", 2)

    explanation = asked(preempting(extender))

    assert [call.silence for call in preemption_of(explanation).calls] == [Silence.TOO_MANY_VICTIMS]
    assert extender.asked == []


def test_the_other_extenders_are_asked_although_one_does_not_answer(extender: RunningExtender) -> None:
    extender.answers |= {"preempt": b"{", "next": named(c=["c-1"])}

    explanation = asked(preempting(extender), preempting(extender, preemptVerb="next"))

    assert costs(explanation) == {"c": ("c-1",)}
    assert is_preemption_uncertain(explanation)
    assert len([*answer_sentences(explanation)]) == 1


def test_only_pods_that_request_its_resource_are_sent(extender: RunningExtender) -> None:
    extender.answers["preempt"] = named(c=["c-1"])
    managing = preempting(extender, managedResources=[{"name": FOO, "ignoredByScheduler": True}])

    assert len(costs(asked(managing))) == 3
    assert extender.asked == []
    assert doubts(asked(managing)) == []
    assert costs(asked(managing, pod=a_pod("foo", requests={"cpu": "3", FOO: "1"}, priority=10))) == {"c": ("c-1",)}
