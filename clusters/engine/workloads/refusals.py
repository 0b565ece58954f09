"""Reads from the API server's answer why a controller cannot create an object: the one place that reads such answers.

Formats (v1.34.1): ``pkg/controller/controller_utils.go``, ``statefulset/stateful_pod_control.go``,
``deployment/sync.go`` and ``cronjob/cronjob_controllerv2.go`` around the answer; ``apimachinery/pkg/api/errors``; and
``apiserver/pkg/admission`` (``plugin/resourcequota``, ``webhook``, ``policy/validating``, ``namespace/lifecycle``),
``plugin/pkg/admission`` (``limitranger``, ``serviceaccount``, ``priority``, ``runtimeclass``, ``podnodeselector``),
``pod-security-admission/admission`` and ``apiserver/pkg/endpoints/handlers/responsewriters`` in it. Webhooks and
policies may say anything, so that every form is looked for at its place alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from clusters.engine.admission.problems import AboveMaximum, AboveRatio, BelowMinimum, RatioOfNothing
from clusters.engine.objects import name_of
from clusters.engine.quotas.problems import QuotaExceeded, QuotaUnspecified
from clusters.engine.workloads import problems as found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem

# What controllers write before the answer; that of StatefulSets begins with a capital from 1.35 on.
_WRAPPERS: Final = re.compile(
    r"Error creating(?: job)?: "
    r"|[Cc]reate Pod \S+ in StatefulSet \S+ failed error: "
    r"|[Cc]reate Claim \S+ for Pod \S+ in StatefulSet \S+ failed error: "
    r"|failed to create PVC \S+: "
    r'|Failed to create new replica set "[^"]*": '
)
_FORBIDDEN: Final = re.compile(r'(?P<resource>[a-z][\w.-]*)(?: "(?P<name>[^"]*)")? is forbidden: ')
_INVALID: Final = re.compile(r'(?P<kind>[A-Z][\w.-]*) "(?P<name>[^"]*)" is invalid: ')
_FIELD: Final = re.compile(
    r"(?:^\[?|, )(?P<field>[a-z<][^\s:]*): (?=(?:Not found|Required value|Duplicate value|Invalid value"
    r"|Unsupported value|Forbidden|Too long|Too many|Internal error)\b)"
)
_BOUND: Final = re.compile(
    r"(?P<bound>minimum|maximum) (?P<resource>\S+) usage per (?P<per>\w+) is (?P<amount>[^\s,]+?)"
    r"(?:, but (?P<role>request|limit) is (?P<given>[^\s,\]]+)|\.  No (?P<missing>request|limit) is specified)"
)
# Looked for at the beginning of a word alone, so that a long one costs no more than it is long.
_RATIO: Final = re.compile(
    r"(?<![^\s\[])(?P<resource>[^\s\[]+) max limit to request ratio per (?P<per>\w+) is (?P<ratio>[^\s,]+), but "
    r"(?:provided ratio is (?P<times>[0-9]{1,20}(?:\.[0-9]+)?)|no (?:request|limit) is specified or "
    r"(?:request|limit) is 0)"
)
_LIST: Final = re.compile(r"\[?(?:minimum|maximum|\S+ max limit to request ratio) ")


@dataclass(frozen=True, slots=True)
class CreationRefusal:
    """What the API server answered to a controller.

    ``resource``: the kind of the refused object as addresses of the API name it, with its group, and its ``name``; both
    are empty where the answer does not say. ``problems`` is never empty.
    """

    resource: str
    name: str
    problems: tuple[Problem, ...]


def refusal_of(message: str, namespace: str) -> CreationRefusal:
    """Read a controller's message about an object of a namespace that it cannot create."""
    answer = message
    while (wrapper := _WRAPPERS.match(answer)) is not None:
        answer = answer[wrapper.end() :]
    if (match := _FORBIDDEN.match(answer)) is not None:
        problems = _forbidden(answer[match.end() :], answer, namespace)
        return CreationRefusal(match["resource"], match["name"] or "", problems or (found.Unclassified(answer),))
    if (match := _INVALID.match(answer)) is not None:
        fields = tuple(_fields(match["kind"], answer[match.end() :]))
        return CreationRefusal("", match["name"], fields or (found.Unclassified(answer),))
    return _otherwise(answer, namespace)


