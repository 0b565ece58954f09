"""What an upgrade of Kubernetes changes, as the upgrade preview tells it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.upgrades import (
    UpgradeAnswer,
    UpgradeDifference,
    UpgradeDocument,
    UpgradeDrainAnswer,
    UpgradeDrainDifference,
    UpgradePlacement,
    UpgradeRule,
    upgrade_document,
)
from clusters.engine.upgrading import AnswerAspect, SubjectRole, releases_between
from clusters.engine.versions import RELEASES
from clusters.services.reports.subject import Row, Subject, name, number, section, table, text
from clusters.services.upgrading import later_releases, preview_of_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


# So many differences of pods and workloads, of pod groups and of each pool are kept of a review; the numbers count all.
MOST_DIFFERENCES = 200
_RELEASES = ("admissions", "verdicts", "preemptions", "best_nodes", "messages", "pod_groups", "drains")
_OF_ASPECT = {
    AnswerAspect.ADMISSION: "admissions",
    AnswerAspect.VERDICT: "verdicts",
    AnswerAspect.PREEMPTION: "preemptions",
    AnswerAspect.NODES: "best_nodes",
    AnswerAspect.MESSAGE: "messages",
}


def upgrade(subject: Subject, minor: str, alive: Callable[[], object]) -> Row:
    """What scheduling and drains do otherwise up to a minor; where that is not later any more, nothing."""
    own = subject.snapshot.release
    if minor not in {each.minor for each in later_releases(own)}:
        return section("upgrade", {"before": own.minor, "after": minor, "preview": None})
    preview = preview_of_state(cluster=subject.cluster, snapshot=subject.snapshot, target=RELEASES[minor], alive=alive)
    document = upgrade_document(preview)
    kept = _kept(document)
    return section(
        "upgrade",
        {
            "before": own.minor,
            "after": minor,
            "preview": msgspec.to_builtins(kept),
            "messages": _messages(document),
        },
        [
            table("upgrade_releases", [text("release"), *map(number, _RELEASES)], _releases(document)),
            table(
                "upgrade_differences",
                [
                    *map(text, ("release", "difference")),
                    name("object"),
                    number("pods"),
                    *map(text, ("rules", "before", "after")),
                ],
                [_difference(each) for each in kept.differences],
            ),
            table(
                "upgrade_pod_groups",
                [text("release"), name("pod_group"), *map(text, ("rules", "before", "after"))],
                [
                    {
                        "release": each.release,
                        "pod_group": each.group,
                        "rules": _rules(each.rules),
                        "before": _placement(each.before),
                        "after": _placement(each.after),
                    }
                    for each in kept.pod_groups
                ],
            ),
            table(
                "upgrade_pools",
                [name("pool"), *map(number, ("nodes", "nodes_drained", "nodes_changed"))],
                [
                    {
                        "pool": pool.pool,
                        "nodes": pool.node_count,
                        "nodes_drained": pool.nodes_drained,
                        "nodes_changed": pool.nodes_changed,
                    }
                    for pool in kept.drains
                ],
            ),
            table(
                "upgrade_drains",
                [
                    *map(text, ("release", "difference")),
                    *map(name, ("pool", "node")),
                    *map(text, ("rules", "before", "after")),
                ],
                [_drain(pool.pool, each) for pool in kept.drains for each in pool.differences],
            ),
        ],
    )


def _kept(document: UpgradeDocument) -> UpgradeDocument:
    pools = tuple(
        msgspec.structs.replace(pool, differences=pool.differences[:MOST_DIFFERENCES]) for pool in document.drains
    )
    return msgspec.structs.replace(
        document,
        differences=document.differences[:MOST_DIFFERENCES],
        pod_groups=document.pod_groups[:MOST_DIFFERENCES],
        drains=pools,
    )


def _releases(document: UpgradeDocument) -> list[Row]:
    """Count the differences of each release on the way: pods and workloads by kind, pod groups, and drained nodes."""
    counts: dict[str, Counter[str]] = {
        after.minor: Counter()
        for _, after in pairwise(releases_between(RELEASES[document.before], RELEASES[document.after]))
    }
    for each in document.differences:
        counts[each.release][_OF_ASPECT[each.difference]] += each.pod_count
    for group in document.pod_groups:
        counts[group.release]["pod_groups"] += 1
    for pool in document.drains:
        for change in pool.differences:
            counts[change.release]["drains"] += 1
    return [{"release": minor, **{key: found[key] for key in _RELEASES}} for minor, found in counts.items()]


def _messages(document: UpgradeDocument) -> list[Row]:
    """How many differences are of wording alone, by the release and the rules that bring them."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in document.differences:
        if each.difference is AnswerAspect.MESSAGE:
            counts[each.release, _rules(each.rules)] += each.pod_count
    return [{"release": release, "rules": rules, "pods": pods} for (release, rules), pods in counts.items()]


def _difference(difference: UpgradeDifference) -> Row:
    workload = difference.workload
    is_next = difference.role is SubjectRole.NEXT
    return {
        "release": difference.release,
        "difference": str(difference.difference),
        "object": f"{workload.kind} {workload.namespace}/{workload.name}" if is_next else difference.pods[0],
        "pods": difference.pod_count,
        "rules": _rules(difference.rules),
        "before": _answer(difference.difference, difference.before),
        "after": _answer(difference.difference, difference.after),
    }


def _drain(pool: str, difference: UpgradeDrainDifference) -> Row:
    return {
        "release": difference.release,
        "difference": str(difference.difference),
        "pool": pool,
        "node": difference.node,
        "rules": _rules(difference.rules),
        "before": _drained(difference.before),
        "after": _drained(difference.after),
    }


def _rules(rules: Iterable[UpgradeRule]) -> str:
    """Name rules as the tables of versions do, which say what each is."""
    return " ".join(f"{rule.kind}:{rule.name}" for rule in rules)


def _answer(aspect: AnswerAspect, answer: UpgradeAnswer) -> str:
    found: dict[AnswerAspect, Any] = {
        AnswerAspect.ADMISSION: "refused" if answer.refusals else "created",
        AnswerAspect.VERDICT: answer.verdict,
        AnswerAspect.PREEMPTION: answer.preempted_on or ", ".join(answer.victims),
        AnswerAspect.NODES: ", ".join(answer.nodes),
        AnswerAspect.MESSAGE: answer.message or "",
    }
    return str(found[aspect])


def _placement(placement: UpgradePlacement) -> str:
    """Name what an attempt for a group ends with, or the state that keeps it from one."""
    return str(placement.verdict or placement.state)


def _drained(answer: UpgradeDrainAnswer) -> str:
    """Write where replacements go, or else the first message, or else what blocks the node."""
    if answer.pending:
        return answer.pending[0].message
    if answer.block is not None:
        return str(answer.block)
    return ", ".join(f"{each.pod}: {each.node}" for each in answer.replacements)
