"""What workloads fail at: why the API server refuses their objects, read from its answers, and the next try."""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct, structs
from msgspec.structs import replace

from clusters.engine.admission import admit
from clusters.engine.admission.problems import (
    AboveMaximum,
    AboveRatio,
    BelowMinimum,
    RatioOfNothing,
)
from clusters.engine.devices.claims import claims_from_templates
from clusters.engine.objects import Document, labels_of, name_of, namespace_of
from clusters.engine.problems import Chosen, NoSuchObject, Problem, message
from clusters.engine.quantity import QuantityError
from clusters.engine.quotas import (
    Charge,
    Quota,
    QuotaAmount,
    QuotaDemand,
    QuotaExceeded,
    QuotaLedger,
    QuotaUnspecified,
    claim_charge,
    device_claim_charge,
    device_quota_rules,
    object_charge,
    pod_charge,
)
from clusters.engine.volumes import IMAGINED_CLAIM, claim_use

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

    from clusters.engine.owners import Workload
    from clusters.engine.snapshot import Snapshot

# What workloads fail at, as their controllers report it.


# Reads from the API server's answer why a controller cannot create an object: the one place that reads such answers.
#
# Formats (v1.34.1): ``pkg/controller/controller_utils.go``, ``statefulset/stateful_pod_control.go``,
# ``deployment/sync.go`` and ``cronjob/cronjob_controllerv2.go`` around the answer; ``apimachinery/pkg/api/errors``;
# and ``apiserver/pkg/admission`` (``plugin/resourcequota``, ``webhook``, ``policy/validating``,
# ``namespace/lifecycle``), ``plugin/pkg/admission`` (``limitranger``, ``serviceaccount``, ``priority``,
# ``runtimeclass``, ``podnodeselector``), ``pod-security-admission/admission`` and
# ``apiserver/pkg/endpoints/handlers/responsewriters`` in it. Webhooks and policies may say anything, so that every
# form is looked for at its place alone.


class FailureKind(enum.StrEnum):
    """What a controller cannot do, or has not done, the gravest first."""

    CREATE = "create"
    DELETE = "delete"
    PROGRESS = "progress"
    STARTS = "starts"
    JOB = "job"


class MissedStarts(Struct, frozen=True):
    """How many starts a CronJob has missed. ``is_put_off``: one of its Jobs is active, and it forbids another."""

    starts: int
    is_put_off: bool


class WorkloadFailure(Struct, frozen=True):
    """What a workload's controller reports. ``missing``: pods that it should have and has not, None where not known.

    ``reason`` and ``message`` are the controller's own words; the message may be empty. ``since``: when it failed
    first (RFC 3339), empty where that is not told. ``refusal``: what the API server answered, of what cannot be
    created; ``next_try``: what it would answer now, None where that is not known. ``missed``: of a CronJob whose
    controller reports nothing by which to tell, what its schedule tells.
    """

    workload: Workload
    kind: FailureKind
    reason: str
    message: str
    missing: int | None
    since: str = ""
    refusal: CreationRefusal | None = None
    next_try: NextTry | None = None
    missed: MissedStarts | None = None


# By workload, the gravest first; of each kind one.
Failures = dict["Workload", tuple[WorkloadFailure, ...]]

# Why the API server refuses an object that a controller creates, as its answer says it.
#
# What quotas and LimitRanges refuse stands with them: ``clusters.engine.quotas`` and
# ``clusters.engine.admission.problems``. A field ``said`` has words of others.


class NoCoveringQuota(Problem, kind="NoCoveringQuota"):
    """Resources or scopes that are limited by default, as the API server is configured, and no quota covers them."""

    sentence = message("No ResourceQuota of namespace %(namespace)s covers %(said)s.")
    remedy = message("Create one that does.")

    namespace: str
    said: str


class QuotaNotCounted(Problem, kind="QuotaNotCounted"):
    """The quota controller has not written yet what is used of ``resources``."""

    sentence = message("The usage of ResourceQuota %(namespace)s/%(quota)s is not counted yet: %(resources)s.")
    remedy = message("Check kube-controller-manager.")

    namespace: str
    quota: str
    resources: tuple[str, ...]


class PodSecurityViolated(Problem, kind="PodSecurityViolated"):
    """The namespace enforces a Pod Security Standard, ``level:version``, that ``said`` violates."""

    sentence = message("It violates the Pod Security Standard %(standard)s of namespace %(namespace)s.")
    remedy = message("Change the template's security context.")

    namespace: str
    standard: str
    said: str