def with_limit_ranges(refusal: CreationRefusal, ranges: Iterable[Document]) -> CreationRefusal:
    """Name the LimitRange of the namespace that has each bound, where one alone has it now."""
    bounds = [(name_of(each), limit) for each in ranges for limit in (each.get("spec") or {}).get("limits") or ()]
    return replace(refusal, problems=tuple(_named(problem, bounds) for problem in refusal.problems))


def _named(problem: Problem, bounds: list[tuple[str, Document]]) -> Problem:
    match problem:
        case BelowMinimum():
            field, amount = "min", problem.minimum
        case AboveMaximum():
            field, amount = "max", problem.maximum
        case AboveRatio() | RatioOfNothing():
            field, amount = "maxLimitRequestRatio", problem.ratio
        case _:
            return problem
    names = {
        name
        for name, limit in bounds
        if str(limit.get("type")).lower() == problem.per.lower()
        and str((limit.get(field) or {}).get(problem.resource, "")) == amount
    }
    return replace(problem, limit_range=f"LimitRange {names.pop()}") if len(names) == 1 else problem


def _otherwise(answer: str, namespace: str) -> CreationRefusal:
    """Read an answer that does not begin with the refused object."""
    # Of scopes that no quota covers the API server answers an error of its own (status 500) instead of Forbidden.
    match = re.match(r"insufficient quota to match these scopes: (?P<said>.+)", answer, re.DOTALL)
    if match is not None:
        return CreationRefusal("", "", (found.NoCoveringQuota(namespace, match["said"]),))
    match = re.match(r'admission webhook "(?P<webhook>[^"]+)" denied the request(?:: (?P<said>.*))?', answer, re.DOTALL)
    if match is not None:
        return CreationRefusal("", "", (found.WebhookDenied(match["webhook"], match["said"] or ""),))
    match = re.match(
        r'Internal error occurred: failed calling webhook "(?P<webhook>[^"]+)"(?::|;) (?P<said>.*)', answer, re.DOTALL
    )
    if match is not None:
        return CreationRefusal("", "", (found.WebhookFailed(match["webhook"], match["said"]),))
    match = re.match(
        r'(?P<leaving>object is being deleted: )?(?P<resource>\S+) "(?P<name>[^"]*)" already exists$', answer
    )
    if match is not None:
        problem = found.NameTaken(match["resource"], match["name"], match["leaving"] is not None)
        return CreationRefusal(match["resource"], match["name"], (problem,))
    match = re.match(r'namespaces "(?P<name>[^"]*)" not found$', answer)
    if match is not None:
        return CreationRefusal("", "", (found.NamespaceGone(match["name"]),))
    return CreationRefusal("", "", (found.Unclassified(answer),))


def _forbidden(why: str, answer: str, namespace: str) -> tuple[Problem, ...]:
    """Read why an object is forbidden; nothing where none of the forms is met."""
    if _LIST.match(why) is not None:
        return tuple(_bounds(why))
    for form, problem in _FORMS:
        match = form.match(why)
        if match is not None:
            return (problem(match, answer, namespace),)
    return ()


def _exceeded(match: re.Match[str], answer: str, namespace: str) -> Problem:
    requested, used, limited = (_amounts(match[part]) for part in ("requested", "used", "limited"))
    amounts = [tuple(each.get(name, "0") for name in requested) for each in (requested, used, limited)]
    return QuotaExceeded(namespace, match["quota"], answer, tuple(requested), *amounts)


def _amounts(text: str) -> dict[str, str]:
    return {name: amount for name, _, amount in (pair.partition("=") for pair in text.split(",")) if name}


