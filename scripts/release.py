"""Build what a release is made of, from the commit that is checked out, into dist/, and print it.

Run with ``make release``. The same commit gives the same bytes: times are the commit's, and what lies around in the
tree does not count. Whatever else a release comes to have is one more function beside `wheel_and_source`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from scripts.materials import bill_of_materials

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"


def main() -> None:
    """Build into dist/, unless something is not committed."""
    if changed := _git("status", "--porcelain", "--untracked-files=no").decode():
        sys.exit(f"A release is built from a commit, and these files are changed:\n{changed}Commit them first.")
    into = ROOT / "dist"
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    for path in build(into):
        print(f"dist/{path.name}  {path.stat().st_size:,} bytes")


def build(into: Path) -> list[Path]:
    """Build everything from the present commit into an empty directory, and return the files that came of it."""
    commit, seconds = _git("show", "--no-patch", "--format=%H %ct", "HEAD").decode().split()
    with tempfile.TemporaryDirectory(prefix="berth-release-") as name:
        tree = Path(name)
        # Tests are in neither, and large.
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "HEAD", ":(exclude)tests"))) as archive:
            archive.extractall(tree, filter="data")
        wheel = wheel_and_source(tree, into, seconds=seconds)
        version = wheel.name.split("-")[1]
        chart(tree / "deploy/helm/berth", into / f"berth-chart-{version}.tgz", seconds=int(seconds))
        lock = (tree / "requirements.lock").read_text(encoding="utf-8")
        (into / f"berth-{version}-constraints.txt").write_text(as_constraints(lock), encoding="utf-8")
        bill = bill_of_materials(wheel, version=version, commit=commit, made_at=int(seconds), tree=tree)
        (into / f"berth-{version}.cdx.json").write_text(bill, encoding="utf-8")
    files = sorted(into.iterdir())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (into / SUMS).write_text(sums, encoding="ascii")
    return [*files, into / SUMS]


def wheel_and_source(tree: Path, into: Path, *, seconds: str) -> Path:
    """Build the wheel, whose path is returned, and the source distribution."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--target", "sdist"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": seconds, "HATCH_QUIET": "1"}
    subprocess.run([*command, "--directory", into], cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)
    return next(into.glob("*.whl"))


def chart(folder: Path, path: Path, *, seconds: int) -> None:
    """Pack the Helm chart, with what it links to."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime, entry.mode = seconds, 0o755 if entry.isdir() else 0o644
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        return entry

    with (
        path.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=seconds) as packed,
        tarfile.open(fileobj=packed, mode="w", dereference=True) as archive,
    ):
        archive.add(folder, arcname=folder.name, filter=plain)


def as_constraints(lock: str) -> str:
    """Return a lock file as constraints, which name no extras; with hashes pip would want one of the wheel, too."""
    return re.sub(r"^(\S+?)\[.*?\]", r"\1", re.sub(r" \\\n +--hash=\S+", "", lock), flags=re.MULTILINE)


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    main()
