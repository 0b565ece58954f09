"""The judge of one watcher: keeps a cluster's latest stretch of time in memory, and judges decisions as they settle."""

from __future__ import annotations

import logging
import threading
from collections import deque
from functools import partial
from itertools import chain, islice, takewhile
from queue import Empty, Queue
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from django.db import DatabaseError, InterfaceError, connection
from msgspec import to_builtins

from clusters.engine import ConfigurationError, Explanation, Profile, SchedulerConfiguration, UnknownScheduler, explain
from clusters.engine.conclusion import FilteringExtender, ForeignPlugin, UncomputedField, UncomputedObject
from clusters.engine.journal import (
    Agreement,
    History,
    RecordedChange,
    distance_of_refusal,
    judge_nomination,
    judge_placement,
    judge_refusal,
)
from clusters.engine.scheduling import (
    Failure,
    FollowedState,
    HeardAttempt,
    SearchFollower,
    SearchStarts,
    foreign_scorers,
    scoring_extenders,
    unknown_preempting,
)
from clusters.engine.status import tells_failed_binding
from clusters.engine.versions import match_release
from clusters.models import Cluster, Decision, FollowedSearches
from clusters.services.decisions.explain import attempted
from clusters.services.journal.states import (
    JUST_BEFORE,
    Arrivals,
    HeardBatch,
    NearbyState,
    as_queued,
    earlier_ones,
    interleaved,
    moment_of,
    steps_of,
)
from clusters.services.journal.timeline import decision_document
from clusters.services.journal.writing import (
    Judgement,
    give_up_waiting,
    take_followed_searches,
    write_followed_searches,
    write_judgements,
)
from clusters.services.mirror.snapshots import configuration_of, snapshot_at_revision
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.documents.explanation import ExplanationDocument
    from clusters.services.journal.ledger import PodFact

# The searches of a cluster's scheduler as the judge follows them, and what a decision keeps of its search.

DecisionKind = Decision.Kind

# Surprises are stored in steps of a twentieth, which tells them apart well enough.
_STEPS = 20


class Searches:
    """Follows where each search for nodes begins, as long as every decision is heard in turn.

    It begins anew where decisions were missed, and where the configuration says another number of workers or another
    release, which is told of the nodes in another order.
    """

    def __init__(self) -> None:
        # Of the scheduler that is followed: its number of workers, and whether it is told of the nodes by name.
        self._known = (0, True)
        self._follower: SearchFollower | None = None
        self._resumed: FollowedSearches | None = None

    def resume(self, kept: FollowedSearches | None) -> None:
        """Go on, once the configuration is known, from what was followed up to the newest decision."""
        self._resumed = kept

    def configure(self, configuration: SchedulerConfiguration | None) -> None:
        """Take the configuration that holds from now on; None for one that cannot be read."""
        if configuration is None:
            self._follower = None
            self._resumed = None
            return
        parallelism = configuration.parallelism
        is_told_by_name = configuration.release.rules.tells_nodes_by_name
        if self._follower is None or (parallelism, is_told_by_name) != self._known:
            self._follower = SearchFollower(parallelism, is_told_by_name=is_told_by_name)
            if self._resumed is not None and self._resumed.parallelism == parallelism:
                self._follower.resume(_read(self._resumed.state))
        self._known, self._resumed = (parallelism, is_told_by_name), None

    def hear(self, fact: PodFact, explanation: Explanation, *, is_allowed: bool) -> HeardAttempt | None:
        """Read what a decision says of its search; ``is_allowed``: whether the scheduler may have decided so."""
        if self._follower is None:
            return None
        match fact.kind:
            case DecisionKind.BOUND:
                return self._follower.hear(explanation, fact.node_name if is_allowed else None)
            case DecisionKind.UNSCHEDULABLE:
                return self._follower.hear_refusal(explanation)
            case _:
                # The same attempt is heard of as a refusal, too.
                return None

    def take(self, heard: HeardAttempt | None) -> None:
        """Go on to the next decision."""
        if self._follower is not None and heard is not None:
            self._follower.take(heard)

    def miss(self, fact: PodFact) -> None:
        """Pass over a decision of which nothing is known but that it was taken."""
        if fact.kind == DecisionKind.BOUND:
            self.lose()

    def lose(self) -> None:
        """Say that there may have been any decisions."""
        self._resumed = None
        if self._follower is not None:
            self._follower.lose()

    def kept(self) -> tuple[int, dict[str, Any]] | None:
        """Return what to resume from: the parallelism and the state; None where nothing is known."""
        state = None if self._follower is None else self._follower.state
        return None if state is None else (self._known[0], _written(state))


