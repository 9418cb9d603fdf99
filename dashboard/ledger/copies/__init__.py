"""Copies of a SQLite ledger, and how a copy is told from the original."""
