"""Say how the scheduler of a cluster is configured."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from clusters.adapters.bad_input import BadInput
from clusters.models import Cluster
from clusters.services.files import translation_in
from clusters.services.ingest.configurations import (
    configure,
    set_feature_gates,
    use_default_configuration,
    use_default_feature_gates,
)
from clusters.services.mirror.snapshots import release_of
from clusters.wording import configuration as configuration_words
from clusters.wording.problems import input_sentence
from clusters.wording.releases import gates_of_cluster
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine.configuration import Translation

_BAD_INPUT = 2


class Configuring(BaseCommand):
    """manage.py configure CLUSTER FILE, or --feature-gates."""

    def handle(self, *args: Any, cluster: str, path: Path | None, default: bool, **options: Any) -> None:
        found = Cluster.objects.filter(name=cluster).first()
        if found is None:
            raise CommandError(words.NO_CLUSTER_TO_CONFIGURE(cluster=cluster, command=settings.BERTH_COMMAND))
        if options["default_feature_gates"] or options["feature_gates"] is not None:
            self._set_gates(found, options["feature_gates"])
            return
        if path is None:
            use_default_configuration(cluster=found)
            is_default = found.scheduler_configuration is None
            said = (
                words.CONFIGURED_BY_DEFAULT(cluster=cluster)
                if is_default
                else words.CONFIGURED_BY_DUMP(cluster=cluster)
            )
            self.stdout.write(said)
            return
        try:
            translation = translation_in(path, release_of(found))
            configuration = configure(cluster=found, path=path)
        except BadInput as error:
            self.stderr.write(self.style.ERROR(input_sentence(error.problem, **error.place)))
            sys.exit(_BAD_INPUT)
        if translation is not None:
            self._say_translated(translation)
        names = [profile.scheduler_name for profile in configuration.profiles]
        self.stdout.write(words.configured_by_file(cluster=cluster, profiles=names, path=str(path)))

    def _set_gates(self, cluster: Cluster, settings: str | None) -> None:
        """Set the feature gates, or go back where none are given, and say which differ from the defaults."""
        try:
            if settings is None:
                use_default_feature_gates(cluster=cluster)
            else:
                set_feature_gates(cluster=cluster, settings=settings)
        except BadInput as error:
            self.stderr.write(self.style.ERROR(input_sentence(error.problem, **error.place)))
            sys.exit(_BAD_INPUT)
        self.stdout.write(gates_of_cluster(cluster=cluster.name, changed=release_of(cluster).changed_gates))

    def _say_translated(self, translation: Translation) -> None:
        """Write what each entry became, and the document of v1, which can be copied from between the lines."""
        self.stdout.write(configuration_words.legacy_sentence(translation))
        for entry in translation.entries:
            name, place = configuration_words.entry_name(entry), configuration_words.entry_place(entry)
            self.stdout.write(f"  {name}" + ("" if name == place else f" ({place})"))
            self.stdout.write(f"    {configuration_words.entry_became(entry)}")
            if notes := configuration_words.entry_notes(entry):
                self.stdout.write(f"    {notes}")
        self.stdout.write("---")
        self.stdout.write(yaml.safe_dump(translation.document, sort_keys=False, allow_unicode=True), ending="")
        self.stdout.write("---")
