"""Semantic versions as ``semver()`` of Kubernetes' CEL library reads and compares them.

Upstream: ``k8s.io/apiserver/pkg/cel`` (``semver.go``, ``library/semverlib.go``) v0.34.1; precedence as in
semver.org 2.0.0.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from math import isinf, isnan
from typing import Any, Final, NamedTuple

from clusters.engine.devices import CostlyExpressionError, UnsupportedExpressionError
from clusters.engine.quantity import MAX_INT64

MAX_UINT64: Final = 2**64 - 1

_NO_NUMBER: Final = re.compile(r"[^0-9]")
_NO_IDENTIFIER: Final = re.compile(r"[^0-9A-Za-z-]")
_PARTS: Final = 3
_DIGITS: Final = "0123456789"


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A version; what it was built from (after the ``+``) does not count in comparisons."""

    major: int
    minor: int
    patch: int
    pre_release: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read a version strictly. Raises ValueError with the words of Go's library."""
        if not text:
            raise ValueError("Version string empty")
        parts = text.split(".", _PARTS - 1)
        if len(parts) < _PARTS:
            raise ValueError("No Major.Minor.Patch elements found")
        major, minor = (_number(name, part) for name, part in zip(("major", "minor"), parts, strict=False))
        rest, built, build = parts[-1].partition("+")
        patch, released, pre_release = rest.partition("-")
        found = cls(major, minor, _number("patch", patch), tuple(pre_release.split(".")) if released else ())
        for each in found.pre_release:
            _check_pre_release(each)
        for each in build.split(".") if built else ():
            if not each:
                raise ValueError("Build meta data is empty")
            if _NO_IDENTIFIER.search(each):
                raise ValueError(f"Invalid character(s) found in build meta data {_quoted(each)}")
        return found

    @classmethod
    def normalised(cls, text: str) -> Version:
        """Read a version that may lead with ``v`` or zeros, or lack parts, which is put right. Raises ValueError."""
        parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", _PARTS - 1)]
        if len(parts) < _PARTS and ("+" in parts[-1] or "-" in parts[-1]):
            raise ValueError("short version cannot contain PreRelease/Build meta data")
        return cls.parse(".".join([*parts, *["0"] * (_PARTS - len(parts))]))

    def _key(self) -> tuple[object, ...]:
        # A version without a pre-release comes after all that have one; numbers come before texts.
        identifiers = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.pre_release)
        return self.major, self.minor, self.patch, not identifiers, identifiers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key() == other._key()

    def __lt__(self, other: Version) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def _without_zeros(text: str) -> str:
    rest = text.lstrip("0")
    if len(text) < len("00"):
        return text
    return rest if rest[:1] in _DIGITS and rest else f"0{rest}"


