"""Jobs: how far each is, index by index, which pods count as failed, and when the next ones come."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.objects import Document, labels_of, metadata, name_of, sortable_time

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence


# Which pods of a Job count as failed, and what follows from one that did.
#
# Upstream (v1.34.1): ``isPodFailed``, ``onlyReplaceFailedPods`` and ``matchPodFailurePolicy`` of
# ``pkg/controller/job``.

# What a Job makes of one of its pods that is evicted, preempted or lost with its node.
#
# Upstream (v1.34.1): ``syncJob`` of ``pkg/controller/job/job_controller.go``. Such a pod has the condition
# DisruptionTarget and counts as failed, unless a rule of podFailurePolicy matches that. The exit codes of its
# containers are not known: rules that ask for one match nothing.

# Set in evictions: by the Eviction API, taints, preemption and the kubelet.
DISRUPTION_TARGET: Final = "DisruptionTarget"


class FailureAction(StrEnum):
    """What a rule of podFailurePolicy does with a pod that failed."""

    COUNT = "Count"
    IGNORE = "Ignore"
    FAIL_INDEX = "FailIndex"
    FAIL_JOB = "FailJob"


_ACTIONS: Final = {action.value: action for action in FailureAction}
_INT32_DIGITS: Final = 10


class MatchedRule(Struct, frozen=True):
    """The action for a pod that failed, and the number of the rule that says so; None where no rule matches it."""

    action: FailureAction
    rule: int | None

    @property
    def counts(self) -> bool:
        return self.action is not FailureAction.IGNORE


class DisruptedPods(Struct, frozen=True):
    """The ``action`` for pods that are evicted or preempted; rules before it may match the exit code of a container."""

    action: FailureAction
    may_exit_otherwise: bool


def replaces_only_failed(spec: Document) -> bool:
    """Whether a pod is replaced, and counts, only once it has ended, rather than when its deletion begins."""
    return spec.get("podReplacementPolicy") == "Failed" or spec.get("podFailurePolicy") is not None


def is_failed(pod: Document, spec: Document) -> bool:
    """Whether a pod of a Job failed; one that is being deleted did, unless such are replaced only once they ended."""
    phase = (pod.get("status") or {}).get("phase")
    if phase == "Failed" or replaces_only_failed(spec):
        return bool(phase == "Failed")
    return bool(metadata(pod).get("deletionTimestamp")) and phase != "Succeeded"


def rules_of(spec: Document) -> Sequence[Document]:
    """The rules of a Job's podFailurePolicy, in order."""
    return (spec.get("podFailurePolicy") or {}).get("rules") or ()


def matched_rule(pod: Document, spec: Document) -> MatchedRule:
    """What a Job does with a pod that failed."""
    status = pod.get("status") or {}
    for number, rule in enumerate(rules_of(spec)):
        if rule.get("onExitCodes") is not None:
            matches = any(_exits(status, rule["onExitCodes"]))
        else:
            matches = any(_has(status, pattern) for pattern in rule.get("onPodConditions") or ())
        if matches and rule.get("action") in _ACTIONS:
            return MatchedRule(_ACTIONS[rule["action"]], number)
    return MatchedRule(FailureAction.COUNT, None)


def disrupted_pods(spec: Document) -> DisruptedPods:
    """What a Job does with pods that are evicted or preempted, by their condition alone."""
    may_exit = False
    disrupted = {"conditions": [{"type": DISRUPTION_TARGET, "status": "True"}]}
    for rule in rules_of(spec):
        if rule.get("onExitCodes") is not None:
            may_exit = True
        elif rule.get("action") in _ACTIONS and any(
            _has(disrupted, pattern) for pattern in rule.get("onPodConditions") or ()
        ):
            return DisruptedPods(_ACTIONS[rule["action"]], may_exit)
    return DisruptedPods(FailureAction.COUNT, may_exit)


def _exits(status: Mapping[str, Any], required: Document) -> Iterator[bool]:
    """Whether each container that failed did so with an exit code that is required."""
    for statuses in ("containerStatuses", "initContainerStatuses"):
        for each in status.get(statuses) or ():
            code = ((each.get("state") or {}).get("terminated") or {}).get("exitCode")
            if code and required.get("containerName") in (None, each.get("name")):
                is_listed = code in (required.get("values") or ())
                yield is_listed if required.get("operator") == "In" else not is_listed


def _has(status: Mapping[str, Any], pattern: Document) -> bool:
    wanted = pattern.get("type"), pattern.get("status") or "True"
    return any((each.get("type"), each.get("status")) == wanted for each in status.get("conditions") or ())


