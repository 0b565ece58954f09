"""The scheduler's configuration of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.prune import WrongField, pruned_configuration
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.versions import RELEASES, release_with
from clusters.services.runs.errors import SpecError
from clusters.services.runs.json_checks import check_json

if TYPE_CHECKING:
    from clusters.engine.versions import GateSettings, Release


def possible_releases(version: str, gates: GateSettings) -> list[Release]:
    """Return the release of a run's version, or every one where it says none: its cluster's is known later."""
    versions = [version] if version else [f"v{minor}" for minor in RELEASES]
    return [release_with(each, gates) for each in versions]


def read_configuration(document: Any, *releases: Release) -> dict[str, Any] | None:
    """Return what is kept of a configuration with which some of the releases starts. Raises SpecError.

    Arguments of unknown plugins may hold anything, and are not kept.
    """
    if document is None:
        return None
    try:
        check_json(document)
    except SpecError as error:
        raise error.within("configuration") from None
    errors = []
    for release in releases:
        try:
            configuration_of_run(document, release)
            break
        except SpecError as error:
            errors.append(error)
    else:
        raise errors[0]
    try:
        return pruned_configuration(document)
    except WrongField as error:
        raise SpecError(error.path, error.problem).within("configuration") from None


def configuration_of_run(document: Any, release: Release) -> SchedulerConfiguration:
    """Return a configuration as a release reads it; its default one for none. Raises SpecError."""
    if document is None:
        return SchedulerConfiguration.default(release)
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise SpecError(error.path, error.problem).within("configuration") from None
