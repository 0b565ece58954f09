"""The sandbox in the learner's language: nothing on its pages is left in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clusters.engine.sandbox import ActKind
from clusters.services.sandbox import STARTS
from clusters.wording.lessons import player as player_words, sandbox as words
from dashboard.sandbox.storing import links_of, sandbox_of
from tests.dashboard.sandbox.test_sandbox import HERE, NODE, WORKLOAD
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

# Everything that can be wrong with what somebody does.
REFUSED = (
    *({**NODE, "taint_key": "gpu"}, {**NODE, "taint_effect": "NoSchedule"}, {**NODE, "labels": "pool"}),
    *({**NODE, "cpu": "many"}, {**WORKLOAD, "replicas": "500"}, {"act": "dance"}, {"act": "upload"}),
    *({"act": "undo"}, {"act": "remove:Node/gone"}, {"act": "cordon:gone"}, {"act": "uncordon:node-a-1"}),
    *({"act": "apply", "object": "new", "text": ""}, {"act": "apply", "object": "new", "text": "a: 1"}),
)


def every_page(client: Client, user: User) -> Iterator[Any]:
    """Do everything that can be done, and look at all of it."""
    for fields in REFUSED:
        yield client.post(HERE, fields)
    yield client.get(HERE, {"object": "Node/node-a-1"})
    for start in STARTS:
        client.post(HERE, {"act": f"start:{start}"})
        yield client.get(HERE)
        client.post(HERE, {"act": "all"})
        yield client.get(HERE)
        # Pods of one workload say the same.
        for key in {
            each.name.split("-")[0]: each for each in sandbox_of(user).history.objects if each.kind == "Pod"
        }.values():
            yield client.get(HERE, {"pod": f"{key.namespace}/{key.name}"})
    client.post(HERE, {"act": "start:three-zones"})
    for act in ("cordon", "fail", "evict", "duplicate"):
        client.post(HERE, {"act": f"{act}:node-a-1"})
        yield client.get(HERE)
        yield client.get(f"{HERE}node/", {"node": "node-a-1"})
    client.post(HERE, {"act": "share"})
    yield client.get(HERE)
    yield client.get(f"{HERE}shared/{links_of(user)[0].token}/")
    yield client.post(HERE, {"act": "upload", "file": SimpleUploadedFile("empty.yaml", b"# nothing")})


def test_nothing_on_the_pages_of_the_sandbox_is_untranslated(signed_in_client: Client, user: User) -> None:
    signed_in_client.post("/lessons/_language/", {"language": "uk"})
    with untranslated("uk") as found:
        for response in every_page(signed_in_client, user):
            assert response.status_code in (200, 400), response.request["PATH_INFO"]
            assert '<html lang="uk"' in response.text or "sandbox-node" in response.text
        for kind in ActKind:
            words.done(kind, "empty" if kind is ActKind.STARTED else "Node/a")
        for said in (words.TOO_MANY_LINKS(number=2), words.TOO_MANY_ACTS(number=2), words.not_created(["a/b"], "x")):
            assert said
        for constant in (words.CHANGED_ELSEWHERE, words.NO_LINK, words.NO_DECISION, player_words.NO_OBJECT):
            assert str(constant)
    assert readable(found.messages) == []
