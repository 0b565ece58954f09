"""Kubelet configurations as somebody gives them: read from a text, checked, and kept nowhere."""

from __future__ import annotations

from clusters.adapters.bad_input import BadInput
from clusters.engine import ConfigurationError
from clusters.engine.kubelet.settings import KIND, KubeletSettings
from clusters.services.files.configurations import document_of_text


def read_kubelet_text(text: str, *, is_windows: bool = False) -> KubeletSettings:
    """Return what a kubelet would understand of a KubeletConfiguration or its answer at /configz. Raises BadInput."""
    try:
        return KubeletSettings.from_dict(document_of_text(text, KIND), is_windows=is_windows)
    except ConfigurationError as error:
        raise BadInput(error.problem, field=error.path) from None
