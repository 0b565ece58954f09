"""What is said of pods that the API server refuses: why, whether it still does, and what to do about it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext, pgettext

from clusters.engine.quotas import QuotaDemand, QuotaExceeded, QuotaRaise, QuotaUnspecified, demands_of, raises
from clusters.engine.workloads import NextTry, WorkloadFailure, cause_of
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed, side_by_side
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.problems import Problem


def because(failure: WorkloadFailure) -> str:
    """Say why the API server refuses what the controller creates; empty for what fails otherwise."""
    return "" if failure.refusal is None else _causes(failure.refusal.problems)


def _causes(problems: Iterable[Problem]) -> str:
    return " ".join(map(_cause, problems))


def _cause(problem: Problem) -> str:
    match problem:
        case QuotaExceeded():
            amounts = zip(problem.resources, problem.requested, problem.used, problem.limited, strict=True)
            return _("ResourceQuota %(namespace)s/%(quota)s is exceeded: %(amounts)s.") % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "amounts": side_by_side(_charged(*each) for each in amounts),
            }
        case QuotaUnspecified() if problem.containers:
            return _(
                "ResourceQuota %(namespace)s/%(quota)s counts %(resources)s, which is not specified for %(containers)s."
            ) % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "resources": listed(problem.resources),
                "containers": listed(problem.containers),
            }
        case QuotaUnspecified():
            return _("ResourceQuota %(namespace)s/%(quota)s counts %(resources)s, which containers do not specify.") % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "resources": listed(problem.resources),
            }
        case _other:
            return problem_sentence(problem)


def _charged(resource: str, requested: str, used: str, limited: str) -> str:
    return pgettext("amount of a quota", "%(resource)s %(requested)s requested with %(used)s of %(limited)s used") % {
        "resource": resource,
        "requested": requested,
        "used": used,
        "limited": limited,
    }


def outlook(failure: WorkloadFailure) -> str:
    """Say what the API server would answer now; empty where that is not known."""
    answer = failure.next_try
    if answer is None or failure.refusal is None:
        return ""
    if not answer.is_decisive:
        if not answer.problems:
            return ""
        return _("Once that is solved they are still refused: %(causes)s") % {"causes": _causes(answer.problems)}
    if not answer.problems and failure.workload.kind == "CronJob":
        return _("It no longer holds: at its next try the controller creates the Job.")
    if not answer.problems:
        return ngettext(
            "It no longer holds: at its next try the controller creates %(pods)s pod.",
            "It no longer holds: at its next try the controller creates all %(pods)s pods.",
            answer.wanted,
        ) % {"pods": grouped(answer.wanted)}
    if answer.admitted:
        return ngettext(
            "It holds in part: at its next try the controller creates %(admitted)s of %(wanted)s pod. %(causes)s",
            "It holds in part: at its next try the controller creates %(admitted)s of %(wanted)s pods. %(causes)s",
            answer.wanted,
        ) % {
            "admitted": grouped(answer.admitted),
            "wanted": grouped(answer.wanted),
            "causes": _causes(answer.problems),
        }
    if set(map(cause_of, answer.problems)) == set(map(cause_of, failure.refusal.problems)):
        return _("It still holds: the controller's next try is refused.")
    return _("The controller's next try is refused for another cause: %(causes)s") % {
        "causes": _causes(answer.problems)
    }


def outcome(answer: NextTry | None) -> str:
    """Count in a cell how many pods the next try creates."""
    if answer is None or not (answer.is_decisive or answer.problems):
        return pgettext("outcome of a controller's next try", "not known")
    return pgettext("outcome of a controller's next try", "%(admitted)s of %(wanted)s created") % {
        "admitted": grouped(answer.admitted),
        "wanted": grouped(answer.wanted),
    }


def remedy(failures: Sequence[WorkloadFailure]) -> str:
    """Say what to do about workloads that are refused for one cause, all of them together."""
    still = [each for each in failures if not _is_over(each)]
    if not still:
        if all(each.workload.kind == "Job" for each in failures):
            return _("Nothing has to be changed: the controller tries again a minute after its last try at most.")
        return _("Nothing has to be changed: the controller tries again 17 minutes after its last try at most.")
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
    are_pods = all(each.refusal is not None and each.refusal.resource == "pods" for each in failures)
    objects = sum(each.missing or 1 for each in failures) if are_pods else 0
    found = raises(demand for each in failures for demand in _demands(each))
    for (namespace, quota), raised in groupby(found, key=lambda each: (each.namespace, each.quota)):
        names = {"quota": quota, "namespace": namespace, "raised": side_by_side(map(_raised, raised))}
        if not objects:
            yield (
                _(
                    "Raise ResourceQuota %(quota)s of namespace %(namespace)s (%(raised)s), free what it counts, or "
                    "request less."
                )
                % names
            )
            continue
        yield ngettext(
            "Raise ResourceQuota %(quota)s of namespace %(namespace)s for %(pods)s more pod (%(raised)s), free what it "
            "counts, or request less.",
            "Raise ResourceQuota %(quota)s of namespace %(namespace)s for %(pods)s more pods (%(raised)s), free what "
            "it counts, or request less.",
            objects,
        ) % {
            "quota": names["quota"],
            "namespace": names["namespace"],
            "raised": names["raised"],
            "pods": grouped(objects),
        }


def _demands(failure: WorkloadFailure) -> Iterator[QuotaDemand]:
    if failure.next_try is not None and failure.next_try.is_decisive:
        yield from failure.next_try.demands
        return
    for problem in _present(failure):
        if isinstance(problem, QuotaExceeded):
            is_pod = failure.refusal is not None and failure.refusal.resource == "pods"
            yield from demands_of(problem, (failure.missing or 1) if is_pod else 1)


def _raised(each: QuotaRaise) -> str:
    return pgettext("amount of a quota", "%(resource)s from %(hard)s to %(needed)s") % {
        "resource": each.resource,
        "hard": each.hard,
        "needed": each.needed,
    }


def _lift(problem: Problem) -> str:
    """Say what lifts a cause other than too small a quota."""
    if isinstance(problem, QuotaUnspecified):
        return _(
            "Write %(resources)s for every container of the template, as ResourceQuota %(quota)s requires, "
            "or add a LimitRange."
        ) % {"resources": listed(problem.resources), "quota": problem.quota}
    return remedy_sentence(problem)
