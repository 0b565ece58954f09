"""What the types of the Kubernetes API do not allow."""

from __future__ import annotations

from clusters.engine.problems import Problem, message


class IsNot(Problem, kind="IsNot"):
    sentence = message("%(found)s is not %(right)s.")
    remedy = message("Write %(right)s.")

    found: str
    right: str


class NotFieldsOf(Problem, kind="NotFieldsOf"):
    sentence = message("%(found)s is not a map.")
    remedy = message("Write fields of %(type_name)s.")

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


class NotAnIntegerOrText(Problem, kind="NotAnIntegerOrText"):
    sentence = message("%(found)s is neither a whole number nor a text.")
    remedy = message("Write such as 8080 or http.")

    found: str


class NoApiGroup(Problem, kind="NoApiGroup"):
    """An API group that no cluster has; ``close`` is the apiVersion that was probably meant."""

    sentence = message("There is no API group %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Other groups have a dot in their name."))

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
    sentence = message("%(version)s has no kind %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Among its kinds are %(known)s."))

    found: str
    version: str
    known: tuple[str, ...]
    close: str = ""
