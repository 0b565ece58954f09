"""Kubernetes quantities (``500m``, ``1.5Gi``, ``1e3``), added up and compared as Go's ``resource.Quantity`` does.

The grammar is the documented one, strictly: a sign, digits with at most one point, and one suffix of
``n u m k M G T P E``, ``Ki Mi Gi Ti Pi Ei`` or a decimal exponent. Upstream: ``Quantity`` of k8s.io/apimachinery
v0.34.1, package ``api/resource``, whose sums are exact and whose ``Value`` and ``MilliValue`` are int64, out of range
ones included, because the scheduler adds those up too:

* a quantity of at most 18 digits and 9 places is an int64 with an exponent, until a sum no longer fits; every other is
  a big decimal in nano-units, rounded away from zero, and with a binary suffix it stops at the largest int64;
* until v0.37.2, what leaves int64 on the way to whole units or thousandths wraps to its low 64 bits, or becomes 0: Go
  multiplies some exponents in one step that wraps, the others in steps that give up; from v0.38.0 on it stops at the
  ends of int64, and everything is rounded away from zero;
* until v0.37.2, a big decimal that is negative and has a rest is rounded towards zero, and one beyond: one more than
  what truncation gives. The API server admits no negative quantity."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, TypeVar

from clusters.engine.problems import OneOf, Problem, message, shown

# What can be wrong with an amount of a resource.


class NotAQuantity(Problem, kind="NotAQuantity"):
    """What Kubernetes' grammar of quantities refuses; ``meant`` are amounts that can be meant."""

    sentence = message("%(found)s is not a resource quantity.")
    remedy = (message("Write %(meant)s."), message("Write a number such as 500m, 2 or 1.5Gi."))

    found: str
    meant: OneOf = ()


MAX_INT64: Final = 2**63 - 1
NANO: Final = 9

# Longer than any number that the API server writes, short enough that a hostile text costs nothing.
_MAX_LENGTH: Final = 128

_GRAMMAR: Final = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?:(?P<whole>[0-9]+)(?:\.(?P<places>[0-9]*))?|\.(?P<only_places>[0-9]+))"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?[0-9]+)"
)
_POWERS_OF_TEN: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_POWERS_OF_TWO: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

# How many digits an int64 is trusted with, and the exponents that Go applies in one wrapping multiplication.
_SHORT: Final = 18
_WRAPPING_EXPONENTS: Final = frozenset({0, 1, 2, 3, 6, 9})
# The greatest power of ten that an int64 holds; Go's conversion of a greater float gives the lowest int64.
_GREATEST_POWER: Final = 18
# 128 digits shifted by 200 places are less than one nano-unit, and an exponent beyond leaves int64 in any case.
_EXPONENT_LIMITS: Final = (-400, 400)


class QuantityError(ValueError):
    """A text or number that is not a Kubernetes quantity, and what is wrong with it."""

    def __init__(self, given: object, problem: Problem) -> None:
        super().__init__(problem)
        self.given = given
        self.problem = problem


def wrapped(number: int) -> int:
    """Return the low 64 bits of an integer as an int64."""
    return (number + MAX_INT64 + 1) % 2**64 - MAX_INT64 - 1


def saturated(number: int) -> int:
    """Return an integer, or the end of int64 that it is beyond."""
    return max(-MAX_INT64 - 1, min(number, MAX_INT64))


def _power_of_ten(exponent: int) -> int:
    power: int = 10**exponent
    return power


def _is_int64(number: int) -> bool:
    return -MAX_INT64 - 1 <= number <= MAX_INT64