def _written(state: FollowedState) -> dict[str, Any]:
    return {
        "heard": state.heard,
        "numbers": state.numbers,
        "evidence": state.evidence,
        "surprises": np.rint(state.starts.surprises * _STEPS).astype(np.intp).tolist(),
    }


def _read(document: dict[str, Any]) -> FollowedState:
    surprises = (np.array(document["surprises"]) / _STEPS).astype(np.float32)
    by_name, by_age, heard = document["numbers"]
    evidence = float(document["evidence"])
    return FollowedState(tuple(document["heard"]), (by_name, by_age, heard), SearchStarts(surprises), evidence)


# Judging one decision: the explanation of the state just before, and whether the scheduler may have decided so.

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

NOT_SEEN = Judgement(Verdict.UNJUDGED, Reason.GAP, None, None)
FAILED = Judgement(Verdict.UNJUDGED, Reason.ERROR, None, None)
UNREADABLE_CONFIGURATION = Judgement(Verdict.UNJUDGED, Reason.CONFIGURATION, None, None)
_OF_ANOTHER = Judgement(Verdict.UNJUDGED, Reason.OTHER_SCHEDULER, None, None)

_REASONS = {
    Agreement.INFEASIBLE: Reason.INFEASIBLE,
    Agreement.LOWER_SCORE: Reason.LOWER_SCORE,
    Agreement.FITS: Reason.FITS,
    Agreement.OTHER_MESSAGE: Reason.OTHER_MESSAGE,
}
# Where the scheduler found fewer nodes, or took another, than all that is computed allows.
_MAY_BE_OTHERS = (Agreement.FITS, Agreement.LOWER_SCORE)


class _Answer(NamedTuple):
    """What one state says about a decision; ``unknown``: who else has a say in it, None where nobody has.

    ``is_tied``: several nodes have the highest total. ``heard``: what it says of the search for nodes, where searches
    are followed.
    """

    agreement: Agreement
    document: ExplanationDocument | None
    unknown: Decision.Reason | None
    is_tied: bool
    heard: HeardAttempt | None

    @property
    def is_open(self) -> bool:
        """Whether what is not computed may have decided so: it takes nodes away and adds points, but opens no node."""
        return self.unknown is not None and self.agreement in _MAY_BE_OTHERS


