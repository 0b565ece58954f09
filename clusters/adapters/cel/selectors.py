"""What an expression has answered, by what it looked at: devices that are alike there need no second evaluation.

A cluster has thousands of devices, each with a serial number of its own, and expressions that ask for the model. An
answer depends on nothing but what was read on the way to it, and what is read next on nothing but what was read before:
answers form a tree, with a reading at each branch.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct, field

from clusters.adapters.cel.checking import Declarations
from clusters.adapters.cel.compiling import Run, compiled_expression
from clusters.adapters.cel.library import ESCAPED, FUNCTIONS, UNSUPPORTED
from clusters.adapters.cel.types import ANY, BOOL, DYN, STRING, Type, map_of
from clusters.adapters.cel.values import (
    ABSENT,
    MOST_COST,
    Account,
    Address,
    BrokenEvaluationError,
    CelError,
    CelMapping,
    OptionalValue,
    Prefix,
    Scope,
    Uint,
    Version,
    type_name,
    type_of,
)
from clusters.engine.devices import (
    Allowance,
    Attribute,
    AttributeType,
    CostlyExpressionError,
    Device,
    EvaluationError,
    UnsupportedExpressionError,
    exact,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from clusters.engine.quantity import Quantity
    from clusters.engine.versions import Dialect

# Branches of one tree; what comes beyond is evaluated each time.
_MOST = 50_000


class Part(enum.Enum):
    """What of a device is read."""

    DRIVER = enum.auto()
    ATTRIBUTE = enum.auto()
    CAPACITY = enum.auto()
    ALL_ATTRIBUTES = enum.auto()
    ALL_CAPACITY = enum.auto()
    IS_SHARED = enum.auto()


class Reading(NamedTuple):
    """One look at a device: a part of it, and of an attribute or capacity its domain and name."""

    part: Part
    domain: str = ""
    name: str = ""

    def of(self, driver: str, device: Device) -> Hashable:
        """What the device says there; None where it says nothing."""
        match self.part:
            case Part.DRIVER:
                return driver
            case Part.ATTRIBUTE:
                return attribute(driver, device, self.domain, self.name)
            case Part.CAPACITY:
                return capacity(driver, device, self.domain, self.name)
            case Part.ALL_ATTRIBUTES:
                return driver, frozenset(device.attributes.items())
            case Part.ALL_CAPACITY:
                return driver, frozenset(device.capacity.items())
            case Part.IS_SHARED:
                return device.is_shared


def attribute(driver: str, device: Device, domain: str, name: str) -> Attribute | None:
    """An attribute of a device; those without a domain are in the driver's."""
    found = device.attributes.get(f"{domain}/{name}")
    return device.attributes.get(name) if found is None and domain == driver else found


def capacity(driver: str, device: Device, domain: str, name: str) -> Quantity | None:
    """A capacity of a device; those without a domain are in the driver's."""
    found = device.capacity.get(f"{domain}/{name}")
    return device.capacity.get(name) if found is None and domain == driver else found


class _Branch(Struct):
    reading: Reading
    following: dict[Hashable, _Branch | Answer] = field(default_factory=dict)


class Answer(Struct, frozen=True):
    """Whether a device is selected, or the error that says why that cannot be said."""

    selected: bool
    error: str = ""


class Answers:
    """The answers of one expression."""

    def __init__(self) -> None:
        self._root: _Branch | Answer | None = None
        self._count = 0

    def get(self, driver: str, device: Device) -> Answer | None:
        """The answer for a device like one that was seen before."""
        found = self._root
        while isinstance(found, _Branch):
            found = found.following.get(found.reading.of(driver, device))
        return found

    def keep(self, driver: str, device: Device, readings: Sequence[Reading], answer: Answer) -> None:
        """Remember an answer and what was read for it, in order and each once."""
        self._count += len(readings)
        if self._count > _MOST:
            return
        if not readings:
            self._root = answer
            return
        if self._root is None:
            self._root = _Branch(readings[0])
        branch = self._root
        for place, reading in enumerate(readings):
            if not isinstance(branch, _Branch) or branch.reading != reading:
                return
            value = reading.of(driver, device)
            if place == len(readings) - 1:
                branch.following[value] = answer
            else:
                branch = branch.following.setdefault(value, _Branch(readings[place + 1]))


