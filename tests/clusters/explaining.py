"""Running `manage.py explain` as it is run in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.management import call_command

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CONFIGURATION = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "packing"}],
}


def run(*arguments: str | Path) -> int:
    """Run the command and return its exit status."""
    try:
        call_command("explain", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def words(text: str) -> str:
    return " ".join(text.split())


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command says of bad input, on stderr and nowhere else."""
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return words(captured.err)
