"""What the API server refuses of objects beside pods, by rules between their fields and bounds of their values.

Each field's own type is looked at before. Upstream: the packages ``validation`` of ``pkg/apis`` (v1.37.2, feature gates
at their defaults), as far as scheduling reads the fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.plugins import BUILT_IN
from clusters.engine.admission.validation import (
    Wrong,
    check_labels,
    check_node_selector,
    check_selector,
    check_tolerations,
    wrongs_of,
)
from clusters.engine.cron import CronSchedule, ScheduleError
from clusters.engine.devices.inventory import CompileError, UnsupportedExpressionError, compiled
from clusters.engine.objects import Document, labels_of, metadata, name_of
from clusters.engine.owners import Controller
from clusters.engine.problems import (
    BelowLeast,
    BeyondOther,
    BothZero,
    Empty,
    InvalidValue,
    Missing,
    MustBe,
    NeedsOneOf,
    NotALabelKey,
    NotALabelValue,
    NotOneOf,
    NotTogether,
    OnlyBeside,
    OutOfRange,
    Problem,
    Quoted,
    Repeated,
    ReservedName,
    TooLong,
    TooMany,
    message,
    shown,
)
from clusters.engine.quantity import nano_units
from clusters.engine.selectors import LabelSelector, key_fault, value_fault
from clusters.engine.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


# Why the API server would refuse an object that is no pod.


class TemplateNotSelected(Problem, kind="TemplateNotSelected"):
    """A workload whose selector does not match the labels of its own template."""

    sentence = message("The selector does not match the pod template's labels.")


# Values that many kinds have: counts that are not negative, shares of pods, quantities, names that are there once.

_PERCENT: Final = re.compile(r"[0-9]{1,9}%")


def check_counts(owner: Document, path: str, *fields: str, least: int = 0) -> Iterator[Wrong]:
    """Yield fields whose numbers are below the least."""
    for field in fields:
        value = owner.get(field)
        if value is not None and value < least:
            yield Wrong(f"{path}.{field}", BelowLeast(str(value), least))


def check_share(value: Any, path: str, *, is_bounded: bool = True) -> Iterator[Wrong]:
    """Yield what ``ValidatePositiveIntOrPercent`` and, if bounded, ``IsNotMoreThan100Percent`` refuse."""
    if value is None:
        return
    is_percent = type(value) is str and _PERCENT.fullmatch(value) is not None
    is_right = (not is_bounded or int(value[:-1]) <= 100) if is_percent else type(value) is int and value >= 0
    if not is_right:
        yield Wrong(path, InvalidValue(shown(value), ("1", "25%")))


def is_zero(value: Any) -> bool:
    """Whether a share is none at all."""
    return value == 0 or (type(value) is str and value.rstrip("%").isdecimal() and int(value.rstrip("%")) == 0)


def check_quantities(amounts: Document | None, path: str) -> Iterator[Wrong]:
    """Yield amounts below 0."""
    for name, amount in (amounts or {}).items():
        if amount is not None and nano_units(amount) < 0:
            yield Wrong(f"{path}.{name}", BelowLeast(shown(amount), 0))


def check_repeated(values: Iterable[tuple[str, Any]]) -> Iterator[Wrong]:
    """Yield the places of values that an earlier place has; each comes with its place."""
    seen: set[Any] = set()
    for path, value in values:
        if value in seen:
            yield Wrong(path, Repeated(shown(value)))
        seen.add(value)


def check_one_of(owner: Document, path: str, fields: Sequence[str]) -> Iterator[Wrong]:
    """Yield an owner that has none of the fields, or more than one; an empty list is a field that is not there."""
    if sum(owner.get(field) not in (None, []) for field in fields) != 1:
        yield Wrong(path, NeedsOneOf(tuple(fields)))


# What bounds pods: budgets, quotas and limit ranges; and nodes, runtime classes and Services.
#
# Upstream: ``pkg/apis/policy/validation``, ``pkg/apis/core/validation`` and ``pkg/apis/node/validation``, v1.37.2.

_NANO: Final = 10**9
_SCOPES_APART: Final = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
_EXISTS_ONLY: Final = frozenset(
    {"BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"}
)
# Of a LimitRange, which amount may not exceed which.
_ORDERED: Final = (
    ("min", "max"),
    ("min", "defaultRequest"),
    ("defaultRequest", "max"),
    ("defaultRequest", "default"),
    ("min", "default"),
    ("default", "max"),
)


def budget(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PodDisruptionBudget."""
    fields = ("minAvailable", "maxUnavailable")
    if all(spec.get(field) is not None for field in fields):
        yield Wrong("spec", NotTogether(fields))
    for field in fields:
        yield from check_share(spec.get(field), f"spec.{field}")
    yield from check_selector(spec.get("selector"), "spec.selector")


