"""Systems beside kube-scheduler that hold or group pods: Kueue, Volcano, Coscheduling, JobSet and LeaderWorkerSet.

What each of them calls a group, how many pods of it there have to be and what it reports is read; what it decides is
not computed. Another system is one row of ``BATCH_SYSTEMS``, its kind one of the mirror's.

Upstream: ``apis/kueue/v1beta2`` of Kueue (ff69552), ``pkg/apis/scheduling/v1beta1`` of volcano-sh/apis (536f121),
``apis/scheduling/v1alpha1`` of scheduler-plugins (903da7d), ``api/jobset/v1alpha2`` (08dfbdf) and
``api/leaderworkerset/v1`` (060ab4d).
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.objects import Document, Pod, metadata
from clusters.engine.owners import Controller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Decider(enum.StrEnum):
    """Who decides about the pods of a group."""

    # Kubernetes' own scheduler, once the system has removed its gate or created the pods.
    AFTER_ADMISSION = "after-admission"
    # A scheduler of the system's own.
    OWN_SCHEDULER = "own-scheduler"
    # A plugin that Kubernetes does not bring, in a kube-scheduler that has it.
    PLUGIN = "plugin"
    # kube-scheduler, each pod by itself.
    KUBE_SCHEDULER = "kube-scheduler"


class BatchRemedy(enum.StrEnum):
    """What helps a group, where its object says so for certain."""

    ACTIVATE = "activate"
    RESUME = "resume"
    START_QUEUE = "start-queue"
    RAISE_QUOTA = "raise-quota"
    CREATE_PODS = "create-pods"


class BatchGroupKey(Struct, frozen=True, order=True):
    """One group of a system: ``name`` is that of its object, ``replica`` a part of it that is a group of its own.

    ``name`` is ``Kind/name`` of the owner where a pod tells no more, until an object of that owner is found.
    """

    namespace: str
    api_group: str
    name: str
    replica: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, (self.namespace, self.api_group, self.name, self.replica)))


class BatchSystem(Struct, frozen=True):
    """A system by its traits.

    - ``kind``: the kind of its groups' objects, with its API group; ``least``: how many pods one needs by its object.
    - ``labels`` and ``annotations`` of a pod hold the name of its group, ``replica_label`` the part of it.
      ``owner_of``: of pods that hold none, and one of ``owner_labels`` or a gate, kind and name of its owner.
    - ``is_gang``: so many of its pods are scheduled together. ``gates``: how the gates begin that it removes.
      ``decided_by``: the scheduler or plugin by name.
    - ``finished``: phases, and types of conditions that are True, after which no pods are needed. ``awaited``: types of
      conditions that have to become True, one after another.
    - ``switches``: what helps by a field of the spec that holds a group, and its value; ``remedies``: by type, status
      and reason of a condition.
    """

    name: str
    kind: str
    decider: Decider
    least: Callable[[Document], int]
    labels: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    replica_label: str = ""
    owner_labels: tuple[str, ...] = ()
    owner_of: Callable[[Pod], tuple[str, str]] | None = None
    is_gang: bool = False
    gates: str = ""
    decided_by: str = ""
    finished: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    switches: Mapping[tuple[str, bool], BatchRemedy] = {}
    remedies: Mapping[tuple[str, str, str], BatchRemedy] = {}

    @property
    def api_group(self) -> str:
        """The API group of its kind."""
        return self.kind.partition(".")[2]

    @property
    def noun(self) -> str:
        """What one of its groups is called."""
        kind = self.kind.partition(".")[0]
        return kind if kind == self.name else f"{self.name} {kind}"

    def group_of(self, pod: Pod) -> BatchGroupKey | None:
        """The group of a pod, None for one that is not of this system."""
        labels, annotations = _marks(pod, "labels"), _marks(pod, "annotations")
        named = (*map(annotations.get, self.annotations), *map(labels.get, self.labels))
        name = next(filter(None, named), "")
        if not name and self.owner_of and (self.holds(gates=pod.scheduling_gates) or _has(labels, self.owner_labels)):
            name = "/".join(self.owner_of(pod))
        if not name:
            return None
        return BatchGroupKey(pod.namespace, self.api_group, name, labels.get(self.replica_label, ""))

    def holds(self, *, gates: tuple[str, ...] = (), scheduler_name: str = "", plugins: tuple[str, ...] = ()) -> bool:
        """Whether a pod is pending for what this system decides: by gates, or by a scheduler or plugins not computed.

        ``scheduler_name``: empty for kube-scheduler; a system's own may be called otherwise.
        """
        if self.gates and any(gate.startswith(self.gates) for gate in gates):
            return True
        return self.decided_by in plugins or (bool(self.decided_by) and bool(scheduler_name))


def _marks(pod: Pod, field: str) -> Mapping[str, str]:
    return metadata(pod.document).get(field) or {}


def _has(marks: Mapping[str, str], keys: Iterable[str]) -> bool:
    return not marks.keys().isdisjoint(keys)


def _spec(document: Document) -> Mapping[str, Any]:
    return document.get("spec") or {}


def _least_member(document: Document) -> int:
    return int(_spec(document).get("minMember") or 0)


def _of_pod_sets(document: Document) -> int:
    return sum(int(each.get("count", 1)) for each in _spec(document).get("podSets") or ())


def _of_jobs(document: Document) -> int:
    jobs = _spec(document).get("replicatedJobs") or ()
    return sum(int(each.get("replicas", 1)) * _parallelism(each.get("template") or {}) for each in jobs)


def _parallelism(template: Document) -> int:
    return int(_spec(template).get("parallelism", 1))


def _size(document: Document) -> int:
    return int((_spec(document).get("leaderWorkerTemplate") or {}).get("size", 1))


_KUEUE: Final = "kueue.x-k8s.io/"
# What Kueue labels pods with that it admits by themselves.
_MANAGED: Final = f"{_KUEUE}managed"
_JOB_SET: Final = "jobset.sigs.k8s.io/jobset-name"
_WORKER_SET: Final = "leaderworkerset.sigs.k8s.io/name"


def _owner_in_kueue(pod: Pod) -> tuple[str, str]:
    """What a Workload of Kueue belongs to that admits a pod: the pod itself, or the largest that it is part of."""
    labels = _marks(pod, "labels")
    controller = Controller.of(pod.document)
    if controller is None or labels.get(_MANAGED) == "true":
        return "Pod", pod.name
    for label, kind in ((_JOB_SET, "JobSet"), (_WORKER_SET, "LeaderWorkerSet")):
        if label in labels:
            return kind, labels[label]
    return controller.kind, controller.name


# Of a pod that several of them hold, the first that comes decides first.
BATCH_SYSTEMS: Final = (
    BatchSystem(
        "Kueue",
        "Workload.kueue.x-k8s.io",
        Decider.AFTER_ADMISSION,
        _of_pod_sets,
        labels=(f"{_KUEUE}pod-group-name",),
        annotations=(f"{_KUEUE}workload", f"{_KUEUE}pod-group-name"),
        owner_labels=(_MANAGED, f"{_KUEUE}podset"),
        owner_of=_owner_in_kueue,
        gates=_KUEUE,
        finished=("Finished",),
        awaited=("QuotaReserved", "Admitted", "PodsReady"),
        switches={("active", False): BatchRemedy.ACTIVATE},
        remedies={
            ("QuotaReserved", "False", "Suspended"): BatchRemedy.START_QUEUE,
            ("QuotaReserved", "False", "ExceedsMaxQuota"): BatchRemedy.RAISE_QUOTA,
        },
    ),
    BatchSystem(
        "Volcano",
        "PodGroup.scheduling.volcano.sh",
        Decider.OWN_SCHEDULER,
        _least_member,
        annotations=("scheduling.k8s.io/group-name",),
        is_gang=True,
        gates="scheduling.volcano.sh/",
        decided_by="volcano",
        finished=("Completed",),
        remedies={("Unschedulable", "True", "NotEnoughTasks"): BatchRemedy.CREATE_PODS},
    ),
    BatchSystem(
        "Coscheduling",
        "PodGroup.scheduling.x-k8s.io",
        Decider.PLUGIN,
        _least_member,
        labels=("scheduling.x-k8s.io/pod-group",),
        is_gang=True,
        decided_by="Coscheduling",
        finished=("Finished", "Failed"),
    ),
    BatchSystem(
        "JobSet",
        "JobSet.jobset.x-k8s.io",
        Decider.KUBE_SCHEDULER,
        _of_jobs,
        labels=(_JOB_SET,),
        finished=("Completed", "Failed"),
        switches={("suspend", True): BatchRemedy.RESUME},
    ),
    BatchSystem(
        "LeaderWorkerSet",
        "LeaderWorkerSet.leaderworkerset.x-k8s.io",
        Decider.KUBE_SCHEDULER,
        _size,
        labels=(_WORKER_SET,),
        replica_label="leaderworkerset.sigs.k8s.io/group-index",
        awaited=("Available",),
    ),
)
BATCH_KINDS: Final = tuple(system.kind for system in BATCH_SYSTEMS)
BATCH_ANNOTATIONS: Final = frozenset(key for system in BATCH_SYSTEMS for key in system.annotations)
_LABELS: Final = frozenset(key for system in BATCH_SYSTEMS for key in (*system.labels, *system.owner_labels))


def batch_groups_of_pod(pod: Pod) -> tuple[BatchGroupKey, ...]:
    """The groups of a pod, in the order of the systems; none for most pods."""
    is_marked = _has(_marks(pod, "labels"), _LABELS) or _has(_marks(pod, "annotations"), BATCH_ANNOTATIONS)
    if not (is_marked or pod.spec.get("schedulingGates")):
        return ()
    found = (system.group_of(pod) for system in BATCH_SYSTEMS)
    return tuple(key for key in found if key is not None)


def is_named_after(key: BatchGroupKey, pod: Pod) -> bool:
    """Whether a group is that of one pod, whose object is not told by the pod."""
    return key.name == f"Pod/{pod.name}"