# Sets of completion indexes of an Indexed Job, as its status and its success policy write them: ``0-2,5``.
#
# Upstream (v1.34.1): ``orderedIntervals`` of ``pkg/controller/job/indexed_job_utils.go``. A Job may have any number
# of indexes, so that intervals are kept rather than numbers.

INDEX: Final = "batch.kubernetes.io/job-completion-index"
# Of a pod: how many of its index failed before it, and how many more that do not count.
COUNTED: Final = "batch.kubernetes.io/job-index-failure-count"
IGNORED: Final = "batch.kubernetes.io/job-index-ignored-failure-count"


class Indexes(Struct, frozen=True):
    """Completion indexes: the first and the last of each interval, in order; no two of them touch."""

    intervals: tuple[tuple[int, int], ...] = ()

    @classmethod
    def parse(cls, text: str, completions: int) -> Indexes:
        """Those below ``completions`` that a text has; what is no interval is left out."""
        found = []
        for part in text.split(","):
            first, _, last = part.partition("-")
            least, most = _number(first), _number(last or first)
            if least is not None and most is not None and least < completions:
                found.append((least, min(most, completions - 1)))
        return cls(tuple(_joined(found)))

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Indexes:
        return cls(tuple(_joined((number, number) for number in numbers)))

    def __bool__(self) -> bool:
        return bool(self.intervals)

    def __contains__(self, number: int) -> bool:
        place = bisect_left(self.intervals, number, key=lambda interval: interval[1])
        return place < len(self.intervals) and self.intervals[place][0] <= number

    def __or__(self, other: Indexes) -> Indexes:
        return Indexes(tuple(_joined((*self.intervals, *other.intervals))))

    def __str__(self) -> str:
        """As Kubernetes writes them: two neighbours with a comma, more with a dash."""
        return ",".join(
            str(first) if first == last else f"{first}{',' if last == first + 1 else '-'}{last}"
            for first, last in self.intervals
        )

    @property
    def count(self) -> int:
        return sum(last - first + 1 for first, last in self.intervals)

    def others(self, completions: int) -> Indexes:
        """Those below ``completions`` that are not among these."""
        found, begin = [], 0
        for first, last in self.intervals:
            if first > begin:
                found.append((begin, min(first, completions) - 1))
            begin = last + 1
        if begin < completions:
            found.append((begin, completions - 1))
        return Indexes(tuple(found))

    def without(self, other: Indexes, completions: int) -> Indexes:
        """Those below ``completions`` that are not among others."""
        return (self.others(completions) | other).others(completions)

    def common(self, other: Indexes) -> int:
        """How many are in both."""
        return self.count + other.count - (self | other).count

    def first(self, most: int) -> list[int]:
        """The lowest ones, so many at most."""
        found: list[int] = []
        for first, last in self.intervals:
            found += range(first, min(last + 1, first + most - len(found)))
        return found


def index_of(pod: Document, completions: int) -> int | None:
    """The completion index of a pod; None where it has none below ``completions``."""
    value = (metadata(pod).get("annotations") or {}).get(INDEX) or (metadata(pod).get("labels") or {}).get(INDEX) or ""
    number = _number(value)
    return number if number is not None and number < completions else None


def counted(pod: Document, key: str) -> int:
    """How many pods of its index failed before a pod, as one of its annotations says."""
    value = (metadata(pod).get("annotations") or {}).get(key) or ""
    return _number(value) or 0


def _number(text: str) -> int | None:
    """A number of 31 bits; None for any other text."""
    return number if text.isdecimal() and len(text) <= _INT32_DIGITS and (number := int(text)) < 2**31 else None


