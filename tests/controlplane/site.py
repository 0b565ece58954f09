"""Where a control plane lives: its directory, its ports, its keys, and who may sign in."""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec

from tests.controlplane import authority
from tests.controlplane.admission import write_admission_configuration
from tests.support.live import free_port

if TYPE_CHECKING:
    from pathlib import Path

# The programs' default throttles are for big clusters with patience; these are for a small one without.
REQUESTS_PER_SECOND = 500
_SUPERUSERS = "system:masters"


class Site:
    """A directory with keys and kubeconfigs, and a port on loopback for everything that listens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._authority = authority.Authority()
        self._ports = {name: free_port() for name in ("etcd", "peer", "apiserver", "controllers", "scheduler")}
        (folder / "logs").mkdir()
        self._write_keys()
        # The scheduler and the controllers have the roles that Kubernetes gives them, and no more.
        users = {
            "admin": ("berth-test-admin", _SUPERUSERS),
            "kubelet": ("berth-test-kubelet", _SUPERUSERS),
            "controllers": ("system:kube-controller-manager",),
            "scheduler": ("system:kube-scheduler",),
        }
        for name, (user, *groups) in users.items():
            self.write_kubeconfig(name, self._authority.user(user, *groups))
        self._write_scheduler_configuration()
        write_admission_configuration(folder)

    def port(self, name: str) -> str:
        return str(self._ports[name])

    def url(self, name: str) -> str:
        return f"https://127.0.0.1:{self._ports[name]}"

    def file(self, name: str) -> str:
        return str(self.folder / name)

    def log(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.log"

    def kubeconfig(self, name: str) -> Path:
        return self.folder / f"{name}.kubeconfig"

    def write_kubeconfig(self, name: str, user: authority.Identity | str) -> Path:
        """Write a kubeconfig for a certificate or a bearer token, and return its path."""
        path = self.kubeconfig(name)
        certificate = self._authority.certificate
        return authority.write_kubeconfig(path, server=self.url("apiserver"), authority=certificate, user=user)

    def tls(self) -> ssl.SSLContext:
        """Return how to speak to etcd, the controllers and the scheduler, which all have the one server identity."""
        context = ssl.create_default_context(cafile=self.file("ca.crt"))
        context.load_cert_chain(self.file("server.crt"), self.file("server.key"))
        return context

    def _write_keys(self) -> None:
        server = self._authority.server()
        accounts = ec.generate_private_key(ec.SECP256R1())
        files = {
            "ca.crt": self._authority.certificate,
            "server.crt": server.certificate,
            "server.key": server.key,
            "accounts.key": authority.private_pem(accounts),
            "accounts.pub": authority.public_pem(accounts),
        }
        for name, content in files.items():
            path = self.folder / name
            path.touch(mode=0o600)
            path.write_bytes(content)

    def _write_scheduler_configuration(self) -> None:
        configuration = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"leaderElect": False},
            "clientConnection": {
                "kubeconfig": str(self.kubeconfig("scheduler")),
                "qps": REQUESTS_PER_SECOND,
                "burst": 2 * REQUESTS_PER_SECOND,
            },
        }
        (self.folder / "scheduler.json").write_text(json.dumps(configuration, indent=2), encoding="utf-8")