def quota(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceQuota."""
    yield from check_quantities(spec.get("hard"), "spec.hard")
    expressions = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    for number, expression in enumerate(expressions):
        path = f"spec.scopeSelector.matchExpressions[{number}]"
        operator, values = expression.get("operator"), expression.get("values")
        if expression.get("scopeName") in _EXISTS_ONLY and operator != "Exists":
            yield Wrong(f"{path}.operator", NotOneOf(shown(operator), ("Exists",), "Exists"))
        elif operator in ("In", "NotIn") and not values:
            yield Wrong(f"{path}.values", Missing())
        elif operator in ("Exists", "DoesNotExist") and values:
            yield Wrong(f"{path}.values", NotTogether(("values", f"operator: {operator}")))
    for path, scopes in (
        ("spec.scopes", spec.get("scopes") or ()),
        ("spec.scopeSelector.matchExpressions", [each.get("scopeName") for each in expressions]),
    ):
        for pair in _SCOPES_APART:
            if all(scope in scopes for scope in pair):
                yield Wrong(path, NotTogether(pair))


def limit_range(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a LimitRange."""
    limits = spec.get("limits") or ()
    paths = [f"spec.limits[{number}]" for number in range(len(limits))]
    yield from check_repeated((f"{path}.type", limit.get("type")) for path, limit in zip(paths, limits, strict=True))
    for path, limit in zip(paths, limits, strict=True):
        kind = limit.get("type")
        for field in ("default", "defaultRequest") if kind == "Pod" else ():
            if limit.get(field):
                yield Wrong(f"{path}.{field}", OnlyBeside("type", "Container"))
        stored = (limit.get(field) or {} for field in ("min", "max"))
        if kind == "PersistentVolumeClaim" and not any("storage" in each for each in stored):
            yield Wrong(f"{path}.max.storage", Missing())
        for low, high in _ORDERED:
            above = limit.get(high) or {}
            for name, amount in (limit.get(low) or {}).items():
                other = above.get(name)
                if other is not None and nano_units(amount) > nano_units(other):
                    yield Wrong(f"{path}.{low}.{name}", BeyondOther(shown(amount), "≤", high, shown(other)))
        for name, ratio in (limit.get("maxLimitRequestRatio") or {}).items():
            if nano_units(ratio) < _NANO:
                yield Wrong(f"{path}.maxLimitRequestRatio.{name}", BelowLeast(shown(ratio), 1))


def node(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Node: its taints, and amounts below 0."""
    taints = spec.get("taints") or ()
    for number, taint in enumerate(taints):
        path = f"spec.taints[{number}]"
        if key_fault(taint["key"]):
            yield Wrong(f"{path}.key", NotALabelKey(shown(taint["key"])))
        if value_fault(taint.get("value") or ""):
            yield Wrong(f"{path}.value", NotALabelValue(shown(taint["value"])))
    yield from check_repeated(
        (f"spec.taints[{number}]", f"{taint['key']}:{taint['effect']}") for number, taint in enumerate(taints)
    )
    for field in ("capacity", "allocatable"):
        yield from check_quantities((document.get("status") or {}).get(field), f"status.{field}")


def runtime_class(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a RuntimeClass."""
    yield from check_quantities((document.get("overhead") or {}).get("podFixed"), "overhead.podFixed")
    scheduling = document.get("scheduling") or {}
    yield from check_labels(scheduling.get("nodeSelector"), "scheduling.nodeSelector")
    yield from check_tolerations(scheduling.get("tolerations") or (), "scheduling.tolerations")


# Claims of devices, their classes, what drivers publish, and device taints.
#
# Upstream: ``pkg/apis/resource/validation``, v1.37.2. Expressions are compiled as the newest minor does, which
# compiles whatever earlier ones do.

_MOST: Final = 32
_MOST_ALTERNATIVES: Final = 8
_MOST_DEVICES: Final = 128
_MOST_ADVANCED_DEVICES: Final = 64
_VALUES: Final = ("bool", "int", "string", "version", "bools", "ints", "strings", "versions")
_WHERE: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")


def resource_slice(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceSlice."""
    devices = spec.get("devices") or ()
    yield from check_one_of({field: spec.get(field) or None for field in _WHERE}, "spec", _WHERE)
    if spec.get("nodeSelector") is not None:
        yield from check_node_selector(spec["nodeSelector"], "spec.nodeSelector")
    if devices and spec.get("sharedCounters"):
        yield Wrong("spec", NotTogether(("devices", "sharedCounters")))
    yield from check_counts(spec.get("pool") or {}, "spec.pool", "generation")
    yield from check_counts(spec.get("pool") or {}, "spec.pool", "resourceSliceCount", least=1)
    bodies = [each.get("basic") or each for each in devices]
    is_advanced = any(each.get("taints") or each.get("consumesCounters") for each in bodies)
    most = _MOST_ADVANCED_DEVICES if is_advanced else _MOST_DEVICES
    if len(devices) > most:
        yield Wrong("spec.devices", TooMany(len(devices), most))
    yield from check_repeated((f"spec.devices[{number}].name", each["name"]) for number, each in enumerate(devices))
    for number, body in enumerate(bodies):
        path = f"spec.devices[{number}]" if body is devices[number] else f"spec.devices[{number}].basic"
        for name, attribute in (body.get("attributes") or {}).items():
            yield from check_one_of(attribute, f"{path}.attributes.{name}", _VALUES)
        amounts = {name: (each or {}).get("value") for name, each in (body.get("capacity") or {}).items()}
        yield from check_quantities(amounts, f"{path}.capacity")
        for place, taint in enumerate(body.get("taints") or ()):
            yield from _taint(taint, f"{path}.taints[{place}]")


def _claim(spec: Document, path: str) -> Iterator[Wrong]:
    devices, path = spec.get("devices") or {}, f"{path}.devices"
    requests, constraints = devices.get("requests") or (), devices.get("constraints") or ()
    for field, listed in (("requests", requests), ("constraints", constraints)):
        if len(listed) > _MOST:
            yield Wrong(f"{path}.{field}", TooMany(len(listed), _MOST))
    yield from check_repeated((f"{path}.requests[{number}].name", each["name"]) for number, each in enumerate(requests))
    names: list[str] = []
    for number, request in enumerate(requests):
        where = f"{path}.requests[{number}]"
        alternatives = request.get("firstAvailable") or ()
        names += [request["name"], *(f"{request['name']}/{each['name']}" for each in alternatives)]
        # v1beta1 has what is asked for in the request itself.
        if request.get("deviceClassName") and not alternatives and "exactly" not in request:
            yield from _request(request, where)
            continue
        yield from check_one_of(request, where, ("exactly", "firstAvailable"))
        if request.get("exactly") is not None:
            yield from _request(request["exactly"], f"{where}.exactly")
        if len(alternatives) > _MOST_ALTERNATIVES:
            yield Wrong(f"{where}.firstAvailable", TooMany(len(alternatives), _MOST_ALTERNATIVES))
        for place, alternative in enumerate(alternatives):
            yield from _request(alternative, f"{where}.firstAvailable[{place}]")
    for number, constraint in enumerate(constraints):
        where = f"{path}.constraints[{number}]"
        if constraint.get("matchAttribute") is None and constraint.get("distinctAttribute") is None:
            yield Wrong(f"{where}.matchAttribute", Missing())
        for place, name in enumerate(constraint.get("requests") or ()):
            if name not in names:
                yield Wrong(f"{where}.requests[{place}]", NotOneOf(shown(name), tuple(names)))


def _request(request: Document, path: str) -> Iterator[Wrong]:
    yield from _selectors(request.get("selectors") or (), f"{path}.selectors")
    count = request.get("count")
    if request.get("allocationMode") == "All":
        if count:
            yield Wrong(f"{path}.count", OnlyBeside("allocationMode", "ExactCount"))
    elif count is not None and count < 0:
        # 0 is a count that is not there, in whose place the API server writes 1.
        yield Wrong(f"{path}.count", BelowLeast(str(count), 1))
    for number, toleration in enumerate(request.get("tolerations") or ()):
        where = f"{path}.tolerations[{number}]"
        tolerates_any = toleration.get("operator") == "Exists"
        if not toleration.get("key") and not tolerates_any:
            yield Wrong(f"{where}.operator", MustBe("Equal", "Exists", 'key: ""'))
        if tolerates_any and toleration.get("value"):
            yield Wrong(f"{where}.value", NotTogether(("value", "operator: Exists")))


def _selectors(selectors: Sequence[Document], path: str) -> Iterator[Wrong]:
    if len(selectors) > _MOST:
        yield Wrong(path, TooMany(len(selectors), _MOST))
    for number, selector in enumerate(selectors):
        if not selector.get("cel"):
            yield Wrong(f"{path}[{number}].cel", Missing())
            continue
        try:
            compiled(str(selector["cel"].get("expression") or ""), NEWEST.dialect)
        except CompileError as error:
            yield Wrong(f"{path}[{number}].cel.expression", Quoted(str(error)))
        except UnsupportedExpressionError:
            continue


def _taint(taint: Document, path: str) -> Iterator[Wrong]:
    if key_fault(taint.get("key") or ""):
        yield Wrong(f"{path}.key", NotALabelKey(shown(taint.get("key"))))
    if value_fault(taint.get("value") or ""):
        yield Wrong(f"{path}.value", NotALabelValue(shown(taint["value"])))


# Groups of pods: their policies, and the names of their templates.
#
# Upstream: ``pkg/apis/scheduling/validation`` and the declarative rules of its types, v1.37.2.

_LISTS: Final = ("podGroups", "podGroupTemplates", "compositePodGroupTemplates")


def workload(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Workload."""
    named = list(_templates(spec, "spec"))
    yield from check_repeated((f"{path}.name", template.get("name")) for path, template in named)
    for path, template in named:
        yield from _policy(template, path)


def _templates(owner: Document, path: str) -> Iterator[tuple[str, Document]]:
    for field in _LISTS:
        for number, template in enumerate(owner.get(field) or ()):
            yield f"{path}.{field}[{number}]", template
            yield from _templates(template, f"{path}.{field}[{number}]")


def _policy(owner: Document, path: str) -> Iterator[Wrong]:
    field = "policy" if "policy" in owner else "schedulingPolicy"
    policy, where = owner.get(field) or {}, f"{path}.{field}"
    yield from check_one_of(policy, where, ("basic", "gang"))
    yield from check_counts(policy.get("gang") or {}, f"{where}.gang", "minCount", "minGroupCount", least=1)


# PriorityClasses: the bound of their values, the names that are the system's, and the one that is the default.
#
# Upstream: ``pkg/apis/scheduling/validation``, and ``plugin/pkg/admission/priority`` for the default, v1.37.2.

_LEAST: Final = -(2**31)
_PRIORITIES_MOST: Final = 1_000_000_000
_SYSTEM: Final = "system-"


def priority_class(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a class by itself."""
    name, value = name_of(document), document.get("value") or 0
    if name.startswith(_SYSTEM):
        if BUILT_IN.get(name) != value or document.get("globalDefault"):
            yield Wrong("metadata.name", ReservedName(name))
    elif value > _PRIORITIES_MOST:
        yield Wrong("value", OutOfRange(str(value), _LEAST, _PRIORITIES_MOST))


def second_default(document: Document, others: Iterable[Document]) -> Wrong | None:
    """Return what is wrong with a class that is marked as default beside another one; None where none is."""
    if document.get("globalDefault"):
        for other in others:
            if other.get("globalDefault") and name_of(other) != name_of(document):
                return Wrong("globalDefault", Repeated("globalDefault", f"PriorityClass {name_of(other)}"))
    return None


# Volumes and claims to them, and what nodes say of drivers.
#
# Upstream: ``pkg/apis/core/validation`` and ``pkg/apis/storage/validation``, v1.37.2.

_ALONE: Final = "ReadWriteOncePod"
# What a PersistentVolume has beside its source.
_NO_SOURCES: Final = frozenset(
    {
        "accessModes",
        "capacity",
        "claimRef",
        "mountOptions",
        "nodeAffinity",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "volumeAttributesClassName",
        "volumeMode",
    }
)


def volume_claim(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PersistentVolumeClaim."""
    yield from _modes(spec)
    yield from check_selector(spec.get("selector"), "spec.selector")
    requests = (spec.get("resources") or {}).get("requests") or {}
    yield from _storage(requests.get("storage"), "spec.resources.requests.storage")


def volume(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a PersistentVolume."""
    yield from _modes(spec)
    yield from _storage((spec.get("capacity") or {}).get("storage"), "spec.capacity.storage")
    sources = [field for field, source in spec.items() if field not in _NO_SOURCES and source is not None]
    if len(sources) > 1:
        yield Wrong("spec", NotTogether(tuple(sources)))
    required = (spec.get("nodeAffinity") or {}).get("required")
    if spec.get("local") is not None and required is None:
        yield Wrong("spec.nodeAffinity.required", Missing())
    if required is not None:
        yield from check_node_selector(required, "spec.nodeAffinity.required")


def csi_node(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a CSINode."""
    drivers = spec.get("drivers") or ()
    yield from check_repeated((f"spec.drivers[{number}].name", each["name"]) for number, each in enumerate(drivers))
    for number, driver in enumerate(drivers):
        yield from check_counts(driver.get("allocatable") or {}, f"spec.drivers[{number}].allocatable", "count")


def _modes(spec: Document) -> Iterator[Wrong]:
    modes = spec.get("accessModes") or ()
    if not modes:
        yield Wrong("spec.accessModes", Missing(("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", _ALONE)))
    elif _ALONE in modes and len(set(modes)) > 1:
        yield Wrong("spec.accessModes", NotTogether((_ALONE, *(mode for mode in modes if mode != _ALONE))))


def _storage(amount: Any, path: str) -> Iterator[Wrong]:
    if amount is None:
        yield Wrong(path, Missing())
    elif nano_units(amount) <= 0:
        yield Wrong(path, BelowLeast(shown(amount), 1))


# What makes pods: selectors and templates that go together, strategies, and the rules of Jobs.
#
# Upstream: ``pkg/apis/apps/validation``, ``pkg/apis/batch/validation`` and, for ReplicationControllers,
# ``pkg/apis/core/validation``, v1.37.2.

# A CronJob's Jobs bear its name and eleven characters more.
_LONGEST_CRON_NAME: Final = 52


def deployment(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Deployment."""
    yield from replica_set(document, spec)
    yield from check_counts(spec, "spec", "revisionHistoryLimit", "progressDeadlineSeconds")
    deadline, ready = spec.get("progressDeadlineSeconds"), spec.get("minReadySeconds") or 0
    if deadline is not None and 0 <= deadline <= ready:
        yield Wrong("spec.progressDeadlineSeconds", BelowLeast(str(deadline), ready + 1))
    strategy = spec.get("strategy") or {}
    rolling = strategy.get("rollingUpdate")
    if strategy.get("type") == "Recreate" and rolling is not None:
        yield Wrong("spec.strategy.rollingUpdate", OnlyBeside("type", "RollingUpdate"))
    elif rolling is not None:
        yield from _rolling(rolling, "spec.strategy.rollingUpdate", surge="25%")


def replica_set(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ReplicaSet, and of a Deployment as well."""
    yield from check_counts(spec, "spec", "replicas", "minReadySeconds")
    yield from _selected(document)


def replication_controller(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ReplicationController; without a selector it has its template's labels."""
    yield from check_counts(spec, "spec", "replicas", "minReadySeconds")
    template = spec.get("template")
    if template is None:
        yield Wrong("spec.template", Missing())
        return
    labels = labels_of(template)
    selector = spec.get("selector") or labels
    if not selector:
        yield Wrong("spec.selector", Empty())
    elif any(labels.get(key) != value for key, value in selector.items()):
        yield Wrong("spec.selector", TemplateNotSelected())
    yield from _template(template, "spec.template", restarts=("Always",))


def stateful_set(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a StatefulSet."""
    yield from check_counts(spec, "spec", "replicas", "minReadySeconds", "revisionHistoryLimit")
    yield from check_counts(spec.get("ordinals") or {}, "spec.ordinals", "start")
    strategy, path = spec.get("updateStrategy") or {}, "spec.updateStrategy.rollingUpdate"
    rolling = strategy.get("rollingUpdate")
    if rolling is not None and strategy.get("type") in ("OnDelete", "Recreate"):
        yield Wrong(path, OnlyBeside("type", "RollingUpdate"))
    elif rolling is not None:
        yield from check_counts(rolling, path, "partition")
        yield from check_share(rolling.get("maxUnavailable"), f"{path}.maxUnavailable")
        if is_zero(rolling.get("maxUnavailable")):
            yield Wrong(f"{path}.maxUnavailable", BelowLeast("0", 1))
    yield from _selected(document)


def daemon_set(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a DaemonSet; one that is mirrored has no selector."""
    yield from check_counts(spec, "spec", "minReadySeconds", "revisionHistoryLimit")
    strategy, path = spec.get("updateStrategy") or {}, "spec.updateStrategy.rollingUpdate"
    rolling = strategy.get("rollingUpdate")
    if rolling is not None and strategy.get("type") != "OnDelete":
        yield from _rolling(rolling, path, surge=0, unavailable=1)
        surges = rolling.get("maxSurge") is not None and not is_zero(rolling["maxSurge"])
        if surges and not is_zero(rolling.get("maxUnavailable", 1)):
            yield Wrong(path, NotTogether(("maxSurge", "maxUnavailable")))
    if spec.get("selector") is not None:
        yield from _selected(document)
    elif spec.get("template") is not None:
        yield from _template(spec["template"], "spec.template", restarts=("Always",))


def job(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Job."""
    if spec.get("selector") is not None and not spec.get("manualSelector"):
        yield Wrong("spec.selector", OnlyBeside("manualSelector", "true"))
    yield from _job(spec, "spec")


def cron_job(document: Document, spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a CronJob."""
    name = name_of(document)
    if len(name) > _LONGEST_CRON_NAME:
        yield Wrong("metadata.name", TooLong(shown(name), len(name), _LONGEST_CRON_NAME))
    schedule = spec.get("schedule")
    if schedule is not None and not _is_schedule(schedule):
        yield Wrong("spec.schedule", InvalidValue(shown(schedule), ("0 3 * * 1-5",)))
    yield from check_counts(
        spec, "spec", "startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"
    )
    path, own = "spec.jobTemplate.spec", (spec.get("jobTemplate") or {}).get("spec") or {}
    for field in ("selector", "manualSelector"):
        if own.get(field):
            yield Wrong(f"{path}.{field}", OnlyBeside("kind", "Job"))
    if own:
        yield from _job(own, path)


def _is_schedule(text: str) -> bool:
    """Whether a text is a schedule; a time zone has a field of its own."""
    try:
        CronSchedule.of(text)
    except ScheduleError:
        return False
    return "TZ" not in text


def _job(spec: Document, path: str) -> Iterator[Wrong]:
    yield from check_counts(
        spec,
        path,
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
        "ttlSecondsAfterFinished",
    )
    if spec.get("completionMode") == "Indexed":
        if spec.get("completions") is None:
            yield Wrong(f"{path}.completions", Missing())
        if spec.get("maxFailedIndexes") is not None and spec.get("backoffLimitPerIndex") is None:
            yield Wrong(f"{path}.backoffLimitPerIndex", Missing())
    else:
        for field in ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"):
            if spec.get(field) is not None:
                yield Wrong(f"{path}.{field}", OnlyBeside("completionMode", "Indexed"))
    restarts = ("Never",) if spec.get("podFailurePolicy") is not None else ("OnFailure", "Never")
    yield from _template(spec.get("template") or {}, f"{path}.template", restarts=restarts)


def _rolling(rolling: Document, path: str, *, surge: Any, unavailable: Any = "25%") -> Iterator[Wrong]:
    """Check a rolling update; ``surge`` and ``unavailable`` are what the API server fills in."""
    yield from check_share(rolling.get("maxUnavailable"), f"{path}.maxUnavailable")
    yield from check_share(rolling.get("maxSurge"), f"{path}.maxSurge", is_bounded=surge == 0)
    given = [rolling.get("maxSurge"), rolling.get("maxUnavailable")]
    filled = [default if value is None else value for value, default in zip(given, (surge, unavailable), strict=True)]
    if all(map(is_zero, filled)):
        yield Wrong(path, BothZero(("maxSurge", "maxUnavailable")))


def _selected(document: Document) -> Iterator[Wrong]:
    """Check that a selector finds the pods of its template, and that template.

    Of a ReplicaSet the template may be missing, as where its Deployment has it, and it is not mirrored twice.
    """
    spec = document.get("spec") or {}
    selector, template = spec.get("selector") or {}, spec.get("template")
    faults = list(check_selector(selector, "spec.selector"))
    yield from faults
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        yield Wrong("spec.selector", Empty())
    elif template is not None and not faults and not LabelSelector.from_dict(selector).matches(labels_of(template)):
        yield Wrong("spec.selector", TemplateNotSelected())
    if template is not None and (template.get("spec") is not None or Controller.of(document) is None):
        yield from _template(template, "spec.template", restarts=("Always",))


def _template(template: Document, path: str, *, restarts: tuple[str, ...]) -> Iterator[Wrong]:
    """Check the pods of a template, and how they restart; a Job's have to say so."""
    spec = template.get("spec")
    if spec is None:
        yield Wrong(f"{path}.spec", Missing())
        return
    restart = spec.get("restartPolicy") or "Always"
    if restart not in restarts:
        close = restarts[0] if len(restarts) == 1 else ""
        yield Wrong(f"{path}.spec.restartPolicy", NotOneOf(shown(restart), restarts, close))
    if "Always" in restarts and spec.get("activeDeadlineSeconds") is not None:
        yield Wrong(f"{path}.spec.activeDeadlineSeconds", OnlyBeside("kind", "Job"))
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata(template), "spec": spec}
    for wrong in wrongs_of(pod, is_admitted=False):
        yield Wrong(f"{path}.{wrong.field}", wrong.problem)


# Each of an object and its spec.
_RULES: Final[dict[str, Callable[[Document, Document], Iterator[Wrong]]]] = {
    "CSINode": csi_node,
    "CompositePodGroup": lambda _, spec: _policy(spec, "spec"),
    "CronJob": cron_job,
    "DaemonSet": daemon_set,
    "Deployment": deployment,
    "DeviceClass": lambda _, spec: _selectors(spec.get("selectors") or (), "spec.selectors"),
    "DeviceTaintRule": lambda _, spec: _taint(spec.get("taint") or {}, "spec.taint"),
    "Job": job,
    "LimitRange": limit_range,
    "Node": node,
    "PersistentVolume": volume,
    "PersistentVolumeClaim": volume_claim,
    "PodDisruptionBudget": budget,
    "PodGroup": lambda _, spec: _policy(spec, "spec"),
    "PriorityClass": priority_class,
    "ReplicaSet": replica_set,
    "ReplicationController": replication_controller,
    "ResourceClaim": lambda _, spec: _claim(spec, "spec"),
    "ResourceClaimTemplate": lambda _, spec: _claim(spec.get("spec") or {}, "spec.spec"),
    "ResourceQuota": quota,
    "ResourceSlice": resource_slice,
    "RuntimeClass": runtime_class,
    # Its ports have no say in where pods run, and are not kept.
    "Service": lambda _, spec: check_labels(spec.get("selector"), "spec.selector"),
    "StatefulSet": stateful_set,
    "Workload": workload,
}


def wrongs_of_object(document: Document) -> Iterator[Wrong]:
    """Yield every field for which the API server would refuse an object; none of kinds without rules here."""
    yield from check_labels(metadata(document).get("labels"), "metadata.labels")
    rules = _RULES.get(str(document.get("kind")))
    if rules is not None:
        yield from rules(document, document.get("spec") or {})
