"""The words of a review: what each section says, and what its tables and columns are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.explanation import read_cause
from clusters.engine.disruption import BudgetFix
from clusters.models import Decision
from clusters.wording import counts, overview as overview_words
from clusters.wording.amounts import grouped
from clusters.wording.budgets import CAUSES, NEVER
from clusters.wording.drains import BLOCKS_OF, OUTLOOKS as DRAINS
from clusters.wording.evaluation import counted
from clusters.wording.lists import begun, listed
from clusters.wording.pending import KIND_WORDS, cause_name
from clusters.wording.requeues import cause_reason
from clusters.wording.resources import resource_name
from clusters.wording.reviews import document as cover, sections, sections as words
from clusters.wording.reviews.document import CAPTIONS, COLUMNS, DECISIONS, LOST, MEASURES, OUTLOOKS, SECTIONS
from clusters.wording.runs.summary import EFFECTS, OUTCOMES
from clusters.wording.usage import SIZINGS
from dashboard.presenters.runs.listing import change_sentence
from dashboard.reports import upgrade
from dashboard.reports.blocks import Column, Finding, Table
from dashboard.reports.sentences import (
    CALLOUTS,
    LEADS,
    PARAGRAPHS,
    Recommended,
    drainable,
    pending_after_run,
    placed,
    recommended,
    requested,
    sentences_recommended,
    worst_zone,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dashboard.reports.sentences import Said

    Data = Mapping[str, Any]
    from collections.abc import Callable, Mapping, Sequence


# By table and column, where a table's own values are for programs.
_VALUES: Mapping[tuple[str, str], Mapping[Any, Any]] = {
    ("causes", "kind"): KIND_WORDS,
    ("pending_causes", "kind"): KIND_WORDS,
    ("pending_pods", "outcome"): OUTCOMES,
    ("drain_outlooks", "outlook"): DRAINS,
    ("drain_blockers", "outlook"): OUTLOOKS,
    ("not_drained", "why"): BLOCKS_OF,
    ("budgets", "cause"): CAUSES,
    ("budgets", "never"): NEVER,
    ("blocked_nodes", "outlook"): OUTLOOKS,
    ("losses", "lost"): LOST,
    ("zone_workloads", "effect"): EFFECTS,
    ("not_drained_nodes", "why"): BLOCKS_OF,
    ("usage", "outlook"): SIZINGS,
    ("agreement", "kind"): DECISIONS,
    ("disagreements", "reason"): dict(Decision.Reason.choices),
}


def section_title(key: str) -> str:
    """The heading of a section."""
    return str(SECTIONS[key])


def caption(table: str) -> str:
    """What a table is about."""
    return str(CAPTIONS[table])


def column_title(column: Data) -> str:
    """The heading of a column; of an amount it names the resource."""
    if "resource" not in column:
        return str(COLUMNS[column["key"]])
    title = MEASURES[column["measure"]](resource=resource_name(column["resource"]))
    # A resource of a vendor is a name, and stays as it is.
    return title if "/" in title else begun(title)


def said(table: str, row: Data) -> Data:
    """Return a table's row with words in the place of what only programs call so."""
    if table in upgrade.DIFFERENCES:
        return upgrade.said(table, row)
    if table == "drain_blockers":
        row = {**row, "fix": _fix(row)}
    changed = {key: str(_VALUES[table, key].get(row[key], row[key])) for key in row if (table, key) in _VALUES}
    return {**with_reason(row), **changed}


def _fix(row: Data) -> str:
    if row["fix"] not in frozenset(BudgetFix):
        return str(row["fix"])
    cause = str(CAUSES.get(row["cause"], row["cause"]))
    say = sections.FIXES.get(BudgetFix(row["fix"]), sections.NO_FIX)
    return say(cause=cause, others=listed(row["others"]), field=row["field"], value=row["value"])


def with_reason(row: Data) -> Data:
    """Return a row about a cause with its reason in words, where the cluster's scheduler says none too."""
    return {**row, "reason": cause_reason(read_cause(row))} if "cause" in row and "reason" in row else row


def recommendation(made: Data) -> Recommended:
    """A recommendation in words."""
    return recommended(made)


def lead(section: Data) -> str:
    """The first sentence of a section: what matters most."""
    return LEADS[section["key"]](section["facts"])


def paragraphs(section: Data) -> list[str]:
    """What a reader should know beside it."""
    say = PARAGRAPHS.get(section["key"])
    return [text for text in say(section["facts"]) if text] if say else []


def callouts(section: Data) -> Said:
    """What must not be overlooked: kind, title and text."""
    say = CALLOUTS.get(section["key"])
    return say(section["facts"]) if say else []


_EXAMPLES = 3
_QUOTED = 3


