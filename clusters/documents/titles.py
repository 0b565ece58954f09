"""Titles and labels that are stored like those that people give: in the installation's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.reviews import document as words
from clusters.wording.runs import changes, comparing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def review_title(*, cluster: str, simulation: str) -> str:
    """Return the title of a review whose order has none; ``simulation``: the title of what it is about, or empty."""
    return words.review_title(cluster=cluster, simulation=simulation)


def trial_title(*, number: int | None, cluster: str, rule: str, target: str, facts: Mapping[str, Any]) -> str:
    """Return the title of the simulation that shows what a proposed change of ``target`` does."""
    return words.trial_title(number=number, cluster=cluster, change=words.change_title(rule, target, facts))


def base_title(*, number: int | None, cluster: str, drained: str) -> str:
    """Return the title of the simulation without the change; ``drained`` is the node that it drains, or empty."""
    return words.trial_title(number=number, cluster=cluster, change=words.unchanged(drained))


def variant_title(study: str, variant: str) -> str:
    """Return the title of a study's simulation under one configuration."""
    configuration = changes.configuration_name(variant)
    # That of one preset is called by its name already.
    if configuration.startswith(study):
        return configuration
    return f"{study}: {configuration}"


def study_title(kind: str) -> str:
    """Return the title of a study that has none, by its kind."""
    return str(comparing.KINDS[kind])


def shape_label(workloads: Sequence[tuple[str, int]]) -> str:
    """Return the label of a shape that has none: its workloads, each with its share."""
    return comparing.shape(workloads)


def template_label(template: Mapping[str, Any]) -> str:
    """Return the label of a template of nodes that has none."""
    if template.get("like"):
        return comparing.LIKE_NODE(node=str(template["like"]))
    return f"{template['cpu']} CPU, {template['memory']}"


def threshold_label(percent: int) -> str:
    """Return the label of a threshold below which a node could go."""
    return f"< {percent} %"
