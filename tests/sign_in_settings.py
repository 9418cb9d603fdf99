"""What is set outside where people have to sign in; nothing of it is anybody's."""

from __future__ import annotations

SECRET = "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e"
SIGN_IN = {
    "DASHBOARD_OIDC_ISSUER": "https://id.example.com",
    "DASHBOARD_OIDC_CLIENT_ID": "dashboard",
    "DASHBOARD_OIDC_CLIENT_SECRET": "fictional-client-secret",
    "DASHBOARD_OIDC_COOKIE_SECRET": SECRET,
    "DASHBOARD_PEOPLE": "ann@example.com=admin",
}
AS_FIELDS = {name.removeprefix("DASHBOARD_").lower(): value for name, value in SIGN_IN.items()}
