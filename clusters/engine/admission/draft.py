"""A pod on its way through admission, with a note of everything that was done to it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import labels_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem


class SourceKind(StrEnum):
    """Where a value that is added has come from."""

    OBJECT = "object"
    FIELD = "field"
    LIMIT = "limit"
    LIMITS_OF_CONTAINERS = "limits-of-containers"
    REQUESTS_OF_CONTAINERS = "requests-of-containers"
    LABEL_OF_POD = "label-of-pod"
    DEFAULT_PRIORITY_CLASS = "default-priority-class"
    NO_PRIORITY_CLASS = "no-priority-class"
    OTHER_TOLERATION = "other-toleration"


@dataclass(frozen=True, slots=True)
class ValueSource:
    """Where a value has come from; ``name`` is the object with its kind, the field, or the label's key."""

    kind: SourceKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that is done to the pod: ``by`` names who does it, ``source`` where the value is from.

    ``value`` is a plain value; None where something is left out because another entry covers it.
    """

    by: str
    field: str
    value: Any
    source: ValueSource | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the API server would not take the pod: who says so, about which field, and what is wrong with it."""

    by: str
    field: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Admission:
    """The pod as it would be stored, what was added in order, and what speaks against taking it."""

    pod: dict[str, Any]
    additions: tuple[Addition, ...]
    refusals: tuple[Refusal, ...]


class Draft:
    """A copy of a pod that may be written to."""

    def __init__(self, pod: Document) -> None:
        self.pod: dict[str, Any] = deepcopy(dict(pod))
        self.additions: list[Addition] = []
        self.refusals: list[Refusal] = []
        if not isinstance(self.pod.get("spec"), dict):
            self.pod["spec"] = {}

    @property
    def spec(self) -> dict[str, Any]:
        """The pod's spec."""
        spec: dict[str, Any] = self.pod["spec"]
        return spec

    @property
    def namespace(self) -> str:
        """The pod's namespace."""
        return namespace_of(self.pod)

    @property
    def labels(self) -> dict[str, str]:
        """The pod's labels."""
        return labels_of(self.pod)

    def containers(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the path and the dict of every container, then of every init container."""
        for kind in ("containers", "initContainers"):
            for number, container in enumerate(self.spec.get(kind) or ()):
                yield f"spec.{kind}[{number}]", container

    def put(
        self, by: str, path: str, into: dict[str, Any], key: str, value: Any, source: ValueSource | None = None
    ) -> None:
        """Set one field and note it; ``path`` leads to the map that the field is put into."""
        into[key] = deepcopy(value)
        self.additions.append(Addition(by, f"{path}.{key}", value, source))

    def note(self, by: str, field: str, value: Any, source: ValueSource | None = None) -> None:
        """Note what was done to a list."""
        self.additions.append(Addition(by, field, value, source))

    def refuse(self, by: str, field: str, problem: Problem) -> None:
        """Note why the pod would not be taken."""
        self.refusals.append(Refusal(by, field, problem))
