"""One round: a request made of what the harvest holds, by nothing but a seed and a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.dashboard.fuzz import hostile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.dashboard.fuzz.harvest import Form, Harvest
    from tests.support.routes import Route

Pairs = list[tuple[str, str]]
# A second each, and the same whatever is asked.
_DEAR = frozenset({"api/v1/docs", "api/v1/openapi.json"})
_HEADERS = (
    ("HX-Request", ("true", "x")),
    ("HX-Target", ("pods", "results", "compared", "²", "é")),
    ("HX-Current-URL", ("http://[", "http://localhost/clusters/?a=²", "//")),
    ("HX-History-Restore-Request", ("true",)),
    ("Accept", ("application/json", "*/*;q=²", ",")),
    ("Accept-Encoding", ("identity", "gzip;q=x", "br")),
    ("If-None-Match", ('"a"', "*", "²")),
    ("If-Modified-Since", ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT")),
    ("Authorization", ("Bearer x", "Bearer \0", "Basic é", "Bearer " + "9" * 5_000)),
    ("Cookie", ("berth_session=²", 'berth_session="\\000aaaaaaaaaaaa"', "berth_session=" + "a" * 32, "=;=;")),
    ("Host", ("[", "localhost:²", "localhost:99999999")),
    (
        "Content-Type",
        ("application/json", "multipart/form-data", "text/plain; charset=²", "multipart/form-data; boundary=²"),
    ),
    ("X-Forwarded-Proto", ("https", "²")),
    ("Referer", ("http://[", "²")),
)


@dataclass(frozen=True, slots=True)
class Round:
    """A request as it can be repeated; `files` are names and contents."""

    seed: int
    number: int
    method: str
    address: str
    fields: Pairs = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        said = [f"round {self.number} of seed {self.seed}: {self.method} {_short(self.address)}"]
        said += [f"  {name}: {_short(value)}" for name, value in self.headers.items()]
        said += [f"  {name} = {_short(value)}" for name, value in self.fields]
        said += [f"  {name} = a file of {content[:200]!r}" for name, content in self.files]
        return "\n".join(said + ([f"  body {_short(self.body)}"] if self.body is not None else []))


def _short(value: str) -> str:
    return repr(value if len(value) <= 1_500 else f"{value[:700]}…{value[-700:]}")


def round_of(seed: int, number: int, harvest: Harvest, every: list[Route]) -> Round:
    """Return one round; each stands alone, so that one can be repeated without those before it."""
    random = Random(f"{seed}-{number}")
    kind = random.random()
    if kind < 0.35 and harvest.forms:
        made = _form(random, seed, number, random.choice(harvest.forms), harvest)
    else:
        route = random.choice(every)
        if route.template in _DEAR and random.random() < 0.9:
            route = random.choice(every)
        made = _address(random, seed, number, route, harvest)
    return made


def _headers(random: Random) -> dict[str, str]:
    if random.random() < 0.8:
        return {"HX-Request": "true"} if random.random() < 0.2 else {}
    return {name: random.choice(values) for name, values in random.sample(_HEADERS, random.choice((1, 2)))}


def _address(random: Random, seed: int, number: int, route: Route, harvest: Harvest) -> Round:
    known = harvest.addresses.get(route.template, [])
    if known and random.random() < 0.7:
        address = random.choice(known)
        path, query = urlsplit(address).path, parse_qsl(urlsplit(address).query, keep_blank_values=True)
    else:
        path, query = route.address({name: _value(random, name, route, harvest) for name in route.parameters}), []
    query = _mutated(random, query, harvest.names)
    method = random.choices(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"), (88, 3, 6, 1, 1, 1))[0]
    body = None
    if method in ("POST", "PUT"):
        body = random.choice(("", "{}", "[]", "null", "{", "\ud800", '{"a": "\\ud800"}', "[" * 5_000, "a=1", "²"))
    return Round(seed, number, method, _joined(random, path, query), body=body, headers=_headers(random))


def _value(random: Random, name: str, route: Route, harvest: Harvest) -> str:
    examples = harvest.examples(name, route)
    # Those of a like place come first.
    return random.choice(examples[:6]) if examples and random.random() < 0.85 else hostile.text(random)


def _form(random: Random, seed: int, number: int, form: Form, harvest: Harvest) -> Round:
    fields = list(form.fields)
    for name, offers in sorted(form.offers.items()):
        if random.random() < 0.5 and offers:
            fields = [(other, value) for other, value in fields if other != name] + [(name, random.choice(offers))]
    if form.buttons:
        fields.append(random.choice(form.buttons))
    fields = _mutated(random, fields, harvest.names)
    address = urlsplit(form.action)
    if form.method != "post":
        return Round(seed, number, "GET", _joined(random, address.path, fields), headers=_headers(random))
    files = [(name, _file(random)) for name in form.files if random.random() < 0.9]
    query = parse_qsl(address.query, keep_blank_values=True)
    if random.random() < 0.1:
        query = _mutated(random, query, harvest.names)
    return Round(seed, number, "POST", _joined(random, address.path, query), fields, files, headers=_headers(random))


def _mutated(random: Random, given: Pairs, names: list[str]) -> Pairs:
    """Return the pairs with some of them changed, added, doubled or left out."""
    pairs = list(given)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        what = random.random()
        if pairs and what < 0.6:
            place = random.randrange(len(pairs))
            name, value = pairs[place]
            pairs[place] = (name, hostile.like(random, value))
        elif pairs and what < 0.7:
            del pairs[random.randrange(len(pairs))]
        elif pairs and what < 0.75:
            pairs.append((random.choice(pairs)[0], hostile.text(random)))
        elif names:
            pairs.append((random.choice(names), hostile.text(random)))
    return pairs


def _joined(random: Random, path: str, query: Pairs) -> str:
    text = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in query)
    if random.random() < 0.03:
        text = f"{text}&{hostile.unencoded(random)}"
    return f"{path}?{text}" if text else path


def _quoted(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def _file(random: Random) -> bytes:
    whole = b'{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Node", "metadata": {"name": "n"}}]}'
    place = random.randrange(len(whole))
    broken = whole[:place] + random.choice((b"", b"\x00", b"\xff", b"[" * 2_000, b"\xc2\xb2")) + whole[place + 1 :]
    return random.choice((b"", whole, broken, b"\x1f\x8b\x08\x00", b"PK\x03\x04", b"\xff\xfe", b"profiles: [null]"))


def uploads(files: Iterable[tuple[str, bytes]]) -> dict[str, SimpleUploadedFile]:
    """Return the files as Django's client sends them."""
    return {name: SimpleUploadedFile("dump.json", content) for name, content in files}
