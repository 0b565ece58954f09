"""Pods that are alike in all that scheduling reads, and their verdicts and scores, updated node by node."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import Profile, SchedulerConfiguration, UnknownScheduler
from clusters.engine.devices.claims import uses_devices
from clusters.engine.objects import Document, Pod, PodAffinity, PodShape, metadata, namespace_of, placement_volumes
from clusters.engine.plugin import MAX_NODE_SCORE, Context, InStep, Plugin
from clusters.engine.registry import PLUGINS, pre_enqueue, reads_amounts
from clusters.engine.scheduling.answers import rejecting
from clusters.engine.scheduling.cost import check
from clusters.engine.scheduling.cycle import error_on, errors, run_cycle
from clusters.engine.scheduling.explanation import Explanation
from clusters.engine.scheduling.search import SearchOrder, Walk, first_found, takes_first
from clusters.engine.simulation.controllers import running
from clusters.engine.snapshot import Snapshot
from clusters.engine.status import Code, FilterAnswer, Index, Ints, Mask

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.engine.problems import Problem


# Pods that are alike in all that scheduling reads.


# What a spec says about other pods; of the affinity that to nodes says nothing about them.
_ABOUT_PODS: Final = frozenset({"affinity", "topologySpreadConstraints"})


class PodKind(Struct, frozen=True, eq=False):
    """Pods of which any one stands for all; ``pod`` is the first that was met.

    ``asked``: the same for kinds that ask a scheduler for the same amounts; ``alone``: for kinds that differ in nothing
    but what makes them meet other pods. ``profile`` is None, and ``problem`` says why, where nothing schedules them.
    ``gates`` is the message of a kind that does not enter the queue, else empty.
    """

    number: int
    pod: Pod
    asked: bytes
    alone: bytes
    profile: Profile | None
    problem: Problem | None
    gates: str

    @property
    def priority(self) -> int:
        return self.pod.priority


class PodKinds:
    """The kinds of pods that have been met."""

    def __init__(self, configuration: SchedulerConfiguration, snapshot: Snapshot) -> None:
        self._configuration = configuration
        self._snapshot = snapshot
        self._kinds: dict[bytes, PodKind] = {}

    def of(self, document: Document) -> PodKind:
        """The kind of a pod. Pods with claims or disks are told apart by name, as their claims may be."""
        fields, spec = metadata(document), document.get("spec") or {}
        volumes = spec.get("volumes")
        own: Any = None
        if volumes:
            spec = {name: part for name, part in spec.items() if name != "volumes"}
            restricting = placement_volumes({"volumes": volumes})
            own = (fields.get("name"), fields.get("uid"), restricting) if restricting else None
        if uses_devices(self._snapshot, Pod(document)):
            own = (fields.get("name"), fields.get("uid"), (document.get("status") or {}).get("resourceClaimStatuses"))
        source = marshal.dumps(
            (
                namespace_of(document),
                fields.get("labels"),
                fields.get("ownerReferences"),
                fields.get("deletionTimestamp"),
                spec,
                (document.get("status") or {}).get("nominatedNodeName"),
                own,
            ),
            0,
        )
        kind = self._kinds.get(source)
        if kind is None:
            kind = self._kinds[source] = self._made(document, own)
        return kind

    def _made(self, document: Document, own: object) -> PodKind:
        pod = Pod(document)
        requested = [
            (kind, container.get("resources"), container.get("restartPolicy"))
            for kind in ("containers", "initContainers")
            for container in pod.spec.get(kind) or ()
        ]
        whole: Any = (pod.scheduler_name, requested, pod.spec.get("overhead"), pod.spec.get("resources"), own)
        number, asked = len(self._kinds), marshal.dumps(whole, 0)
        rest = {name: part for name, part in pod.spec.items() if name not in _ABOUT_PODS}
        of_nodes = (pod.spec.get("affinity") or {}).get("nodeAffinity")
        others: Any = (pod.namespace, pod.terminating, rest, of_nodes, pod.nominated_node_name, own)
        alone = marshal.dumps(others, 0)
        try:
            profile = self._configuration.profile_for(document)
        except UnknownScheduler as error:
            return PodKind(number, pod, asked, alone, None, error.problem, "")
        rejection = pre_enqueue(pod, profile, self._snapshot) if pod.scheduling_gates else None
        return PodKind(number, pod, asked, alone, profile, None, "" if rejection is None else rejection.status.said)


# What pods request, read once for all pods of one making.

_READ = ("containers", "initContainers", "overhead", "resources")


class PodRequests:
    """Requests of pods as filtering counts them, in base units; the mappings are shared: leave them as they are."""

    def __init__(self) -> None:
        self._known: dict[bytes, Mapping[str, int]] = {}

    def of(self, pod: Document) -> Mapping[str, int]:
        """What a pod requests of the node that takes it."""
        spec = pod.get("spec") or {}
        source = marshal.dumps([spec.get(field) for field in _READ], 0)
        known = self._known.get(source)
        if known is None:
            known = self._known[source] = Pod(pod).requests
        return known


# One attempt to place a pod: the nodes that fit, or the plugins that reject it and the preemption that would help.

_NO_ROWS: Index = np.zeros(0, np.intp)


class AttemptResult(Struct, frozen=True):
    """What an attempt came to, before one of the ``best`` rows is taken: of ``rows`` those that ``are_best``, or all.

    ``taken``: the best row that the release's scheduler takes; None where any of them may be. ``total``: the highest
    one; None where nothing was scored. ``feasible`` nodes among ``looked_at`` ones. Without a
    best row ``plugins`` rejected the pod, ``message`` is the scheduler's, ``nominated`` is the node that preemption
    takes or that the pod keeps from before, and ``victims`` are the pods that have to go.
    """

    rows: Index
    total: int | None = None
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()
    message: str = ""
    nominated: str = ""
    victims: tuple[str, ...] = ()
    taken: int | None = None
    are_best: Mask | None = None

    @property
    def best(self) -> Index:
        return self.rows if self.are_best is None else self.rows[self.are_best]

    @property
    def ties(self) -> int:
        """How many rows are the best."""
        return len(self.rows) if self.are_best is None else int(np.count_nonzero(self.are_best))


def explain_attempt(
    snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder, *, is_created: bool = False
) -> tuple[Explanation, int]:
    """Explain a pod as the simulation tries it, and say how many nodes were looked at.

    A node that is nominated for the pod is taken alone where it is feasible; ``order`` may end the search early.
    """
    cycle = run_cycle(snapshot, Pod(pod), profile)
    cycle.search_start = order.start
    if cycle.takes_nominated:
        return Explanation(cycle, is_created=is_created), 1
    if cycle.stopped_by is not None:
        return Explanation(cycle, is_created=is_created), 0
    looked_at = int(cycle.considered.sum())
    tried = cycle.nominated_row
    if order.ends_early:
        search = order.search(order.walk(cycle.considered, cycle.rejected_by < 0), profile, errors(cycle))
        looked_at = search.looked_at
        if search.failed is not None:
            cycle.fail(error_on(cycle, search.failed))
        elif len(search.found) < len(cycle.feasible):
            cycle = run_cycle(snapshot, Pod(pod), profile, among=search.found)
            cycle.search_start = order.start
    elif cycle.possible_error is not None:
        cycle.fail(cycle.possible_error)
    if tried is not None and not cycle.considered[tried]:
        looked_at += 1
    return Explanation(cycle, is_created=is_created), looked_at


def find(snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder) -> AttemptResult:
    """Try a pod on a snapshot."""
    explanation, looked_at = explain_attempt(snapshot, pod, profile, order)
    cycle = explanation.cycle
    if explanation.error is not None:
        # It takes a nomination from before with it.
        feasible = len(cycle.feasible) if explanation.error.phase.is_scoring else 0
        return AttemptResult(_NO_ROWS, feasible=feasible, looked_at=looked_at, message=explanation.error.message)
    if not explanation.fits:
        nominated, victims = _preempted(explanation)
        return AttemptResult(
            _NO_ROWS,
            looked_at=looked_at,
            plugins=rejecting(cycle),
            message=explanation.message or "",
            nominated=nominated,
            victims=victims,
        )
    if explanation.takes_nominated:
        return AttemptResult(cycle.choices, None, 1, looked_at)
    if order.ends_early and len(cycle.feasible) == 1:
        # The scheduler does not score a single node, so no score can fail either.
        return AttemptResult(cycle.feasible, None, 1, looked_at)
    taken = first_found(cycle, order)
    return AttemptResult(cycle.choices, int(cycle.totals.max()), len(cycle.feasible), looked_at, taken=taken)


def _preempted(explanation: Explanation) -> tuple[str, tuple[str, ...]]:
    """The node that is nominated for a pod that fits nowhere, and the pods that go for it.

    Preemption that finds nothing takes a nomination from before, and so does a cluster without nodes; where it is not
    tried, or meets an error, the nomination stays.
    """
    if not explanation.node_count:
        return "", ()
    preemption = explanation.preemption
    if preemption is not None and preemption.selected is not None:
        return preemption.selected.node, preemption.selected.victims
    if preemption is not None and preemption.eligible and not preemption.failed:
        return "", ()
    return explanation.pod.nominated_node_name, ()


# The verdict and scores of every node for pods of one kind, updated node by node instead of computed for each pod.
#
# Most plugins judge a node by itself: some by what never changes in a simulation (labels, taints, images), others by
# what the pods on it ask for. The former's answers are found once for each kind, the latter's once for all kinds that
# ask for the same, and for a node anew once a pod has come or gone there. The few plugins that look at pods elsewhere
# are asked each time, unless nothing about the pod makes them.

_NOWHERE: Final = -1
# How many answers are remembered with the rows that they admit.
_MOST_ADMITTED: Final = 8
# How many rows are judged ahead for each that has changed, and how many pods on them where rows are few.
_AHEAD: Final = 4
_DEEPEST: Final = 16
# How many different requests are reckoned with, and how many answers to all of them are known beside those of nodes.
_MOST_ASKED: Final = 32
_MOST_AHEAD: Final = 1 << 21
# After so many placements whoever was not asked since looks at all nodes again.
_MOST_TOUCHED: Final = 1 << 14


class AmountsAhead:
    """What N nodes have and what is booked on them, each distinct amounts by a number: what many nodes have in common.

    ``of`` (N,): the number of each row. Those that rows will have with more pods are numbered ahead, so that many can
    be judged in one call. Numbers hold until ``version`` changes.
    """

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._numbers: dict[bytes, int] = {}
        self._asked: dict[bytes, Ints] = {}
        self.of: Index = _NO_ROWS
        self._is_ahead: Mask = np.zeros(0, np.bool_)
        self.version = self._resources = self._changes = 0

    def update(self, rows: Iterable[int]) -> None:
        """Take in on which rows pods came or went."""
        nodes, numbers = self._nodes, self._numbers
        most = len(nodes) + _MOST_AHEAD // max(1, len(self._asked))
        if self._resources != len(nodes.resources) or len(numbers) > most:
            numbers.clear()
            self._asked.clear()
            self.of, self._is_ahead = self._numbered(nodes.all_amounts(slice(None))), np.zeros(len(nodes), np.bool_)
            self.version, self._resources = self.version + 1, len(nodes.resources)
        else:
            for row in rows:
                self.of[row] = numbers.setdefault(nodes.amounts(row), len(numbers))
                self._is_ahead[row] = False
                self._changes += 1

    def _numbered(self, amounts: Ints) -> Index:
        """The numbers of amounts, shape (M, W)."""
        numbers, text, size = self._numbers, amounts.tobytes(), amounts.shape[1] * amounts.itemsize
        found = [numbers.setdefault(text[at : at + size], len(numbers)) for at in range(0, len(text), size)]
        return np.array(found, np.intp)

    def since(self, number: int) -> NodeTable:
        """Nodes with the amounts that have this number and those after it."""
        latest = list(islice(reversed(self._numbers), len(self._numbers) - number))
        amounts = np.frombuffer(b"".join(reversed(latest)), np.int64).reshape(len(latest), -1)
        return self._nodes.with_amounts(amounts)

    def asks(self, requests: Ints, non_zero: Ints) -> Ints:
        """What one more pod that requests so much adds to the amounts of its row, shape (W,)."""
        more = np.zeros(2 * self._resources + 4, np.int64)
        more[self._resources : self._resources + len(requests)] = requests
        more[-4:] = *non_zero, 1, 0
        return self._asked.setdefault(more.tobytes(), more)

    def look_ahead(self, scores: Ints, alone: Ints | None) -> None:
        """Number what the rows with the highest scores will have with one more pod; the more pods came, the more rows.

        ``alone``: what pods add where all that come ask for the same: as many of them are reckoned with as make up for
        few rows.
        """
        if alone is None and len(self._asked) > _MOST_ASKED:
            return
        rows, most = np.flatnonzero(~self._is_ahead), _AHEAD * max(self._changes, _DEEPEST)
        if len(rows) > most:
            rows = rows[np.argpartition(scores[rows], len(rows) - most)[-most:]]
        self._is_ahead[rows] = True
        if alone is None:
            more = np.array(list(self._asked.values()))
        else:
            more = alone * np.arange(1, 1 + max(1, _DEEPEST // max(1, len(rows))))[:, None]
        self._numbered((self._nodes.all_amounts(rows)[:, None] + more).reshape(-1, more.shape[1]))


class AmountsOnNodes:
    """What N nodes answer pods that ask for the same, by what pods on them ask for.

    ``room`` (N,): whether there is enough left; ``own`` (N,): the weighted scores by amounts; ``seen``: at what moment.
    """

    def __init__(
        self, snapshot: Snapshot, ahead: AmountsAhead, pod: Pod, profile: Profile, scoring: Collection[str]
    ) -> None:
        self._ahead, self._version, self.seen = ahead, 0, _NOWHERE
        self._imagined = Snapshot(snapshot.release)
        context = Context(self._imagined, pod, profile.args)
        self._filters = [PLUGINS[name](context) for name in profile.filter if reads_amounts(name)]
        scores = (name for name in profile.score if reads_amounts(name) and name in scoring)
        self._scores = [(PLUGINS[name](context), profile.weights[name]) for name in scores]
        shape = PodShape.of(Pod(running(pod.document)), snapshot.release.counting)
        self._vector = snapshot.nodes.vector(shape.requests)
        self._non_zero = np.array((shape.non_zero_cpu, shape.non_zero_memory), np.int64)
        self.is_in_range = True
        self.room: Mask = np.zeros(len(snapshot.nodes), np.bool_)
        self.own: Ints = np.zeros(len(snapshot.nodes), np.int64)

    def refresh(self, rows: Index | slice | int) -> None:
        """Take in what is on rows; where one alone has changed, more pods that ask for the same are expected."""
        ahead = self._ahead
        if self._version != ahead.version:
            self._version, rows = ahead.version, slice(None)
            self._more = ahead.asks(self._vector, self._non_zero)
            # By number of the amounts.
            self._known: tuple[Mask, Ints] = self.room[:0], self.own[:0]
        numbers = ahead.of[rows]
        known = len(self._known[0])
        if (numbers if isinstance(rows, int) else numbers.max(initial=_NOWHERE)) >= known:
            if known:
                scores = np.where(self.room, self.own, _NOWHERE)
                ahead.look_ahead(scores, self._more if isinstance(rows, int) else None)
            (room, own), (more_room, more_own) = self._known, self._judged(ahead.since(known))
            self._known = np.concatenate((room, more_room)), np.concatenate((own, more_own))
        room, own = self._known
        self.room[rows], self.own[rows] = room[numbers], own[numbers]

    def _judged(self, nodes: NodeTable) -> tuple[Mask, Ints]:
        """Whether rows (M,) of a table have room, and their own scores."""
        self._imagined.nodes = nodes
        room = np.ones(len(nodes), np.bool_)
        for plugin in self._filters:
            failed = plugin.filter().failed
            if failed is not None:
                room &= ~failed
        everywhere = np.arange(len(nodes))
        own = np.zeros(len(nodes), np.int64)
        for plugin, weight in self._scores:
            scores = plugin.normalise(plugin.score(everywhere))
            # Beyond the numbers that int64 holds a score may leave its range, which ends the cycle in an error.
            self.is_in_range = self.is_in_range and bool(((scores >= 0) & (scores <= MAX_NODE_SCORE)).all())
            own += scores * weight
        return room, own


class FixedAnswers:
    """What N nodes answer pods for good, whichever others come and go; the same for all kinds that are alike alone.

    ``considered`` and ``fixed`` (N,): the nodes that are looked at, and those of them that nothing but pods can rule
    out; ``looked_at``: how many they are. ``given`` (N,): the weighted scores; of what is ``normalised`` over the nodes
    that fit plugin, weight and raw scores. ``scoring``: the plugins that score. Where they are not ``usable`` only the
    whole cycle can tell how the nodes stand.
    """

    def __init__(self, snapshot: Snapshot, pod: Pod, profile: Profile) -> None:
        self._snapshot, self._profile = snapshot, profile
        self._plugins = _plugins_of(profile, Context(snapshot, pod, profile.args), are_local=True)
        self.considered: Mask = np.ones(len(snapshot.nodes), np.bool_)
        self.fixed: Mask = self.considered
        self.scoring = frozenset(profile.score)
        self.usable = _are_prepared(profile, self._plugins) and self._judge()
        if not self.usable:
            return
        self.looked_at = int(np.count_nonzero(self.considered))
        self.given: Ints = np.zeros(len(snapshot.nodes), np.int64)
        self.normalised: list[tuple[Plugin, int, Ints]] = []
        self._score()
        self.takes_first = takes_first(snapshot.release, profile, pod, self.considered)
        self.digest = self._digest()

    def _digest(self) -> bytes:
        """The same for pods of one scheduler whom nodes answer the same for good."""
        scored = [(plugin.name, weight) for plugin, weight, _ in self.normalised]
        digest = blake2b(repr((self.takes_first, scored)).encode(), digest_size=16)
        for answers in (self.considered, self.fixed, self.given, *(raw for _, _, raw in self.normalised)):
            digest.update(answers.tobytes())
        return digest.digest()

    def share(self, other: FixedAnswers) -> None:
        """Hold answers that are the same, so that they are held once."""
        self.considered, self.fixed, self.given, self.normalised = (
            other.considered,
            other.fixed,
            other.given,
            other.normalised,
        )

    def _judge(self) -> bool:
        """Run the filters that never change their mind; False where the pod is one for the whole cycle."""
        results = {name: self._plugins[name].pre_filter() for name in self._profile.pre_filter if name in self._plugins}
        for result in results.values():
            if result.status.code not in (Code.SUCCESS, Code.SKIP):
                return False
            if result.node_names is not None:
                index = self._snapshot.nodes.index
                allowed = [index[name] for name in result.node_names if name in index]
                named = np.zeros(len(self.fixed), np.bool_)
                named[allowed] = True
                self.considered = self.considered & named
        self.fixed = self.considered.copy()
        for name in self._profile.filter:
            skipped = name in results and results[name].status.code is Code.SKIP
            if name in self._plugins and PLUGINS[name].is_fixed() and not skipped:
                failed = self._plugins[name].filter().failed
                if failed is not None:
                    self.fixed &= ~failed
        rows = np.arange(len(self.fixed))
        for name in self._profile.pre_score:
            if name in self._plugins:
                status = self._plugins[name].pre_score(rows)
                if status.code is Code.SKIP:
                    self.scoring -= {name}
                elif not status.ok:
                    return False
        return True

    def _score(self) -> None:
        """Score by what stays the same; what depends on which nodes fit is kept raw, to be normalised over those."""
        everywhere, fixed = np.arange(len(self.fixed)), np.flatnonzero(self.fixed)
        for name in self._profile.score:
            if name not in self.scoring or not PLUGINS[name].is_fixed() or not len(fixed):
                continue
            plugin, weight = self._plugins[name], self._profile.weights[name]
            raw = plugin.score(everywhere)
            if type(plugin).normalise is Plugin.normalise:
                self.given += raw * weight
            elif (raw[fixed] == raw[fixed[0]]).all():
                # Whichever nodes fit, all of them score alike.
                self.given += int(plugin.normalise(raw[fixed[:1]])[0]) * weight
            else:
                self.normalised.append((plugin, weight, raw))

    def scores(self, fits: Index) -> Ints:
        """The weighted scores, normalised over the rows that fit, shape (F,)."""
        total = self.given.take(fits)
        if len(fits):
            for plugin, weight, raw in self.normalised:
                total += plugin.normalise(raw[fits]) * weight
        return total


def _plugins_of(profile: Profile, context: Context, *, are_local: bool) -> dict[str, Plugin]:
    """The plugins of a profile that judge each node by itself, or those that look at other pods, too."""
    used = dict.fromkeys((*profile.pre_filter, *profile.filter, *profile.pre_score, *profile.score))
    return {name: PLUGINS[name](context) for name in used if name in PLUGINS and PLUGINS[name].is_local() == are_local}


def _are_prepared(profile: Profile, plugins: Mapping[str, Plugin]) -> bool:
    """Whether no plugin is used without the extension point that prepares it."""
    for name, plugin in plugins.items():
        if plugin.unprepared is not None and name in profile.filter and name not in profile.pre_filter:
            return False
        if plugin.unprepared_score is not None and name in profile.score and name not in profile.pre_score:
            return False
    return True


class KindOnNodes:
    """One kind of pod against N nodes: what those answer for good, and the plugins that look at other pods.

    Where it is not ``is_usable`` only the whole cycle can tell how the nodes stand.
    """

    def __init__(
        self, snapshot: Snapshot, kind: PodKind, fixed: FixedAnswers, met: Sequence[PodAffinity], in_step: InStep
    ) -> None:
        check(snapshot, kind.pod)
        assert kind.profile is not None  # noqa: S101 - nobody else is tried
        self.profile, self.fixed, self._met = kind.profile, fixed, met
        context = Context(snapshot, kind.pod, self.profile.args, in_step)
        self.plugins = _plugins_of(self.profile, context, are_local=False)
        self.is_usable = fixed.usable and _are_prepared(self.profile, self.plugins)
        self._affinities_seen = 0
        self._filtering: set[str] = set()
        # Those whose PreFilter has to be asked.
        self._preparing: set[str] = set()
        around = list(filter(self._may_speak, self.plugins)) if self.is_usable else []
        for name in around:
            self.plugins[name].settle()
        self._around: dict[str, bool] = dict.fromkeys(around, False)
        self._concerned: dict[str, Plugin] = {}

    # -- plugins that look around ------------------------------------------------------------------------

    def _may_speak(self, name: str) -> bool:
        """Whether a plugin that looks at other pods may ever have anything to say about this one."""
        plugin = self.plugins[name]
        is_skipped = plugin.skips_for_good and plugin.pre_filter().status.code is Code.SKIP
        if not is_skipped:
            self._preparing.add(name)
            if not plugin.skips_for_good or name in self.profile.filter:
                self._filtering.add(name)
                return True
        if is_skipped and plugin.scores_what_it_filters:
            return False
        return name in self.profile.score and plugin.pre_score(_NO_ROWS).code is not Code.SKIP

    @property
    def around(self) -> Mapping[str, Plugin]:
        """The plugins that have to be asked anew for each pod."""
        if not self._affinities_seen or self._affinities_seen < len(self._met):
            new = self._met[self._affinities_seen :]
            for name, is_concerned in self._around.items():
                if is_concerned or self.plugins[name].is_concerned(new):
                    self._around[name] = True
                    self._concerned[name] = self.plugins[name]
            self._affinities_seen = len(self._met)
        return self._concerned

    def asked_again(self) -> dict[str, Plugin]:
        """The plugins to be asked anew, without what they found before."""
        return {
            name: plugin if plugin.scores_in_step and name not in self._preparing else plugin.again()
            for name, plugin in self.around.items()
        }

    def answers(self, plugins: Mapping[str, Plugin]) -> tuple[FilterAnswer, ...] | None:
        """What plugins say of nodes; None where one of them rejects or restricts the pod before, or meets an error."""
        if self._preparing.isdisjoint(plugins):
            return ()
        answering = set(plugins)
        for name in self.profile.pre_filter:
            if name in plugins:
                result = plugins[name].pre_filter()
                if result.status.code is Code.SKIP:
                    answering.discard(name)
                elif not result.status.ok or result.node_names is not None:
                    return None
        answers = tuple(plugins[name].filter() for name in self.profile.filter if name in answering)
        fails = any(status.code is Code.ERROR for answer in answers for status in answer.statuses)
        return None if fails else answers

    @property
    def is_filtered_around(self) -> bool:
        """Whether any plugin that is asked anew may reject nodes, and not just score them."""
        return not self._filtering.isdisjoint(self.around)


class _Admitted(Struct):
    """Rows that some answers admit, shape (F,), and the walk of a search that ends early.

    ``in_turn`` (F,) are their places in the order in which equally good ones are taken; ``fixed`` (F,) are the scores
    by what stays the same, where they are normalised over these rows. It holds the answers, so that others cannot be
    taken for them.
    """

    answers: tuple[FilterAnswer, ...]
    rows: Index
    walk: Walk | None
    in_turn: Index | None = None
    fixed: Ints | None = None

    def turns(self, order: SearchOrder) -> Index:
        """Shape (F,): the places of the rows, in the order in which equally good ones are taken."""
        if self.in_turn is None:
            self.in_turn = np.argsort(order.ranks(self.rows, self.rows))
        return self.in_turn

    def first(self, are_best: Mask, order: SearchOrder) -> int:
        """The row that is taken of those that ``are_best``, shape (F,)."""
        turns = self.turns(order)
        return int(self.rows[turns[are_best.take(turns).argmax()]])


class Turn:
    """Kinds of pods on N nodes that ask for the same and fare alike for good; ``on_nodes``: the latest of them.

    ``feasible``: how many nodes have room, at the moment that is ``seen``. A node's total are its weighted scores by
    amounts and by what stays the same, normalised over the nodes that fit; where the pod does not fit it is -1.
    """

    def __init__(self, snapshot: Snapshot, on_nodes: KindOnNodes, amounts: AmountsOnNodes) -> None:
        self._snapshot, self.on_nodes, self.amounts, self.seen = snapshot, on_nodes, amounts, amounts.seen
        self._profile, self.fixed = on_nodes.profile, on_nodes.fixed
        self._room = amounts.room & self.fixed.fixed
        self._scored = self.fixed.given.copy()
        self._totals: Ints = np.full(len(self._room), _NOWHERE, np.int64)
        # Of answers of other plugins that were met last, by identity, for a search from this start.
        self._admitted_by: dict[tuple[int, ...], _Admitted] = {}
        self._ranked_from = 0
        # The rows that had the highest total, in the order in which they are taken, and the first that has it still, or
        # since pods came to it a higher one.
        self._best, self._first, self._highest = _NO_ROWS, 0, _NOWHERE
        self._settle(slice(None))

    def refresh(self, rows: Index | slice | int) -> None:
        """Take in that the amounts on rows have changed."""
        room = self.amounts.room[rows] & self.fixed.fixed[rows]
        differs = room != self._room[rows]
        if differs if isinstance(rows, int) else differs.any():
            self._room[rows] = room
            self._admitted_by.clear()
            self._settle(rows)
        elif isinstance(rows, int):
            self._take_in(rows)
        else:
            self._totals[rows] = np.where(room, self._scored[rows] + self.amounts.own[rows], _NOWHERE)
            self._best = _NO_ROWS

    def _take_in(self, row: int) -> None:
        """Take in another total of one row, so that the others need not be ranked again."""
        if not self._room[row]:
            return
        total = self._totals[row] = self._scored[row] + self.amounts.own[row]
        if self._first < len(self._best) and row != self._best[self._first]:
            self._best = _NO_ROWS
        elif total < self._highest:
            self._first += 1

    def _settle(self, rows: Index | slice | int) -> None:
        """Bring totals up to date after something changed on rows; all of them where normalisation depends on it."""
        self.feasible = int(np.count_nonzero(self._room))
        if self.fixed.normalised:
            fits = np.flatnonzero(self._room)
            scored = self.fixed.scores(fits)
            if not np.array_equal(scored, self._scored[fits]):
                self._scored[fits] = scored
                rows = slice(None)
        self._totals[rows] = np.where(self._room[rows], self._scored[rows] + self.amounts.own[rows], _NOWHERE)
        self._best = _NO_ROWS

    def find(self, order: SearchOrder) -> AttemptResult | None:
        """What an attempt finds; None where the pod fits nowhere, meets an error, or only the whole cycle can tell."""
        around = self.on_nodes.around
        if not self.feasible or not self.amounts.is_in_range:
            return None
        if self._ranked_from != order.start and not order.ends_early:
            self._admitted_by.clear()
            self._best, self._ranked_from = _NO_ROWS, order.start
        if around or order.ends_early:
            return self._find_among(order)
        if self._first >= len(self._best):
            self._rank(order)
        best, total = self._best[self._first :], int(self._totals[self._best[self._first]])
        if total > self._highest:
            best = best[:1]
        taken = int(best[0]) if len(best) > 1 and self.fixed.takes_first else None
        return AttemptResult(best, total, self.feasible, self.fixed.looked_at, taken=taken)

    def _rank(self, order: SearchOrder) -> None:
        """Put the rows with the highest total in order; by name where any of them may be taken."""
        self._highest, self._first = int(self._totals.max()), 0
        if self.fixed.takes_first:
            fits = self._admitted((), order)
            rows = fits.rows.take(fits.turns(order))
            self._best = rows[self._totals.take(rows) == self._highest]
        else:
            self._best = np.flatnonzero(self._totals == self._highest)

    def _find_among(self, order: SearchOrder) -> AttemptResult | None:
        """Ask the plugins that look around, and score what is found."""
        plugins = self.on_nodes.asked_again()
        answers = self.on_nodes.answers(plugins)
        if answers is None:
            return None
        fits = self._admitted(answers, order)
        rows, looked_at, search = fits.rows, self.fixed.looked_at, None
        if not len(rows):
            return None
        if fits.walk is not None:
            search = order.search(fits.walk, self._profile)
            rows, looked_at = search.found, search.looked_at
            if len(rows) == 1:
                return AttemptResult(rows, None, 1, looked_at)
        totals = self._scored_by(plugins, rows, fits)
        if totals is None:
            return None
        highest = int(np.maximum.reduce(totals))
        are_best, taken = totals == highest, None
        if self.fixed.takes_first:
            taken = fits.first(are_best, order) if search is None else search.first(totals)
        return AttemptResult(rows, highest, len(rows), looked_at, taken=taken, are_best=are_best)

    def _admitted(self, answers: tuple[FilterAnswer, ...], order: SearchOrder) -> _Admitted:
        """The rows that have room and that all of some answers admit, as it was found of these answers before."""
        asked = tuple(map(id, answers))
        known = self._admitted_by.get(asked)
        if known is None:
            mask = self._room.copy()
            for answer in answers:
                if answer.failed is not None:
                    mask &= ~answer.failed
            rows = np.flatnonzero(mask)
            if not answers:
                # The same for all whom the same rows fit, so that plugins know what they found of them.
                rows = self._snapshot.nodes.kept.by_nodes("admitted", lambda: rows, mask.tobytes())
            walk = order.walk(self.fixed.considered, mask) if order.ends_early else None
            if len(self._admitted_by) >= _MOST_ADMITTED:
                self._admitted_by.clear()
            known = self._admitted_by[asked] = _Admitted(answers, rows, walk)
        return known

    def _scored_by(self, plugins: Mapping[str, Plugin], rows: Index, fits: _Admitted) -> Ints | None:
        """The totals of some rows of those that fit, shape (F,); None where one of the plugins cannot score."""
        if not self.fixed.normalised or len(rows) == self.feasible:
            totals = self._totals.take(rows)
        elif rows is fits.rows:
            if fits.fixed is None:
                fits.fixed = self.fixed.scores(rows)
            totals = fits.fixed + self.amounts.own.take(rows)
        else:
            totals = self.fixed.scores(rows) + self.amounts.own.take(rows)
        scoring = set(plugins)
        for name in self._profile.pre_score:
            if name in plugins:
                status = plugins[name].pre_score(rows)
                if status.code is Code.SKIP:
                    scoring.discard(name)
                elif not status.ok:
                    return None
        for name in self._profile.score:
            if name in scoring:
                plugin, numbers = plugins[name], None
                if rows is fits.rows:
                    points, numbers = plugin.points(rows)
                else:
                    # Each search finds other rows, of which nothing can be brought forward.
                    points = plugin.normalise(plugin.score(rows))
                points = points * self._profile.weights[name]
                totals += points if numbers is None else points.take(numbers)
        return totals


# All kinds of pods that a simulation meets against all nodes, and what makes that out of date.

# Kinds times nodes that are held at once, and as many of what pods ask for.
_CELLS: Final = 8_000_000
# So many times the room of those is taken up by kinds that fare alike.
_CELLS_OF_TURN: Final = 8
# And so many times that what is brought forward for kinds that are spread alike.
_CELLS_IN_STEP: Final = 4


class KindsOnNodes:
    """The kinds that were asked for last, what they ask for, and which rows of that are out of date.

    Only so many are kept that they take no more room than a fixed number of nodes and pods would. This is no cache of
    answers but part of the algorithm: what is kept is brought forward row by row, one thread uses it, and how many
    there may be depends on the nodes of the moment.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._on_nodes: dict[int, KindOnNodes] = {}
        self._fixed: dict[bytes, FixedAnswers] = {}
        self._amounts: dict[bytes, AmountsOnNodes] = {}
        self._turns: dict[tuple[bytes, bytes], Turn] = {}
        self.clock = 0
        # What pods that are or were on nodes say about others; none first, so that there is always one.
        self._met: list[PodAffinity] = [PodAffinity()]
        pods = snapshot.pods
        for group in (*pods.by_affinity, *(int(pods.affinity[slot]) for slot in pods.nominees)):
            self.meet(pods.affinities[group])
        self.forget_all()

    def forget_all(self) -> None:
        """Begin anew, because nodes have changed."""
        self._on_nodes.clear()
        self._fixed.clear()
        self._amounts.clear()
        self._turns.clear()
        self._ahead = AmountsAhead(self._snapshot.nodes)
        self._most = max(16, _CELLS // max(1, len(self._snapshot.nodes)))
        self._in_step = InStep(max(16, self._most // _CELLS_IN_STEP))
        self.clock += 1
        # The rows that were touched, one after another, and how many there were before those; the last ones of them are
        # not taken in by what is ahead.
        self._touched: list[int] = []
        self._before, self._ahead_of = 0, 0

    def touch(self, row: int) -> None:
        """Note that a pod came to a row or left it."""
        self.clock += 1
        self._touched.append(row)

    def placed(self, row: int, kind: PodKind) -> None:
        """Note that a pod of a kind came to a row."""
        self.touch(row)
        self.meet(kind.pod.affinity)

    def meet(self, affinity: PodAffinity) -> None:
        """Note what a pod that is on a node, or is to be placed on one, says about others."""
        if affinity and affinity not in self._met:
            self._met.append(affinity)

    def note(self) -> None:
        """Note that something changed that rows do not tell, such as a nomination."""
        self.clock += 1

    def peek(self, kind: PodKind) -> KindOnNodes:
        """What stays the same of a kind of pods without volumes on all nodes."""
        on_nodes = self._on_nodes.get(kind.number)
        if on_nodes is None:
            fixed = self._fixed.get(kind.alone)
            if fixed is None:
                assert kind.profile is not None  # noqa: S101 - nobody else is tried
                fixed = FixedAnswers(self._snapshot, kind.pod, kind.profile)
                self._keep(self._fixed, kind.alone, fixed, self._most)
            on_nodes = KindOnNodes(self._snapshot, kind, fixed, self._met, self._in_step)
            self._keep(self._on_nodes, kind.number, on_nodes, self._most)
        return on_nodes

    def _keep(self, kept: dict[Any, Any], key: object, value: object, most: int) -> None:
        if len(kept) >= most:
            del kept[next(iter(kept))]
        kept[key] = value

    def of(self, kind: PodKind) -> Turn | None:
        """How nodes stand with a kind now; None for one that takes the whole cycle."""
        if kind.pod.volumes:
            return None
        on_nodes = self.peek(kind)
        if not on_nodes.is_usable:
            return None
        amounts = self._amounts.get(kind.asked)
        if amounts is None:
            amounts = AmountsOnNodes(self._snapshot, self._ahead, kind.pod, on_nodes.profile, on_nodes.fixed.scoring)
            self._keep(self._amounts, kind.asked, amounts, self._most)
        self._ahead.update(self._touched[self._ahead_of :])
        self._ahead_of = len(self._touched)
        self._bring_forward(amounts)
        alike = kind.asked, on_nodes.fixed.digest
        turn = self._turns.get(alike)
        if turn is None:
            turn = Turn(self._snapshot, on_nodes, amounts)
            self._keep(self._turns, alike, turn, max(1, self._most // _CELLS_OF_TURN))
        if on_nodes.fixed is not turn.fixed:
            on_nodes.fixed.share(turn.fixed)
        turn.on_nodes = on_nodes
        self._bring_forward(turn)
        return turn

    def _bring_forward(self, kept: AmountsOnNodes | Turn) -> None:
        """Let what was true at a moment take in what has changed since."""
        now = self._before + len(self._touched)
        if kept.seen < self._before:
            kept.refresh(slice(None))
        elif kept.seen < now:
            rows = self._touched[kept.seen - self._before :]
            kept.refresh(rows[0] if len(rows) == 1 else np.array([*set(rows)]))
        kept.seen = now
        if len(self._touched) > _MOST_TOUCHED:
            self._before, self._ahead_of = now, 0
            self._touched.clear()
