"""Small clusters with a question each, and what must come of it wherever it is asked.

A row is one line in the table of tests that asks terminal, API and page. Rows of our own hold their objects; others
name files in a directory of cases that may lie beside the project.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson
import yaml

from tests.clusters.dumps import node, pod
from tests.clusters.runs.test_spec import CATS, CRON_JOB, SLICE

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]

FITS: Final = "fits"
DOES_NOT_FIT: Final = "unschedulable"
UNCERTAIN: Final = "uncertain"
# The API server would not take it.
REFUSED: Final = "refused"

_CLAIMED: Final = "resource claims are not computed (DynamicResources)"
_CLAIMS: Final = [{"name": "device", "resourceClaimName": "device"}]
_EXTENDER: Final = {"urlPrefix": "https://extender.example/api", "filterVerb": "filter"}
_FOO: Final = "example.com/foo"


@dataclass(frozen=True, slots=True)
class Row:
    """A question about a cluster: of the pod ``namespace/name`` in it, of the ``manifest`` in YAML, or of a ``change``.

    ``says`` and ``also``: what all three say in these words; ``never``: what none of them says. ``objects`` are the
    cluster's, unless ``dump`` names a shared file, and after a ``#`` one of the cases recorded in it: then ``manifest``
    names a file, too. ``config_file`` is always one.
    """

    name: str
    expected: str
    says: str = ""
    pod: str = ""
    manifest: str = ""
    objects: list[Object] = field(default_factory=list)
    configuration: Object | None = None
    dump: str = ""
    config_file: str = ""
    change: Object | None = None
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Question:
    """A row as files, for whoever asks: what the cluster holds, and the manifest's text."""

    dump: Path
    manifest: str
    configuration: Path | None


def question(row: Row, folder: Path, shared: Path) -> Question:
    """Lay a row out as files."""
    name, _, case = row.dump.partition("#")
    dump = shared / name if name else folder / "dump.json"
    manifest = (shared / row.manifest).read_text(encoding="utf-8") if name and row.manifest else row.manifest
    configuration = shared / row.config_file if row.config_file else None
    if case:
        lines = map(json.loads, dump.read_text(encoding="utf-8").splitlines())
        recorded = next(each for each in lines if each["name"] == case)
        dump = folder / "dump.json"
        _write(dump, [*recorded["objects"], *recorded["pods"]])
    elif not name:
        _write(dump, row.objects)
    if row.configuration is not None:
        configuration = folder / "scheduler.yaml"
        configuration.write_text(yaml.safe_dump(row.configuration), encoding="utf-8")
    return Question(dump, manifest, configuration)


def _write(path: Path, objects: list[Object]) -> None:
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))


def _object(kind: str, name: str, namespace: str = "", **fields: Any) -> Object:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **fields}


def _manifest(kind: str = "Pod", *, namespace: str = "shop", resources: Object | None = None, **spec: Any) -> str:
    container = {"name": "main", "image": "app:1", "resources": resources or {}}
    return yaml.safe_dump(_object(kind, "new", namespace, spec={"containers": [container], **spec}))


def _asking(name: str, requests: Object, **spec: Any) -> Object:
    resources = {"requests": requests, "limits": requests}
    return pod(name, containers=[{"name": "main", "image": "app:1", "resources": resources}], **spec)


def _configuration(**fields: Any) -> Object:
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}


def _quota(**spec: Any) -> Object:
    return _object("ResourceQuota", "few", "shop", spec={"hard": {"pods": "1"}, **spec})


def _templated(kind: str, *, replicas: int | None = None, **spec: Any) -> Object:
    """A workload of the cluster that has no pods."""
    labels = {"app": "agent"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "app:1"}], **spec}}
    counted = {} if replicas is None else {"replicas": replicas}
    found = _object(kind, "agent", "shop", spec={**counted, "selector": {"matchLabels": labels}, "template": template})
    return {**found, "apiVersion": "apps/v1"}


