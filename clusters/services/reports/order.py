"""What somebody orders of a capacity review, as JSON; read strictly, so that a misspelt wish is not passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import printable, shown
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.resources.requests import CPU, MEMORY, amount, is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    "quotas",
    "pending",
    "agreement",
    "recommendations",
)
# What a cluster has and the end of a simulation has not.
OF_CLUSTERS = frozenset({"trend", "quotas", "agreement", "recommendations"})
_KNOWN = ("version", "cluster", "run", "title", "period", "notes", "sections", "shapes", "prices")
_LONGEST_NAME = 63
_MOST_PRICE = Decimal(1_000_000)


class OrderError(Exception):
    """An order that cannot be taken: the `field`, what is wrong, and what would be right."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        self.field, self.problem, self.remedy = (printable(text) for text in (field, problem, remedy))
        super().__init__(
            f"{self.field}: {self.problem} {self.remedy}" if self.field else f"{self.problem} {self.remedy}"
        )

    def as_dict(self) -> dict[str, str]:
        return {"field": self.field, "problem": self.problem, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class Shape:
    """A pod that the operator asks room for: amounts in base units, or like the pods of a workload."""

    name: str
    requests: Mapping[str, int] = field(default_factory=dict)
    # (kind, namespace, name), None for a plain shape.
    like: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Prices:
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


@dataclass(frozen=True, slots=True)
class Order:
    """A review that somebody wants; exactly one of `cluster` (a name) and `run` (a primary key) is given.

    The period is from `start` to `end`, or the last `days` days up to the state that the review is about.
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

    @property
    def applying(self) -> tuple[str, ...]:
        """Those of the chosen sections that can be written about what was named."""
        return tuple(key for key in self.sections if self._applies(key))

    def _applies(self, key: str) -> bool:
        if key == "run":
            return self.run is not None
        if key == "cost":
            return self.prices is not None
        return self.run is None or key not in OF_CLUSTERS

    def period(self, as_of: datetime) -> tuple[datetime, datetime]:
        """The beginning and the end of the time that the review tells of."""
        if self.start is not None and self.end is not None:
            return self.start, self.end
        return as_of - timedelta(days=self.days), as_of


def read_order(data: Any) -> Order:
    """Read an order as JSON gives it. Raises OrderError."""
    if not isinstance(data, Mapping):
        raise OrderError("", f"{shown(data)} is no order.", 'Write a map such as {"cluster": "demo"}.')
    _only(data, _KNOWN, "")
    if data.get("version", 1) != 1:
        raise OrderError("version", f"{shown(data['version'])} is not a known version.", "Write 1, or leave it out.")
    cluster, run = data.get("cluster"), data.get("run")
    if (cluster is None) == (run is None):
        raise OrderError("cluster", "A review is about a cluster or about a run.", "Give exactly one of the two.")
    if cluster is not None and (not isinstance(cluster, str) or not cluster):
        raise OrderError("cluster", f"{shown(cluster)} is not a name.", "Write the cluster's name.")
    if run is not None and (type(run) is not int or not 0 < run < 2**63):
        raise OrderError("run", f"{shown(run)} is not a run's number.", "Write the number in the run's address.")
    start, end, days = _period(data.get("period"))
    order = Order(
        cluster=cluster,
        run=run,
        title=_text(data, "title", "Capacity review", MOST_TITLE) or "Capacity review",
        start=start,
        end=end,
        days=days,
        notes=_notes(data.get("notes", "")),
        sections=_sections(data.get("sections")),
        shapes=_shapes(data.get("shapes")),
        prices=_prices(data.get("prices")),
    )
    if not order.applying:
        why = "cost needs prices, run is of simulations, and " + ", ".join(sorted(OF_CLUSTERS)) + " are of clusters"
        raise OrderError("sections", "None of these can be written about what was named.", f"Choose others: {why}.")
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
            raise OrderError(path, "This field is not known.", f"Known are {', '.join(known)}.")


def _text(data: Mapping[str, Any], key: str, default: str, most: int) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise OrderError(key, f"{shown(value)} is not a text.", "Put quotes around it.")
    if len(value) > most:
        raise OrderError(key, f"It has {len(value)} characters.", f"At most {most} are taken.")
    if not value.isprintable():
        raise OrderError(key, "It holds characters that cannot be printed.", "Write it on one line, without tabs.")
    return value.strip()


def _notes(value: Any) -> str:
    if not isinstance(value, str):
        raise OrderError("notes", f"{shown(value)} is not a text.", "Put quotes around it.")
    # A half of a pair of surrogates has no bytes in UTF-8; it is replaced below.
    if (size := len(value.encode(errors="replace"))) > MOST_NOTES_BYTES:
        raise OrderError("notes", f"They have {size} bytes.", f"At most {MOST_NOTES_BYTES} are taken.")
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(printable(line.replace("\t", "    ")) for line in lines).strip()


def _period(value: Any) -> tuple[datetime | None, datetime | None, int]:
    if value is None:
        return None, None, DEFAULT_DAYS
    if not isinstance(value, Mapping):
        raise OrderError("period", f"{shown(value)} is no period.", 'Write {"days": 28}, or "from" and "to".')
    _only(value, ("from", "to", "days"), "period")
    if "days" in value:
        days = value["days"]
        if type(days) is not int or not 1 <= days <= MOST_DAYS:
            raise OrderError("period.days", f"{shown(days)} is no number of days.", f"Write 1 to {MOST_DAYS}.")
        if len(value) > 1:
            raise OrderError("period", "It has days beside a beginning or an end.", "Give days alone.")
        return None, None, days
    start, end = _moment(value, "from"), _moment(value, "to")
    if start >= end:
        raise OrderError("period.to", "The period ends before it begins.", "Write a later time.")
    if end - start > timedelta(days=MOST_DAYS):
        raise OrderError("period.from", "The period is too long.", f"At most {MOST_DAYS} days are looked at.")
    return start, end, DEFAULT_DAYS


def _moment(value: Mapping[str, Any], key: str) -> datetime:
    text = value.get(key)
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise OrderError(f"period.{key}", f"{shown(text)} is not a time.", "Write it as in 2026-01-31T12:00:00Z.")
    return moment


def _sections(value: Any) -> tuple[str, ...]:
    if value is None:
        return SECTIONS
    if not isinstance(value, list) or not value:
        raise OrderError("sections", f"{shown(value)} is no list of sections.", f"Choose of {', '.join(SECTIONS)}.")
    for number, each in enumerate(value):
        if each not in SECTIONS:
            place = f"sections[{number}]"
            raise OrderError(place, f"{shown(each)} is no section.", f"Choose of {', '.join(SECTIONS)}.")
    return tuple(section for section in SECTIONS if section in value)


def _shapes(value: Any) -> tuple[Shape, ...]:
    if value is None:
        return DEFAULT_SHAPES
    if not isinstance(value, list):
        raise OrderError("shapes", f"{shown(value)} is no list.", 'Write [{"name": "web", "cpu": "500m"}].')
    if len(value) > MOST_SHAPES:
        raise OrderError("shapes", f"{len(value)} shapes are too many.", f"At most {MOST_SHAPES} are taken.")
    shapes = tuple(_shape(each, f"shapes[{number}]") for number, each in enumerate(value))
    names = [shape.name for shape in shapes]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise OrderError(f"shapes[{number}].name", f"{shown(name)} is there twice.", "Give it another name.")
    return shapes


def _shape(value: Any, place: str) -> Shape:
    if not isinstance(value, Mapping):
        raise OrderError(place, f"{shown(value)} is no shape.", 'Write {"name": "web", "cpu": "500m"}.')
    _only(value, ("name", "cpu", "memory", "resources", "like"), place)
    name = value.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise OrderError(f"{place}.name", f"{shown(name)} is no name.", f"Write 1 to {_LONGEST_NAME} characters.")
    if "like" in value:
        if set(value) - {"name", "like"}:
            raise OrderError(f"{place}.like", "A workload's shape has its own amounts.", "Give only name and like.")
        return Shape(name.strip(), like=_like(value["like"], f"{place}.like"))
    more = value.get("resources", {})
    if not isinstance(more, Mapping):
        raise OrderError(f"{place}.resources", f"{shown(more)} is no map.", 'Write {"nvidia.com/gpu": 1}.')
    given = [(key, value[key], f"{place}.{key}") for key in (CPU, MEMORY) if key in value]
    given += [(str(key), each, f"{place}.resources.{key}") for key, each in more.items()]
    requests = {}
    for resource, quantity, path in given:
        if resource not in (CPU, MEMORY, "ephemeral-storage") and not is_scalar(resource):
            raise OrderError(path, "The scheduler knows no such resource.", "Write one such as nvidia.com/gpu.")
        requests[resource] = _amount(resource, quantity, path)
    if not any(requests.values()):
        raise OrderError(place, "The shape asks for nothing.", "Give it cpu, memory or another resource.")
    return Shape(name.strip(), requests)


def _amount(resource: str, quantity: Any, place: str) -> int:
    try:
        found = amount(resource, quantity)
    except QuantityError as error:
        raise OrderError(place, f"{shown(quantity)} is not an amount.", f"{error.remedy.capitalize()}.") from None
    if found < 0:
        raise OrderError(place, f"{shown(quantity)} is negative.", "Write an amount of 0 or more.")
    return found


def _like(value: Any, place: str) -> tuple[str, str, str]:
    parts = ("kind", "namespace", "name")
    if not isinstance(value, Mapping) or not all(isinstance(value.get(part), str) and value[part] for part in parts):
        example = '{"kind": "Deployment", "namespace": "shop", "name": "web"}'
        raise OrderError(place, f"{shown(value)} names no workload.", f"Write {example}.")
    _only(value, parts, place)
    return value["kind"], value["namespace"], value["name"]


def _prices(value: Any) -> Prices | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise OrderError("prices", f"{shown(value)} are no prices.", "Give currency, cpu_hour and memory_gib_hour.")
    _only(value, ("currency", "cpu_hour", "memory_gib_hour"), "prices")
    currency = value.get("currency")
    if not isinstance(currency, str) or not (currency.isascii() and currency.isalpha() and len(currency) == 3):
        raise OrderError("prices.currency", f"{shown(currency)} is no currency.", "Write three letters such as EUR.")
    return Prices(currency.upper(), _price(value, "cpu_hour"), _price(value, "memory_gib_hour"))


def _price(value: Mapping[str, Any], key: str) -> Decimal:
    given = value.get(key)
    try:
        price = Decimal(str(given)) if isinstance(given, int | float | str) and not isinstance(given, bool) else None
    except InvalidOperation:
        price = None
    if price is None or not price.is_finite() or not 0 <= price <= _MOST_PRICE:
        raise OrderError(f"prices.{key}", f"{shown(given)} is no price.", 'Write what an hour costs, such as "0.031".')
    return price
