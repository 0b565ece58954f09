"""The section of a review about an upgrade: its sentences, its chart, and its tables in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.upgrade_words import (
    defaults_in_words,
    drains_headline_of,
    headline_of,
    notes_of,
    obstacles_in_words,
    rules_in_words,
)
from clusters.documents.upgrades import UpgradeDocument, UpgradePodGroup, pod_group_in_words, pod_groups_headline_of
from clusters.engine.conclusion import Conclusion
from clusters.engine.disruption import Block
from clusters.engine.upgrading import AmendmentKind, AnswerAspect, DrainAspect
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import conclusion_word
from clusters.wording.drains import BLOCKS_OF
from clusters.wording.reviews import sections as words
from clusters.wording.upgrades import differences as difference_words
from clusters.wording.upgrades.differences import SEVERAL_RULES, rule_sentence
from dashboard.pictures.specs import BarPart, StackRow, StackSpec
from dashboard.reports.blocks import Chart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Data = Mapping[str, Any]

# By the column of the table that counts them.
_PARTS = {
    "admissions": (
        difference_words.ASPECTS[AnswerAspect.ADMISSION],
        "verdict-uncertain-solid",
        "solid",
    ),
    "verdicts": (difference_words.ASPECTS[AnswerAspect.VERDICT], "verdict-rejected-solid", "solid"),
    "preemptions": (difference_words.ASPECTS[AnswerAspect.PREEMPTION], "verdict-preemptible-solid", "solid"),
    "best_nodes": (difference_words.ASPECTS[AnswerAspect.NODES], "verdict-chosen-solid", "solid"),
    "messages": (difference_words.ASPECTS[AnswerAspect.MESSAGE], "verdict-unknown-solid", "light"),
    "pod_groups": (difference_words.POD_GROUPS_TITLE, "verdict-chosen-solid", "hatch"),
    "drains": (words.DRAINS, "verdict-fits-solid", "hatch"),
}
# Tables of differences, of which those in wording alone are counted and not quoted.
DIFFERENCES = frozenset({"upgrade_differences", "upgrade_drains"})
_CONCLUSIONS = {str(each): each for each in Conclusion}
_BLOCKS = {str(each): str(BLOCKS_OF[each]) for each in Block}


def lead(facts: Data) -> str:
    """Say how much the upgrade changes."""
    document = _document(facts)
    if document is None:
        return words.NOT_LATER(before=facts["before"], after=facts["after"])
    return headline_of(document)


def paragraphs(facts: Data) -> list[str]:
    """Say what drains and pod groups meet, what the configuration means otherwise, and what is not evaluated."""
    document = _document(facts)
    if document is None:
        return []
    said = drains_headline_of(document), pod_groups_headline_of(document)
    messages = [
        words.OTHER_MESSAGES(release=each["release"], pods=each["pods"], rules=_sentences(each["rules"]))
        for each in facts["messages"]
    ]
    return [*said, *messages, " ".join(defaults_in_words(document)), *notes_of(document)]


def callouts(facts: Data) -> list[tuple[str, str, str]]:
    """Say what keeps the later kube-scheduler from starting."""
    document = _document(facts)
    found = [] if document is None else obstacles_in_words(document)
    return [("bad", str(difference_words.OBSTACLES), " ".join(found))] if found else []


def charts(section: Data) -> list[Chart]:
    """Draw a bar for each release, with the kinds of differences that it brings; none where nothing differs."""
    rows = [row for table in section["tables"] if table["name"] == "upgrade_releases" for row in table["rows"]]
    most = max(map(_total, rows), default=0)
    if not most:
        return []
    bars = tuple(_bar(row, most) for row in rows)
    said = " ".join(f"{bar.label}: {bar.whole_text}." for bar in bars)
    return [Chart("upgrade-releases", str(difference_words.FIGURE), said, StackSpec(bars))]


def results_first(rows: Sequence[Data]) -> list[Data]:
    """Return the differences that are not of wording alone, the gravest first."""
    order = list(AnswerAspect)
    return sorted(
        (row for row in rows if row["difference"] != AnswerAspect.MESSAGE),
        key=lambda row: order.index(row["difference"]),
    )


def said(table: str, row: Data) -> Data:
    """Return a row of the differences in words."""
    aspect = row["difference"]
    is_drain = table == "upgrade_drains"
    aspects = difference_words.DRAINS_ASPECTS if is_drain else difference_words.ASPECTS
    key = DrainAspect(aspect) if is_drain else AnswerAspect(aspect)
    answers = {when: _answer(row[when], is_drain=is_drain) for when in ("before", "after")}
    return {**row, **answers, "difference": str(aspects[key]), "rules": _sentences(row["rules"])}  # type: ignore[index]


def _sentences(rules: str) -> str:
    """Say the rules of a row, which tables of versions name."""
    named = [each.partition(":") for each in rules.split()]
    return " ".join([rule_sentence(AmendmentKind(kind), name) for kind, _, name in named] or [str(SEVERAL_RULES)])


def pod_group_rows(facts: Data) -> list[Data]:
    """Return the pod groups that are placed otherwise in words, a row for each."""
    document = _document(facts)
    return [] if document is None else list(map(_pod_group, document.pod_groups))


def _pod_group(difference: UpgradePodGroup) -> Data:
    answers = pod_group_in_words(difference)
    return {
        "release": difference.release,
        "pod_group": difference.group,
        "rules": " ".join(rules_in_words(difference.rules)),
        "before": answers.before,
        "after": answers.after,
    }


def _answer(text: str, *, is_drain: bool) -> str:
    if is_drain:
        return _BLOCKS.get(text, text) or str(difference_words.DRAINED)
    if text in words.ADMISSION:
        return str(words.ADMISSION[text])
    return conclusion_word(_CONCLUSIONS[text]) if text in _CONCLUSIONS else text


def _bar(row: Data, most: int) -> StackRow:
    parts = tuple(
        BarPart(str(label), colour, row[key], grouped(row[key]), fill)  # type: ignore[arg-type]
        for key, (label, colour, fill) in _PARTS.items()
        if row[key]
    )
    total = _total(row)
    text = difference_words.DIFFERENCES(number=total) if total else str(difference_words.NOT_CHANGED)
    return StackRow(difference_words.KUBERNETES(minor=row["release"]), parts, most, text)


def _total(row: Data) -> int:
    """Count the differences of a release."""
    return sum(row[key] for key in _PARTS)


def _document(facts: Data) -> UpgradeDocument | None:
    preview = facts["preview"]
    return None if preview is None else msgspec.convert(preview, UpgradeDocument)
