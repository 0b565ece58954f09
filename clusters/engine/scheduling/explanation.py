"""What a scheduling cycle found about a pod, small until somebody asks for a part of it."""

from __future__ import annotations

import enum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.conclusion import (
    Conclusion,
    FilteringExtender,
    ForeignPlugin,
    PossibleError,
    Uncertainty,
    UncomputedField,
    UncomputedObject,
    conclude,
)
from clusters.engine.configuration import PodTopologySpreadArgs, Profile, SchedulerConfiguration
from clusters.engine.configuration.profiles import MULTI_POINT, interested_extenders, managed_by
from clusters.engine.devices.inventory import open_group_of
from clusters.engine.group_states import GroupWaits, held_groups
from clusters.engine.objects import Document, Pod
from clusters.engine.plugin import Context, Plugin, PluginScore, is_resize_attempt
from clusters.engine.podgroups import COMPOSITE, POD_GROUP, DisruptionMode, field_of
from clusters.engine.quotas import applied_quotas
from clusters.engine.registry import PLUGINS, group_plugins, held_back
from clusters.engine.scheduling.answers import (
    FunnelStep,
    NodeGroup,
    ScoreCell,
    fit_error_of,
    funnel_of,
    reasons_of,
    recorded,
    rejected_alone,
)
from clusters.engine.scheduling.cycle import (
    FEW,
    NONE_RESERVED,
    Candidate,
    Cycle,
    ExtenderCall,
    Extenders,
    ReservedClaims,
    Verb,
    reserve_devices,
    run_cycle,
)
from clusters.engine.scheduling.groups import GroupAttempt, GroupVerdict, attempt_group
from clusters.engine.scheduling.preemption import (
    Preemption,
    answer_of,
    is_prepared,
    narrowed,
    post_filter_message,
    preempt,
)
from clusters.engine.scheduling.relaxations import Relaxations, relax
from clusters.engine.scheduling.search import Sampling, first_row, sampling_of
from clusters.engine.spreading.constraints import PLUGIN as SPREADING, has_constraints
from clusters.engine.status import (
    SUCCESS,
    Code,
    CycleError,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Phase,
    QuotedReason,
    Reason,
    Rejection,
    Status,
    failure,
    unschedulable,
)
from clusters.engine.versions import ExtensionPoint, Gate

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from clusters.engine.configuration import Extender, Profile
    from clusters.engine.evidence import Comparison, Normalisation, ScorePart
    from clusters.engine.snapshot import Snapshot


# What could reject a pod and is not computed.
#
# Whatever the filters say about a pod, it is the same for all pods of one making, and asks no node.

# Where a plugin may turn a pod down or keep it waiting; binding and what follows carries out what was decided.
_REJECTS: Final = frozenset(
    {
        MULTI_POINT,
        ExtensionPoint.PRE_ENQUEUE,
        ExtensionPoint.PRE_FILTER,
        ExtensionPoint.FILTER,
        ExtensionPoint.RESERVE,
        ExtensionPoint.PERMIT,
        ExtensionPoint.PRE_BIND,
    }
)


def uncertainties(
    snapshot: Snapshot,
    pod: Pod,
    profile: Profile,
    *,
    is_created: bool,
    plugins: Mapping[str, Plugin] | None = None,
    knows_group: bool = False,
) -> tuple[Uncertainty, ...]:
    """What could reject a pod and is not computed; of one that would be created also what admission would ask.

    ``plugins`` are those of a cycle of this pod that was run, which know what they could not compute. ``knows_group``:
    somebody else computes what becomes of its group.
    """
    charged = applied_quotas(snapshot, pod) if is_created else ()
    context = Context(snapshot, pod, profile.args)
    points = (
        profile.pre_enqueue,
        profile.pre_filter,
        profile.filter,
        profile.reserve,
        profile.permit,
        profile.pre_bind,
    )
    asked = dict.fromkeys(name for names in points for name in names if name in PLUGINS)
    fields = ((name, ((plugins or {}).get(name) or PLUGINS[name](context)).uncomputed) for name in asked)
    # GangScheduling by name: an API server keeps the group of a pod only where it knows groups, so that its scheduler
    # may too, whatever is known of its gates.
    is_read = "GangScheduling" in asked or context.snapshot.release.enables(Gate.GENERIC_WORKLOAD)
    unknown = "" if is_read and knows_group else field_of(context.pod, context.snapshot.release)
    # DynamicResources by name: it alone decides whose claims a pod may use.
    owning = open_group_of(context.snapshot, context.pod) if "DynamicResources" in asked else ""
    shared = (UncomputedObject("DynamicResources", POD_GROUP, context.pod.namespace, owning),) if owning else ()
    return (
        *(UncomputedField(name, field) for name, field in fields if field),
        *shared,
        *((UncomputedField("GangScheduling", unknown),) if unknown else ()),
        *(ForeignPlugin(name) for name, points in profile.unknown_plugins.items() if not _REJECTS.isdisjoint(points)),
        *_filtering(profile, pod),
        *charged,
    )