def judge(
    fact: PodFact,
    step: RecordedChange,
    history: History,
    configuration: SchedulerConfiguration,
    *,
    most_states: int,
    most_searched: int = 0,
    searches: Searches | None = None,
) -> Judgement:
    """Judge a fact that a step brought, by the state just before it and those nearby, up to a number.

    Where the one just before leaves it open which nodes the scheduler looked at, the one that the order of the queue
    makes likely has the last word. A refusal that agrees with none of them has its state searched, which looks at
    ``most_searched`` states more. The explanation kept is that of the state which agrees, or of the one just before
    where none does. ``searches`` are followed on; None for a decision after which others were judged already.
    """
    pod = _as_decided(step)
    try:
        profile = configuration.profile_for(pod)
    except UnknownScheduler:
        return _OF_ANOTHER
    first = _answer(fact, pod, profile, history, step.version, JUST_BEFORE, searches)
    if first.agreement is Agreement.AGREES:
        return _agreed(first, JUST_BEFORE, step, searches)
    if first.agreement is Agreement.FITS and tells_failed_binding(fact.message):
        return _not_told(first, step, searches)
    queued = as_queued(history, step)
    if queued != JUST_BEFORE:
        answer = _answer(fact, pod, profile, history, step.version, queued, searches)
        if answer.agreement.holds:
            return _agreed(answer, queued, step, searches)
    if first.agreement.holds:
        return _agreed(first, JUST_BEFORE, step, searches)
    moment = moment_of(history, step)
    # The first of them is the one that was tried.
    orders = islice(interleaved(history, step), 1, None)
    for state in islice(chain(orders, moment.states(most_states)), most_states):
        answer = _answer(fact, pod, profile, history, step.version, state, searches)
        if answer.agreement.holds:
            return _agreed(answer, state, step, searches)
    if fact.kind == Kind.UNSCHEDULABLE and most_searched:
        distance = partial(_distance_of, fact.message, pod, profile, history, step.version)
        state = moment.nearest(distance, most=most_searched)
        answer = _answer(fact, pod, profile, history, step.version, state, searches)
        if answer.agreement.holds:
            return _agreed(answer, state, step, searches)
    if searches is not None:
        searches.take(first.heard)
    reason = first.unknown or (Reason.LAG if moment.is_crowded else _REASONS[first.agreement])
    verdict = Verdict.UNJUDGED if first.is_open else Verdict.DISAGREES
    return Judgement(verdict, reason, JUST_BEFORE.basis(step.moment), first.document)


def _distance_of(
    message: str, pod: Mapping[str, Any], profile: Profile, history: History, version: int, state: NearbyState
) -> int:
    with history.state(version, without=state.without, beyond=state.beyond) as snapshot:
        return distance_of_refusal(explain(snapshot, pod, profile), message)


def _not_told(answer: _Answer, step: RecordedChange, searches: Searches | None) -> Judgement:
    if searches is not None:
        searches.take(answer.heard)
    return Judgement(Verdict.UNJUDGED, Reason.NO_DECISION, JUST_BEFORE.basis(step.moment), answer.document)


def _as_decided(step: RecordedChange) -> Mapping[str, Any]:
    """Return the pod as the scheduler took it up."""
    if step.before is not None:
        return step.before
    pod = step.document
    return {**pod, "spec": {name: part for name, part in (pod.get("spec") or {}).items() if name != "nodeName"}}


def _answer(
    fact: PodFact,
    pod: Mapping[str, Any],
    profile: Profile,
    history: History,
    version: int,
    state: NearbyState,
    searches: Searches | None,
) -> _Answer:
    with history.state(version, without=state.without, beyond=state.beyond) as snapshot:
        explanation = explain(snapshot, pod, profile)
        agreement = _agreement(fact, explanation)
        # Now, while the history stands there.
        wanted = agreement.holds or state is JUST_BEFORE
        document = decision_document(explanation, fact.node_name or None) if wanted else None
        heard = None
        if wanted and searches is not None:
            heard = searches.hear(fact, explanation, is_allowed=agreement.holds)
        is_tied = len(explanation.cycle.choices) > 1
        return _Answer(agreement, document, _unknown(explanation), is_tied, heard)


def _unknown(explanation: Explanation) -> Decision.Reason | None:
    """Return who else has a say in a decision, by rejecting nodes, by scoring them or in preemption."""
    profile, pod = explanation.profile, explanation.pod
    if any(isinstance(each, ForeignPlugin | UncomputedField | UncomputedObject) for each in explanation.uncertainties):
        return Reason.UNKNOWN_PLUGIN
    if foreign_scorers(profile):
        return Reason.UNKNOWN_PLUGIN
    has_extender = any(isinstance(each, FilteringExtender) for each in explanation.uncertainties)
    has_extender = has_extender or bool(scoring_extenders(profile, pod) or unknown_preempting(explanation))
    return Reason.EXTENDER if has_extender else None


def _agreement(fact: PodFact, explanation: Explanation) -> Agreement:
    match fact.kind:
        case Kind.BOUND:
            return judge_placement(explanation, fact.node_name)
        case Kind.NOMINATED:
            return judge_nomination(explanation, fact.node_name)
        case _:
            return judge_refusal(explanation, fact.message)