class WebhookDenied(Problem, kind="WebhookDenied"):
    """An admission webhook denies the request; ``said`` is empty without an explanation."""

    sentence = message("The admission webhook %(webhook)s denies the request.")
    remedy = message("Change the pod template.")

    webhook: str
    said: str


class WebhookFailed(Problem, kind="WebhookFailed"):
    """An admission webhook that must answer could not be called, or answered nothing that can be used."""

    sentence = message("The call of the admission webhook %(webhook)s fails.")
    remedy = message("Check its service, or set failurePolicy to Ignore.")

    webhook: str
    said: str


class PolicyDenied(Problem, kind="PolicyDenied"):
    """A ValidatingAdmissionPolicy denies the request, by one of its bindings, empty where none is named."""

    sentence = (
        message("ValidatingAdmissionPolicy %(policy)s, bound by %(binding)s, denies the request."),
        message("ValidatingAdmissionPolicy %(policy)s denies the request."),
    )
    remedy = message("Change the pod template.")

    policy: str
    binding: str
    said: str


class InvalidField(Problem, kind="InvalidField"):
    """Validation refuses a field of an object of ``of_kind``."""

    sentence = message("%(of_kind)s: %(field)s is invalid.")
    remedy = message("Correct it in the template.")

    of_kind: str
    field: str
    said: str


class NamespaceTerminating(Problem, kind="NamespaceTerminating"):
    """The namespace is being deleted."""

    sentence = message("Namespace %(namespace)s is terminating.")
    remedy = message("Move the workload to another one.")

    namespace: str


class NotPermitted(Problem, kind="NotPermitted"):
    """The controller's user may not create such objects."""

    sentence = message("%(user)s may not %(verb)s %(resource)s.")
    remedy = message("Bind a Role that allows it.")

    user: str
    verb: str
    resource: str


class NodeSelectorConflict(Problem, kind="NodeSelectorConflict"):
    """The pod's node selector conflicts with the one that the namespace's annotation adds, or is not allowed there."""

    sentence = message("The node selector conflicts with namespace %(namespace)s.")
    remedy = message("Change one of the two.")

    namespace: str


class NameTaken(Problem, kind="NameTaken"):
    """An object of this name exists; ``is_leaving``: and is being deleted."""

    sentence = Chosen(
        "is_leaving",
        {
            True: message("%(name)s (%(resource)s) is still being deleted."),
            False: message("%(name)s (%(resource)s) exists and is not the controller's."),
        },
    )
    remedy = Chosen(
        "is_leaving", {True: message("Wait, or check its finalizers."), False: message("Delete or rename it.")}
    )

    resource: str
    name: str
    is_leaving: bool


class Unclassified(Problem, kind="Unclassified"):
    """An answer of another form than those that are read."""

    sentence = message("The API server refuses the request.")
    remedy = message("See the message.")

    said: str


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


class CreationRefusal(Struct, frozen=True):
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
        return CreationRefusal(match["resource"], match["name"] or "", problems or (Unclassified(answer),))
    if (match := _INVALID.match(answer)) is not None:
        fields = tuple(_fields(match["kind"], answer[match.end() :]))
        return CreationRefusal("", match["name"], fields or (Unclassified(answer),))
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
    return structs.replace(problem, limit_range=f"LimitRange {names.pop()}") if len(names) == 1 else problem


