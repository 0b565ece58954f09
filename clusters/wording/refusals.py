"""What the API server refuses in words: quotas, limit ranges, admission, and the workloads that lack pods for it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.admission import Refusal, SourceKind, ValueSource
from clusters.engine.problems import QUOTED
from clusters.engine.quotas import QuotaDemand, QuotaExceeded, QuotaUnspecified, demands_of, raises
from clusters.engine.workloads import NextTry, WorkloadFailure, cause_of
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.owners import Workload
    from clusters.engine.problems import Problem


# -- What admission does to a pod -------------------------------------------------------------------------------------


_SOURCES: Final = {
    SourceKind.LIMIT: gettext_lazy("the limit"),
    SourceKind.LIMITS_OF_CONTAINERS: gettext_lazy("the containers' limits"),
    SourceKind.REQUESTS_OF_CONTAINERS: gettext_lazy("the containers' requests"),
    SourceKind.DEFAULT_PRIORITY_CLASS: gettext_lazy("the default PriorityClass"),
    SourceKind.NO_PRIORITY_CLASS: gettext_lazy("no PriorityClass"),
    SourceKind.OTHER_TOLERATION: gettext_lazy("another toleration that covers it"),
}


def source(source: ValueSource) -> str:
    """Say where a value comes from; objects and fields are named."""
    if source.kind is SourceKind.LABEL_OF_POD:
        return _("the pod's label %(key)s") % {"key": source.name}
    return str(_SOURCES.get(source.kind, source.name))


def refusal(refusal: Refusal) -> str:
    """Say which field the API server would refuse, why, what would be right, and who says so."""
    end = "." if refusal.problem.sentence == QUOTED else ""
    problem = f"{problem_sentence(refusal.problem)}{end} {remedy_sentence(refusal.problem)}"
    return f"{refusal.field}: {problem} ({refusal.by})"


# -- What the page of quotas says -------------------------------------------------------------------------------------


EXHAUSTED: Final = pgettext_lazy("state of a quota", "Exhausted")
ABOVE_HARD: Final = pgettext_lazy("state of a quota", "Used above hard")
NO_CONTROLLER: Final = gettext_lazy("Pods without a controller")


SEARCH_HINT: Final = gettext_lazy("Part of a quota's name")
QUOTAS = plural("%(number)s quota", "%(number)s quotas", by="number")
SCOPES = message("Scopes: %(names)s")


def workload(named: Workload) -> str:
    """Name a workload that uses a quota."""
    return f"{named.kind}/{named.name}" if named.kind else str(NO_CONTROLLER)


def more(pods: int) -> str:
    """Say how many further pods like its largest one a quota lets a workload have."""
    if not pods:
        return _("Quota reached: the next pod is rejected.")
    return ngettext(
        "%(pods)s further pod like its largest",
        "%(pods)s further pods like its largest",
        pods,
    ) % {"pods": grouped(pods)}


HAS_TO_SPECIFY = message("A further pod has to specify %(resources)s.")


MORE_USERS = plural("and %(workloads)s more workload", "and %(workloads)s more workloads", by="workloads")


# -- What is said of pods that the API server refuses -----------------------------------------------------------------


_EXCEEDED = message("ResourceQuota %(namespace)s/%(quota)s is exceeded: %(amounts)s.")
_UNSPECIFIED_BY = message("ResourceQuota %(namespace)s/%(quota)s needs %(resources)s for %(containers)s.")
_UNSPECIFIED = message("ResourceQuota %(namespace)s/%(quota)s needs %(resources)s for every container.")
_CHARGED = message(
    "%(resource)s %(requested)s requested with %(used)s of %(limited)s used", context="amount of a quota"
)
_ALSO = message("They are also refused for: %(causes)s")
_CREATES_JOB = message("No longer: the controller's next try creates the Job.")
_CREATES_ALL = plural(
    "No longer: the controller's next try creates %(pods)s pod.",
    "No longer: the controller's next try creates all %(pods)s pods.",
    by="pods",
)
_CREATES_SOME = plural(
    "In part: the controller's next try creates %(admitted)s of %(wanted)s pod. %(causes)s",
    "In part: the controller's next try creates %(admitted)s of %(wanted)s pods. %(causes)s",
    by="wanted",
)
_STILL = message("The controller's next try is refused, too.")
_OTHERWISE = message("The controller's next try is refused otherwise: %(causes)s")
_NOT_KNOWN = message("not known", context="outcome of a controller's next try")
_CREATED = message("%(admitted)s of %(wanted)s created", context="outcome of a controller's next try")
_WAIT_MINUTE = message("Nothing: the controller tries again within a minute.")
_WAIT = message("Nothing: the controller tries again within 17 minutes.")
_RAISE = message("Raise ResourceQuota %(namespace)s/%(quota)s (%(raised)s), free what it counts, or request less.")
_RAISED = message("%(line)s from %(first)s to %(last)s")
_SPECIFY = message("Write %(resources)s for every container, as ResourceQuota %(quota)s requires, or add a LimitRange.")


def because(failure: WorkloadFailure) -> str:
    """Say why the API server refuses what the controller creates; empty for what fails otherwise."""
    return "" if failure.refusal is None else _causes(failure.refusal.problems)


def _causes(problems: Iterable[Problem]) -> str:
    return " ".join(map(_cause, problems))


def _cause(problem: Problem) -> str:
    match problem:
        case QuotaExceeded():
            amounts = zip(problem.resources, problem.requested, problem.used, problem.limited, strict=True)
            said = ", ".join(
                _CHARGED(resource=resource, requested=requested, used=used, limited=limited)
                for resource, requested, used, limited in amounts
            )
            return _EXCEEDED(namespace=problem.namespace, quota=problem.quota, amounts=said)
        case QuotaUnspecified() if problem.containers:
            return _UNSPECIFIED_BY(
                namespace=problem.namespace,
                quota=problem.quota,
                resources=listed(problem.resources),
                containers=listed(problem.containers),
            )
        case QuotaUnspecified():
            resources = listed(problem.resources)
            return _UNSPECIFIED(namespace=problem.namespace, quota=problem.quota, resources=resources)
        case _other:
            return problem_sentence(problem)


def outlook(failure: WorkloadFailure) -> str:
    """Say what the API server would answer now; empty where that is not known."""
    answer = failure.next_try
    if answer is None or failure.refusal is None:
        return ""
    if not answer.is_decisive:
        return _ALSO(causes=_causes(answer.problems)) if answer.problems else ""
    if not answer.problems:
        return _CREATES_JOB() if failure.workload.kind == "CronJob" else _CREATES_ALL(pods=answer.wanted)
    causes = _causes(answer.problems)
    if answer.admitted:
        return _CREATES_SOME(admitted=answer.admitted, wanted=answer.wanted, causes=causes)
    if set(map(cause_of, answer.problems)) == set(map(cause_of, failure.refusal.problems)):
        return _STILL()
    return _OTHERWISE(causes=causes)


def outcome(answer: NextTry | None) -> str:
    """Count in a cell how many pods the next try creates."""
    if answer is None or not (answer.is_decisive or answer.problems):
        return _NOT_KNOWN()
    return _CREATED(admitted=answer.admitted, wanted=answer.wanted)


def remedy(failures: Sequence[WorkloadFailure]) -> str:
    """Say what to do about workloads that are refused for one cause, all of them together."""
    still = [each for each in failures if not _is_over(each)]
    if not still:
        return _WAIT_MINUTE() if all(each.workload.kind == "Job" for each in failures) else _WAIT()
    problems = list(dict.fromkeys(cause_of(problem) for each in still for problem in _present(each)))
    others = [problem for problem in problems if not isinstance(problem, QuotaExceeded)]
    return " ".join((*dict.fromkeys(map(_lift, others)), *(_raise(still) if len(others) < len(problems) else ())))


def _is_over(failure: WorkloadFailure) -> bool:
    answer = failure.next_try
    return answer is not None and answer.is_decisive and not answer.problems


def _present(failure: WorkloadFailure) -> tuple[Problem, ...]:
    """Return what refuses the controller now, as far as that is known."""
    answer = failure.next_try
    if answer is not None and answer.is_decisive:
        return answer.problems
    return () if failure.refusal is None else failure.refusal.problems


def _raise(failures: Sequence[WorkloadFailure]) -> Iterator[str]:
    """Say of each quota to what it has to be raised for all pods of the workloads."""
    found = raises(demand for each in failures for demand in _demands(each))
    for (namespace, quota), raised in groupby(found, key=lambda each: (each.namespace, each.quota)):
        said = ", ".join(_RAISED(line=each.resource, first=each.hard, last=each.needed) for each in raised)
        yield _RAISE(namespace=namespace, quota=quota, raised=said)


def _demands(failure: WorkloadFailure) -> Iterator[QuotaDemand]:
    if failure.next_try is not None and failure.next_try.is_decisive:
        yield from failure.next_try.demands
        return
    for problem in _present(failure):
        if isinstance(problem, QuotaExceeded):
            is_pod = failure.refusal is not None and failure.refusal.resource == "pods"
            yield from demands_of(problem, (failure.missing or 1) if is_pod else 1)


def _lift(problem: Problem) -> str:
    """Say what lifts a cause other than too small a quota."""
    if isinstance(problem, QuotaUnspecified):
        return _SPECIFY(resources=listed(problem.resources), quota=problem.quota)
    return remedy_sentence(problem)
