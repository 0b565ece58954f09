"""How Go writes values, in texts and in errors.

Upstream: ``fmt`` and ``strconv`` of Go, whose ``%g`` and ``%v`` write doubles alike.
"""

from __future__ import annotations

from decimal import Decimal
from math import isinf, isnan
from typing import Any, Final

from clusters.engine.devices import UnsupportedExpressionError

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
