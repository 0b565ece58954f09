"""The words of a review: what each section says, and what its tables and columns are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.explanation import read_cause
from clusters.engine.disruption import BudgetFix
from clusters.models import Decision
from clusters.wording.budgets import CAUSES, NEVER
from clusters.wording.causes import cause_reason
from clusters.wording.drains import BLOCKS_OF, OUTLOOKS as DRAINS
from clusters.wording.lists import begun, listed
from clusters.wording.pending import KIND_WORDS
from clusters.wording.resources import resource_name
from clusters.wording.reviews import maintenance
from clusters.wording.reviews.columns import COLUMNS, MEASURES
from clusters.wording.reviews.tables import CAPTIONS, SECTIONS
from clusters.wording.reviews.values import DECISIONS, LOST, OUTLOOKS
from clusters.wording.runs.affected import EFFECTS
from clusters.wording.runs.pods import OUTCOMES
from clusters.wording.usage import SIZINGS
from dashboard.reports import upgrade
from dashboard.reports.recommended import Recommended, recommended
from dashboard.reports.sentences import CALLOUTS, LEADS, PARAGRAPHS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dashboard.reports.sentences import Said

    Data = Mapping[str, Any]

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
    say = maintenance.FIXES.get(BudgetFix(row["fix"]), maintenance.NO_FIX)
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