def simulation_tables(section: Data) -> list[Table]:
    """Return the tables of the section on the simulation."""
    changes = [
        (grouped(number), simulation_said(change)) for number, change in enumerate(section["facts"]["changes"], start=1)
    ]
    causes = next((table["rows"] for table in section["tables"] if table["name"] == "pending_causes"), ())
    found = []
    pods, examples = _head("pods", is_number=True), _head("examples", is_name=True)
    if changes:
        heads = (_head("number", is_number=True), _head("change"))
        found.append(Table("run_changes", caption("run_changes"), heads, tuple(changes)))
    if causes:
        causes_heads = (pods, _head("cause"), examples)
        rows = tuple(
            (grouped(row["pods"]), cause_phrase(row), ", ".join(row["examples"][:_EXAMPLES])) for row in causes
        )
        rest = str(words.PODS_IN_FILES) if any(row["pods"] > _EXAMPLES for row in causes) else ""
        found.append(Table("pending_causes", caption("pending_causes"), causes_heads, rows, rest=rest))
    if uncertain := next((table["rows"] for table in section["tables"] if table["name"] == "uncertain"), ()):
        uncertain_heads = (pods, _head("why"), examples)
        rows = tuple((grouped(row["pods"]), row["why"], ", ".join(row["examples"][:_EXAMPLES])) for row in uncertain)
        found.append(Table("uncertain", caption("uncertain"), uncertain_heads, rows))
    # Messages are long, and most of their words are the same: those of the causes of most pods are enough.
    if quoted := tuple((cause_phrase(row), row["message"]) for row in causes[:_QUOTED] if row["message"]):
        columns = (_head("cause"), Column(str(words.FIRST_MESSAGE)))
        found.append(Table("pending_messages", str(words.MESSAGES), columns, quoted))
    return found


def _head(key: str, *, is_number: bool = False, is_name: bool = False) -> Column:
    return Column(column_title({"key": key}), is_number, is_name)


def simulation_said(change: Data) -> str:
    """Say a change of a review's document, which has of traces only how many pods and nodes they have."""
    if change.get("change") == "trace":
        numbers = {key: range(change[key]) for key in ("pods", "nodes") if isinstance(change.get(key), int)}
        return change_sentence({**change, **numbers})
    return change_sentence(change)


def cause_phrase(row: Data) -> str:
    """Name what keeps the pods of a row pending."""
    return cause_name(read_cause(row))


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
        return f"{placed(facts)} {overview_words.NOTHING_PENDING}"
    said = [placed(facts), sections.NEWLY_PENDING(pods=newly)]
    if before:
        said.append(sections.STILL_PENDING(pods=before))
    return " ".join([*said, *_main(_rows(section, "pending_causes"))])


def _main(causes: Sequence[Data]) -> list[str]:
    """Say the cause of most pods, after their number."""
    row = max(causes, key=lambda each: each["pods"], default=None)
    if row is None:
        return []
    return [sections.CAUSE(cause=cause_phrase(row), pods=counts.PODS(number=row["pods"]))]


def _utilisation(section: Data) -> str:
    return requested(section["facts"])


def _pending(section: Data) -> str:
    waiting = section["facts"]["pending"]
    if not waiting:
        return str(overview_words.NOTHING_PENDING)
    return " ".join([sections.PENDING(pods=waiting), *_main(_rows(section, "causes"))])


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
    then = sections.FITS_THEN(
        fits=counted(worst["fits"], is_whole=not worst["is_capped"]),
        now=counted(now[worst["shape"]], is_whole=not shapes[worst["shape"]]["is_capped"]),
        shape=worst["shape"],
    )
    named, played = f"{cover.LOST[worst['lost']]} {worst['name']}", section["facts"]["nodes_played"]
    if worst["newly_pending"]:
        lost = sections.LOST(lost=named, pods=worst["displaced"])
        return f"{lost} {sections.NEWLY_PENDING(pods=worst['newly_pending'])} {then}"
    if worst["lost"] == "zone" or played >= section["facts"]["kinds_of_nodes"]:
        return f"{sections.WORST_LOSS(lost=named)} {then}"
    return f"{sections.WORST_SIMULATED_NODE(nodes=played, name=worst['name'])} {then}"


def _maintenance(section: Data) -> str:
    blockers = [
        f"{row['budget']} ({counts.NODES(number=row['blocked'])})" for row in _rows(section, "drain_blockers")[:_NAMED]
    ]
    drains = drainable(section["facts"])
    return f"{drains} {sections.MOST_BLOCKING(budgets=listed(blockers))}" if blockers else drains


def _recommendations(section: Data) -> str:
    """Say that nothing is recommended; what is stands in a table just below."""
    return "" if section["facts"]["made"] else sentences_recommended(section["facts"])


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