def _agreed(answer: _Answer, state: NearbyState, step: RecordedChange, searches: Searches | None) -> Judgement:
    verdict = Verdict.SAMPLED if answer.agreement is Agreement.SAMPLED else Verdict.AGREES
    reason = Reason.TIE if verdict == Verdict.AGREES and answer.is_tied else None
    basis = state.basis(step.moment)
    if searches is None or answer.heard is None:
        return Judgement(verdict, reason, basis, answer.document)
    searches.take(answer.heard)
    finding = answer.heard.finding
    if finding is None:
        return Judgement(verdict, reason, basis, answer.document)
    basis["search"] = to_builtins(finding)
    if verdict == Verdict.SAMPLED and finding.is_proof:
        return Judgement(Verdict.AGREES, Reason.SEARCH, basis, answer.document)
    return Judgement(verdict, reason, basis, answer.document)


_log = logging.getLogger(__name__)

Result = TypeVar("Result")

# Seconds. The kinds are heard of on watches of their own, and what the scheduler wrote just after a decision may be
# what it knew before: a decision is judged when that has had time to arrive.
_SETTLING = 2.0
# One that disagrees is looked at once more: bindings that wait for volumes or for a slow API server arrive late.
_SECOND_LOOK = 5.0
# Bindings that are written side by side are heard of in another order than they were decided, within so many: less than
# decisions are given to settle.
_WRITTEN_LATE = 1.0
# How much of the past is kept for that.
_REACH = 15.0
_TICK = 0.1
_BETWEEN_ATTEMPTS = 1.0
# Written at once, so that a burst is seen to be judged bit by bit.
_AT_ONCE = 50
# Seconds of delay from which on decisions are compared with few states nearby if most of the latest disagreed, as with
# a configuration that Berth was not told: looking for reasons must not pile up. A burst of decisions that agree is
# judged as well as single ones are, only later. After the second number of seconds nothing is judged any more.
_LATE, _MOST_LATE = 5.0, 120.0
_FEW, _SOME, _MANY = 4, 60, 320
# So many more for a refusal whose text leads to its state.
_SEARCHED = 240
_LATEST = 50


class _StoppedError(Exception):
    """The judge was asked to stop while the database did not answer."""


class _Case(NamedTuple):
    """A decision that waits, and the step that brought it; None where what was just before is not known."""

    fact: PodFact
    step: RecordedChange | None
    due: float


class _Scheduler(NamedTuple):
    """The scheduler whose decisions are judged: its configuration, None where it cannot be read, and its release."""

    configuration: SchedulerConfiguration | None
    is_other_release: bool

    def excused(self, judgement: Judgement) -> Judgement:
        """Say of a disagreement with another release that this may be why."""
        if judgement.verdict == Decision.Verdict.DISAGREES and self.is_other_release:
            return judgement._replace(reason=Decision.Reason.OTHER_RELEASE)
        return judgement