def open_group(group: GroupAttempt | None, pod: Pod, profile: Profile) -> tuple[Uncertainty, ...]:
    """Why it is not known what becomes of the group of a pod; nothing where it is, and for a pod without a group."""
    if group is None or group.verdict is not GroupVerdict.UNCERTAIN:
        return ()
    release = group.snapshot.release
    by = "".join(group_plugins(profile, release))
    if group.composite:
        return (UncomputedObject(by, COMPOSITE, pod.namespace, group.composite),)
    return (UncomputedField(by, field_of(pod, release)),)


def scoring_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that score the nodes of a pod; empty ones where they were not kept."""
    return tuple(each.address for each in interested_extenders(profile, pod) if each.prioritize_verb)


def preempting_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that have a say in which pods are preempted for a pod."""
    return tuple(each.address for each in interested_extenders(profile, pod) if each.preempt_verb)


def unknown_preempting(explanation: Explanation) -> tuple[str, ...]:
    """URL prefixes of the extenders that have a say in a pod's preemption, and whose answer is not known."""
    found = explanation.preemption
    if found is None or not (found.candidates or found.calls):
        return ()
    if not found.calls:
        return preempting_extenders(explanation.profile, explanation.pod)
    return tuple(call.extender.address for call in found.calls if not call.is_answered)


def is_preemption_uncertain(explanation: Explanation) -> bool:
    """Whether a pod that preemption makes room for may still be rejected, or other pods be removed for it.

    Whether what an extender has removed makes room is not computed, nor who goes with a pod whose group is disrupted as
    a whole.
    """
    found = explanation.preemption
    selected = None if found is None else found.selected
    is_changed = found is not None and selected is not None and bool(found.changed_by(selected.node))
    is_open = is_changed or (found is not None and _removes_groups(explanation.snapshot, found.candidates))
    return is_open or bool(explanation.uncertainties or unknown_preempting(explanation))


def _removes_groups(snapshot: Snapshot, candidates: Iterable[Candidate]) -> bool:
    """Whether a victim takes its whole group with it."""
    groups = snapshot.release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) or snapshot.release.rules.evaluates_groups_first
    if not groups or not snapshot.release.enables(Gate.GENERIC_WORKLOAD):
        return False
    held, victims = held_groups(snapshot), {victim for candidate in candidates for victim in candidate.victims}
    for key in snapshot.groups.known():
        terms = held.terms_of(key)
        is_whole = terms is not None and terms.disruption is DisruptionMode.ALL
        if is_whole and not victims.isdisjoint(snapshot.groups.of(key)):
            return True
    return False


def filtering_extender(extender: Extender, pod: Pod) -> FilteringExtender:
    """What stays open while it is not known which nodes an extender keeps."""
    return FilteringExtender(extender.address, tuple(managed_by(extender, pod)), extender.ignorable)


def _filtering(profile: Profile, pod: Pod) -> Iterator[FilteringExtender]:
    return (filtering_extender(each, pod) for each in interested_extenders(profile, pod) if each.filter_verb)


