"""The command lines of the control plane's processes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.controlplane.admission import ADMISSION_FILE
from tests.controlplane.site import REQUESTS_PER_SECOND, Site

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


_LOOPBACK = "127.0.0.1"


def etcd(program: Path, site: Site) -> list[str]:
    return [
        str(program),
        *_flags(
            {
                "name": "test",
                "data-dir": site.file("etcd"),
                "listen-client-urls": site.url("etcd"),
                "advertise-client-urls": site.url("etcd"),
                "listen-peer-urls": site.url("peer"),
                "initial-advertise-peer-urls": site.url("peer"),
                "initial-cluster": f"test={site.url('peer')}",
                "cert-file": site.file("server.crt"),
                "key-file": site.file("server.key"),
                "trusted-ca-file": site.file("ca.crt"),
                "client-cert-auth": "true",
                "peer-auto-tls": "true",
                # The data is thrown away afterwards.
                "unsafe-no-fsync": "true",
            }
        ),
    ]


def apiserver(program: Path, site: Site, more: Mapping[str, str]) -> list[str]:
    return [
        str(program),
        *_flags(
            {
                "etcd-servers": site.url("etcd"),
                "etcd-cafile": site.file("ca.crt"),
                "etcd-certfile": site.file("server.crt"),
                "etcd-keyfile": site.file("server.key"),
                # History is forgotten when a test says so.
                "etcd-compaction-interval": "0",
                **_server(site, "apiserver"),
                "advertise-address": _LOOPBACK,
                "client-ca-file": site.file("ca.crt"),
                "anonymous-auth": "false",
                "authorization-mode": "RBAC",
                "admission-control-config-file": site.file(ADMISSION_FILE),
                "service-account-issuer": "https://kubernetes.default.svc",
                "service-account-key-file": site.file("accounts.pub"),
                "service-account-signing-key-file": site.file("accounts.key"),
                "service-cluster-ip-range": "10.96.0.0/16",
                # Nobody reaches the API through a Service here, and an endpoint may not be on loopback.
                "endpoint-reconciler-type": "none",
                **more,
            }
        ),
    ]


def controllers(program: Path, site: Site, more: Mapping[str, str]) -> list[str]:
    return [
        str(program),
        *_flags(
            {
                "kubeconfig": str(site.kubeconfig("controllers")),
                **_server(site, "controllers"),
                "leader-elect": "false",
                # Each controller with its own service account, as the roles of Kubernetes have it.
                "use-service-account-credentials": "true",
                "service-account-private-key-file": site.file("accounts.key"),
                "root-ca-file": site.file("ca.crt"),
                "kube-api-qps": str(REQUESTS_PER_SECOND),
                "kube-api-burst": str(2 * REQUESTS_PER_SECOND),
                # There are no heartbeats: a node is ready until a test says that it is not.
                "node-monitor-grace-period": "24h",
                "v": "1",
                **more,
            }
        ),
    ]


def scheduler(program: Path, site: Site, more: Mapping[str, str]) -> list[str]:
    flags = {"config": site.file("scheduler.json"), **_server(site, "scheduler"), "v": "2", **more}
    return [str(program), *_flags(flags)]


def kubelet(site: Site) -> list[str]:
    return [sys.executable, "-m", "tests.controlplane.kubelet", str(site.kubeconfig("kubelet"))]


def _server(site: Site, name: str) -> dict[str, str]:
    return {
        "bind-address": _LOOPBACK,
        "secure-port": site.port(name),
        "tls-cert-file": site.file("server.crt"),
        "tls-private-key-file": site.file("server.key"),
    }


def _flags(values: dict[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in values.items()]
