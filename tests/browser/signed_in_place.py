"""A server where people have to sign in, asked without a browser.

Sessions are made and ended in the ledger, beside the server, as another process would.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from dashboard_server import serve
from odd_server import closed_port
from patience import PATIENCE_S, wait_until
from sign_in_settings import SIGN_IN

from dashboard.ledger import Ledger
from dashboard.ledger.team.sign_ins import Account, id_of

ISSUER = "https://id.example"
HOUR = timedelta(hours=1)


@dataclass
class Place:
    """A server where people have to sign in, and its ledger."""

    address: str
    ledger: Ledger

    def cookie(self, who: str, lasting: timedelta = HOUR) -> dict[str, str]:
        made = self.ledger.sign_ins.begin(Account(ISSUER, f"sub of {who}", who), lasting=lasting)
        assert made is not None
        return {f"dashboard-{urlsplit(self.address).port}": made}

    def stranger(self, kind: str) -> dict[str, str]:
        """The cookies of somebody who may not enter."""
        name = f"dashboard-{urlsplit(self.address).port}"
        if kind == "unsigned":
            return {}
        if kind == "forged":
            return {name: "x" * 43, "_streamlit_user": "x"}
        if kind == "unlisted":
            return self.cookie("eve@example.com")
        held = self.cookie("bea@example.com", timedelta(0) if kind == "expired" else HOUR)
        if kind == "signed out":
            self.ledger.sign_ins.end(id_of(held[name]))
        if kind == "barred":
            self.ledger.sign_ins.bar("bea@example.com")
        self.known("vic@example.com")  # the server has read the sessions since
        return held

    def known(self, who: str) -> dict[str, str]:
        """Somebody's cookies, once the server knows of them."""
        held = self.cookie(who)
        wait_until(lambda: self.ask("GET", "/settings", held)[0] == 200)
        return held

    def ask(
        self, method: str, path: str, cookies: dict[str, str], **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        held = "; ".join(f"{name}={value}" for name, value in cookies.items())
        connection = HTTPConnection("localhost", urlsplit(self.address).port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, headers={"Cookie": held, "Accept": "*/*", **headers})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, named, answer.read()
        finally:
            connection.close()


@contextmanager
def open_place(folder: Path, **variables: str) -> Iterator[Place]:
    """Serve one in a folder; people are Ann, a sender, Vic, a viewer, and Bea, an administrator."""
    given = {
        "DASHBOARD_PORT": str(closed_port()),
        **SIGN_IN,
        "DASHBOARD_OIDC_ISSUER": ISSUER,
        "DASHBOARD_PEOPLE": "ann@example.com=sender,vic@example.com=viewer,bea@example.com=admin",
        **variables,
    }
    url = f"sqlite:///{folder / 'data' / 'ledger.sqlite'}"
    with serve(folder, **given) as address, Ledger.open(url) as ledger:
        yield Place(address, ledger)