class Explanation:
    """Every filter's answer for every node, every score of the feasible ones, and what follows from them.

    ``is_created``: the pod would come to be, so that it has yet to pass admission; otherwise it exists. ``group``: what
    becomes of the pod's group; the pod finds the cluster as the pods of its group leave it that are tried before.
    ``knows_group``: None means that it is scheduled by itself, not that nobody asked.
    """

    def __init__(
        self, cycle: Cycle, *, is_created: bool = False, group: GroupAttempt | None = None, knows_group: bool = False
    ) -> None:
        self.is_created = is_created
        self.group = group
        self._knows_group = knows_group
        self.cycle = cycle
        self.snapshot: Snapshot = cycle.snapshot
        self.pod: Pod = cycle.context.pod
        self.profile: Profile = cycle.profile

    # -- verdict -----------------------------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        return len(self.snapshot.nodes)

    @property
    def fits(self) -> bool:
        """Whether the scheduler takes a node: one passes every filter that is computed, and no error ends the cycle.

        Of a pod of a group also whether the group is scheduled. ``conclusion`` says what that is worth.
        """
        return self.finds_node and self.blocking_group is None

    @property
    def finds_node(self) -> bool:
        """Whether the pod's own cycle ends with a node, whatever becomes of its group."""
        return len(self.cycle.choices) > 0

    @property
    def blocking_group(self) -> GroupAttempt | None:
        """The group on account of which the pod does not get the node that it finds; None where nothing does so."""
        is_blocked = self.group is not None and self.group.is_blocking and self.finds_node
        return self.group if is_blocked else None

    @property
    def error(self) -> CycleError | None:
        """The error that ends the cycle without a node, whatever filters say elsewhere."""
        return self.cycle.error

    @cached_property
    def uncertainties(self) -> tuple[Uncertainty, ...]:
        """What could reject the pod, or keep it from being created, and is not computed; whatever the filters say."""
        error = self.cycle.possible_error
        met = () if error is None else (PossibleError(error.plugin, error.node),)
        found = uncertainties(
            self.snapshot,
            self.pod,
            self.profile,
            is_created=self.is_created,
            plugins=self.cycle.plugins,
            knows_group=self._knows_group,
        )
        answered = [
            filtering_extender(call.extender, self.pod)
            for call in self.cycle.calls
            if call.verb is Verb.FILTER and call.is_answered
        ]
        return (
            *(each for each in found if each not in answered),
            *open_group(self.group, self.pod, self.profile),
            *met,
        )

    @property
    def unknown_scorers(self) -> tuple[str, ...]:
        """Addresses of the extenders whose scores of this pod's nodes are not known; empty ones where not kept."""
        if len(self.cycle.feasible) < 2 or self.takes_nominated:
            return ()
        scorers = scoring_extenders(self.profile, self.pod)
        return tuple(each for each in scorers if each not in self.cycle.extender_scores)

    @property
    def calls(self) -> tuple[ExtenderCall, ...]:
        """The extenders that have a say, in the order in which they are asked: for filters, scores and preemption."""
        return (*self.cycle.calls, *(() if self.preemption is None else self.preemption.calls))

    @property
    def conclusion(self) -> Conclusion:
        """Whether the pod fits, does not fit, or that is uncertain; scheduling gates are no part of this."""
        return conclude(fits=self.fits, uncertainties=self.uncertainties)

    @cached_property
    def held_back(self) -> Rejection | None:
        """What keeps the pod out of the queue: its scheduling gates, or that its group is not complete."""
        return held_back(self.pod, self.profile, self.snapshot)

    @property
    def gates(self) -> Status:
        """PreEnqueue: not Success while something keeps the pod out of the queue."""
        return SUCCESS if self.held_back is None else self.held_back.status

    @property
    def feasible(self) -> list[str]:
        """Names of the nodes that pass every filter."""
        return self._names(self.cycle.feasible)

    @property
    def best(self) -> list[str]:
        """Names of all nodes with the highest total, whether or not the scheduler comes to compare them."""
        return self._names(self.cycle.best)

    @property
    def choices(self) -> list[str]:
        """Names of the nodes of which the scheduler takes one: the best, or the one nominated for the pod."""
        return self._names(self.cycle.choices)

    @cached_property
    def unknown_plugins(self) -> tuple[str, ...]:
        """Plugins of the profile whose answers for this pod are not computed."""
        in_tree = [name for name, plugin in self.cycle.plugins.items() if plugin.uncomputed]
        return (*in_tree, *self.profile.unknown_plugins)

    @property
    def sampling(self) -> Sampling:
        """How many nodes the scheduler itself would look for."""
        return sampling_of(self.profile, int(self.cycle.considered.sum()))

    @cached_property
    def fit_error(self) -> str | None:
        """The FailedScheduling text about nodes, without its preemption part; None where an error stands in its place.

        None also for a pod that finds a node.
        """
        return fit_error_of(self.cycle)

    @property
    def reasons(self) -> Counter[Reason]:
        """How many nodes gave each reason; none where no node was asked, or an error ended the cycle."""
        return reasons_of(self.cycle)

    @property
    def refusal(self) -> str | None:
        """The text about nodes, the error or what is said of the pod's group in its place; None for a pod that fits."""
        told = self.group if self.group is not None and self.group.speaks_for_pod else self.blocking_group
        if told is not None:
            return told.pod_message or None
        return self.error.message if self.error is not None else self.fit_error

    @property
    def message(self) -> str | None:
        """The whole FailedScheduling text, with what PostFilter plugins add; None for a pod that fits."""
        if self.fit_error is None or not self.node_count or not self.preempts_alone:
            return self.refusal
        added = post_filter_message(self.cycle, self.preemption)
        return f"{self.fit_error} {added}" if added else self.fit_error

    # -- nodes -------------------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> list[NodeGroup]:
        """The nodes by identical verdict: feasible first, then the largest groups."""
        patterns, count = self.cycle.patterns, self.cycle.pattern_count
        if count <= FEW:
            # Looking for each of a few is much quicker than sorting.
            found = [(patterns == number).nonzero()[0] for number in range(count)]
        else:
            order = np.argsort(patterns, kind="stable")
            found = np.split(order, np.cumsum(np.bincount(patterns, minlength=count))[:-1])
        # What tells patterns apart, such as which of two spread constraints rejects, need not be in the answers.
        alike: dict[Any, list[Index]] = {}
        for rows in filter(len, found):
            answers = self.verdict_of(int(rows[0])), tuple(self.rejections_of(int(rows[0])).items())
            alike.setdefault(answers, []).append(rows)
        groups = [
            NodeGroup(rows[0] if len(rows) == 1 else np.sort(np.concatenate(rows)), dict(filters), verdict)
            for (verdict, filters), rows in alike.items()
        ]
        return sorted(groups, key=lambda group: (group.verdict is not None, -len(group), int(group.rows[0])))

    def rejections_of(self, row: int) -> dict[str, Status]:
        """Every filter that rejects a node when asked on its own, in plugin order."""
        return {name: status for name, outcome in self.cycle.filters.items() if not (status := outcome.at(row)).ok}

    def verdict_of(self, row: int) -> Rejection | None:
        """What the scheduler would record for a node; None where the pod fits."""
        number = int(self.cycle.rejected_by[row])
        return self.cycle.rejections[number] if number >= 0 else None

    def evidence(self, row: int) -> dict[str, tuple[Comparison, ...]]:
        """What each filter compared on a node, by plugin, with the nominated pods where those make it reject."""
        nominated = self.rejections_with_nominated(row)
        worlds = {name: self.cycle.nominated_world if name in nominated else None for name in self.cycle.filters}
        return {name: self.cycle.plugins[name].evidence(row, world) for name, world in worlds.items()}

    # -- nominated pods ----------------------------------------------------------------------------------

    def nominated_on(self, row: int) -> list[str]:
        """Keys of the pods nominated for a node that this pod must make way for."""
        world = self.cycle.nominated_world
        return [] if world is None else [self.snapshot.pods.keys[slot] for slot in world.joining(row).tolist()]

    @property
    def takes_nominated(self) -> bool:
        """Whether the node that the pod itself is nominated for is taken without a look at the others."""
        return self.cycle.takes_nominated

    def rejections_with_nominated(self, row: int) -> dict[str, Status]:
        """Every filter that rejects a node once the pods nominated for it count, in plugin order."""
        if not self.nominated_on(row):
            return {}
        return {name: status for name, outcome in self._with_nominated.items() if not (status := outcome.at(row)).ok}

    def decided_by_nominated(self, row: int) -> bool:
        """Whether the scheduler would record something else for a node, were no pod nominated for it."""
        if self.cycle.stopped_by is not None or not self.cycle.considered[row]:
            return False
        counted = next(iter(self.rejections_with_nominated(row).items()), None)
        return counted is not None and counted != next(iter(self.rejections_of(row).items()), None)

    @cached_property
    def _with_nominated(self) -> dict[str, FilterAnswer]:
        """Every filter's answer where nominated pods count."""
        world = self.cycle.nominated_world
        return {} if world is None else {name: self.cycle.plugins[name].filter(world) for name in self.cycle.filters}

    @cached_property
    def funnel(self) -> list[FunnelStep]:
        """Nodes left after each filter in turn, by the scheduler's own verdicts: nominated pods count."""
        return funnel_of(self.cycle, self._with_nominated)

    def rejected_alone(self, plugin: str) -> Mask:
        """Shape (N,): the nodes that a filter rejects, whatever others do."""
        return rejected_alone(self.cycle, plugin, self._with_nominated)

    # -- scores ------------------------------------------------------------------------------------------

    @property
    def scores(self) -> list[PluginScore]:
        return self.cycle.scores

    @cached_property
    def _position(self) -> dict[int, int]:
        """Where each feasible row stands in the score arrays."""
        return {row: number for number, row in enumerate(self.cycle.feasible.tolist())}

    def total_of(self, row: int) -> int | None:
        """The weighted total of a node; None where the pod does not fit."""
        number = self._position.get(row)
        return None if number is None else int(self.cycle.totals[number])

    def cells_of(self, row: int) -> list[ScoreCell]:
        """Every plugin's score of a node; none where the pod does not fit."""
        number = self._position.get(row)
        if number is None:
            return []
        return [
            ScoreCell(score.plugin, int(score.raw[number]), int(score.normalised[number]), int(score.weighted[number]))
            for score in self.cycle.scores
        ]

    def score_evidence(self, row: int, plugin: str) -> tuple[ScorePart, ...]:
        """What a plugin's raw score of a feasible node was made from."""
        if plugin in self.cycle.extender_scores:
            return ()
        return self.cycle.plugins[plugin].score_evidence(row)

    def normalisation(self, row: int, plugin: str) -> Normalisation | None:
        """How a feasible node's raw score was brought to 0..100; None where it stayed, or is an extender's."""
        if plugin in self.cycle.extender_scores:
            return None
        raw = next(score.raw for score in self.cycle.scores if score.plugin == plugin)
        return self.cycle.plugins[plugin].normalisation(raw, self._position[row])

    def ranking(self) -> Index:
        """Rows of the feasible nodes, highest total first, then by name."""
        return self.cycle.feasible[np.argsort(-self.cycle.totals, kind="stable")]

    # -- what would help ---------------------------------------------------------------------------------

    @cached_property
    def preemption(self) -> Preemption | None:
        """What removing pods of lower priority would do; None for a pod that fits or that nobody asks it of.

        After an error it is not asked either.
        """
        preempts = any(PLUGINS[name].preempts for name in self.profile.post_filter) and self.preempts_alone
        if self.finds_node or self.error is not None or not self.node_count or not preempts:
            return None
        return preempt(self.cycle)

    @property
    def preempts_alone(self) -> bool:
        """Whether PostFilter is run for the pod by itself, not once for its group."""
        return self.group is None or not self.snapshot.release.rules.evaluates_groups_first

    @cached_property
    def relaxations(self) -> Relaxations:
        """Which requirement, lifted alone or with one other, would let the pod in, and on how many nodes."""
        return relax(self.cycle)

    # -- export ------------------------------------------------------------------------------------------

    def _names(self, rows: Ints | Index) -> list[str]:
        # Thousands of names are taken at once, and not one by one.
        names: list[str] = self.snapshot.nodes.kept.by_nodes("names", self._all_names).take(rows).tolist()
        return names

    def _all_names(self) -> NDArray[np.object_]:
        """Shape (N,): copies, which lie side by side: most are touched, and that of those of nodes takes longer."""
        return np.array([name[:1] + name[1:] for name in self.snapshot.nodes.names], np.object_)

    def as_recorded(self) -> dict[str, Any]:
        """Everything in the shape in which kube-scheduler's own answers are recorded.

        Keys as in ``tests/data/oracle/README.md``. What is stored and sent is written by ``clusters.documents``.
        """
        return recorded(self)


