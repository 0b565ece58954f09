"""How far an Indexed Job is, index by index: which ended, how often each may fail still, and which pods come next.

Upstream (v1.34.1): ``calculateSucceededIndexes``, ``calculateFailedIndexes``, ``firstPendingIndexes`` and
``getPodsWithDelayedDeletionPerIndex`` of ``pkg/controller/job/indexed_job_utils.go``, ``manageJob`` of
``job_controller.go``, and ``success_policy.go`` there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from clusters.engine.objects import metadata, sortable_time
from clusters.engine.workloads.job_failures import FailureAction, is_failed, matched_rule, replaces_only_failed
from clusters.engine.workloads.job_indexes import COUNTED, IGNORED, Indexes, counted, index_of
from clusters.engine.workloads.job_times import delay_after, finished_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.objects import Document


class IndexState(StrEnum):
    """How an index is: ended, with a pod, about to get one, or behind others as of parallelism."""

    COMPLETED = "completed"
    FAILED = "failed"
    ACTIVE = "active"
    TERMINATING = "terminating"
    NEXT = "next"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class IndexGroup:
    """Indexes of one state that have failed equally often.

    ``failures``: how many of the pods of each counted as failed, and ``left``: how many more may without its end; None
    where indexes have no limit of their own, or ended. The pod of an index that is NEXT is created ``delay`` seconds
    after its last one failed, at ``last_failed``, which is empty where none did.
    """

    state: IndexState
    indexes: Indexes
    failures: int | None = None
    left: int | None = None
    last_failed: str = ""
    delay: int = 0


@dataclass(frozen=True, slots=True)
class SuccessRule:
    """One rule of a successPolicy: so many (``count``) of ``among`` have to complete; None: all of them, or any.

    ``done``: how many of those have.
    """

    among: Indexes | None
    count: int | None
    done: int


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """The indexes of a Job that has not ended, in the order of `IndexState`.

    ``limit``: backoffLimitPerIndex, None without one; ``failed`` indexes count against ``most_failed``,
    maxFailedIndexes, None where any number may fail. ``is_whole``: whether all its pods are known; otherwise indexes
    that have not ended are in no group.
    """

    completions: int
    limit: int | None
    failed: int
    most_failed: int | None
    success: tuple[SuccessRule, ...]
    groups: tuple[IndexGroup, ...]
    is_whole: bool


def index_progress(job: Document, pods: Sequence[Document] | None) -> IndexProgress:
    """Tell how far an Indexed Job is; ``pods`` are all that it has, None where not all of them are known."""
    spec, status = job.get("spec") or {}, job.get("status") or {}
    completions = int(spec.get("completions") or 0)
    limit = spec.get("backoffLimitPerIndex")
    known = _PodsByIndex(spec, completions, () if pods is None else pods)
    completed = Indexes.parse(str(status.get("completedIndexes") or ""), completions) | Indexes.of(known.succeeded)
    failed = Indexes()
    if limit is not None:
        failed = Indexes.parse(str(status.get("failedIndexes") or ""), completions)
        failed |= Indexes.of(known.failed_for_good(int(limit)))
    groups = [IndexGroup(IndexState.COMPLETED, completed), IndexGroup(IndexState.FAILED, failed)]
    if pods is not None:
        groups += _open_groups(spec, completions, known, completed, failed)
    most = spec.get("maxFailedIndexes")
    return IndexProgress(
        completions=completions,
        limit=None if limit is None else int(limit),
        failed=failed.count,
        most_failed=None if most is None else int(most),
        success=tuple(_success_rules(spec, completions, completed)),
        groups=tuple(group for group in groups if group.indexes),
        is_whole=pods is not None,
    )


class _PodsByIndex:
    """The pods of a Job by index: who succeeded, runs, terminates or failed."""

    def __init__(self, spec: Document, completions: int, pods: Iterable[Document]) -> None:
        self._spec = spec
        self.succeeded: set[int] = set()
        self.active: dict[int, Document] = {}
        self.terminating: dict[int, Document] = {}
        self._failed: defaultdict[int, list[Document]] = defaultdict(list)
        for pod in pods:
            index = index_of(pod, completions)
            if index is None:
                continue
            phase = (pod.get("status") or {}).get("phase")
            if phase == "Succeeded":
                self.succeeded.add(index)
            elif phase != "Failed":
                is_leaving = bool(metadata(pod).get("deletionTimestamp"))
                (self.terminating if is_leaving else self.active)[index] = pod
            if is_failed(pod, spec):
                self._failed[index].append(pod)

    def failed_for_good(self, limit: int) -> Iterator[int]:
        """The indexes that have no pod any more."""
        for index, pods in self._failed.items():
            if any(self._fails_index(pod, limit) for pod in pods):
                yield index

    def _fails_index(self, pod: Document, limit: int) -> bool:
        rule = matched_rule(pod, self._spec)
        return rule.action is FailureAction.FAIL_INDEX or (rule.counts and counted(pod, COUNTED) >= limit)

    def with_failures(self) -> list[int]:
        """The indexes of which a pod failed."""
        return sorted(self._failed)

    def last_failed(self, index: int) -> Document | None:
        """The failed pod from which the next one of an index takes its count; None where none failed."""
        last: Document | None = None
        for pod in self._failed.get(index, ()):
            if last is None or (
                _counted_in_all(last) <= _counted_in_all(pod)
                and sortable_time(finished_at(last)) <= sortable_time(finished_at(pod))
            ):
                last = pod
        return last

    def failures(self, index: int) -> int:
        """How many pods of an index that has not ended count as failed."""
        active = self.active.get(index)
        if active is not None:
            return counted(active, COUNTED)
        last = self.last_failed(index)
        if last is None:
            return counted(self.terminating.get(index, {}), COUNTED)
        return counted(last, COUNTED) + matched_rule(last, self._spec).counts


def _open_groups(
    spec: Document, completions: int, known: _PodsByIndex, completed: Indexes, failed: Indexes
) -> Iterator[IndexGroup]:
    """The groups of indexes that have not ended."""
    ended = completed | failed
    active = {index for index in known.active if index not in ended}
    leaving = {index for index in known.terminating if index not in ended and index not in active}
    if not replaces_only_failed(spec):
        leaving = set()
    parallelism = int(1 if spec.get("parallelism") is None else spec["parallelism"])
    wanted = 0 if spec.get("suspend") else min(parallelism, completions - completed.count)
    missing = max(0, wanted - len(active) - len(leaving))
    free = (ended | Indexes.of(active) | Indexes.of(leaving)).others(completions)
    coming = free.first(missing)
    later = free.without(Indexes.of(coming), completions)
    limit = spec.get("backoffLimitPerIndex")
    if limit is None:
        for state, indexes in (
            (IndexState.ACTIVE, active),
            (IndexState.TERMINATING, leaving),
            (IndexState.NEXT, coming),
        ):
            yield IndexGroup(state, Indexes.of(indexes))
        yield IndexGroup(IndexState.LATER, later)
        return
    for state, indexes in ((IndexState.ACTIVE, active), (IndexState.TERMINATING, leaving), (IndexState.NEXT, coming)):
        yield from _by_failures(known, state, indexes, int(limit))
    tried = [index for index in known.with_failures() if index in later]
    yield from _by_failures(known, IndexState.LATER, tried, int(limit))
    yield IndexGroup(IndexState.LATER, later.without(Indexes.of(tried), completions), 0, int(limit))


def _by_failures(known: _PodsByIndex, state: IndexState, indexes: Iterable[int], limit: int) -> Iterator[IndexGroup]:
    """Indexes of one state, those together that failed as often and whose next pod comes at the same time."""
    alike: defaultdict[tuple[int, str, int], list[int]] = defaultdict(list)
    for index in indexes:
        last = known.last_failed(index) if state is IndexState.NEXT else None
        when = ("", 0) if last is None else (finished_at(last), delay_after(_counted_in_all(last) + 1))
        alike[(known.failures(index), *when)].append(index)
    for (failures, at, delay), numbers in sorted(alike.items()):
        yield IndexGroup(state, Indexes.of(numbers), failures, max(0, limit - failures), at, delay)


def _success_rules(spec: Document, completions: int, completed: Indexes) -> Iterator[SuccessRule]:
    for rule in (spec.get("successPolicy") or {}).get("rules") or ():
        count = None if rule.get("succeededCount") is None else int(rule["succeededCount"])
        if rule.get("succeededIndexes") is None:
            yield SuccessRule(None, count, completed.count)
            continue
        among = Indexes.parse(str(rule["succeededIndexes"]), completions)
        if among:
            yield SuccessRule(among, count, among.common(completed))


def _counted_in_all(pod: Document) -> int:
    """How many pods of its index failed before a pod, whether or not they count."""
    return counted(pod, COUNTED) + counted(pod, IGNORED)