def _otherwise(answer: str, namespace: str) -> CreationRefusal:
    """Read an answer that does not begin with the refused object."""
    # Of scopes that no quota covers the API server answers an error of its own (status 500) instead of Forbidden.
    match = re.match(r"insufficient quota to match these scopes: (?P<said>.+)", answer, re.DOTALL)
    if match is not None:
        return CreationRefusal("", "", (NoCoveringQuota(namespace, match["said"]),))
    match = re.match(r'admission webhook "(?P<webhook>[^"]+)" denied the request(?:: (?P<said>.*))?', answer, re.DOTALL)
    if match is not None:
        return CreationRefusal("", "", (WebhookDenied(match["webhook"], match["said"] or ""),))
    match = re.match(
        r'Internal error occurred: failed calling webhook "(?P<webhook>[^"]+)"(?::|;) (?P<said>.*)', answer, re.DOTALL
    )
    if match is not None:
        return CreationRefusal("", "", (WebhookFailed(match["webhook"], match["said"]),))
    match = re.match(
        r'(?P<leaving>object is being deleted: )?(?P<resource>\S+) "(?P<name>[^"]*)" already exists$', answer
    )
    if match is not None:
        problem = NameTaken(match["resource"], match["name"], match["leaving"] is not None)
        return CreationRefusal(match["resource"], match["name"], (problem,))
    match = re.match(r'namespaces "(?P<name>[^"]*)" not found$', answer)
    if match is not None:
        return CreationRefusal("", "", (NoSuchObject("Namespace", match["name"]),))
    return CreationRefusal("", "", (Unclassified(answer),))


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
        lambda match, _, namespace: NoCoveringQuota(namespace, match["said"]),
    ),
    (
        re.compile(r"status unknown for quota: (?P<quota>[^\s,]+), resources: (?P<resources>\S*)"),
        lambda match, _, namespace: QuotaNotCounted(namespace, match["quota"], tuple(match["resources"].split(","))),
    ),
    (
        re.compile(r'violates PodSecurity "(?P<standard>[^"]+)": (?P<said>.+)', re.DOTALL),
        lambda match, _, namespace: PodSecurityViolated(namespace, match["standard"], match["said"]),
    ),
    (
        re.compile(
            r"ValidatingAdmissionPolicy '(?P<policy>[^']+)'(?: with binding '(?P<binding>[^']+)')? denied request: "
            r"(?P<said>.*)",
            re.DOTALL,
        ),
        lambda match, *_: PolicyDenied(match["policy"], match["binding"] or "", match["said"]),
    ),
    (
        re.compile(
            r'error looking up service account (?P<space>[^\s/]+)/(?P<name>\S+): serviceaccount "[^"]+" not found'
        ),
        lambda match, *_: NoSuchObject("ServiceAccount", f"{match['space']}/{match['name']}"),
    ),
    (
        re.compile(r"no PriorityClass with name (?P<name>\S+) was found"),
        lambda match, *_: NoSuchObject("PriorityClass", match["name"]),
    ),
    (
        re.compile(r'pod rejected: RuntimeClass "(?P<name>[^"]+)" not found'),
        lambda match, *_: NoSuchObject("RuntimeClass", match["name"]),
    ),
    (
        re.compile(r"unable to create new content in namespace (?P<name>\S+) because it is being terminated"),
        lambda match, *_: NamespaceTerminating(match["name"]),
    ),
    (
        re.compile(r"pod node label selector (?:conflicts with its namespace|labels conflict with its namespace)"),
        lambda _, __, namespace: NodeSelectorConflict(namespace),
    ),
    (
        re.compile(r'User "(?P<user>[^"]*)" cannot (?P<verb>\S+) resource "(?P<resource>[^"]*)"'),
        lambda match, *_: NotPermitted(match["user"], match["verb"], match["resource"]),
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
        InvalidField(kind, match["field"], why[match.end() : end]) for match, end in zip(matches, ends, strict=False)
    ]


# Workloads whose pods cannot be created, by what the API server refuses them for.


class RefusedGroup(Struct, frozen=True):
    """Workloads that the API server refuses pods, or Jobs, for the same reason, those that lack most pods first."""

    failures: tuple[WorkloadFailure, ...]

    @property
    def missing(self) -> int:
        """How many pods they lack together, as far as that is known."""
        return sum(failure.missing or 0 for failure in self.failures)

    @property
    def since(self) -> str:
        """Since when the first of them fails (RFC 3339), empty where that is not told."""
        return min((failure.since for failure in self.failures if failure.since), default="")


def refused(failures: Failures) -> list[WorkloadFailure]:
    """The failure of each workload whose pods, or Jobs, cannot be created."""
    return [found[0] for found in failures.values() if found[0].kind is FailureKind.CREATE]


def late(failures: Failures) -> list[WorkloadFailure]:
    """The failure of each CronJob of which nothing graver is known than that it has missed starts."""
    return [found[0] for found in failures.values() if found[0].kind is FailureKind.STARTS]


def refused_groups(failures: Failures) -> list[RefusedGroup]:
    """Workloads whose pods cannot be created by cause, the cause for which most pods are missing first."""
    by_cause: dict[Hashable, list[WorkloadFailure]] = {}
    for failure in refused(failures):
        by_cause.setdefault(_cause(failure), []).append(failure)
    groups = [
        RefusedGroup(tuple(sorted(found, key=lambda failure: (-(failure.missing or 0), failure.workload))))
        for found in by_cause.values()
    ]
    return sorted(groups, key=lambda group: (-group.missing, group.failures[0].workload))


