"""What the form says in which somebody gives a kubelet's configuration."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

GIVE_IT_BELOW: Final = gettext_lazy("Give the configuration again below.")