def explain(
    snapshot: Snapshot,
    pod: Document,
    profile: Profile,
    *,
    is_created: bool = False,
    extenders: Extenders | None = None,
) -> Explanation:
    """Explain where a pod could go and why not elsewhere; ``is_created``: it would come to be, and does not exist yet.

    ``extenders`` asks the extenders of the profile; without it their answers are unknown.
    A placed pod is judged as if it were pending: without itself, and free of its node unless it is to be resized there.
    """
    counting = snapshot.pods.counting
    typed = Pod(pod, counting)
    is_resize = is_resize_attempt(typed, snapshot.release)
    if snapshot.placed_on(typed.key) is not None:
        snapshot = snapshot.copy().delete({**pod, "kind": "Pod"})
        spec = (pod.get("spec") or {}).items()
        typed = Pod({**pod, "spec": {name: part for name, part in spec if is_resize or name != "nodeName"}}, counting)
    group = None if is_resize else attempt_group(snapshot, typed, profile)
    state, rows = (snapshot, None) if group is None else (group.snapshot, group.rows)
    cycle = run_cycle(state, typed, profile, within=rows, extenders=extenders)
    explanation = Explanation(cycle, is_created=is_created, group=group, knows_group=True)
    if extenders is not None and preempting_extenders(profile, explanation.pod) and explanation.preemption is not None:
        explanation.preemption = narrowed(explanation.preemption, explanation.cycle, extenders)
    return explanation