def _budget(spec: str) -> str:
    return f"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: web}}\nspec: {spec}\n"


def _claim(storage: str) -> str:
    spec: Object = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": storage}}}
    spec["storageClassName"] = "late"
    return yaml.safe_dump(_object("PersistentVolumeClaim", "data", "shop", spec=spec))


_BOUNDED: Final = _object(
    "LimitRange", "bounds", "shop", spec={"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}}]}
)
_LATE: Final = {
    **_object("StorageClass", "late", provisioner="p", volumeBindingMode="WaitForFirstConsumer"),
    "apiVersion": "storage.k8s.io/v1",
}
_LARGE: Final = {"requests": {"cpu": "99"}}
_USES_CLAIM: Final = _manifest(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])


def _controlled(document: Object) -> Object:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "old", "uid": "rs-old", "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


OWN: Final = (
    Row("plain", FITS, pod="shop/web", objects=[node("n1"), pod("web")]),
    Row("selector", DOES_NOT_FIT, pod="shop/web", objects=[node("n1"), pod("web", nodeSelector={"a": "b"})]),
    Row(
        "larger than any node",
        DOES_NOT_FIT,
        "The pod requests 64 CPU; the largest node has",
        pod="shop/web",
        objects=[node("n1"), pod("web", containers=[{"name": "c", "resources": {"requests": {"cpu": "64"}}}])],
    ),
    Row(
        "pods that could go",
        DOES_NOT_FIT,
        "Evict shop/old from n1: it fits on n2, and this pod then on n1.",
        pod="shop/web",
        objects=[
            node("n1"),
            node("n2", status={"allocatable": {"cpu": "1", "memory": "8Gi", "pods": "110"}}),
            _controlled(pod("old", on="n1")),
            pod("web", containers=[{"name": "c", "resources": {"requests": {"cpu": "4"}}}]),
        ],
    ),
    Row("claims", UNCERTAIN, _CLAIMED, pod="shop/web", objects=[node("n1"), pod("web", resourceClaims=_CLAIMS)]),
    Row(
        "claims of a pod that fits nowhere",
        DOES_NOT_FIT,
        pod="shop/web",
        objects=[node("n1"), pod("web", resourceClaims=_CLAIMS, nodeSelector={"a": "b"})],
    ),
    Row(
        "foreign filter",
        UNCERTAIN,
        "the plugin Coscheduling is not part of Kubernetes",
        pod="shop/web",
        objects=[node("n1"), pod("web")],
        configuration=_configuration(profiles=[{"plugins": {"permit": {"enabled": [{"name": "Coscheduling"}]}}}]),
    ),
    Row(
        "foreign score",
        FITS,
        "Scores of Colocation are not computed: another node may be best.",
        pod="shop/web",
        objects=[node("n1"), pod("web")],
        configuration=_configuration(profiles=[{"plugins": {"score": {"enabled": [{"name": "Colocation"}]}}}]),
    ),
    Row(
        "extender",
        UNCERTAIN,
        "filters the nodes",
        pod="shop/web",
        objects=[node("n1"), pod("web")],
        configuration=_configuration(extenders=[_EXTENDER]),
    ),
    Row(
        "extender of a resource that the pod does not request",
        FITS,
        pod="shop/web",
        objects=[node("n1"), pod("web")],
        configuration=_configuration(extenders=[{**_EXTENDER, "managedResources": [{"name": _FOO}]}]),
    ),
    Row(
        "extender of a pod that computed filters reject",
        DOES_NOT_FIT,
        pod="shop/web",
        objects=[node("n1"), _asking("web", {_FOO: "5"})],
        configuration=_configuration(extenders=[_EXTENDER]),
    ),
    Row("many resources", FITS, pod="shop/web", objects=[
        node("n1", status={"allocatable": {"cpu": "4", "pods": "9", **{f"{_FOO}{n}": "1" for n in range(70)}}}),
        _asking("web", {f"{_FOO}{n}": "1" for n in range(70)}),
    ]),
    Row("new pod", FITS, manifest=_manifest(), objects=[node("n1")]),
    Row("new pod too large", DOES_NOT_FIT, manifest=_manifest(resources=_LARGE), objects=[node("n1")]),
    Row("new pod with claims", UNCERTAIN, _CLAIMED, manifest=_manifest(resourceClaims=_CLAIMS), objects=[node("n1")]),
    Row(
        "new pod that a quota allows",
        FITS,
        manifest=_manifest(),
        objects=[node("n1"), _quota()],
    ),
    Row(
        "new pod that a quota refuses",
        DOES_NOT_FIT,
        "is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1",
        manifest=_manifest(),
        objects=[node("n1"), pod("web"), _quota()],
    ),
    Row(
        "new pod under a quota of the same manifest",
        DOES_NOT_FIT,
        "exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0",
        manifest="---\n".join((yaml.safe_dump(_quota(hard={"pods": "0"})), _manifest())),
        objects=[node("n1")],
    ),
    Row("pod that was charged", FITS, pod="shop/web", objects=[node("n1"), pod("web"), _quota()]),
    Row(
        "new pod outside of a quota's scope",
        FITS,
        manifest=_manifest(),
        objects=[node("n1"), _quota(scopes=["Terminating"])],
    ),
    Row("new pod beside a quota", FITS, manifest=_manifest(namespace="other"), objects=[node("n1"), _quota()]),
    Row(
        "new pod with a claim under a quota of storage",
        DOES_NOT_FIT,
        "exceeded quota: few, requested: requests.storage=2Gi, used: requests.storage=0, limited: requests.storage=1Gi",
        manifest="---\n".join((_claim("2Gi"), _USES_CLAIM)),
        objects=[
            node("n1"),
            _quota(hard={"requests.storage": "1Gi"}),
            _LATE,
        ],
    ),
    Row(
        "claim above a bound",
        REFUSED,
        "LimitRange bounds: at most 1Gi of storage per PersistentVolumeClaim, not 5Gi (requests).",
        manifest="---\n".join((_claim("5Gi"), _USES_CLAIM)),
        objects=[node("n1"), _BOUNDED],
    ),
    Row("half a device", REFUSED, manifest=_manifest(resources={"limits": {_FOO: "500m"}}), objects=[node("n1")]),
    Row(
        "label for a DaemonSet",
        FITS,
        "1 of 1 placed",
        objects=[node("n1"), node("n2"), _templated("DaemonSet", nodeSelector={"disk": "ssd"})],
        change={"change": "label-nodes", "nodes": ["n1"], "labels": {"disk": "ssd"}},
    ),
    Row(
        "scale from zero",
        FITS,
        "2 of 2 placed",
        objects=[node("n1"), _templated("Deployment", replicas=0)],
        change={"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "agent", "replicas": 2},
    ),
    Row("devices of a manifest", DOES_NOT_FIT, "cannot allocate all claims", manifest=CATS, objects=[node("n1")]),
    Row("devices beside a manifest", FITS, manifest=CATS + SLICE.replace("SIZE", "large"), objects=[node("n1")]),
    Row("a CronJob", FITS, "2 of 2 placed", manifest=CRON_JOB, objects=[node("n1")]),
    *(
        Row(f"budget {spec}", REFUSED, says, manifest=_budget(spec), objects=[node("n1")])
        for spec, says in (
            ("{minAvailable: 1, maxUnavailable: 1}", "exclude each other"),
            ("{minAvailable: -1}", "-1 is not valid here"),
            ("{maxUnavailable: 150%}", "'150%' is not valid here"),
            ("{maxUnavailable: foo}", "'foo' is not valid here"),
            ("{unhealthyPodEvictionPolicy: Always}", "AlwaysAllow"),
        )
    ),
)  # fmt: skip

SHARED: Final = (
    Row(
        "quota: m-quota1",
        DOES_NOT_FIT,
        "exceeded quota: q, requested: pods=1",
        dump="quota.json",
        manifest="m-quota1.yaml",
    ),
    Row(
        "adm: m-quota",
        DOES_NOT_FIT,
        "limits.cpu=2,pods=2,requests.cpu=1, limited",
        dump="adm.json",
        manifest="m-quota.yaml",
    ),
    Row(
        "adm: m-quotanoreq",
        DOES_NOT_FIT,
        "failed quota: q: must specify limits.cpu for: c; requests.cpu for: c",
        dump="adm.json",
        manifest="m-quotanoreq.yaml",
    ),
    Row("lrpod: m-lrpvc", REFUSED, "LimitRange lr: at most 1Gi of storage", dump="lrpod.json", manifest="m-lrpvc.yaml"),
    Row("gpu: m-dra", UNCERTAIN, _CLAIMED, dump="gpu.json", manifest="m-dra.yaml"),
    Row("dra: w", DOES_NOT_FIT, "no devices for the claims", dump="dra.json", pod="default/w"),
    Row("dra: miss", DOES_NOT_FIT, "could not find ResourceClaim", dump="dra.json", pod="default/miss"),
    Row("dra: shared", FITS, dump="dra.json", pod="default/shared"),
    Row("dra: tmpl", DOES_NOT_FIT, "ResourceClaim not created yet", dump="dra.json", pod="default/tmpl"),
    Row("ext: plain", UNCERTAIN, "filters the nodes", dump="ext.json", pod="default/plain", config_file="ext2.yaml"),
    Row("ext: foo", DOES_NOT_FIT, dump="ext.json", pod="default/foo", config_file="ext2.yaml"),
    *(
        Row(f"gpu: {name}", REFUSED, dump="gpu.json", manifest=f"{name}.yaml")
        for name in ("m-halfgpu", "m-gpumismatch", "m-gpunolimit", "m-hugeonly", "m-mindom")
    ),
    Row("bare: m-rtc", DOES_NOT_FIT, "Insufficient cpu", dump="bare.json", manifest="m-rtc.yaml"),
    Row(
        "nom3", FITS, "is taken without scoring: status.nominatedNodeName names it", dump="nom3.json", pod="default/nom"
    ),
    *(
        Row(
            f"{name}: drain",
            DOES_NOT_FIT,
            "--force",
            dump=f"{name}.json",
            change={"change": "drain-nodes", "nodes": ["n"]},
        )
        for name in ("bare", "evict")
    ),
    Row(
        "label-nodes-daemonset",
        FITS,
        "2 of 2 placed",
        dump="label-nodes-daemonset.json",
        change={"change": "label-nodes", "nodes": ["n0", "n1"], "labels": {"disk": "ssd"}},
    ),
    Row(
        "label-nodes-daemonset: scale from zero",
        FITS,
        "3 of 3 placed",
        dump="label-nodes-daemonset.json",
        change={"change": "scale", "kind": "Deployment", "namespace": "default", "name": "zero", "replicas": 3},
    ),
    *(
        Row(f"raw: {name}", expected, said, dump="raw.json", pod=f"default/{name}")
        for name, expected, said in (
            ("lim", FITS, "No API server has added defaults"),
            ("pc", DOES_NOT_FIT, "No API server has added defaults"),
            ("rc", FITS, "No API server has added defaults"),
        )
    ),
    *(Row(f"plpress: {name}", FITS, dump="plpress.json", pod=f"default/{name}") for name in ("pl-cpu", "plain")),
    *(
        Row(name, DOES_NOT_FIT, "Add one more node like n0", dump=f"{name}.json", pod="default/new", also=(both,))
        for name, both in (
            ("advice-taint", "Tolerate dedicated=x:NoSchedule and remove the spread constraint"),
            ("advice-node-affinity", "Remove the node selector disktype=ssd and remove the spread constraint"),
        )
    ),
    Row("causes", DOES_NOT_FIT, dump="causes.json", pod="default/w"),
    Row("many-resources", DOES_NOT_FIT, dump="many-resources.json", pod="d/p"),
)
