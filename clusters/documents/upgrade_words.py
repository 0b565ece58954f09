"""What an upgrade changes, in words: the same sentences for the terminal, the API and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from clusters.documents.stored_problems import decoded
from clusters.documents.upgrades import (
    UpgradeAnswer,
    UpgradeDefault,
    UpgradeDifference,
    UpgradeDocument,
    UpgradeDrainAnswer,
    UpgradeDrainDifference,
    UpgradeObstacle,
    UpgradePodRefusal,
    UpgradeReplacement,
    UpgradeRule,
    pod_groups_headline_of,
    pods_by_difference,
)
from clusters.engine.admission import Refusal
from clusters.engine.disruption import Block
from clusters.engine.upgrading import AnswerAspect, DefaultKind, DrainAspect, ObstacleKind, SubjectRole
from clusters.wording import counts
from clusters.wording.drains import BLOCKS_OF
from clusters.wording.lists import ON, first_of, listed
from clusters.wording.problems import placed_sentence
from clusters.wording.refusals import refusal as refusal_sentence
from clusters.wording.upgrades import differences as words
from clusters.wording.upgrades.differences import SEVERAL_RULES, rule_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# What an upgrade changes for the drain of each node pool, in words: the same for terminal, API and page.


class DrainDifferenceInWords(NamedTuple):
    """A difference of the drain of a node in words."""

    aspect: str
    before: str
    after: str


def drains_headline_of(document: UpgradeDocument) -> str:
    """Say of how many nodes the drain meets something else; empty where none was drained."""
    if not document.drains:
        return ""
    return words.DRAINS_HEADLINE(
        changed=sum(each.nodes_changed for each in document.drains),
        nodes=counts.NODES(number=sum(each.nodes_drained for each in document.drains)),
        pools=words.NODE_POOLS(number=len(document.drains)),
    )


def drain_notes_of(document: UpgradeDocument) -> list[str]:
    """Say which pools were not drained."""
    return [words.DRAINS_LEFT_OUT(number=document.pools_left_out)] if document.pools_left_out else []


def drain_difference_in_words(difference: UpgradeDrainDifference) -> DrainDifferenceInWords:
    """Say what the drain of a node meets before and after."""
    aspect = difference.difference
    return DrainDifferenceInWords(
        str(words.DRAINS_ASPECTS[aspect]), _answer(aspect, difference.before), _answer(aspect, difference.after)
    )


def _answer(aspect: DrainAspect, answer: UpgradeDrainAnswer) -> str:
    if aspect is DrainAspect.NODES:
        return first_of([*map(_replaced, answer.replacements)], total=answer.replacement_count)
    if aspect is DrainAspect.MESSAGE:
        return answer.pending[0].message
    if answer.block is None:
        placed = answer.replacement_count
        return words.DRAINED_WITH(number=placed) if placed else str(words.DRAINED)
    reason = str(BLOCKS_OF[answer.block])
    if answer.block is Block.NO_ROOM and answer.pending:
        pods = first_of([each.pod for each in answer.pending], total=answer.pending_count)
        return words.LEFT_PENDING(reason=reason, pods=pods, message=answer.pending[0].message)
    if answer.budgets:
        refused = first_of(answer.refused, total=answer.refused_count)
        return words.BLOCKED_BY(reason=reason, budgets=first_of(answer.budgets), pods=refused)
    return reason


def _replaced(replacement: UpgradeReplacement) -> str:
    if replacement.is_certain:
        return ON(what=replacement.pod, where=replacement.node)
    return words.REPLACED_UNCERTAINLY_ON(pod=replacement.pod, node=replacement.node)


# Of an order of plugins so many say which comes first now.
_MOST_IN_ORDER: Final = 3


class DifferenceInWords(NamedTuple):
    """A difference in words; ``tip`` is empty where no plugin's points explain it."""

    aspect: str
    subject: str
    before: str
    after: str
    tip: str


