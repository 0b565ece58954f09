"""A simulation as plain text: the verdict in a sentence, then what is pending, where pods went, what that leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import printable
from clusters.documents.explanation import read_cause
from clusters.documents.words import both_ways, read_group, sentence_of_uncertainty, summary_in_words
from clusters.management.terminal.output import table, wrapped
from clusters.services.runs.results import Simulated, placements, uncertain_groups
from clusters.wording import lists, states
from clusters.wording.amounts import percent, quantity
from clusters.wording.lists import OF, first_of
from clusters.wording.pending import cause_name
from clusters.wording.resources import resource_name
from clusters.wording.runs.groups import (
    NO_ANSWER_BESIDE,
    TITLE,
    end_word,
    group_sentence,
)
from clusters.wording.terminal import simulation as words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.simulation import GroupResult

_MOST_CAUSES: Final = 10
_EXAMPLES: Final = 3
_ORDER: Final = {"cpu": 0, "memory": 1, "pods": 2}


def lines(found: Simulated, reason: str, width: int, *, on: str) -> Iterator[str]:
    """Yield the lines about a simulation ``on`` something; ``reason`` is its verdict in words.

    The verdict is the first line and no more than that, whatever the width: pipelines show it alone.
    """
    summary = found.summary
    yield printable(f"{on}: {reason}")
    if happened := words.on_the_way(summary["steps"]):
        yield from wrapped(happened, width)
    yield from _pod_groups(summary, width)
    yield from _pending(summary["pending_causes"], width)
    yield from _refused(summary["refusals"], width)
    yield from _uncertain(summary, width)
    yield from _placed(found, width)
    yield from _utilisation(summary, width)
    told = summary_in_words(summary)
    notes = [*told["notes"], *told["relaxed"]]
    if notes:
        yield ""
        yield str(words.NOTES_HEAD)
    for note in notes:
        yield from wrapped(str(note), width, indent="    ", first="  - ")


def _pod_groups(summary: Mapping[str, Any], width: int) -> Iterator[str]:
    groups: Sequence[Mapping[str, Any]] = summary["pod_groups"]
    if not groups:
        return
    yield ""
    yield str(TITLE)
    rows = []
    for stored in groups[:_MOST_CAUSES]:
        result = read_group(stored)
        said = f"{end_word(result.end)}: {group_sentence(result)}"
        rows.append((result.group, *map(_counted, both_ways(stored)), said))
    yield from table(words.POD_GROUP_COLUMNS, rows, width)
    if len(groups) > _MOST_CAUSES:
        yield f"  {lists.and_more(len(groups) - _MOST_CAUSES)}"


def _counted(result: GroupResult | None) -> str:
    return str(NO_ANSWER_BESIDE) if result is None else OF(part=result.placed, whole=result.pods)


def _pending(causes: list[Mapping[str, Any]], width: int) -> Iterator[str]:
    if not causes:
        return
    yield ""
    yield str(states.PENDING)
    rows = []
    for cause in causes[:_MOST_CAUSES]:
        said = f"{cause_name(read_cause(cause))} ({_named(cause)})"
        rows.append((f"{cause['pods']:,}", said))
    yield from table(words.CAUSE_COLUMNS, rows, width, right=(0,))
    if len(causes) > _MOST_CAUSES:
        yield f"  {words.MORE_CAUSES(count=len(causes) - _MOST_CAUSES)}"


def _refused(groups: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    if not groups:
        return
    yield ""
    yield str(states.NOT_CREATED)
    rows = [
        (f"{group['pods']:,}", printable(f"{group['message']} ({_named(group)})")) for group in groups[:_MOST_CAUSES]
    ]
    yield from table(words.REFUSAL_COLUMNS, rows, width, right=(0,))
    if len(groups) > _MOST_CAUSES:
        yield f"  {lists.and_more(len(groups) - _MOST_CAUSES)}"


def _uncertain(summary: Mapping[str, Any], width: int) -> Iterator[str]:
    groups = uncertain_groups(summary)
    if not groups:
        return
    yield ""
    yield str(words.UNCERTAIN_HEAD)
    rows = []
    for group in sorted(groups, key=lambda each: -each["pods"])[:_MOST_CAUSES]:
        why = " ".join(map(sentence_of_uncertainty, group["why"]))
        rows.append((f"{group['pods']:,}", f"{why} ({_named(group)})"))
    yield from table(words.UNCERTAIN_COLUMNS, rows, width, right=(0,))
    if len(groups) > _MOST_CAUSES:
        yield f"  {lists.and_more(len(groups) - _MOST_CAUSES)}"


def _named(group: Mapping[str, Any]) -> str:
    """Name the first few pods of those that are told of together."""
    return first_of(group["examples"], total=group["pods"], most=_EXAMPLES)


def _placed(found: Simulated, width: int) -> Iterator[str]:
    by_node = placements(found.pods)
    if not by_node:
        return
    yield ""
    yield from wrapped(words.placed(by_node), width)


def _utilisation(summary: Mapping[str, Any], width: int) -> Iterator[str]:
    before, after = (summary[when]["cluster"]["amounts"] for when in ("before", "after"))
    rows = []
    # PostgreSQL keeps no order of keys.
    for resource, amount in sorted(after.items(), key=lambda entry: (_ORDER.get(entry[0], len(_ORDER)), entry[0])):
        if amount["allocatable"]:
            earlier = before.get(resource, {"requested": 0, "allocatable": 0})
            shares = (percent(each["requested"], each["allocatable"]) for each in (earlier, amount))
            of = OF(part=quantity(resource, amount["requested"]), whole=quantity(resource, amount["allocatable"]))
            rows.append((resource_name(resource), *shares, of))
    if rows:
        yield ""
        yield from table(words.UTILISATION_COLUMNS, rows, width, right=(1, 2))
