"""Scheduler configurations as somebody gives them: read from a file or a text, and checked."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import BadInput, printable, shown
from clusters.adapters.files.buffers import opened
from clusters.adapters.files.forms import refuse_other_forms
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.adapters.limits import limits
from clusters.adapters.prune import SCHEDULER_CONFIGURATION
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.configuration import disabled_in_vain, translated
from clusters.problems.files import UnreadableFile
from clusters.problems.ingests import LargeConfiguration, NotAConfiguration, NotOneDocument, SeveralConfigurations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clusters.adapters.files.buffers import Buffer
    from clusters.adapters.files.documents import Document
    from clusters.engine.configuration import Translation
    from clusters.engine.versions import Release

# A configuration with every plugin named at every point has a twentieth of this.
MOST_BYTES = 1024 * 1024
_SAMPLE = 4096
_MOST_NAMED = 5
# What kube-scheduler read before it had configurations.
_POLICY = "Policy"


def read_configuration(path: Path, release: Release) -> SchedulerConfiguration:
    """Read a KubeSchedulerConfiguration, in YAML or JSON, as a release does. Raises BadInput."""
    return checked_configuration(document_in(path), path.name, release)


def read_document(path: Path, release: Release) -> dict[str, Any]:
    """Read a KubeSchedulerConfiguration as it is written, in YAML or JSON. Raises BadInput.

    It is one that a release's kube-scheduler starts with.
    """
    document: dict[str, Any] = document_in(path)
    checked_configuration(document, path.name, release)
    return document


def read_configuration_text(text: str, release: Release) -> SchedulerConfiguration:
    """Return what somebody wrote down as a release's kube-scheduler would understand it. Raises BadInput."""
    return checked_configuration(document_of_text(text), "", release)


def translation_of_text(text: str, release: Release) -> Translation | None:
    """Return what somebody wrote down as v1, if only earlier kube-schedulers read it. Raises BadInput."""
    return checked_translation(document_of_text(text), "", release)


def translation_in(path: Path, release: Release) -> Translation | None:
    """Return what a file holds as v1, if only earlier kube-schedulers read it. Raises BadInput."""
    return checked_translation(document_in(path), path.name, release)


def checked_translation(document: Any, name: str, release: Release) -> Translation | None:
    """Return a document of an earlier kube-scheduler as v1, and None for any other. Raises BadInput."""
    try:
        return translated(document, release)
    except ConfigurationError as error:
        raise BadInput(error.problem, file=name, field=error.path) from None


def plugins_disabled_in_vain(text: str, release: Release) -> list[str]:
    """Return the names under ``disabled`` in a valid configuration that no plugin is called. Raises BadInput."""
    return disabled_in_vain(document_of_text(text), release)


def checked_configuration(document: Any, name: str, release: Release) -> SchedulerConfiguration:
    """Return a configuration that kube-scheduler would start with. Raises BadInput, which names the file and field."""
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise BadInput(error.problem, file=name, field=error.path) from None


def document_in(path: Path) -> Any:
    """Return the one document in a file, which may be anything. Raises BadInput."""
    try:
        meter = Meter(limits(), bytes_total=path.stat().st_size)
        return _only(opened(path, meter), meter)
    except BadInput as error:
        raise error.at(file=path.name) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(UnreadableFile(reason), file=path.name) from error


def document_of_text(text: str, wanted: str = SCHEDULER_CONFIGURATION) -> Any:
    """Return the one document that somebody wrote down, which may be anything. Raises BadInput.

    ``wanted`` is the kind that the error names where there are several documents, or none.
    """
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise BadInput(LargeConfiguration(len(data), MOST_BYTES))
    return _only(data, Meter(limits(), bytes_total=len(data)), wanted)


def _only(data: Buffer, meter: Meter, wanted: str = SCHEDULER_CONFIGURATION) -> Any:
    """Return the one configuration that a text holds, be it a ConfigMap's or one document among others."""
    refuse_other_forms(data[:_SAMPLE])
    found: dict[str, Any] = {}
    documents: dict[int, Any] = {}
    for document in _documents(data, meter):
        documents.setdefault(document.number, document.value)
        for field, value in _parts(document, meter, wanted):
            if _is_wanted(value, wanted) and value not in found.values():
                found[f"document {document.number}{field}"] = value
    if len(found) > 1:
        raise BadInput(SeveralConfigurations(tuple(found)[:_MOST_NAMED], len(found), wanted))
    if found:
        return next(iter(found.values()))
    if len(documents) != 1:
        raise BadInput(NotOneDocument(len(documents), wanted))
    (only,) = documents.values()
    kind = only.get("kind") if type(only) is dict else None
    if type(kind) is str and kind not in (wanted, _POLICY):
        raise BadInput(NotAConfiguration(wanted, shown(kind)), field="kind")
    return only


def _documents(data: Buffer, meter: Meter) -> Iterator[Document]:
    read = json_documents if data[:4096].lstrip().startswith(b"{") else yaml_documents
    yield from read(data, meter)


def _parts(document: Document, meter: Meter, wanted: str) -> Iterator[tuple[str, Any]]:
    """Yield a document, the items of a list, and what the data of a ConfigMap hold, each with its field."""
    value = document.value
    items = value.get("items") if type(value) is dict else None
    listed = enumerate(chain(document.items, items if type(items) is list else ()), document.first)
    for field, item in (("", value), *((f".items[{index}]", item) for index, item in listed)):
        if type(item) is not dict:
            continue
        yield field, item
        held = item.get("data") if item.get("kind") == "ConfigMap" else None
        for key, text in held.items() if type(held) is dict else ():
            if type(text) is str and (wanted in text or _POLICY in text):
                path = f"{field}.data.{printable(key)}"
                try:
                    yield from ((path, each.value) for each in _documents(text.encode(), meter))
                except BadInput as error:
                    raise BadInput(error.problem, document=document.number, field=path.removeprefix(".")) from None


def _is_wanted(value: Any, wanted: str) -> bool:
    if type(value) is not dict:
        return False
    is_policy = (value.get("kind"), value.get("apiVersion")) == (_POLICY, "v1")
    return value.get("kind") == wanted or (is_policy and wanted == SCHEDULER_CONFIGURATION)
