"""Follow one live cluster until asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from clusters.adapters.bad_input import BadInput
from clusters.adapters.kube import BadConnectionError
from clusters.models import Cluster
from clusters.services.watching.connections import add_live_cluster
from clusters.services.watching.watcher import ClusterGoneError, Watcher
from clusters.wording.problems import both_sentences, input_sentence
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from pathlib import Path


class Watching(BaseCommand):
    """manage.py watch CLUSTER."""

    def handle(
        self, *args: Any, cluster: str, kubeconfig: Path | None, in_cluster: bool, context: str, **options: Any
    ) -> None:
        found = Cluster.objects.filter(name=cluster).first()
        if found is None:
            if kubeconfig is None and not in_cluster:
                raise CommandError(words.NO_CLUSTER_TO_WATCH(cluster=cluster))
            try:
                found = add_live_cluster(name=cluster, kubeconfig=kubeconfig, context=context)
            except BadInput as error:
                raise CommandError(input_sentence(error.problem, **error.place)) from None
            except BadConnectionError as error:
                raise CommandError(both_sentences(error.problem)) from None
        if not found.is_live:
            raise CommandError(words.IS_OF_DUMPS(cluster=cluster))
        try:
            asyncio.run(_watch(found.pk))
        except ClusterGoneError:
            # Deleting a cluster is how people stop its watcher: no failure.
            self.stdout.write(words.CLUSTER_GONE(cluster=cluster))


async def _watch(cluster_id: int) -> None:
    task = asyncio.create_task(Watcher(cluster_id).run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
