# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""What an upgrade changes as the API answers it; docs/upgrade.md explains every field."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from clusters.documents.upgrades import (
    UpgradeDefault,
    UpgradeDocument,
    UpgradeObstacle,
    UpgradePodRefusal,
    UpgradeRefusal,
    UpgradeRule,
)
from dashboard.api.documents.mirror import State

_SENTENCE = {"type": "string"}
_SENTENCES = {"type": "array", "items": _SENTENCE}


def _upgrade_schema() -> Any:
    """Return the document's types as a JSON schema, with what ``upgrade_with_words`` says beside and instead."""
    _, parts = msgspec.json.schema_components([UpgradeDocument], ref_template="{name}")
    for each in (UpgradeRule, UpgradeObstacle, UpgradeDefault):
        _require(parts[each.__name__], "sentence", _SENTENCE)
    for refusal in (UpgradeRefusal, UpgradePodRefusal):
        parts[refusal.__name__]["properties"]["problem"] = _SENTENCE
    said = {"headline": _SENTENCE, "drains": _SENTENCE, "podGroups": _SENTENCE, "notes": _SENTENCES}
    words = {"type": "object", "properties": said, "required": list(said)}
    _require(parts[UpgradeDocument.__name__], "words", words)
    return _whole(parts[UpgradeDocument.__name__], parts)


def _require(part: dict[str, Any], name: str, schema: dict[str, Any]) -> None:
    part["properties"][name] = schema
    part["required"].append(name)


def _whole(schema: Any, parts: dict[str, Any]) -> Any:
    """Return a schema with the parts themselves where it refers to them."""
    if isinstance(schema, list):
        return [_whole(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _whole(parts[schema["$ref"]], parts)
    return {name: _whole(each, parts) for name, each in schema.items()}


UpgradeSchema = Annotated[dict[str, Any], WithJsonSchema(_upgrade_schema())]
Upgrade = TypedDict("Upgrade", {"cluster": State, "evaluatedRevision": int | None, "upgrade": UpgradeSchema | None})
