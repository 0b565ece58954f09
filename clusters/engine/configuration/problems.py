"""Why kube-scheduler would not start with a configuration; what any field can be is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import OneOf, Problem, message


class BehindFeatureGate(Problem, kind="BehindFeatureGate"):
    sentence = message("It needs the feature gate %(gate)s, which is off by default.")
    remedy = message("Remove it.")

    gate: str


class NotAtPoint(Problem, kind="NotAtPoint"):
    """A plugin enabled at an extension point where it does nothing; ``possible`` are those where it does."""

    sentence = message("%(name)s has no part in %(point)s.")
    remedy = message("Enable it at %(possible)s.")

    name: str
    point: str
    possible: OneOf


class OtherQueueSort(Problem, kind="OtherQueueSort"):
    sentence = message("All profiles share one queueSort.")
    remedy = message("Write the same in all profiles.")


class NoScheduler(Problem, kind="NoScheduler"):
    """A pod names a scheduler that is no profile of the configuration, whose profiles are ``known``."""

    sentence = message("Another scheduler, %(found)s, places this pod; the configuration has %(known)s.")
    remedy = message("Name a scheduler that the configuration has.")

    found: str
    known: tuple[str, ...]


class PolicyElsewhere(Problem, kind="PolicyElsewhere"):
    """A configuration whose plugins stand in a Policy in another file or in a ConfigMap; ``place`` names it."""

    sentence = (
        message("Predicates and priorities stand in the Policy %(place)s."),
        message("Predicates and priorities stand in a Policy."),
    )
    remedy = message("Give that Policy here.")

    place: str
