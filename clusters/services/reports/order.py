"""What somebody orders of a capacity review, as JSON; read strictly, so that a misspelt wish is not passed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct, field

from clusters.adapters.bad_input import printable, printable_problem, shown
from clusters.engine.problems import (
    BelowLeast,
    Empty,
    InvalidValue,
    NeedsOneOf,
    NotAList,
    NotAMap,
    NotAText,
    NotOneOf,
    NotTogether,
    OutOfRange,
    Problem,
    Repeated,
    TooLarge,
    TooLong,
    TooMany,
    UnknownField,
)
from clusters.engine.quantity import NotAQuantity, QuantityError
from clusters.engine.resources import CPU, MEMORY, base_amount, is_scalar
from clusters.engine.versions import RELEASES
from clusters.problems.orders import (
    NoSectionApplies,
    NotPrintable,
    PeriodEndsFirst,
    PeriodTooLong,
)

MOST_TITLE = 200
MOST_NOTES_BYTES = 20_000
MOST_SHAPES = 20
MOST_DAYS = 3650
DEFAULT_DAYS = 28
# In the order in which they stand in a review.
SECTIONS = (
    "run",
    "utilisation",
    "cost",
    "trend",
    "stranded",
    "headroom",
    "spread",
    "maintenance",
    "upgrade",
    "quotas",
    "usage",
    "pending",
    "agreement",
    "recommendations",
)
# What a cluster has and the end of a simulation has not.
OF_CLUSTERS = frozenset({"trend", "upgrade", "quotas", "usage", "agreement", "recommendations"})
_KNOWN = ("version", "cluster", "run", "title", "period", "notes", "sections", "shapes", "prices", "upgrade_to")
_PRICE_FIELDS = ("currency", "cpu_hour", "memory_gib_hour")
_LONGEST_NAME = 63
_MOST_PRICE = Decimal(1_000_000)


class OrderError(Exception):
    """An order that cannot be taken: the path of the field, and what is wrong with it."""

    def __init__(self, field: str, problem: Problem) -> None:
        self.field, self.problem = printable(field), printable_problem(problem)
        super().__init__(self.field, problem)


class Shape(Struct, frozen=True):
    """A pod that the operator asks room for: amounts in base units, or like the pods of a workload."""

    name: str
    requests: Mapping[str, int] = field(default_factory=dict)
    # (kind, namespace, name), None for a plain shape.
    like: tuple[str, str, str] | None = None


class Prices(Struct, frozen=True):
    """What a CPU and a GiB of memory cost an hour."""

    currency: str
    cpu_hour: Decimal
    memory_gib_hour: Decimal


_GIB = 1024**3
DEFAULT_SHAPES = (
    Shape("small", {CPU: 500, MEMORY: _GIB}),
    Shape("medium", {CPU: 2_000, MEMORY: 4 * _GIB}),
    Shape("large", {CPU: 4_000, MEMORY: 16 * _GIB}),
)


class Order(Struct, frozen=True):
    """The order of a review; exactly one of `cluster` (a name) and `run` (a primary key) is given.

    The period is from `start` to `end`, or the last `days` days up to the state that the review is about.
    An empty `title` is to be made of what the review is about.
    """

    cluster: str | None
    run: int | None
    title: str
    start: datetime | None = None
    end: datetime | None = None
    days: int = DEFAULT_DAYS
    notes: str = ""
    sections: tuple[str, ...] = SECTIONS
    shapes: tuple[Shape, ...] = DEFAULT_SHAPES
    prices: Prices | None = None
    # The minor of the section about an upgrade, which there is not without one.
    upgrade_to: str = ""

    @property
    def applying(self) -> tuple[str, ...]:
        """Those of the chosen sections that can be written about what was named."""
        return tuple(key for key in self.sections if self._applies(key))

    def _applies(self, key: str) -> bool:
        if key == "run":
            return self.run is not None
        if key == "cost":
            return self.prices is not None
        if key == "upgrade" and not self.upgrade_to:
            return False
        return self.run is None or key not in OF_CLUSTERS

    def period(self, as_of: datetime) -> tuple[datetime, datetime]:
        """The beginning and the end of the time that the review tells of."""
        if self.start is not None and self.end is not None:
            return self.start, self.end
        return as_of - timedelta(days=self.days), as_of


def read_order(data: Any) -> Order:
    """Read an order as JSON gives it. Raises OrderError."""
    if not isinstance(data, Mapping):
        raise OrderError("", InvalidValue(shown(data), ('{"cluster": "demo"}',)))
    _only(data, _KNOWN, "")
    if data.get("version", 1) != 1:
        raise OrderError("version", NotOneOf(shown(data["version"]), ("1",)))
    cluster, run = data.get("cluster"), data.get("run")
    if (cluster is None) == (run is None):
        raise OrderError("cluster", NeedsOneOf(("cluster", "run")))
    if cluster is not None and (not isinstance(cluster, str) or not cluster):
        raise OrderError("cluster", NotAText(shown(cluster)))
    if run is not None and (type(run) is not int or not 0 < run < 2**63):
        raise OrderError("run", InvalidValue(shown(run), ("12",)))
    start, end, days = _period(data.get("period"))
    value = data.get("upgrade_to", "")
    if value not in ("", *RELEASES):
        raise OrderError("upgrade_to", NotOneOf(shown(value), tuple(RELEASES)))
    order = Order(
        cluster=cluster,
        run=run,
        title=_text(data, "title", MOST_TITLE),
        start=start,
        end=end,
        days=days,
        notes=_notes(data.get("notes", "")),
        sections=_sections(data.get("sections")),
        shapes=_shapes(data.get("shapes")),
        prices=_prices(data.get("prices")),
        upgrade_to=str(value),
    )
    if not order.applying:
        raise OrderError("sections", NoSectionApplies(tuple(sorted(OF_CLUSTERS))))
    return order


def storable(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an order that was read as every database takes it: without NUL characters and halves of surrogate pairs.

    They may stand where the order does not look, or where what cannot be printed is replaced.
    """
    return {key: _storable(value) for key, value in data.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode().replace("\0", "?")
    if isinstance(value, Mapping):
        return {_storable(key): _storable(each) for key, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list) else value


def _only(data: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    for key in data:
        if key not in known:
            path = f"{place}.{key}" if place else str(key)
            raise OrderError(path, UnknownField(shown(key), tuple(known)))


def _text(data: Mapping[str, Any], key: str, most: int) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise OrderError(key, NotAText(shown(value)))
    if len(value) > most:
        raise OrderError(key, TooLong(shown(value), len(value), most))
    if not value.isprintable():
        raise OrderError(key, NotPrintable())
    return value.strip()


def _notes(value: Any) -> str:
    if not isinstance(value, str):
        raise OrderError("notes", NotAText(shown(value)))
    # A half of a pair of surrogates has no bytes in UTF-8; it is replaced below.
    if len(value.encode(errors="replace")) > MOST_NOTES_BYTES:
        raise OrderError("notes", TooLarge(MOST_NOTES_BYTES))
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(printable(line.replace("\t", "    ")) for line in lines).strip()


def _period(value: Any) -> tuple[datetime | None, datetime | None, int]:
    if value is None:
        return None, None, DEFAULT_DAYS
    if not isinstance(value, Mapping):
        raise OrderError("period", InvalidValue(shown(value), ('{"days": 28}',)))
    _only(value, ("from", "to", "days"), "period")
    if "days" in value:
        days = value["days"]
        if type(days) is not int or not 1 <= days <= MOST_DAYS:
            raise OrderError("period.days", OutOfRange(shown(days), 1, MOST_DAYS))
        if len(value) > 1:
            raise OrderError("period", NotTogether(("days", "from", "to")))
        return None, None, days
    start, end = _moment(value, "from"), _moment(value, "to")
    if start >= end:
        raise OrderError("period.to", PeriodEndsFirst())
    if end - start > timedelta(days=MOST_DAYS):
        raise OrderError("period.from", PeriodTooLong(MOST_DAYS))
    return start, end, DEFAULT_DAYS


def _moment(value: Mapping[str, Any], key: str) -> datetime:
    text = value.get(key)
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise OrderError(f"period.{key}", InvalidValue(shown(text), ("2026-01-31T12:00:00Z",)))
    return moment


def _sections(value: Any) -> tuple[str, ...]:
    if value is None:
        return SECTIONS
    if not isinstance(value, list) or not value:
        raise OrderError("sections", Empty() if value == [] else NotAList(shown(value)))
    for number, each in enumerate(value):
        if each not in SECTIONS:
            raise OrderError(f"sections[{number}]", NotOneOf(shown(each), SECTIONS))
    return tuple(section for section in SECTIONS if section in value)


def _shapes(value: Any) -> tuple[Shape, ...]:
    if value is None:
        return DEFAULT_SHAPES
    if not isinstance(value, list):
        raise OrderError("shapes", InvalidValue(shown(value), ('[{"name": "web", "cpu": "500m"}]',)))
    if len(value) > MOST_SHAPES:
        raise OrderError("shapes", TooMany(len(value), MOST_SHAPES))
    shapes = tuple(_shape(each, f"shapes[{number}]") for number, each in enumerate(value))
    names = [shape.name for shape in shapes]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise OrderError(f"shapes[{number}].name", Repeated(shown(name)))
    return shapes


def _shape(value: Any, place: str) -> Shape:
    if not isinstance(value, Mapping):
        raise OrderError(place, InvalidValue(shown(value), ('{"name": "web", "cpu": "500m"}',)))
    _only(value, ("name", "cpu", "memory", "resources", "like"), place)
    name = value.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise OrderError(f"{place}.name", InvalidValue(shown(name), ("web",)))
    if "like" in value:
        if set(value) - {"name", "like"}:
            raise OrderError(f"{place}.like", NotTogether(("like", "cpu", "memory", "resources")))
        return Shape(name.strip(), like=_like(value["like"], f"{place}.like"))
    more = value.get("resources", {})
    if not isinstance(more, Mapping):
        raise OrderError(f"{place}.resources", NotAMap(shown(more)))
    given = [(key, value[key], f"{place}.{key}") for key in (CPU, MEMORY) if key in value]
    given += [(str(key), each, f"{place}.resources.{key}") for key, each in more.items()]
    requests = {}
    for resource, quantity, path in given:
        if resource not in (CPU, MEMORY, "ephemeral-storage") and not is_scalar(resource):
            raise OrderError(path, InvalidValue(shown(resource), ("cpu", "nvidia.com/gpu")))
        requests[resource] = _amount(resource, quantity, path)
    if not any(requests.values()):
        raise OrderError(place, Empty())
    return Shape(name.strip(), requests)


def _amount(resource: str, quantity: Any, place: str) -> int:
    try:
        found = base_amount(resource, quantity)
    except QuantityError:
        raise OrderError(place, NotAQuantity(shown(quantity))) from None
    if found < 0:
        raise OrderError(place, BelowLeast(shown(quantity), 0))
    return found


def _like(value: Any, place: str) -> tuple[str, str, str]:
    parts = ("kind", "namespace", "name")
    if not isinstance(value, Mapping) or not all(isinstance(value.get(part), str) and value[part] for part in parts):
        raise OrderError(
            place, InvalidValue(shown(value), ('{"kind": "Deployment", "namespace": "shop", "name": "web"}',))
        )
    _only(value, parts, place)
    return value["kind"], value["namespace"], value["name"]


def _prices(value: Any) -> Prices | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise OrderError("prices", NotAMap(shown(value), _PRICE_FIELDS))
    _only(value, _PRICE_FIELDS, "prices")
    currency = value.get("currency")
    if not isinstance(currency, str) or not (currency.isascii() and currency.isalpha() and len(currency) == 3):
        raise OrderError("prices.currency", InvalidValue(shown(currency), ("EUR",)))
    return Prices(currency.upper(), _price(value, "cpu_hour"), _price(value, "memory_gib_hour"))


def _price(value: Mapping[str, Any], key: str) -> Decimal:
    given = value.get(key)
    try:
        price = Decimal(str(given)) if isinstance(given, int | float | str) and not isinstance(given, bool) else None
    except InvalidOperation:
        price = None
    if price is None or not price.is_finite() or not 0 <= price <= _MOST_PRICE:
        raise OrderError(f"prices.{key}", InvalidValue(shown(given), ('"0.031"',)))
    return price