# Device selectors: one CEL expression and its answers for devices.

# What the API server admits: CELSelectorExpressionMaxLength.
MAX_LENGTH: Final = 10 * 1024
# What evaluations that cost more than a plain one's may cost beyond that, over all devices, before the expression is
# given up for good.
PLAIN_COST: Final = 1_000
MOST_COSTLY: Final = 10 * MOST_COST


class _Recorder:
    """What is read of one device during one evaluation."""

    def __init__(self, driver: str, device: Device, most: int) -> None:
        self.driver, self.device = driver, device
        self.account = Account(most)
        self.readings: dict[Reading, None] = {}

    def note(self, part: Part, domain: str = "", name: str = "") -> None:
        self.readings[Reading(part, domain, name)] = None

    def names(self, part: Part) -> list[tuple[str, str]]:
        """The domain and own name of all attributes or capacities."""
        is_attribute = part is Part.ATTRIBUTE
        self.note(Part.ALL_ATTRIBUTES if is_attribute else Part.ALL_CAPACITY)
        names = self.device.attributes if is_attribute else self.device.capacity
        self.account.charge(len(names))
        split = ((name.partition("/"), name) for name in names)
        return [(domain, own) if slash else (self.driver, name) for (domain, slash, own), name in split]


class _Domain(CelMapping):
    """Attributes or capacities of one domain, converted when they are looked at."""

    def __init__(self, recorder: _Recorder, part: Part, domain: str) -> None:
        self._recorder, self._part, self._domain = recorder, part, domain

    def _look(self, name: str) -> Any:
        recorder = self._recorder
        recorder.note(self._part, self._domain, name)
        if self._part is Part.ATTRIBUTE:
            found = attribute(recorder.driver, recorder.device, self._domain, name)
            return None if found is None else _value(found)
        amount = capacity(recorder.driver, recorder.device, self._domain, name)
        return None if amount is None else exact(amount)

    def find(self, key: Any) -> Any:
        found = self._look(key) if type(key) is str else None
        return ABSENT if found is None else found

    def __iter__(self) -> Iterator[Any]:
        return (name for domain, name in self._recorder.names(self._part) if domain == self._domain)


class _Domains(CelMapping):
    """``device.attributes`` or ``device.capacity``: a map for each domain, empty where the device has nothing of it."""

    def __init__(self, recorder: _Recorder, part: Part) -> None:
        self._recorder, self._part = recorder, part

    def find(self, key: Any) -> Any:
        return _Domain(self._recorder, self._part, str(key))

    def has(self, key: Any) -> bool:
        return any(key == domain for domain in self)

    def __iter__(self) -> Iterator[Any]:
        return iter(dict.fromkeys(domain for domain, _ in self._recorder.names(self._part)))


class _DeviceMap(CelMapping):
    """The variable ``device``."""

    def __init__(self, recorder: _Recorder) -> None:
        self._recorder = recorder

    def find(self, key: Any) -> Any:
        match str(key):
            case "driver":
                self._recorder.note(Part.DRIVER)
                return self._recorder.driver
            case "attributes":
                return _Domains(self._recorder, Part.ATTRIBUTE)
            case "capacity":
                return _Domains(self._recorder, Part.CAPACITY)
            case "allowMultipleAllocations":
                self._recorder.note(Part.IS_SHARED)
                return self._recorder.device.is_shared
        return ABSENT

    def has(self, key: Any) -> bool:
        return key in tuple(self)

    def __iter__(self) -> Iterator[str]:
        return iter(_FIELDS)


