"""The wheel, installed into an environment of its own and used away from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from django.conf import settings

import dashboard
from scripts.release import as_constraints
from tests.clusters.dumps import as_json, listed, small_cluster
from tests.support.supervising import Supervisor, sign_in
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long

# What the wheel is made of, and where its parts lie in it.
_PARTS = {name: name for name in ("clusters", "dashboard")} | {
    name: f"dashboard/site/{name}" for name in ("templates", "static", "locale")
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=settings.BASE_DIR, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def berth(wheel: Path) -> Iterator[Path]:
    """Install the wheel, and return its command.

    The libraries are those of the tests, as installing them takes a minute; BERTH_TEST_INSTALL=1 has them installed,
    from the package index, as the lock file pins them.
    """
    with tempfile.TemporaryDirectory(prefix="berth-wheel-") as name:
        folder = Path(name)
        python = folder / "venv" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        if os.environ.get("BERTH_TEST_INSTALL") == "1":
            constraints = folder / "constraints.txt"
            constraints.write_text(as_constraints((settings.BASE_DIR / "requirements.lock").read_text()))
            how = ["--only-binary", ":all:", "--constraint", str(constraints)]
        else:
            packages = subprocess.run(
                [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                check=True,
                capture_output=True,
                text=True,
            )
            beside = Path(packages.stdout.strip()) / "of-the-tests.pth"
            beside.write_text(sysconfig.get_path("purelib"), encoding="utf-8")
            how = ["--no-deps", "--no-index"]
        pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", *how, str(wheel)], check=True)
        yield python.with_name("berth")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has set nothing, and whose home is empty."""
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def run(berth: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    where = environment["HOME"]
    return subprocess.run([berth, *arguments], cwd=where, env=environment, capture_output=True, text=True, check=False)


def test_wheel_holds_every_file_that_is_needed(wheel: Path) -> None:
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *_PARTS]
    output = subprocess.run(listing, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True).stdout
    tracked = output.split("\0")[:-1]
    needed = {name for name in tracked if not name.endswith(".po") and name != "locale/README.md"}
    held = ZipFile(wheel).namelist()

    assert {f"{_PARTS[part]}/{rest}" for part, _, rest in (name.partition("/") for name in needed)} == {
        name for name in held if ".dist-info/" not in name
    }
    assert any(name.endswith("/uk/LC_MESSAGES/django.mo") for name in held)


def test_command_explains_away_from_the_checkout(berth: Path, home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(as_json(listed(small_cluster())))

    explained = run(berth, home, "explain", "dump.json", "--pod", "shop/waiting")

    assert explained.returncode == 0, explained.stderr
    assert "Fits on 2 of 2 nodes" in explained.stdout
    assert (tmp_path / ".local" / "share" / "berth" / "secret-key").exists()


def test_version_is_told_once(berth: Path, home: dict[str, str], wheel: Path) -> None:
    assert run(berth, home, "--version").stdout.split() == [dashboard.__version__]
    assert wheel.name.startswith(f"berth-{dashboard.__version__}-")


def test_catalogues_are_found(berth: Path, home: dict[str, str]) -> None:
    asked = "from django.utils import translation as t; t.activate('uk'); print(t.gettext(%r))"
    code = asked % "As a link: signed-in users open a copy."

    assert run(berth, home, "shell", "--no-imports", "-c", code).stdout.startswith("Як посилання")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc, which is Linux")
def test_installation_serves_signs_in_and_stops(berth: Path, home: dict[str, str]) -> None:
    # Not tmp_path, whose length would push the socket out of the data directory.
    with tempfile.TemporaryDirectory(prefix="berth-data-") as name:
        data = Path(name)
        supervisor = Supervisor(
            data, command=[str(berth)], cwd=Path(home["HOME"]), BERTH_SIGNIN_LINK_PRINTED="1", HOME=home["HOME"]
        )
        try:
            page = sign_in(supervisor.wait_until_it_runs())
            assert "Sign out" in page
            assert re.search(r'href="/static/css/\w+\.[0-9a-f]{12}\.css"', page)
            assert "`berth signin` prints another" in supervisor.output
            supervisor.process.terminate()
            assert supervisor.exit_status() == 0, supervisor.output
            assert "Traceback" not in supervisor.output
        finally:
            supervisor.process.kill()
            wait_until(lambda: not supervisor.processes(), seconds=10, otherwise="processes outlived the test")
