from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from dashboard import datadir
from dashboard.env import SettingError

if TYPE_CHECKING:
    from pathlib import Path


def test_secret_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = datadir.secret_key(tmp_path / "var")

    assert datadir.secret_key(tmp_path / "var") == first
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "var" / "secret-key").stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    """They would read an empty one if it could be seen before it is written."""
    start = Barrier(8)

    def key() -> str:
        start.wait()
        return datadir.secret_key(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        keys = {each.result() for each in [pool.submit(key) for _ in range(8)]}

    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    assert datadir.secret_key(tmp_path / "a") != datadir.secret_key(tmp_path / "b")


@pytest.mark.parametrize(
    ("named", "where"), [("", ".local/share/berth"), ("data", ".local/share/berth"), ("/srv/data", "/srv/data/berth")]
)
def test_an_installation_keeps_its_data_where_the_user_expects_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str, where: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", named)

    assert datadir.of_user() == tmp_path / where


def test_private_folder_is_closed_to_others_even_if_it_was_open(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)

    assert stat.S_IMODE(datadir.private_folder(tmp_path / "open").stat().st_mode) == 0o700


def test_socket_of_a_deep_directory_still_fits(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 90) / "var"

    assert datadir.redis_socket(tmp_path).parent.parent == tmp_path
    assert len(os.fsencode(datadir.redis_socket(deep))) <= 100
    assert datadir.redis_socket(deep) != datadir.redis_socket(deep / "other")


@pytest.mark.parametrize("content", ["", "\n", "a", "a" * 60, "short-but-varied"])
def test_key_that_is_easily_guessed_is_refused_and_not_repeated(content: str, tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text(content)

    with pytest.raises(SettingError) as caught:
        datadir.secret_key(tmp_path)

    assert str(tmp_path / "secret-key") in str(caught.value)
    assert "Remove it" in str(caught.value)
    assert "short-but-varied" not in str(caught.value)


def test_key_from_the_environment_is_held_to_the_same() -> None:
    with pytest.raises(SettingError, match="BERTH_SECRET_KEY holds a secret key that is easily guessed"):
        datadir.checked_key("a", "BERTH_SECRET_KEY")
