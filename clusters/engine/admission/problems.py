"""Why the API server would refuse a pod or a claim; what is refused of any label is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import QUOTED, Problem, message


class NotTheClassOverhead(Problem, kind="NotTheClassOverhead"):
    sentence = message("Only the pod's RuntimeClass sets overhead.")
    remedy = message("Remove it.")


class NotOneValue(Problem, kind="NotOneValue"):
    sentence = message("%(operator)s needs exactly one value.")

    operator: str


class HugePagesAlone(Problem, kind="HugePagesAlone"):
    sentence = message("%(resource)s needs CPU or memory beside it.")

    resource: str


class NotAPodResource(Problem, kind="NotAPodResource"):
    sentence = message("%(name)s belongs to a container, not the pod.")

    name: str


class NotWholePages(Problem, kind="NotWholePages"):
    sentence = message("%(amount)s is not a multiple of %(page)s.")

    amount: str
    page: str


class BelowMinimum(Problem, kind="BelowMinimum"):
    """A LimitRange's minimum that a request or limit is below; ``amount`` is empty for one that is missing."""

    sentence = (
        message("%(limit_range)s: at least %(minimum)s of %(resource)s per %(per)s, not %(amount)s (%(role)s)."),
        message("%(limit_range)s: at least %(minimum)s of %(resource)s per %(per)s; %(role)s has none."),
    )
    remedy = message("Write %(minimum)s or more.")

    limit_range: str
    minimum: str
    resource: str
    per: str
    role: str
    amount: str


class AboveMaximum(Problem, kind="AboveMaximum"):
    """A LimitRange's maximum that a request or limit is above; ``amount`` is empty for one that is missing."""

    sentence = (
        message("%(limit_range)s: at most %(maximum)s of %(resource)s per %(per)s, not %(amount)s (%(role)s)."),
        message("%(limit_range)s: at most %(maximum)s of %(resource)s per %(per)s; %(role)s has none."),
    )
    remedy = message("Write %(maximum)s or less.")

    limit_range: str
    maximum: str
    resource: str
    per: str
    role: str
    amount: str


class RatioOfNothing(Problem, kind="RatioOfNothing"):
    """A LimitRange bounds limit over request, and ``missing``, one of the two, is missing or 0."""

    sentence = message(
        "%(limit_range)s: %(resource)s per %(per)s needs limit and request above 0, at most %(ratio)s : 1."
    )

    limit_range: str
    ratio: str
    resource: str
    per: str
    missing: str = ""


class AboveRatio(Problem, kind="AboveRatio"):
    sentence = message(
        "%(limit_range)s: limit ÷ request of %(resource)s per %(per)s: at most %(ratio)s, not %(times)s."
    )
    remedy = message("Lower limit or raise request.")

    limit_range: str
    ratio: str
    resource: str
    per: str
    times: float


class UpdateRefused(Problem, kind="UpdateRefused"):
    """A field of a pod that exists and may not be changed so; ``message`` has the API server's words."""

    sentence = QUOTED

    message: str