def _unspecified(match: re.Match[str], answer: str, namespace: str) -> Problem:
    said = match["said"]
    # Earlier releases do not name the containers.
    parts = [part.partition(" for: ") for part in said.split("; " if " for: " in said else ",")]
    containers = sorted({name for *_, names in parts for name in names.split(",") if name})
    return QuotaUnspecified(
        namespace, match["quota"], answer, tuple(resource for resource, *_ in parts), tuple(containers)
    )


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str, str], Problem]], ...]] = (
    (
        re.compile(
            r"exceeded quota: (?P<quota>[^\s,]+), requested: (?P<requested>\S*), used: (?P<used>\S*), "
            r"limited: (?P<limited>\S*)"
        ),
        _exceeded,
    ),
    (re.compile(r"failed quota: (?P<quota>[^\s:]+): must specify (?P<said>.+)"), _unspecified),
    (
        re.compile(r"insufficient quota to consume: (?P<said>.+)", re.DOTALL),
        lambda match, _, namespace: found.NoCoveringQuota(namespace, match["said"]),
    ),
    (
        re.compile(r"status unknown for quota: (?P<quota>[^\s,]+), resources: (?P<resources>\S*)"),
        lambda match, _, namespace: found.QuotaNotCounted(
            namespace, match["quota"], tuple(match["resources"].split(","))
        ),
    ),
    (
        re.compile(r'violates PodSecurity "(?P<standard>[^"]+)": (?P<said>.+)', re.DOTALL),
        lambda match, _, namespace: found.PodSecurityViolated(namespace, match["standard"], match["said"]),
    ),
    (
        re.compile(
            r"ValidatingAdmissionPolicy '(?P<policy>[^']+)'(?: with binding '(?P<binding>[^']+)')? denied request: "
            r"(?P<said>.*)",
            re.DOTALL,
        ),
        lambda match, *_: found.PolicyDenied(match["policy"], match["binding"] or "", match["said"]),
    ),
    (
        re.compile(
            r'error looking up service account (?P<space>[^\s/]+)/(?P<name>\S+): serviceaccount "[^"]+" not found'
        ),
        lambda match, *_: found.AbsentServiceAccount(match["space"], match["name"]),
    ),
    (
        re.compile(r"no PriorityClass with name (?P<name>\S+) was found"),
        lambda match, *_: found.AbsentPriorityClass(match["name"]),
    ),
    (
        re.compile(r'pod rejected: RuntimeClass "(?P<name>[^"]+)" not found'),
        lambda match, *_: found.AbsentRuntimeClass(match["name"]),
    ),
    (
        re.compile(r"unable to create new content in namespace (?P<name>\S+) because it is being terminated"),
        lambda match, *_: found.NamespaceTerminating(match["name"]),
    ),
    (
        re.compile(r"pod node label selector (?:conflicts with its namespace|labels conflict with its namespace)"),
        lambda _, __, namespace: found.NodeSelectorConflict(namespace),
    ),
    (
        re.compile(r'User "(?P<user>[^"]*)" cannot (?P<verb>\S+) resource "(?P<resource>[^"]*)"'),
        lambda match, *_: found.NotPermitted(match["user"], match["verb"], match["resource"]),
    ),
)


def _bounds(why: str) -> list[Problem]:
    """Read what LimitRanger says, which puts several bounds into one list; it does not name the LimitRange."""
    matches = sorted([*_BOUND.finditer(why), *_RATIO.finditer(why)], key=re.Match.start)
    return [_ratio(match) if match.re is _RATIO else _bound(match) for match in matches]


def _bound(match: re.Match[str]) -> Problem:
    beyond = BelowMinimum if match["bound"] == "minimum" else AboveMaximum
    role = f"{match['role'] or match['missing']}s"
    return beyond("LimitRange", match["amount"], match["resource"], _per(match), role, match["given"] or "")


def _ratio(match: re.Match[str]) -> Problem:
    if match["times"] is None:
        return RatioOfNothing("LimitRange", match["ratio"], match["resource"], _per(match))
    return AboveRatio("LimitRange", match["ratio"], match["resource"], _per(match), float(match["times"]))


def _per(match: re.Match[str]) -> str:
    """Write what a bound is for as the checks of LimitRanges here do."""
    return match["per"].lower() if match["per"] in ("Container", "Pod") else match["per"]


def _fields(kind: str, why: str) -> list[Problem]:
    """Read the fields that validation refuses, of which there may be a list."""
    matches = list(_FIELD.finditer(why))
    ends = [match.start() for match in matches[1:]] + [len(why)]
    is_list = len(matches) > 1 and why.startswith("[") and why.endswith("]")
    ends[-1:] = [len(why) - is_list] if matches else []
    return [
        found.InvalidField(kind, match["field"], why[match.end() : end])
        for match, end in zip(matches, ends, strict=False)
    ]
