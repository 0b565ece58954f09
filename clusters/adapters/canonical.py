"""A pruned object's one form: under its full name, as JSON that is the same from every source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters.prune import WrongField
from clusters.engine.simulation.fingerprint import fingerprint
from clusters.problems.objects import LargeObject, ObjectWithoutName
from clusters.problems.texts import HalfACharacter, NulInText

if TYPE_CHECKING:
    from collections.abc import Iterator

# As the API server makes them.
_LONGEST_GENERATED = 63
_ENDING = 5


def with_name(document: dict[str, Any], place: str) -> dict[str, Any]:
    """Return an object under a made-up name where it gives the beginning of one alone, as ``kubectl create`` takes it.

    ``place`` tells objects apart that are otherwise the same.
    """
    metadata = document.get("metadata")
    if type(metadata) is not dict or metadata.get("name"):
        return document
    given = metadata.get("generateName")
    if type(given) is not str or not given:
        return document
    ending = fingerprint((place, document))[:_ENDING]
    return {**document, "metadata": {**metadata, "name": f"{given[: _LONGEST_GENERATED - _ENDING]}{ending}"}}


def identified(pruned: dict[str, Any], *, is_namespaced: bool) -> tuple[str, str]:
    """Return namespace and name, and fill in the namespace that the API server would. Raises WrongField."""
    metadata = pruned.get("metadata")
    if not metadata or "name" not in metadata:
        raise WrongField(ObjectWithoutName()).within("name").within("metadata")
    if is_namespaced:
        return metadata.setdefault("namespace", "default"), metadata["name"]
    metadata.pop("namespace", None)
    return "", metadata["name"]


def canonical(pruned: dict[str, Any], *, longest: int) -> str:
    """Return the object as JSON with sorted keys, so that the same object has the same digest from any source.

    `longest` is in bytes. Raises WrongField.
    """
    try:
        data = orjson.dumps(pruned, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        raise WrongField(HalfACharacter()) from None
    if len(data) > longest:
        raise WrongField(LargeObject(len(data), longest))
    if b"\\u0000" in data:
        _refuse_nul(pruned)
    return data.decode()


def _texts(value: Any) -> Iterator[tuple[list[str | int], str]]:
    """Walk all texts of a JSON value, keys included, each with its path from the inside out."""
    if type(value) is str:
        yield [], value
    elif type(value) is dict:
        for key, content in value.items():
            yield [key], key
            for path, text in _texts(content):
                yield [*path, key], text
    elif type(value) is list:
        for index, content in enumerate(value):
            for path, text in _texts(content):
                yield [*path, index], text


def _refuse_nul(pruned: dict[str, Any]) -> None:
    """Raise WrongField if a text holds a NUL character, which PostgreSQL cannot store and no API server sends."""
    for path, text in _texts(pruned):
        if "\x00" in text:
            error = WrongField(NulInText())
            for step in path:
                error.within(step)
            raise error
