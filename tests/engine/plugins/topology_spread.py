"""Pods that are spread over three nodes in two zones, and what PodTopologySpread says of them."""

from __future__ import annotations

from typing import Any

from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of, scores_of

NAME = "PodTopologySpread"
WEB = {"app": "web"}
GOLD: Document = {"key": "gold", "effect": "NoSchedule"}
ZONES = (a_node("a1", zone="a"), a_node("a2", zone="a"), a_node("b1", zone="b"))


def constraint(key: str = ZONE, skew: int = 1, **more: Any) -> Document:
    selector = {"matchLabels": WEB}
    hard = {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
    return {**hard, **more}


def soft(key: str = ZONE, skew: int = 1, **more: Any) -> Document:
    return constraint(key, skew, whenUnsatisfiable="ScheduleAnyway", **more)


def spread(*constraints: Document, labels: dict[str, str] | None = None, **more: Any) -> Document:
    return a_pod(labels=WEB if labels is None else labels, topologySpreadConstraints=list(constraints), **more)


def webs(**counts: int) -> list[Document]:
    """So many pods of the app on each node."""
    return [
        a_pod(f"web-{node}-{number}", node=node, labels=WEB)
        for node, count in counts.items()
        for number in range(count)
    ]


def rejections(pod: Document, *objects: Document, **configuration: Any) -> dict[str, Any]:
    explanation = explanation_of(pod, *objects, **configuration)
    return {
        name: status
        for row, name in enumerate(explanation.snapshot.nodes.names)
        if (status := explanation.rejections_of(row).get(NAME)) is not None
    }


def scored(pod: Document, *objects: Document, **configuration: Any) -> dict[str, tuple[int, int]]:
    return scores_of(explanation_of(pod, *objects, **configuration), NAME)
