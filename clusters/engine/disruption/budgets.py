"""PodDisruptionBudgets as typed values: what they demand, and what the cluster reports about them.

Upstream: ``k8s.io/api/policy/v1`` and the conversion of ``policy/v1beta1`` in ``pkg/apis/policy/v1beta1``, v1.34.1."""

from __future__ import annotations

import enum
import re
from collections import defaultdict
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.objects import Document, Labels, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.owners import Controller, PodTemplate, Workload
from clusters.engine.selectors import NOTHING, LabelSelector, SelectorError
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask

KIND = "PodDisruptionBudget"
# The API server refuses evictions once so many are under way that the controller has not seen.
MOST_DISRUPTED = 2_000


class ReportedStatus(Struct, frozen=True):
    """The status that the disruption controller wrote; zeros where it wrote none.

    ``disrupted``: pods whose eviction was granted but whose deletion has not been seen; the controller drops those
    that stay for more than two minutes. ``failure``: why it could not compute the status, empty when it could.
    """

    expected: int
    healthy: int
    desired: int
    allowed: int
    disrupted: frozenset[str]
    failure: str

    @classmethod
    def from_dict(cls, status: Document) -> ReportedStatus:
        failures = [
            str(condition.get("message") or condition["reason"])
            for condition in status.get("conditions") or ()
            if condition.get("type") == "DisruptionAllowed" and condition.get("reason") == "SyncFailed"
        ]
        return cls(
            expected=int(status.get("expectedPods") or 0),
            healthy=int(status.get("currentHealthy") or 0),
            desired=int(status.get("desiredHealthy") or 0),
            allowed=int(status.get("disruptionsAllowed") or 0),
            disrupted=frozenset(status.get("disruptedPods") or ()),
            failure=failures[0] if failures else "",
        )


class DisruptionBudget(Struct, frozen=True):
    """A budget. At most one of ``min_available`` and ``max_unavailable`` is set: a count, or a percentage as text.

    ``always_allows_unhealthy``: unhealthyPodEvictionPolicy AlwaysAllow instead of IfHealthyBudget. ``is_observed``:
    whether the status is about the present spec. ``problem``: why the selector cannot be read; it then selects nothing.
    """

    namespace: str
    name: str
    selector: LabelSelector
    min_available: int | str | None
    max_unavailable: int | str | None
    always_allows_unhealthy: bool
    is_observed: bool
    reported: ReportedStatus
    problem: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> DisruptionBudget:
        spec, status = document.get("spec") or {}, document.get("status") or {}
        problem = ""
        try:
            selector = LabelSelector.from_dict(spec.get("selector"))
        except SelectorError as error:
            selector, problem = NOTHING, error.kubernetes
        if document.get("apiVersion") == "policy/v1beta1" and selector.matches_everything:
            selector = NOTHING
        generation = int(metadata(document).get("generation") or 0)
        return cls(
            namespace=namespace_of(document),
            name=name_of(document),
            selector=selector,
            min_available=spec.get("minAvailable"),
            max_unavailable=spec.get("maxUnavailable"),
            always_allows_unhealthy=spec.get("unhealthyPodEvictionPolicy") == "AlwaysAllow",
            is_observed=bool(status) and int(status.get("observedGeneration") or 0) >= generation,
            reported=ReportedStatus.from_dict(status),
            problem=problem,
        )

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def grants(self) -> int:
        """How many evictions the API server would grant at the expense of the budget before it refuses."""
        if not self.is_observed or len(self.reported.disrupted) > MOST_DISRUPTED:
            return 0
        return max(0, self.reported.allowed)

    @property
    def spares_unhealthy(self) -> bool:
        """Whether pods that are not ready go without being counted."""
        healthy_enough = self.reported.healthy >= self.reported.desired > 0
        return self.always_allows_unhealthy or healthy_enough


def disruption_budgets(snapshot: Snapshot) -> tuple[DisruptionBudget, ...]:
    """Every budget of a cluster, in order of namespace and name."""
    return snapshot.derived(_read, KIND)


def budgets_of(snapshot: Snapshot, namespace: str, labels: Labels) -> list[DisruptionBudget]:
    """The budgets that select a pod."""
    return [
        budget for budget in snapshot.derived(_by_namespace, KIND).get(namespace, ()) if budget.selector.matches(labels)
    ]


def _read(snapshot: Snapshot) -> tuple[DisruptionBudget, ...]:
    return tuple(DisruptionBudget.from_dict(document) for document in sorted(snapshot.objects(KIND), key=key_of))


