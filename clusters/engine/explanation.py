"""What a scheduling cycle found about a pod, small until somebody asks for a part of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.conclusion import Conclusion, PossibleError, Uncertainty, conclude
from clusters.engine.cycle import Cycle, run_cycle
from clusters.engine.extending import Verb
from clusters.engine.funnel import FunnelStep, funnel_of, rejected_alone
from clusters.engine.group_cycle import attempt_group
from clusters.engine.node_answers import NodeGroup, ScoreCell
from clusters.engine.objects import Document, Pod
from clusters.engine.post_filter import post_filter_message
from clusters.engine.preemption import Preemption, narrowed, preempt
from clusters.engine.recorded import recorded
from clusters.engine.refusal import fit_error_of, reasons_of
from clusters.engine.registry import PLUGINS, held_back
from clusters.engine.relaxing.relaxations import Relaxations, relax
from clusters.engine.resizing import is_resize_attempt
from clusters.engine.sampling import Sampling, sampling_of
from clusters.engine.status import SUCCESS
from clusters.engine.uncertainty import (
    filtering_extender,
    open_group,
    preempting_extenders,
    scoring_extenders,
    uncertainties,
)

if TYPE_CHECKING:
    from collections import Counter

    from clusters.engine.configuration import Profile
    from clusters.engine.cycle_error import CycleError
    from clusters.engine.evidence import Comparison, Normalisation, ScorePart
    from clusters.engine.extending import ExtenderCall, Extenders
    from clusters.engine.group_attempt import GroupAttempt
    from clusters.engine.plugin_score import PluginScore
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import FilterAnswer, Index, Ints, Mask, Rejection, Status
    from clusters.engine.world import World


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

    @property
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
    def reasons(self) -> Counter[str]:
        """How many nodes gave each reason; none where no node was asked, or an error ended the cycle."""
        return reasons_of(self.cycle)

    @property
    def refusal(self) -> str | None:
        """The text about nodes, the error or what is said of the pod's group in its place; None for a pod that fits."""
        if self.blocking_group is not None:
            return self.blocking_group.pod_message or None
        return self.error.message if self.error is not None else self.fit_error

    @property
    def message(self) -> str | None:
        """The whole FailedScheduling text, with what PostFilter plugins add; None for a pod that fits."""
        if self.fit_error is None or not self.node_count or not self._preempts_alone:
            return self.refusal
        added = post_filter_message(self.cycle, self.preemption)
        return f"{self.fit_error} {added}" if added else self.fit_error

    # -- nodes -------------------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> list[NodeGroup]:
        """The nodes by identical verdict: feasible first, then the largest groups."""
        order = np.argsort(self.cycle.patterns, kind="stable")
        counts = np.bincount(self.cycle.patterns, minlength=self.cycle.pattern_count)
        # What tells patterns apart, such as which of two spread constraints rejects, need not be in the answers.
        alike: dict[Any, list[Index]] = {}
        for rows in np.split(order, np.cumsum(counts)[:-1]) if len(order) else []:
            answers = self.verdict_of(int(rows[0])), tuple(self.rejections_of(int(rows[0])).items())
            alike.setdefault(answers, []).append(rows)
        groups = [
            NodeGroup(np.sort(np.concatenate(rows)), dict(filters), verdict)
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
        return {name: self.cycle.plugins[name].evidence(row, self._world_of(row, name)) for name in self.cycle.filters}

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

    def _world_of(self, row: int, plugin: str) -> World | None:
        """The world in which a plugin decides about a node: with nominated pods where it then rejects."""
        return self.cycle.nominated_world if plugin in self.rejections_with_nominated(row) else None

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
        preempts = any(PLUGINS[name].preempts for name in self.profile.post_filter) and self._preempts_alone
        if self.finds_node or self.error is not None or not self.node_count or not preempts:
            return None
        return preempt(self.cycle)

    @property
    def _preempts_alone(self) -> bool:
        """Whether PostFilter is run for the pod by itself, not once for its group."""
        return self.group is None or not self.snapshot.release.rules.evaluates_groups_first

    @cached_property
    def relaxations(self) -> Relaxations:
        """Which requirement, lifted alone or with one other, would let the pod in, and on how many nodes."""
        return relax(self.cycle)

    # -- export ------------------------------------------------------------------------------------------

    def _names(self, rows: Ints | Index) -> list[str]:
        return [self.snapshot.nodes.names[row] for row in rows]

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
    is_resize = is_resize_attempt(Pod(pod), snapshot.release)
    if snapshot.placed_on(Pod(pod).key) is not None:
        snapshot = snapshot.copy().delete({**pod, "kind": "Pod"})
        spec = (pod.get("spec") or {}).items()
        pod = {**pod, "spec": {name: part for name, part in spec if is_resize or name != "nodeName"}}
    group = None if is_resize else attempt_group(snapshot, Pod(pod), profile)
    cycle = run_cycle(snapshot if group is None else group.snapshot, Pod(pod), profile, extenders=extenders)
    explanation = Explanation(cycle, is_created=is_created, group=group, knows_group=True)
    if extenders is not None and preempting_extenders(profile, explanation.pod) and explanation.preemption is not None:
        explanation.preemption = narrowed(explanation.preemption, explanation.cycle, extenders)
    return explanation