def _cause(failure: WorkloadFailure) -> Hashable:
    """What is the same for all workloads that one change would help."""
    if failure.refusal is None:
        return failure.workload
    return failure.workload.namespace, failure.refusal.resource, tuple(map(cause_of, failure.refusal.problems))


def cause_of(problem: Problem) -> Problem:
    """A problem without what differs from pod to pod: what is left tells causes apart."""
    match problem:
        case QuotaExceeded():
            return structs.replace(problem, message="", requested=(), used=(), limited=())
        case QuotaUnspecified():
            return structs.replace(problem, message="", containers=())
        case BelowMinimum() | AboveMaximum():
            return structs.replace(problem, amount="")
        case AboveRatio():
            return structs.replace(problem, times=0.0)
        case PodSecurityViolated() | PolicyDenied() | WebhookDenied() | WebhookFailed() | InvalidField():
            return structs.replace(problem, said="")
        case NoSuchObject():
            return structs.replace(problem, known=(), total=0)
        case _as_it_is:
            return problem


# What the API server would answer a controller that tries again now, by what is mirrored.
#
# Upstream (v1.34.1): the pods of ``GetPodFromTemplate`` in ``pkg/controller/controller_utils.go``, the claims of
# ``getPersistentVolumeClaims`` in ``pkg/controller/statefulset``, and admission as ``clusters.engine.admission`` and
# ``clusters.engine.quotas`` have it. Webhooks, policies, Pod Security, service accounts and permissions are not
# computed.

# The kinds by which each answer that is computed is decided.
_DECIDED_BY: Final = {
    QuotaExceeded: "ResourceQuota",
    QuotaUnspecified: "ResourceQuota",
    BelowMinimum: "LimitRange",
    AboveMaximum: "LimitRange",
    AboveRatio: "LimitRange",
    RatioOfNothing: "LimitRange",
}
_DECIDING_CLASSES: Final = frozenset({"PriorityClass", "RuntimeClass"})


class NextTry(Struct, frozen=True):
    """What becomes of the ``wanted`` pods, or the one Job, that a controller creates next.

    ``admitted``: how many are created before one is refused; ``problems``: why that one is, empty where all are
    admitted. ``demands``: what they would use of quotas. ``is_decisive``: what was refused before is among what is
    computed, so that it no longer holds where ``problems`` does not have it.
    """

    wanted: int
    admitted: int
    problems: tuple[Problem, ...]
    demands: tuple[QuotaDemand, ...]
    is_decisive: bool


DECIDING: Final = frozenset(_DECIDED_BY.values()) | _DECIDING_CLASSES


def _deciding(problem: Problem) -> str:
    """Return the kind by which an answer is decided; empty for one that is not computed."""
    if isinstance(problem, NoSuchObject):
        return problem.object_kind if problem.object_kind in _DECIDING_CLASSES else ""
    return _DECIDED_BY.get(type(problem), "")


def next_try(
    workload: Document,
    wanted: int,
    snapshot: Snapshot,
    quotas: Iterable[Document],
    *,
    before: Iterable[Problem],
    unread: Collection[str],
) -> NextTry | None:
    """Answer a workload's controller that creates ``wanted`` pods, or a CronJob's that creates a Job.

    ``quotas``: those of its namespace, with what is used. ``before``: what was refused; ``unread``: those of DECIDING
    that the source does not hold. None where the template is not mirrored or has an amount that is none, or where what
    decides is not mirrored.
    """
    refused = list(before)
    if any(_is_unread(problem, snapshot, unread) for problem in refused):
        return None
    is_decisive = all(map(_deciding, refused))
    ledger = QuotaLedger(quotas)
    if workload.get("kind") == "CronJob":
        return _answered(ledger, [object_charge(workload, "jobs", "batch")], 1, is_decisive=is_decisive)
    pod = _pod_of(workload)
    if pod is None:
        return None
    try:
        admission = admit(pod, snapshot)
        rules = device_quota_rules(snapshot)
        claims = claims_from_templates(snapshot, admission.pod)[1]
        charges = [
            *_claims(workload, wanted, snapshot),
            pod_charge(admission.pod, rules),
            *_ephemeral(admission.pod),
            *(device_claim_charge(claim, rules) for claim in claims),
        ]
    except QuantityError:
        return None
    if admission.refusals:
        problems = tuple(dict.fromkeys(refusal.problem for refusal in admission.refusals))
        return NextTry(wanted, 0, problems, (), is_decisive)
    return _answered(ledger, charges, wanted, is_decisive=is_decisive)


