"""What every kind of number offers: its unit, and the number itself, exactly."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.quotas.usage import counted_resource
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY

if TYPE_CHECKING:
    from fractions import Fraction

    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.lessons.values.working import Operand

_BYTES: Final = (MEMORY, EPHEMERAL_STORAGE)


class NumberUnit(enum.StrEnum):
    """In what a number counts; those of amounts are written as Kubernetes writes quantities."""

    POINTS = "points"
    CPU = "cpu"
    BYTES = "bytes"
    COUNT = "count"
    PODS = "pods"
    NODES = "nodes"
    PERCENT = "percent"
    SECONDS = "seconds"
    NODES_PER_SECOND = "nodes-per-second"

    @property
    def is_amount(self) -> bool:
        """Whether it is written as a quantity, such as ``1500m`` or ``2Gi``."""
        return self in (NumberUnit.CPU, NumberUnit.BYTES)

    @classmethod
    def of_resource(cls, resource: str) -> NumberUnit:
        """The unit of a resource, also of one as quotas name it."""
        counted = counted_resource(resource)
        if counted == CPU:
            return cls.CPU
        return cls.BYTES if counted in _BYTES or counted.startswith(HUGE_PAGES) else cls.COUNT


class NumberValue(ABC):
    """A number that a situation has. ``name`` is its key in the files of lessons, ``arguments`` are its fields."""

    __slots__ = ()
    name: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @abstractmethod
    def read(cls, fields: ArgumentFields) -> Self:
        """Read the arguments. Raises ChangeError."""

    @property
    @abstractmethod
    def unit(self) -> NumberUnit:
        """In what the number counts: whole CPUs, bytes, seconds."""

    @abstractmethod
    def of(self, situation: Situation) -> Fraction:
        """Find the number. Raises UnsolvableError where the situation has none, or where it is not certain."""

    @abstractmethod
    def working(self, situation: Situation) -> tuple[Operand, ...]:
        """Return the arithmetic of a number that was found; nothing where the cell of a score has it."""
