"""Every address, with something in the place of each of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import URLPattern, URLResolver, get_resolver

if TYPE_CHECKING:
    from collections.abc import Iterator

# Anything that a converter of this name accepts.
EXAMPLES = {
    "int": "1",
    "str": "x",
    "name": "x",
    "path_name": "x",
    "slug": "x",
    "uuid": "00000000-0000-0000-0000-000000000001",
    "path": "x/y",
    "anything": "x/y\nz",
}


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + example(pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def example(pattern: URLPattern | URLResolver) -> str:
    """Return the pattern's route with each converter replaced by something that it accepts."""
    route = str(pattern.pattern)
    for name, converter in pattern.pattern.converters.items():
        for kind, value in EXAMPLES.items():
            route = route.replace(f"<{kind}:{name}>", value)
        route = route.replace(f"<{name}>", EXAMPLES["str"])
        assert f":{name}>" not in route, f"add an example for {type(converter).__name__}"
    return route


def every_address() -> list[str]:
    """Return each pattern's route, each converter replaced by something that it accepts."""
    return sorted(set(_routes(get_resolver().url_patterns)))
