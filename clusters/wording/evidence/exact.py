"""Numbers of worked arithmetic: as few decimals as still lead to the number that a line ends with."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from clusters.wording.amounts import BINARY_UNITS, Unit, cpu, grouped, resource_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FEW, _MOST = 3, 15


def precision(is_enough: Callable[[int], bool]) -> int:
    """Return the fewest decimals with which a line leads to its number."""
    return next((decimals for decimals in range(_FEW, _MOST) if is_enough(decimals)), _MOST)


def rounded(value: Fraction, decimals: int) -> Fraction:
    """Round to so many decimals."""
    return Fraction(round(value * 10**decimals), 10**decimals)


def decimal(value: Fraction, decimals: int) -> str:
    """Write a number with at most so many decimals."""
    text = f"{float(rounded(value, decimals)):.{decimals}f}"
    return text.rstrip("0").rstrip(".")


def resource_amounts(
    resource: str, values: Sequence[int], is_enough: Callable[[Sequence[Fraction]], bool]
) -> tuple[str, ...]:
    """Write amounts in one unit, with as many decimals as the number that is made of them needs."""
    unit = resource_unit(resource)
    if unit is Unit.MILLI_CPU:
        return tuple(cpu(value) for value in values)
    if unit is not Unit.BYTES:
        return tuple(grouped(value) for value in values)
    power = max(0, (max(values).bit_length() - 1) // 10)
    scaled = [Fraction(value, 1024**power) for value in values]
    decimals = precision(lambda some: is_enough([rounded(value, some) for value in scaled]))
    return tuple(f"{decimal(value, decimals)} {BINARY_UNITS[power]}" for value in scaled)


def minus(number: int) -> str:
    """Write a whole number with a real minus sign."""
    return f"−{-number}" if number < 0 else f"{number}"


def term(number: int) -> str:
    """Write a whole number as a term of a sum: a negative one in parentheses."""
    return f"(−{-number})" if number < 0 else f"{number}"


def sum_line(numbers: Sequence[int], total: int) -> tuple[str, ...]:
    """Return the line that adds up several parts; a single one stands for itself."""
    if len(numbers) < 2:
        return ()
    return (f"{' + '.join(term(number) for number in numbers)} = {minus(total)}",)
