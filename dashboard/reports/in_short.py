"""What a review comes to, in three to six sentences, each of which leads to the section that it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, grouped, percent
from dashboard.presenters.wording import listed
from dashboard.reports.blocks import Finding
from dashboard.reports.recommended import effect, recommended
from dashboard.reports.sentences import drainable, pending_after_run, placed_pods
from dashboard.reports.simulation import cause_phrase
from dashboard.reports.words import section_title

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Data = Mapping[str, Any]

_NAMED = 3


def in_short(document: Data) -> tuple[Finding, ...]:
    """Return the findings in the order in which they matter; of sections that were not ordered there are none."""
    sections = {section["key"]: section for section in document["sections"]}
    if "run" in sections:
        # What waits at a simulation's end is what it left over.
        sections.pop("pending", None)
    found = [(key, say(sections[key])) for key, say in _SAYINGS.items() if key in sections]
    return tuple(Finding(text, f"section-{key}", section_title(key)) for key, text in found if text)


def _rows(section: Data, table: str) -> Sequence[Data]:
    return next((each["rows"] for each in section["tables"] if each["name"] == table), ())


def _run(section: Data) -> str:
    facts = section["facts"]
    newly, before = pending_after_run(facts)
    said = f"The simulation placed {placed_pods(facts)}"
    if not newly + before:
        return f"{said} and left none pending."
    main = _main(_rows(section, "left_over_causes"), newly + before)
    left = counted(newly, "pod is newly pending", "pods are newly pending")
    return f"{said}; {left} and {grouped(before)} still{main}."


def _main(causes: Sequence[Data], pods: int) -> str:
    """Say the cause of most pods, after their number."""
    row = max(causes, key=lambda each: each["pods"], default=None)
    if row is None:
        return ""
    share = "all of them" if row["pods"] == pods else f"{grouped(row['pods'])} of them"
    return f" ({share}: {cause_phrase(row)})"


def _utilisation(section: Data) -> str:
    facts = section["facts"]
    shares = [
        f"{percent(found['requested'], found['allocatable'])} of the {name}"
        for key, name in (("cpu", "CPU"), ("memory", "memory"))
        if (found := facts["resources"].get(key))
    ]
    return f"Pods request {listed(shares)} of {counted(facts['nodes']['total'], 'node', 'nodes')}." if shares else ""


def _pending(section: Data) -> str:
    waiting = section["facts"]["waiting"]
    if not waiting:
        return "No pod waits for a node."
    main = _main(_rows(section, "causes"), waiting)
    return f"{counted(waiting, 'pod waits', 'pods wait')} for a node{main}."


def _headroom(section: Data) -> str:
    """Say the loss that leaves most pods without a place, or else takes most room."""
    now = {row["shape"]: row["now"] for row in _rows(section, "shapes")}
    losses = [row for row in _rows(section, "losses") if now.get(row["shape"])]
    if not losses:
        return ""
    worst = max(
        losses, key=lambda row: (_newly_pending(row), 1 - row["fits"] / now[row["shape"]], row["lost"] == "zone")
    )
    what = worst["name"] if worst["name"].startswith(worst["lost"]) else f"{worst['lost']} {worst['name']}"
    fits = f"{grouped(worst['fits'])} instead of {grouped(now[worst['shape']])} more pods of shape {worst['shape']} fit"
    if not _newly_pending(worst):
        return f"The worst loss is that of {what}: its pods find places, and then {fits}."
    displaced = counted(worst["displaced"], "pod is", "pods are")
    pending = counted(_newly_pending(worst), "pod is", "pods are")
    return f"If {what} is lost, its {displaced} recreated, {pending} newly pending, and {fits}."


def _newly_pending(loss: Data) -> int:
    """Return how many pods a loss leaves newly pending; reviews of before called them homeless."""
    number: int = loss["newly_pending"] if "newly_pending" in loss else loss["homeless"]
    return number


def _maintenance(section: Data) -> str:
    lasting = [f"{row['namespace']}/{row['name']}" for row in _rows(section, "budgets") if row["lasts"]]
    if not lasting:
        return f"{drainable(section['facts'])}."
    more = len(lasting) - _NAMED
    named = listed([*lasting[:_NAMED], *([f"{grouped(more)} more"] if more > 0 else [])])
    budgets = counted(len(lasting), "budget allows", "budgets allow")
    return f"{drainable(section['facts'])}; {budgets} no eviction until somebody changes something: {named}."


def _recommendations(section: Data) -> str:
    made = section["facts"]["made"]
    if not made:
        return "Nothing is recommended: no simulation shows a change that would help."
    advice = [f"{_lower(recommended(each).title)} ({effect(each)})" for each in made]
    return f"Recommended: {'; '.join(advice)}."


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


_SAYINGS: Mapping[str, Callable[[Data], str]] = {
    "run": _run,
    "utilisation": _utilisation,
    "pending": _pending,
    "headroom": _headroom,
    "maintenance": _maintenance,
    "recommendations": _recommendations,
}
