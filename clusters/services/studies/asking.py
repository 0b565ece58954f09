"""Studies as they are asked for and worked on: questions with several parts, and sweeps of configurations."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.db import OperationalError, transaction
from django.utils import timezone
from msgspec.structs import asdict, replace

from clusters.adapters.bad_input import printable, shown
from clusters.documents.titles import shape_label, study_title, template_label, threshold_label, variant_title
from clusters.documents.values import plain_json, value_document
from clusters.engine import SchedulerConfiguration, UnknownScheduler
from clusters.engine.admission import admit
from clusters.engine.objects import Document, Pod, key_of
from clusters.engine.owners import template_of
from clusters.engine.problems import (
    Empty,
    NotAList,
    NotAMap,
    NotAText,
    NotOneOf,
    OutOfRange,
    Repeated,
    TooLong,
    TooMany,
)
from clusters.engine.scheduling import uncertainties
from clusters.engine.simulation import (
    Base,
    Case,
    ChangedCluster,
    ChangeError,
    Origin,
    Portion,
    RemovalOptions,
    find_removable,
    gang_headroom,
    headroom,
    measures_of,
    nodes_needed,
    read_changes,
    ungrouped,
)
from clusters.engine.versions import ASSUMED, Release, match_release
from clusters.engine.workloads import with_template_claims
from clusters.models import Cluster, SimulationRun, Study, StudyPart
from clusters.models.run import Lane
from clusters.problems.orders import NoPodsAdded, WorkFailed
from clusters.services.decisions.explain import note
from clusters.services.lanes import Hold, send_all, work_on
from clusters.services.mirror.bases import beginning, free
from clusters.services.mirror.snapshots import ChangingTooFastError, configuration_of, document_of, release_of
from clusters.services.runs.cases import prepared_on
from clusters.services.runs.results import pending_after, placed_of
from clusters.services.runs.spec import (
    TEMPLATED,
    WORKLOADS,
    Spec,
    SpecError,
    check_json,
    pruned,
    read_configuration,
    read_manifests,
    read_version,
    refuse_nul,
)
from clusters.services.runs.starting import base_held, run_on, send, settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.contrib.auth.models import User

    from clusters.engine.snapshot import Snapshot


_RESULT_VERSION: Final = 2


def answer(part: StudyPart) -> dict[str, Any]:
    """Return the answer to a part, of structs as in the engine. Raises SpecError and UnknownScheduler."""
    study = part.study
    spec = Spec.stored(study.spec["run"])
    base = beginning(study.base, spec.scheduler_configuration().release)
    found = _ANSWERS[Study.Kind(study.kind)](base, spec, part.spec)
    return {"version": _RESULT_VERSION, **found}


def _headroom(base: Base, spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    case = prepared_on(base, spec).case
    portions = [Portion(_pod(each["manifest"], case.snapshot), each["share"]) for each in asked["mix"]]
    pods = [portion.pod for portion in portions]
    options: dict[str, Any] = {"seed": case.seed, "samples": case.samples, "admits": True}
    if "gang" in asked:
        gangs = gang_headroom(case.snapshot, case.configuration, pods[0], asked["gang"], **options)
        doubts = _uncertainties(case, [ungrouped(pods[0])])
        told = asdict(gangs)
        return {"headroom": told.pop("pods"), "gangs": told, "count": gangs.count, "uncertainties": doubts}
    found = headroom(case.snapshot, case.configuration, portions, **options)
    return {"headroom": found, "count": found.count, "uncertainties": _uncertainties(case, pods)}


def _needed(base: Base, spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Only pods that the changes bring count: those that wait anyway are another question."""
    case = prepared_on(base, spec).case
    wanted = [each for each in case.wanted if each.origin is not Origin.PENDING_BEFORE]
    if not wanted:
        raise SpecError("changes", NoPodsAdded())
    template = _template(base, spec, asked["template"])
    zones = asked["template"].get("zones") or ()
    found = nodes_needed(
        case.snapshot,
        case.configuration,
        template,
        wanted,
        zones=zones,
        seed=case.seed,
        samples=case.samples,
        admits=True,
    )
    return {"needed": found, "pods": len(wanted), "uncertainties": _uncertainties(case, [each.pod for each in wanted])}


