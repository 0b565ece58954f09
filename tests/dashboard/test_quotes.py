"""Messages of the scheduler are quoted by their first clause."""

from __future__ import annotations

import pytest

from dashboard.presenters.shared.page import Quote


@pytest.mark.parametrize(
    ("message", "opening"),
    [
        ("0/6 nodes are available: 2 Insufficient cpu, 4 Too many pods.", "0/6 nodes are available"),
        ("no nodes available to schedule pods", ""),
        ('running "A" filter plugin: node v1.2:3 is gone', 'running "A" filter plugin'),
        ("3 Insufficient example.com/gpu:1, 2 Too many pods", "3 Insufficient example.com/gpu:1"),
        ("", ""),
    ],
)
def test_a_quote_opens_with_its_first_clause(message: str, opening: str) -> None:
    assert Quote(message).opening == opening
