"""What the numbers are that the answer to a question about a number is calculated from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, ngettext, pgettext, pgettext_lazy

from clusters.engine.lessons import Goal, Mistake, MistakeKind, Operand, OperandKind, Sign
from clusters.wording.amounts import grouped, localised
from clusters.wording.lessons.answers import as_code
from clusters.wording.lessons.goals import goal_words
from clusters.wording.lists import first_of
from clusters.wording.messages import Message, message, plural
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


SIGNS: Final = {
    **{each: str(each) for each in Sign},
    Sign.AT_LEAST: "max",
    Sign.AT_MOST: "min",
}
_NAMES: Final = frozenset({OperandKind.POD, OperandKind.NODE})
_FIELDS: Final = {
    OperandKind.MIN_AVAILABLE: "minAvailable",
    OperandKind.MAX_UNAVAILABLE: "maxUnavailable",
    OperandKind.SYSTEM_RESERVED: "systemReserved",
    OperandKind.KUBE_RESERVED: "kubeReserved",
    OperandKind.EVICTION_HARD: "evictionHard",
    OperandKind.MINIMUM_RECLAIM: "evictionMinimumReclaim",
    OperandKind.NODE_CRITICAL: "system-node-critical",
    OperandKind.GUARANTEED: "Guaranteed",
    OperandKind.BEST_EFFORT: "BestEffort",
}
_PLAIN: Final = {
    OperandKind.START: pgettext_lazy("number of a calculation", "to begin with"),
    OperandKind.POD_LEVEL: pgettext_lazy("number of a calculation", "for the pod as a whole"),
    OperandKind.OVERHEAD: pgettext_lazy("number of a calculation", "overhead"),
    OperandKind.REQUESTED: pgettext_lazy("number of a calculation", "requested by its pods"),
    OperandKind.USED: pgettext_lazy("number of a calculation", "used"),
    OperandKind.ZERO: pgettext_lazy("number of a calculation", "never below 0"),
    OperandKind.NODES: pgettext_lazy("number of a calculation", "nodes of the cluster"),
    OperandKind.PERCENTAGE: pgettext_lazy("number of a calculation", "share of the nodes to find"),
    OperandKind.HEALTHY: pgettext_lazy("number of a calculation", "healthy pods"),
    OperandKind.REQUIRED: pgettext_lazy("number of a calculation", "healthy pods required"),
    OperandKind.EXPECTED: pgettext_lazy("number of a calculation", "expected pods"),
    OperandKind.ITSELF: pgettext_lazy("number of a calculation", "the pod itself, if it matches its own selector"),
    OperandKind.MINIMUM: pgettext_lazy("number of a calculation", "global minimum"),
    OperandKind.HUGE_PAGES: pgettext_lazy("number of a calculation", "huge pages"),
    OperandKind.LEAST: pgettext_lazy("number of a calculation", "at least"),
    OperandKind.MOST: pgettext_lazy("number of a calculation", "at most"),
    OperandKind.NO_PRIORITY_CLASS: pgettext_lazy("number of a calculation", "without a PriorityClass"),
    OperandKind.NONE_READY: pgettext_lazy("number of a calculation", "no node of any zone is ready"),
    OperandKind.WEIGHTS: pgettext_lazy("number of a calculation", "sum of the weights"),
    OperandKind.ROUNDED: pgettext_lazy("number of a calculation", "rounded"),
}
_ZONES: Final = {
    OperandKind.ZONE_NORMAL: pgettext_lazy(
        "number of a calculation", "%(not_ready)s of %(nodes)s nodes not ready: fewer than 3, or below 55 %%"
    ),
    OperandKind.ZONE_SMALL: pgettext_lazy(
        "number of a calculation",
        "%(not_ready)s of %(nodes)s nodes not ready: at least 55 %%, zone of at most 50 nodes",
    ),
    OperandKind.ZONE_LARGE: pgettext_lazy(
        "number of a calculation",
        "%(not_ready)s of %(nodes)s nodes not ready: at least 55 %%, zone of more than 50 nodes",
    ),
    OperandKind.ZONE_FULL: pgettext_lazy(
        "number of a calculation", "%(not_ready)s of %(nodes)s nodes not ready: all of the zone, others are ready"
    ),
}


def operand_label(operand: Operand) -> str:
    """Name a number of a calculation, with names as the texts of lessons write them."""
    kind = operand.kind
    if kind in _NAMES:
        return as_code(operand.of[0])
    if kind in _FIELDS:
        return as_code(_FIELDS[kind])
    if kind in _PLAIN:
        return str(_PLAIN[kind])
    if kind in _ZONES:
        return _zone(operand)
    return _of_names(operand) or _of_numbers(operand)


def _of_names(operand: Operand) -> str:
    """Name a number of something that has a name; nothing for one of other numbers."""
    name = as_code(operand.of[0])
    match operand.kind:
        case OperandKind.ALLOCATABLE:
            return pgettext("number of a calculation", "allocatable on %(node)s") % {"node": name}
        case OperandKind.CAPACITY:
            return pgettext("number of a calculation", "capacity of %(node)s") % {"node": name}
        case OperandKind.PODS_ON:
            return pgettext("number of a calculation", "pods on %(node)s") % {"node": name}
        case OperandKind.CONTAINER:
            return pgettext("number of a calculation", "container %(name)s") % {"name": name}
        case OperandKind.INIT_CONTAINER:
            return pgettext("number of a calculation", "init container %(name)s, which runs before") % {"name": name}
        case OperandKind.INIT_BESIDE_SIDECARS:
            return pgettext(
                "number of a calculation",
                "init container %(name)s, which runs before, beside sidecars",
            ) % {"name": name}
        case OperandKind.HARD:
            return pgettext("number of a calculation", "limit of quota %(name)s") % {"name": name}
        case OperandKind.REJECTED_BY:
            return pgettext("number of a calculation", "rejected by %(plugin)s") % {"plugin": name}
        case OperandKind.MATCHING:
            return pgettext("number of a calculation", "matching pods in %(domain)s") % {"domain": name}
        case OperandKind.TOLERATED:
            return pgettext("number of a calculation", "toleration of %(taint)s") % {"taint": name}
        case OperandKind.NOT_TOLERATED:
            return pgettext("number of a calculation", "%(taint)s is not tolerated") % {"taint": name}
        case OperandKind.PRIORITY_CLASS:
            return pgettext("number of a calculation", "PriorityClass %(name)s") % {"name": name}
        case _other:
            return ""


def _of_numbers(operand: Operand) -> str:
    """Say what a number was made of."""
    of = operand.of
    match operand.kind:
        case OperandKind.OTHERS:
            return ngettext("%(number)s other", "%(number)s others", int(of[0])) % {"number": grouped(int(of[0]))}
        case OperandKind.FREE_BY_REQUEST:
            node, resource, free, request = of
            return _("%(node)s: %(free)s free ÷ %(request)s of %(resource)s, rounded down") % {
                "node": as_code(node),
                "free": as_code(free),
                "request": as_code(request),
                "resource": as_code(resource),
            }
        case OperandKind.FEW_NODES:
            return _("all nodes, as there are fewer than %(number)s") % {"number": of[0]}
        case OperandKind.NODES_DIVIDED:
            return _("%(nodes)s nodes ÷ %(number)s, rounded down") % {"nodes": grouped(int(of[0])), "number": of[1]}
        case OperandKind.MIN_AVAILABLE_SHARE | OperandKind.MAX_UNAVAILABLE_SHARE:
            is_of_least = operand.kind is OperandKind.MIN_AVAILABLE_SHARE
            return _("%(field)s: %(share)s of %(pods)s pods, rounded up") % {
                "field": as_code("minAvailable" if is_of_least else "maxUnavailable"),
                "share": of[0],
                "pods": of[1],
            }
        case OperandKind.MEMORY_SHARE:
            return _("1000 × request %(request)s ÷ memory of the node %(memory)s, rounded down") % {
                "request": as_code(of[0]),
                "memory": as_code(of[1]),
            }
        case OperandKind.GRACE_PERIOD:
            return _("default of %(flag)s in Kubernetes %(minor)s") % {
                "flag": as_code("--node-monitor-grace-period"),
                "minor": of[0],
            }
        case OperandKind.PLUGIN:
            return _("%(plugin)s: score %(score)s × weight %(weight)s") % {
                "plugin": as_code(of[0]),
                "score": of[1],
                "weight": of[2],
            }
        case _resource:
            resource, requested, allocatable, score, weight = of
            return _("%(resource)s: %(requested)s of %(allocatable)s, score %(score)s × weight %(weight)s") % {
                "resource": as_code(resource),
                "requested": as_code(requested),
                "allocatable": as_code(allocatable),
                "score": localised(score),
                "weight": weight,
            }


def _zone(operand: Operand) -> str:
    not_ready, nodes = operand.of
    return str(_ZONES[operand.kind]) % {"not_ready": not_ready, "nodes": nodes}


# So many are named in one sentence.
_NAMED: Final = 5


# Of mistakes of one kind; what is missing is counted and not named.
_SENTENCES: Final[Mapping[MistakeKind, Message]] = {
    MistakeKind.REJECTED: plural(
        "%(nodes)s does not pass all filters for this pod.",
        "%(nodes)s do not pass all filters for this pod.",
        by="mistakes",
    ),
    MistakeKind.LOWER_SCORE: plural(
        "%(nodes)s is feasible, but another node has a higher total.",
        "%(nodes)s are feasible, but another node has a higher total.",
        by="mistakes",
    ),
    MistakeKind.NOWHERE: message("There is a node for this pod."),
    MistakeKind.SOMEWHERE: message("%(nodes)s is not the answer: look at each filter again."),
    MistakeKind.MISSED: plural(
        "%(number)s is missing from your answer.", "%(number)s are missing from your answer.", by="mistakes"
    ),
    MistakeKind.EXTRA: plural(
        "%(names)s does not belong to the answer.", "%(names)s do not belong to the answer.", by="mistakes"
    ),
    MistakeKind.OTHER_PLUGIN: plural(
        "The plugin named for %(nodes)s does not reject the pod there.",
        "The plugins named for %(nodes)s do not reject the pod there.",
        by="mistakes",
    ),
    MistakeKind.LATER_PLUGIN: plural(
        "The plugin named for %(nodes)s would reject the pod, but another filter comes first.",
        "The plugins named for %(nodes)s would reject the pod, but another filter comes first.",
        by="mistakes",
    ),
    MistakeKind.OTHER_OUTCOME: message("Something else happens."),
    MistakeKind.POSITION: plural(
        "%(names)s is not at its place in the order.", "%(names)s are not at their places in the order.", by="mistakes"
    ),
    MistakeKind.TOO_SMALL: message("The number is too small."),
    MistakeKind.TOO_LARGE: message("The number is too large."),
    MistakeKind.KEPT_FIELD: plural(
        "%(fields)s has to stay as it is.", "%(fields)s have to stay as they are.", by="mistakes"
    ),
}


def mistake_sentence(mistakes: Sequence[Mistake]) -> str:
    """Say what is wrong, of mistakes of one kind but unmet goals; what is missing is counted and not named."""
    first, number = mistakes[0], len(mistakes)
    if first.kind is MistakeKind.REFUSED:
        said = _("The API server would reject the changed object.")
        return said if first.problem is None else f"{said} {problem_sentence(first.problem)}"
    names = first_of([each.subject for each in mistakes], most=_NAMED)
    values: dict[str, str | int] = {
        "mistakes": number,
        "number": number,
        "nodes": names,
        "names": names,
        "fields": names,
    }
    return _SENTENCES[first.kind](**values)


def unmet(goal: Goal) -> str:
    """Say which goal a changed manifest does not meet."""
    return _("Not met yet: %(goal)s") % {"goal": goal_words(goal)}