def _is_unread(problem: Problem, snapshot: Snapshot, unread: Collection[str]) -> bool:
    """Whether an answer was given by an object that the source does not hold, of a kind that it does not either."""
    kind = _deciding(problem)
    if kind not in unread:
        return False
    match problem:
        case QuotaExceeded() | QuotaUnspecified():
            return snapshot.object(kind, problem.quota, problem.namespace) is None
        case _other:
            return not any(True for _ in snapshot.objects(kind))


def _pod_of(workload: Document) -> Document | None:
    """Return the next pod of a workload, which its template makes."""
    template = (workload.get("spec") or {}).get("template") or {}
    if not template.get("spec"):
        return None
    fields = {"name": name_of(workload), "namespace": namespace_of(workload), "labels": labels_of(template)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": fields, "spec": template["spec"], "status": {}}


def _claims(workload: Document, wanted: int, snapshot: Snapshot) -> Iterator[Charge]:
    """Yield what the claims of a StatefulSet's next pod are charged that do not exist yet."""
    spec = workload.get("spec") or {}
    if workload.get("kind") != "StatefulSet":
        return
    replicas = 1 if spec.get("replicas") is None else int(spec["replicas"])
    ordinal = int((spec.get("ordinals") or {}).get("start") or 0) + max(0, replicas - wanted)
    for template in spec.get("volumeClaimTemplates") or ():
        name = f"{name_of(template)}-{name_of(workload)}-{ordinal}"
        if snapshot.object("PersistentVolumeClaim", name, namespace_of(workload)) is None:
            yield claim_charge({**template, "metadata": {"name": name, "namespace": namespace_of(workload)}})


def _ephemeral(pod: Document) -> Iterator[Charge]:
    """Yield what the claims of ephemeral volumes are charged."""
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        use = claim_use(volume, name_of(pod))
        if use is not None and use.ephemeral:
            template = volume["ephemeral"].get("volumeClaimTemplate") or {}
            metadata = {"name": use.claim, "namespace": namespace_of(pod), "uid": f"{IMAGINED_CLAIM}{use.claim}"}
            yield claim_charge({**template, "metadata": metadata})


def _answered(ledger: QuotaLedger, charges: list[Charge], wanted: int, *, is_decisive: bool) -> NextTry:
    """Charge as many pods with their claims as fit; what the first that does not is refused for."""
    demands = tuple(
        QuotaDemand(quota.namespace, quota.name, resource, quota.hard[resource], quota.used[resource], each, wanted)
        for quota, amounts in _together(ledger, charges)
        for resource, each in sorted(amounts.items())
    )
    rooms = ((demand.hard.nanos - demand.used.nanos) // demand.each.nanos for demand in demands)
    fitting = max(0, min(wanted, *rooms)) if demands else wanted
    for charge in charges:
        for quota in ledger.counting(charge):
            quota.add(charge, fitting)
    refusal = None
    for charge in charges:
        refusal = refusal or ledger.charge(charge)
    if isinstance(refusal, QuotaUnspecified):
        return NextTry(wanted, 0, (refusal,), (), is_decisive)
    if refusal is None or fitting == wanted:
        return NextTry(wanted, wanted, (), demands, is_decisive)
    return NextTry(wanted, fitting, (refusal,), demands, is_decisive)


def _together(ledger: QuotaLedger, charges: Iterable[Charge]) -> Iterator[tuple[Quota, dict[str, QuotaAmount]]]:
    """Yield each quota that counts any of the objects, with what it counts of all of them."""
    by_quota: dict[str, tuple[Quota, dict[str, QuotaAmount]]] = {}
    for charge in charges:
        for quota in ledger.counting(charge):
            _, amounts = by_quota.setdefault(quota.name, (quota, {}))
            for resource, amount in charge.amounts.items():
                if resource in quota.hard:
                    amounts[resource] = amounts[resource].plus(amount) if resource in amounts else amount
    yield from by_quota.values()