class Judge:
    """A thread of its own beside the writer, which it never keeps waiting.

    It judges decisions that were watched from end to end. What is new in a list may have happened in any order, so
    after one it begins anew from the mirror, and so it does where more came at once than is kept.
    """

    def __init__(self, cluster_id: int) -> None:
        self._cluster_id = cluster_id
        self._queue: Queue[HeardBatch | None] = Queue()
        self._cases: deque[_Case] = deque()
        self._doubtful: deque[_Case] = deque()
        self._history: History | None = None
        self._arrivals = Arrivals()
        # Of the mirror, when the history began: batches up to it are in the first state already.
        self._revision = 0
        self._version = 0
        self._newest = 0
        self._torn_at = monotonic()
        self._disagreed: deque[bool] = deque(maxlen=_LATEST)
        self._searches = Searches()
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="judge", daemon=True)

    def start(self) -> None:
        """Begin; decisions that an earlier watcher left are given up first."""
        self._thread.start()

    def hear(self, batch: HeardBatch) -> None:
        """Take a batch that was committed."""
        self._queue.put(batch)

    @property
    def is_ready(self) -> bool:
        """Whether decisions that are heard of from now on can be judged."""
        return self._history is not None and self._queue.empty()

    def stop(self) -> None:
        """End without waiting for decisions to settle: the next watcher says that they were not judged."""
        self._is_stopping.set()
        self._queue.put(None)

    def join(self, timeout: float) -> None:
        """Wait for the thread to end."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while not self._is_stopping.is_set():
                try:
                    self._insist(lambda: give_up_waiting(cluster_id=self._cluster_id))
                    self._searches.resume(self._insist(lambda: take_followed_searches(cluster_id=self._cluster_id)))
                    while not self._is_stopping.is_set():
                        self._take()
                        self._judge_what_is_due()
                        self._begin_anew()
                except (_StoppedError, Cluster.DoesNotExist):
                    return
                except Exception:  # noqa: BLE001 - a thread that ends without a word would be worse
                    # The decisions themselves are stored, and those to come shall be judged.
                    _log.exception("Judging decisions failed, and begins anew.")
                    self._forget()
                    self._is_stopping.wait(_BETWEEN_ATTEMPTS)
            self._keep_searches()
        finally:
            connection.close()

    def _keep_searches(self) -> None:
        kept = self._searches.kept()
        if kept is None:
            return
        parallelism, state = kept
        try:
            write_followed_searches(cluster_id=self._cluster_id, parallelism=parallelism, state=state)
        except (DatabaseError, InterfaceError) as error:
            _log.warning("Where searches begin is not kept: %s", error)

    # -- what comes in -----------------------------------------------------------------------------------

    def _take(self) -> None:
        """Wait a moment for what was written, and take all that is there."""
        try:
            written = self._queue.get(timeout=_TICK)
            while written is not None:
                self._hear(written)
                written = self._queue.get_nowait()
        except Empty:
            pass

    def _hear(self, written: HeardBatch) -> None:
        self._newest = written.revision
        if written.heard is None:
            self._judge([*self._cases, *self._doubtful], is_last_look=True)
            self._forget()
        steps: dict[tuple[str, str], RecordedChange] = {}
        if self._history is not None and written.heard and written.revision > self._revision:
            for step in steps_of(written.heard, written.before, after_version=self._version, arrivals=self._arrivals):
                self._version = max(self._version, step.version)
                self._history.add(step)
                metadata = step.document.get("metadata") or {}
                steps[str(metadata.get("uid")), str(step.version)] = step
        now = monotonic()
        for fact in written.facts:
            if not fact.is_watched:
                self._searches.miss(fact)
            if fact.is_judged and fact.is_watched:
                found = steps.get((fact.pod_uid, fact.resource_version))
                self._cases.append(_Case(fact, found, now + (_SETTLING if found is not None else 0)))

    def _forget(self) -> None:
        """Drop the past, and what could only be judged by it."""
        if self._history is not None:
            self._searches.lose()
        self._cases.clear()
        self._doubtful.clear()
        self._history = None
        self._arrivals = Arrivals()
        self._torn_at = monotonic()

    def _begin_anew(self) -> None:
        """Take the mirror's present state for the first one, once no more lists come in."""
        if self._history is not None or monotonic() - self._torn_at < _TICK or not self._queue.empty():
            return
        cluster = self._insist(lambda: Cluster.objects.get(pk=self._cluster_id))
        self._revision, snapshot = self._insist(lambda: snapshot_at_revision(cluster))
        self._history = History(snapshot.copy())

    # -- what goes out -----------------------------------------------------------------------------------

    def _judge_what_is_due(self) -> None:
        now = monotonic()
        due = []
        while self._cases and self._cases[0].due <= now:
            due += self._taken_up_before(self._cases.popleft())
        self._judge(due)
        # One at a time, and only while the others are in time: it takes long.
        is_late = self._cases and self._cases[0].due + _LATE < monotonic()
        if not is_late and self._doubtful and self._doubtful[0].due <= now:
            self._judge([self._doubtful.popleft()], is_last_look=True)
        if self._history is not None:
            waiting = (case.step.moment for case in (*self._cases, *self._doubtful) if case.step is not None)
            self._history.forget(min([now, *waiting]) - _REACH)

    def _taken_up_before(self, case: _Case) -> list[_Case]:
        """Return a case that is due, behind those heard of just after it that the scheduler took up first."""
        if case.step is None:
            return [case]
        latest = case.step.moment + _WRITTEN_LATE
        near = takewhile(lambda each: each.step is None or each.step.moment <= latest, self._cases)
        cases = {each.step: each for each in near if each.step is not None}
        first = [cases[step] for step in earlier_ones(case.step, cases)]
        for each in first:
            self._cases.remove(each)
        return [*first, case]

    def _judge(self, cases: list[_Case], *, is_last_look: bool = False) -> None:
        for start in range(0, len(cases), _AT_ONCE):
            self._write(cases[start : start + _AT_ONCE], is_last_look=is_last_look)

    def _write(self, cases: list[_Case], *, is_last_look: bool) -> None:
        scheduler = self._insist(self._scheduler)
        self._searches.configure(scheduler.configuration)
        judged = []
        for case in cases:
            judgement = self._judgement(case, scheduler.configuration, is_last_look=is_last_look)
            if judgement.verdict == Decision.Verdict.DISAGREES and not is_last_look:
                self._doubtful.append(case._replace(due=monotonic() + _SECOND_LOOK))
            else:
                judged.append((case.fact, scheduler.excused(judgement)))
        if not judged:
            return
        self._insist(lambda: write_judgements(cluster_id=self._cluster_id, judgements=judged))
        snapshot_ready.send_robust(
            sender=Cluster, cluster_id=self._cluster_id, revision=self._newest, changed=False, kinds=("Decision",)
        )

    def _scheduler(self) -> _Scheduler:
        """Return what is known of the cluster's scheduler now."""
        cluster = Cluster.objects.filter(pk=self._cluster_id).first()
        if cluster is None:
            return _Scheduler(SchedulerConfiguration.default(), is_other_release=False)
        is_other_release = not match_release(cluster.kube_version).is_exact
        try:
            return _Scheduler(configuration_of(cluster), is_other_release)
        except ConfigurationError:
            return _Scheduler(None, is_other_release)

    def _judgement(self, case: _Case, configuration: SchedulerConfiguration | None, *, is_last_look: bool) -> Judgement:
        late = monotonic() - case.due
        if case.step is None or self._history is None or (late > _MOST_LATE and not is_last_look):
            self._searches.miss(case.fact)
            return NOT_SEEN
        if configuration is None:
            return UNREADABLE_CONFIGURATION
        most_states, most_searched = (_MANY, _SEARCHED) if is_last_look else (_SOME, 0)
        if late > _LATE and 2 * sum(self._disagreed) > _LATEST:
            most_states, most_searched = _FEW, 0
        judged = partial(judge, case.fact, case.step, self._history, configuration)
        judgement = attempted(
            f"The judgement of {case.fact.namespace}/{case.fact.name} ({case.fact.kind})",
            partial(
                judged,
                most_states=most_states,
                most_searched=most_searched,
                # Those that came after a decision that is looked at again were judged meanwhile.
                searches=None if is_last_look else self._searches,
            ),
        )
        if isinstance(judgement, Failure):
            self._searches.miss(case.fact)
            return FAILED
        self._disagreed.append(judgement.verdict == Decision.Verdict.DISAGREES)
        return judgement

    def _insist(self, work: Callable[[], Result]) -> Result:
        """Do what needs the database, again and again until it answers or the judge is asked to stop."""
        told = False
        while True:
            try:
                return work()
            except (DatabaseError, InterfaceError) as error:
                connection.close()
                if not told:
                    _log.warning("The database does not take judgements: %s", error)
                told = True
                if self._is_stopping.wait(_BETWEEN_ATTEMPTS):
                    raise _StoppedError from error
