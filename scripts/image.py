"""Build the container image with buildah, and say what takes its space; as root, and on Debian without any registry.

Run with ``make image``. BASE names the base image; ``BASE=debian`` makes one with debootstrap first. With
``--archive PATH`` the image is also written there, as an OCI archive.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

import dashboard

ROOT = Path(__file__).resolve().parent.parent
NAME = f"localhost/berth:{dashboard.__version__}"
_BASE = "localhost/berth-base"
# No fuse and no namespaces of users are needed for these, which a container or a bare machine may lack.
BUILDAH = ("buildah", "--storage-driver", "vfs")
_ISOLATION = ("--isolation", "chroot")
_PACKAGES = "python3,python3-venv,ca-certificates,tzdata"
# What Debian's own slim images leave out.
_LEFT_OUT = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/info",
    "var/cache/apt",
    "var/lib/apt/lists",
)
_CERTIFICATES = "/etc/ssl/certs"


def main() -> None:
    """Build the image, and print its size and its largest parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archive", type=Path, help="where to write the image as an OCI archive, too")
    archive = parser.parse_args().archive
    build(os.environ.get("BASE", ""))
    with Mounted(NAME) as root:
        print(f"{NAME}: {_mebibytes(root)} MiB")
        site = next(root.glob("opt/berth/lib/python3*/site-packages"))
        parts = sorted(((_mebibytes(path), path) for path in (*root.glob("usr/*"), *site.iterdir())), reverse=True)
        for size, path in parts[:15]:
            print(f"{size:6}  /{path.relative_to(root)}")
    if archive:
        _buildah("push", "--quiet", NAME, f"oci-archive:{archive}:berth:{dashboard.__version__}")


def build(base: str = "") -> None:
    """Build the image of the present commit."""
    if base == "debian":
        _make_base()
        base = _BASE
    commit, seconds = _output("git", "show", "--no-patch", "--format=%H %ct", "HEAD").decode().split()
    arguments = {"VERSION": dashboard.__version__, "REVISION": commit, "SOURCE_DATE_EPOCH": seconds}
    if base:
        arguments["BASE"] = base
    with tempfile.TemporaryDirectory(prefix="berth-image-") as name:
        with tarfile.open(fileobj=io.BytesIO(_output("git", "archive", "HEAD", ":(exclude)tests"))) as tree:
            tree.extractall(name, filter="data")
        # Whom this machine trusts, while packages are fetched.
        trusted = [f"--volume={_CERTIFICATES}:{_CERTIFICATES}:ro"]
        given = [f"--build-arg={key}={value}" for key, value in arguments.items()]
        file = f"--file={name}/deploy/image/Containerfile"
        _buildah("build", "--quiet", *_ISOLATION, "--timestamp", seconds, *trusted, *given, file, "--tag", NAME, name)


class Mounted:
    """The root file system of an image, as long as it is entered."""

    def __init__(self, image: str) -> None:
        self._image = image

    def __enter__(self) -> Path:
        self._container = _output(*BUILDAH, "from", "--pull-never", self._image).decode().strip()
        return Path(_output(*BUILDAH, "mount", self._container).decode().strip())

    def __exit__(self, *error: object) -> None:
        _output(*BUILDAH, "rm", self._container)


def _make_base() -> None:
    with tempfile.TemporaryDirectory(prefix="berth-base-") as name:
        root = Path(name) / "root"
        command = ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", "bookworm", str(root)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for left_out in _LEFT_OUT:
            subprocess.run(["find", root / left_out, "-mindepth", "1", "-delete"], check=True)
        container = _output(*BUILDAH, "from", "scratch").decode().strip()
        _buildah("add", "--quiet", container, str(root), "/")
        _buildah("commit", "--quiet", "--rm", container, _BASE)


def _mebibytes(path: Path) -> int:
    return int(_output("du", "-sxm", str(path)).split()[0])


def _buildah(*arguments: str) -> None:
    subprocess.run([*BUILDAH, *arguments], check=True, stdout=subprocess.DEVNULL)


def _output(*command: str) -> bytes:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    main()
