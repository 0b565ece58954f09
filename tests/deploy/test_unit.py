"""What runs Berth as a service."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

if TYPE_CHECKING:
    from pathlib import Path

UNIT = settings.BASE_DIR / "deploy" / "systemd" / "berth.service"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_unit_is_understood(tmp_path: Path) -> None:
    """Where Berth is not installed the program would be missed."""
    text = UNIT.read_text(encoding="utf-8")
    command = "/opt/berth/bin/berth serve --no-demo"
    assert f"ExecStart={command}\n" in text
    unit = tmp_path / UNIT.name
    unit.write_text(text.replace(command, "/bin/true"), encoding="utf-8")

    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)

    assert (verified.returncode, verified.stderr) == (0, "")


def test_documentation_installs_where_the_unit_looks() -> None:
    text = UNIT.read_text(encoding="utf-8")
    page = (settings.BASE_DIR / "docs" / "installation.md").read_text(encoding="utf-8")

    for path in re.findall(r"/(?:opt|var|etc)/[\w/]*berth", text):
        assert path in page
