"""Disruption budgets and priority classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.admission.objects import wrongs_of_object
from clusters.engine.admission.objects.priorities import second_default
from clusters.engine.disruption.budget import KIND as BUDGET
from clusters.engine.matching.selectors import LabelSelector, SelectorError
from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.problems import NotOneOf, OutOfRange
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.change import ClusterChange, first
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import NoSuchBudget, NotThisKind
from clusters.engine.simulation.problems import InvalidLabelSelector, NoName, NoSpec
from clusters.engine.simulation.remarks import PrioritiesKept

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments

_CLASS = "PriorityClass"
_HIGHEST, _LOWEST = 2**31 - 1, -(2**31)
_POLICIES = ("Never", "PreemptLowerPriority")


@dataclass(frozen=True, slots=True)
class PutBudget(ClusterChange):
    """A disruption budget that is added, or takes the place of the one of its name."""

    manifest: Document

    change: ClassVar[str] = "put-budget"
    known: ClassVar[tuple[str, ...]] = ("manifest",)

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, BUDGET)
        spec = manifest.get("spec")
        if not isinstance(spec, Mapping):
            raise given.bad("manifest.spec", NoSpec(BUDGET))
        try:
            LabelSelector.from_dict(spec.get("selector"), "manifest.spec.selector")
        except SelectorError as error:
            problem = error.faults[0]
            raise given.bad(problem.path, InvalidLabelSelector(problem.kubernetes)) from None
        for wrong in wrongs_of_object(manifest):
            raise given.bad(f"manifest.{wrong.field}", wrong.problem)
        return cls(manifest)

    def apply(self, world: ClusterDocuments, path: str) -> None:
        # What was reported was reported of another spec, and what it allows is computed anew.
        kept = {key: value for key, value in self.manifest.items() if key != "status"}
        fields = {**metadata(self.manifest), "namespace": namespace_of(self.manifest)}
        world.shelf.upsert({**kept, "metadata": fields})


@dataclass(frozen=True, slots=True)
class RemoveBudget(ClusterChange):
    """A disruption budget that goes."""

    namespace: str
    name: str

    change: ClassVar[str] = "remove-budget"
    known: ClassVar[tuple[str, ...]] = ("namespace", "name")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.name("namespace"), given.name("name"))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        budget = world.shelf.object(BUDGET, self.name, self.namespace)
        if budget is None:
            names = [str(metadata(each).get("name")) for each in world.shelf.objects(BUDGET, self.namespace)]
            problem = NoSuchBudget(f"{self.namespace}/{self.name}", first(names), len(names))
            raise ChangeError(f"{path}.name", problem)
        world.shelf.delete(budget)


@dataclass(frozen=True, slots=True)
class PutPriorityClass(ClusterChange):
    """A priority class that is added, or takes the place of the one of its name; pods that are there keep theirs."""

    manifest: Document

    change: ClassVar[str] = "put-priority-class"
    known: ClassVar[tuple[str, ...]] = ("manifest",)

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, _CLASS)
        value = manifest.get("value")
        if type(value) is not int or not _LOWEST <= value <= _HIGHEST:
            raise given.bad("manifest.value", OutOfRange(shown(value), _LOWEST, _HIGHEST))
        policy = manifest.get("preemptionPolicy")
        if policy not in (None, *_POLICIES):
            raise given.bad("manifest.preemptionPolicy", NotOneOf(shown(policy), _POLICIES))
        return cls(manifest)

    def apply(self, world: ClusterDocuments, path: str) -> None:
        wrong = second_default(self.manifest, world.shelf.objects(_CLASS))
        if wrong is not None:
            raise ChangeError(f"{path}.manifest.{wrong.field}", wrong.problem)
        if world.shelf.object(_CLASS, name_of(self.manifest)) is not None:
            world.remarks.append(PrioritiesKept())
        world.shelf.upsert(self.manifest)


def _check_kind(given: ChangeFields, manifest: Document, kind: str) -> None:
    if manifest.get("kind") != kind:
        raise given.bad("manifest.kind", NotThisKind(shown(manifest.get("kind")), kind))
    fields = manifest.get("metadata")
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str) or not fields["name"]:
        raise given.bad("manifest.metadata.name", NoName(kind))