def _by_namespace(snapshot: Snapshot) -> Mapping[str, list[DisruptionBudget]]:
    found: dict[str, list[DisruptionBudget]] = {}
    for budget in disruption_budgets(snapshot):
        found.setdefault(budget.namespace, []).append(budget)
    return found


# What a budget's status ought to say.
#
# Upstream: ``trySync`` and what it calls in ``pkg/controller/disruption/disruption.go``, and
# ``GetScaledValueFromIntOrPercent`` of ``k8s.io/apimachinery/pkg/util/intstr``, v1.34.1.

_PERCENTAGE = re.compile(r"[+-]?[0-9]+%")


class Computed(Struct, frozen=True):
    """The status from the objects themselves; ``expected``, ``desired`` and ``allowed`` are None where not known.

    ``failure``: what keeps the disruption controller from computing; it then allows nothing and leaves the rest of the
    status as it was. ``unknown``: what it would look at and the snapshot does not hold.
    """

    healthy: int
    expected: int | None = None
    desired: int | None = None
    allowed: int | None = None
    failure: str = ""
    unknown: str = ""


class PercentageError(ValueError):
    """A number of pods that is neither a count nor a percentage."""


def scaled(amount: int | str, total: int) -> int:
    """A count as it is, a percentage of ``total`` rounded up. Raises PercentageError."""
    if isinstance(amount, int):
        return amount
    if not amount.endswith("%"):
        raise PercentageError("invalid value for IntOrString: invalid type: string is not a percentage")
    if not _PERCENTAGE.fullmatch(amount):
        raise PercentageError(f'invalid value for IntOrString: invalid value "{amount[:-1]}"')
    return -(-int(amount[:-1]) * total // 100)


def desired_of(budget: DisruptionBudget, expected: int) -> int:
    """How many healthy pods a budget requires of ``expected``. Raises PercentageError."""
    if budget.max_unavailable is not None:
        return max(0, expected - scaled(budget.max_unavailable, expected))
    return 0 if budget.min_available is None else scaled(budget.min_available, expected)


def compute(budget: DisruptionBudget, pods: int, healthy: int, scale: ControllerScale) -> Computed:
    """The status of a budget that selects ``pods``, of which ``healthy`` are; ``scale`` is their controllers'."""
    if budget.problem:
        return Computed(healthy, allowed=0, failure=budget.problem)
    if budget.max_unavailable is None and not isinstance(budget.min_available, str):
        expected = 0 if budget.min_available is None else pods
    elif scale.replicas is not None:
        expected = scale.replicas
    else:
        return Computed(healthy, allowed=0 if scale.failure else None, failure=scale.failure, unknown=scale.unknown)
    try:
        desired = desired_of(budget, expected)
    except PercentageError as error:
        return Computed(healthy, allowed=0, failure=str(error))
    allowed = max(0, healthy - desired) if expected > 0 else 0
    return Computed(healthy, expected, desired, allowed)


# Why a budget allows nothing: because it never will, or because something is under way.


class Never(enum.StrEnum):
    """Why no eviction is granted at a budget's expense even when every pod is healthy, at the present scale.

    ``SEVERAL_BUDGETS``: whatever it allows, the Eviction API answers 500 for each of its pods.
    """

    NOTHING_ASKED = "nothing-asked"
    NONE_UNAVAILABLE = "none-unavailable"
    ALL_AVAILABLE = "all-available"
    MORE_THAN_REPLICAS = "more-than-replicas"
    UNMANAGED = "unmanaged"
    SEVERAL_BUDGETS = "several-budgets"


class ZeroCause(enum.StrEnum):
    """Why a budget allows nothing now, the first that holds. Only the first two last by themselves."""

    NEVER = "never"
    SYNC_FAILED = "sync-failed"
    NOT_OBSERVED = "not-observed"
    NO_PODS = "no-pods"
    ROLLOUT = "rollout"
    EVICTING = "evicting"
    UNHEALTHY = "unhealthy"
    MISSING = "missing"
    BEHIND = "behind"
    UNKNOWN = "unknown"

    @property
    def lasts(self) -> bool:
        """Whether the budget goes on blocking until somebody changes it, its replicas or its selector."""
        return self in (ZeroCause.NEVER, ZeroCause.SYNC_FAILED)


def never(budget: DisruptionBudget, pods: int, unmanaged: int, scale: ControllerScale) -> Never | None:
    """Why the budget would allow nothing if all its pods were there and healthy; None when it would, or has no pods.

    ``pods``: how many it selects, of which ``unmanaged`` have no controller.
    """
    if budget.min_available is None and budget.max_unavailable is None:
        return Never.NOTHING_ASKED
    try:
        if budget.max_unavailable is not None:
            if scaled(budget.max_unavailable, 100) <= 0:
                return Never.NONE_UNAVAILABLE
            return Never.UNMANAGED if pods and pods == unmanaged else None
        if isinstance(budget.min_available, str):
            if scaled(budget.min_available, 100) >= 100:
                return Never.ALL_AVAILABLE
            if pods and pods == unmanaged:
                return Never.UNMANAGED
            unmanaged = 0
        if scale.replicas is None or not scale.replicas + unmanaged:
            return None
        reachable = scale.replicas + unmanaged
        spare = reachable - desired_of(budget, reachable)
    except PercentageError:
        return None
    if spare > 0:
        return None
    return Never.MORE_THAN_REPLICAS if spare < 0 else Never.ALL_AVAILABLE


def zero_cause(
    budget: DisruptionBudget,
    computed: Computed,
    why_never: Never | None,
    *,
    pods: int,
    leaving: bool,
    unhealthy: bool,
    rolling_out: bool,
) -> ZeroCause | None:
    """Why nothing may be evicted at the budget's expense now; None when something may.

    ``leaving``: some pods are being deleted or evicted; ``unhealthy``: some of the others are not ready.
    """
    if budget.grants and why_never is not Never.SEVERAL_BUDGETS:
        return None
    failed = computed.failure or (budget.reported.failure and budget.is_observed)
    missing = computed.expected is not None and pods < computed.expected
    behind = computed.allowed is not None and computed.allowed > 0
    causes = (
        (ZeroCause.SYNC_FAILED, bool(failed)),
        (ZeroCause.NO_PODS, not pods),
        (ZeroCause.NEVER, why_never is not None),
        (ZeroCause.NOT_OBSERVED, not budget.is_observed),
        (ZeroCause.ROLLOUT, rolling_out),
        (ZeroCause.EVICTING, leaving),
        (ZeroCause.UNHEALTHY, unhealthy),
        (ZeroCause.MISSING, missing),
        (ZeroCause.BEHIND, behind),
    )
    return next((cause for cause, holds in causes if holds), ZeroCause.UNKNOWN)


# What the API server answers to an eviction.
#
# Upstream: ``pkg/registry/core/pod/storage/eviction.go`` v1.34.1. Who may evict, admission webhooks and conflicts
# between requests at the same moment are not looked at.

REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


class Ground(enum.StrEnum):
    """What an answer rests on."""

    FINISHED = "finished"
    STARTING = "starting"
    TERMINATING = "terminating"
    NO_BUDGET = "no-budget"
    UNHEALTHY_ALLOWED = "unhealthy-allowed"
    UNHEALTHY_SPARED = "unhealthy-spared"
    WITHIN_BUDGET = "within-budget"
    NOT_OBSERVED = "not-observed"
    EXHAUSTED = "exhausted"
    OVERFULL = "overfull"
    NEGATIVE = "negative"
    SEVERAL_BUDGETS = "several-budgets"


class EvictionAnswer(Struct, frozen=True):
    """``code``: 200, 403, 429 or 500. ``message`` and ``detail`` are the API server's words, empty for a success.

    ``budgets``: those that select the pod, as far as they were looked at. ``is_charged``: whether the budget allows one
    disruption less afterwards. ``retry_after``: seconds that the caller is told to wait, 0 when it is told none.
    """

    code: int
    ground: Ground
    budgets: tuple[str, ...] = ()
    message: str = ""
    detail: str = ""
    is_charged: bool = False
    retry_after: int = 0

    @property
    def is_granted(self) -> bool:
        return self.code == 200

    @property
    def fails(self) -> bool:
        """Whether kubectl drain gives the eviction up, to end with an error: it asks again after 429 alone."""
        return self.code not in (200, 429)


def eviction_answer(snapshot: Snapshot, pod: Document) -> EvictionAnswer:
    """What evicting a pod would be answered now; the budgets are those of the snapshot, with their reported status."""
    evicted = Pod(pod)
    return answer_under(evicted, budgets_of(snapshot, evicted.namespace, evicted.labels))


def answer_under(evicted: Pod, found: Sequence[DisruptionBudget]) -> EvictionAnswer:
    """What evicting a pod would be answered while ``found`` are the budgets that select it."""
    ground = _unquestioned(evicted)
    if ground is not None:
        return EvictionAnswer(200, ground)
    names = tuple(budget.name for budget in found)
    if len(found) > 1:
        return EvictionAnswer(500, Ground.SEVERAL_BUDGETS, names, SEVERAL)
    if not found:
        return EvictionAnswer(200, Ground.NO_BUDGET)
    budget = found[0]
    if not evicted.ready and budget.spares_unhealthy:
        always = budget.always_allows_unhealthy
        return EvictionAnswer(200, Ground.UNHEALTHY_ALLOWED if always else Ground.UNHEALTHY_SPARED, names)
    return _charge(budget, names)


def _unquestioned(pod: Pod) -> Ground | None:
    """Why a pod may go whatever the budgets say."""
    if pod.finished:
        return Ground.FINISHED
    if pod.starting:
        return Ground.STARTING
    return Ground.TERMINATING if pod.terminating else None


def _charge(budget: DisruptionBudget, names: tuple[str, ...]) -> EvictionAnswer:
    reported = budget.reported
    forbidden = f'poddisruptionbudget.policy "{budget.name}" is forbidden: '
    if not budget.is_observed:
        detail = f"The disruption budget {budget.name} is still being processed by the server."
        return EvictionAnswer(429, Ground.NOT_OBSERVED, names, REFUSED, detail, retry_after=10)
    if reported.allowed < 0:
        return EvictionAnswer(403, Ground.NEGATIVE, names, f"{forbidden}pdb disruptions allowed is negative")
    if len(reported.disrupted) > MOST_DISRUPTED:
        why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
        return EvictionAnswer(403, Ground.OVERFULL, names, forbidden + why)
    if reported.allowed == 0:
        needs, has = reported.desired, reported.healthy
        detail = f"The disruption budget {budget.name} needs {needs} healthy pods and has {has} currently"
        return EvictionAnswer(429, Ground.EXHAUSTED, names, REFUSED, detail)
    return EvictionAnswer(200, Ground.WITHIN_BUDGET, names, is_charged=True)


def charged(budget: Document, pod: str, moment: str) -> Document:
    """The budget as the API server stores it after granting the eviction of the pod named ``pod`` at ``moment``."""
    status = budget.get("status") or {}
    disrupted = {**(status.get("disruptedPods") or {}), pod: moment}
    left = int(status.get("disruptionsAllowed") or 0) - 1
    return {**budget, "status": {**status, "disruptionsAllowed": left, "disruptedPods": disrupted}}


# How many pods the controllers of some pods mean to keep.
#
# Upstream: the controller finders of ``pkg/controller/disruption/disruption.go`` v1.34.1.

# Kinds with replicas, and the API groups in which they are looked for.
_SCALED = {
    "ReplicationController": ("",),
    "ReplicaSet": ("apps", "extensions"),
    "StatefulSet": ("apps",),
}
# Controllers that Kubernetes brings and that cannot be scaled, as the API names their resources.
_UNSCALED = {
    "DaemonSet": "daemonsets.apps",
    "Job": "jobs.batch",
    "CronJob": "cronjobs.batch",
    "Node": "nodes",
}


class ControllerScale(Struct, frozen=True):
    """The sum of the controllers' replicas; None where the disruption controller fails, or where it cannot be known.

    ``failure`` is what the disruption controller would report, ``unknown`` says what the snapshot does not hold.
    """

    replicas: int | None
    failure: str = ""
    unknown: str = ""


class _FailureError(Exception):
    """The disruption controller cannot compute a status."""


class _UnknownError(Exception):
    """The snapshot does not hold what the disruption controller would look at."""


def scale_of(snapshot: Snapshot, namespace: str, controllers: Iterable[tuple[Controller, str]]) -> ControllerScale:
    """Add up the replicas of controllers, each with the name of one of its pods; a Deployment counts once."""
    scales: dict[tuple[str, str], int] = {}
    unknown = ""
    for controller, pod in controllers:
        try:
            scales.update([_find(snapshot, namespace, controller, pod)])
        except _FailureError as error:
            return ControllerScale(None, failure=str(error))
        except _UnknownError as error:
            unknown = unknown or str(error)
    return ControllerScale(None, unknown=unknown) if unknown else ControllerScale(sum(scales.values()))


def _find(snapshot: Snapshot, namespace: str, controller: Controller, pod: str) -> tuple[tuple[str, str], int]:
    """What is scaled for a controller's pods, by kind and name, and to how many."""
    kind, name = controller.kind, controller.name
    if kind in _UNSCALED:
        raise _FailureError(f"{_UNSCALED[kind]} does not implement the scale subresource")
    if kind not in _SCALED or (controller.api_version and controller.group not in _SCALED[kind]):
        raise _UnknownError(f"the scale of {kind} {name}")
    document = snapshot.object(kind, name, namespace)
    if document is None and not snapshot.objects(kind, namespace):
        raise _UnknownError(f"{kind} {name}")
    if document is None or not controller.is_at(metadata(document).get("uid")):
        raise _FailureError(f'found no controllers for pod "{pod}"')
    above = Controller.of(document)
    if kind == "ReplicaSet" and above is not None and above.kind == "Deployment":
        deployment = snapshot.object("Deployment", above.name, namespace)
        if deployment is not None and "spec" in deployment and above.is_at(metadata(deployment).get("uid")):
            return ("Deployment", above.name), _replicas(deployment)
    return (kind, name), _replicas(document)


def _replicas(document: Document) -> int:
    """The replicas of a controller's spec; 1 where it has none."""
    replicas = (document.get("spec") or {}).get("replicas")
    return 1 if replicas is None else int(replicas)


# The pods that a budget selects, as slots of the snapshot and as documents of pods that it does not hold.

_STATEFUL_REVISION = "controller-revision-hash"


class Guarded(Struct, frozen=True, eq=False):
    """The pods of one budget. ``slots`` are on nodes or nominated; ``others`` are pending or have finished."""

    slots: Index
    others: Sequence[Pod]

    def __len__(self) -> int:
        return len(self.slots) + len(self.others)


class Census:
    """Who is guarded by which budget, and by how many."""

    def __init__(self, snapshot: Snapshot, budgets: Sequence[DisruptionBudget], others: Iterable[Document]) -> None:
        self._pods = snapshot.pods
        self._others: defaultdict[str, list[Pod]] = defaultdict(list)
        for pod in map(Pod, others):
            if pod.key not in snapshot.pods.slot_of:
                self._others[pod.namespace].append(pod)
        self._label_sets = [self._pods.select(each.selector, frozenset({each.namespace})) for each in budgets]
        self._budgets = budgets

    @cached_property
    def _aside(self) -> Index:
        """Slots of pods on no known node, which no index by labels holds."""
        return np.flatnonzero((self._pods.label_set >= 0) & (self._pods.node < 0))

    @cached_property
    def pinned(self) -> Mask:
        """Which templates are of pods that have one node to go to, shape (T,)."""
        return np.array([template.is_pinned for template in self._pods.templates], np.bool_)

    @cached_property
    def guards(self) -> Index:
        """How many budgets select each label set, shape (L,)."""
        counts = np.zeros(len(self._pods.label_sets), np.intp)
        for numbers in self._label_sets:
            counts[numbers] += 1
        return counts

    def guarded(self, number: int) -> Guarded:
        """The pods of one budget."""
        budget, numbers = self._budgets[number], self._label_sets[number]
        bound = self._pods.bound_slots(numbers).astype(np.intp)
        aside = self._aside[np.isin(self._pods.label_set[self._aside], numbers)]
        others = [pod for pod in self._others[budget.namespace] if budget.selector.matches(pod.labels)]
        return Guarded(np.concatenate([bound, aside]), others)

    def sharing(self, number: int, slots: Index) -> list[str]:
        """Names of the other budgets that select some of these pods of one budget."""
        namespace, numbers = self._budgets[number].namespace, set(self._pods.label_set[slots].tolist())
        return [
            other.name
            for place, other in enumerate(self._budgets)
            if place != number and other.namespace == namespace and not numbers.isdisjoint(self._label_sets[place])
        ]

    def versions(self, number: int, guarded: Guarded) -> tuple[int, ...]:
        """What stands for the pods of one budget as they are; nothing where it is not alone with pods on nodes."""
        numbers = self._label_sets[number]
        is_beside = bool(guarded.others) or bool((self._pods.node[guarded.slots] < 0).any())
        return () if is_beside or (self.guards[numbers] > 1).any() else self._pods.versions(numbers.tolist())

    def shared(self, slots: Index) -> Mask:
        """Which of the pods more than one budget selects, shape (M,)."""
        shared: Mask = self.guards[self._pods.label_set[slots]] > 1
        return shared

    def is_covered(self, number: int, guarded: Guarded) -> bool:
        """Whether other budgets select every pod of one budget that has not finished, and some of these run."""
        if not len(guarded.slots) or not self.shared(guarded.slots).all():
            return False
        mine = self._budgets[number]
        others = [each for each in self._budgets if each.namespace == mine.namespace and each is not mine]
        left = [pod.labels for pod in guarded.others if not pod.finished]
        return all(any(each.selector.matches(labels) for each in others) for labels in left)

    def controllers(self, guarded: Guarded) -> Iterator[tuple[Controller, str]]:
        """The distinct controllers of some pods, each with the name of one of them."""
        seen: dict[Controller, str] = {}
        templates, first = np.unique(self._pods.template[guarded.slots], return_index=True)
        for template, place in zip(templates.tolist(), first.tolist(), strict=True):
            controller = self._pods.templates[template].controller
            if controller is not None:
                seen.setdefault(controller, self._pods.name(int(guarded.slots[place])))
        for pod in guarded.others:
            controller = Controller.of(pod.document)
            if controller is not None:
                seen.setdefault(controller, pod.name)
        yield from seen.items()

    def unmanaged(self, guarded: Guarded) -> list[str]:
        """Names of the pods that nothing controls."""
        bare = np.array([template.controller is None for template in self._pods.templates], np.bool_)
        slots = guarded.slots[bare[self._pods.template[guarded.slots]]] if len(guarded.slots) else guarded.slots
        names = [self._pods.name(slot) for slot in slots.tolist()]
        return sorted(names + [pod.name for pod in guarded.others if Controller.of(pod.document) is None])

    def is_rolling_out(self, guarded: Guarded) -> bool:
        """Whether pods of two revisions of one workload are there and not on their way out."""
        revisions: dict[Workload, str] = {}
        slots = guarded.slots[~self._pods.terminating[guarded.slots]]
        width = max(1, len(self._pods.label_sets))
        kin = np.unique(self._pods.template[slots].astype(np.int64) * width + self._pods.label_set[slots]).tolist()
        found = [(self._pods.templates[code // width], self._pods.label_sets[code % width].labels) for code in kin]
        found += [(PodTemplate.of(pod), pod.labels) for pod in guarded.others if not (pod.finished or pod.terminating)]
        return any(
            revisions.setdefault(template.workload, revision) != revision
            for template, labels in found
            if (revision := _revision(template, labels))
        )


def _revision(template: PodTemplate, labels: Labels) -> str:
    """What tells the pods of one version of a workload from those of the next; empty where nothing does."""
    controller = template.controller
    if controller is None:
        return ""
    return controller.name if controller.kind == "ReplicaSet" else labels.get(_STATEFUL_REVISION, "")


# What would let a budget that never allows a disruption allow one at a time.

_MENDED: Final = (Never.NONE_UNAVAILABLE, Never.ALL_AVAILABLE, Never.MORE_THAN_REPLICAS)
_BOUNDS: Final = ("minAvailable", "maxUnavailable")


class BudgetFix(StrEnum):
    """What makes a budget block no drain any more.

    ``ONE_BUDGET``: that no other budget selects the same pods. ``ONE_UNAVAILABLE``: ``maxUnavailable: 1``. ``CHANGE``:
    something else about the budget, its selector or its replicas. ``WAIT``: what is under way.
    """

    ONE_BUDGET = "one-budget"
    ONE_UNAVAILABLE = "one-unavailable"
    CHANGE = "change"
    WAIT = "wait"


class BudgetRemedy(Struct, frozen=True):
    """The bound of a budget that ``maxUnavailable: 1`` would take the place of; ``field`` as in the spec."""

    field: str
    value: str

    @property
    def patch(self) -> Mapping[str, object]:
        """The change as a merge patch: null removes a field."""
        return {"spec": {**({self.field: None} if self.field != "maxUnavailable" else {}), "maxUnavailable": 1}}


def remedy_of(state: BudgetState) -> BudgetRemedy | None:
    """Find what would let a budget allow a disruption; None where it allows some at times, or has one pod only."""
    budget = state.budget
    if state.never not in _MENDED or state.pods < 2:
        return None
    if budget.max_unavailable is not None:
        return BudgetRemedy("maxUnavailable", str(budget.max_unavailable))
    return BudgetRemedy("minAvailable", str(budget.min_available))


def fix_of(state: BudgetState) -> BudgetFix | None:
    """Find what makes a budget block no drain any more; None where it blocks none."""
    if not state.nodes.blocked:
        return None
    if state.nodes.shared.any():
        return BudgetFix.ONE_BUDGET
    if remedy_of(state) is not None:
        return BudgetFix.ONE_UNAVAILABLE
    return BudgetFix.CHANGE if state.is_blocker else BudgetFix.WAIT


def one_unavailable(document: Document) -> Document:
    """Return a budget's manifest that allows one pod at a time to be unavailable, the rest of its spec kept."""
    spec = {key: value for key, value in (document.get("spec") or {}).items() if key not in _BOUNDS}
    return {
        "apiVersion": "policy/v1",
        "kind": KIND,
        "metadata": {"namespace": namespace_of(document), "name": name_of(document)},
        "spec": {**spec, "maxUnavailable": 1},
    }


# Everything about every disruption budget of a cluster: its arithmetic, its pods, and the drains that it blocks.


class NodeShares(Struct, frozen=True, eq=False):
    """A budget's pods on the M nodes that hold any, in order of the nodes' names; arrays have shape (M,).

    ``refused``: how many of the pods a drain that starts now would not get rid of until something else changes;
    ``shared``: how many of those because another budget selects them too.
    """

    names: tuple[str, ...]
    pods: Ints
    healthy: Ints
    refused: Ints
    shared: Ints

    @property
    def blocked(self) -> tuple[str, ...]:
        """Nodes whose drain the budget blocks."""
        return tuple(self.names[number] for number in np.flatnonzero(self.refused))


class ZoneShare(Struct, frozen=True):
    """A budget's pods in one zone; the zone of nodes without one is empty."""

    zone: str
    pods: int
    healthy: int


class BudgetState(Struct, frozen=True, eq=False):
    """One budget. Pods are named ``namespace/name``.

    ``pods``: how many it selects, wherever they are. ``unhealthy``: those that are not ready and not being deleted.
    ``shared``: those that other budgets, ``overlapping``, select too, and that can therefore not be evicted.
    ``unmanaged``: those that nothing controls. ``cause``: why it allows nothing now, None when it allows something.
    ``made_of``: what it follows from beside the zones of nodes; nothing where that is more than is told of here.
    """

    budget: DisruptionBudget
    computed: Computed
    scale: ControllerScale
    pods: int
    terminating: int
    unhealthy: tuple[str, ...]
    shared: tuple[str, ...]
    overlapping: tuple[str, ...]
    unmanaged: tuple[str, ...]
    nodes: NodeShares
    zones: tuple[ZoneShare, ...]
    never: Never | None
    cause: ZeroCause | None
    made_of: tuple[object, ...] = ()

    @property
    def grants(self) -> int:
        """How many evictions the API server would grant at its expense now."""
        return self.budget.grants if self.cause is None else 0

    @property
    def allows_none(self) -> bool:
        """Whether it has pods, and none of them may be evicted at its expense now."""
        return self.cause not in (None, ZeroCause.NO_PODS)

    @property
    def is_blocker(self) -> bool:
        """Whether the budget blocks until somebody changes something; what is merely under way does not count."""
        return self.cause is not None and self.cause.lasts

    @property
    def blocks_for_good(self) -> bool:
        """Whether the drain of some node stays blocked by it until somebody changes something."""
        return bool(self.nodes.blocked) and (self.is_blocker or bool(self.nodes.shared.any()))

    @property
    def differs(self) -> bool:
        """Whether the status that the cluster reports is not the one that follows from its objects."""
        computed, reported = self.computed, self.budget.reported
        if computed.expected is None:
            return computed.allowed is not None and computed.allowed != reported.allowed
        return (computed.expected, computed.healthy, computed.desired, computed.allowed) != (
            reported.expected,
            reported.healthy,
            reported.desired,
            reported.allowed,
        )


def budget_states(
    snapshot: Snapshot, others: Iterable[Document] = (), earlier: Iterable[BudgetState] = ()
) -> tuple[BudgetState, ...]:
    """Every budget of a cluster, blockers first, then those that block the most drains.

    ``others``: the pods that the snapshot does not hold because they wait for a node or have finished; a budget counts
    them too. ``earlier``: the states at another moment, which are taken over where nothing that they are of changed.
    """
    budgets, known = disruption_budgets(snapshot), {state.budget.key: state for state in earlier}
    census = Census(snapshot, budgets, others)
    states = [_state(snapshot, census, number, budget, known.get(budget.key)) for number, budget in enumerate(budgets)]
    return tuple(sorted(states, key=_urgency))


def _urgency(state: BudgetState) -> tuple[bool, int, bool, str]:
    return not state.is_blocker, -len(state.nodes.blocked), state.cause is None, state.budget.key


def _state(
    snapshot: Snapshot, census: Census, number: int, budget: DisruptionBudget, earlier: BudgetState | None
) -> BudgetState:
    pods, guarded = snapshot.pods, census.guarded(number)
    slots = guarded.slots
    scale = scale_of(snapshot, budget.namespace, census.controllers(guarded))
    versions, zones = census.versions(number, guarded), _by_zone(snapshot, slots)
    made_of = (budget, scale, versions) if versions else ()
    if earlier is not None and made_of and earlier.made_of == made_of:
        return replace(earlier, zones=zones)
    staying = ~pods.terminating[slots]
    unhealthy = [pods.keys[slot] for slot in slots[staying & ~pods.ready[slots]].tolist()]
    unhealthy += [pod.key for pod in guarded.others if not (pod.ready or pod.terminating or pod.finished)]
    terminating = int((~staying).sum()) + sum(pod.terminating for pod in guarded.others)
    shared = census.shared(slots)
    unmanaged = census.unmanaged(guarded)
    computed = compute(budget, len(guarded), healthy_pods(snapshot, budget, guarded), scale)
    why_never = never(budget, len(guarded), len(unmanaged), scale)
    if why_never is None and census.is_covered(number, guarded):
        why_never = Never.SEVERAL_BUDGETS
    cause = zero_cause(
        budget,
        computed,
        why_never,
        pods=len(guarded),
        leaving=bool(terminating or budget.reported.disrupted),
        unhealthy=bool(unhealthy),
        rolling_out=census.is_rolling_out(guarded),
    )
    return BudgetState(
        budget=budget,
        computed=computed,
        scale=scale,
        pods=len(guarded),
        terminating=terminating,
        unhealthy=tuple(sorted(unhealthy)),
        shared=tuple(sorted(pods.keys[slot] for slot in slots[shared].tolist())),
        overlapping=tuple(census.sharing(number, slots[shared])),
        unmanaged=tuple(f"{budget.namespace}/{name}" for name in unmanaged),
        nodes=_by_node(snapshot, census, budget, slots, shared),
        zones=zones,
        never=why_never,
        cause=cause,
        made_of=made_of,
    )


def healthy_pods(snapshot: Snapshot, budget: DisruptionBudget, guarded: Guarded) -> int:
    """Ready pods that are neither being deleted nor granted to an eviction."""
    pods, disrupted = snapshot.pods, budget.reported.disrupted
    slots = guarded.slots[pods.ready[guarded.slots] & ~pods.terminating[guarded.slots]]
    names = [pods.name(slot) for slot in slots.tolist()] if disrupted else []
    granted = sum(name in disrupted for name in names)
    others = sum(pod.ready and not pod.terminating and pod.name not in disrupted for pod in guarded.others)
    return len(slots) - granted + others


def _by_node(snapshot: Snapshot, census: Census, budget: DisruptionBudget, slots: Index, shared: Mask) -> NodeShares:
    pods = snapshot.pods
    bound = pods.node[slots] >= 0
    slots, shared = slots[bound], shared[bound]
    rows, place = np.unique(pods.node[slots], return_inverse=True)
    # Pods that start or are being deleted go without a question, and a drain leaves alone what would come back at once.
    asked = ~(pods.starting[slots] | pods.terminating[slots])
    if len(slots):
        asked &= ~census.pinned[pods.template[slots]]
    charged = asked & ~shared
    if budget.spares_unhealthy:
        charged &= pods.ready[slots]

    def count(mask: Mask) -> Ints:
        return np.bincount(place[mask], minlength=len(rows)).astype(np.int64)

    return NodeShares(
        names=tuple(map(snapshot.nodes.names.__getitem__, rows.tolist())),
        pods=count(np.ones(len(slots), np.bool_)),
        healthy=count(pods.ready[slots] & ~pods.terminating[slots]),
        # A budget that allows some lets a drain evict the others in turns, once their replacements are ready.
        refused=count(asked & shared) + (0 if budget.grants else count(charged)),
        shared=count(asked & shared),
    )


def _by_zone(snapshot: Snapshot, slots: Index) -> tuple[ZoneShare, ...]:
    pods, column = snapshot.pods, snapshot.nodes.label(ZONE)
    slots = slots[pods.node[slots] >= 0]
    values = (*column.values, "")
    codes = column.codes[pods.node[slots]]
    healthy = pods.ready[slots] & ~pods.terminating[slots]
    return tuple(
        ZoneShare(values[code], int((codes == code).sum()), int(healthy[codes == code].sum()))
        for code in sorted(set(codes.tolist()), key=values.__getitem__)
    )
