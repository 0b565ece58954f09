"""The situations of a lesson's steps: each is made of files, and of what the step before it leaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from clusters.adapters.bad_input import shown
from clusters.documents.lessons import UsageManifest
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.admission.objects.priorities import second_default
from clusters.engine.kubelet.settings import KIND as KUBELET_CONFIGURATION
from clusters.engine.kubelet.settings import KubeletSettings
from clusters.engine.lessons.lesson import ObjectName, SituationParts
from clusters.engine.lessons.problems import PodHasNode
from clusters.engine.problems import NotAnAmount
from clusters.engine.resources.quantity import QuantityError, value
from clusters.problems.lessons import FirstStepWithoutObjects, ManyInSituation, NoSuchLessonFile
from clusters.services.lessons.documents import joined
from clusters.services.lessons.files import LESSON_FILE
from clusters.services.lessons.objects import not_there, pod_named, referred
from clusters.services.lessons.texts import is_text_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.lessons import StepManifest
    from clusters.engine.objects import Document
    from clusters.engine.versions import Release
    from clusters.services.lessons.documents import LessonDocuments
    from clusters.services.lessons.objects import LessonObjects, PlacedObject

MOST_NODES: Final = 60
MOST_PODS: Final = 500
_SCHEDULER: Final = "KubeSchedulerConfiguration"
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


@dataclass
class SituationReader:
    """Reads the steps of a lesson in their order. ``release``: as which the scheduler decides."""

    documents: LessonDocuments
    manifests: LessonObjects
    kubernetes: str
    release: Release
    _objects: dict[ObjectName, PlacedObject] = field(default_factory=dict)
    _configuration: Document | None = None
    _kubelet: Document | None = None
    _usage: Mapping[str, int] = field(default_factory=dict)
    _files: set[str] = field(default_factory=set)

    @property
    def objects(self) -> Mapping[ObjectName, PlacedObject]:
        """The objects of the step that was read last."""
        return self._objects

    @property
    def files_read(self) -> frozenset[str]:
        """The files that steps named so far."""
        return self.manifests.files_read | self._files

    def parts(self, step: StepManifest, path: str) -> SituationParts:
        """Return what the situation of the next step is made of; ``path`` leads to the step. What is wrong is noted."""
        if step.objects is not UNSET:
            self._objects = {}
        elif not self._objects and not self.documents.has_errors and path.endswith("[0]"):
            self.documents.fault(LESSON_FILE, path, FirstStepWithoutObjects())
        named = {"objects": () if step.objects is UNSET else step.objects, "add": step.add}
        for where, files in named.items():
            for number, file in enumerate(files):
                if self._has(file, f"{path}.{where}[{number}]"):
                    self._objects = {**self._objects, **self.manifests.objects_in(file)}
        for number, text in enumerate(step.remove):
            self._remove(text, f"{path}.remove[{number}]")
        if step.configuration is not UNSET:
            self._configuration = self._read_configuration(step.configuration, f"{path}.configuration")
        if step.kubelet is not UNSET:
            self._kubelet = self._read_kubelet(step.kubelet, f"{path}.kubelet")
        if step.usage is not UNSET:
            self._usage = self._read_usage(step.usage, f"{path}.usage")
        self._hold_within_bounds(path)
        self._hold_to_one_default()
        return SituationParts(
            objects=tuple(each.object for each in self._objects.values()),
            pod="" if step.pod is UNSET else self._pod(step.pod, f"{path}.pod"),
            kubernetes=self.kubernetes,
            configuration=self._configuration,
            kubelet=self._kubelet,
            usage=self._usage,
        )

    def _has(self, file: str, path: str) -> bool:
        self._files.add(file)
        if file in self.documents.files:
            return True
        known = tuple(each for each in self.documents.files if each != LESSON_FILE and not is_text_file(each))
        close = get_close_matches(file, known, n=1)
        self.documents.fault(LESSON_FILE, path, NoSuchLessonFile(shown(file), known, close[0] if close else ""))
        return False

    def _remove(self, text: str, path: str) -> None:
        found = referred(text, self._objects)
        if isinstance(found, ObjectName):
            self._objects = {name: each for name, each in self._objects.items() if name != found}
        else:
            self.documents.fault(LESSON_FILE, path, found)

    def _pod(self, text: str, path: str) -> str:
        name = pod_named(text)
        found = self._objects.get(name)
        if found is None:
            self.documents.fault(LESSON_FILE, path, not_there(name, self._objects))
        elif node := (found.object.get("spec") or {}).get("nodeName"):
            self.documents.fault(LESSON_FILE, path, PodHasNode(f"{name.namespace}/{name.name}", node))
        return f"{name.namespace}/{name.name}"

    def _read_configuration(self, file: str, path: str) -> Document | None:
        document: Document | None = self._document(file, path, _SCHEDULER)
        try:
            if document is not None:
                SchedulerConfiguration.from_dict(document, self.release)
        except ConfigurationError as error:
            self.documents.fault(file, error.path, error.problem)
        return document

    def _read_kubelet(self, file: str, path: str) -> Document | None:
        document: Document | None = self._document(file, path, KUBELET_CONFIGURATION)
        try:
            if document is not None:
                KubeletSettings.from_dict(document)
        except ConfigurationError as error:
            self.documents.fault(file, error.path, error.problem)
        return document

    def _document(self, file: str, path: str, wanted: str) -> Any:
        return self.documents.only_in(file, wanted) if self._has(file, path) else None

    def _read_usage(self, file: str, path: str) -> Mapping[str, int]:
        usage = self.documents.struct_in(file, UsageManifest) if self._has(file, path) else None
        found: dict[str, int] = {}
        for text, used in (usage.pods if usage is not None else {}).items():
            name = pod_named(text)
            if name not in self._objects:
                self.documents.fault(file, f"pods.{text}", not_there(name, self._objects))
            try:
                found[f"{name.namespace}/{name.name}"] = value(used.memory)
            except QuantityError:
                self.documents.fault(file, f"pods.{text}.memory", NotAnAmount(shown(used.memory)))
        return found

    def _hold_to_one_default(self) -> None:
        """Note a PriorityClass that is marked as default where another one is."""
        classes = [each for name, each in self._objects.items() if name.kind == "PriorityClass"]
        for number, each in enumerate(classes):
            wrong = second_default(each.object, (other.object for other in classes[:number]))
            if wrong is not None:
                field = joined(each.path, wrong.field)
                self.documents.fault(each.file, field, wrong.problem, document=each.number)

    def _hold_within_bounds(self, path: str) -> None:
        counts = Counter(name.kind for name in self._objects)
        for kind, most in _BOUNDS.items():
            if counts[kind] > most:
                self.documents.fault(LESSON_FILE, path, ManyInSituation(kind, counts[kind], most))
