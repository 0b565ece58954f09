"""The attempt as a strip, in words: each plugin of the engine's stages stands on the page with what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling.explanation import Part, stages
from clusters.engine.versions import RELEASES
from clusters.services.decisions.explain import explain_pod
from clusters.wording.decisions.attempt import PARTS
from dashboard.presenters.decisions.page import strip
from tests.engine.builders import a_node, a_pod, explanation_of, with_arguments
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.test import Client

    from clusters.models import Cluster

NAMES = [
    "PreEnqueue", "QueueSort", "PreFilter", "Filter", "PostFilter", "PreScore", "Score", "NormalizeScore", "Reserve",
    "Permit", "PreBind", "Bind", "PostBind",
]  # fmt: skip


def test_every_plugin_stands_at_its_point_with_what_it_did(signed_in_client: Client, cluster: Cluster) -> None:
    for name in ["plain", "huge", "urgent", "gated", "device", "only"]:
        explanation = explain_pod(cluster=cluster, namespace="shop", name=name)
        shown = text(signed_in_client.get(f"/clusters/shop/pods/shop/{name}/"))
        steps = strip(explanation).steps
        assert [step.name for step in steps] == NAMES
        for step, stage in zip(steps, stages(explanation), strict=True):
            assert [plugin.name for plugin in step.plugins] == [each.plugin for each in stage.parts]
            assert f"{step.name} {step.summary} " in shown
            for plugin, each in zip(step.plugins, stage.parts, strict=True):
                words = f"{plugin.name} {PARTS[each.part]} {plugin.rejected} {plugin.sentence}".replace("  ", " ")
                assert words.replace("\u202f", " ") in shown
                assert plugin.sentence[-1:] in ("", ".")
                if each.rejected:
                    assert plugin.sentence.startswith(f"Rejects {each.rejected} of {each.asked} node")


def test_how_far_an_attempt_comes(signed_in_client: Client, cluster: Cluster) -> None:
    for name, sentence in [
        ("plain", "4 nodes pass Filter; the best is cedar."),
        ("only", "birch alone passes Filter and is taken; nothing is scored."),
        ("huge", "No node passes Filter, and preemption is not helpful."),
        ("urgent", "No node passes Filter; preemption makes room on ash."),
        (
            "nominee",
            "cedar is nominated and passes Filter",
        ),
        ("gated", "Scheduling gates keep the pod out of the queue."),
    ]:
        assert sentence in text(signed_in_client.get(f"/clusters/shop/pods/shop/{name}/"))


def test_what_is_not_computed_says_so() -> None:
    steps = {step.name: step for step in strip(explanation_of(a_pod(), a_node("one"), a_node("two"))).steps}

    for name in ("Reserve", "PreBind", "Bind"):
        assert steps[name].plugins
        assert {plugin.state for plugin in steps[name].plugins} == {"not-computed"}
        assert "Not computed" in steps[name].note
    assert steps["Permit"].summary == "no plugin"


@pytest.mark.parametrize(
    ("minor", "defaulting", "is_said"),
    [("1.37", "List", True), ("1.37", "System", False), ("1.34", "List", False)],
)
def test_pods_that_may_share_an_evaluation_say_so(minor: str, defaulting: str, is_said: bool) -> None:
    pod, release = a_pod(), RELEASES[minor]
    fields = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        **with_arguments("PodTopologySpread", defaultingType=defaulting),
    }
    profile = SchedulerConfiguration.from_dict(fields, release).profile_for(pod)
    found = explain(Snapshot.from_objects([a_node("one")], release), pod, profile)

    assert ("OpportunisticBatching" in " ".join(strip(found).notes)) is is_said


def test_foreign_plugins_are_not_computed() -> None:
    plugins = {"multiPoint": {"enabled": [{"name": "Ours"}]}, "filter": {"enabled": [{"name": "Theirs"}]}}
    view = strip(explanation_of(a_pod(), a_node("one"), profiles=[{"plugins": plugins}]))

    assert view.notes == ("Ours is enabled with multiPoint; its extension points are not known.",)
    theirs = next(plugin for step in view.steps for plugin in step.plugins if plugin.name == "Theirs")
    assert (theirs.word, theirs.sentence) == (
        str(PARTS[Part.NOT_COMPUTED]), "Not part of Kubernetes: its answer is unknown.",
    )  # fmt: skip