# A scheduling attempt from end to end: which plugin had what part at each extension point.
#
# Upstream: ``schedulingCycle`` and ``schedulePod`` in ``pkg/scheduler/schedule_one.go`` and the ``Run...Plugins`` of
# ``framework/runtime/framework.go`` v1.34.1. Where the scheduler would not have come to a plugin, that is said, even
# if its answer is known here.

# Not a point of a configuration: a plugin that scores may bring it along.
NORMALIZE_SCORE = "normalizeScore"
_TAIL = (
    ExtensionPoint.RESERVE,
    ExtensionPoint.PERMIT,
    ExtensionPoint.PRE_BIND,
    ExtensionPoint.BIND,
    ExtensionPoint.POST_BIND,
)


class Part(enum.StrEnum):
    """What a plugin did at one point."""

    RAN = "ran"
    SKIPPED = "skipped"
    """It had nothing to do, and said so beforehand."""
    REJECTED = "rejected"
    """It rejected nodes, or ended the attempt."""
    NOT_REACHED = "not-reached"
    NOT_COMPUTED = "not-computed"
    """It has a part, but what it says is not known here."""


class PluginPart(Struct, frozen=True):
    """One plugin at one point.

    ``asked`` and ``rejected`` count the nodes that a search of all nodes comes to it with and those that it turns down,
    where the point looks at nodes; of many nodes the scheduler searches some only. ``status`` is what the plugin
    returned, where it returned one for all nodes together.
    """

    plugin: str
    part: Part
    asked: int = 0
    rejected: int = 0
    status: Status = SUCCESS


