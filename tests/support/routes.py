"""Every address pattern of the site, as Django's own configuration has it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class Route:
    """One pattern: `template` is its whole path with `<converter:name>` for each parameter."""

    name: str
    template: str

    @property
    def parameters(self) -> list[str]:
        """Return the names of its parameters, in order."""
        return _PARAMETER.findall(self.template)

    def address(self, values: Mapping[str, str]) -> str:
        """Return the address with these values, quoted."""
        return "/" + _PARAMETER.sub(
            lambda found: quote(values[found[1]], safe="", errors="surrogatepass"), self.template
        )


def routes() -> list[Route]:
    """Return every route, in the order in which they are tried."""
    return list(_routes(get_resolver().url_patterns, ""))


def _routes(patterns: Iterable[Any], prefix: str) -> Iterator[Route]:
    for each in patterns:
        assert isinstance(each.pattern, RoutePattern), f"{each.pattern} is no path()"
        template = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, template)
        elif isinstance(each, URLPattern):
            yield Route(each.name or template, template)
