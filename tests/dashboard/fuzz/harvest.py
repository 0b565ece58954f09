"""What a reader finds who follows every link: examples of each route, and every form with what it holds."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.urls import Resolver404, resolve

from tests.support.routes import Route, routes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.test import Client

# Examples of a route that are visited, and that are kept.
_VISITED, _KEPT = 2, 12
_IGNORED = {"csrfmiddlewaretoken"}


@dataclass(slots=True)
class Form:
    """A form of a page; `fields` are what a browser would send of it, `offers` what each choice offers."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    offers: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Harvest:
    """Addresses by route, with their queries, and forms by route and field names."""

    addresses: dict[str, list[str]]
    answered: dict[str, set[int]]
    forms: list[Form]

    def examples(self, parameter: str, route: Route) -> list[str]:
        """Return values of a path's parameter, those first that stand in like places."""
        found: dict[str, int] = {}
        before = route.template.partition(f":{parameter}>")[0]
        for other in routes():
            if parameter not in other.parameters:
                continue
            likeness = 2 * (other.template == route.template) + other.template.startswith(f"{before}:{parameter}>")
            for address in self.addresses.get(other.template, ()):
                value = str(resolve(urlsplit(address).path).kwargs[parameter])
                found[value] = max(likeness, found.get(value, 0))
        return sorted(found, key=lambda value: (-found[value], value))

    @property
    def names(self) -> list[str]:
        """Return every name that a query or a form of the site has."""
        queries = (urlsplit(address).query for every in self.addresses.values() for address in every)
        names = {name for query in queries for name, _ in parse_qsl(query, keep_blank_values=True)}
        for form in self.forms:
            names |= {name for name, _ in form.fields} | set(form.offers) | {name for name, _ in form.buttons}
        return sorted(name for name in names if name)


class _Page(HTMLParser):
    """Reads addresses and forms out of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [value for name, value in given.items() if value.startswith(("/", "?")) and name != "src"]
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
        form = self._form or Form("", "")
        if tag == "input" and name and name not in _IGNORED:
            if given.get("type") == "file":
                form.files.append(name)
            elif given.get("type") in ("checkbox", "radio"):
                form.offers.setdefault(name, []).append(value or "on")
                form.fields += [(name, value or "on")] * ("checked" in given)
            else:
                form.fields.append((name, value))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            form.offers.setdefault(self._select, []).append(value)
            form.fields += [(self._select, value)] * ("selected" in given)
        elif tag == "textarea" and name:
            form.fields.append((name, ""))
            self._text = []
        elif tag == "button" and name:
            form.buttons.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea" and self._text is not None:
            if self._form is not None:
                self._form.fields[-1] = (self._form.fields[-1][0], "".join(self._text).removeprefix("\n"))
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)


def gather(client: Client, starts: Iterable[str]) -> Harvest:
    """Follow links from these addresses on, a few of each route, and return what was found."""
    found = Harvest(defaultdict(list), defaultdict(set), [])
    waiting, seen, forms = deque(starts), set(starts), set()
    visits: dict[str, int] = defaultdict(int)
    while waiting:
        address = waiting.popleft()
        template = template_of(address)
        if template is None or visits[template] >= _VISITED:
            continue
        visits[template] += 1
        response = client.get(address)
        found.answered[template].add(response.status_code)
        if not response.headers.get("Content-Type", "").startswith("text/html") or response.streaming:
            continue
        page = _Page()
        page.feed(response.content.decode())
        for form in page.forms:
            form.action = urljoin(address, form.action)
            key = (template_of(form.action), form.method, frozenset(name for name, _ in form.fields))
            if key[0] is not None and key not in forms:
                forms.add(key)
                found.forms.append(form)
        for each in [*page.addresses, *(form.action for form in page.forms)]:
            linked = urljoin(address, each).partition("#")[0]
            kind = template_of(linked)
            if kind is None or linked in seen:
                continue
            seen.add(linked)
            if len(found.addresses[kind]) < _KEPT:
                found.addresses[kind].append(linked)
                waiting.append(linked)
    return found


def template_of(address: str) -> str | None:
    """Return the template of the route to which an address leads, None for one that leads nowhere."""
    try:
        return str(resolve(urlsplit(address).path).route)
    except (Resolver404, ValueError):
        return None
