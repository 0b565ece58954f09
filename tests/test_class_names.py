"""Two classes of one name in one ring need two names: whoever reads one must not have to guess which is meant."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest
from django.conf import settings

# It reads code and runs none.
pytestmark = pytest.mark.unmeasured

# Named by Django, or one for each plugin or command by design.
FRAMEWORK = {"Command", "Config", "Meta", "Migration", "Wording"}
RINGS = (
    "clusters/adapters", "clusters/demo", "clusters/documents", "clusters/engine", "clusters/management",
    "clusters/problems", "clusters/services", "clusters/wording", "dashboard",
)  # fmt: skip


@pytest.mark.parametrize("ring", RINGS)
def test_no_two_public_classes_of_a_ring_have_one_name(ring: str) -> None:
    found = defaultdict(list)
    for path in sorted((settings.BASE_DIR / ring).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in FRAMEWORK:
                found[node.name].append(f"{path.relative_to(settings.BASE_DIR)}:{node.lineno}")

    assert found
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
