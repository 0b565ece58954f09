"""Values of the engine as plain JSON: the kind of each, and its own fields in camel case.

Evidence, requirements that could be lifted and uncertainties are frozen dataclasses of their plugins and modules. They
are written by what they are made of, so that a new one needs nothing here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import numpy as np

from clusters.engine.conclusion import Conclusion, Uncertainty
from clusters.engine.evidence import Comparison

if TYPE_CHECKING:
    from clusters.engine.plugin import Constraint

_UNCERTAINTIES = {each.kind: each for each in get_args(Uncertainty)}


def camel(name: str) -> str:
    """Write a name in snake case as the JSON has it."""
    first, *others = name.split("_")
    return first + "".join(each.capitalize() for each in others)


def value_document(value: Any) -> dict[str, Any]:
    """Return a frozen dataclass as plain values: its ``kind``, where its class has one, and its fields.

    A comparison also says whether it ``holds``.
    """
    head = {} if (kind := getattr(type(value), "kind", None)) is None else {"kind": kind}
    if isinstance(value, Comparison):
        head["holds"] = value.holds
    return head | {camel(field.name): _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def constraint_document(constraint: Constraint) -> dict[str, Any]:
    """Return the plugin of a constraint and its subject, which is null for a whole filter."""
    subject = constraint.subject
    return {"plugin": constraint.plugin, "subject": None if subject is None else value_document(subject)}


def fits_or_unknown(conclusion: Conclusion) -> bool | None:
    """Return a conclusion as programs read it: None where it is uncertain."""
    return None if conclusion is Conclusion.UNCERTAIN else conclusion is Conclusion.FITS


def read_uncertainty(stored: Mapping[str, Any]) -> Uncertainty:
    """Return the uncertainty that `value_document` wrote. Raises KeyError for a kind that there is not."""
    found = _UNCERTAINTIES[stored["kind"]]
    fields = {field.name: stored[camel(field.name)] for field in dataclasses.fields(found)}
    uncertainty: Uncertainty = msgspec.convert(fields, found)
    return uncertainty


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return value_document(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        # Keys are names of the cluster, not of fields.
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(_plain(each) for each in value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    # What NumPy computed, as a number of Python's.
    return value.item() if isinstance(value, np.generic) else value
