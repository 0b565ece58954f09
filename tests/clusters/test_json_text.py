"""Cutting a long list into items gives what parsing it whole gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.adapters.bad_input import Limits
from clusters.adapters.buffers import Meter
from clusters.adapters.files import json_documents

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(alphabet='{}[]",: ab\\\n', max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abkm"), inner, max_size=3),
    max_leaves=8,
)
# Over the length below which a document is parsed in one piece.
PADDING = "x" * (1 << 18)


def documents(text: bytes) -> list[Any]:
    values = []
    for document in json_documents(text, Meter(Limits(), bytes_total=len(text))):
        value = document.value
        items = list(document.items)
        values.append({**value, "items": items} if items else value)
    return values


@given(
    items=st.lists(st.dictionaries(st.sampled_from(["kind", "a", "items"]), JSON), min_size=1, max_size=6),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" , ", " :")]),
    indent=st.sampled_from([None, 0, 1, 4]),
    is_sorted=st.booleans(),
)
def test_long_list_is_cut_rightly(
    items: list[Any], separators: tuple[str, str], indent: int | None, is_sorted: bool
) -> None:
    first = {"kind": PADDING, **items[0]} if "kind" not in items[0] else {**items[0], "kind": PADDING}
    whole = {"kind": "List", "items": [first, *items[1:]], "metadata": {"x": [1, {"items": []}]}}
    text = json.dumps(whole, separators=separators, indent=indent, sort_keys=is_sorted).encode()

    assert documents(text + b"\n") == [whole]


@pytest.mark.parametrize(
    "text",
    [
        b'{"items": [{"a": "%s"}, null, {"a": 2}, 5]}',
        b'{"items": [{"a": "%s"},{"b": 1} ,{"a": 2},\n{"a": 3}]}',
        b'{"items": [{"a": "%s", "b": [{"a": 1}, {"a": 2}]}, {"a": 3}]}',
        b'{"metadata": {"items": [{"a": "%s"}]}, "items": [{"a": 1}]}',
        b'{"items": [{"a": "}, {\\"a\\": 1}%s"}, {"a": "]"}], "z": "]}"}',
        b'{"items": [[{"a": "%s"}], {"a": 1}]}',
        b'{"items": [{}, {"a": "%s"}, {}]}',
    ],
)
def test_unusual_lists_are_read_all_the_same(text: bytes) -> None:
    whole = text % PADDING.encode()

    assert documents(whole) == [json.loads(whole)]


def test_documents_in_a_row() -> None:
    values = [{"kind": "A", "x": [1]}, {"kind": "B"}, [1, 2], {"kind": "C"}]

    for indent in (None, 2):
        text = "\n".join(json.dumps(value, indent=indent) for value in values)
        assert documents(text.encode()) == values
        assert documents(text.replace("\n", "\r\n").encode()) == values
