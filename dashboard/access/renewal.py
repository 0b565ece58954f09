"""Whether users are still vouched for: their issuer is asked again from time to time, by whatever they do."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from dashboard.access.identities import follow_groups
from dashboard.access.sealing import opened, sealed
from dashboard.models import Identity

_log = logging.getLogger(__name__)

# How long after an issuer gave no answer it is asked again.
_PAUSE: Final = timedelta(seconds=60)


def is_recent(identity: Identity, within: timedelta) -> bool:
    """Tell whether the issuer vouched for the user within a while."""
    return timezone.now() - identity.verified_at < within


def renewed(identity: Identity) -> Identity:
    """Return an identity as its issuer vouches for it now: where it is time to, the issuer is asked."""
    return _ask_again(identity) if _is_due(identity) else identity


def _is_due(identity: Identity) -> bool:
    """Tell whether this process has to ask now: of several one does, and the others take what is known meanwhile."""
    if not identity.refresh_token or is_recent(identity, settings.BERTH_OIDC_RENEWAL):
        return False
    now = timezone.now()
    silent = Q(asked_at=None) | Q(asked_at__lt=now - _PAUSE)
    due = Identity.objects.filter(silent, pk=identity.pk, refresh_token=identity.refresh_token)
    return bool(due.update(asked_at=now))


def _ask_again(identity: Identity) -> Identity:
    """Ask the issuer, and note the answer; without one nothing changes."""
    # Loaded by those processes alone that ask.
    from dashboard.access import provider

    asked_with = identity.refresh_token
    refresh_token = opened(asked_with)
    if not refresh_token:
        # Berth's key is another one by now: as if the issuer had given nothing to ask with.
        identity.refresh_token = ""
        identity.save(update_fields=["refresh_token"])
        return identity
    try:
        account = provider.renew(refresh_token, identity.subject)
    except provider.UnreachableError as error:
        _log.warning("The identity provider gave no answer about %s: %s", identity.user, error)
        return identity
    except (provider.RejectedError, provider.NotAdmittedError) as error:
        _log.info("The identity provider vouches for %s no more: %s", identity.user, error)
        identity.is_refused, identity.refresh_token = True, ""
    else:
        identity.verified_at, identity.refresh_token = timezone.now(), sealed(account.refresh_token)
        if account.groups is not None:
            follow_groups(identity.user, account.groups)
    answer = {name: getattr(identity, name) for name in ("is_refused", "refresh_token", "verified_at")}
    if not Identity.objects.filter(pk=identity.pk, refresh_token=asked_with).update(**answer):
        # The user signed in anew meanwhile, which the answer is older than.
        identity.refresh_from_db()
    return identity
