"""What must hold for the repository as a whole."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_FILE = 400
OWN_CODE = {".py", ".js", ".css", ".html"}


def tracked_files() -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True).stdout
    paths = [settings.BASE_DIR / name for name in names.split("\0") if name]
    return [path for path in paths if path.is_file()]


def own_code() -> list[Path]:
    return [path for path in tracked_files() if path.suffix in OWN_CODE and "vendor" not in path.parts]


def variables_read() -> set[str]:
    """Return the environment variables that the settings read: the first arguments of the calls into dashboard.env."""
    tree = ast.parse((settings.BASE_DIR / "dashboard" / "settings.py").read_text(encoding="utf-8"))
    return {
        str(node.args[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and isinstance(node.args[0], ast.Constant)
    }


def test_no_file_needs_much_scrolling() -> None:
    lengths = {str(path.relative_to(settings.BASE_DIR)): len(path.read_text().splitlines()) for path in own_code()}

    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_every_variable_is_explained() -> None:
    text = (settings.BASE_DIR / "docs/settings.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", text, re.MULTILINE))

    assert documented == variables_read()


def test_every_variable_is_in_the_example() -> None:
    text = (settings.BASE_DIR / ".env.example").read_text(encoding="utf-8")
    example = set(re.findall(r"^# ?([A-Z_]+)=", text, re.MULTILINE))

    assert example == variables_read()


def test_settings_read_the_environment_only_through_typed_functions() -> None:
    source = (settings.BASE_DIR / "dashboard" / "settings.py").read_text(encoding="utf-8")

    assert "environ" not in source
    assert "getenv" not in source


def test_every_dependency_is_pinned_and_weighed() -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (settings.BASE_DIR / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    declared = [*project["dependencies"], *project["optional-dependencies"]["dev"]]

    for requirement in declared:
        name, pinned, _ = requirement.partition("==")
        assert pinned, f"{requirement} is not pinned"
        assert f"**{name.partition('[')[0].lower()}**" in text, f"{name} is not in docs/dependencies.md"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_carry_hashes_and_no_address(name: str) -> None:
    text = (settings.BASE_DIR / name).read_text(encoding="utf-8")

    assert "://" not in text
    for block in re.split(r"\n(?=[a-z])", text):
        assert "--hash=sha256:" in block
