"""A trace in the openb format: its columns, and the nodes and pods that its rows stand for.

The format is that of the production trace published with "Beware of Fragmentation" (USENIX ATC 2023). Rows are
mappings of column names to texts and whole numbers, None where a cell is empty.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.problems import BeyondOther, Empty, InvalidValue, OutOfRange, PlacedError, Problem, shown
from clusters.engine.selectors import value_fault
from clusters.engine.simulation.case import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


GPU: Final = "alibabacloud.com/gpu"
MODEL_LABEL: Final = "alibabacloud.com/gpu-card-model"
NAMESPACE: Final = "openb"
# What a kubelet allows by default; the trace does not say.
_PODS_A_NODE: Final = "110"
_HOSTNAME: Final = "kubernetes.io/hostname"
_SECOND: Final = 1_000_000_000
_WHOLE_GPU: Final = 1000

_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
_LONGEST_NAME = 253
_LONGEST_WORD = 32
_WORD = re.compile(f"[A-Za-z]{{0,{_LONGEST_WORD}}}")


class CellKind(StrEnum):
    """What the cells of a column hold."""

    NAME = "name"
    NUMBER = "number"
    WORD = "word"
    MODELS = "models"


class Column(Struct, frozen=True):
    """A column of a table; ``most`` bounds numbers, and an ``optional`` cell may be empty.

    The column may be missing where it is ``optional`` or has ``absent``, what each row then holds; ``matters``: the
    simulation is another one without it.
    """

    name: str
    kind: CellKind
    most: int = 0
    optional: bool = False
    absent: int | None = None
    matters: bool = False

    @property
    def may_be_missing(self) -> bool:
        return self.optional or self.absent is not None


# Sums over 20,000 nodes of these stay far inside of int64, and so do times in nanoseconds.
_AMOUNT, _DEVICES, _LATEST = 10**9, 10**4, 9 * 10**9
NODE_COLUMNS: Final = (
    Column("sn", CellKind.NAME),
    Column("cpu_milli", CellKind.NUMBER, _AMOUNT),
    Column("memory_mib", CellKind.NUMBER, _AMOUNT),
    Column("gpu", CellKind.NUMBER, _DEVICES, absent=0, matters=True),
    Column("model", CellKind.MODELS, optional=True, matters=True),
)
POD_COLUMNS: Final = (
    Column("name", CellKind.NAME),
    Column("cpu_milli", CellKind.NUMBER, _AMOUNT),
    Column("memory_mib", CellKind.NUMBER, _AMOUNT),
    Column("num_gpu", CellKind.NUMBER, _DEVICES, absent=0, matters=True),
    Column("gpu_milli", CellKind.NUMBER, _WHOLE_GPU, absent=_WHOLE_GPU, matters=True),
    Column("gpu_spec", CellKind.MODELS, optional=True, matters=True),
    Column("qos", CellKind.WORD, optional=True),
    Column("pod_phase", CellKind.WORD, optional=True),
    Column("creation_time", CellKind.NUMBER, _LATEST, absent=0, matters=True),
    Column("deletion_time", CellKind.NUMBER, _LATEST, optional=True, matters=True),
    Column("scheduled_time", CellKind.NUMBER, _LATEST, optional=True),
)


class CellError(PlacedError):
    """A cell that cannot be taken: its column, and what is wrong."""


def missing(columns: Iterable[Column], rows: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The columns that no row has."""
    present = {name for row in rows for name in row}
    return tuple(column for column in columns if column.name not in present)


