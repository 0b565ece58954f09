"""Orders are read strictly: what is wrong is named with its field."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from clusters.services.reports.order import DEFAULT_SHAPES, SECTIONS, OrderError, Shape, read_order
from clusters.wording.problems import problem_sentence

AS_OF = datetime(2026, 3, 2, tzinfo=UTC)


def test_everything_has_a_default() -> None:
    order = read_order({"cluster": "demo"})

    assert (order.title, order.sections, order.shapes) == ("", SECTIONS, DEFAULT_SHAPES)
    assert order.period(AS_OF) == (datetime(2026, 2, 2, tzinfo=UTC), AS_OF)


def test_everything_can_be_said() -> None:
    order = read_order(
        {
            "version": 1,
            "run": 7,
            "title": "  Spring ",
            "period": {"from": "2026-01-01T00:00:00+01:00", "to": "2026-02-01T00:00:00Z"},
            "notes": "One\r\ntwo\x00\tthree",
            "sections": ["spread", "utilisation"],
            "shapes": [
                {"name": "gpu", "cpu": "500m", "memory": "1Gi", "resources": {"nvidia.com/gpu": 1}},
                {"name": "web", "like": {"kind": "Deployment", "namespace": "shop", "name": "web"}},
            ],
            "prices": {"currency": "eur", "cpu_hour": "0.031", "memory_gib_hour": 0.004},
        }
    )

    assert (order.run, order.cluster, order.title, order.notes) == (7, None, "Spring", "One\ntwo\ufffd    three")
    assert order.sections == ("utilisation", "spread")
    assert order.shapes[0].requests == {"cpu": 500, "memory": 1024**3, "nvidia.com/gpu": 1}
    assert order.shapes[1] == Shape("web", like=("Deployment", "shop", "web"))
    assert order.prices is not None
    assert (order.prices.currency, order.prices.memory_gib_hour) == ("EUR", Decimal("0.004"))
    assert order.period(AS_OF)[0] == datetime(2025, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ([], ""),
        ({}, "cluster"),
        ({"cluster": "a", "run": 1}, "cluster"),
        ({"cluster": 3}, "cluster"),
        ({"run": True}, "run"),
        ({"run": 2**80}, "run"),
        ({"cluster": "a", "colour": "red"}, "colour"),
        ({"cluster": "a", "version": 2}, "version"),
        ({"cluster": "a", "title": "x" * 201}, "title"),
        ({"cluster": "a", "title": "a\nb"}, "title"),
        ({"cluster": "a", "notes": "é" * 10_001}, "notes"),
        ({"cluster": "a", "period": {"days": 0}}, "period.days"),
        ({"cluster": "a", "period": {"days": 3, "to": "x"}}, "period"),
        ({"cluster": "a", "period": {"from": "2026-01-01T00:00:00Z"}}, "period.to"),
        ({"cluster": "a", "period": {"from": "2026-01-01T00:00:00", "to": "2026-01-02T00:00:00Z"}}, "period.from"),
        ({"cluster": "a", "period": {"from": "2026-01-02T00:00:00Z", "to": "2026-01-02T00:00:00Z"}}, "period.to"),
        ({"cluster": "a", "sections": []}, "sections"),
        ({"cluster": "a", "sections": ["run", "cost"]}, "sections"),
        ({"run": 1, "sections": ["trend", "agreement"]}, "sections"),
        ({"cluster": "a", "sections": ["spread", {}]}, "sections[1]"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "1"}] * 2}, "shapes[1].name"),
        ({"cluster": "a", "shapes": [{"name": "a"}]}, "shapes[0]"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "1K"}]}, "shapes[0].cpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "-1"}]}, "shapes[0].cpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "resources": {"gpu": 1}}]}, "shapes[0].resources.gpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "like": {"kind": "Job"}}]}, "shapes[0].like"),
        ({"cluster": "a", "prices": {"currency": "€"}}, "prices.currency"),
        ({"cluster": "a", "prices": {"currency": "EUR", "cpu_hour": "NaN"}}, "prices.cpu_hour"),
        (
            {"cluster": "a", "prices": {"currency": "EUR", "cpu_hour": 1, "memory_gib_hour": -1}},
            "prices.memory_gib_hour",
        ),
    ],
)
def test_what_is_wrong_is_named(order: Any, field: str) -> None:
    with pytest.raises(OrderError) as raised:
        read_order(order)

    assert raised.value.field == field
    assert problem_sentence(raised.value.problem).endswith(".")
