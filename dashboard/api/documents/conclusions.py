# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""Explanations and uncertainties, as the API answers them; docs/explanation-document.md explains every field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

# `dashboard.api.site` puts the schema of the document in its place.
EXPLANATION = "ExplanationDocument"
Explanation = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "title": EXPLANATION})]

UncertaintyInWords = TypedDict(
    "UncertaintyInWords",
    {
        "kind": Literal[
            "uncomputed-field",
            "uncomputed-object",
            "foreign-plugin",
            "extender",
            "resource-quota",
            "not-computed",
            "possible-error",
        ],
        "sentence": str,
        # Of a plugin, and of the field of the pod that it decides by.
        "plugin": NotRequired[str],
        # Of one that may fail on a node.
        "node": NotRequired[str],
        "field": NotRequired[str],
        # Of an extender.
        "urlPrefix": NotRequired[str],
        "resources": NotRequired[list[str]],
        "ignorable": NotRequired[bool],
        # Of an answer that failed: what Berth's log has the error under.
        "reference": NotRequired[str],
        # Of an object that is not computed.
        "objectKind": NotRequired[str],
        # Of that object, and of a ResourceQuota.
        "namespace": NotRequired[str],
        "name": NotRequired[str],
    },
)
