"""Copies of a SQLite ledger, and how one is told from the original."""
