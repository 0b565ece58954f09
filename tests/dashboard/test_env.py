from __future__ import annotations

import os
import runpy
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from dashboard import env

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("Yes", True), (" on ", True), ("0", False), ("", True)])
def test_flag_reads_the_usual_words(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("BERTH_X", value)

    assert env.flag("BERTH_X", default=True) is expected


def test_flag_says_what_would_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "maybe")

    with pytest.raises(ImproperlyConfigured, match=r"BERTH_X is 'maybe'.*Set it to 1 or 0"):
        env.flag("BERTH_X", default=False)


@pytest.mark.parametrize("value", ["many", "0", "65536", "1.5", "-1"])
def test_whole_number_outside_its_range_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(ImproperlyConfigured, match=r"BERTH_X is .*whole number from 1 to 65535, or unset it for 8000"):
        env.whole("BERTH_X", 8000, least=1, most=65535)


def test_whole_number_is_read_or_defaulted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "81")

    assert env.whole("BERTH_X", 8000, least=1, most=65535) == 81
    assert env.whole("BERTH_Y", 8000, least=1, most=65535) == 8000


def test_words_are_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "a.example, b.example,,")

    assert env.words("BERTH_X") == ["a.example", "b.example"]
    assert env.words("BERTH_Y", ("localhost",)) == ["localhost"]


def test_choice_outside_the_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "loud")

    with pytest.raises(ImproperlyConfigured, match="INFO, ERROR"):
        env.choice("BERTH_X", "INFO", among=("INFO", "ERROR"))


def test_folder_that_is_a_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BERTH_X", str(tmp_path / "file"))

    with pytest.raises(ImproperlyConfigured, match="which is a file"):
        env.folder("BERTH_X", tmp_path)


@pytest.mark.parametrize(
    "value",
    [
        "berth.example.org",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://me@x",
        "https://[x",
        "https://x:y",
        "https://:1",
    ],
)
def test_origin_must_be_scheme_and_host(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(ImproperlyConfigured, match="without a path"):
        env.origin("BERTH_X")


def test_origin_loses_its_closing_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "https://berth.example.org:8443/")

    assert env.origin("BERTH_X") == "https://berth.example.org:8443"


def test_zone_that_nobody_lives_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "Mars/Base")

    with pytest.raises(env.SettingError, match="no time zone"):
        env.time_zone("BERTH_X", "UTC")


@pytest.mark.parametrize(
    "value", ["secret", "mysql://me:secret@x/y", "postgres://me:secret@x:port/y", "postgres://me:se[cret@x/y"]
)
def test_unknown_database_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(env.SettingError, match="Set it to postgres://") as refused:
        env.database("BERTH_X", "sqlite:///x")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("value", ["secret", "http://:secret@x", "redis://:secret@x:port"])
def test_unknown_redis_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(env.SettingError, match="Set it to redis://") as refused:
        env.redis("BERTH_X", "unix:///x")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("setting", ["BERTH_PORT=abc", "BERTH_DATA_DIR=/proc/x"])
def test_setting_that_cannot_be_used_ends_every_command_with_a_sentence(setting: str, tmp_path: Path) -> None:
    name, _, value = setting.partition("=")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings", "BERTH_DATA_DIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=settings.BASE_DIR,
        env={**environment, name: value},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 2
    assert ended.stderr.startswith((name, value))
    assert ended.stderr.count("\n") == 1
    assert not ended.stdout


@pytest.mark.parametrize(
    ("variables", "offered"),
    [
        ({}, True),
        ({"BERTH_HOST": "::1", "BERTH_BASE_URL": "http://127.0.0.2:8000"}, True),
        ({"BERTH_HOST": "0.0.0.0"}, False),  # noqa: S104 - looked at, not bound to
        ({"BERTH_BASE_URL": "https://berth.example.org"}, False),
        ({"BERTH_ALLOWED_HOSTS": "localhost,berth.example.org"}, False),
        ({"BERTH_HOST": "0.0.0.0", "BERTH_KUBECONFIGS": "~/.kube/config"}, True),  # noqa: S104
    ],
)
def test_own_kubeconfig_is_offered_where_nobody_else_is_served(
    variables: dict[str, str], offered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("BERTH_")]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": "/home/ada", "BERTH_DATA_DIR": str(tmp_path), **variables}.items():
        monkeypatch.setenv(name, value)

    found = runpy.run_path(str(settings.BASE_DIR / "dashboard" / "settings.py"))

    assert list(map(str, found["BERTH_KUBECONFIGS"])) == (["/home/ada/.kube/config"] if offered else [])


def test_every_host_is_no_list_of_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_ALLOWED_HOSTS", "localhost,*")

    with pytest.raises(ImproperlyConfigured, match=r"BERTH_ALLOWED_HOSTS holds '\*'.*berth.example.org"):
        env.hosts("BERTH_ALLOWED_HOSTS", ("localhost",))


def test_addresses_are_named_by_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "prod=http://prometheus.monitoring:9090/, test = https://p.example.org/path")

    assert env.addresses("BERTH_X") == {
        "prod": "http://prometheus.monitoring:9090",
        "test": "https://p.example.org/path",
    }


@pytest.mark.parametrize(
    "value",
    [
        "http://p.example.org",
        "=http://p.example.org",
        "prod=p.example.org",
        "prod=ftp://p.example.org",
        "prod=http://me:secret@p.example.org",
        "prod=http://p.example.org?x=1",
        "prod=http://p.example.org:0",
        "prod=http://[",
    ],
)
def test_an_address_that_cannot_be_right_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(env.SettingError, match="BERTH_X has an entry that cannot be used") as refused:
        env.addresses("BERTH_X")

    assert "secret" not in str(refused.value)
