"""The estimate beside the sandbox's bill, over HTTP: two counts that share no code."""

from __future__ import annotations

import random
from uuid import uuid4

import pandas as pd
import pytest
from fixtures_sandbox import SandboxPeer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import draws, only_deep

from dashboard.campaigns import Evidence, estimate_credits, learn_link_length, write_messages
from dashboard.service import OutgoingMessage

AT_ONCE = 500

shared_sandbox = settings(
    max_examples=draws(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def send(sandbox: SandboxPeer, messages: pd.DataFrame) -> pd.DataFrame:
    """The messages without a problem, with what the service says of each."""
    sent = messages[messages["problem"].isna()].assign(uuid=lambda frame: [str(uuid4()) for _ in frame.index])
    answers = []
    with sandbox.service() as service:
        for start in range(0, len(sent), AT_ONCE):
            part = sent.iloc[start : start + AT_ONCE]
            answers += service.send_bulk(
                [
                    OutgoingMessage(to=one.to, body=one.body, uuid=one.uuid, shorten_links=one.shorten_links)
                    for one in part.itertuples()
                ]
            )
    said = pd.DataFrame(
        [(a.uuid, a.credits_used, a.body) for a in answers], columns=["uuid", "credits_billed", "sent_body"]
    )
    both = sent.merge(said, on="uuid", validate="one_to_one")
    assert len(both) == len(sent)
    return both.assign(sent_body=both["sent_body"].where(both["sent_body"] != both["body"]))


def people(texts: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"phone": [f"+4479111{n:05d}" for n in range(len(texts))], "text": texts})


@pytest.mark.parametrize("many", [500, *only_deep(10_000)])
def test_the_bill_is_the_estimate_for_messages_without_links(sandbox: SandboxPeer, many: int) -> None:
    chance = random.Random(11)  # noqa: S311 - seeded
    letters = "abcdefghij   \n.,éüł€[]{}~^😀👍’“…\u00a0e\u0301"
    texts = ["".join(chance.choices(letters, k=chance.randrange(1, 1000))) for _ in range(many)]
    messages = write_messages(people(texts), "Hi {{text|there}}!", campaign="Bills")
    estimate = estimate_credits(messages)
    billed = send(sandbox, messages)
    assert estimate.messages == many
    assert estimate.is_exact
    assert (billed["credits_billed"] == billed["credits_low"]).all()
    assert billed["credits_billed"].sum() == estimate.credits_low


words = st.text(st.sampled_from("ab .,()!?\n’”é"), max_size=200)
links = st.builds(
    "{}://a.example/{}".format, st.sampled_from(["http", "https", "HTTPS"]), st.text("abc/?=.)(", max_size=40)
)
texts_with_links = st.lists(
    st.lists(st.one_of(words, links), min_size=1, max_size=5).map("".join), min_size=1, max_size=20
)


@shared_sandbox
@given(texts_with_links)
def test_bills_of_short_links_are_within_the_estimate_and_of_full_ones_exact(
    sandbox: SandboxPeer, texts: list[str]
) -> None:
    messages = write_messages(people(texts), "{{text|-}} https://b.example/{{text|-}}", campaign="Bills")
    billed = send(sandbox, messages)
    assert billed["credits_billed"].between(billed["credits_low"], billed["credits_high"]).all()
    full = send(sandbox, write_messages(people(texts), "{{text|-}}", campaign="Full", shorten_links=False))
    assert (full["credits_billed"] == full["credits_low"]).all()
    assert (full["credits_low"] == full["credits_high"]).all()


def test_what_the_sandbox_returns_makes_the_next_estimate_exact(sandbox: SandboxPeer) -> None:
    chance = random.Random(5)  # noqa: S311 - seeded
    texts = ["a" * chance.randrange(20, 500) for _ in range(400)]
    template = "{{text}} https://a.example/{{text}} or https://b.example"
    messages = write_messages(people(texts), template, campaign="Bills")
    billed = send(sandbox, messages)
    shown = learn_link_length(billed)
    told = learn_link_length(billed.assign(sent_body=None))
    assert (shown.evidence, shown.host) == (Evidence.BODIES, sandbox.base_url.partition("://")[2])
    assert shown.length.low == shown.length.high
    assert told.evidence is Evidence.CREDITS
    assert told.length.low <= shown.length.low <= told.length.high
    again = write_messages(people(texts), template, campaign="Bills", short_link=shown.length)
    assert send(sandbox, again)["credits_billed"].sum() == estimate_credits(again).credits_low
    assert estimate_credits(again).is_exact
