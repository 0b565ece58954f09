from __future__ import annotations

import socket

import pytest

from dashboard.serving import installation


def test_next_free_port_is_taken_when_nobody_asked_for_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert installation.free_port("127.0.0.1", port, strictly=False) > port


def test_port_that_was_asked_for_is_not_replaced() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(installation.NotPreparedError, match=f"Port {port} .* is taken"):
            installation.free_port("127.0.0.1", port, strictly=True)


def test_address_of_another_machine_is_refused() -> None:
    # Reserved for documentation: no machine has it.
    with pytest.raises(installation.NotPreparedError, match=r"cannot listen on 192\.0\.2\.1"):
        installation.free_port("192.0.2.1", 8000, strictly=False)
