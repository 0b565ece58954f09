"""A sandbox as one file of YAML: with all that the API server would return, so that everything else reads it too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.buffers import check_utf_8
from clusters.adapters.limits import MIB
from clusters.adapters.prune import KINDS
from clusters.engine.objects import metadata
from clusters.engine.sandbox.cluster import kubelet_version
from clusters.problems.sandbox import EmptySandboxFile
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.faults import BadLesson, LessonFault
from clusters.services.lessons.manifests import FILE, documents_in

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.sandbox.cluster import SandboxCluster

MOST_BYTES: Final = 2 * MIB


def sandbox_file(cluster: SandboxCluster) -> str:
    """Write all objects of a sandbox. Raises SituationError.

    Its nodes report the version of kubelets as which the sandbox decides, so that others do, too.
    """
    situation = cluster.situation
    version = f"v{situation.release.first_version}"
    return "---\n".join(as_text(_reporting(_with_version(each), version)) for each in situation.objects)


def object_text(document: Document) -> str:
    """Write one object as its author would, without the UID that it was given."""
    fields = {field: part for field, part in metadata(document).items() if field != "uid"}
    return as_text({**_with_version(document), "metadata": fields})


def read_sandbox(data: bytes) -> list[Document]:
    """Return the objects of a file, which is YAML or JSON. Raises BadLesson."""
    try:
        check_utf_8(data)
    except BadInput as error:
        raise BadLesson([LessonFault(FILE, 0, "", error.problem)]) from None
    found = documents_in(data.decode(), most_bytes=MOST_BYTES)
    if not found:
        raise BadLesson([LessonFault(FILE, 0, "", EmptySandboxFile())])
    return found


def _reporting(document: dict[str, Any], version: str) -> dict[str, Any]:
    """An object as it is; a node that says no version of its kubelet with one."""
    if document["kind"] != "Node" or kubelet_version(document):
        return document
    status = document["status"]
    return {**document, "status": {**status, "nodeInfo": {**status.get("nodeInfo", {}), "kubeletVersion": version}}}


def _with_version(document: Document) -> dict[str, Any]:
    """An object with its API version, which not everything has that controllers make."""
    return {"apiVersion": KINDS[document["kind"]].versions[0], **document}
