"""Amounts of resources with their units, for people and as manifests write them."""

from __future__ import annotations

import pytest
from django.utils import translation

from clusters.wording.amounts import Unit, as_in_manifests, cpu, decimal, grouped, quantity, rate, resource_unit, size

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
        assert (grouped(12_000), cpu(1500), size(3 * 2**29), rate(999, 1000), decimal(0.25)) == written
