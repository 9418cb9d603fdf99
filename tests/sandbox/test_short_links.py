"""Short links: what is replaced in a text, and where the link leads."""

from __future__ import annotations

import re

from each import each
from fixtures_sandbox import SandboxPeer
from hypothesis import given
from hypothesis import strategies as st

from dashboard.sandbox.contract.links import code_of, number_of, shorten, target


@each(
    "text, shortened",
    [
        ("See http://example.com/a, then go.", "See LINK, then go."),
        ("HTTPS://EXAMPLE.COM/A!", "LINK!"),
        ("(https://example.com/a_(b))", "(LINK)"),
        ("https://example.com/a?b=1&c[]=2#top.", "LINK."),
        ("two https://a.example https://b.example/x", "two LINK LINK"),
        ("zeile\nhttps://example.com/ä\nende", "zeile\nLINK\nende"),
        ("<https://example.com>", "<LINK>"),
        ("“https://example.com/a”…", "“LINK”…"),
        ("It’s https://example.com’", "It’s LINK’"),
        # no URLs
        ("www.example.com", "www.example.com"),
        ("mail ann@example.com", "mail ann@example.com"),
        ("ftp://example.com", "ftp://example.com"),
        ("http://", "http://"),
    ],
)
def test_urls_are_replaced_and_nothing_else(text: str, shortened: str) -> None:
    assert shorten(text, lambda _: "LINK") == shortened


@each(
    "url, location",
    [
        ("https://example.com", "https://example.com?svc_campaign=spring"),
        ("https://example.com/", "https://example.com/?svc_campaign=spring"),
        ("https://example.com/a?b=1", "https://example.com/a?b=1&svc_campaign=spring"),
        ("https://example.com/a?b=1#top", "https://example.com/a?b=1&svc_campaign=spring#top"),
        ("https://example.com/a#top", "https://example.com/a?svc_campaign=spring#top"),
        ("https://example.com/a?", "https://example.com/a?svc_campaign=spring"),
        ("https://example.com/#/route?x=1", "https://example.com/?svc_campaign=spring#/route?x=1"),
        # what stands there stays as it was written
        ("https://example.com/?q=a%20b+c&q=&x", "https://example.com/?q=a%20b+c&q=&x&svc_campaign=spring"),
        ("https://example.com/?svc_campaign=old&b=1", "https://example.com/?b=1&svc_campaign=spring"),
        ("http://[broken/?b=1", "http://[broken/?b=1&svc_campaign=spring"),
    ],
)
def test_tracking_joins_query_and_fragment(url: str, location: str) -> None:
    assert target(url, "spring") == location
    assert target(url, None) == url


def test_tracking_values_are_encoded() -> None:
    found = target("https://example.com", "a b&c=d#ü/?100%")
    assert found == "https://example.com?svc_campaign=a%20b%26c%3Dd%23%C3%BC%2F%3F100%25"


@given(st.integers(0, 62**7 - 1))
def test_codes_lead_back_to_their_link(number: int) -> None:
    assert re.fullmatch(r"[0-9A-Za-z]{7}", code_of(number))
    assert number_of(code_of(number)) == number


@each("code", ["", "short", "too-long", "abc/def", "\u0430bcdefg"])
def test_what_is_no_code_leads_nowhere(sandbox: SandboxPeer, code: str) -> None:
    assert number_of(code) is None
    assert sandbox.http.get(f"/s/{code}").status_code == 404


def test_each_link_leads_to_its_own_url_as_it_was(sandbox: SandboxPeer) -> None:
    urls = ["https://example.com/ä?q=a%20b+c&c[]=2#top", "http://example.com/1", "http://example.org/2"]
    texts = [{"to": "+447700900123", "body": body} for body in (" ".join(urls[:2]), urls[2])]
    links = [link for one in sandbox.post_bulk(texts).json()["data"] for link in one["body"].split()]
    answers = [sandbox.http.get(link) for link in links]
    assert {answer.status_code for answer in answers} == {302}
    leads = [answer.headers["location"] for answer in answers]
    assert leads == ["https://example.com/%C3%A4?q=a%20b+c&c[]=2#top", *urls[1:]]
