"""Kubernetes quantities (``500m``, ``1.5Gi``, ``1e3``) as the integers that decide a fit.

The grammar is the documented one, strictly: a sign, digits with at most one point, and one suffix of
``n u m k M G T P E``, ``Ki Mi Gi Ti Pi Ei`` or a decimal exponent. The integers are Go's ``Quantity.Value`` and
``Quantity.MilliValue`` (k8s.io/apimachinery v0.34.1, package ``api/resource``), out of range ones included, because the
scheduler adds those up too:

* what is left of the wanted unit is rounded away from zero, after rounding to nano-units in the same direction;
* a binary suffix stops at the largest int64;
* what leaves int64 after that wraps to its low 64 bits, or becomes 0: Go keeps a decimal number of at most 18 digits
  and 9 places as an int64 with an exponent, and multiplies some exponents in one step that wraps, the others in steps
  that give up.

The API server admits no negative quantity; here one is the mirror image of its positive.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

MAX_INT64: Final = 2**63 - 1

# Longer than any number that the API server writes, short enough that a hostile text costs nothing.
_MAX_LENGTH: Final = 128

_GRAMMAR: Final = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?:(?P<whole>[0-9]+)(?:\.(?P<places>[0-9]*))?|\.(?P<only_places>[0-9]+))"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?[0-9]+)"
)
_POWERS_OF_TEN: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_POWERS_OF_TWO: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

_NANO: Final = 9
# The exponents that Go applies to a short decimal number in one wrapping multiplication.
_WRAPPING_EXPONENTS: Final = frozenset({1, 2, 3, 6, 9})
# 10**64 is a multiple of 2**64, and 128 digits shifted by 200 places are less than one nano-unit: no change beyond.
_SCALE_LIMITS: Final = (-200, 64)


class QuantityError(ValueError):
    """A text or number that is not a Kubernetes quantity; the message says what would be right."""

    def __init__(self, given: object, remedy: str) -> None:
        shown = repr(given)
        if len(shown) > 60:
            shown = f"{shown[:60]}…"
        super().__init__(f"{shown} is not a quantity: {remedy}")
        self.given = given
        self.remedy = remedy


def value(quantity: str | float) -> int:
    """Return the quantity in whole units (bytes, devices), rounded away from zero, as an int64.

    ``quantity`` is the text of the field, or the number that a JSON or YAML reader made of it. Raises QuantityError.
    """
    return _scaled(quantity if type(quantity) is str else _literal(quantity), 0)


def milli_value(quantity: str | float) -> int:
    """Return the quantity in thousandths (milli-CPU), rounded away from zero, as an int64.

    ``quantity`` is the text of the field, or the number that a JSON or YAML reader made of it. Raises QuantityError.
    """
    return _scaled(quantity if type(quantity) is str else _literal(quantity), 3)


def _literal(number: object) -> str:
    """Return the literal that a JSON document would hold for a number."""
    # bool is an int to Python, and nothing of the sort to Kubernetes.
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        raise QuantityError(number, "write a number or a text such as 500m, 2 or 1.5Gi")
    if isinstance(number, int) and abs(number) >= 10**_MAX_LENGTH:
        raise QuantityError(f"a number of {number.bit_length()} bits", f"write at most {_MAX_LENGTH} digits")
    return str(number)


@lru_cache(maxsize=1 << 16)
def _scaled(text: str, places: int) -> int:
    """Return ``text`` × 10**places as Go's ScaledValue(-places) would."""
    match = _GRAMMAR.fullmatch(text) if len(text) <= _MAX_LENGTH else None
    if match is None:
        raise QuantityError(text, _remedy(text))
    whole = (match["whole"] or "").lstrip("0") or "0"
    fraction = match["places"] or match["only_places"] or ""
    suffix = match["suffix"]
    mantissa = int(whole + fraction)
    scale = -len(fraction)
    if suffix in _POWERS_OF_TWO:
        mantissa <<= _POWERS_OF_TWO[suffix]
        nano = min(_shifted(mantissa, scale + _NANO), MAX_INT64 * 10**_NANO)
        overflow_is_zero = False
    else:
        scale += _POWERS_OF_TEN[suffix] if suffix in _POWERS_OF_TEN else int(suffix[1:])
        is_short = len(whole) + len(fraction) <= 18 and scale >= -_NANO
        overflow_is_zero = is_short and scale + places not in _WRAPPING_EXPONENTS
        nano = _shifted(mantissa, min(max(scale, _SCALE_LIMITS[0]), _SCALE_LIMITS[1]) + _NANO)
    scaled = _shifted(nano, places - _NANO)
    if match["sign"] == "-":
        scaled = -scaled
    if -MAX_INT64 - 1 <= scaled <= MAX_INT64:
        return scaled
    return 0 if overflow_is_zero else (scaled + MAX_INT64 + 1) % 2**64 - MAX_INT64 - 1


def _shifted(number: int, places: int) -> int:
    """Return the non-negative ``number`` × 10**places, rounded up."""
    power: int = 10 ** abs(places)
    return number * power if places >= 0 else -(-number // power)


def _remedy(text: str) -> str:
    """Say what would be right in place of ``text``."""
    if len(text) > _MAX_LENGTH:
        return f"write at most {_MAX_LENGTH} characters"
    if text != (stripped := text.strip()) and _GRAMMAR.fullmatch(stripped):
        return f"remove the space around it: {stripped!r}"
    if text.endswith("K") and _GRAMMAR.fullmatch(text[:-1]):
        return f"write {text[:-1]}k for thousands or {text}i for units of 1024"
    return (
        "write a number and at most one suffix of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent, "
        "such as 500m, 2, 1.5Gi or 1e3"
    )
