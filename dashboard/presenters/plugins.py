"""Which plugins took part in a decision, which did not and why, and with what weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.presenters import wording
from dashboard.presenters.amounts import counted, grouped

if TYPE_CHECKING:
    from clusters.engine import Explanation, SchedulerConfiguration


@dataclass(frozen=True, slots=True)
class PluginRow:
    """One plugin's part: what it did as a filter and as a score, empty where the profile does not ask it."""

    name: str
    question: str
    filtering: str
    scoring: str
    took_part: bool


def plugin_rows(explanation: Explanation) -> list[PluginRow]:
    """Present the plugins that the profile asks, in its order."""
    profile = explanation.profile
    names = dict.fromkeys((*profile.filter, *profile.score))
    rows = [_row(explanation, name) for name in names]
    rows += [
        PluginRow(
            name,
            wording.plugin_question(name),
            f"Not computed; enabled by {wording.listed(points)}.",
            "",
            took_part=False,
        )
        for name, points in profile.unknown_plugins.items()
    ]
    return rows


def _row(explanation: Explanation, name: str) -> PluginRow:
    filtering, scoring = _filtering(explanation, name), _scoring(explanation, name)
    scored = any(score.plugin == name for score in explanation.scores)
    return PluginRow(
        name, wording.plugin_question(name), filtering, scoring, took_part=name in explanation.cycle.filters or scored
    )


def _filtering(explanation: Explanation, name: str) -> str:
    if name not in explanation.profile.filter:
        return ""
    if name in explanation.unknown_plugins:
        return "Not computed for this pod; counted as letting every node pass."
    if name in explanation.cycle.skipped:
        return wording.nothing_to_filter(name)
    outcome = explanation.cycle.filters.get(name)
    if outcome is None:
        return f"Ended the cycle: {wording.reasons(explanation.cycle.pre_filters[name].status)}."
    rejected = 0 if outcome.failed is None else int(outcome.failed.sum())
    return f"Rejects {wording.of_nodes(explanation, rejected)}." if rejected else "Lets every node pass."


def _scoring(explanation: Explanation, name: str) -> str:
    profile = explanation.profile
    if name not in profile.score:
        return ""
    weight = f"Weight {grouped(profile.weights[name])}."
    if not explanation.fits:
        return f"{weight} No node is left to score."
    if name in explanation.cycle.unscored:
        return f"{weight} {wording.nothing_to_score(name)}"
    return weight


def unknowns(explanation: Explanation, configuration: SchedulerConfiguration) -> list[str]:
    """Say what cannot be known from outside and concerns every pod of this profile."""
    said = []
    if explanation.unknown_plugins:
        names = wording.listed(explanation.unknown_plugins)
        said.append(f"What {names} would say is not computed; the answer here counts it as letting every node pass.")
    if configuration.extenders:
        addresses = wording.listed([extender.url_prefix for extender in configuration.extenders])
        asked = counted(len(configuration.extenders), "extender", "extenders")
        said.append(f"The scheduler also asks {asked} ({addresses}), whose answers cannot be known from outside.")
    return said


def sampling_sentence(explanation: Explanation) -> str:
    """Say how many nodes the scheduler searches."""
    sampling = explanation.sampling
    if not explanation.node_count:
        return "There are no nodes to look at."
    if sampling.complete:
        return "The scheduler looks at every node."
    return (
        f"Of {counted(sampling.nodes, 'node', 'nodes')} the scheduler stops its search after "
        f"{counted(sampling.wanted, 'feasible one', 'feasible ones')}, beginning where its last search ended, which "
        "cannot be known. This page looks at every node."
    )
