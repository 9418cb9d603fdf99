"""SQL: what happened to every message."""
