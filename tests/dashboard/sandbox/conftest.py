"""What tests of the sandbox begin with."""

from __future__ import annotations

import pytest

from dashboard.sandbox import case


@pytest.fixture(autouse=True)
def fresh_sandboxes() -> None:
    """Forget what the process knows of sandboxes: tests reuse the primary keys of users."""
    case._clusters.clear()
    case._decisions.clear()
