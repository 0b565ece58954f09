"""What the types of the Kubernetes API do not allow."""

from __future__ import annotations

from clusters.engine.problems import Problem, message


class IsNot(Problem, kind="IsNot"):
    """A field that can have one value alone has another."""

    sentence = message("%(found)s is not %(right)s.")
    remedy = message("Write %(right)s.")

    found: str
    right: str


class NotFieldsOf(Problem, kind="NotFieldsOf"):
    """Something else than a map where the fields of a type belong."""

    sentence = message("%(found)s is not a map.")
    remedy = message("A map with fields of %(type_name)s belongs here.")

    found: str
    type_name: str


class NoFieldOf(Problem, kind="NoFieldOf"):
    """A field that a type does not have; ``close`` is the one that is written most alike, ``known`` are the first."""

    sentence = message("%(type_name)s has no field %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Remove it. Among its fields are %(known)s."))

    found: str
    type_name: str
    known: tuple[str, ...]
    close: str = ""


class NeedsField(Problem, kind="NeedsField"):
    """A field that a type cannot be without is missing."""

    sentence = message("%(type_name)s needs the field %(field)s.")
    remedy = message("Add %(field)s.")

    field: str
    type_name: str


class EmptyItem(Problem, kind="EmptyItem"):
    """An item of a list without a value."""

    sentence = message("The item is empty.")
    remedy = message("Fill it or remove its dash.")


class NotAnIntegerOrText(Problem, kind="NotAnIntegerOrText"):
    """Something else than a whole number or a text, as ports and percentages are."""

    sentence = message("%(found)s is not a whole number or a text.")
    remedy = message("Write such as 8080 or http.")

    found: str


class NoApiGroup(Problem, kind="NoApiGroup"):
    """An API group that no cluster has; ``close`` is the apiVersion that was probably meant."""

    sentence = message("There is no API group %(found)s.")
    remedy = (
        message("Did you mean %(close)s?"),
        message("Groups that are not Kubernetes' own have a dot in their name."),
    )

    found: str
    close: str


class KindOfOtherVersion(Problem, kind="KindOfOtherVersion"):
    """A kind that another apiVersion has, which is ``right``."""

    sentence = message("%(found)s has no %(kind_name)s.")
    remedy = message("Write %(right)s.")

    kind_name: str
    found: str
    right: str


class NoKind(Problem, kind="NoKind"):
    """A kind that an API group of Kubernetes does not have."""

    sentence = message("%(version)s has no kind %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Among its kinds are %(known)s."))

    found: str
    version: str
    known: tuple[str, ...]
    close: str = ""
