"""The registry of live parts: pieces of pages that are rendered again when their cluster changes.

A part is registered where its page's view stands, by one line above the function that builds the context of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Takes the cluster, the query and what the page's address names besides; returns a template's context.
_Builder = TypeVar("_Builder", bound="Callable[..., dict[str, Any]]")


class LivePart(Struct, frozen=True):
    """One live part.

    `kinds` are the kinds of objects whose changes concern it, None if every change does. `pages` are the names of the
    addresses whose page it stands on, empty for one that stands on any page; `parameters` are those of the query that
    it reads. `ages` says after how many seconds it is rendered again without a change, because it tells times.
    """

    name: str
    template: str
    context: Callable[..., dict[str, Any]]
    pages: frozenset[str]
    kinds: frozenset[str] | None
    parameters: frozenset[str]
    ages: float | None

    def is_concerned_by(self, kinds: Iterable[str]) -> bool:
        """Tell whether a change of these kinds may show in the part; no kinds mean that any may have changed."""
        changed = frozenset(kinds)
        return self.kinds is None or not changed or not self.kinds.isdisjoint(changed)


_parts: dict[str, LivePart] = {}


def live_part(
    name: str,
    *,
    template: str,
    pages: Iterable[str] = (),
    kinds: Iterable[str] | None = None,
    parameters: Iterable[str] = (),
    ages: float | None = None,
) -> Callable[[_Builder], _Builder]:
    """Register the decorated function as what a live part shows; the function itself stays as it is.

    It is called as `function(cluster, query, **place)`: the cluster's row as it is now, the page's query, and what the
    page's address names besides the cluster. It knows no user, because what it renders goes to all who may see it.
    Who may open a page may see its parts. Http404 and ConfigurationError are shown in the part's place.
    """

    def register(builder: _Builder) -> _Builder:
        _parts[name] = LivePart(
            name=name,
            template=template,
            context=builder,
            pages=frozenset(pages),
            kinds=None if kinds is None else frozenset(kinds),
            parameters=frozenset(parameters),
            ages=ages,
        )
        return builder

    return register


def find_part(name: str) -> LivePart | None:
    """Return the part of this name; the parts of a page are known once its address was resolved."""
    return _parts.get(name)
