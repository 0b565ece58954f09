"""What must hold for the repository as a whole."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

if TYPE_CHECKING:
    from pathlib import Path

NAMED_PATH = re.compile(
    r"`((?:bench|clusters|dashboard|deploy|docs|locale|scripts|static|templates|tests)/[^`\s]*)`"
    r"|\]\(([^)#:\s]+)(?:#[^)]*)?\)"
)
# In a path of the documentation capitals hold the place of a name: locale/LANGUAGE/LC_MESSAGES/django.po.
PLACEHOLDER = re.compile(r"\b(?:LANGUAGE|NAME)\b")


def tracked_files() -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True).stdout
    paths = [settings.BASE_DIR / name for name in names.split("\0") if name]
    return [path for path in paths if path.is_file()]


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
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def missing_paths(page: Path) -> list[str]:
    """Return the paths that a page of the documentation names or links to, and that do not exist.

    A path in backticks counts from the root of the repository, a link from the page's folder.
    """
    text = page.read_text(encoding="utf-8")
    named = [
        (settings.BASE_DIR, match[1]) if match[1] else (page.parent, match[2]) for match in NAMED_PATH.finditer(text)
    ]
    return [name for folder, name in named if not PLACEHOLDER.search(name) and not any(folder.glob(name))]


def test_every_path_in_the_documentation_exists() -> None:
    pages = [path for path in tracked_files() if path.suffix == ".md"]

    assert {path.name: missing for path in pages if (missing := missing_paths(path))} == {}


def test_a_path_that_does_not_exist_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "`tests/test_repository.py`, `docs/*.md`, `clusters/gone.py` and [a page](gone.md#there).", encoding="utf-8"
    )

    assert missing_paths(page) == ["clusters/gone.py", "gone.md"]


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
    declared = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]

    for requirement in declared:
        name, pinned, _ = requirement.partition("==")
        assert pinned, f"{requirement} is not pinned"
        assert f"**{name.partition('[')[0].lower()}**" in text, f"{name} is not in docs/dependencies.md"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-batch.lock", "requirements-dev.lock"])
def test_lock_files_carry_hashes_and_no_address(name: str) -> None:
    text = (settings.BASE_DIR / name).read_text(encoding="utf-8")

    assert "://" not in text
    for block in re.split(r"\n(?=[a-z])", text):
        assert "--hash=sha256:" in block
