"""Taints of nodes, and which of them a pod tolerates.

Upstream: ``ToleratesTaint`` of ``k8s.io/api/core/v1`` v0.34.1 to v0.37.2; from 1.35 tolerations can compare numbers.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.resources.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# The operators of tolerations that compare the taint's number with the toleration's.
_COMPARING: Final[Mapping[str, Callable[[int, int], bool]]] = MappingProxyType({"Lt": operator.lt, "Gt": operator.gt})
# No longer than 64 bits need.
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint of a node."""

    key: str
    value: str
    effect: str

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Taint:
        return cls(str(data.get("key", "")), str(data.get("value") or ""), str(data.get("effect") or ""))

    def __str__(self) -> str:
        """Write the taint as kubectl does; no two are written alike."""
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"

    @property
    def forbids_scheduling(self) -> bool:
        return self.effect in ("NoSchedule", "NoExecute")


@dataclass(frozen=True, slots=True)
class Toleration:
    """A toleration of a pod."""

    key: str
    operator: str
    value: str
    effect: str

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Toleration:
        return cls(
            str(data.get("key") or ""),
            str(data.get("operator") or "Equal"),
            str(data.get("value") or ""),
            str(data.get("effect") or ""),
        )

    @property
    def compares_numbers(self) -> bool:
        """Whether it is for taints with a smaller or a greater number as their value."""
        return self.operator in _COMPARING

    def tolerates(self, taint: Taint) -> bool:
        """Empty key or effect stands for any; Equal compares values, Lt and Gt numbers, Exists nothing."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        if self.operator == "Exists":
            return True
        if self.compares_numbers:
            bound, number = _integer(self.value), _integer(taint.value)
            return bound is not None and number is not None and _COMPARING[self.operator](number, bound)
        return self.operator == "Equal" and self.value == taint.value


def _integer(value: str) -> int | None:
    """A whole number of 64 bits as Kubernetes writes it, without leading zeros; None for any other text."""
    number = int(value) if _INTEGER.fullmatch(value) else None
    return number if number is not None and -MAX_INT64 - 1 <= number <= MAX_INT64 else None
