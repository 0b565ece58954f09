"""What explaining one pod costs at most: counted before the work begins, and refused beyond limits that are named.

Whoever may create a pod decides how much it names, and what others' pages have to compare with it. The limits are far
beyond what is of use, and such that everything a page shows of a pod stays within seconds."""

from __future__ import annotations

import enum
import traceback
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot

_RULES: Final = ("requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution")
_PREFIX: Final = "cost-"


class Measure(enum.StrEnum):
    """What is counted."""

    REQUIREMENTS = "requirements"
    """What a pod's manifest demands or prefers, to the single key or value."""
    COMPARISONS = "comparisons"
    """Requirements times the nodes and the distinct label sets of pods, with which they are compared."""
    PLACED_TERMS = "placed-terms"
    """Affinity terms of placed pods, each of which may mean the pod; of pods that say the same they count once."""
    DRY_RUNS = "dry-runs"
    """What preemption tries: rounds, times what each of them has to count again."""

    @property
    def reference(self) -> str:
        """What stands for a refusal for this reason where other failures have the reference of a log entry."""
        return f"{_PREFIX}{self.value}"


LIMITS: Final[Mapping[Measure, int]] = {
    Measure.REQUIREMENTS: 50_000,
    Measure.COMPARISONS: 100_000_000,
    Measure.PLACED_TERMS: 500_000,
    Measure.DRY_RUNS: 2_000_000_000,
}


class Excess(Struct, frozen=True):
    """A limit that is exceeded, and by what was counted."""

    measure: Measure
    counted: int

    @property
    def limit(self) -> int:
        return LIMITS[self.measure]


class CostLimitError(Exception):
    """An explanation would cost more than one may; nothing has been computed."""

    def __init__(self, excess: Excess) -> None:
        super().__init__(f"{excess.measure}: {excess.counted} > {excess.limit}")
        self.excess = excess


def measure_of(reference: str) -> Measure | None:
    """What was counted when a failure has this reference; None for any other failure."""
    return next((measure for measure in Measure if measure.reference == reference), None)


def bound(measure: Measure, counted: int) -> None:
    """Raise CostLimitError where more is counted than may be."""
    if counted > LIMITS[measure]:
        raise CostLimitError(Excess(measure, counted))


def check(snapshot: Snapshot, pod: Pod) -> None:
    """Raise CostLimitError for a pod that may not be explained in this cluster."""
    requirements = requirements_of(pod)
    bound(Measure.REQUIREMENTS, requirements)
    bound(Measure.COMPARISONS, requirements * (len(snapshot.nodes) + len(snapshot.pods.label_sets)))
    bound(Measure.PLACED_TERMS, snapshot.pods.affinity_terms)


def requirements_of(pod: Pod) -> int:
    """How many conditions a pod's manifest has: every term and constraint, and every key and value in it."""
    spec = pod.spec
    affinity: Any = spec.get("affinity") or {}
    count = len(spec.get("nodeSelector") or ()) + len(spec.get("tolerations") or ()) + len(spec.get("volumes") or ())
    for constraint in spec.get("topologySpreadConstraints") or ():
        count += 1 + _selector(constraint.get("labelSelector"))
    for kind in ("podAffinity", "podAntiAffinity"):
        for rule in _RULES if affinity.get(kind) else ():
            count += sum(_pod_term(term) for term in affinity[kind].get(rule) or ())
    if affinity.get("nodeAffinity"):
        count += sum(
            1 + _expressions(term.get("matchExpressions")) + _expressions(term.get("matchFields"))
            for term in _node_terms(affinity["nodeAffinity"])
        )
    return count + sum(len(container.get("ports") or ()) for container in spec.get("containers") or ())


def _pod_term(term: Mapping[str, Any]) -> int:
    term = term.get("podAffinityTerm") or term
    named = len(term.get("namespaces") or ())
    return 1 + named + _selector(term.get("labelSelector")) + _selector(term.get("namespaceSelector"))


def _node_terms(affinity: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    required, preferred = (affinity.get(rule) or () for rule in _RULES)
    terms = (required or {}).get("nodeSelectorTerms") or ()
    return [*terms, *(each.get("preference") or {} for each in preferred)]


def _selector(selector: Mapping[str, Any] | None) -> int:
    if not selector:
        return 0
    return len(selector.get("matchLabels") or ()) + _expressions(selector.get("matchExpressions"))


def _expressions(expressions: Any) -> int:
    return sum(1 + len(expression.get("values") or ()) for expression in expressions or ())


# The value that replaces an answer that could not be computed, so that one pod's error costs no other pod's answer.

T = TypeVar("T")
Note: TypeAlias = "Callable[[str, Failure], object]"
"""Is told of a failure, and first of what was to be computed; what goes on without the answer may lose it."""


class AnswerError(Exception):
    """An error that is the answer to whoever asked, and no defect: `attempt` lets it pass."""


class Failure(Struct, frozen=True):
    """An error where an answer should be. ``error`` is its type and text, ``details`` its traceback.

    ``reference`` is the same for all errors of one type from one place in the code, whatever pod met it: in a log it
    leads to the traceback, and it depends neither on the process nor on the time. That of an explanation which would
    cost too much names the limit (``cost.measure_of``), and has no details but an ``excess``.
    """

    reference: str
    error: str
    details: str
    excess: Excess | None = None

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        """What is kept of an error that was caught."""
        if isinstance(error, CostLimitError):
            return cls(error.excess.measure.reference, str(error), "", error.excess)
        frames = traceback.extract_tb(error.__traceback__)
        place = "\0".join(f"{frame.filename.rpartition('/')[2]}:{frame.name}" for frame in frames[-2:])
        kind = type(error).__name__
        return cls(
            reference=blake2b(f"{kind}\0{place}".encode(), digest_size=4).hexdigest(),
            error=f"{kind}: {error}",
            details="".join(traceback.format_exception(error)),
        )


def attempt(compute: Callable[[], T]) -> T | Failure:
    """Compute one pod's answer, or say that it failed.

    Only for pure computation about one pod: whatever is to reach the caller as an exception is an AnswerError.
    """
    try:
        return compute()
    except AnswerError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever goes wrong for one pod, the others are answered
        return Failure.of(error)
