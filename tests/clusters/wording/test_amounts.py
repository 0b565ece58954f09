"""Amounts of resources with their units, for people and as manifests write them."""

from __future__ import annotations

import pytest
from django.utils import translation
from hypothesis import given, strategies as st

from clusters.engine.edits import LowerRequest
from clusters.wording.advice import edit_label
from clusters.wording.amounts import (
    BINARY_UNITS,
    Unit,
    as_in_manifests,
    at_least,
    at_most,
    cpu,
    decimal,
    grouped,
    quantity,
    rate,
    resource_unit,
    signed,
    size,
)

GPU = "example.com/gpu"


@pytest.mark.parametrize(
    ("resource", "unit"),
    [
        ("cpu", Unit.MILLI_CPU),
        ("memory", Unit.BYTES),
        ("ephemeral-storage", Unit.BYTES),
        ("hugepages-2Mi", Unit.BYTES),
        (GPU, Unit.COUNT),
        ("pods", Unit.COUNT),
    ],
)
def test_units_of_resources(resource: str, unit: Unit) -> None:
    assert resource_unit(resource) == unit


@pytest.mark.parametrize(
    ("resource", "number", "read", "written"),
    [
        ("cpu", 1500, "1.5 CPU", "1500m"),
        ("cpu", 2000, "2 CPU", "2"),
        ("memory", 3 * 1024**3, "3 GiB", "3Gi"),
        ("memory", 1536 * 1024**2, "1.5 GiB", "1536Mi"),
        ("memory", 1_000_000_000, "953.7 MiB", "1000000000"),
        ("memory", 0, "0 B", "0"),
        (GPU, 12_000, "12\u202f000", "12000"),
    ],
)
def test_amounts_are_read_rounded_and_written_whole(resource: str, number: int, read: str, written: str) -> None:
    assert quantity(resource, number) == read
    assert as_in_manifests(resource, number) == written


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en-gb", ("12\u202f000", "1.5 CPU", "1.5 GiB", "99.90 %", "0.25")),
        ("id", ("12.000", "1,5 CPU", "1,5 GiB", "99,90 %", "0,25")),
        ("uk", ("12\u202f000", "1,5 CPU", "1,5 GiB", "99,90 %", "0,25")),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, written: tuple[str, ...]) -> None:
    with translation.override(language):
        assert grouped(-12_000) == signed(-12_000) == f"−{written[0]}"
        assert (grouped(12_000), cpu(1500), size(3 * 2**29), rate(999, 1000), decimal(0.25)) == written


@given(st.integers(1, 2**52))
def test_what_may_be_requested_is_never_written_as_more_and_what_is_missing_never_as_less(number: int) -> None:
    down, nearest, up = (_bytes(write("memory", number)) for write in (at_most, quantity, at_least))

    assert down <= number <= up
    assert down <= nearest <= up
    tenth = 1024 ** ((number.bit_length() - 1) // 10) / 10
    assert up - down <= 1.001 * tenth


def test_an_edit_says_no_larger_request_than_it_sets() -> None:
    free = 2_980_000_000  # 2.775 GiB

    assert edit_label(LowerRequest("memory", free), {}) == "Request at most 2.7 GiB of memory"
    assert (at_most("memory", free), quantity("memory", free), at_least("memory", free)) == (
        "2.7 GiB",
        "2.8 GiB",
        "2.8 GiB",
    )
    assert (at_most("cpu", 1_255), at_least("cpu", 1_255), at_most("pods", 7)) == ("1.255 CPU", "1.255 CPU", "7")


def _bytes(text: str) -> float:
    number, unit = text.split()
    return float(number) * 1024.0 ** BINARY_UNITS.index(unit)