class Stage(Struct, frozen=True):
    """One extension point, by its name in a configuration; ``reached`` while nothing ended the attempt before it."""

    point: str
    parts: tuple[PluginPart, ...]
    reached: bool


def stages(explanation: Explanation) -> tuple[Stage, ...]:
    """Every extension point in the order in which an attempt comes to it.

    A pod that gates keep out of the queue reaches nothing after them; the parts then say what would happen without.
    """
    profile, taken = explanation.profile, _is_taken(explanation)
    tries, scores = explanation.node_count > 0, _scores(explanation)
    found = [
        Stage(ExtensionPoint.PRE_ENQUEUE, _pre_enqueue(explanation), reached=True),
        Stage(
            ExtensionPoint.QUEUE_SORT, _each(profile.queue_sort, lambda name: PluginPart(name, Part.RAN)), reached=True
        ),
        Stage(ExtensionPoint.PRE_FILTER, tuple(_pre_filter(explanation)), reached=tries),
        Stage(ExtensionPoint.FILTER, tuple(_filter(explanation)), reached=tries and _filters(explanation)),
        Stage(
            ExtensionPoint.POST_FILTER, tuple(_post_filter(explanation)), reached=tries and _post_filters(explanation)
        ),
        Stage(ExtensionPoint.PRE_SCORE, tuple(_pre_score(explanation)), reached=scores),
        Stage(ExtensionPoint.SCORE, tuple(_score(explanation)), reached=scores and _prepared(explanation)),
        Stage(NORMALIZE_SCORE, tuple(_normalize(explanation)), reached=scores and taken),
        *(
            Stage(
                point,
                _each(getattr(profile, point.name.lower()), _after(explanation, point)),
                reached=_is_reached_after(explanation, point),
            )
            for point in _TAIL
        ),
    ]
    gated = not explanation.gates.ok
    return tuple(
        _completed(stage, explanation, reached=stage.reached and not (gated and number))
        for number, stage in enumerate(found)
    )


def _completed(stage: Stage, explanation: Explanation, *, reached: bool) -> Stage:
    """Add the plugins that Kubernetes does not bring, at the points that a profile names."""
    part = Part.NOT_COMPUTED if stage.reached else Part.NOT_REACHED
    unknown = explanation.profile.unknown_plugins.items()
    others = (PluginPart(name, part) for name, points in unknown if stage.point in points)
    return replace(stage, parts=(*stage.parts, *others), reached=reached)


def _each(plugins: Iterable[str], part: Callable[[str], PluginPart]) -> tuple[PluginPart, ...]:
    return tuple(part(plugin) for plugin in plugins)


def _unreached(plugin: str) -> PluginPart:
    return PluginPart(plugin, Part.NOT_REACHED)


def _uncomputed(plugin: str) -> PluginPart:
    return PluginPart(plugin, Part.NOT_COMPUTED)


def _after(explanation: Explanation, point: ExtensionPoint) -> Callable[[str], PluginPart]:
    """What plugins do once a node is chosen, which is known of those alone that ask for the pod's group."""
    group = explanation.group
    if not _is_reached_after(explanation, point):
        return _unreached
    if point is ExtensionPoint.PERMIT and explanation.cycle.context.is_resize:
        return partial(_permitting_resize, explanation)
    if point is not ExtensionPoint.PERMIT or group is None or group.verdict is GroupVerdict.UNCERTAIN:
        return _uncomputed
    status = unschedulable(GroupWaits(group.pod_message)) if group.is_blocking else SUCCESS
    answer = Part.REJECTED if group.is_blocking else Part.RAN
    return lambda name: PluginPart(name, answer, status=status) if PLUGINS[name].asks_for_group else _uncomputed(name)


def _is_reached_after(explanation: Explanation, point: ExtensionPoint) -> bool:
    """Whether an attempt comes to a point after a node is chosen: a group that is not scheduled has none bound."""
    group = explanation.group
    is_held = group is not None and group.is_blocking and point not in (ExtensionPoint.RESERVE, ExtensionPoint.PERMIT)
    return _is_taken(explanation) and not is_held


def _permitting_resize(explanation: Explanation, plugin: str) -> PluginPart:
    """What a plugin makes of a resize that fits; most have no say in it."""
    status = PLUGINS[plugin](explanation.cycle.context).permit()
    return PluginPart(plugin, Part.RAN) if status is None else PluginPart(plugin, Part.REJECTED, status=status)


