"""Over https: a certificate that is trusted, one that is not, and a handshake that never ends."""

from __future__ import annotations

import ssl
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fixtures_sandbox import outgoing
from odd_server import OddServer, echoing
from patience import PATIENCE_S

from dashboard.service import NotSentError, OutcomeUnknownError, SmsService


def certificate(folder: Path, address: str) -> Path:
    """A self-signed certificate and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "sms.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


def serving(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.fixture
def trust(monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """What the client trusts, instead of the world's authorities."""
    context = ssl.create_default_context()
    monkeypatch.setattr(httpx, "create_ssl_context", lambda **_: context)
    return context


def test_a_batch_over_tls(tmp_path: Path, trust: ssl.SSLContext) -> None:
    file = certificate(tmp_path, "127.0.0.1")
    trust.load_verify_locations(file)
    messages = [outgoing(body="x" * 1000) for _ in range(500)]
    with OddServer(echoing(), tls=serving(file)) as server, SmsService(server.base_url, "k") as client:
        assert len(client.send_bulk(messages)) == 500


@pytest.mark.parametrize(("address", "is_trusted"), [("127.0.0.1", False), ("127.0.0.2", True)])
def test_a_certificate_that_nobody_vouches_for_or_of_another_host_gets_nothing(
    tmp_path: Path, trust: ssl.SSLContext, address: str, is_trusted: bool
) -> None:
    file = certificate(tmp_path, address)
    if is_trusted:
        trust.load_verify_locations(file)
    with OddServer(echoing(), tls=serving(file)) as server, SmsService(server.base_url, "k") as client:
        with pytest.raises(NotSentError):
            client.send_bulk([outgoing()])
        assert server.requests == []


def test_a_handshake_that_never_ends_is_not_sent() -> None:
    began = time.monotonic()
    with (
        OddServer(lambda peer: peer.wait(PATIENCE_S)) as server,
        SmsService(server.base_url.replace("http:", "https:"), "k", timeout=0.5) as client,
        pytest.raises(NotSentError, match="did not answer in time"),
    ):
        client.send_bulk([outgoing()])
    assert time.monotonic() - began < PATIENCE_S / 4


def test_no_answer_over_tls_ends_by_the_deadline(tmp_path: Path, trust: ssl.SSLContext) -> None:
    file = certificate(tmp_path, "127.0.0.1")
    trust.load_verify_locations(file)
    with (
        OddServer(lambda peer: (peer.read_request(), peer.wait(PATIENCE_S))[-1], tls=serving(file)) as server,
        SmsService(server.base_url, "k", timeout=0.5) as client,
        pytest.raises(OutcomeUnknownError),
    ):
        client.send_bulk([outgoing()])