def _joined(intervals: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Intervals in order, those that touch as one; one that ends before it begins is left out."""
    begin, end = 0, -1
    for first, last in sorted(interval for interval in intervals if interval[0] <= interval[1]):
        if first > end + 1 or end < 0:
            if end >= 0:
                yield begin, end
            begin, end = first, last
        else:
            end = max(end, last)
    if end >= 0:
        yield begin, end


# When a pod of a Job ended, and how long its controller waits until it creates the next one.
#
# Upstream (v1.34.1): ``getFinishedTime`` and ``getRemainingTimeForFailuresCount`` of
# ``pkg/controller/job/backoff_utils.go``.

# Seconds: the delay after the first failure, and the longest one.
FIRST_DELAY: Final = 10
LONGEST_DELAY: Final = 600


def delay_after(failures: int) -> int:
    """Return after how many seconds the next pod is created, with so many failures since the last success."""
    if failures <= 0:
        return 0
    # Beyond 6 doublings the longest is reached.
    return min(LONGEST_DELAY, FIRST_DELAY << min(failures - 1, 6))


def finished_at(pod: Document) -> str:
    """Return when a pod ended: when its last container did, or else since when it is not ready, or was created.

    Of one that is being deleted and still ready that is when it is gone at the latest; the controller takes when its
    deletion began.
    """
    status = pod.get("status") or {}
    times = [str(each.get("finishedAt") or "") for each in _last_states(pod)]
    if times and all(times):
        return max(times, key=sortable_time)
    for condition in status.get("conditions") or ():
        if condition.get("type") == "Ready" and condition.get("status") == "False":
            turned = str(condition.get("lastTransitionTime") or "")
            if turned:
                return turned
    fields = metadata(pod)
    return str(fields.get("deletionTimestamp") or fields.get("creationTimestamp") or "")


def _last_states(pod: Document) -> Iterator[dict[str, Any]]:
    """How the containers of a pod ended, sidecars included, which end last."""
    status = pod.get("status") or {}
    sidecars = {
        each.get("name")
        for each in (pod.get("spec") or {}).get("initContainers") or ()
        if each.get("restartPolicy") == "Always"
    }
    for each in status.get("containerStatuses") or ():
        yield (each.get("state") or {}).get("terminated") or {}
    for each in status.get("initContainerStatuses") or ():
        if each.get("name") in sidecars:
            yield (each.get("state") or {}).get("terminated") or {}


# How far an Indexed Job is, index by index: which ended, how often each may fail still, and which pods come next.
#
# Upstream (v1.34.1): ``calculateSucceededIndexes``, ``calculateFailedIndexes``, ``firstPendingIndexes`` and
# ``getPodsWithDelayedDeletionPerIndex`` of ``pkg/controller/job/indexed_job_utils.go``, ``manageJob`` of
# ``job_controller.go``, and ``success_policy.go`` there.


class IndexState(StrEnum):
    """How an index is: ended, with a pod, about to get one, or behind others as of parallelism."""

    COMPLETED = "completed"
    FAILED = "failed"
    ACTIVE = "active"
    TERMINATING = "terminating"
    NEXT = "next"
    LATER = "later"


class IndexGroup(Struct, frozen=True):
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


class SuccessRule(Struct, frozen=True):
    """One rule of a successPolicy: so many (``count``) of ``among`` have to complete; None: all of them, or any.

    ``done``: how many of those have.
    """

    among: Indexes | None
    count: int | None
    done: int


class IndexProgress(Struct, frozen=True):
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
                (self.terminating if metadata(pod).get("deletionTimestamp") else self.active)[index] = pod
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


# How far a Job is from its end: what is left of its limits, when its next pods come, and its deadline.
#
# Upstream (v1.34.1): ``syncJob`` and ``pastBackoffLimitOnFailure`` of ``pkg/controller/job/job_controller.go``, and
# ``backoff_utils.go`` there: the delay is capped at 10 minutes, where the documentation has 6. The controller keeps
# its count of failures in memory; it is counted here from the pods that there are, and begins anew with a new
# controller.

# backoffLimit of Jobs that have none.
USUAL_LIMIT: Final = 6
# What the API server sets it to where each index has a limit of its own.
_NO_LIMIT: Final = 2**31 - 1
CONTROLLER: Final = "kubernetes.io/job-controller"


class JobEnding(Struct, frozen=True):
    """A Job that ends, and whose pods are deleted: whether it ``succeeds``, and the reason of its condition."""

    succeeds: bool
    reason: str


class FailurePolicy(Struct, frozen=True):
    """What a podFailurePolicy of so many ``rules`` does: with ``disrupted`` pods, and with those that failed by now.

    ``ignored``: how many of those do not count. ``fails_job``: the name of the first that fails the Job, and the rule.
    """

    rules: int
    disrupted: DisruptedPods
    ignored: int
    fails_job: tuple[str, int] | None


class JobProgress(Struct, frozen=True):
    """One Job that has not ended.

    ``completions`` is None where any success ends it. ``limit``: its backoffLimit, None where only each index has one;
    ``left``: how many more pods may fail without its end, ``restarts_left``: how many more restarts of containers, None
    unless its pods restart them. ``in_a_row``: failures since the last success, ``delay``: seconds from the last one,
    at ``last_failed``, until another pod is created; the latter is empty where nothing failed. ``deadline``: seconds
    from ``started``, None without one. Times are RFC 3339. ``managed_by``: another controller, which alone creates its
    pods. ``waits_for_ended``: whether a pod is replaced only once it has ended. ``indexes``: of an Indexed Job.
    """

    name: str
    succeeded: int
    completions: int | None
    failed: int
    limit: int | None
    left: int | None
    restarts_left: int | None
    in_a_row: int
    delay: int
    last_failed: str
    started: str
    deadline: int | None
    is_suspended: bool
    managed_by: str
    ending: JobEnding | None
    waits_for_ended: bool
    policy: FailurePolicy | None
    indexes: IndexProgress | None


def has_ended(job: Document) -> bool:
    """Return whether a Job is complete or has failed."""
    return _condition(job, "Complete", "Failed") is not None


def backoff_limit(spec: Document) -> int | None:
    """Return after how many failed pods more end a Job; None where only each of its indexes has a limit."""
    given = spec.get("backoffLimit")
    if spec.get("backoffLimitPerIndex") is not None and (given is None or int(given) == _NO_LIMIT):
        return None
    return USUAL_LIMIT if given is None else int(given)


def job_progress(job: Document, pods: Iterable[Document], *, knows_all: bool = True) -> JobProgress:
    """Tell how far a Job is; ``pods`` are those that it has, ended ones included, or with ``knows_all`` only some."""
    spec, status = job.get("spec") or {}, job.get("status") or {}
    known = list(pods)
    failed = int(status.get("failed") or 0)
    is_per_index = spec.get("backoffLimitPerIndex") is not None
    limit = backoff_limit(spec)
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy")
    restarts = None if limit is None or policy != "OnFailure" else max(1, limit) - sum(_restarts(known))
    in_a_row, last = (0, "") if is_per_index else _failures_in_a_row(known, spec)
    deadline = spec.get("activeDeadlineSeconds")
    managed_by = str(spec.get("managedBy") or "")
    return JobProgress(
        name=name_of(job),
        succeeded=int(status.get("succeeded") or 0),
        completions=None if spec.get("completions") is None else int(spec["completions"]),
        failed=failed,
        limit=limit,
        left=None if limit is None else max(0, limit - failed),
        restarts_left=None if restarts is None else max(0, restarts),
        in_a_row=in_a_row,
        delay=delay_after(in_a_row),
        last_failed=last,
        started=str(status.get("startTime") or ""),
        deadline=None if deadline is None else int(deadline),
        is_suspended=bool(spec.get("suspend")),
        managed_by="" if managed_by == CONTROLLER else managed_by,
        ending=_ending(job),
        waits_for_ended=replaces_only_failed(spec),
        policy=_policy(spec, known),
        indexes=index_progress(job, known if knows_all else None) if spec.get("completionMode") == "Indexed" else None,
    )


def _condition(job: Document, *types: str) -> Document | None:
    conditions: Sequence[Document] = (job.get("status") or {}).get("conditions") or ()
    return next((each for each in conditions if each.get("type") in types and each.get("status") == "True"), None)


def _ending(job: Document) -> JobEnding | None:
    """What the controller has decided already, and has still to delete pods for."""
    found = _condition(job, "SuccessCriteriaMet", "FailureTarget")
    return None if found is None else JobEnding(found["type"] == "SuccessCriteriaMet", str(found.get("reason") or ""))


def _policy(spec: Document, pods: Sequence[Document]) -> FailurePolicy | None:
    rules = rules_of(spec)
    if not rules:
        return None
    matched = [(name_of(pod), matched_rule(pod, spec)) for pod in pods if is_failed(pod, spec)]
    failing = next(
        (
            (name, each.rule)
            for name, each in matched
            if each.action is FailureAction.FAIL_JOB and each.rule is not None
        ),
        None,
    )
    return FailurePolicy(len(rules), disrupted_pods(spec), sum(not each.counts for _, each in matched), failing)


def _restarts(pods: Iterable[Document]) -> Iterator[int]:
    for pod in pods:
        status = pod.get("status") or {}
        if status.get("phase") in ("Running", "Pending"):
            for statuses in ("initContainerStatuses", "containerStatuses"):
                yield from (int(each.get("restartCount") or 0) for each in status.get(statuses) or ())


def _failures_in_a_row(pods: Iterable[Document], spec: Document) -> tuple[int, str]:
    """Count the pods that failed after the last one that succeeded, and tell when the last of them did."""
    succeeded, failed = [], []
    for pod in pods:
        if (pod.get("status") or {}).get("phase") == "Succeeded":
            succeeded.append(finished_at(pod))
        elif is_failed(pod, spec):
            failed.append(finished_at(pod))
    success = max(map(sortable_time, succeeded), default=None)
    later = [at for at in failed if success is None or sortable_time(at) > success]
    return len(later), max(later, key=sortable_time, default="")


class JobFailureReason(StrEnum):
    """Why a Job fails: the reason of its condition Failed."""

    BACKOFF_LIMIT = "BackoffLimitExceeded"
    POLICY = "PodFailurePolicy"
    MOST_INDEXES = "MaxFailedIndexesExceeded"
    INDEXES = "FailedIndexes"


class DisruptedJob(Struct, frozen=True):
    """A Job after it lost a pod: ``job`` as it is then, and ``fails``, why it fails with that, if it does.

    ``had_ended``: whether it had ended before. ``failed_index``: the pod's, where that has no further pod.
    ``likeness``: the pod after which the one in its place is made; None where none is made for its index or the Job.
    """

    job: Document
    fails: JobFailureReason | None = None
    had_ended: bool = False
    failed_index: int | None = None
    likeness: Document | None = None


def disrupted_job(job: Document, pod: Document) -> DisruptedJob:
    """Let a Job lose a pod that has not ended."""
    spec = job.get("spec") or {}
    if has_ended(job):
        return DisruptedJob(job, had_ended=True)
    action = disrupted_pods(spec).action
    per_index = spec.get("backoffLimitPerIndex")
    index = None if per_index is None else index_of(pod, _completions(job))
    if action is FailureAction.IGNORE:
        return DisruptedJob(job, likeness=pod if index is None else _counting(pod, IGNORED))
    failed = int(_status(job).get("failed") or 0) + 1
    job = _with_status(job, failed=failed)
    if action is FailureAction.FAIL_JOB:
        return _failing(job, JobFailureReason.POLICY)
    limit = backoff_limit(spec)
    if limit is not None and failed > limit:
        return _failing(job, JobFailureReason.BACKOFF_LIMIT)
    if index is None:
        return DisruptedJob(job, likeness=pod)
    if action is not FailureAction.FAIL_INDEX and counted(pod, COUNTED) < int(per_index or 0):
        return DisruptedJob(job, likeness=_counting(pod, COUNTED))
    return _without_index(job, index)


def of_next_index(job: Document, pod: Document, active: Collection[int]) -> Document | None:
    """The likeness of the pod that a Job makes for its lowest index without one, after one failed; None without such.

    ``active``: the indexes that have pods.
    """
    taken = Indexes.of(active) | _indexes(job, "completedIndexes") | _indexes(job, "failedIndexes")
    free = taken.others(_completions(job)).first(1)
    if not free:
        return None
    annotations = {**(metadata(pod).get("annotations") or {}), INDEX: str(free[0]), COUNTED: "0"}
    annotations.pop(IGNORED, None)
    labels = labels_of(pod)
    if INDEX in labels:
        labels[INDEX] = str(free[0])
    return {**pod, "metadata": {**metadata(pod), "annotations": annotations, "labels": labels}}


def _without_index(job: Document, index: int) -> DisruptedJob:
    """Let an index of a Job fail."""
    failed = _indexes(job, "failedIndexes") | Indexes.of([index])
    job = _with_status(job, failedIndexes=str(failed))
    most = (job.get("spec") or {}).get("maxFailedIndexes")
    if most is not None and failed.count > int(most):
        return _failing(job, JobFailureReason.MOST_INDEXES)
    if failed.count + _indexes(job, "completedIndexes").count >= _completions(job):
        return _failing(job, JobFailureReason.INDEXES)
    return DisruptedJob(job, failed_index=index)


def _failing(job: Document, reason: JobFailureReason) -> DisruptedJob:
    conditions = [*(_status(job).get("conditions") or ()), {"type": "Failed", "status": "True", "reason": reason.value}]
    return DisruptedJob(_with_status(job, conditions=conditions), fails=reason)


def _status(job: Document) -> Document:
    return job.get("status") or {}


def _with_status(job: Document, **fields: Any) -> Document:
    return {**job, "status": {**_status(job), **fields}}


def _completions(job: Document) -> int:
    return int((job.get("spec") or {}).get("completions") or 0)


def _indexes(job: Document, field: str) -> Indexes:
    return Indexes.parse(str(_status(job).get(field) or ""), _completions(job))


def _counting(pod: Document, key: str) -> Document:
    annotations = {**(metadata(pod).get("annotations") or {}), key: str(counted(pod, key) + 1)}
    return {**pod, "metadata": {**metadata(pod), "annotations": annotations}}
