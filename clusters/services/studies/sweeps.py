"""Sweeps: one question under several configurations, each a run that whichever worker is free works on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from clusters.adapters.bad_input import printable
from clusters.documents.titles import study_title, variant_title
from clusters.models import SimulationRun, Study
from clusters.services.runs.configurations import read_configuration
from clusters.services.runs.errors import SpecError
from clusters.services.runs.starting import base_held, run_on, send, settled
from clusters.services.studies.variants import read_variants

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from clusters.models import Cluster
    from clusters.services.runs.spec import Spec

VERSION: Final = 1


def create_sweep(*, cluster: Cluster | None, spec: Spec, variants: Any, title: str, user: User | None) -> Study:
    """Store a run for each variant of the configuration, all on the same base, and have workers begin them.

    ``variants`` as `read_variants` reads them. Raises SpecError.
    """
    spec = settled(spec, cluster)
    found = read_variants(variants, spec.configuration, spec.release)
    specs = []
    for number, variant in enumerate(found):
        try:
            on = _on_version(spec, variant.kubernetes)
            specs.append(on.under(read_configuration(variant.configuration, on.release)))
        except SpecError as error:
            raise error.within(f"variants[{number}]") from None
    with base_held(cluster, spec) as base:
        study = Study.objects.create(
            kind=Study.Kind.SWEEP,
            cluster=cluster,
            title=(printable(title).strip() or study_title(Study.Kind.SWEEP))[:200],
            spec={"version": VERSION, "run": spec.as_dict(), "variants": [variant.label for variant in found]},
            created_by=user,
        )
        runs = [
            run_on(
                base,
                cluster=cluster,
                spec=each,
                title=variant_title(study.title, variant.label),
                user=user,
                study=study,
            )
            for variant, each in zip(found, specs, strict=True)
        ]
        transaction.on_commit(partial(send, [run.pk for run in runs]))
    return study


def _on_version(spec: Spec, version: str) -> Spec:
    """Return the run on another version, with the default gates of that one."""
    return replace(spec, kubernetes=version, feature_gates=None) if version else spec


def labelled_runs(study: Study) -> list[tuple[str, SimulationRun]]:
    """Return the runs of a sweep with the names of their variants, in the order in which those were given."""
    # A spec may hold a long trace.
    runs = study.runs.defer("spec").order_by("pk")
    return list(zip(study.spec["variants"], runs, strict=True))