# -- how far an attempt goes -----------------------------------------------------------------------------------------


def _filters(explanation: Explanation) -> bool:
    return explanation.cycle.stopped_by is None


def _post_filters(explanation: Explanation) -> bool:
    """Whether the attempt comes to PostFilter: without a node or an error, and not once for the pod's group."""
    return not explanation.finds_node and explanation.error is None and explanation.preempts_alone


def _scores(explanation: Explanation) -> bool:
    """A single feasible node is taken as it is, and so is the one that the pod is nominated for."""
    error = explanation.error
    is_searched = error is None or error.phase.is_scoring
    return len(explanation.cycle.feasible) > 1 and is_searched and not explanation.takes_nominated


def _prepared(explanation: Explanation) -> bool:
    return all(status.ok or status.code is Code.SKIP for status in explanation.cycle.pre_scores.values())


def _is_taken(explanation: Explanation) -> bool:
    """Whether the pod's own cycle ends with a node."""
    return explanation.finds_node


# -- the points ------------------------------------------------------------------------------------------------------


def _pre_enqueue(explanation: Explanation) -> tuple[PluginPart, ...]:
    is_out = False
    parts = []
    for name in explanation.profile.pre_enqueue:
        answer = PLUGINS[name].pre_enqueue(explanation.pod, explanation.snapshot, explanation.profile.queue)
        status = SUCCESS if answer is None else answer
        part = Part.NOT_COMPUTED if answer is None else Part.RAN if answer.ok else Part.REJECTED
        parts.append(_unreached(name) if is_out else PluginPart(name, part, status=status))
        is_out = is_out or not status.ok
    return tuple(parts)


def _pre_filter(explanation: Explanation) -> Iterable[PluginPart]:
    cycle, is_over = explanation.cycle, not explanation.node_count
    for name in explanation.profile.pre_filter:
        status = cycle.pre_filters[name].status
        if is_over:
            yield _unreached(name)
        elif status.code is Code.SKIP:
            is_known = not cycle.plugins[name].uncomputed
            yield PluginPart(name, Part.SKIPPED if is_known else Part.NOT_COMPUTED, status=status)
        else:
            is_over = not is_prepared(cycle, name)
            if is_over and cycle.stopped_by is not None:
                # Also where it is well itself, but leaves no node together with others.
                status = cycle.stopped_by.status
            yield PluginPart(name, Part.RAN if status.ok else Part.REJECTED, status=status)


def _filter(explanation: Explanation) -> Iterable[PluginPart]:
    cycle = explanation.cycle
    left = int(cycle.considered.sum()) if _filters(explanation) else 0
    rejected_by = {each.plugin: each.rejected_here for each in explanation.funnel}
    for name in explanation.profile.filter:
        if not left:
            yield _unreached(name)
        elif cycle.plugins[name].uncomputed:
            yield _uncomputed(name)
        elif name not in cycle.filters:
            yield PluginPart(name, Part.SKIPPED)
        else:
            rejected = rejected_by[name]
            error = explanation.error
            fails = error is not None and (error.phase, error.plugin) == (Phase.FILTER, name)
            status = failure(error.message) if error is not None and fails else SUCCESS
            yield PluginPart(name, Part.REJECTED if rejected else Part.RAN, left, rejected, status)
            left -= rejected


def _post_filter(explanation: Explanation) -> Iterable[PluginPart]:
    """In turn, until one makes room or fails."""
    is_over = not _post_filters(explanation) or not explanation.node_count
    for name in explanation.profile.post_filter:
        if is_over:
            yield _unreached(name)
        elif not PLUGINS[name].preempts:
            status = answer_of(explanation.cycle, name)
            is_over = status is not None and status.code is Code.ERROR
            yield _uncomputed(name) if status is None else PluginPart(name, Part.REJECTED, status=status)
        else:
            preemption = explanation.preemption
            message = "" if preemption is None else preemption.message
            if preemption is not None and preemption.selected is not None:
                is_over = True
                yield PluginPart(name, Part.RAN)
            elif preemption is not None and preemption.failed:
                is_over = True
                yield PluginPart(name, Part.REJECTED, status=failure(message))
            else:
                yield PluginPart(name, Part.REJECTED, status=unschedulable(QuotedReason(message)))


def _pre_score(explanation: Explanation) -> Iterable[PluginPart]:
    for name in explanation.profile.pre_score:
        status = explanation.cycle.pre_scores.get(name)
        if status is None or not _scores(explanation):
            yield _unreached(name)
        else:
            part = Part.SKIPPED if status.code is Code.SKIP else Part.RAN if status.ok else Part.REJECTED
            yield PluginPart(name, part, status=status)


