"""Which victims break a budget: those of their namespace are asked, one after the other, as a plain loop would."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.scheduling.preemption import Protection
from clusters.engine.selectors import LabelSelector, SelectorError
from tests.engine.builders import Document, a_node, a_pod

SPACES, APPS = ("shop", "bank"), ("web", "db")


@st.composite
def budgets(draw: st.DrawFn) -> Document:
    match: dict[str, Any] | None = draw(
        st.sampled_from(
            (
                None,
                {},
                {"matchLabels": {"app": "web"}},
                {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["db"]}]},
                {"matchExpressions": [{"key": "app", "operator": "Resembles"}]},
            )
        )
    )
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": f"b{draw(st.integers(0, 9))}", "namespace": draw(st.sampled_from(SPACES))},
        "spec": {"selector": match},
        "status": {
            "disruptionsAllowed": draw(st.integers(-1, 2)),
            "disruptedPods": {f"p{draw(st.integers(0, 7))}": ""},
        },
    }


def naive(pods: list[Document], known: list[Document]) -> set[str]:
    left = {number: budget["status"]["disruptionsAllowed"] for number, budget in enumerate(known)}
    broken = set()
    for pod in pods:
        labels, meta = pod["metadata"]["labels"], pod["metadata"]
        for number, budget in enumerate(known):
            if budget["metadata"]["namespace"] != meta["namespace"] or not labels:
                continue
            try:
                selector = LabelSelector.from_dict(budget["spec"]["selector"])
            except SelectorError:
                continue
            disrupted = meta["name"] in budget["status"]["disruptedPods"]
            if not selector.matches_everything and selector.matches(labels) and not disrupted:
                left[number] -= 1
                if left[number] < 0:
                    broken.add(meta["name"])
    return broken


@given(
    known=st.lists(
        budgets(), max_size=6, unique_by=lambda each: (each["metadata"]["namespace"], each["metadata"]["name"])
    ),
    placed=st.lists(st.tuples(st.sampled_from(SPACES), st.sampled_from((*APPS, None))), max_size=8),
)
def test_victims_break_the_budgets_that_a_plain_loop_says(
    known: list[Document], placed: list[tuple[str, str | None]]
) -> None:
    pods = [
        a_pod(f"p{number}", namespace=namespace, node="n", labels={"app": app} if app else {})
        for number, (namespace, app) in enumerate(placed)
    ]
    snapshot = Snapshot.from_objects([a_node("n"), *pods, *known])
    queue = [snapshot.pods.slot_of[f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"] for pod in pods]
    broken = Protection(snapshot).violating(queue)

    assert {snapshot.pods.name(slot) for slot in broken} == naive(pods, known)
