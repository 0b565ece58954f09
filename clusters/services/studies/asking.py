"""Studies whose parts are no runs: how many more pods fit, how many nodes are needed, which nodes could go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import printable, shown
from clusters.documents.titles import shape_label, study_title, template_label, threshold_label
from clusters.engine.problems import NotAMap, NotAText, NotOneOf, OutOfRange, TooMany
from clusters.engine.simulation.changes import ChangeError, read_changes
from clusters.models import Study
from clusters.problems.simulations import NotOneWorkload
from clusters.services.runs.errors import SpecError
from clusters.services.runs.json_checks import check_json, refuse_nul
from clusters.services.runs.manifests import WORKLOADS, pruned, read_manifests
from clusters.services.runs.starting import base_held, settled
from clusters.services.studies.fields import checked_label, checked_list
from clusters.services.studies.parts import stored_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import User

    from clusters.models import Cluster
    from clusters.services.runs.spec import Spec

Document = dict[str, Any]

VERSION: Final = 1
MOST_PARTS: Final = 200
_MOST_IN_MIX: Final = 20
_LARGEST_SHARE: Final = 1_000
_LONGEST_LABEL: Final = 200


def create_headroom(*, cluster: Cluster | None, spec: Spec, shapes: Any, title: str, user: User | None) -> Study:
    """Ask how many more of each shape fit after the changes of ``spec``; each shape is a part. Raises SpecError.

    A shape has a ``mix``, a list of maps with ``manifest`` (a Pod or a workload, whose template is meant) or ``text``
    (the same in YAML), and a ``share``, how many of it come in each turn (1); and a ``label``.
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
    parts: Sequence[tuple[str, Document]],
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


def _shape(entry: Any, field: str) -> tuple[str, Document]:
    if type(entry) is not dict or type(entry.get("mix")) is not list or not entry["mix"]:
        raise SpecError(field, NotAMap(shown(entry), ("mix", "label")))
    if len(entry["mix"]) > _MOST_IN_MIX:
        raise SpecError(f"{field}.mix", TooMany(len(entry["mix"]), _MOST_IN_MIX))
    mix: list[Document] = []
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
    return _label(entry.get("label"), shape_label(workloads), field), {"mix": mix}


def _manifest(entry: Document) -> Document:
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
            raise SpecError("text", NotOneWorkload(len(found)))
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
