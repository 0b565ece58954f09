"""Commands of an installation beside the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from pathlib import Path


def manage(folder: Path, database: str, *arguments: str) -> str:
    """Run a command of an installation of its own, in a process of its own."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings", "BERTH_DATA_DIR": str(folder)}
    command = [sys.executable, "manage.py", *arguments]
    ended = subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env={**environment, "DATABASE_URL": database},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
