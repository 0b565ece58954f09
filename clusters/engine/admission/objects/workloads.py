"""What makes pods: selectors and templates that go together, strategies, and the rules of Jobs.

Upstream: ``pkg/apis/apps/validation``, ``pkg/apis/batch/validation`` and, for ReplicationControllers,
``pkg/apis/core/validation``, v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.objects.amounts import check_counts, check_share, is_zero
from clusters.engine.admission.objects.problems import (
    BothZero,
    NotASchedule,
    NotTogether,
    OnlyBeside,
    TemplateNotSelected,
)
from clusters.engine.admission.validation import wrongs_of
from clusters.engine.admission.validation.selecting import check_selector
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import LabelSelector
from clusters.engine.objects import labels_of, metadata, name_of
from clusters.engine.problems import BelowLeast, Empty, Missing, NotOneOf, TooLong
from clusters.engine.showing import shown
from clusters.engine.workloads.cron_schedule import CronSchedule, ScheduleError
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

# A CronJob's Jobs bear its name and eleven characters more.
_LONGEST_CRON_NAME: Final = 52


def deployment(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Deployment."""
    spec = document.get("spec") or {}
    yield from replica_set(document)
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


def replica_set(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ReplicaSet, and of a Deployment as well."""
    spec = document.get("spec") or {}
    yield from check_counts(spec, "spec", "replicas", "minReadySeconds")
    yield from _selected(document)


def replication_controller(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ReplicationController; without a selector it has its template's labels."""
    spec = document.get("spec") or {}
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


def stateful_set(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a StatefulSet."""
    spec = document.get("spec") or {}
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


def daemon_set(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a DaemonSet; one that is mirrored has no selector."""
    spec = document.get("spec") or {}
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


def job(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a Job."""
    spec = document.get("spec") or {}
    if spec.get("selector") is not None and not spec.get("manualSelector"):
        yield Wrong("spec.selector", OnlyBeside("manualSelector", "true"))
    yield from _job(spec, "spec")


def cron_job(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a CronJob."""
    name, spec = name_of(document), document.get("spec") or {}
    if len(name) > _LONGEST_CRON_NAME:
        yield Wrong("metadata.name", TooLong(shown(name), len(name), _LONGEST_CRON_NAME))
    schedule = spec.get("schedule")
    if schedule is not None and not _is_schedule(schedule):
        yield Wrong("spec.schedule", NotASchedule(shown(schedule)))
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