class DeviceSelector:
    """A compiled expression with the answers that it has given."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._answers = Answers()
        self._costly = 0

    def matches(self, driver: str, device: Device, allowance: Allowance | None = None) -> bool:
        """Whether a device of this driver is selected. Raises EvaluationError, UnsupportedExpressionError."""
        answer = self._answers.get(driver, device)
        if answer is None:
            if self._costly > MOST_COSTLY:
                raise CostlyExpressionError("cost")
            allowance = allowance or Allowance()
            recorder = _Recorder(driver, device, MOST_COST if allowance.left > 0 else PLAIN_COST)
            answer = self._evaluated(recorder, allowance)
            self._answers.keep(driver, device, list(recorder.readings), answer)
        if answer.error:
            raise EvaluationError(answer.error)
        return answer.selected

    def _evaluated(self, recorder: _Recorder, allowance: Allowance) -> Answer:
        account = recorder.account
        try:
            found = self._run(Scope({".device": _DeviceMap(recorder)}, account))
        except (BrokenEvaluationError, CelError) as error:
            return Answer(selected=False, error=str(error))
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            MemoryError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            # What is not foreseen is no answer of the scheduler's.
            raise UnsupportedExpressionError(type(error).__name__) from error
        finally:
            costly = max(account.cost - PLAIN_COST, 0)
            allowance.left -= costly
            self._costly += costly
            if account.is_exhausted and account.most == MOST_COST:
                self._costly = MOST_COSTLY + 1
        if type(found) is OptionalValue and found.held and type(found.held[0]) is bool:
            found = found.held[0]
        if type(found) is not bool:
            why = f"could not be converted to bool: {_no_bool(found)}"
            return Answer(selected=False, error=f"CEL result of type {type_name(found)} {why}")
        return Answer(selected=found)


_OBJECTS: Final = {Fraction: "Quantity", Version: "Semver", Address: "IP", Prefix: "CIDR"}


def _no_bool(value: Any) -> str:
    """What cel-go says of a value that is no bool, in the words of its type."""
    kind, name = type_of(value), type_name(value)
    if kind is OptionalValue:
        return _no_bool(value.held[0]) if value.held else "optional.none() dereference"
    if kind in (int, Uint):
        return f"unsupported type conversion from '{name}' to bool"
    if kind is str:
        return "unsupported native conversion from string to 'bool'"
    if kind in (bytes, float):
        return f"type conversion error from {name.capitalize()} to 'bool'"
    if isinstance(value, type):
        return "type conversion not supported for 'type'"
    if kind in _OBJECTS or value is None:
        return f"type conversion error from '{_OBJECTS.get(kind, name)}' to 'bool'"
    return f"type conversion error from {name} to 'bool'"


_FIELDS: Final = ("driver", "attributes", "capacity", "allowMultipleAllocations")


@cache
def _declarations(dialect: Dialect) -> Declarations:
    """What a selector may use: the device, and the functions of the minor."""
    capacity = map_of(STRING, map_of(STRING, Type("kubernetes.Quantity")))
    types = (STRING, map_of(STRING, map_of(STRING, _of_attributes(dialect))), capacity, BOOL)
    fields = {"kubernetes.DRADevice": dict(zip(_FIELDS, types, strict=True))}
    variables = {"device": Type("kubernetes.DRADevice")}
    return Declarations(variables, fields, FUNCTIONS[dialect.minor], UNSUPPORTED, dialect.minor in ESCAPED)


def _of_attributes(dialect: Dialect) -> Type:
    return DYN if dialect.has_dynamic_attributes else ANY


def compile_selector(expression: str, dialect: Dialect) -> DeviceSelector:
    """Compile one expression. Raises CompileError, UnsupportedExpressionError."""
    if len(expression) > MAX_LENGTH:
        raise UnsupportedExpressionError("length")
    wanted = (BOOL, _of_attributes(dialect))
    return DeviceSelector(compiled_expression(expression, _declarations(dialect), wanted))


def _value(held: Attribute) -> Any:
    return Version.parse(str(held.value)) if held.type is AttributeType.VERSION else held.value