def _uncertainties(case: Case, pods: Iterable[Document]) -> list[dict[str, Any]]:
    """Return what could reject one of the pods, and is not computed."""
    found = {
        each: None
        for pod in pods
        for each in uncertainties(case.snapshot, Pod(pod), case.configuration.profile_for(pod), is_created=False)
    }
    return [value_document(each) for each in found]


def _removable(base: Base, spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    case = prepared_on(base, spec).case
    others = [each.pod for each in case.wanted]
    options = RemovalOptions(**asked)
    placed = case.placed.values()
    found = find_removable(case.snapshot, case.configuration, placed, options, others=others, note=note)
    before, after = measures_of(case.snapshot), measures_of(found.after)
    told = {"removed": found.removed, "kept": found.kept, "is_verified": found.is_verified}
    return {**told, "before": before, "after": after}


_ANSWERS: Final = {
    Study.Kind.HEADROOM: _headroom,
    Study.Kind.NODES_NEEDED: _needed,
    Study.Kind.REMOVABLE: _removable,
}


def _pod(manifest: Document, snapshot: Snapshot) -> Document:
    """Return the pod that a manifest stands for, as the API server would store it. Raises SpecError."""
    pod: dict[str, Any] = dict(manifest)
    if manifest["kind"] in TEMPLATED:
        template, _path = template_of(manifest)
        own = manifest["metadata"]
        labels = (template.get("metadata") or {}).get("labels") or {}
        metadata = {"name": own["name"], "namespace": own["namespace"], "labels": labels}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
        # Each further replica brings claims of its own.
        pod = dict(with_template_claims(pod, manifest["spec"].get("volumeClaimTemplates") or ()))
    admission = admit(pod, snapshot)
    for refusal in admission.refusals:
        raise SpecError(f"{key_of(pod)}.{refusal.field}", refusal.problem)
    return admission.pod


def _template(base: Base, spec: Spec, template: Mapping[str, Any]) -> Document:
    """Return a node such as ``add-nodes`` would make with these fields. Raises SpecError."""
    (change,) = read_changes([{"change": "add-nodes", **template, "count": 1}])
    world = ChangedCluster(base, spec.scheduler_configuration())
    before = set(world.nodes)
    try:
        change.apply(world, "template")
    except ChangeError as error:
        raise SpecError(error.path, error.problem) from None
    (name,) = set(world.nodes) - before
    return world.nodes[name]


# Fields that the orders of all studies have: a list of parts, and a label of each.


# Studies whose parts are no runs: how many more pods fit, how many nodes are needed, which nodes could go.


def checked_list(value: Any, most: int, field: str) -> list[Any]:
    """Return a list of 1 to ``most`` entries. Raises SpecError."""
    if type(value) is not list:
        raise SpecError(field, NotAList(shown(value)))
    if not value:
        raise SpecError(field, Empty())
    if len(value) > most:
        raise SpecError(field, TooMany(len(value), most))
    return value


def checked_label(value: Any, most: int, field: str) -> str:
    """Return a label of 1 to ``most`` characters. Raises SpecError."""
    if type(value) is not str:
        raise SpecError(field, NotAText(shown(value)))
    if not value.strip():
        raise SpecError(field, Empty())
    if len(value) > most:
        raise SpecError(field, TooLong(shown(value), len(value), most))
    return value.strip()


# Parts of studies that are no runs: worked on, resumed when their worker died, and removed with their study.

State = StudyPart.State


def work_on_part(part_id: int) -> bool:
    """Answer one part that waits, if it does; what keeps it from an answer is recorded in it."""
    return work_on(StudyPart.objects.select_related("study__base").filter(pk=part_id), _answer)


def _answer(part: StudyPart, hold: Hold) -> None:
    try:
        result = plain_json(answer(part))
    except SpecError as error:
        hold.update(state=State.FAILED, error=error.as_dict())
    except UnknownScheduler as error:
        refused = SpecError("", NotOneOf(error.scheduler_name, error.known))
        hold.update(state=State.FAILED, error=refused.as_dict())
    except ChangingTooFastError as error:
        hold.update(state=State.FAILED, error=SpecError("", error.problem).as_dict())
    except OperationalError:
        raise
    except Exception:
        hold.update(state=State.FAILED, error=SpecError("", WorkFailed()).as_dict())
        raise
    else:
        hold.update(state=State.DONE, result=result)


def stored_parts(study: Study, parts: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Store the parts of a study, each a label and what it asks, and have workers begin them."""
    made = StudyPart.objects.bulk_create(
        StudyPart(study=study, number=number, label=label[:200], spec=spec, lane=Lane.SIMULATIONS)
        for number, (label, spec) in enumerate(parts)
    )
    transaction.on_commit(partial(send_all, StudyPart, [part.pk for part in made]))


def delete(study: Study) -> None:
    """Delete a study with all its parts and runs; workers that have some notice before they write again."""
    bases = {study.base_id, *study.runs.values_list("base_id", flat=True)}
    study.delete()
    for base_id in bases:
        free(base_id)


def prune() -> int:
    """Delete studies that are older than runs are kept, unless a review refers to a run of theirs."""
    before = timezone.now() - settings.BERTH_RUNS_KEPT
    old = Study.objects.filter(created_at__lt=before).exclude(runs__reports__isnull=False)
    count = 0
    for study in old.only("pk", "base_id"):
        delete(study)
        count += 1
    return count


Asked = dict[str, Any]

VERSION: Final = 1
MOST_PARTS: Final = 200
_MOST_IN_MIX: Final = 20
_LARGEST_SHARE: Final = 1_000
LARGEST_GANG: Final = 10_000
_LONGEST_LABEL: Final = 200


def create_headroom(*, cluster: Cluster | None, spec: Spec, shapes: Any, title: str, user: User | None) -> Study:
    """Ask how many more of each shape fit after the changes of ``spec``; each shape is a part. Raises SpecError.

    A shape has a ``mix``, a list of maps with ``manifest`` (a Pod or a workload, whose template is meant) or ``text``
    (the same in YAML), and a ``share``, how many of it come in each turn (1); and a ``label``. ``gang``: how many pods
    of the one in its mix are of use only together.
    """
    found = [_shape(entry, f"shapes[{number}]") for number, entry in enumerate(_listed(shapes, "shapes"))]
    return _study(Study.Kind.HEADROOM, cluster, spec, found, title, user)


def create_nodes_needed(*, cluster: Cluster | None, spec: Spec, templates: Any, title: str, user: User | None) -> Study:
    """Ask how many nodes the pods that ``spec`` adds would need; each template of nodes is a part. Raises SpecError.

    A template has the fields of the change ``add-nodes`` but ``count``, and a ``label``.
    """
    parts = []
    for number, entry in enumerate(_listed(templates, "templates")):
        field = f"templates[{number}]"
        if type(entry) is not dict:
            raise SpecError(field, NotAMap(shown(entry), ("like", "cpu", "memory", "zones", "label")))
        template = {name: value for name, value in entry.items() if name not in ("label", "count", "change")}
        try:
            read_changes([{"change": "add-nodes", **template, "count": 1}])
        except ChangeError as error:
            raise SpecError(error.path.replace("changes[0]", field), error.problem) from None
        parts.append((_label(entry.get("label"), template_label(template), field), {"template": template}))
    return _study(Study.Kind.NODES_NEEDED, cluster, spec, parts, title, user)


def create_removable(
    *, cluster: Cluster, spec: Spec, title: str, user: User | None, thresholds: Sequence[int] = (50,)
) -> Study:
    """Ask which nodes could go, with budgets, constraints and taints respected; each threshold is a part.

    A threshold is the percentage of CPU or memory that must be requested of a node for it to stay. Raises SpecError.
    """
    parts = []
    for number, threshold in enumerate(_listed(list(thresholds), "thresholds")):
        if type(threshold) is not int or not 1 <= threshold <= 100:
            raise SpecError(f"thresholds[{number}]", OutOfRange(shown(threshold), 1, 100))
        parts.append((threshold_label(threshold), {"threshold": threshold}))
    return _study(Study.Kind.REMOVABLE, cluster, spec, parts, title, user)


def _study(
    kind: Study.Kind,
    cluster: Cluster | None,
    spec: Spec,
    parts: Sequence[tuple[str, Asked]],
    title: str,
    user: User | None,
) -> Study:
    spec = settled(spec, cluster)
    with base_held(cluster, spec) as base:
        study = Study.objects.create(
            kind=kind,
            cluster=cluster,
            base=base,
            title=(printable(title).strip() or study_title(kind))[:200],
            spec={"version": VERSION, "run": spec.as_dict()},
            created_by=user,
        )
        stored_parts(study, parts)
    return study


def _shape(entry: Any, field: str) -> tuple[str, Asked]:
    if type(entry) is not dict or type(entry.get("mix")) is not list or not entry["mix"]:
        raise SpecError(field, NotAMap(shown(entry), ("mix", "gang", "label")))
    if len(entry["mix"]) > _MOST_IN_MIX:
        raise SpecError(f"{field}.mix", TooMany(len(entry["mix"]), _MOST_IN_MIX))
    mix: list[Asked] = []
    workloads: list[tuple[str, int]] = []
    for number, each in enumerate(entry["mix"]):
        place = f"{field}.mix[{number}]"
        if type(each) is not dict:
            raise SpecError(place, NotAMap(shown(each), ("manifest", "text", "share")))
        try:
            manifest = _manifest(each)
        except SpecError as error:
            raise error.within(place) from None
        share = each.get("share", 1)
        if type(share) is not int or not 1 <= share <= _LARGEST_SHARE:
            raise SpecError(f"{place}.share", OutOfRange(shown(share), 1, _LARGEST_SHARE))
        mix.append({"manifest": manifest, "share": share})
        workloads.append((str(manifest["metadata"]["name"]), share))
    asked: Asked = {"mix": mix}
    if "gang" in entry:
        gang = entry["gang"]
        if type(gang) is not int or not 1 <= gang <= LARGEST_GANG:
            raise SpecError(f"{field}.gang", OutOfRange(shown(gang), 1, LARGEST_GANG))
        if len(mix) > 1:
            raise SpecError(f"{field}.gang", TooMany(len(mix), 1))
        asked["gang"] = gang
    return _label(entry.get("label"), shape_label(workloads), field), asked


def _manifest(entry: Asked) -> Asked:
    """Return the one workload of an entry. Raises SpecError."""
    if "text" in entry:
        if type(entry["text"]) is not str:
            raise SpecError("text", NotAText(shown(entry["text"])))
        try:
            found = [each for each in read_manifests(entry["text"]).documents if each["kind"] in WORKLOADS]
            refuse_nul(found)
        except SpecError as error:
            raise error.within("text") from None
        if len(found) != 1:
            raise SpecError("text", TooMany(len(found), 1))
        return found[0]
    manifest = pruned(entry.get("manifest"))
    if manifest is None or manifest["kind"] not in WORKLOADS:
        raise SpecError("manifest.kind", NotOneOf(shown(entry["manifest"]["kind"]), tuple(sorted(WORKLOADS))))
    return manifest


def _listed(value: Any, field: str) -> list[Any]:
    try:
        check_json(value)
    except SpecError as error:
        raise error.within(field) from None
    return checked_list(value, MOST_PARTS, field)


def _label(value: Any, usual: str, field: str) -> str:
    if value is None:
        return usual[:_LONGEST_LABEL]
    return checked_label(value, _LONGEST_LABEL, f"{field}.label")


# The configurations that a sweep compares: each is the common one with one thing changed.

MOST_VARIANTS: Final = 40
# NodeResourcesFit by name: sweeps come with configurations that change its scoring strategy.
# PodTopologySpread by name: sweeps come with configurations that change its default constraints.
# DefaultPreemption by name: sweeps come with a configuration without it.
_FIT, _SPREAD, _PREEMPTION = "NodeResourcesFit", "PodTopologySpread", "DefaultPreemption"
_RESOURCES: Final = [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}]
_EMPTY: Final[Asked] = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
_LARGEST_WEIGHT: Final = 100
_VARIANTS_LONGEST_LABEL: Final = 100

AS_IS, WEIGHTS, CONFIGURATION = "as-is", "weights", "configuration"
# By name: the plugin, and what its arguments become.
_ARGUMENTS: Final[dict[str, tuple[str, Asked]]] = {
    "least-allocated": (
        _FIT,
        {"scoringStrategy": {"type": "LeastAllocated", "resources": _RESOURCES}},
    ),
    "most-allocated": (
        _FIT,
        {"scoringStrategy": {"type": "MostAllocated", "resources": _RESOURCES}},
    ),
    "requested-to-capacity": (
        _FIT,
        {
            "scoringStrategy": {
                "type": "RequestedToCapacityRatio",
                "resources": _RESOURCES,
                "requestedToCapacityRatio": {
                    "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
                },
            }
        },
    ),
    "default-spread": (_SPREAD, {"defaultingType": "System"}),
    "no-default-spread": (
        _SPREAD,
        {"defaultingType": "List", "defaultConstraints": []},
    ),
}
_ZONE_CONSTRAINTS: Final[Asked] = {
    "defaultingType": "List",
    "defaultConstraints": [
        {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway"}
    ],
}
# So much weight decides against most other scores together.
_STRONG: Final = 10
SPREADING, ZONE_AWARE, NO_PREEMPTION = "spreading", "zone-aware", "no-preemption"
BUILT_IN: Final = (AS_IS, *_ARGUMENTS, SPREADING, ZONE_AWARE, NO_PREEMPTION)
# What a whole cluster is tried under, by the name of what it is for.
PRESETS: Final = ("most-allocated", SPREADING, ZONE_AWARE, NO_PREEMPTION)


class Variant(NamedTuple):
    """A configuration of a sweep; the document is None for kube-scheduler's defaults.

    ``label``: what its sender calls it, or else its kind, or the weights that differ. ``kubernetes``: the version whose
    scheduler it is, empty for that of the sweep.
    """

    label: str
    configuration: Asked | None
    kubernetes: str = ""


def read_variants(entries: Any, common: Asked | None, release: Release = ASSUMED) -> list[Variant]:
    """Return the variants of a sweep over a common configuration. Raises SpecError.

    An entry has a ``kind``: one of BUILT_IN, ``weights`` (with ``weights``, a map from plugins to whole numbers; 0
    takes a plugin's score away), or ``configuration`` (with ``configuration``, a whole document); a ``label``; and
    ``kubernetes``, the version whose scheduler it is.
    """
    try:
        check_json(entries)
    except SpecError as error:
        raise error.within("variants") from None
    given = checked_list(entries, MOST_VARIANTS, "variants")
    found = [_variant_on_version(entry, common, f"variants[{number}]", release) for number, entry in enumerate(given)]
    seen: set[str] = set()
    for number, variant in enumerate(found):
        if variant.label in seen:
            raise SpecError(f"variants[{number}].label", Repeated(shown(variant.label)))
        seen.add(variant.label)
    return found


def preset_configuration(cluster: Cluster, preset: str) -> SchedulerConfiguration:
    """Return the configuration of a cluster, changed as a preset of BUILT_IN says. Raises ConfigurationError."""
    if preset == AS_IS:
        return configuration_of(cluster)
    return SchedulerConfiguration.from_dict(preset_document(cluster, preset), release_of(cluster))


def preset_document(cluster: Cluster, preset: str) -> Asked:
    """Return the document of a cluster's configuration, changed as a preset of BUILT_IN says."""
    (variant,) = read_variants([{"kind": preset}], document_of(cluster), release_of(cluster))
    return variant.configuration or _EMPTY


def _variant_on_version(entry: Any, common: Asked | None, field: str, release: Release) -> Variant:
    if type(entry) is not dict or not entry.get("kubernetes"):
        return _variant(entry, common, field, release)
    try:
        version = read_version(entry["kubernetes"])
    except SpecError as error:
        raise error.within(field) from None
    variant = _variant(entry, common, field, match_release(version).release)
    label = variant.label if entry.get("label") else f"{variant.label}, {version}"[:_VARIANTS_LONGEST_LABEL]
    return Variant(label, variant.configuration, version)


def _variant(entry: Any, common: Asked | None, field: str, release: Release) -> Variant:
    if type(entry) is not dict:
        raise SpecError(field, NotAMap(shown(entry), ("kind", "label", "kubernetes", WEIGHTS, CONFIGURATION)))
    kind, label = entry.get("kind"), entry.get("label")
    if label is not None:
        checked_label(label, _VARIANTS_LONGEST_LABEL, f"{field}.label")
    if kind == CONFIGURATION:
        return Variant(label or CONFIGURATION, entry.get("configuration"))
    if kind == WEIGHTS:
        weights = _weights(entry.get("weights"), common, f"{field}.weights", release)
        named = ", ".join(f"{plugin} {weight}" for plugin, weight in weights.items())
        return Variant(label or named[:_VARIANTS_LONGEST_LABEL], _weighed(common, weights))
    if kind == AS_IS:
        return Variant(label or AS_IS, common)
    if kind in (SPREADING, ZONE_AWARE):
        plugin, arguments = _ARGUMENTS["least-allocated"] if kind == SPREADING else (_SPREAD, _ZONE_CONSTRAINTS)
        strong = _weighed(_with_arguments(common, plugin, arguments), {_SPREAD: _STRONG})
        return Variant(label or kind, strong)
    if kind == NO_PREEMPTION:
        return Variant(label or kind, _without(common, "postFilter", _PREEMPTION))
    if type(kind) is not str or kind not in _ARGUMENTS:
        raise SpecError(f"{field}.kind", NotOneOf(shown(kind), (*BUILT_IN, WEIGHTS, CONFIGURATION)))
    plugin, arguments = _ARGUMENTS[kind]
    return Variant(label or kind, _with_arguments(common, plugin, arguments))


def _weights(value: Any, common: Asked | None, field: str, release: Release) -> dict[str, int]:
    if type(value) is not dict:
        raise SpecError(field, NotAMap(shown(value)))
    if not value:
        raise SpecError(field, Empty())
    document = common or _EMPTY
    configuration = SchedulerConfiguration.from_dict(document, release)
    known = sorted({plugin for profile in configuration.profiles for plugin in profile.weights})
    for plugin, weight in value.items():
        if plugin not in known:
            raise SpecError(f"{field}.{plugin}", NotOneOf(shown(plugin), tuple(known)))
        if type(weight) is not int or not 0 <= weight <= _LARGEST_WEIGHT:
            raise SpecError(f"{field}.{plugin}", OutOfRange(shown(weight), 0, _LARGEST_WEIGHT))
    return value


def _profiles(document: Asked | None) -> tuple[Asked, list[Asked]]:
    """Return a copy of a configuration, and its profiles, of which there is one at least."""
    changed = deepcopy(document) if document else dict(_EMPTY)
    profiles = changed.get("profiles") or [{"schedulerName": "default-scheduler"}]
    changed["profiles"] = profiles
    return changed, profiles


def _with_arguments(document: Asked | None, plugin: str, arguments: Asked) -> Asked:
    """Return the configuration with some arguments of a plugin replaced, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        entries = profile.setdefault("pluginConfig", [])
        entry = next((each for each in entries if each.get("name") == plugin), None)
        if entry is None:
            entry = {"name": plugin}
            entries.append(entry)
        entry["args"] = {**(entry.get("args") or {}), **arguments}
        if arguments.get("defaultingType") == "System":
            entry["args"].pop("defaultConstraints", None)
    return changed


def _without(document: Asked | None, point: str, plugin: str) -> Asked:
    """Return the configuration with a plugin disabled at an extension point, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        # What is enabled at all extension points, as by default, is disabled here by this, too.
        at_point = profile.setdefault("plugins", {}).setdefault(point, {})
        at_point["enabled"] = [each for each in at_point.get("enabled") or [] if each.get("name") != plugin]
        others = [each for each in at_point.get("disabled") or [] if each.get("name") != plugin]
        at_point["disabled"] = [*others, {"name": plugin}]
    return changed


def _weighed(document: Asked | None, weights: dict[str, int]) -> Asked:
    """Return the configuration with the scores of some plugins weighed otherwise, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        scored = profile.setdefault("plugins", {}).setdefault("score", {})
        enabled = [each for each in scored.get("enabled") or [] if each.get("name") not in weights]
        disabled = [each for each in scored.get("disabled") or [] if each.get("name") not in weights]
        scored["enabled"] = [
            *enabled,
            *({"name": name, "weight": weight} for name, weight in weights.items() if weight),
        ]
        scored["disabled"] = [*disabled, *({"name": name} for name in weights)]
    return changed


# Sweeps: one question under several configurations, each a run that whichever worker is free works on.


def create_sweep(*, cluster: Cluster | None, spec: Spec, variants: Any, title: str, user: User | None) -> Study:
    """Store a run for each variant of the configuration, all on the same base, and have workers begin them.

    ``variants`` as `read_variants` reads them. Raises SpecError.
    """
    spec = settled(spec, cluster)
    found = read_variants(variants, spec.configuration, spec.release)
    specs = []
    for number, variant in enumerate(found):
        try:
            on = replace(spec, kubernetes=variant.kubernetes, feature_gates=None) if variant.kubernetes else spec
            specs.append(on.under(read_configuration(variant.configuration, on.release)))
        except SpecError as error:
            raise error.within(f"variants[{number}]") from None
    with base_held(cluster, spec) as base:
        study = Study.objects.create(
            kind=Study.Kind.SWEEP,
            cluster=cluster,
            title=(printable(title).strip() or study_title(Study.Kind.SWEEP))[:200],
            spec={"version": VERSION, "run": spec.as_dict(), "variants": [variant.label for variant in found]},
            created_by=user,
        )
        runs = [
            run_on(
                base,
                cluster=cluster,
                spec=each,
                title=variant_title(study.title, variant.label),
                user=user,
                study=study,
            )
            for variant, each in zip(found, specs, strict=True)
        ]
        transaction.on_commit(partial(send, [run.pk for run in runs]))
    return study


def labelled_runs(study: Study) -> list[tuple[str, SimulationRun]]:
    """Return the runs of a sweep with the names of their variants, in the order in which those were given."""
    # A spec may hold a long trace.
    return list(zip(study.spec["variants"], study.runs.defer("spec").order_by("pk"), strict=True))


_DONE = SimulationRun.State.DONE.value
_OVER = (_DONE, SimulationRun.State.CANCELLED.value, SimulationRun.State.FAILED.value)


class StudyRow(NamedTuple):
    """One part of a study; ``figures`` is empty until it is done. ``run`` is the key of its run, if it is one."""

    label: str
    state: str
    run: int | None
    figures: dict[str, Any]
    error: dict[str, Any] | None


class Table(NamedTuple):
    """A study's parts in their order; ``done`` of them have an answer, ``over`` will not change any more."""

    rows: list[StudyRow]
    done: int
    over: int


def study_table(study: Study) -> Table:
    """Return what is known of a study by now."""
    if study.kind == Study.Kind.SWEEP:
        rows = [
            StudyRow(label, run.state, run.pk, {} if run.summary is None else sweep_figures(run.summary), run.error)
            for label, run in labelled_runs(study)
        ]
    else:
        rows = [
            StudyRow(part.label, part.state, None, part.result or {}, part.error)
            for part in StudyPart.objects.filter(study=study).order_by("number")
        ]
    states = [row.state for row in rows]
    return Table(rows, states.count(_DONE), sum(state in _OVER for state in states))


def sweep_figures(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one compares of runs under different configurations, of a run's summary.

    ``requested``: of what is allocatable, by resource. ``fits``: how many more of the first reference shape
    fit; without ``fits_is_whole`` at least as many.
    """
    pods, steps, placed = summary["pods"], summary["steps"], placed_of(summary)
    after = summary["after"]
    cluster, spread, budgets = after["cluster"], after["spread"], after["budgets"]
    shape = next(iter(cluster["fragmentation"]), None)
    return {
        "wanted": pods["wanted"],
        "placed": placed.certain,
        "uncertain": placed.uncertain,
        "newly_pending": pending_after(summary["origins"]).newly,
        "preempted": steps["preempted"],
        "evicted": steps["evicted"],
        "refused": steps["refused"],
        "nodes_in_use": cluster["nodes"] - cluster["empty"],
        "nodes_empty": cluster["empty"],
        "requested": {
            resource: amount["requested"] / amount["allocatable"]
            for resource, amount in cluster["amounts"].items()
            if amount["allocatable"]
        },
        "fullest": cluster["fullest"][0]["share"] if cluster["fullest"] else 0.0,
        "emptiest": cluster["emptiest"][0]["share"] if cluster["emptiest"] else 0.0,
        "fits": None if shape is None else shape["pods"],
        "fits_is_whole": shape is None or shape.get("is_whole", True),
        "violated": spread["hard_violated"] + spread["soft_violated"],
        "widest_skew": spread["widest"],
        "budgets_blocked": len(budgets["blocked"]),
    }
