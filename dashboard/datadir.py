"""The data directory: where Berth keeps its database, its secret key and its private Redis socket."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.env import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator

# A unix socket's path must fit in 108 bytes, the closing zero included; some room stays for Redis's own suffixes.
_LONGEST_SOCKET_PATH = 100
# What Django itself warns of: shorter keys, or such of few different characters, are guessed.
_SHORTEST_KEY = 50
_FEWEST_CHARACTERS = 5


def of_user() -> Path:
    """Say where an installation keeps its data unless it is told: where the XDG Base Directory Specification says."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    try:
        # The specification has relative paths ignored.
        return (named if named.is_absolute() else Path.home() / ".local" / "share") / "berth"
    except RuntimeError:
        raise SettingError("This user has no home directory. Set BERTH_DATA_DIR to a directory of your own.") from None


def private_folder(path: Path) -> Path:
    """Make the directory, mode 0700; refuse one that belongs to somebody else."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_uid != os.geteuid():
            raise SettingError(
                f"{path} belongs to another user. Remove it, or set BERTH_DATA_DIR to a directory of your own."
            )
        path.chmod(0o700)
    except OSError as error:
        raise SettingError(
            f"{path} cannot be used: {error.strerror}. Set BERTH_DATA_DIR to a directory of your own."
        ) from None
    return path


def secret_key(data_dir: Path) -> str:
    """Return the installation's key, made once and readable by its owner only."""
    path = private_folder(data_dir) / "secret-key"
    try:
        if not path.exists():
            _publish(secrets.token_urlsafe(48), path)
        return checked_key(path.read_bytes().decode("utf-8", "replace").strip(), str(path))
    except OSError as error:
        raise SettingError(
            f"The secret key {path} cannot be used: {error.strerror}. Make room, or let Berth read and write there."
        ) from None


def checked_key(key: str, place: str) -> str:
    """Return a key that is hard enough to guess, or raise SettingError that names where it stands but not the key."""
    if len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_CHARACTERS:
        held = "a secret key that is easily guessed" if key else "nothing"
        raise SettingError(
            f"{place} holds {held}. Remove it, and Berth makes a "
            'new one; or write one yourself: python -c "import secrets; print(secrets.token_urlsafe(48))"'
        )
    return key


def replace_secret_key(data_dir: Path, key: str) -> None:
    """Make a key that another installation had this one's."""
    with _drafted(key, private_folder(data_dir) / "secret-key") as draft:
        draft.replace(data_dir / "secret-key")


def _publish(text: str, path: Path) -> None:
    """Write the file unless another process is first; nobody ever sees it half-written."""
    with _drafted(text, path) as draft, contextlib.suppress(FileExistsError):
        path.hardlink_to(draft)


@contextlib.contextmanager
def _drafted(text: str, path: Path) -> Iterator[Path]:
    """Return a file beside the other with the text, readable by its owner alone and gone afterwards."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def redis_socket(data_dir: Path) -> Path:
    """Say where the private Redis listens: in the data directory, or in /tmp if a socket's path would get too long."""
    path = data_dir / "redis" / "redis.sock"
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"berth-{os.geteuid()}-{digest}" / "redis.sock"