def headline_of(document: UpgradeDocument) -> str:
    """Say how much an upgrade changes."""
    found = document.pods_by_difference or pods_by_difference(document.differences)
    nodes, messages = (found.get(each, 0) for each in (AnswerAspect.NODES, AnswerAspect.MESSAGE))
    return words.headline(
        after=document.after,
        workloads=document.workloads,
        pending=document.pending_pods,
        results=sum(found.values()) - nodes - messages,
        nodes=nodes,
        messages=messages,
    )


def notes_of(document: UpgradeDocument) -> list[str]:
    """Say what the preview does not cover, the gravest first, and what changes where several nodes are the best."""
    found = []
    if document.refusal is not None:
        refusal = document.refusal
        problem = placed_sentence(decoded(refusal.problem), refusal.field)
        found.append(words.REFUSED(release=refusal.release, problem=problem))
    if document.left_out:
        found.append(words.LEFT_OUT(number=document.left_out))
    if document.not_computed:
        found.append(words.NOT_COMPUTED(number=document.not_computed))
    if document.refused_pods:
        first = document.refused_pods[0]
        workload = first.workload
        named = f"{workload.kind} {workload.namespace}/{workload.name}"
        found.append(
            words.REFUSED_PODS(number=document.refused_pod_count, workload=named, why=_refused(first.refusals))
        )
    if document.tied_workloads or document.tied_pending_pods:
        found.append(
            words.ties(after=document.after, workloads=document.tied_workloads, pending=document.tied_pending_pods)
        )
    if document.pod_groups_left_out:
        found.append(words.POD_GROUPS_LEFT_OUT(groups=document.pod_groups_left_out))
    return [*found, *drain_notes_of(document)]


def rules_in_words(rules: Sequence[UpgradeRule]) -> list[str]:
    """Say what brings a group of differences."""
    return [rule_sentence(each.kind, each.name) for each in rules] or [str(SEVERAL_RULES)]


def obstacles_in_words(document: UpgradeDocument) -> list[str]:
    """Say what keeps each release from starting."""
    return list(map(_obstacle, document.obstacles))


def defaults_in_words(document: UpgradeDocument) -> list[str]:
    """Say what the configuration means otherwise to each release."""
    return list(map(_default, document.defaults))


def difference_in_words(difference: UpgradeDifference) -> DifferenceInWords:
    """Say whom a difference is about, and what is answered before and after."""
    workload, tip = difference.workload, difference.tip
    if difference.role is SubjectRole.NEXT:
        subject = words.NEXT_POD(kind=workload.kind, namespace=workload.namespace, name=workload.name)
    else:
        subject = first_of(difference.pods, total=difference.pod_count, most=1)
    return DifferenceInWords(
        str(words.ASPECTS[difference.difference]),
        subject,
        _upgrade_words_answer(difference.difference, difference.before),
        _upgrade_words_answer(difference.difference, difference.after),
        ""
        if tip is None
        else words.tip(
            plugin=tip.plugin,
            node_before=tip.node_before,
            node_after=tip.node_after,
            lead_before=tip.lead_before,
            lead_after=tip.lead_after,
        ),
    )