def completed(columns: Iterable[Column], row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with what each of its missing columns stands for."""
    return {**{column.name: column.absent for column in columns if column.may_be_missing}, **row}


def check(column: Column, row: Mapping[str, Any]) -> None:
    """Check one cell of a row; it may be missing with its column. Raises CellError."""
    if column.name not in row and column.may_be_missing:
        return
    value = row.get(column.name)
    if value is None:
        if not column.optional:
            raise CellError(column.name, Empty())
        return
    if column.kind is CellKind.NUMBER:
        if type(value) is not int or not 0 <= value <= column.most:
            raise CellError(column.name, OutOfRange(shown(value), 0, column.most))
    elif not isinstance(value, str) or not _fits(column.kind, value):
        raise CellError(column.name, _misfit(column.kind, shown(value)))


def check_pod(row: Mapping[str, Any]) -> None:
    """Check what the cells of a pod say together. Raises CellError."""
    begin, end = row.get("creation_time", 0), row.get("deletion_time")
    if end is not None and end < begin:
        raise CellError("deletion_time", BeyondOther(str(end), "≥", "creation_time", str(begin)))


def nodes_of(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The nodes of a trace, GPUs as an extended resource and their model as a label."""
    full = (completed(NODE_COLUMNS, row) for row in rows)
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": row["sn"],
                "uid": f"imagined:node/{row['sn']}",
                "labels": {_HOSTNAME: row["sn"], **({MODEL_LABEL: row["model"]} if row["model"] else {})},
            },
            "spec": {},
            "status": {
                "allocatable": {
                    "cpu": f"{row['cpu_milli']}m",
                    "memory": f"{row['memory_mib']}Mi",
                    "pods": _PODS_A_NODE,
                    **({GPU: str(row["gpu"])} if row["gpu"] else {}),
                },
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        }
        for row in full
    ]


def pods_of(rows: Iterable[Mapping[str, Any]]) -> list[Wanted]:
    """The pods of a trace, in its order. A part of a GPU counts as a whole one."""
    specs: dict[tuple[Any, ...], dict[str, Any]] = {}
    found = []
    for given in rows:
        row = completed(POD_COLUMNS, given)
        shape = (row["cpu_milli"], row["memory_mib"], row["num_gpu"], row["gpu_spec"])
        spec = specs.get(shape)
        if spec is None:
            spec = specs[shape] = _spec(*shape)
        key = f"{NAMESPACE}/{row['name']}"
        metadata = {"name": row["name"], "namespace": NAMESPACE, "uid": f"imagined:{key}"}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {}}
        end = row["deletion_time"]
        found.append(Wanted(pod, row["creation_time"] * _SECOND, None if end is None else end * _SECOND))
    return found


def is_fractional(row: Mapping[str, Any]) -> bool:
    """Whether a pod of the trace requests a part of a GPU."""
    full = completed(POD_COLUMNS, row)
    return bool(full["num_gpu"]) and 0 < full["gpu_milli"] < _WHOLE_GPU


def _spec(cpu_milli: int, memory_mib: int, gpus: int, models: str | None) -> dict[str, Any]:
    devices = {GPU: str(gpus)} if gpus else {}
    spec: dict[str, Any] = {
        "schedulerName": "default-scheduler",
        "priority": 0,
        "containers": [
            {
                "name": "main",
                "resources": {
                    "requests": {"cpu": f"{cpu_milli}m", "memory": f"{memory_mib}Mi", **devices},
                    **({"limits": devices} if devices else {}),
                },
            }
        ],
    }
    if models:
        wanted = {"key": MODEL_LABEL, "operator": "In", "values": models.split("|")}
        term = {"nodeSelectorTerms": [{"matchExpressions": [wanted]}]}
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": term}}
    return spec


def _fits(kind: CellKind, value: str) -> bool:
    if kind is CellKind.NAME:
        return len(value) <= _LONGEST_NAME and _NAME.fullmatch(value) is not None
    if kind is CellKind.WORD:
        return _WORD.fullmatch(value) is not None
    parts = value.split("|")
    return len(parts) <= 64 and all(parts) and not any(map(value_fault, parts))


def _misfit(kind: CellKind, found: str) -> Problem:
    if kind is CellKind.NAME:
        return InvalidValue(found, ("openb-pod-0001",))
    return (
        InvalidValue(found, ("Running",)) if kind is CellKind.WORD else InvalidValue(found, ("T4", "V100M16|V100M32"))
    )
