# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""Why a conclusion stays open, as the API answers it; docs/api.md explains every field."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Uncertainty = TypedDict(
    "Uncertainty",
    {
        "kind": Literal["uncomputed-field", "foreign-plugin", "extender", "resource-quota"],
        "sentence": str,
        # Of a plugin, and of the field of the pod that it decides by.
        "plugin": NotRequired[str],
        "field": NotRequired[str],
        # Of an extender.
        "urlPrefix": NotRequired[str],
        "resources": NotRequired[list[str]],
        "ignorable": NotRequired[bool],
        # Of a ResourceQuota.
        "namespace": NotRequired[str],
        "name": NotRequired[str],
    },
)
