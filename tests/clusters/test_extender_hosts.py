"""What is kept of the extenders that a configuration names: addresses of hosts that the administrator lists."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.extenders import listed_address
from clusters.adapters.prune import pruned_configuration
from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import spelled_out

if TYPE_CHECKING:
    from pytest_django import Settings


@pytest.mark.parametrize(
    ("address", "entries", "kept"),
    [
        ("http://ext.example/api", ["ext.example"], "http://ext.example/api"),
        ("http://ext.example:81/api", ["EXT.example"], "http://ext.example:81/api"),
        ("https://ext.example", ["ext.example:443"], "https://ext.example"),
        ("http://ext.example:81", ["ext.example:82"], ""),
        ("http://me:secret@ext.example/a?b=c#d", ["ext.example"], "http://ext.example/a"),
        ("http://[::1]:80/", ["::1"], "http://[::1]:80/"),
        ("http://evil.example/@ext.example", ["ext.example"], ""),
        ("http://ext.example@evil.example/", ["ext.example"], ""),
        ("file://ext.example/etc/passwd", ["ext.example"], ""),
        ("http://ext.example:no", ["ext.example"], ""),
        ("", ["ext.example"], ""),
    ],
)
def test_only_addresses_of_listed_hosts_are_kept(
    settings: Settings, address: str, entries: list[str], kept: str
) -> None:
    settings.BERTH_EXTENDER_HOSTS = entries

    assert listed_address(address) == kept


def test_what_a_call_needs_is_kept_and_secrets_are_not(settings: Settings) -> None:
    settings.BERTH_EXTENDER_HOSTS = ["ext.example"]
    authority = base64.b64encode(b"-----BEGIN CERTIFICATE-----").decode()
    tls = {
        "serverName": "ext",
        "caFile": "/ca",
        "caData": authority,
        "keyData": "c2VjcmV0",
        "certData": "eA==",
        "keyFile": "/key",
    }
    given = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [
            {
                "urlPrefix": "https://me:secret@ext.example/api",
                "filterVerb": "filter",
                "enableHTTPS": True,
                "httpTimeout": "2s",
                "nodeCacheCapable": True,
                "tlsConfig": tls,
            }
        ],
    }

    kept = pruned_configuration(given)

    assert kept is not None
    assert "secret" not in str(kept)
    assert "c2VjcmV0" not in str(kept)
    (extender,) = SchedulerConfiguration.from_dict(kept).extenders
    assert (extender.address, extender.server_name, extender.ca_data) == ("https://ext.example/api", "ext", authority)
    assert extender.ca_file == "/ca"
    assert float(extender.timeout) == 2
    again = SchedulerConfiguration.from_dict(spelled_out(SchedulerConfiguration.from_dict(kept)))
    assert again == SchedulerConfiguration.from_dict(kept)
