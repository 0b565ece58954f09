"""Read a dump into the mirror from the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from clusters.adapters.bad_input import BadInput
from clusters.documents.problems import worded_gap, worded_skip
from clusters.models import Cluster, Ingest
from clusters.services.ingest.ingest import ingest_log, ingest_path
from clusters.services.ingest.uploads import checked_cluster_name
from clusters.wording import clusters as clusters_words
from clusters.wording.problems import input_sentence
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from pathlib import Path

_BAD_INPUT = 2


class Ingesting(BaseCommand):
    """manage.py ingest PATH --cluster NAME, with --log for a scheduler's log."""

    def handle(self, *args: Any, path: Path, log: bool, default_pods: bool, cluster: str, **options: Any) -> None:
        try:
            found, is_new = Cluster.objects.get_or_create(name=checked_cluster_name(cluster))
            try:
                progress = self._progress if self._is_watched else None
                if log:
                    ingest = ingest_log(cluster=found, path=path, progress=progress)
                else:
                    ingest = ingest_path(cluster=found, path=path, progress=progress, default_pods=default_pods)
            except BaseException:
                if is_new:
                    found.delete()
                raise
        except BadInput as error:
            self._end_progress()
            self.stderr.write(self.style.ERROR(input_sentence(error.problem, **error.place)))
            sys.exit(_BAD_INPUT)
        self._end_progress()
        self._summarise(found, ingest)

    @property
    def _is_watched(self) -> bool:
        return bool(self.stderr.isatty())

    def _progress(self, ingest: Ingest) -> None:
        said = words.progress(
            state=str(clusters_words.STATES[ingest.state]),
            share=f"{ingest.fraction_read:4.0%}",
            read=ingest.objects_read,
            is_log=ingest.content == Ingest.Content.LOG,
        )
        self.stderr.write(f"\r{said}", ending="")

    def _end_progress(self) -> None:
        if self._is_watched:
            self.stderr.write("")

    def _summarise(self, cluster: Cluster, ingest: Ingest) -> None:
        version = cluster.kube_version or str(words.VERSION_UNKNOWN)
        self.stdout.write(words.INGESTED(cluster=cluster.name, revision=str(ingest.revision), version=version))
        for kind, count in ingest.kept.items():
            self.stdout.write(f"  {count:>9,}  {clusters_words.kept_thing(kind)}")
        self.stdout.write(words.ROWS(added=ingest.rows_added, changed=ingest.rows_changed, removed=ingest.rows_removed))
        if ingest.skipped:
            self.stdout.write(str(words.SKIPPED_HEAD))
        for skip in map(worded_skip, ingest.skipped):
            self.stdout.write(f"  {skip.count:>9,}  {skip.what}: {skip.why}")
        if ingest.gaps:
            self.stdout.write(str(words.GAPS_HEAD))
        for gap in map(worded_gap, ingest.gaps):
            self.stdout.write(f"  {gap.label}: {gap.affects}")
