"""What the API says of groups of pods."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

FIND_GROUP: Final = gettext_lazy("/api/v1/clusters/NAME/pod-groups/ lists the pod groups.")
