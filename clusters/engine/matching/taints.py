"""Taints of nodes, and which of them a pod tolerates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


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

    def tolerates(self, taint: Taint) -> bool:
        """Empty key or effect stands for any; Equal compares values, Exists does not."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        if self.operator == "Exists":
            return True
        return self.operator == "Equal" and self.value == taint.value
