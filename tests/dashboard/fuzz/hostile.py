"""Values that no page offers, and true ones with something wrong in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from dashboard.forms import what_if as what_if_state
from dashboard.forms.runs import settings as run_state

if TYPE_CHECKING:
    from random import Random

TEXTS = (
    *("", " ", "0", "-1", "1", "2", "7", "+1", "-0", "1_000", "1.5", "1e9", "1e999", "NaN", "Infinity", "0x10", "true"),
    *("²", "٣", "０", "5" * 5_000, "9223372036854775807", "9223372036854775808", "99999999999999999999", "-" * 20),
    *("\0", "a\0b", "\ud800", "é", "\u2028", "\u202e", "🜚", "\ufeff1", "\x7f", "\n", "a\r\nb: c"),
    *("None", "null", "a b", "%", "%zz", "%00", "[]", "{}", "[1]", '{"change": 7}', '{"change": "scale"}', "[" * 900),
    *(
        "'",
        '"',
        "<script>",
        "../../etc/passwd",
        "..",
        ".",
        "//[",
        "http://[",
        "\\",
        "*",
        "--",
        "x" * 3_000,
        "-",
        "=",
        ",",
    ),
    *(
        "cpu=²",
        "a=1,b=²",
        "0-0",
        "99999999999999999-1",
        "1-99999999999999999999",
        "a/b/c",
        "Deployment shop/x",
        "3x 1 1Gi",
    ),
    *("1 -1", "²x 1 1Gi", "999999999E 1Ki", "1e400 1Gi", "eJw", "eJwDAAAAAAE", "profiles: [null]", "- a", "a: &b [*b]"),
)
# What a JSON value may be in place of another.
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 10**30, -(10**20), 2**31, 2**63, 1.5, 1e300, float("nan"), float("inf"), [], {}),
    *(
        [None],
        [[]],
        {"": None},
        {"a": {"b": []}},
        ["a", 7],
        "",
        "²",
        "\0",
        "\ud800",
        "é",
        "x" * 300,
        "1e400",
        "-1Gi",
        "0",
    ),
)
_UNENCODED = ("%ff%fe", "%00=1", "&&&===", "%ed%a0%80", "+", ";", "a[]=1", "=", "%", "&" * 600, "?", "#", "\x7f")


def text(random: Random) -> str:
    """Return any text."""
    return random.choice(TEXTS)


def unencoded(random: Random) -> str:
    """Return a part of a query as no browser would write it."""
    return random.choice(_UNENCODED)


def document(random: Random, given: Any) -> Any:
    """Return a JSON value like the given one but for one place, or two."""
    for _ in range(random.choice((1, 1, 2))):
        given = _changed(random, given)
    return given


def _changed(random: Random, given: Any) -> Any:
    if isinstance(given, dict) and given and random.random() < 0.9:
        name = random.choice(sorted(given, key=str))
        rest = {key: value for key, value in given.items() if key != name}
        what = random.random()
        if what < 0.12:
            return rest
        if what < 0.2:
            return {**rest, random.choice((f"{name}x", "", "\0", "kind", "change")): given[name]}
        return {**given, name: _changed(random, given[name])}
    if isinstance(given, list) and given and random.random() < 0.9:
        place = random.randrange(len(given))
        if random.random() < 0.15:
            return [*given, *given]
        return [*given[:place], _changed(random, given[place]), *given[place + 1 :]]
    return random.choice(_VALUES)


def like(random: Random, value: str) -> str:
    """Return a text that is what this one is, a number, a packed state, YAML, and not quite."""
    if random.random() < 0.25:
        return text(random)
    for read, write in _FORMS:
        try:
            found = read(value)
        except (ValueError, yaml.YAMLError, RecursionError):
            continue
        if isinstance(found, dict | list):
            try:
                return write(document(random, found))
            except (ValueError, TypeError):
                # What cannot be written so cannot come either.
                return text(random)
    return _misspelt(random, value)


def _misspelt(random: Random, value: str) -> str:
    place = random.randrange(len(value) + 1)
    return value[:place] + random.choice(("", "²", "\0", "é", " ", "-", "9" * 30, "\ud800")) + value[place + 1 :]


def _packed_changes(value: str) -> Any:
    return run_state.unpacked(value) or _nothing()


def _packed_text(value: str) -> Any:
    return yaml.safe_load(what_if_state.unpacked(value))


def _nothing() -> Any:
    raise ValueError("nothing to change")


def _json(value: Any) -> str:
    return json.dumps(value)


# How values are read, and written again.
_FORMS = (
    (_packed_changes, run_state.packed),
    (_packed_text, lambda value: what_if_state.packed(json.dumps(value))),
    (json.loads, _json),
    (yaml.safe_load, _json),
)
