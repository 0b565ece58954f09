"""What several test modules of the data ring use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.fake_apiserver import FakeApiServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def api_server() -> Iterator[FakeApiServer]:
    """Run an API server that holds nothing yet."""
    server = FakeApiServer()
    server.start()
    yield server
    server.close()