class QuantityFormat(enum.Enum):
    """How a quantity is written, which follows from the suffix that it was read with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


@dataclass(frozen=True, slots=True)
class Quantity:
    """``unscaled`` × 10**``exponent``; ``is_short`` while Go holds ``unscaled`` as an int64.

    ``format``: how Go would write it; of a sum that of the first amount that is not 0.
    """

    unscaled: int
    exponent: int = 0
    is_short: bool = True
    format: QuantityFormat = field(default=QuantityFormat.DECIMAL_SI, compare=False)

    @property
    def nano_units(self) -> int:
        """The exact quantity in nano-units."""
        return self.unscaled * _power_of_ten(max(0, self.exponent + NANO))

    def __add__(self, other: Quantity) -> Quantity:
        if self.is_short and other.is_short:
            if not other.unscaled:
                return self
            if not self.unscaled:
                return other
            found = self._added(other)
            # Bringing the one with the higher exponent down must fit as well.
            high = max(self, other, key=lambda each: each.exponent)
            if _is_int64(high.unscaled * _power_of_ten(high.exponent - found.exponent)) and _is_int64(found.unscaled):
                return found
        found = self._added(other)
        return replace(found, is_short=False)

    def _added(self, other: Quantity) -> Quantity:
        exponent = min(self.exponent, other.exponent)
        return Quantity(
            self.unscaled * _power_of_ten(self.exponent - exponent)
            + other.unscaled * _power_of_ten(other.exponent - exponent),
            exponent,
            format=self.format if self.unscaled else other.format,
        )

    def __gt__(self, other: Quantity) -> bool:
        exponent = min(self.exponent, other.exponent)
        return self.unscaled * _power_of_ten(self.exponent - exponent) > other.unscaled * _power_of_ten(
            other.exponent - exponent
        )

    def scaled(self, places: int, *, saturates: bool = False) -> int:
        """The quantity × 10**places, rounded away from zero, as an int64; ``saturates``: as from v0.38.0 on."""
        shift = self.exponent + places
        if saturates:
            power = _power_of_ten(abs(shift))
            magnitude = abs(self.unscaled) * power if shift >= 0 else -(-abs(self.unscaled) // power)
            return saturated(magnitude if self.unscaled >= 0 else -magnitude)
        if self.is_short:
            if shift < 0:
                magnitude = -(-abs(self.unscaled) // _power_of_ten(-shift))
                return magnitude if self.unscaled >= 0 else -magnitude
            found = self.unscaled * _power_of_ten(shift)
            if _is_int64(found):
                return found
            gives_up = shift not in _WRAPPING_EXPONENTS or self.unscaled == -MAX_INT64 - 1
            return 0 if gives_up else wrapped(found)
        if shift >= 0:
            power = _power_of_ten(shift) if shift <= _GREATEST_POWER else -MAX_INT64 - 1
            return wrapped(wrapped(self.unscaled) * power)
        divisor = _power_of_ten(-shift)
        if self.unscaled < 0 and -shift <= _GREATEST_POWER:
            low = wrapped(self.unscaled)
            truncated = abs(low) // divisor if low >= 0 else -(abs(low) // divisor)
            return wrapped(truncated + (low % divisor != 0))
        # The quotient of a negative number is the one with a positive rest.
        return wrapped(-(-self.unscaled // divisor))


def whole_value(quantity: str | float, *, saturates: bool = False) -> int:
    """Return the quantity in whole units (bytes, devices), rounded away from zero, as an int64.

    ``quantity`` is the text of the field, or the number that a JSON or YAML reader made of it. Raises QuantityError.
    """
    return parsed(quantity).scaled(0, saturates=saturates)


def milli_value(quantity: str | float, *, saturates: bool = False) -> int:
    """Return the quantity in thousandths (milli-CPU), rounded away from zero, as an int64.

    ``quantity`` is the text of the field, or the number that a JSON or YAML reader made of it. Raises QuantityError.
    """
    return parsed(quantity).scaled(3, saturates=saturates)


def parsed(quantity: str | float) -> Quantity:
    """Return a quantity by the text of the field, or the number that a JSON or YAML reader made of it.

    Raises QuantityError.
    """
    return _parsed(quantity if type(quantity) is str else _literal(quantity))


def _literal(number: object) -> str:
    """Return the literal that a JSON document would hold for a number."""
    # bool is an int to Python, and nothing of the sort to Kubernetes.
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        raise QuantityError(number, NotAQuantity(shown(number)))
    if isinstance(number, int) and abs(number) >= 10**_MAX_LENGTH:
        raise QuantityError(number, NotAQuantity(shown(number)))
    return str(number)


Number = TypeVar("Number", int, Quantity)


def taken_over(greater: Number, other: Number) -> Number:
    """The greater of two amounts, after Go compared them: next to a big decimal a quantity becomes one itself."""
    if isinstance(greater, int):
        return greater
    return greater if other.is_short else replace(greater, is_short=False)


def nano_units(quantity: str | float) -> int:
    """Return the exact quantity in nano-units, of which every quantity is a multiple. Raises QuantityError."""
    return _nano_units(quantity if type(quantity) is str else _literal(quantity))


@lru_cache(maxsize=1 << 16)
def _nano_units(text: str) -> int:
    # Only zero has more places than nine.
    return _parsed(text).nano_units


@lru_cache(maxsize=1 << 16)
def _parsed(text: str) -> Quantity:
    match = _GRAMMAR.fullmatch(text) if len(text) <= _MAX_LENGTH else None
    if match is None:
        raise QuantityError(text, _problem(text))
    whole = (match["whole"] or "").lstrip("0") or "0"
    fraction = match["places"] or match["only_places"] or ""
    suffix = match["suffix"]
    written = _format_of(suffix)
    mantissa = int(whole + fraction)
    sign = -1 if match["sign"] == "-" else 1
    if suffix in _POWERS_OF_TWO:
        power, exponent = _POWERS_OF_TWO[suffix], -len(fraction)
        if not fraction and len(whole) + power * 3 // 10 < 15:
            return Quantity(sign * (mantissa << power), format=written)
        mantissa <<= power
    else:
        power, exponent = 0, _POWERS_OF_TEN[suffix] if suffix in _POWERS_OF_TEN else int(suffix[1:])
        exponent = min(max(exponent - len(fraction), _EXPONENT_LIMITS[0]), _EXPONENT_LIMITS[1])
        if len(whole) + len(fraction) <= _SHORT and exponent >= -NANO:
            return Quantity(sign * mantissa, exponent, format=written)
    if not mantissa:
        return Quantity(0, exponent, is_short=False, format=written)
    nano = _shifted(mantissa, exponent + NANO)
    if power and nano > MAX_INT64 * 10**NANO:
        return Quantity(sign * MAX_INT64, 0, is_short=False, format=written)
    return Quantity(sign * nano, -NANO, is_short=False, format=written)


def _format_of(suffix: str) -> QuantityFormat:
    if suffix in _POWERS_OF_TWO:
        return QuantityFormat.BINARY_SI
    return QuantityFormat.DECIMAL_SI if suffix in _POWERS_OF_TEN else QuantityFormat.DECIMAL_EXPONENT


def canonical_text(nano_units: int, written: QuantityFormat) -> str:
    """Write an exact amount as Go's ``Quantity.String`` does: ``1500m``, ``10Gi``, ``0``.

    Binary suffixes are used for whole amounts from 1024 on; decimal ones come in steps of three places.
    """
    if not nano_units:
        return "0"
    whole = _power_of_ten(NANO)
    if written is QuantityFormat.BINARY_SI and abs(nano_units) >= 1024 * whole and not nano_units % whole:
        number, power = nano_units // whole, 0
        while not number % 1024 and power < len(_POWERS_OF_TWO):
            number, power = number // 1024, power + 1
        return f"{number}{('', *_POWERS_OF_TWO)[power]}"
    number, exponent = nano_units, -NANO
    while not number % 1000:
        number, exponent = number // 1000, exponent + 3
    if written is QuantityFormat.DECIMAL_EXPONENT:
        return f"{number}e{exponent}" if exponent else str(number)
    if exponent > _POWERS_OF_TEN["E"]:
        number, exponent = number * _power_of_ten(exponent - _POWERS_OF_TEN["E"]), _POWERS_OF_TEN["E"]
    return f"{number}{next(suffix for suffix, power in _POWERS_OF_TEN.items() if power == exponent)}"


def _shifted(number: int, places: int) -> int:
    """Return the non-negative ``number`` × 10**places, rounded up."""
    power = _power_of_ten(abs(places))
    return number * power if places >= 0 else -(-number // power)


def _problem(text: str) -> Problem:
    """Find what is wrong with a text that the grammar refuses."""
    if len(text) > _MAX_LENGTH:
        return NotAQuantity(shown(text))
    if text != (stripped := text.strip()) and _GRAMMAR.fullmatch(stripped):
        return NotAQuantity(shown(text), (stripped,))
    if text.endswith("K") and _GRAMMAR.fullmatch(text[:-1]):
        return NotAQuantity(shown(text), (f"{text[:-1]}k", f"{text}i"))
    return NotAQuantity(shown(text))