def _number(name: str, text: str) -> int:
    if _NO_NUMBER.search(text):
        raise ValueError(f"Invalid character(s) found in {name} number {_quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"{name.capitalize()} number must not contain leading zeroes {_quoted(text)}")
    return _unsigned(text)


def _unsigned(text: str) -> int:
    if not text:
        raise ValueError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > len(str(MAX_UINT64)) or int(text) > MAX_UINT64:
        raise ValueError(f"strconv.ParseUint: parsing {_quoted(text)}: value out of range")
    return int(text)


def _check_pre_release(text: str) -> None:
    if not text:
        raise ValueError("Prerelease is empty")
    if _NO_IDENTIFIER.search(text):
        raise ValueError(f"Invalid character(s) found in prerelease {_quoted(text)}")
    if not _NO_NUMBER.search(text):
        if len(text) > 1 and text[0] == "0":
            raise ValueError(f"Numeric PreRelease version must not contain leading zeroes {_quoted(text)}")
        _unsigned(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# IP addresses and networks as ``ip()`` and ``cidr()`` of Kubernetes' CEL library read them.

_UNPARSED: Final = "unable to parse IP"
_OCTETS: Final = 4
_MOST_OCTET: Final = 255
_MOST_BITS: Final = 128


class Address(NamedTuple):
    """An address, without a zone."""

    value: IPv4Address | IPv6Address

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address. Raises ValueError with Go's words, UnsupportedExpressionError where these are not known."""
        try:
            found = _read(text)
        except ValueError as error:
            raise ValueError(f"IP Address {_quoted(text)} parse error during conversion from string: {error}") from None
        if isinstance(found, IPv6Address) and found.scope_id is not None:
            raise ValueError(f"IP address {_quoted(text)} with zone value is not allowed")
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            raise ValueError(f"IPv4-mapped IPv6 address {_quoted(text)} is not allowed")
        return cls(found)

    def is_in(self, *networks: IPv4Network | IPv6Network) -> bool:
        """Whether the address is in one of these."""
        return any(self.value in each for each in networks if each.version == self.value.version)

    def __str__(self) -> str:
        return str(self.value)


class Prefix(NamedTuple):
    """A network as it was written: the address may have more bits than the network."""

    address: Address
    bits: int

    @classmethod
    def parse(cls, text: str) -> Prefix:
        """Read a network. Raises as ``Address.parse``."""
        try:
            return cls._read(text)
        except ValueError as error:
            where = "network address parse error during conversion from string"
            raise ValueError(f"{where}: {where}: netip.ParsePrefix({_quoted(text)}): {error}") from None

    @classmethod
    def _read(cls, text: str) -> Prefix:
        name, slash, bits = text.rpartition("/")
        if not slash:
            raise ValueError("no '/'")
        found = _read(name)
        if isinstance(found, IPv6Address) and (found.scope_id is not None or found.ipv4_mapped is not None):
            raise UnsupportedExpressionError("cidr")
        address = Address(found)
        if not bits.isascii() or not bits.isdigit() or len(bits) > len(str(_MOST_BITS)) or str(int(bits)) != bits:
            raise ValueError(f"bad bits after slash: {_quoted(bits)}")
        if int(bits) > address.value.max_prefixlen:
            raise ValueError("prefix length out of range")
        return cls(address, int(bits))

    @property
    def network(self) -> IPv4Network | IPv6Network:
        """The network without the address' other bits."""
        return ip_network((self.address.value, self.bits), strict=False)

    def has(self, other: Prefix) -> bool:
        """Whether all of another network is in it."""
        return self.bits <= other.bits and Address(other.network.network_address).is_in(self.network)

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"


def _read(text: str) -> IPv4Address | IPv6Address:
    separator = next((sign for sign in text if sign in ".:%"), "")
    if separator == ".":
        fault, at = _ipv4_fault(text)
        if fault:
            raise ValueError(f"ParseAddr({_quoted(text)}): {fault}" + (f" (at {_quoted(at)})" if at else ""))
        return IPv4Address(text)
    if separator != ":":
        raise ValueError(f"ParseAddr({_quoted(text)}): {_UNPARSED if not separator else 'missing IPv6 address'}")
    try:
        return IPv6Address(text)
    except ValueError:
        # There are a dozen ways to say what is wrong.
        raise UnsupportedExpressionError("ip") from None


def _ipv4_fault(text: str) -> tuple[str, str]:
    """What Go says of a text that is no IPv4 address, and from where on; empty where it is one."""
    octets = 0
    digits = ""
    for place, sign in enumerate(text):
        if sign.isascii() and sign.isdigit():
            if digits == "0":
                return "IPv4 field has octet with leading zero", ""
            digits += sign
            if int(digits) > _MOST_OCTET:
                return "IPv4 field has value >255", ""
        elif sign != ".":
            return "unexpected character", text[place:]
        elif not digits or place == len(text) - 1:
            return "IPv4 field must have at least one digit", text[place:]
        elif octets == _OCTETS - 1:
            return "IPv4 address too long", ""
        else:
            octets, digits = octets + 1, ""
    return ("", "") if octets == _OCTETS - 1 else ("IPv4 address too short", "")


# How Go writes values, in texts and in errors.

# Doubles are written with an exponent below the first power of ten, and from the second on.
_LEAST_EXPONENT: Final = -4
_EXPONENT: Final = 6
# How long a text may be that an error quotes whole.
_MOST_QUOTED: Final = 1_000


def written_double(value: float) -> str:
    """A double as Go writes it."""
    if isnan(value) or isinf(value):
        return "NaN" if isnan(value) else "+Inf" if value > 0 else "-Inf"
    exact = Decimal(repr(value)).normalize()
    exponent = exact.adjusted() if value else 0
    if _LEAST_EXPONENT <= exponent < _EXPONENT:
        return f"{exact:f}"
    digits = "".join(map(str, exact.as_tuple().digits))
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{exponent:+03d}"


def shown(value: Any) -> str:
    """A value as errors quote it. Raises UnsupportedExpressionError for what has parts, and for long texts."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return written_double(value)
        case None:
            return "0"
        case str() | bytes() if len(value) <= _MOST_QUOTED:
            return value if isinstance(value, str) else f"[{' '.join(map(str, value))}]"
    raise UnsupportedExpressionError("shown")


# Values of CEL, how they compare, and the account of what computing with them costs.

# What one evaluation may cost, in the units of Kubernetes. It admits ten times as much, which takes Go as long.
MOST_COST: Final = 100_000
# What creating a list costs, and a map.
LIST_COST: Final = 10
MAP_COST: Final = 30


class Uint(int):
    """An unsigned number."""

    __slots__ = ()


class ComputedQuantity(Fraction):
    """A quantity that was computed of others, which no other value counts as equal to."""

    __slots__ = ()


class OptionalValue(NamedTuple):
    """A value that may be there; ``held`` has it, or nothing."""

    held: tuple[Any, ...] = ()


class Absence:
    """What a map gives for a key that it does not have."""


ABSENT: Final = Absence()


class CelMapping(Mapping[Any, Any]):
    """A map that can be asked for any key."""

    def find(self, key: Any) -> Any:
        """What stands at a key; ABSENT where nothing does."""
        raise NotImplementedError

    def has(self, key: Any) -> bool:
        """Whether a key is there."""
        return self.find(key) is not ABSENT

    def __getitem__(self, key: Any) -> Any:
        return self.find(key)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class CelMap(CelMapping):
    """A map that an expression makes; ``entries`` has the keys with their values by what they are found under."""

    def __init__(self) -> None:
        self.entries: dict[Any, tuple[Any, Any]] = {}

    def find(self, key: Any) -> Any:
        """What stands at a key; ABSENT where nothing does."""
        if type(key) is Version and self.entries:
            raise BrokenEvaluationError(UNHASHABLE)
        found = self.entries.get(_place_of(key))
        return ABSENT if found is None else found[1]

    def put(self, key: Any, value: Any) -> None:
        """Let a value stand at a key, whatever stood there. Raises BrokenEvaluationError."""
        if type(key) is Version:
            raise BrokenEvaluationError(UNHASHABLE)
        if type(key) not in _KEYS and key is not None:
            raise UnsupportedExpressionError("{}")
        self.entries[_place_of(key)] = (key, value)

    def insert(self, key: Any, value: Any) -> None:
        """Put a value at a key. Raises CelError where one stands there."""
        if self.has(key):
            raise CelError(f"insert failed: key {shown(key)} already exists")
        self.put(key, value)

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self.entries.values())


def _place_of(key: Any) -> Any:
    """What a key is found under: numbers of all types by their value, and apart from true and false."""
    if type(key) is bool:
        return bool, key
    if type(key) in _NUMBERS:
        return float, key
    return type(key), key if type(key) in (str, type(None)) else id(key)


class CelError(Exception):
    """What cel-go answers where an expression fails, in its words."""


class BrokenEvaluationError(Exception):
    """What cel-go answers where it breaks itself: then nothing beside it matters."""


class Account:
    """What one evaluation has cost."""

    __slots__ = ("cost", "most")

    def __init__(self, most: int = MOST_COST) -> None:
        self.cost, self.most = 0, most

    @property
    def is_exhausted(self) -> bool:
        """Whether the evaluation was given up."""
        return self.cost > self.most

    def charge(self, cost: int) -> None:
        """Account for an operation before it is done. Raises CostlyExpressionError."""
        self.cost += cost
        if self.cost > self.most:
            raise CostlyExpressionError("cost")


class Scope:
    """The variables that a part of an expression sees, and the account of the evaluation."""

    __slots__ = ("account", "charge", "variables")

    def __init__(self, variables: Mapping[str, Any], account: Account) -> None:
        self.variables = dict(variables)
        self.account = account
        self.charge = account.charge

    def traverse(self, length: int, factor: int = 1) -> None:
        """Account for going through a text or list, which costs a tenth for each of its parts."""
        self.charge(-(-length * factor // 10))

    def inner(self) -> Scope:
        """A scope with room for one more variable."""
        self.charge(len(self.variables))
        return Scope(self.variables, self.account)


TYPES: Final[Mapping[str, type]] = {
    "bool": bool,
    "bytes": bytes,
    "double": float,
    "int": int,
    "list": list,
    "map": dict,
    "null_type": type(None),
    "string": str,
    "type": type,
    "uint": Uint,
}
_NAMES: Final = {
    **{each: name for name, each in TYPES.items()},
    Fraction: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
    OptionalValue: "optional_type",
    Address: "net.IP",
    Prefix: "net.CIDR",
}
# Those that are compared with their own kind alone.
_OBJECTS: Final = (Fraction, Version, Address, Prefix)
_NUMBERS: Final = (int, Uint, float)
_ORDERED: Final = (bool, str, bytes)
UNHASHABLE: Final = "internal error: runtime error: hash of unhashable type cel.Semver"
_KEYS: Final = (bool, str, *_NUMBERS)


def type_of(value: Any) -> type:
    """The type of a value; all maps have one."""
    if isinstance(value, type):
        return type
    if isinstance(value, Fraction):
        return Fraction
    return dict if isinstance(value, CelMapping) else type(value)


def type_name(value: Any) -> str:
    """The name that cel-go gives a value's type."""
    return _NAMES.get(type_of(value), "unknown")


def no_overload() -> CelError:
    """An operation that there is not for values of these types."""
    return CelError("no such overload")


def checked(value: Any, *types: type) -> Any:
    """The value, which is of one of these types. Raises CelError."""
    if type(value) not in types:
        raise no_overload()
    return value


def ranged(value: int) -> int:
    """A number that its type can hold. Raises CelError."""
    if type(value) is Uint:
        if not 0 <= value <= MAX_UINT64:
            raise CelError("unsigned integer overflow")
    elif not -MAX_INT64 - 1 <= value <= MAX_INT64:
        raise CelError("integer overflow")
    return value


def equal(scope: Scope, one: Any, other: Any) -> bool:
    """``==``. Raises CelError where objects are compared with others."""
    kind: Any = Fraction if type(one) is ComputedQuantity else type(one)
    if kind in _NUMBERS and type(other) in _NUMBERS:
        scope.charge(1)
        return bool(one == other)
    if isinstance(one, CelMapping) and isinstance(other, CelMapping):
        scope.charge(1)
        return len(one) == len(other) and all(_agrees_at(scope, key, one, other) for key in one)
    if kind is not type(other):
        scope.charge(1)
        if kind in _OBJECTS:
            raise no_overload()
        return False
    if kind is list:
        scope.charge(1)
        return len(one) == len(other) and not any(_differs(scope, *pair) for pair in zip(one, other, strict=True))
    if kind is OptionalValue:
        return len(one.held) == len(other.held) and all(map(equal, (scope,), one.held, other.held))
    scope.traverse(min(len(one), len(other)) if kind in (str, bytes) else 1)
    return bool(one == other)


def is_same(scope: Scope, one: Any, other: Any) -> bool:
    """Whether two values are equal, where what cannot be compared is not."""
    try:
        return equal(scope, one, other)
    except CelError:
        return False


def _differs(scope: Scope, one: Any, other: Any) -> bool:
    """Whether two items of lists or maps are unequal; what cannot be compared is equal there."""
    try:
        return not equal(scope, one, other)
    except CelError:
        return False


def _agrees_at(scope: Scope, key: Any, one: Any, other: Any) -> bool:
    held = other.find(key)
    return held is not ABSENT and not _differs(scope, one.find(key), held)


def operand(value: Any, sign: str, *types: type) -> Any:
    """The first value of an operation, which is of one of these types. Raises CelError."""
    if type(value) in types:
        return value
    # Texts are asked whether they know it.
    raise no_overload() if type(value) is str else CelError(f"no such overload: {sign}")


def relation(sign: str, compare: Callable[[Any, Any], bool]) -> Callable[[Scope, Any, Any], bool]:
    """``<`` and its like."""

    def related(scope: Scope, one: Any, other: Any) -> bool:
        kind = type(one)
        if kind in _NUMBERS and type(other) in _NUMBERS:
            scope.charge(1)
            if isnan(one) or isnan(other):
                raise CelError("NaN values cannot be ordered")
            return compare(one, other)
        operand(one, f"_{sign}_", *_ORDERED, *_NUMBERS)
        if kind is not type(other):
            raise no_overload()
        scope.traverse(1 if kind is bool else min(len(one), len(other)))
        return compare(one, other)

    return related


def contained(scope: Scope, item: Any, container: Any) -> bool:
    """``in``."""
    if isinstance(container, CelMapping):
        scope.charge(1)
        return container.has(item)
    scope.traverse(len(checked(container, list)))
    return any(is_same(scope, item, each) for each in container)


def added(scope: Scope, one: Any, other: Any) -> Any:
    """``+``, of numbers, texts and lists."""
    kind = type(operand(one, "_+_", *_NUMBERS, str, bytes, list))
    if kind is not type(other):
        raise no_overload()
    if kind in (str, bytes, list):
        scope.traverse(len(one) + len(other) + 1)
        return one + other
    return _computed("+", operator.add)(scope, one, other)


def _computed(
    sign: str, compute: Callable[[Any, Any], Any], types: tuple[type, ...] = _NUMBERS
) -> Callable[[Scope, Any, Any], Any]:
    def computed(scope: Scope, one: Any, other: Any) -> Any:
        kind = type(operand(one, f"_{sign}_", *types))
        checked(other, kind)
        scope.charge(1)
        found = compute(one, other)
        return found if kind is float else ranged(kind(found))

    return computed


def _quotient(one: Any, other: Any) -> Any:
    if type(one) is float:
        if other:
            return one / other
        # As IEEE 754 has it, with the sign of both.
        return float("nan") if isnan(one) or not one else one * float("inf") * (1 if str(other)[0] != "-" else -1)
    if other == 0:
        raise CelError("division by zero")
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def _remainder(one: Any, other: Any) -> Any:
    if other == 0:
        raise CelError("modulus by zero")
    found = abs(one) % abs(other)
    return -found if one < 0 else found


def negated(scope: Scope, value: Any) -> Any:
    """``-``."""
    scope.charge(1)
    if type(value) is bool:
        raise no_overload()
    found = -operand(value, "-_", int, float)
    return found if type(found) is float else ranged(found)


OPERATORS: Final[Mapping[str, Callable[[Scope, Any, Any], Any]]] = {
    "_==_": equal,
    "_!=_": lambda scope, one, other: not is_same(scope, one, other),
    "_<_": relation("<", operator.lt),
    "_<=_": relation("<=", operator.le),
    "_>_": relation(">", operator.gt),
    "_>=_": relation(">=", operator.ge),
    "@in": contained,
    "_+_": added,
    "_-_": _computed("-", operator.sub),
    "_*_": _computed("*", operator.mul),
    "_/_": _computed("/", _quotient),
    "_%_": _computed("%", _remainder, (int, Uint)),
}
