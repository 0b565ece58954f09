"""What a review comes to, in three to six sentences, each of which leads to the section that it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import counts
from clusters.wording.evaluation import counted
from clusters.wording.lists import listed
from clusters.wording.reviews import headroom, maintenance, pending, simulation
from dashboard.reports import upgrade
from dashboard.reports.blocks import Finding
from dashboard.reports.sentences import drainable, pending_after_run, placed, recommended, requested, worst_zone
from dashboard.reports.simulation import cause_phrase
from dashboard.reports.words import section_title

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Data = Mapping[str, Any]

# So many budgets are named, those that block most nodes.
_NAMED = 3


def in_short(document: Data) -> tuple[Finding, ...]:
    """Return the findings in the order in which they matter; of sections that were not ordered there are none."""
    sections = {section["key"]: section for section in document["sections"]}
    if "run" in sections:
        # What is pending after a simulation is part of its own section.
        sections.pop("pending", None)
    found = [(key, say(sections[key])) for key, say in _SAYINGS.items() if key in sections]
    return tuple(Finding(text, f"section-{key}", section_title(key)) for key, text in found if text)


def _rows(section: Data, table: str) -> Sequence[Data]:
    return next((each["rows"] for each in section["tables"] if each["name"] == table), ())


def _run(section: Data) -> str:
    facts = section["facts"]
    newly, before = pending_after_run(facts)
    if not newly + before:
        return f"{placed(facts)} {simulation.NONE_PENDING}"
    said = [placed(facts), simulation.NEWLY_PENDING(pods=newly)]
    if before:
        said.append(simulation.STILL_PENDING(pods=before))
    return " ".join([*said, *_main(_rows(section, "pending_causes"))])


def _main(causes: Sequence[Data]) -> list[str]:
    """Say the cause of most pods, after their number."""
    row = max(causes, key=lambda each: each["pods"], default=None)
    if row is None:
        return []
    cause = cause_phrase(row)
    return [simulation.CAUSE(cause=cause, pods=counts.pods(row["pods"]))]


def _utilisation(section: Data) -> str:
    return requested(section["facts"])


def _pending(section: Data) -> str:
    waiting = section["facts"]["pending"]
    if not waiting:
        return str(pending.NONE)
    return " ".join([pending.PENDING(pods=waiting), *_main(_rows(section, "causes"))])


def _headroom(section: Data) -> str:
    """Say what the loss of a zone does to workloads, or the loss that leaves least room where no zone can be lost."""
    zone = section["facts"]["worst_zone"]
    if zone is not None and zone["newly_pending"] + zone["fewer"]:
        return worst_zone(zone)
    shapes = {row["shape"]: row for row in _rows(section, "shapes")}
    now = {name: row["now"] for name, row in shapes.items()}
    losses = [row for row in _rows(section, "losses") if now.get(row["shape"])]
    if not losses:
        return ""
    worst = max(
        losses, key=lambda row: (row["newly_pending"], 1 - row["fits"] / now[row["shape"]], row["lost"] == "zone")
    )
    is_zone, name = worst["lost"] == "zone", worst["name"]
    then = headroom.FITS_THEN(
        fits=counted(worst["fits"], is_whole=not worst["is_capped"]),
        now=counted(now[worst["shape"]], is_whole=not shapes[worst["shape"]]["is_capped"]),
        shape=worst["shape"],
    )
    if not worst["newly_pending"]:
        return f"{headroom.WORST_ZONE(name=name) if is_zone else _worst_node(name, section['facts'])} {then}"
    lost = (headroom.ZONE_LOST if is_zone else headroom.NODE_LOST)(name=name, pods=worst["displaced"])
    return f"{lost} {simulation.NEWLY_PENDING(pods=worst['newly_pending'])} {then}"


def _worst_node(name: str, facts: Data) -> str:
    played = facts["nodes_played"]
    if played >= facts["kinds_of_nodes"]:
        return headroom.WORST_NODE(name=name)
    return headroom.WORST_SIMULATED_NODE(nodes=played, name=name)


def _maintenance(section: Data) -> str:
    blockers = [
        maintenance.BUDGET_WITH_NODES(budget=row["budget"], nodes=counts.nodes(row["blocked"]))
        for row in _rows(section, "drain_blockers")[:_NAMED]
    ]
    drains = drainable(section["facts"])
    return f"{drains} {maintenance.MOST_BLOCKING(budgets=listed(blockers))}" if blockers else drains


def _recommendations(section: Data) -> str:
    """Say that nothing is recommended; what is stands in a table just below."""
    return "" if section["facts"]["made"] else recommended(section["facts"])


def _upgrade(section: Data) -> str:
    """Say what keeps the later kube-scheduler from starting, or else how much it decides otherwise."""
    found = upgrade.callouts(section["facts"])
    return found[0][2] if found else upgrade.lead(section["facts"])


_SAYINGS: Mapping[str, Callable[[Data], str]] = {
    "run": _run,
    "utilisation": _utilisation,
    "pending": _pending,
    "headroom": _headroom,
    "maintenance": _maintenance,
    "upgrade": _upgrade,
    "recommendations": _recommendations,
}
