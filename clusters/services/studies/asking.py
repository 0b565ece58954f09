"""Studies whose parts are no runs: how many more pods fit, how many nodes are needed, which nodes could go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import printable, shown
from clusters.engine.simulation.changes import ChangeError, read_changes
from clusters.models import Study
from clusters.services.runs.errors import SpecError
from clusters.services.runs.manifests import WORKLOADS, pruned, read_manifests
from clusters.services.runs.spec import Spec, check_json, refuse_nul
from clusters.services.runs.starting import base_held, settled
from clusters.services.studies.parts import stored_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import User

    from clusters.models import Cluster

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
    return _study(Study.Kind.HEADROOM, cluster, spec, found, title or "Headroom", user)


def create_nodes_needed(*, cluster: Cluster | None, spec: Spec, templates: Any, title: str, user: User | None) -> Study:
    """Ask how many nodes the pods that ``spec`` adds would need; each template of nodes is a part. Raises SpecError.

    A template has the fields of the change ``add-nodes`` but ``count``, and a ``label``.
    """
    parts = []
    for number, entry in enumerate(_listed(templates, "templates")):
        field = f"templates[{number}]"
        if type(entry) is not dict:
            raise SpecError(
                field, f"{shown(entry)} is not a map.", 'Write a map such as {"cpu": "8", "memory": "32Gi"}.'
            )
        template = {name: value for name, value in entry.items() if name not in ("label", "count", "change")}
        try:
            read_changes([{"change": "add-nodes", **template, "count": 1}])
        except ChangeError as error:
            raise SpecError(error.path.replace("changes[0]", field), error.problem) from None
        usual = f"like {template['like']}" if template.get("like") else f"{template['cpu']} CPU, {template['memory']}"
        parts.append((_label(entry.get("label"), usual, field), {"template": template}))
    return _study(Study.Kind.NODES_NEEDED, cluster, spec, parts, title or "Nodes needed", user)


def create_removable(
    *, cluster: Cluster, spec: Spec, title: str, user: User | None, thresholds: Sequence[int] = (50,)
) -> Study:
    """Ask which nodes could go, with budgets, constraints and taints respected; each threshold is a part.

    A threshold is the percentage of CPU or memory that must be requested of a node for it to stay. Raises SpecError.
    """
    parts = []
    for number, threshold in enumerate(_listed(list(thresholds), "thresholds")):
        if type(threshold) is not int or not 1 <= threshold <= 100:
            field = f"thresholds[{number}]"
            raise SpecError(field, f"{shown(threshold)} is no percentage.", "Write a whole number from 1 to 100.")
        parts.append((f"Nodes of which less than {threshold} % is requested", {"threshold": threshold}))
    return _study(Study.Kind.REMOVABLE, cluster, spec, parts, title or "Nodes that could go", user)


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
            title=printable(title).strip()[:200],
            spec={"version": VERSION, "run": spec.as_dict()},
            created_by=user,
        )
        stored_parts(study, parts)
    return study


def _shape(entry: Any, field: str) -> tuple[str, Document]:
    if type(entry) is not dict or type(entry.get("mix")) is not list or not entry["mix"]:
        raise SpecError(field, f"{shown(entry)} is no shape.", 'Write a map such as {"mix": [{"text": "…"}]}.')
    if len(entry["mix"]) > _MOST_IN_MIX:
        raise SpecError(f"{field}.mix", f"It has {len(entry['mix'])} entries.", f"At most {_MOST_IN_MIX} are taken.")
    mix: list[Document] = []
    names: list[str] = []
    shares: list[int] = []
    for number, each in enumerate(entry["mix"]):
        place = f"{field}.mix[{number}]"
        if type(each) is not dict:
            raise SpecError(place, f"{shown(each)} is not a map.", 'Write a map with "manifest" or "text".')
        try:
            manifest = _manifest(each)
        except SpecError as error:
            raise error.within(place) from None
        share = each.get("share", 1)
        if type(share) is not int or not 1 <= share <= _LARGEST_SHARE:
            right = f"Write a whole number from 1 to {_LARGEST_SHARE:,}."
            raise SpecError(f"{place}.share", f"{shown(share)} is no share.", right)
        mix.append({"manifest": manifest, "share": share})
        names.append(str(manifest["metadata"]["name"]))
        shares.append(share)
    usual = " + ".join(
        names if len(names) == 1 else [f"{share} × {name}" for name, share in zip(names, shares, strict=True)]
    )
    return _label(entry.get("label"), usual, field), {"mix": mix}


def _manifest(entry: Document) -> Document:
    """Return the one workload of an entry. Raises SpecError."""
    if "text" in entry:
        if type(entry["text"]) is not str:
            raise SpecError("text", f"{shown(entry['text'])} is not a text.", "Write a Pod or a workload in YAML.")
        try:
            found = [each for each in read_manifests(entry["text"]).documents if each["kind"] in WORKLOADS]
            refuse_nul(found)
        except SpecError as error:
            raise error.within("text") from None
        if len(found) != 1:
            raise SpecError("text", f"It holds {len(found)} workloads.", "Write one; a mix has an entry for each.")
        return found[0]
    manifest = pruned(entry.get("manifest"))
    if manifest is None or manifest["kind"] not in WORKLOADS:
        raise SpecError("manifest.kind", "It is no workload.", f"Write one of {', '.join(sorted(WORKLOADS))}.")
    return manifest


def _listed(value: Any, field: str) -> list[Any]:
    try:
        check_json(value)
    except SpecError as error:
        raise error.within(field) from None
    if type(value) is not list or not 1 <= len(value) <= MOST_PARTS:
        if value == []:
            raise SpecError(field, "There are none.", f"Give at least one {field.removesuffix('s')}.")
        problem = f"It has {len(value):,} entries." if type(value) is list else f"{shown(value)} is not a list."
        remedy = f"Write a list of 1 to {MOST_PARTS}."
        raise SpecError(field, problem, remedy)
    return value


def _label(value: Any, usual: str, field: str) -> str:
    if value is None:
        return usual[:_LONGEST_LABEL]
    if type(value) is not str or not value.strip() or len(value) > _LONGEST_LABEL:
        raise SpecError(f"{field}.label", f"{shown(value)} is no name.", f"Write at most {_LONGEST_LABEL} characters.")
    return value.strip()
