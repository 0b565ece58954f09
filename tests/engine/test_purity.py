from __future__ import annotations

import subprocess
import sys

from django.conf import settings

FORBIDDEN = {"django", "celery", "channels", "redis", "plotly", "orjson", "yaml"}


def test_engine_loads_nothing_from_the_outer_rings() -> None:
    """Import in a clean process: neither the engine nor anything that it imports may need the rest of Berth."""
    program = "import sys, clusters.engine; print('\\n'.join({name.partition('.')[0] for name in sys.modules}))"

    result = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, env={}, capture_output=True, text=True, check=True
    )

    loaded = set(result.stdout.split())
    assert "clusters" in loaded
    assert loaded & FORBIDDEN == set()
    assert "dashboard" not in loaded
