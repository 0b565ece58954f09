"""Disruption budgets and priority classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.disruption.budget import KIND as BUDGET
from clusters.engine.matching.selectors import LabelSelector, SelectorError
from clusters.engine.objects import metadata, namespace_of
from clusters.engine.simulation.changes.change import Change, some
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.showing import shown

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import Fields
    from clusters.engine.simulation.changes.world import World

_CLASS = "PriorityClass"
_HIGHEST, _LOWEST = 2**31 - 1, -(2**31)


@dataclass(frozen=True, slots=True)
class PutBudget(Change):
    """A disruption budget that is added, or takes the place of the one of its name."""

    manifest: Document

    change: ClassVar[str] = "put-budget"
    known: ClassVar[tuple[str, ...]] = ("manifest",)

    @classmethod
    def read(cls, given: Fields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, BUDGET)
        spec = manifest.get("spec")
        if not isinstance(spec, Mapping):
            raise given.bad(
                "manifest.spec", "The budget has no spec.", "Write selector, and minAvailable or maxUnavailable."
            )
        if ("minAvailable" in spec) == ("maxUnavailable" in spec):
            problem = "It needs either minAvailable or maxUnavailable."
            raise given.bad("manifest.spec", problem, "Write one of the two.")
        name = "minAvailable" if "minAvailable" in spec else "maxUnavailable"
        if not _is_amount(spec[name]):
            problem = f"{shown(spec[name])} is no number of pods."
            raise given.bad(f"manifest.spec.{name}", problem, 'Write a whole number or a percentage such as "50%".')
        try:
            LabelSelector.from_dict(spec.get("selector"), "manifest.spec.selector")
        except SelectorError as error:
            problem = f"It {error.problems[0].text}."
            raise ChangeError(
                f"{given.path}.{error.problems[0].path}", problem, "Write it as the API has it."
            ) from None
        return cls(manifest)

    def apply(self, world: World, path: str) -> None:
        # What was reported was reported of another spec, and what it allows is computed anew.
        kept = {key: value for key, value in self.manifest.items() if key != "status"}
        fields = {**metadata(self.manifest), "namespace": namespace_of(self.manifest)}
        world.shelf.upsert({**kept, "metadata": fields})


@dataclass(frozen=True, slots=True)
class RemoveBudget(Change):
    """A disruption budget that goes."""

    namespace: str
    name: str

    change: ClassVar[str] = "remove-budget"
    known: ClassVar[tuple[str, ...]] = ("namespace", "name")

    @classmethod
    def read(cls, given: Fields) -> Self:
        return cls(given.name("namespace"), given.name("name"))

    def apply(self, world: World, path: str) -> None:
        budget = world.shelf.object(BUDGET, self.name, self.namespace)
        if budget is None:
            names = [str(metadata(each).get("name")) for each in world.shelf.objects(BUDGET, self.namespace)]
            problem = f"There is no budget {self.namespace}/{self.name}."
            raise ChangeError(f"{path}.name", problem, f"The namespace has {some(names)}.")
        world.shelf.delete(budget)


@dataclass(frozen=True, slots=True)
class PutPriorityClass(Change):
    """A priority class that is added, or takes the place of the one of its name; pods that are there keep theirs."""

    manifest: Document

    change: ClassVar[str] = "put-priority-class"
    known: ClassVar[tuple[str, ...]] = ("manifest",)

    @classmethod
    def read(cls, given: Fields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, _CLASS)
        value = manifest.get("value")
        if type(value) is not int or not _LOWEST <= value <= _HIGHEST:
            raise given.bad("manifest.value", f"{shown(value)} is no priority.", "Write a whole number such as 1000.")
        policy = manifest.get("preemptionPolicy")
        if policy not in (None, "Never", "PreemptLowerPriority"):
            problem = f"{shown(policy)} is not known."
            raise given.bad("manifest.preemptionPolicy", problem, "Write Never or PreemptLowerPriority.")
        return cls(manifest)

    def apply(self, world: World, path: str) -> None:
        if world.shelf.object(_CLASS, str(metadata(self.manifest)["name"])) is not None:
            world.note(path, "Pods that are there keep the priority that they were admitted with.")
        world.shelf.upsert(self.manifest)


def _check_kind(given: Fields, manifest: Document, kind: str) -> None:
    if manifest.get("kind") != kind:
        problem = f"{shown(manifest.get('kind'))} is not {kind}."
        raise given.bad("manifest.kind", problem, f"Write the manifest of a {kind}.")
    fields = manifest.get("metadata")
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str) or not fields["name"]:
        raise given.bad("manifest.metadata.name", f"The {kind} has no name.", "Write one.")


def _is_amount(value: object) -> bool:
    if isinstance(value, str):
        return value.endswith("%") and value[:-1].isdecimal() and len(value) < 6 and int(value[:-1]) <= 100
    return type(value) is int and 0 <= value <= _HIGHEST