def _score(explanation: Explanation) -> Iterable[PluginPart]:
    cycle, error = explanation.cycle, explanation.error
    scored = {score.plugin for score in cycle.scores} if _scores(explanation) else set()
    for name in explanation.profile.score:
        if error is not None and error.phase in (Phase.SCORE, Phase.WEIGHING) and error.plugin == name:
            yield PluginPart(name, Part.REJECTED, status=failure(error.message))
        elif name in scored:
            yield PluginPart(name, Part.RAN, asked=len(cycle.feasible))
        elif not _scores(explanation) or not _prepared(explanation):
            yield _unreached(name)
        elif name in cycle.unscored:
            yield PluginPart(name, Part.SKIPPED)
        else:
            yield _unreached(name)


def _normalize(explanation: Explanation) -> Iterable[PluginPart]:
    """Those of the plugins that score which bring their scores to 0..100 themselves, once all have scored."""
    cycle = explanation.cycle
    for name in explanation.profile.score:
        if type(cycle.plugins[name]).normalise is Plugin.normalise:
            continue
        if not _scores(explanation) or not _is_taken(explanation):
            yield _unreached(name)
        elif name in cycle.unscored:
            yield PluginPart(name, Part.SKIPPED)
        else:
            yield PluginPart(name, Part.RAN, asked=len(cycle.feasible))


# Pods placed one after another, each one seeing those before it.
#
# Upstream: ``scheduleOne`` and ``assume`` in ``pkg/scheduler/schedule_one.go`` (v1.34.1). All nodes are looked at, from
# the first on; where the scheduler takes any of equally good ones, it is the first in the snapshot's order.
#
# Opportunistic batching: pods that are alike may share one evaluation of the nodes.


def may_share_an_evaluation(explanation: Explanation) -> bool:
    """Whether the pod may get the next best node of the one before it, without a search.

    Upstream: ``SignPod`` of ``pkg/scheduler/framework/plugins/podtopologyspread/plugin.go`` v1.37.2. Pods that spread,
    by themselves or by default, never do; which of the others are alike nobody outside has to know.
    """
    if not explanation.snapshot.release.enables(Gate.OPPORTUNISTIC_BATCHING):
        return False
    profile = explanation.profile
    arguments = profile.args.get(SPREADING)
    is_asked = SPREADING in (*profile.filter, *profile.score)
    return not (
        is_asked and isinstance(arguments, PodTopologySpreadArgs) and has_constraints(explanation.pod, arguments)
    )


class Placement(Struct, frozen=True):
    """Where a pod went: the name of a node, or empty where none would take it or gates hold it back.

    The explanation reads the snapshot that the next pod will change: what it computes on demand has to be asked for
    before the next placement is.
    """

    pod: Document
    node: str
    explanation: Explanation
    reserved: ReservedClaims = NONE_RESERVED


def place(snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration) -> Iterator[Placement]:
    """Place pods in the given order, and change the snapshot accordingly; nobody is preempted.

    A pod that already has a node is placed anew; the caller takes it out of the snapshot where it should not stand in
    its own way. Raises UnknownScheduler at a pod that no profile is for.
    """
    for pod in pods:
        free = _free(pod)
        explanation = explain(snapshot, free, configuration.profile_for(free))
        is_placed = explanation.fits and explanation.gates.ok
        row = first_row(explanation.cycle) if is_placed else None
        profile, node = explanation.profile, "" if row is None else snapshot.nodes.names[row]
        reserved = NONE_RESERVED if row is None else reserve_devices(snapshot, explanation.pod, profile, row)
        yield Placement(pod, node, explanation, reserved)
        if node:
            snapshot.assume(reserved.counted(free), node)


def place_on(snapshot: Snapshot, pod: Document, profile: Profile, node: str) -> None:
    """Change a snapshot as `place` does where it places a pod on a node, which is known from an earlier time."""
    free = _free(pod)
    reserved = reserve_devices(snapshot, Pod(free), profile, snapshot.nodes.index[node])
    snapshot.assume(reserved.counted(free), node)


def _free(pod: Document) -> Document:
    return {**pod, "spec": {name: part for name, part in (pod.get("spec") or {}).items() if name != "nodeName"}}


# One pod after the other, each placed before the next is tried, as a scheduler with nothing else to do would.


def replay(
    snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration
) -> Iterator[Explanation]:
    """Explain pods in turn and place each that any node has the highest total for on the first of those by name.

    So recordings go on, also where the scheduler would take a nominated node or end in an error. ``snapshot`` is
    brought forward while the pods are walked, so what is wanted of an explanation must be taken before the next one.
    Nothing is reserved for volumes. Raises UnknownScheduler.
    """
    for pod in pods:
        explanation = explain(snapshot, pod, configuration.profile_for(pod))
        yield explanation
        if explanation.best:
            snapshot.assume(pod, explanation.best[0])
