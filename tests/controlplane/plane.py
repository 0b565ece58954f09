"""A whole Kubernetes control plane on loopback: etcd, API server, controllers, scheduler, and what stands for kubelets.

Everything speaks TLS and is authenticated by certificates or service account tokens; RBAC decides what each may do.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import httpx2
import yaml
from django.conf import settings

from tests.controlplane import commands
from tests.controlplane.api import Api, Object
from tests.controlplane.daemon import Daemon
from tests.controlplane.site import Site
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_START_SECONDS = 120
_RBAC = "rbac.authorization.k8s.io"
_BERTH = "berth"


class ControlPlane:
    """The control plane of a test session. `api` is its administrator's connection, `site` its files.

    `gates`: feature gates of all its programs, as their flag has them; `served`: APIs beyond those served by default.
    """

    def __init__(self, folder: Path, programs: Mapping[str, Path], *, gates: str = "", served: str = "") -> None:
        self.site = Site(folder)
        self._gates = {"feature-gates": gates} if gates else {}
        more = {**self._gates, **({"runtime-config": served} if served else {})}
        self.url = self.site.url("apiserver")
        self.admin_kubeconfig = self.site.kubeconfig("admin")
        self.api = Api(self.admin_kubeconfig)
        self.etcd = self._daemon("etcd", commands.etcd(programs["etcd"], self.site))
        self.apiserver = self._daemon("apiserver", commands.apiserver(programs["kube-apiserver"], self.site, more))
        self.controllers = self._daemon(
            "controllers", commands.controllers(programs["kube-controller-manager"], self.site, self._gates)
        )
        self._scheduler_program = programs["kube-scheduler"]
        self.scheduler = self._scheduler({})
        self.kubelet = self._daemon("kubelet", commands.kubelet(self.site))

    @property
    def daemons(self) -> tuple[Daemon, ...]:
        """All processes, in the order in which they are started."""
        return (self.etcd, self.apiserver, self.controllers, self.scheduler, self.kubelet)

    def start(self) -> None:
        """Start everything, and return when pods would be created, scheduled and run."""
        self.etcd.start()
        self.start_apiserver()
        for daemon in (self.controllers, self.scheduler, self.kubelet):
            daemon.start()
        self._wait_until_healthy(self.controllers)
        self._wait_until_healthy(self.scheduler)
        self.wait_for_service_account("default")
        self.kubelet.check()

    def stop(self) -> None:
        """End all processes at once: what they store is thrown away, so nothing needs to be brought to an end."""
        self.api.close()
        for daemon in reversed(self.daemons):
            daemon.kill()

    def start_apiserver(self) -> None:
        """Start the API server (again, at the same address), and wait until it is ready."""
        self.apiserver.start()
        self._wait_until_healthy(self.apiserver)

    def restart_apiserver(self) -> None:
        """Kill the API server as a crash would, and start it again: watches break, its memory of changes is gone."""
        self.apiserver.kill()
        self.start_apiserver()

    def restart_scheduler(self, flags: Mapping[str, str]) -> None:
        """Kill the scheduler and start it with more flags; it is told of all nodes anew."""
        self.scheduler.kill()
        self.scheduler = self._scheduler(flags)
        self.scheduler.start()
        self._wait_until_healthy(self.scheduler)

    def compact_etcd(self) -> int:
        """Let etcd forget all history, and return the revision from which on it remembers.

        The API server answers watches from its own memory as far as that reaches back: restart it too for 410 Gone.
        """
        anything = {"key": base64.b64encode(b"/").decode()}
        revision = int(self._ask_etcd("range", anything)["header"]["revision"])
        self._ask_etcd("compaction", {"revision": revision, "physical": True})
        return revision

    def create_namespace(self, name: str) -> None:
        """Create a namespace, and return when pods can be created in it."""
        self.api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        self.wait_for_service_account(name)

    def delete_namespace(self, name: str) -> None:
        """Delete a namespace, and return when its pods are gone; the rest follows within seconds."""
        self.api.delete("v1", "Namespace", name)
        # Nothing new can be created in it any more, so nobody has to wait for pods to end in good order.
        self.api.delete_all("v1", "Pod", namespace=name, options={"gracePeriodSeconds": 0})
        # The namespace itself stays five seconds longer, after each test: its controller looks again for what is left.
        wait_until(
            lambda: not self.api.objects("v1", "Pod", namespace=name),
            seconds=120,
            otherwise=f"pods of {name} are not deleted",
        )

    def wait_for_service_account(self, namespace: str) -> None:
        """Wait for the namespace's default service account, without which admission refuses pods."""
        wait_until(
            lambda: self.api.find("v1", "ServiceAccount", "default", namespace=namespace),
            seconds=60,
            otherwise=f"the namespace {namespace} has no default service account",
        )

    def berth_kubeconfig(self, cluster_role: Path) -> Path:
        """Return a kubeconfig for a service account bound to the ClusterRole in this file, and to nothing else.

        The file may hold other documents; they are left alone. The token is good for an hour.
        """
        documents = yaml.safe_load_all(cluster_role.read_text(encoding="utf-8"))
        role = next(document for document in documents if document and document["kind"] == "ClusterRole")
        name = role["metadata"]["name"]
        account = {"name": _BERTH, "namespace": _BERTH}
        if self.api.find("v1", "Namespace", _BERTH) is None:
            self.create_namespace(_BERTH)
            self.api.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
        if self.api.find(f"{_RBAC}/v1", "ClusterRole", name) is not None:
            self.api.patch(f"{_RBAC}/v1", "ClusterRole", name, role)
        else:
            self.api.create(role)
            self.api.create(
                {
                    "apiVersion": f"{_RBAC}/v1",
                    "kind": "ClusterRoleBinding",
                    "metadata": {"name": name},
                    "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": name},
                    "subjects": [{"kind": "ServiceAccount", **account}],
                }
            )
        path = self.api.path("v1", "ServiceAccount", _BERTH, namespace=_BERTH, subresource="token")
        request = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"expirationSeconds": 3600},
        }
        return self.site.write_kubeconfig("berth", self.api.post(path, request)["status"]["token"])

    def last_words(self) -> str:
        """Return where the logs are, and how each of them ends."""
        ends = [f"{daemon.state()}, wrote last:\n{daemon.last_lines()}" for daemon in self.daemons]
        return "\n".join([f"Logs are in {self.site.log('*').parent}", *ends])

    def _scheduler(self, flags: Mapping[str, str]) -> Daemon:
        more = {**self._gates, **flags}
        return self._daemon("scheduler", commands.scheduler(self._scheduler_program, self.site, more))

    def _daemon(self, name: str, command: Sequence[str]) -> Daemon:
        return Daemon(name, command, log=self.site.log(name), cwd=settings.BASE_DIR)

    def _wait_until_healthy(self, daemon: Daemon) -> None:
        address = f"{self.site.url(daemon.name)}/{'readyz' if daemon is self.apiserver else 'healthz'}"

        def answers() -> bool:
            daemon.check()
            try:
                return client.get(address).is_success
            except httpx2.TransportError:
                return False

        with httpx2.Client(verify=self.site.tls()) as client:
            wait_until(answers, seconds=_START_SECONDS, otherwise=f"{daemon.name} is not ready")

    def _ask_etcd(self, call: str, body: Object) -> Object:
        with httpx2.Client(verify=self.site.tls()) as client:
            answer = client.post(f"{self.site.url('etcd')}/v3/kv/{call}", json=body)
        answer.raise_for_status()
        found: Object = answer.json()
        return found