def upgrade_with_words(document: UpgradeDocument) -> dict[str, Any]:
    """Return the document as programs read it: with its sentences beside what they say."""
    found: dict[str, Any] = msgspec.to_builtins(document)
    found["words"] = {
        "headline": headline_of(document),
        "drains": drains_headline_of(document),
        "podGroups": pod_groups_headline_of(document),
        "notes": notes_of(document),
    }
    if document.refusal is not None:
        found["refusal"]["problem"] = placed_sentence(decoded(document.refusal.problem), document.refusal.field)
    for written, sentence in zip(found["obstacles"], obstacles_in_words(document), strict=True):
        written["sentence"] = sentence
    for written, sentence in zip(found["defaults"], defaults_in_words(document), strict=True):
        written["sentence"] = sentence
    for written, difference in zip(found["differences"], document.differences, strict=True):
        _put_sentences(written["rules"], difference.rules)
        _put_refusals(written["before"]["refusals"], difference.before.refusals)
        _put_refusals(written["after"]["refusals"], difference.after.refusals)
    for written, refused in zip(found["refusedPods"], document.refused_pods, strict=True):
        _put_refusals(written["refusals"], refused.refusals)
    for written, group in zip(found["podGroups"], document.pod_groups, strict=True):
        _put_sentences(written["rules"], group.rules)
    for pool, drained in zip(found["drains"], document.drains, strict=True):
        for written, of_node in zip(pool["differences"], drained.differences, strict=True):
            _put_sentences(written["rules"], of_node.rules)
    return found


def _refused(refusals: Iterable[UpgradePodRefusal]) -> str:
    """Say why the API server refuses a pod; empty where it does not."""
    return " ".join(refusal_sentence(Refusal(each.by, each.field, decoded(each.problem))) for each in refusals)


def _put_refusals(written: list[dict[str, Any]], refusals: Sequence[UpgradePodRefusal]) -> None:
    for refusal, entry in zip(written, refusals, strict=True):
        refusal["problem"] = refusal_sentence(Refusal(entry.by, entry.field, decoded(entry.problem)))


def _put_sentences(written: list[dict[str, Any]], rules: Sequence[UpgradeRule]) -> None:
    for rule, entry in zip(written, rules, strict=True):
        rule["sentence"] = rule_sentence(entry.kind, entry.name)


def _obstacle(obstacle: UpgradeObstacle) -> str:
    release, name, value = obstacle.release, obstacle.name, str(bool(obstacle.value)).lower()
    match obstacle.kind:
        case ObstacleKind.LOCKED_GATE:
            return words.LOCKED_GATE(release=release, name=name, value=value, locked=str(not obstacle.value).lower())
        case ObstacleKind.REMOVED_GATE:
            return words.REMOVED_GATE(release=release, name=name, value=value)
        case ObstacleKind.TAKEN_NAME:
            return words.TAKEN_NAME(release=release, name=name)
        case ObstacleKind.CRASH:
            return words.CRASH(release=release, name=name)


def _default(default: UpgradeDefault) -> str:
    release, profile = default.release, default.profile
    match default.kind:
        case DefaultKind.ORDER:
            return words.REORDERED(
                release=release, profile=profile, point=default.name, first=listed(default.after[:_MOST_IN_ORDER])
            )
        case DefaultKind.SETTING:
            value = words.SETTING_ABSENT if default.after is None else default.after
            return words.SETTING(
                release=release, profile=profile, plugin=default.plugin, name=default.name, value=str(value)
            )
        case DefaultKind.PLUGIN if default.after is None:
            return words.PLUGIN_GONE(release=release, profile=profile, plugin=default.plugin, point=default.name)
        case DefaultKind.PLUGIN if default.after is True:
            return words.PLUGIN(release=release, profile=profile, plugin=default.plugin, point=default.name)
        case DefaultKind.PLUGIN:
            return words.WEIGHTED_PLUGIN(
                release=release, profile=profile, plugin=default.plugin, point=default.name, weight=default.after
            )


def _upgrade_words_answer(aspect: AnswerAspect, answer: UpgradeAnswer) -> str:
    match aspect:
        case AnswerAspect.ADMISSION:
            return _refused(answer.refusals) or str(words.CREATED)
        case AnswerAspect.VERDICT:
            return words.verdict(answer.verdict, answer.message)
        case AnswerAspect.PREEMPTION:
            return words.preemption(answer.preempted_on, answer.victims)
        case AnswerAspect.NODES:
            return first_of(answer.nodes, total=answer.node_count)
        case AnswerAspect.MESSAGE:
            return answer.message or ""
